// What is asked: a question, the evidence of an answer, claims, an audit, or two answers side by side.
import * as answer from "./answer";
import * as api from "./api";
import * as conversation from "./conversation";
import * as documents from "./documents";
import { $, bring, button, make, say, turnTo } from "./dom";
import { percent, t } from "./language";
import * as results from "./results";

const KINDS = {
  ask: { name: t("question"), hint: t("askHint"), go: t("ask"), rows: 2, options: ["approach", "method", "model", "layer", "checker", "abstain", "promise", "k"] },
  attribute: { name: t("answer"), hint: t("attributeHint"), go: t("findEvidence"), rows: 6, options: ["method", "model", "layer", "granularity", "checker", "k"] },
  check: { name: t("claims"), hint: t("checkHint"), go: t("check"), rows: 6, options: ["method", "model", "layer", "checker"] },
  audit: { name: t("response"), hint: t("auditHint"), go: t("audit"), rows: 8, options: ["method", "model", "layer", "checker"] },
  compare: { name: t("oneAnswer"), hint: t("oneAnswer"), go: t("compare"), rows: 4, options: ["method", "model", "layer", "granularity", "checker", "k"] },
};
const OPTIONS = {
  approach: { name: t("optionApproach"), none: t("asServiceThinks") },
  method: { name: t("optionMethod"), none: t("lexical") },
  model: { name: t("optionModel") },
  layer: { name: t("optionLayer"), number: { step: 1 } },
  checker: { name: t("optionChecker"), none: t("lexical") },
  granularity: { name: t("optionGranularity"), none: t("sentences") },
  abstain: { name: t("optionAbstain"), number: { min: 0, max: 1, step: 0.05 } },
  promise: { name: t("optionPromise"), none: t("noPromise") },
  k: { name: t("optionK"), number: { min: 1, max: 20, step: 1 } },
};
const GRANULARITIES = { sentence: t("sentences"), paragraph: t("paragraphs"), window: t("passages"), token: t("copiedWords") };
const PASTED = 240; // characters from which on a text is hardly a question
const STATES = "hidden-states"; // the method that compares the states of a model, layer by layer
let settings = null;
let running = null;
let editing = null; // the turn whose question is asked anew

const kind = () => document.querySelector<any>("[name=kind]:checked").value;

/** Show what belongs to the kind that is chosen. */
function dress() {
  const chosen = KINDS[kind()];
  $("given-name").textContent = chosen.name;
  Object.assign($("given"), { placeholder: chosen.hint, rows: chosen.rows });
  document.querySelector<any>(".second").hidden = kind() !== "compare";
  $("other").required = kind() === "compare";
  $("go").textContent = chosen.go;
  $("ways").open ||= kind() !== "ask";
  const stated = input("method")?.value === STATES;
  for (const field of $("fields").querySelectorAll("[data-option]")) {
    const { option } = field.dataset;
    field.hidden = !chosen.options.includes(option) || (["model", "layer"].includes(option) && !stated);
  }
  if (!stated) return;
  const { layers } = settings.models.find((model) => model.name === input("model").value);
  Object.assign(input("layer"), { min: -layers - 1, max: layers, placeholder: t("layers", { n: layers }) });
}

const input = (name) => $("fields").querySelector(`[data-option="${name}"] :is(input, select)`);

/** A method that reads states marks copied words, as long as nobody wants something else. */
function turned() {
  const granularity = input("granularity");
  if (input("method").value === STATES && !granularity.value) granularity.value = "window";
  dress();
}

/** What a select offers: each with its value and its words. */
function choices(name) {
  if (name === "granularity") return settings.granularities.map((one) => [one, `${one}: ${GRANULARITIES[one]}`]);
  if (name === "model") return settings.models.map((model) => [model.name, model.name]);
  if (name === "promise") return settings.promises.map((promise) => [promise.name, t("promiseOf", { name: promise.name, share: percent(promise.risk) })]);
  const usable = settings.choices[name].filter((choice) => name !== "approach" || settings.llm || choice.name === "extractive");
  return usable.map((choice) => [choice.name, choice.name === choice.summary ? choice.name : `${choice.name}: ${choice.summary}`]);
}

function field(name) {
  const { name: words, none, number } = OPTIONS[name];
  const chosen = number
    ? make("input", { type: "number", name, ...number, placeholder: "–" })
    : make("select", { name }, none && make("option", { value: "" }, none), ...choices(name).map(([value, told]) => make("option", { value }, told)));
  if (["method", "model"].includes(name)) chosen.addEventListener("change", turned);
  const remark = name === "promise" ? make("small", { class: "hint" }) : null;
  if (remark) chosen.addEventListener("change", () => { remark.textContent = settings.promises.find((promise) => promise.name === chosen.value)?.words ?? ""; });
  return make("label", { data: { option: name } }, make("span", {}, words), chosen, remark);
}

function options() {
  const told: Record<string, any> = {};
  for (const given of $("fields").querySelectorAll("[data-option]:not([hidden]) :is(input, select)")) {
    if (given.value !== "") told[given.name] = given.type === "number" ? Number(given.value) : given.value;
  }
  const { model, layer, promise, ...rest } = told;
  if (model !== undefined) rest.method = `${STATES}(model=${JSON.stringify(model)}${layer === undefined ? "" : `, layer=${layer}`})`;
  if (promise !== undefined) rest.abstain = promise;
  return rest;
}

/** The options of a request, as the form has them. */
function asOptions(asked) {
  const told = { ...asked };
  if (told.method?.startsWith(`${STATES}(`)) {
    told.model = JSON.parse(/model=("(?:[^"\\]|\\.)*")/.exec(told.method)?.[1] ?? "null") ?? "";
    told.layer = /[( ]layer=(-?\d+)/.exec(told.method)?.[1];
    told.method = STATES;
  }
  if (typeof told.abstain === "string") Object.assign(told, { promise: told.abstain, abstain: null });
  return told;
}

/** A response as JSON where it is some, else as text. */
function response(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    return text;
  }
}

function bodies(given) {
  const other = $("other").value.trim();
  return {
    ask: () => [["ask", { question: given }]],
    attribute: () => [["attribute", { answer: given }]],
    check: () => [["check", { claims: given.split("\n").map((claim) => claim.trim()).filter(Boolean) }]],
    audit: () => [["audit", { response: response(given) }]],
    compare: () => [["attribute", { answer: given }], ["attribute", { answer: other }]],
  }[kind()]();
}

async function one(turn, request, signal, streams) {
  const began = performance.now();
  const result = await replied(turn, request, signal, streams);
  result.usage = { seconds: (performance.now() - began) / 1000, ...result.usage };
  return result;
}

async function replied(turn, [verb, body], signal, streams) {
  const growing = results.growing(verb, body);
  conversation.show(turn, [growing]);
  bring(turn.element, "start");
  if (!streams) {
    const { told, kept } = await api.send(verb, body, signal);
    return results.read(verb, told, body, kept);
  }
  const { told, kept } = await api.stream(verb, body, (said) => {
    results.grow(growing, said);
    answer.renew(growing, growing);
  }, signal);
  const whole = results.read(verb, told, body, kept);
  conversation.show(turn, [whole]);
  return whole;
}

async function ask() {
  const given = $("given").value.trim();
  if (!given || running) return;
  running = new AbortController();
  busy(true);
  $("results").querySelector(":scope > .failure")?.remove();
  const [asks, from] = [kind() === "ask", editing];
  let turn = null;
  try {
    const about = documents.chosen();
    const keep = $("keep").checked ? { keep: true } : {};
    const thread = asks ? conversation.placed(from) : {};
    const asked = bodies(given).map(([verb, body]) => [verb, { ...about, ...body, ...options(), ...keep, ...thread }]);
    turn = conversation.add(asks ? given : null);
    if (asks) $("given").value = "";
    const told = [];
    for (const request of asked) told.push(await one(turn, request, running.signal, asks));
    told.forEach((result, index) => told.length > 1 && (result.name = t("answerNumber", { n: index + 1 })));
    if (!asks) conversation.show(turn, told);
    if (from) await conversation.replace(from, turn);
    edit(null);
    bring(turn.element, "start");
    $("form").classList.add("answered"); // what was pasted makes room for what was found
    answer.open(told[0]);
    for (const hear of heard) hear(told);
    say(told.map((result) => result.abstention ? t("noAnswer") : t("statements", { n: result.statements.length })).join(", "));
  } catch (error) {
    if (turn) conversation.remove(turn);
    if (asks && !$("given").value) $("given").value = given; // to be asked again
    if (error.name !== "AbortError") fail(error.message);
    else say(t("stopped"));
  }
  running = null;
  busy(false);
}

function fail(message) {
  const told = make("p", { class: "failure", role: "alert" }, message);
  $("results").append(told);
  bring(told, "nearest");
}

/** Ask the question of a turn anew, or no longer where it is null. */
function edit(turn) {
  editing = turn;
  $("editing").hidden = turn === null;
  if (turn === null) return;
  const later = conversation.after(turn);
  $("editing").replaceChildren(later ? t("replacesMore", { n: later }) : t("replacesAnswer"), button({ class: "quiet", onclick: () => edit(null) }, t("cancel")));
  document.querySelector<any>("[name=kind][value=ask]").checked = true;
  dress();
  $("given").value = turn.question;
  $("given").focus();
}

/** Ask a question of one document, as if it had been typed. */
export async function askOf(question, document_id) {
  documents.only(document_id);
  document.querySelector<any>("[name=kind][value=ask]").checked = true;
  dress();
  $("given").value = question;
  await ask();
}

/** A text that was pasted is rather checked than asked. */
function suggest() {
  const text = $("given").value;
  const pasted = text.length > PASTED || /\n\s*\S/.test(text) || /\[\d+\]/.test(text);
  if (pasted && kind() === "ask") $("ways").open = true;
}

/** Check the statements of an answer one by one, as claims against the documents that are chosen. */
function check(result) {
  document.querySelector<any>("[name=kind][value=check]").checked = true;
  dress();
  $("given").value = result.statements.map((statement) => statement.text.replaceAll(/\s+/g, " ")).join("\n");
  $("given").focus();
}

function busy(is) {
  $("go").disabled = is;
  $("stop").hidden = !is;
  $("form").setAttribute("aria-busy", String(is));
}

/** Put what was asked into the form again; a question stands in the conversation. */
export function recall(verb, asked) {
  edit(null);
  document.querySelector<any>(`[name=kind][value=${verb}]`).checked = true;
  $("given").value = verb === "ask" ? "" : asked.answer ?? asked.claims?.join("\n") ?? (typeof asked.response === "object" ? JSON.stringify(asked.response, null, 1) : asked.response) ?? "";
  const told = asOptions(asked);
  for (const given of $("fields").querySelectorAll("[data-option] :is(input, select)")) {
    if (given.name !== "model" || told.model) given.value = told[given.name] ?? "";
  }
  dress();
}

const heard = [];
/** Hear of results that came. */
export const onResults = (hear) => heard.push(hear);

export function begin(told) {
  settings = told;
  const there = { model: settings.models.length, layer: settings.models.length, promise: settings.promises.length };
  $("fields").prepend(...Object.keys(OPTIONS).filter((name) => there[name] !== 0).map(field));
  $("model").textContent = told.llm ?? t("withoutModel");
  for (const radio of document.querySelectorAll<any>("[name=kind]")) radio.addEventListener("change", dress);
  $("form").addEventListener("submit", (event: any) => {
    event.preventDefault();
    turnTo("answer");
    ask();
  });
  $("given").addEventListener("keydown", (event: any) => {
    const sends = event.key === "Enter" && !event.isComposing && (event.ctrlKey || event.metaKey || (kind() === "ask" && !event.shiftKey));
    if (!sends) return;
    event.preventDefault();
    $("form").requestSubmit();
  });
  $("form").addEventListener("focusin", (event: any) => event.target.matches("textarea") && $("form").classList.remove("answered"));
  $("stop").addEventListener("click", () => running?.abort());
  $("given").addEventListener("input", suggest);
  answer.offer(t("editAgain"), (result) => edit(conversation.of(result)));
  answer.offer(t("checkIts"), check, (result) => result.statements.length > 0);
  dress();
}
