// Making and finding elements. Text is always text: nothing here reads HTML.

export const $ = (id: string): any => document.getElementById(id);

/** An element with attributes, listeners (`onclick`, ...) and children; strings become text. */
export function make(tag: string, attributes: Record<string, any> = {}, ...children: any[]): any {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of an SVG. */
export function draw(tag: string, attributes: Record<string, any> = {}, ...children: any[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button that is one. */
export const button = (attributes: Record<string, any>, ...children: any[]) => make("button", { type: "button", ...attributes }, ...children);

/** Tell those who do not see what happened. */
export function say(text) {
  const live = $("live");
  live.textContent = "";
  live.textContent = text;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Scroll an element into view; far away at once, near by smoothly. */
export function bring(element, block = "center") {
  const far = Math.abs(element.getBoundingClientRect().top) > 2 * innerHeight;
  element.scrollIntoView({ block, inline: "nearest", behavior: far || calm.matches ? "instant" : "smooth" });
}

export const narrow = matchMedia("(max-width: 60rem)");

/** Show one of the three panes where there is room for one only. */
export function turnTo(pane) {
  document.body.dataset.pane = pane;
  for (const link of document.querySelectorAll<any>(".panes [data-pane]")) {
    if (link.dataset.pane === pane) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Put a text where it can be pasted from; without a secure address by the older way. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const held = make("textarea", { class: "unseen", "aria-hidden": "true" });
    held.value = text;
    document.body.append(held);
    held.select();
    document.execCommand("copy");
    held.remove();
  }
}
