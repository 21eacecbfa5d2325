// Inside of the open document: its words searched, its headings listed, a link to it.
import * as address from "./address";
import * as api from "./api";
import { $, button, copy, make, say } from "./dom";
import { t } from "./language";
import * as overview from "./overview";
import * as viewer from "./viewer";

const PAUSE = 250; // milliseconds after the last letter
let matches = [];
let count = 0;
let at = -1; // the match that is in view
let searched = ""; // document and words of `matches`

function state() {
  $("find-count").textContent = !searched ? "" : count ? t("of", { n: at + 1, many: count }) : "0";
  for (const id of ["find-before", "find-after"]) $(id).disabled = !count;
}

function clear() {
  [matches, count, at, searched] = [[], 0, -1, ""];
  viewer.spot(null);
  state();
}

/** The first match from the page in view on. */
function nearest() {
  const page = viewer.open.pages ? Number($("at").value) : 0;
  return Math.max(0, matches.findIndex((match) => (match.page ?? 0) >= page));
}

async function search() {
  const [id, words] = [viewer.open.id, $("find").value.trim()];
  const key = `${id} ${words}`;
  if (!id || !words) return clear();
  if (key === searched) return step(1);
  try {
    const reply = await api.find(id, words);
    if (viewer.open.id !== id || $("find").value.trim() !== words) return;
    [matches, count, searched, at] = [reply.matches, reply.count, key, -1];
    if (!count) {
      viewer.spot(null);
      state();
      say(t("notInDocument"));
      return;
    }
    at = nearest() - 1;
    await step(1);
  } catch (error) {
    say(error.message);
  }
}

async function step(by) {
  if (!matches.length) return;
  at = (at + by + matches.length) % matches.length;
  state();
  say(t("matchOf", { at: at + 1, many: count }));
  await viewer.reveal(matches[at]);
}

async function contents() {
  const id = viewer.open.id;
  const list = $("contents-list");
  if (!$("contents").open || list.dataset.of === id) return;
  list.dataset.of = id;
  list.replaceChildren(make("li", { class: "hint" }, t("readingNow")));
  const headings = await overview.outline(id).catch(() => []);
  if (viewer.open.id !== id) return;
  const rows = headings.map((one) => make("li", { class: `level${Math.min(one.level, 3)}` }, button({ class: "quiet", onclick: () => {
    $("contents").open = false;
    viewer.reveal(one);
  } }, make("span", { dir: "auto" }, one.title), " ", one.page ? make("small", {}, t("pageAt", { page: String(one.page) })) : null)));
  list.replaceChildren(...(rows.length ? rows : [make("li", { class: "hint" }, t("noHeadings"))]));
}

/** An address that shows a document, or a place in it, to all who may see it. */
export function link(id, span = null) {
  const fields = { ...(api.where.library ? { library: api.where.library } : {}), document: id, ...(span ? { start: span.start, end: span.end } : {}) };
  return `${location.origin}${location.pathname}#${new URLSearchParams(fields)}`;
}

export function begin() {
  let timer = null;
  $("find").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  $("find").addEventListener("keydown", (event: any) => {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(timer);
      if (event.shiftKey) step(-1);
      else search();
    }
    if (event.key === "Escape") {
      $("find").value = "";
      clear();
    }
  });
  $("find-before").addEventListener("click", () => step(-1));
  $("find-after").addEventListener("click", () => step(1));
  $("contents").addEventListener("toggle", contents);
  $("contents").addEventListener("focusout", (event: any) => {
    if (!$("contents").contains(event.relatedTarget)) $("contents").open = false;
  });
  $("link").addEventListener("click", async () => {
    await copy(link(viewer.open.id, address.named().get("document") === viewer.open.id && viewer.marked.span?.document_id === viewer.open.id ? viewer.marked.span : null));
    say(t("linkOpens"));
    $("link").textContent = t("linkCopied");
    setTimeout(() => { $("link").textContent = t("copyLink"); }, 3000);
  });
  document.addEventListener("opened", () => {
    clear();
    $("find").value = "";
    $("contents").open = false;
    delete $("contents-list").dataset.of;
  });
  state();
}
