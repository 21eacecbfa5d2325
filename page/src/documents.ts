// The documents: dropped or picked, read, listed, chosen, opened, removed.
import * as address from "./address";
import * as api from "./api";
import * as connection from "./connection";
import * as conversation from "./conversation";
import { $, button, count, make, narrow, say, turnTo } from "./dom";
import * as viewer from "./viewer";

const READ_AT_ONCE = 2;
const MOST = 100; // documents that one request may name
const FEW = 20; // documents that are named one by one; of more, the library finds those that a question is about
const MANY = 8; // documents from which on they can be filtered
const AT_ONCE = 100; // rows that are shown before people ask for more
const EVERY = 10_000; // milliseconds after which others' uploads are looked for
let documents: any[] = [];
const left = new Set(address.recall("left", [])); // ids of documents that are not asked
let rows = AT_ONCE;
const waiting = [];
let reading = 0;
let largest = Infinity; // bytes of a file

const called = (told) => told.title || told.source || told.id;

/** What a request says of its documents; throws where that cannot be said. */
export function chosen() {
  const asked = documents.filter((told) => !left.has(told.id)).map((told) => told.id);
  if (!asked.length) throw new Error(documents.length ? "Choose a document first." : "Add a document first.");
  if (asked.length === documents.length && asked.length > FEW) return { library: true };
  if (asked.length > MOST) throw new Error(`Choose at most ${MOST} documents, or all.`);
  return { documents: asked };
}

/** Ask one document only. */
export function only(id) {
  left.clear();
  for (const told of documents) if (told.id !== id) left.add(told.id);
  list();
}

/** Whether there is more than one. */
export const several = () => documents.length > 1;

/** Ask all documents but one. */
export function except(id) {
  left.clear();
  left.add(id);
  list();
}

/** Say above the question which documents are asked, where there are several. */
function scope() {
  const asked = documents.filter((told) => !left.has(told.id));
  const all = asked.length === documents.length;
  const words = all ? `Asks all ${documents.length} documents` : asked.length === 1 ? `Asks only ${called(asked[0])}` : `Asks ${asked.length} of ${documents.length} documents`;
  $("scope").hidden = documents.length < 2;
  $("scope").replaceChildren(make("span", { dir: "auto" }, asked.length ? words : "No document is chosen"), " ", all ? "" : button({ class: "quiet", onclick: () => $("all").click() }, "Ask all"));
}

/** Another library, or other labels: what was open belongs to those before. */
export async function reopen() {
  left.clear();
  viewer.close(viewer.open.id);
  await refresh();
  if (documents.length) await viewer.show(documents[0].id);
  list();
}

export async function refresh() {
  take_in((await api.documents()).reverse());
}

function take_in(told) {
  documents = told;
  viewer.name(new Map(documents.map((told) => [told.id, called(told)])));
  document.dispatchEvent(new CustomEvent("documents", { detail: documents.length }));
  list();
}

/** Those whose title, file or label has all words that are looked for. */
function matching() {
  const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  return documents.filter((told) => {
    const text = [called(told), told.source ?? "", ...told.labels].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const ORDERS = {
  newest: () => 0,
  name: (one, other) => called(one).localeCompare(called(other), undefined, { numeric: true }),
  pages: (one, other) => (other.pages ?? 0) - (one.pages ?? 0),
  year: (one, other) => (other.year ?? 0) - (one.year ?? 0),
};

function list() {
  address.remember("left", [...left]);
  $("order").parentElement.hidden = documents.length < MANY;
  scope();
  const found = matching().sort(ORDERS[$("order").value]);
  $("filter").hidden = documents.length < MANY && !$("filter").value;
  $("further").hidden = found.length <= rows;
  $("further").textContent = `Show more (${found.length - rows} left)`;
  $("none").hidden = documents.length > 0;
  $("all").parentElement.hidden = documents.length < 2;
  $("all").checked = left.size === 0;
  const chosen = documents.length - left.size;
  $("remove-chosen").hidden = !left.size || !chosen;
  $("remove-chosen").classList.remove("sure");
  $("remove-chosen").textContent = `Remove the ${chosen} chosen`;
  $("all").indeterminate = left.size > 0 && left.size < documents.length;
  $("list").replaceChildren(...found.slice(0, rows).map(row));
  if (documents.length && !found.length) $("list").append(make("li", { class: "hint" }, "No document has these words."));
}

function row(told) {
  const name = called(told);
  const labels = api.carried().length ? told.labels.join(", ") || "no label" : null;
  const facts = [labels, told.source && told.source !== name ? told.source : null, told.pages && count(told.pages, "page"), told.warnings.length && count(told.warnings.length, "remark")];
  const tick = make("input", {
    type: "checkbox", "aria-label": `Ask ${name}`,
    onchange: (event: any) => {
      if (event.target.checked) left.delete(told.id);
      else left.add(told.id);
      list();
      $("list").querySelector(`[data-id="${told.id}"] input`)?.focus();
    },
  });
  tick.checked = !left.has(told.id);
  return make("li", { data: { id: told.id }, class: viewer.open.id === told.id ? "open" : null }, documents.length > 1 ? tick : null,
    button({ class: "name", "aria-current": viewer.open.id === told.id ? "true" : null, title: told.warnings.join("\n") || null, onclick: () => show(told.id) }, make("span", { dir: "auto" }, name), make("small", {}, facts.filter(Boolean).join(" · "))),
    button({ class: "quiet remove", "aria-label": `Remove ${name}`, title: "Remove", onclick: (event: any) => remove(told, event.currentTarget) }, "×"));
}

export function show(id) {
  address.name({ document: id, start: null, end: null });
  viewer.show(id);
  turnTo("viewer");
  list();
  $("list").querySelector(`[data-id="${id}"] .name`)?.focus();
}

/** Removing asks once more, in its own place. */
async function remove(told, asked) {
  if (!asked.classList.contains("sure")) {
    asked.classList.add("sure");
    asked.textContent = "Remove?";
    asked.setAttribute("aria-label", `Remove? ${called(told)}`);
    asked.addEventListener("blur", () => list(), { once: true });
    asked.focus();
    return;
  }
  try {
    await api.remove(told.id);
    left.delete(told.id);
    viewer.close(told.id);
    document.dispatchEvent(new CustomEvent("removed"));
    say(`${called(told)} was removed`);
  } catch (error) {
    say(error.message);
  }
  await refresh();
}

/** Take out all documents that are chosen, where some are and some are not; it asks once more. */
async function removeChosen(asked) {
  const chosen = documents.filter((one) => !left.has(one.id));
  if (!asked.classList.contains("sure")) {
    asked.classList.add("sure");
    asked.textContent = `Remove ${count(chosen.length, "document")}?`;
    return;
  }
  asked.disabled = true;
  const refused = [];
  for (const one of chosen) {
    try {
      await api.remove(one.id);
      viewer.close(one.id);
    } catch (error) {
      refused.push(`${called(one)}: ${error.message}`);
    }
  }
  asked.disabled = false;
  if (refused.length < chosen.length) {
    left.clear();
    document.dispatchEvent(new CustomEvent("removed"));
  }
  say(refused.join("; ") || `${count(chosen.length, "document was", "documents were")} removed`);
  await refresh();
}

/** Take files: each is sent and read, two at a time. */
function take(files) {
  if (narrow.matches && files.length) turnTo("documents");
  for (const file of files) {
    if (file.name.startsWith(".")) continue; // what a system keeps in folders for itself
    const bar = make("progress", { max: 1, value: 0, "aria-label": file.name });
    const state = make("small", {}, "waiting");
    const item = make("li", {}, make("span", { class: "file" }, file.name), state, bar);
    $("uploads").append(item);
    waiting.push({ file, bar, state, item });
  }
  for (let free = reading; free < READ_AT_ONCE; free += 1) read();
}

async function read() {
  const next = waiting.shift();
  if (!next) return;
  reading += 1;
  const { file, bar, state, item } = next;
  try {
    if (file.size > largest) throw new Error(`larger than ${Math.floor(largest / 2 ** 20)} MB`);
    state.textContent = "uploading …";
    const told = await api.upload(file, (share) => {
      bar.value = share;
      if (share === 1) {
        bar.removeAttribute("value");
        state.textContent = "reading …";
      }
    });
    item.remove();
    say(`${file.name} was added`);
    added(told.id).catch((error) => say(error.message));
  } catch (error) {
    bar.remove();
    item.classList.add("failed");
    state.textContent = error.message;
    item.append(button({ class: "quiet", "aria-label": `Dismiss ${file.name}`, onclick: () => item.remove() }, "×"));
    say(`${file.name}: ${error.message}`);
  }
  reading -= 1;
  read();
}

/** List a document that was read, and open it where none is; people may have gone to another library meanwhile. */
async function added(id) {
  await refresh();
  if (narrow.matches && conversation.empty()) turnTo("answer"); // where its overview is
  if (conversation.empty() && documents.some((one) => one.id === id)) await viewer.show(id);
  else if (!viewer.open.id) await viewer.show(id);
  list();
}

/** The files of what was dropped, those inside of folders too. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  const files = [];
  const walk = async (entry: any) => {
    if (entry.isFile) {
      files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const inside: any[] = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!inside.length) return;
      for (const one of inside) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}

export async function begin({ limits }) {
  largest = limits.upload;
  for (const id of ["files", "folder"]) {
    $(id).addEventListener("change", (event: any) => {
      take([...event.target.files]);
      event.target.value = "";
    });
  }
  addEventListener("dragover", (event: any) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event: any) => !event.relatedTarget && document.body.classList.remove("dropping"));
  addEventListener("drop", async (event: any) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    take(await dropped(event.dataTransfer));
  });
  $("all").addEventListener("change", (event: any) => {
    left.clear();
    if (!event.target.checked) for (const told of documents) left.add(told.id);
    list();
  });
  $("filter").addEventListener("input", () => {
    rows = AT_ONCE;
    list();
  });
  $("remove-chosen").addEventListener("click", (event: any) => removeChosen(event.currentTarget));
  $("remove-chosen").addEventListener("blur", list);
  $("order").value = address.recall("order", "newest");
  $("order").addEventListener("change", () => {
    address.remember("order", $("order").value);
    list();
  });
  $("further").addEventListener("click", () => {
    rows += AT_ONCE;
    list();
  });
  await refresh();
  for (const id of [...left]) if (!documents.some((told) => told.id === id)) left.delete(id);
  list();
  if (documents.length && !viewer.open.id && !address.named().has("document")) viewer.show(documents[0].id).then(list);
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  connection.onBack(look);
  document.addEventListener("opened", list);
}

/** See what was added or removed elsewhere: in another tab, or by somebody else. */
async function look() {
  if (document.hidden || reading || document.querySelector<any>("#list .sure")) return;
  try {
    const told = (await api.documents()).reverse();
    if (told.map((one) => one.id).join() === documents.map((one) => one.id).join()) return;
    const focused = document.activeElement?.closest<HTMLElement>("#list li")?.dataset.id;
    take_in(told);
    if (focused) $("list").querySelector(`[data-id="${focused}"] .name`)?.focus();
  } catch {
    // the banner says so
  }
}
