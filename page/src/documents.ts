// The documents: listed, chosen, opened, removed; what a request says of them.
import { effect } from "@preact/signals";
import * as address from "./address";
import * as api from "./api";
import * as connection from "./connection";
import { $, button, make, say, turnTo } from "./dom";
import { t } from "./language";
import { listen } from "./listening";
import * as shelf from "./shelf";
import { all, asked, called, collection, collections, documents, leave, opened, uploads } from "./store";
import * as uploading from "./uploading";
import * as viewer from "./viewer";

const MOST = 100; // documents that one request may name
const FEW = 20; // documents that are named one by one; of more, the library finds those that a question is about
const EVERY = 60_000; // milliseconds after which the list is looked at, should an event have been missed

/** What a request says of its documents; throws where that cannot be said. */
export function chosen(): object {
  const ids = asked.value.map((one) => one.id);
  if (!ids.length) throw new Error(t(documents.value.length ? "chooseFirst" : "addFirst"));
  if (all.value && ids.length > FEW) return collection.value ? { collection: collection.value } : { library: true };
  if (ids.length > MOST) throw new Error(t("chooseMost", { n: MOST }));
  return { documents: ids };
}

/** Ask one document only. */
export const only = (id: string): void => leave((ids) => {
  ids.clear();
  for (const one of documents.value) if (one.id !== id) ids.add(one.id);
});

/** Whether there is more than one. */
export const several = (): boolean => documents.value.length > 1;

/** Ask all documents but one. */
export const except = (id: string): void => leave((ids) => {
  ids.clear();
  ids.add(id);
});

const askAll = (): void => leave((ids) => ids.clear());

/** Say above the question which documents are asked, where there are several. */
function scope(): void {
  const [n, many] = [asked.value.length, documents.value.length];
  const words = all.value ? t("asksAll", { n: many }) : n === 1 ? t("asksOnly", { name: called(asked.value[0]) }) : n ? t("asksSome", { n, many }) : t("asksNone");
  $("scope").hidden = many < 2;
  $("scope").replaceChildren(make("span", { dir: "auto" }, words), " ", all.value ? "" : button({ class: "quiet", onclick: askAll }, t("askAll")));
}

/** Leave a library, or labels: nothing that is on the page is in the next one. */
export function close(): void {
  askAll();
  collection.value = null;
  documents.value = [];
  viewer.close(viewer.open.id);
}

/** Show another library, or that of other labels. */
export async function reopen(): Promise<void> {
  await refresh();
  listen(look, gone);
  if (documents.value.length) await viewer.show(documents.value[0].id);
}

/** List a collection's documents, all of the library's where it is null. */
export async function turnCollection(id: string | null): Promise<void> {
  askAll();
  collection.value = id;
  await refresh().catch((error) => say(error.message));
}

export async function refresh(): Promise<void> {
  collections.value = await api.collections();
  if (!collections.value.some((one) => one.id === collection.value)) collection.value = null;
  await list(true);
}

let newest: Promise<void> = Promise.resolve(); // the last request for the list: replies to those before it come too late

/** Ask for the list; done where the newest one is there, even if that was asked for later. */
function list(anew = false): Promise<void> {
  const asked = async (): Promise<void> => {
    const rows = (await api.documents(collection.value)).reverse();
    if (mine !== newest) return newest;
    const same = rows.map((one) => one.id).join() === documents.peek().map((one) => one.id).join();
    if (anew || !same) takeIn(rows);
  };
  const mine = (newest = asked());
  return mine;
}

function takeIn(rows: any[]): void {
  documents.value = rows;
  viewer.name(new Map(rows.map((one) => [one.id, called(one)])));
  if (!collection.value) document.dispatchEvent(new CustomEvent("documents", { detail: rows.length }));
}

/** Show a document's pages. */
export function show(id: string): void {
  address.name({ document: id, start: null, end: null });
  viewer.show(id);
  turnTo("viewer");
}

/** A document was removed elsewhere: nothing more can be asked of it. */
function gone(id: string): void {
  if (viewer.open.id !== id) return;
  const one = documents.value.find((one) => one.id === id);
  viewer.close(id);
  say(t("wasRemoved", { name: one ? called(one) : t("document") }));
}

/** Remove documents, one after the other; those that could not be removed are said. */
export async function remove(some: { id: string }[]): Promise<void> {
  const refused: string[] = [];
  for (const one of some) {
    const open = viewer.open.id === one.id;
    viewer.close(one.id); // first, since its pages could be asked for meanwhile
    try {
      await api.remove(one.id);
      leave((ids) => ids.delete(one.id));
    } catch (error) {
      if (open) viewer.show(one.id);
      refused.push(`${called(one)}: ${error.message}`);
    }
  }
  if (some.length > 1) askAll();
  if (refused.length < some.length) document.dispatchEvent(new CustomEvent("removed"));
  say(refused.join("; ") || (some.length > 1 ? t("wereRemoved", { n: some.length }) : t("wasRemoved", { name: called(some[0]) })));
  await refresh().catch((error) => say(error.message));
}

/** See what was added or removed elsewhere: in another tab, or by somebody else. */
export async function look(): Promise<void> {
  if (document.hidden || uploads.value.some((one) => ["sending", "reading"].includes(one.state))) return;
  try {
    await list();
  } catch {
    // the banner says so
  }
}

export async function begin({ limits }): Promise<void> {
  shelf.begin();
  uploading.begin(limits.upload);
  effect(scope);
  await refresh();
  leave((ids) => {
    for (const id of ids) if (!documents.value.some((one) => one.id === id)) ids.delete(id);
  });
  if (documents.value.length && !viewer.open.id && !address.named().has("document")) viewer.show(documents.value[0].id);
  setInterval(look, EVERY);
  listen(look, gone);
  document.addEventListener("visibilitychange", look);
  connection.onBack(look);
  for (const name of ["opened", "closed"]) document.addEventListener(name, () => { opened.value = viewer.open.id; });
  opened.value = viewer.open.id;
}
