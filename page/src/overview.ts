// What a document is, says and answers: shown where nothing was asked yet, with questions that one click asks.
import * as answer from "./answer";
import * as api from "./api";
import * as conversation from "./conversation";
import { $, button, make } from "./dom";
import * as evidence from "./evidence";
import * as labels from "./labels";
import { language as spoken, t } from "./language";
import * as viewer from "./viewer";
import { worded } from "./wording";

const known = new Map(); // overviews by the ids of their documents
const OUTLINE = 60; // headings that are listed
const OFFERED = 3; // questions where one was not answered
const SHORT = 40; // characters of a figure; what is longer is a sentence
const LONGEST = 90; // characters of a title
let ask = async (_question: string, _id: string) => {};
let ending = new AbortController();

/** The overview as a result whose places the document can show. */
function read(described) {
  const result: any = { overview: true, statements: [], places: [], cited: [], documents: [described.document] };
  const place = (citation) => {
    result.places.push({ ...citation, role: "cited", number: result.places.length, sign: result.places.length + 1, rects: citation.rects ?? [] });
    result.cited.push(result.places.length - 1);
    return result.places.length - 1;
  };
  result.says = described.statements.map((one) => ({ text: one.quote, places: [place(one)] }));
  result.figures = described.figures.filter((one) => one.citations.length).map((one) => ({ ...one, places: one.citations.map(place) }));
  result.outline = described.outline.slice(0, OUTLINE).map((one) => ({ ...one, places: [place({ ...one, document_id: described.document.id, quote: one.title, granularity: "sentence", rects: [] })] }));
  result.cited = result.cited.slice(0, result.says.length + result.figures.length);
  return Object.assign(result, { described });
}

const leads = (result, places) => ({ data: { p: places.join(" ") }, onclick: () => evidence.choose(result, places) });
const where = (result, places) => make("small", {}, labels.where(result.places[places[0]]));

function contents(result) {
  if (result.outline.length < 2) return null;
  const rows = result.outline.map((one) => make("li", { class: `level${Math.min(one.level, 3)}` }, button({ class: "quiet", ...leads(result, one.places) }, make("span", { dir: "auto" }, one.title), " ", where(result, one.places))));
  return make("details", { class: "contents" }, make("summary", {}, t("contents")), make("ol", {}, ...rows));
}

/** The first questions that a document answers, each as a button that asks it. */
const suggested = (described, most) =>
  described.questions.slice(0, most).map(({ question }) => button({ class: "suggested", dir: "auto", onclick: () => ask(question, described.document.id) }, question));

function card(result) {
  const { described } = result;
  const language = described.language ? new Intl.DisplayNames([spoken], { type: "language" }).of(described.language) : null;
  const facts = [described.author?.text, described.date?.text ?? described.period?.text, described.document.pages && t("pages", { n: described.document.pages }), language];
  const asks = suggested(described, 5).map((question) => make("li", {}, question));
  return [
    make("p", { class: "kind" }, described.kind === "text" ? t("document") : worded(described.kind)),
    make("h2", { dir: "auto" }, described.document.title || (described.title && described.title.text.length < LONGEST && described.title.text) || described.document.source || t("withoutTitle")),
    make("p", { class: "hint" }, facts.filter(Boolean).join(" · ")),
    asks.length ? make("h3", {}, t("askAboutIt")) : null,
    asks.length ? make("ul", { class: "asks" }, ...asks) : null,
    result.figures.length ? make("h3", {}, t("mainPoints")) : null,
    result.figures.length ? make("ul", { class: "figures" }, ...result.figures.map((one) => make("li", {}, button({ class: "quiet", ...leads(result, one.places) }, make("span", { class: "of" }, one.name), " ", make(one.text.length > SHORT ? "span" : "b", {}, one.text), " ", where(result, one.places))))) : null,
    result.says.length ? make("h3", {}, t("whatItSays")) : null,
    result.says.length ? make("ul", { class: "says" }, ...result.says.map((one) => make("li", {}, button({ class: "quiet", ...leads(result, one.places) }, make("q", { dir: "auto" }, one.text), " ", where(result, one.places))))) : null,
    contents(result),
  ].filter(Boolean);
}

/** The headings of a document with their places. */
export async function outline(id) {
  if (!known.has(id)) known.set(id, read((await api.send("overview", { document: id })).told));
  return known.get(id).described.outline;
}

/** Show the overview of the open document while nothing was asked; with no document, how to begin. */
export async function renew() {
  ending.abort();
  ending = new AbortController();
  const { signal } = ending;
  const id = viewer.open.id;
  $("overview").hidden = !conversation.empty();
  $("start").hidden = !conversation.empty() || id !== null;
  if (id === null) $("overview").replaceChildren();
  if (id === null || !conversation.empty()) return;
  if (!known.has(id)) {
    $("overview").replaceChildren(make("p", { class: "busy", role: "status" }, t("readingOverview")));
    try {
      const { told: reply } = await api.send("overview", { document: id }, signal);
      known.set(id, read(reply));
    } catch (error) {
      if (!signal.aborted) $("overview").replaceChildren(make("p", { class: "hint" }, t("noOverview")));
      return;
    }
  }
  if (signal.aborted) return;
  $("overview").replaceChildren(...card(known.get(id)));
  $("overview").dataset.of = id;
}

/** Begin; `asks` asks a question of one document. */
export function begin(asks) {
  ask = asks;
  answer.suggest(() => (known.has(viewer.open.id) ? suggested(known.get(viewer.open.id).described, OFFERED) : []));
  document.addEventListener("opened", renew);
  document.addEventListener("closed", renew);
  conversation.onChange(renew);
  evidence.on("lit", () => {
    const shining = evidence.lit.result?.overview ? new Set(evidence.shining()) : new Set();
    for (const part of $("overview").querySelectorAll("[data-p]")) part.classList.toggle("lit", part.dataset.p.split(" ").some((number) => shining.has(Number(number))));
  });
  renew();
}
