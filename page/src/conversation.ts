// The conversation that is open: the name of its thread, its questions in order, and what its bar offers.
import * as address from "./address";
import * as answer from "./answer";
import * as api from "./api";
import { $, button, copy, make, say } from "./dom";
import { t } from "./language";
import { token } from "./token";

const ID = 16; // bytes of a thread's name
const turns = []; // { element, results, question, kept: [ids] }
let thread = null;
const listeners = [];

/** Hear that the conversation has begun, grown, or was left. */
export const onChange = (hear) => listeners.push(hear);
const tell = () => {
  $("talk").hidden = turns.length === 0;
  $("talk-size").textContent = t("questions", { n: turns.length });
  for (const hear of listeners) hear(turns.length);
};

export const empty = () => turns.length === 0;
const questions = (some) => some.filter((turn) => turn.question !== null);

/** The name of the thread; a new conversation gets one. */
function begun() {
  thread ??= Array.from(crypto.getRandomValues(new Uint8Array(ID)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return thread;
}

/** What a question says of its place in the conversation: `from` is the turn that it takes the place of, null for none. */
export function placed(from) {
  const drop = from ? questions(turns.slice(turns.indexOf(from))).length : 0;
  return { thread: begun(), ...(drop ? { drop } : {}) };
}

/** Begin a turn; `question` is null for what is no question. */
export function add(question) {
  const turn = { element: answer.place(), results: [], question, kept: [] };
  turns.push(turn);
  tell();
  return turn;
}

/** Show what a turn has, its results side by side. */
export function show(turn, results) {
  turn.results = results;
  turn.kept = results.map((result) => result.kept).filter(Boolean);
  answer.show(turn.element, results);
}

/** Take a turn away that came to nothing. */
export function remove(turn) {
  answer.show(turn.element, []);
  turn.element.remove();
  turns.splice(turns.indexOf(turn), 1);
  tell();
}

/** Take a turn and those after it away, from what is kept too; but for the newest, which stands in their place. */
export async function replace(from, newest) {
  const old = turns.slice(turns.indexOf(from)).filter((turn) => turn !== newest);
  for (const turn of old) {
    remove(turn);
    for (const id of turn.kept) await api.forget(id).catch(() => {});
  }
}

export const after = (turn) => turns.length - turns.indexOf(turn) - 1;
export const of = (result) => turns.find((turn) => turn.results.includes(result));
export const holds = (id) => turns.find((turn) => turn.kept.includes(id));

/** Leave the conversation. */
export function clear() {
  thread = null;
  turns.splice(0);
  answer.clear();
  tell();
}

/** Show a conversation again: a turn for each of its results. */
export function resume(name, results) {
  clear();
  thread = name;
  for (const result of results) show(add(result.kind === "ask" ? result.question : null), [result]);
}

/** A link to it; where people have tokens, it is shared first with all who carry the same labels. */
async function share() {
  const kept = turns.flatMap((turn) => turn.kept);
  try {
    if (!kept.length) throw new Error(t("nothingKept"));
    if (token()) for (const id of kept) await api.share(id);
    await copy(location.href);
    say(t(token() ? "sharedAndCopied" : "linkIsCopied"));
    $("share").textContent = t("linkCopied");
    setTimeout(() => { $("share").textContent = t("share"); }, 3000);
  } catch (error) {
    say(error.message);
    $("share").after(make("span", { role: "alert" }, error.message));
  }
}

/** Begin anew. */
function fresh() {
  clear();
  address.name({ history: null });
  $("given").focus();
}

export function begin() {
  $("talk").append(make("span", { id: "talk-size" }), button({ id: "share", class: "quiet", onclick: share }, t("share")), button({ id: "fresh", class: "quiet", onclick: fresh }, t("newConversation")));
  tell();
}
