// Small pictures of the pages of the open document, beside it: drawn as they come near, the page that is read is marked.
import * as address from "./address";
import * as api from "./api";
import { $, button, make } from "./dom";
import { t } from "./language";
import { Lazy, Work } from "./lazy";

const AT_ONCE = 2; // requests at the same time; the pages that are read have more
const WIDTH = 84; // pixels of a picture, as in sheets.css
const SHARPEST = 2; // of those to a pixel of the screen
const KEYS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 5, PageUp: -5, Home: -Infinity, End: Infinity };

interface Page {
  page: number;
  width: number;
  height: number;
}

let shown: { id: string; pages: Page[]; signal: AbortSignal; go: (page: number) => void } | null = null;
let lazy: Lazy | null = null;
let at = 0; // the position of the page that is read
const kept = new Map<number, Blob>(); // pictures by their page: a few kilobytes each
const work = new Work(AT_ONCE, () => {}); // one that failed stays white: the page itself says why

const items = (): any[] => [...$("thumbs-list").querySelectorAll("button")];

function item({ page, width, height }: Page): HTMLElement {
  const picture = make("span", { class: "picture" });
  picture.style.setProperty("--ratio", width / height);
  return make("li", { data: { page } }, button({ tabindex: -1, "aria-label": t("pageOf", { page, many: shown.pages.length }), onclick: () => go(shown.pages.findIndex((one) => one.page === page)) }, picture, make("small", { "aria-hidden": "true" }, String(page))));
}

function fill(row: HTMLElement): void {
  const { id, pages, signal } = shown;
  const page = Number(row.dataset.page);
  const { width } = pages.find((one) => one.page === page);
  const scale = Math.max(0.1, Math.ceil((100 * WIDTH * Math.min(SHARPEST, devicePixelRatio)) / width) / 100);
  work.add(async () => {
    if (!lazy?.near.has(row)) return;
    if (!kept.has(page)) kept.set(page, await api.drawn(id, page, scale, signal));
    const bitmap = await createImageBitmap(kept.get(page));
    if (!lazy?.near.has(row)) return;
    const canvas = make("canvas", { width: bitmap.width, height: bitmap.height, "aria-hidden": "true" });
    canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
    row.querySelector(".picture").replaceChildren(canvas);
  });
}

const empty = (row: HTMLElement): void => row.querySelector(".picture").replaceChildren();

/** Mark a page by its position, and bring its picture into view. */
function mark(position: number, focus = false): void {
  const all = items();
  all[at]?.removeAttribute("aria-current");
  if (all[at]) all[at].tabIndex = -1;
  at = Math.max(0, Math.min(all.length - 1, position));
  const one = all[at];
  if (!one) return;
  one.tabIndex = 0;
  one.setAttribute("aria-current", "page");
  const [list, row] = [$("thumbs-list"), one.parentElement];
  const [across, down] = [row.offsetLeft - list.scrollLeft, row.offsetTop - list.scrollTop];
  if (down < 0 || down + row.offsetHeight > list.clientHeight) list.scrollTop = row.offsetTop - (list.clientHeight - row.offsetHeight) / 2;
  if (across < 0 || across + row.offsetWidth > list.clientWidth) list.scrollLeft = row.offsetLeft - (list.clientWidth - row.offsetWidth) / 2;
  if (focus) one.focus({ preventScroll: true });
}

/** Bring a page into view by its position. */
function go(position: number): void {
  mark(position, true);
  shown.go(shown.pages[at].page);
}

/** Show what there is to show, where people want to see it. */
function dress(): void {
  const wanted = address.recall("thumbs", false);
  lazy?.stop();
  lazy = null;
  $("thumbs-open").hidden = shown === null;
  $("thumbs-open").setAttribute("aria-expanded", String(wanted));
  $("thumbs").hidden = shown === null || !wanted;
  $("thumbs-list").replaceChildren();
  if ($("thumbs").hidden) return;
  $("thumbs-list").append(...shown.pages.map(item));
  lazy = new Lazy($("thumbs-list"), fill, empty, "75%");
  for (const row of $("thumbs-list").children) lazy.watch(row);
  mark(at);
}

/** The pages of a document; `go` brings one into view, `signal` ends with the document's being shown. */
export function show(id: string, pages: Page[], signal: AbortSignal, go: (page: number) => void): void {
  shown = { id, pages, signal, go };
  at = 0;
  dress();
}

/** No pages: none is open, or it has none. */
export function clear(): void {
  if (shown === null) return;
  shown = null;
  kept.clear();
  work.clear();
  dress();
}

/** Another page is read. */
export function turn(page: number): void {
  const position = shown?.pages.findIndex((one) => one.page === page) ?? -1;
  if (position < 0 || position === at) return;
  if ($("thumbs").hidden) at = position;
  else mark(position, $("thumbs").contains(document.activeElement));
}

export function begin(): void {
  $("thumbs-open").addEventListener("click", () => {
    address.remember("thumbs", !address.recall("thumbs", false));
    dress();
  });
  $("thumbs-list").addEventListener("keydown", (event: any) => {
    const by = KEYS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    go(at + by);
  });
  dress();
}
