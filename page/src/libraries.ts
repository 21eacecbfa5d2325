// Which library is open, and with which labels: documents, history and answers are those of that choice alone.
import * as api from "./api";
import * as conversation from "./conversation";
import * as documents from "./documents";
import { $, make, say } from "./dom";
import * as history from "./history";
import { t } from "./language";

let libraries = [];

const called = (told) => t("libraryNamed", { name: told.name, n: told.documents });

function shown() {
  const several = libraries.length > 1;
  $("library").replaceChildren(...libraries.map((told) => make("option", { value: told.name, selected: told.name === api.where.library }, called(told))));
  $("library-field").hidden = !several;
  const labels = api.carried();
  $("labels").hidden = !labels.length;
  $("labels").replaceChildren(make("legend", {}, t("labels")), ...labels.map((label) => {
    const tick = make("input", { type: "checkbox", value: label, onchange: relabel });
    tick.checked = api.where.labels === null || api.where.labels.includes(label);
    return make("label", { title: t("labelsTitle") }, tick, ` ${label}`);
  }));
  $("places").hidden = !several && !labels.length;
}

/** What was on the page belongs to what was chosen before. */
async function moved(words) {
  documents.close(); // first: with nothing asked, an overview of what is open would be asked for
  conversation.clear();
  window.history.replaceState(null, "", location.pathname);
  try {
    await documents.reopen();
    await history.reopen();
    libraries = await api.libraries();
    shown();
    say(words);
  } catch (error) {
    say(error.message);
  }
}

function relabel() {
  const chosen = [...$("labels").querySelectorAll("input:checked")].map((tick) => tick.value);
  api.choose({ labels: chosen.length === api.carried().length ? null : chosen });
  return moved(t("labelsAre", { names: chosen.join(", ") || t("noneOfThem") }));
}

/** Open a library by its name, where it is one of those that the service names. */
export async function open(name) {
  if (name === (api.where.library ?? libraries[0]?.name) || !libraries.some((told) => told.name === name)) return;
  api.choose({ library: name });
  await moved(t("libraryOpen", { name }));
}

/** Take the library that the address names, else the first. */
export async function begin() {
  libraries = await api.libraries();
  const named = new URLSearchParams(location.hash.slice(1)).get("library");
  if (libraries.length > 1) api.choose({ library: libraries.some(({ name }) => name === named) ? named : libraries[0].name });
}

/** Let people choose, once all parts of the page are there. */
export async function offer() {
  libraries = await api.libraries();
  shown();
  document.addEventListener("documents", ({ detail }: any) => {
    const option = $("library").selectedOptions[0];
    if (option) option.textContent = called({ name: option.value, documents: detail });
  });
  $("library").addEventListener("change", (event: any) => open(event.target.value));
}
