// What was asked before: searched, opened again, removed; and the address of the page, which names what is shown.
import * as address from "./address";
import * as api from "./api";
import * as asking from "./asking";
import * as conversation from "./conversation";
import * as corrections from "./corrections";
import { $, bring, button, make, say, turnTo } from "./dom";
import { language, t, type Key } from "./language";
import * as evidence from "./evidence";
import * as labels from "./labels";
import * as results from "./results";
import * as viewer from "./viewer";

let entries = []; // those that are listed, the newest first

/** The time of today, else the day. */
function when(told) {
  const [then, now] = [new Date(told), new Date()];
  return then.toDateString() === now.toDateString() ? then.toLocaleTimeString(language, { timeStyle: "short" }) : then.toLocaleDateString(language, { dateStyle: "medium" });
}

/** Entries of one thread together, where its newest one stands. */
function grouped() {
  const groups = new Map();
  for (const entry of entries) {
    const key = entry.thread ?? entry.id;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}

function row(group) {
  return group.length > 1 || group[0].kind === "ask" ? several(group) : single(group[0]);
}

function several(group) {
  const [newest, first] = [group[0], group.at(-1)];
  const facts = [t("questions", { n: group.length }), when(newest.created), group.some((one) => one.shared) && t("shared")];
  return make("li", { data: { id: newest.id } },
    button({ class: "name", onclick: () => open(newest.id) }, make("span", { dir: "auto" }, first.title || t("noText")), make("small", {}, facts.filter(Boolean).join(" · "))),
    button({ class: "quiet remove", "aria-label": `${t("remove")} ${first.title}`, title: t("remove"), onclick: () => forget(...group.map((one) => one.id)) }, "×"));
}

function single(told) {
  const counts = Object.entries(told.labels).map(([label, number]) => make("span", { title: labels.word(label) }, `${labels.mark(label)} ${number}`));
  const facts = make("small", {}, `${t(`verb_${told.kind}` as Key)} · ${when(told.created)}${told.shared ? ` · ${t("shared")}` : ""} `, ...counts.flatMap((one) => [" ", one]));
  return make("li", { data: { id: told.id } },
    button({ class: "name", onclick: () => open(told.id) }, make("span", { dir: "auto" }, told.title || t("noText")), facts),
    button({ class: "quiet remove", "aria-label": `${t("remove")} ${told.title}`, title: t("remove"), onclick: () => forget(told.id) }, "×"));
}

async function list(before = null) {
  const { entries: told } = await api.history($("search").value.trim(), before);
  entries = before ? [...entries, ...told] : told;
  $("entries").replaceChildren(...grouped().map(row));
  $("more").hidden = told.length < 30;
  $("past").hidden = !$("entries").children.length && !$("search").value;
}

async function forget(...ids) {
  try {
    for (const id of ids) await api.forget(id);
    if (ids[0] === null || ids.some(conversation.holds)) conversation.clear();
    say(t("removed"));
  } catch (error) {
    say(error.message);
  }
  await list();
}

async function again(told) {
  const result = results.read(told.kind, told.result, told.request, told.id);
  corrections.learn(result, await api.corrections(told.id));
  return result;
}

/** Show a kept result again, with the conversation that it is of. */
async function open(id) {
  try {
    const told = await api.entry(id);
    const turns = told.thread ? await Promise.all((await api.turns(told.thread)).map((one) => (one.id === id ? told : api.entry(one.id)))) : [told];
    const read = await Promise.all(turns.map(again));
    const result = read.find((one) => one.kept === id);
    asking.recall(told.kind, told.request);
    conversation.resume(told.thread, read);
    name(id);
    turnTo("answer");
    bring(conversation.holds(id).element, "start");
    evidence.attend(result);
    const first = result.places[result.cited[0]];
    if (first && !address.named().has("document")) await viewer.show(first.document_id);
  } catch (error) {
    say(error.message);
    return false;
  }
  return true;
}

let shown = null; // the kept result that is shown

function name(id) {
  shown = id;
  address.name({ library: api.where.library, history: id, start: null, end: null });
}

/** Show what the address names: a kept result, or a place in a document. */
async function follow() {
  const named = address.named();
  if (named.has("library")) {
    await opening.library(named.get("library"));
    if (api.where.library !== null && api.where.library !== named.get("library")) return;
  }
  if (named.has("history") && named.get("history") !== shown) await open(named.get("history"));
  if (!named.has("history") && shown !== null) {
    shown = null;
    conversation.clear();
  }
  if (!named.has("document")) return;
  const id = named.get("document");
  await viewer.show(id);
  if (!named.has("history")) turnTo("viewer");
  if (!named.has("start")) return;
  try {
    const place = { ...await api.place(id, named.get("start"), named.get("end")), number: 0, sign: 1, role: "cited" };
    evidence.choose({ statements: [], places: [place], cited: [0] }, [0]);
  } catch (error) {
    say(error.message);
  }
}

/** The history of another library, or of other labels. */
export async function reopen() {
  shown = null;
  $("search").value = "";
  await list();
}

/** How to open a library that the address names; set by whoever starts the page. */
export const opening = { library: async (_name: string) => {} };

export async function begin() {
  conversation.onChange((size) => {
    if (!size) shown = null;
  });
  asking.onResults((told) => {
    const kept = told.find((result) => result.kept);
    if (!kept) return;
    name(kept.kept);
    list().catch((error) => say(error.message));
  });
  let timer = null;
  $("search").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => list(), 200);
  });
  $("more").addEventListener("click", () => list(entries.at(-1)?.id));
  $("corrected").addEventListener("click", () => api.download("/v1/corrections.jsonl", "corrections.jsonl").catch((error) => say(error.message)));
  $("forget").addEventListener("click", async (event: any) => {
    const asked = event.currentTarget;
    if (!asked.classList.contains("sure")) {
      asked.classList.add("sure");
      asked.textContent = t("removeAllSure");
      return;
    }
    asked.classList.remove("sure");
    asked.textContent = t("removeAll");
    await forget(null);
  });
  $("forget").addEventListener("blur", (event: any) => {
    event.currentTarget.classList.remove("sure");
    event.currentTarget.textContent = t("removeAll");
  });
  document.addEventListener("removed", () => list()); // with a document goes what was made from it
  await list();
  await follow();
  addEventListener("popstate", follow);
}
