// What is asked: a question, the evidence of an answer, claims, an audit, or two answers side by side.
import * as answer from "./answer.js";
import * as api from "./api.js";
import * as documents from "./documents.js";
import { $, count, make, say, turnTo } from "./dom.js";
import * as results from "./results.js";

const KINDS = {
  ask: { name: "Question", hint: "Ask a question about your documents", go: "Ask", rows: 2, options: ["approach", "method", "checker", "abstain", "k"] },
  attribute: { name: "Answer", hint: "Paste an answer from elsewhere: its evidence is found", go: "Find evidence", rows: 6, options: ["method", "granularity", "checker", "k"] },
  check: { name: "Claims", hint: "Claims, one a line", go: "Check", rows: 6, options: ["method", "checker"] },
  audit: { name: "Response", hint: "Paste what a provider sent: its JSON, or its text with [1] marks", go: "Audit", rows: 8, options: ["method", "checker"] },
  compare: { name: "One answer", hint: "One answer", go: "Compare", rows: 4, options: ["method", "granularity", "checker", "k"] },
};
const OPTIONS = {
  approach: { name: "How the answer is made", none: "as the service thinks best" },
  method: { name: "What finds evidence", none: "lexical" },
  checker: { name: "What judges", none: "lexical" },
  granularity: { name: "Evidence is given as", none: "sentences" },
  abstain: { name: "Abstain below a confidence of", number: { min: 0, max: 1, step: 0.05 } },
  k: { name: "Most citations a statement", number: { min: 1, max: 20, step: 1 } },
};
const GRANULARITIES = { sentence: "sentences", paragraph: "paragraphs", window: "passages of copied words", token: "copied words" };
let settings = null;
let running = null;

const kind = () => document.querySelector("[name=kind]:checked").value;

/** Show what belongs to the kind that is chosen. */
function dress() {
  const chosen = KINDS[kind()];
  $("given-name").textContent = chosen.name;
  Object.assign($("given"), { placeholder: chosen.hint, rows: chosen.rows });
  document.querySelector(".second").hidden = kind() !== "compare";
  $("other").required = kind() === "compare";
  $("go").textContent = chosen.go;
  for (const field of $("fields").querySelectorAll("[data-option]")) field.hidden = !chosen.options.includes(field.dataset.option);
}

function field(name) {
  const { name: words, none, number } = OPTIONS[name];
  const choices = name === "granularity" ? settings.granularities.map((one) => ({ name: one, summary: GRANULARITIES[one] })) : settings.choices[name] ?? [];
  const usable = choices.filter((choice) => name !== "approach" || settings.llm || choice.name === "extractive");
  const input = number
    ? make("input", { type: "number", name, ...number, placeholder: "–" })
    : make("select", { name }, make("option", { value: "" }, none), ...usable.map((choice) => make("option", { value: choice.name }, choice.name === choice.summary ? choice.name : `${choice.name}: ${choice.summary}`)));
  return make("label", { data: { option: name } }, make("span", {}, words), input);
}

function options() {
  const told = {};
  for (const input of $("fields").querySelectorAll("[data-option]:not([hidden]) :is(input, select)")) {
    if (input.value !== "") told[input.name] = input.type === "number" ? Number(input.value) : input.value;
  }
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

async function one(request, signal, streams) {
  const began = performance.now();
  const result = await replied(request, signal, streams);
  result.usage = { seconds: (performance.now() - began) / 1000, ...result.usage };
  return result;
}

async function replied([verb, body], signal, streams) {
  if (!streams) {
    const { told, kept } = await api.send(verb, body, signal);
    return results.read(verb, told, body, kept);
  }
  const growing = results.growing(verb, body);
  answer.show([growing]);
  const { told, kept } = await api.stream(verb, body, (said) => {
    results.grow(growing, said);
    answer.renew(growing, growing);
  }, signal);
  const whole = results.read(verb, told, body, kept);
  answer.renew(growing, whole);
  return whole;
}

async function ask() {
  const given = $("given").value.trim();
  if (!given || running) return;
  running = new AbortController();
  busy(true);
  try {
    const about = documents.chosen();
    const keep = $("keep").checked ? { keep: true } : {};
    const asked = bodies(given).map(([verb, body]) => [verb, { ...about, ...body, ...options(), ...keep }]);
    const streams = kind() === "ask";
    const told = [];
    for (const request of asked) told.push(await one(request, running.signal, streams));
    if (!streams) answer.show(told);
    told.forEach((result, index) => told.length > 1 && (result.name = `Answer ${index + 1}`));
    if (told.length > 1) answer.show(told);
    $("form").classList.add("answered"); // what was pasted makes room for what was found
    for (const hear of heard) hear(told);
    say(told.map((result) => result.abstention ? "No answer" : count(result.statements.length, "statement")).join(", "));
  } catch (error) {
    if (error.name !== "AbortError") fail(error.message);
    else answer.show([]);
  }
  running = null;
  busy(false);
}

function fail(message) {
  answer.show([]);
  $("results").replaceChildren(make("p", { class: "failure", role: "alert" }, message));
}

function busy(is) {
  $("go").disabled = is;
  $("stop").hidden = !is;
  $("form").setAttribute("aria-busy", String(is));
}

/** Put what was asked into the form again. */
export function recall(verb, asked) {
  document.querySelector(`[name=kind][value=${verb}]`).checked = true;
  dress();
  $("given").value = asked.question && verb === "ask" ? asked.question : asked.answer ?? asked.claims?.join("\n") ?? (typeof asked.response === "object" ? JSON.stringify(asked.response, null, 1) : asked.response) ?? "";
  for (const input of $("fields").querySelectorAll("[data-option] :is(input, select)")) input.value = asked[input.name] ?? "";
}

const heard = [];
/** Hear of results that came. */
export const onResults = (hear) => heard.push(hear);

export function begin(told) {
  settings = told;
  $("fields").prepend(...Object.keys(OPTIONS).map(field));
  $("model").textContent = told.llm ?? "without a language model";
  for (const radio of document.querySelectorAll("[name=kind]")) radio.addEventListener("change", dress);
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    turnTo("answer");
    ask();
  });
  $("given").addEventListener("keydown", (event) => {
    const sends = event.key === "Enter" && !event.isComposing && (event.ctrlKey || event.metaKey || (kind() === "ask" && !event.shiftKey));
    if (!sends) return;
    event.preventDefault();
    $("form").requestSubmit();
  });
  $("form").addEventListener("focusin", (event) => event.target.matches("textarea") && $("form").classList.remove("answered"));
  $("stop").addEventListener("click", () => running?.abort());
  dress();
}
