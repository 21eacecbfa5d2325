// The document beside the answer: which one is open, its pages or its text, and the way to each piece of evidence.
import * as api from "./api";
import { $, make, say } from "./dom";
import * as evidence from "./evidence";
import { percent, t } from "./language";
import { Pages } from "./pdf";
import { Structured } from "./structured";
import * as thumbs from "./thumbs";

export const open = { id: null, view: null, pages: null };

/** What was last selected in a document, with its words. */
export const marked = { span: null, quote: "" };
let titles = new Map();
let opening = null;
let closing = new AbortController(); // ends what was asked for to show the document
let sought = null; // a place that is lit beside the evidence: a match of a search, a heading
const SOUGHT = -1; // its number

/** What documents are called, by id. */
export function name(called) {
  titles = called;
}

/** Open a document; the one that is open stays as it is. */
export async function show(id) {
  if (open.id === id && opening) return opening;
  leave();
  Object.assign(open, { id, view: null, pages: null });
  sought = null;
  document.dispatchEvent(new CustomEvent("opened"));
  opening = load(id);
  return opening;
}

/** Ask for nothing more of what is open. */
function leave() {
  open.view?.close();
  thumbs.clear();
  closing.abort(new DOMException("", "AbortError"));
  closing = new AbortController();
}

async function load(id) {
  const { signal } = closing;
  const scroller = $("scroller");
  scroller.replaceChildren(make("p", { class: "hint" }, t("opening")));
  $("tools").hidden = false;
  $("shown-name").textContent = titles.get(id) ?? "";
  $("at").value = "";
  $("of").textContent = "";
  try {
    const told = await api.pages(id, signal);
    if (open.id !== id) return;
    const text = told.drawn ? null : await api.text(id, signal);
    if (open.id !== id) return;
    open.pages = told.drawn ? told.pages : null;
    scroller.scrollTop = 0;
    open.view = told.drawn ? new Pages(scroller, id, told.pages, turned, signal) : new Structured(scroller, text);
    document.querySelector<any>(".at").hidden = !told.drawn;
    if (told.drawn) {
      $("of").textContent = `/ ${told.pages.length}`;
      thumbs.show(id, told.pages, signal, (page) => open.view?.goPage(page));
      turned(told.pages[0].page);
    }
    mark();
  } catch (error) {
    if (open.id === id) {
      opening = null;
      scroller.replaceChildren(make("p", { class: "hint" }, t("cannotShow", { reason: error.message })));
    }
  }
}

/** Close what is open, where it is this one. */
export function close(id) {
  if (open.id !== id) return;
  leave();
  Object.assign(open, { id: null, view: null, pages: null });
  opening = null;
  $("tools").hidden = true;
  welcome();
  document.dispatchEvent(new CustomEvent("closed"));
}

function turned(page) {
  if (document.activeElement !== $("at")) $("at").value = page;
  thumbs.turn(page);
}

/** The places of the result that stand in the open document. */
function mark() {
  const places = evidence.lit.result?.places ?? [];
  open.view?.mark([...places.filter((place) => place.document_id === open.id), ...(sought ? [sought] : [])]);
  light();
}

const shining = () => new Set([...evidence.shining(), ...(sought ? [SOUGHT] : [])]);

/** Light a place of the open document beside the evidence, null for none. */
export function spot(place) {
  if (sought === null && place === null) return;
  sought = place;
  mark();
}

/** Light a stretch of the open document's text and bring it into view. */
export async function reveal({ start, end }) {
  const { id } = open;
  try {
    const place = await api.place(id, start, end);
    if (open.id !== id || !open.view) return;
    spot({ ...place, number: SOUGHT, sign: "", role: "sought" });
    open.view.go(sought);
  } catch (error) {
    say(error.message);
  }
}

function light() {
  open.view?.light(shining());
  const { numbers, at } = evidence.lit;
  $("turn").textContent = numbers.length ? t("of", { n: at + 1, many: numbers.length }) : "";
  const none = !(evidence.lit.result?.cited.length || numbers.length);
  $("before").disabled = none;
  $("after").disabled = none;
}

async function go(place) {
  await show(place.document_id);
  if (!open.view) return;
  open.view.light(shining());
  open.view.go(place);
  if (open.pages && !place.rects.length) {
    $("rests").replaceChildren(make("p", {}, t("cannotMark")));
    $("rests").hidden = false;
  }
}

export function welcome() {
  $("scroller").replaceChildren(make("p", { class: "hint empty" }, t("pagesAppear")));
}

export function begin() {
  thumbs.begin();
  evidence.on("result", mark);
  evidence.on("lit", light);
  evidence.on("go", go);
  $("before").addEventListener("click", () => evidence.turn(-1));
  $("after").addEventListener("click", () => evidence.turn(1));
  for (const [id, by] of [["smaller", -1], ["fit", 0], ["larger", 1]] as const) {
    $(id).addEventListener("click", () => open.view && say(t("sizeIs", { share: percent(open.view.resize(by)) })));
  }
  $("at").addEventListener("change", () => open.pages && open.view.goPage(Number($("at").value) || 1));
  $("at").addEventListener("keydown", (event: any) => event.key === "Enter" && event.target.blur());
  welcome();
}
