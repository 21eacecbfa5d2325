// An answer, claims or an audit as people read them: the short answer first, statements, what is lacking, the cost.
import * as api from "./api";
import { bring, button, copy, make, narrow, say, turnTo, $ } from "./dom";
import * as evidence from "./evidence";
import * as labels from "./labels";
import { t } from "./language";
import { chip, item, quoted } from "./statements";
import { worded } from "./wording";

const WORDY = 40; // characters from which on a short answer is rather a sentence
const shown = new Map(); // results -> their elements
let offered = (_result): any[] => []; // buttons of questions that are answered

/** Say how the questions are made that are offered where one is not answered. */
export const suggest = (how) => { offered = how; };

/** What to call documents where there are several, by id. */
function titles(result) {
  if (result.documents.length < 2) return null;
  const short = (text) => (text.length > 28 ? `${text.slice(0, 27).trimEnd()}…` : text);
  return new Map<string, string>(result.documents.map((told) => [told.id, short(told.title || told.source || told.id)]));
}

/** The short answer; a phrase of a sentence is right once in three times below SURE_PHRASE and SURE, so the sentence stands alone there. */
function value(result) {
  const { text, places } = result.value;
  const place = result.places[places[0]];
  if (place?.granularity === "window" && (place.score < SURE_PHRASE || result.confidence < SURE)) return null;
  return button({ class: text.length > WORDY ? "value long" : "value", data: { p: places.join(" ") }, onclick: () => evidence.choose(result, places) },
    make("strong", { dir: "auto" }, text), make("span", { class: "counted" }, labels.counted(result.value)),
    place ? make("span", { class: "go" }, labels.where(place, titles(result))) : null);
}

const SURE = 0.6, SURE_PHRASE = 0.45;
const CONFIDENCES = [[0.85, "answers"], [SURE, "answersProbably"], [0, "answersMaybe"]] as const;

function confidence(result) {
  const [, words] = CONFIDENCES.find(([least]) => result.confidence >= least);
  return make("p", { class: result.confidence < SURE ? "confidence unsure" : "confidence" }, make("strong", {}, t(words)), ` (${labels.percent(result.confidence)})`);
}

function abstention(result) {
  const { score, threshold } = result.abstention;
  const message = worded(result.abstention.message);
  const far = score && threshold !== null ? t(score < threshold / 2 ? "farFrom" : "notQuite") : "";
  const exact = far ? t("needed", { score: labels.percent(score), threshold: labels.percent(threshold) }) : null;
  const near = result.nearest.map((number) => {
    const place = result.places[number];
    return make("li", { class: "near", onmouseenter: () => evidence.hover(result, [number]), onmouseleave: evidence.leave,
      onclick: (event: any) => !event.target.closest("button") && evidence.choose(result, [number]) },
      quoted(place), make("p", { class: "lacks" }, place.lacks?.startsWith("“") ? t("doesNotSay", { what: worded(place.lacks) }) : place.lacks ? worded(place.lacks) : t("tooUncertain")), chip(result, number, titles(result)));
  });
  const asks = offered(result);
  return make("section", { class: "abstained" }, make("h3", {}, t("noAnswer")), make("p", { title: exact }, `${message[0].toUpperCase()}${message.slice(1)}.${far}`),
    near.length ? make("h4", {}, t("nearest")) : null, near.length ? make("ol", {}, ...near) : null,
    asks.length ? make("h4", {}, t("answersThese")) : null, asks.length ? make("ul", { class: "asks" }, ...asks.map((ask) => make("li", {}, ask))) : null);
}

function summary(result) {
  const counts = new Map<string, number>();
  for (const { label } of result.statements) counts.set(label, (counts.get(label) ?? 0) + 1);
  if (result.statements.length < 2) return null;
  return make("ul", { class: "summary", "aria-label": t("labels") },
    ...[...counts].map(([label, number]) => make("li", { class: label }, make("span", { "aria-hidden": "true" }, `${labels.mark(label)} `), `${number} ${labels.word(label)}`)));
}

function foot(result) {
  const told = [labels.took(result.usage), result.method].filter(Boolean).join(" · ");
  const warnings = result.warnings.length
    ? make("details", { class: "warnings" }, make("summary", {}, t("remarks", { n: result.warnings.length })), make("ul", {}, ...result.warnings.map((one) => make("li", {}, worded(one)))))
    : null;
  const more = make("details", { class: "more" }, make("summary", {}, t("save")), exports(result), told ? make("p", { class: "took" }, told) : null);
  return make("footer", {}, about(result), warnings, actions(result), more);
}

/** Which documents an answer is from, else which were read. */
function about(result) {
  const cited = new Set(result.cited.map((number) => result.places[number].document_id));
  const named = result.documents.filter((told) => !cited.size || cited.has(told.id)).map((told) => told.title || told.source || told.id);
  if (!named.length) return null;
  const most = 4;
  const rest = named.length > most ? t("andMore", { n: named.length - most }) : "";
  return make("p", { class: "about", dir: "auto" }, t(result.abstention ? "lookedIn" : "from"), named.slice(0, most).join("; "), rest);
}

/** An answer as text with numbered citations. */
export function cited(result: any) {
  const numbers = [...new Set<number>(result.statements.flatMap((statement) => statement.places))];
  const marks = (places) => places.map((number) => `[${numbers.indexOf(number) + 1}]`).join("");
  const called = new Map<string, string>(result.documents.map((told) => [told.id, told.title || told.source || told.id]));
  const said = result.statements.map((statement) => [statement.text, marks(statement.places)].filter(Boolean).join(" "));
  const sources = numbers.map((number, index) => {
    const place = result.places[number];
    return `[${index + 1}] “${place.quote}” ${[called.get(place.document_id), labels.where(place)].filter(Boolean).join(", ")}`;
  });
  return [...said, "", ...sources].join("\n");
}

const ACTIONS = new Map(); // what can be done with an answer: words -> what it does with the result
/** Offer something to be done with a question's answer. */
export const offer = (words, does, fits: (result: any) => boolean = () => true) => ACTIONS.set(words, { does, fits });

function actions(result) {
  const offered = result.kind === "ask" ? [...ACTIONS].filter(([, { fits }]) => fits(result)).map(([words, { does }]) => button({ class: "quiet", onclick: () => does(result) }, words)) : [];
  const copied = async (event: any) => {
    const pressed = event.currentTarget;
    await copy(cited(result));
    pressed.textContent = t("copied");
    say(t("answerIsCopied"));
  };
  const copies = result.statements.length && !result.abstention ? button({ class: "quiet", onclick: copied }, t("copyCited")) : null;
  return make("p", { class: "actions" }, copies, ...offered);
}

const FORMS = { json: "JSON", markdown: "Markdown", html: "HTML", pdf: t("markedPdf"), bibtex: "BibTeX" };
const SUFFIXES = { json: "json", markdown: "md", html: "html", pdf: "pdf", bibtex: "bib" };

/** The ways out: all that the service makes of a kept result, else what it sent. */
function exports(result) {
  const pages = result.places.find((place) => place.page);
  const forms = Object.keys(FORMS).filter((form) => (result.kept ? form !== "pdf" || pages : form === "json"));
  const out = async (form) => {
    const name = `citewell-${(result.kept ?? "answer").slice(0, 14)}.${SUFFIXES[form]}`;
    try {
      if (result.kept) await api.download(api.exported(result.kept, form, form === "pdf" ? pages.document_id : null), name);
      else api.save(new Blob([JSON.stringify(result.told, null, 1)], { type: "application/json" }), name);
      say(t("isSaved", { name: FORMS[form] }));
    } catch (error) {
      say(error.message);
    }
  };
  return make("p", { class: "exports" }, t("saveAs"), ...forms.map((form) => button({ class: "quiet", onclick: () => out(form) }, FORMS[form])));
}

/** Fill the element of a result. */
function fill(element, result) {
  const rows = [];
  result.statements.forEach((statement, index) => {
    if (result.between[index]) rows.push(make("li", { class: "between", dir: "auto" }, result.between[index]));
    rows.push(item(result, statement, titles(result)));
  });
  element.replaceChildren(...[
    make("header", {}, make("p", { class: "kind" }, result.name), result.title ? make("h2", { dir: "auto" }, result.title) : null,
      result.rewritten ? make("p", { class: "rewritten" }, t("understoodAs"), make("span", { dir: "auto" }, result.rewritten)) : null),
    result.value ? value(result) : null,
    result.confidence !== null && !result.abstention ? confidence(result) : null,
    result.facts.length ? make("dl", { class: "facts" }, ...result.facts.map(([name, told]) => make("div", {}, make("dt", {}, name), make("dd", {}, told)))) : null,
    summary(result),
    rows.length ? make("ol", { class: "statements" }, ...rows) : null,
    result.abstention ? abstention(result) : null,
    result.done ? foot(result) : make("p", { class: "busy" }, t("readingNow")),
  ].filter(Boolean));
  light();
}

/** A place at the end for results that belong together. */
export function place() {
  const turn = make("section", { class: "turn" });
  $("results").append(turn);
  return turn;
}

/** Show results in a place, one beside the other where there are several; what was there goes. */
export function show(turn, results) {
  for (const [result, element] of shown) if (turn.contains(element)) shown.delete(result);
  turn.replaceChildren();
  turn.classList.toggle("several", results.length > 1);
  document.body.classList.toggle("comparing", results.length > 1);
  for (const result of results) add(turn, result);
  if (results.length) evidence.attend(results[0]);
}

/** Take all results away. */
export function clear() {
  shown.clear();
  $("results").replaceChildren();
  document.body.classList.remove("comparing");
  evidence.attend(null);
}

function add(turn, result) {
  const element = make("article", { class: "result", "aria-label": result.title || result.name });
  shown.set(result, element);
  turn.append(element);
  fill(element, result);
}

/** Bring the first evidence of a result into view, where there is room for both. */
export function open(result) {
  if (narrow.matches || result.abstention) return;
  const places = result.value?.places.length ? result.value.places : result.statements.find((statement) => statement.places.length)?.places ?? [];
  if (places.length) evidence.choose(result, places);
}

/** Put a result into the place of another one, or show it anew where it grew. */
export function renew(before, result) {
  const element = shown.get(before);
  if (!element) return;
  shown.delete(before);
  shown.set(result, element);
  fill(element, result);
  if (evidence.lit.result === before) evidence.attend(result);
}

/** The elements of the statements that are shown, in order. */
export const statements = () => [...document.querySelectorAll<any>("#results .statement")];

/** The result and statement of an element inside it. */
export function at(element) {
  const row = element?.closest?.("#results .statement");
  if (!row) return null;
  const [result] = [...shown].find(([, box]) => box.contains(row));
  return { result, statement: result.statements[Number(row.dataset.s)], row };
}

function light() {
  const shining = new Set(evidence.shining());
  for (const [result, element] of shown) {
    const own = result === evidence.lit.result ? shining : new Set();
    for (const part of element.querySelectorAll("[data-p]")) {
      part.classList.toggle("lit", part.dataset.p.split(" ").some((number) => own.has(Number(number))));
    }
    for (const row of element.querySelectorAll(".statement")) {
      const statement = result.statements[Number(row.dataset.s)];
      const chosen = statement === evidence.lit.statement;
      const rests = statement.places.some((number) => own.has(number));
      row.classList.toggle("chosen", chosen);
      row.classList.toggle("lit", rests);
      row.querySelector(".label").setAttribute("aria-pressed", String(chosen || rests));
    }
  }
}

export function begin() {
  evidence.on("lit", light);
  evidence.on("result", light);
  evidence.on("rest", (resting) => {
    if (!resting.length) return;
    const row = shown.get(evidence.lit.result)?.querySelector(`[data-s="${resting[0].index}"]`);
    if (row && !narrow.matches) bring(row, "nearest");
    say(t("restsOnIt", { n: resting.length, text: resting[0].text }));
  });
  evidence.on("go", (place) => {
    if (narrow.matches) turnTo("viewer");
    const { numbers, at: now } = evidence.lit;
    say(t(place.page ? "evidenceOfPage" : "evidenceOf", { at: now + 1, many: numbers.length, page: place.page ?? "", quote: place.quote ?? "" }));
  });
}
