// Both ways by selecting: words of the answer show their evidence, words of a document what rests on them.
import { at } from "./answer";
import * as documents from "./documents";
import { $, button, copy, make, say, turnTo } from "./dom";
import * as evidence from "./evidence";
import { link } from "./finder";
import { t } from "./language";
import { selected } from "./offsets";
import * as viewer from "./viewer";

/** What is selected in the open document, null where nothing is. */
export function passage() {
  const span = selected($("scroller"));
  return span && viewer.open.id ? { document_id: viewer.open.id, ...span } : null;
}

const LONGEST = 200; // characters of a selection that a question repeats

/** Begin a question about what is selected. */
function askAbout() {
  const { quote } = viewer.marked;
  $("rests").hidden = true;
  document.querySelector<any>("[name=kind][value=ask]").click();
  $("given").value = t("aboutQuote", { quote: quote.length > LONGEST ? `${quote.slice(0, LONGEST)}…` : quote });
  turnTo("answer");
  $("given").focus();
}

/** Do with what is selected as with a pasted text. */
function take(kind) {
  $("rests").hidden = true;
  document.querySelector<any>(`[name=kind][value=${kind}]`).click();
  $("given").value = viewer.marked.quote;
  turnTo("answer");
  $("go").click();
}

function findElsewhere() {
  documents.except(viewer.marked.span.document_id);
  take("attribute");
}

/** Copy the words with the document, the page and an address that leads to them. */
async function quote() {
  const { span, quote: words } = viewer.marked;
  const form = t(viewer.open.pages ? "quoteFormPage" : "quoteForm", { words, name: $("shown-name").textContent, page: $("at").value });
  await copy(`${form}\n${link(span.document_id, span)}`);
  say(t("quoteCopied"));
}

const meets = (span, start, end) => start < span.end && end > span.start;

/** The places that a span of the open document meets, those that statements rest on. */
function met(span) {
  const { result } = evidence.lit;
  return (result?.places ?? []).filter((place) => place.role !== "differs" && place.document_id === span.document_id && meets(span, place.start, place.end)).map((place) => place.number);
}

function rests(numbers: number[], selection: boolean) {
  const resting = evidence.resting(numbers);
  evidence.rest(numbers);
  const n = resting.length;
  const told = selection ? t(n ? "restsSelected" : "restsNotSelected", { n }) : t(n ? "restsThis" : "restsNotThis", { n });
  const steps = resting.map((statement) => button({ class: "chip", onclick: () => evidence.choose(evidence.lit.result, statement.places, statement) }, statement.text.length > 60 ? `${statement.text.slice(0, 60)} …` : statement.text));
  const acts: [string, any][] = selection ? [[t("askAboutThis"), askAbout], [t("checkIt"), () => take("check")], [t("findOthers"), documents.several() && findElsewhere], [t("copyQuote"), quote]] : [];
  const offers = acts.filter(([, act]) => act).map(([words, act]) => button({ class: "quiet", onclick: act }, words));
  $("rests").replaceChildren(...[evidence.lit.result && make("p", {}, told), ...steps, ...offers].filter(Boolean));
  $("rests").hidden = !evidence.lit.result && !offers.length;
}

function inDocument() {
  const span = passage();
  if (span) {
    Object.assign(viewer.marked, { span, quote: String(getSelection()).trim() });
    document.dispatchEvent(new CustomEvent("marked"));
    rests(met(span), true);
  }
  return span !== null;
}

function inAnswer() {
  const anchor = getSelection().anchorNode;
  const place = at(anchor?.nodeType === Node.TEXT_NODE ? anchor.parentElement : anchor);
  const span = place && selected(place.row.querySelector(".said"));
  if (!span) return;
  const { result, statement } = place;
  const near = statement.places.filter((number) => meets(span, result.places[number].answer_start, result.places[number].answer_end));
  // Evidence of the very words goes before that of the whole statement.
  const exact = near.filter((number) => result.places[number].answer_end - result.places[number].answer_start < statement.end - statement.start);
  evidence.choose(result, exact.length ? exact : near, statement);
}

export function begin() {
  let timer = null;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    if (getSelection().isCollapsed) return;
    timer = setTimeout(() => inDocument() || inAnswer(), 250);
  });
  $("scroller").addEventListener("click", (event: any) => {
    if (String(getSelection()).trim()) return;
    const numbers = (viewer.open.view?.hit(event.clientX, event.clientY) ?? []).filter((number) => number >= 0);
    const cell = event.target.closest?.("[data-from]");
    if (numbers.length) rests(numbers, false);
    else if (cell && evidence.lit.result) rests(met({ document_id: viewer.open.id, start: Number(cell.dataset.from), end: Number(cell.dataset.to) }), false);
    else $("rests").hidden = true;
  });
  evidence.on("go", () => {
    $("rests").hidden = true;
  });
}
