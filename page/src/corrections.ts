// What people say is right instead: the label of a statement, its evidence, a note; kept by the service, with who and when.
import * as api from "./api";
import { button, make, say } from "./dom";
import * as labels from "./labels";
import { language, t } from "./language";
import { marked } from "./viewer";

const GIVEN = ["supported", "partially_supported", "not_supported", "contradicted", "no_claim"];

/** Take the corrections of a kept result. */
export function learn(result, told) {
  result.corrections = told;
}

/** What was said of a statement, and the way to say more; nothing where the result is not kept. */
export function part(result, statement) {
  if (!result.kept) return null;
  const box = make("div", { class: "correcting" });
  fill(box, result, statement);
  return box;
}

function fill(box, result, statement) {
  const told = (result.corrections ?? []).filter((one) => one.statement === statement.index);
  box.replaceChildren(...told.map((one) => row(box, result, statement, one)),
    button({ class: "quiet", onclick: () => edit(box, result, statement) }, t(told.length ? "correctAgain" : "correct")));
}

function row(box, result, statement, told) {
  const said = [
    told.label ? `${labels.mark(told.label)} ${labels.word(told.label)}` : null,
    told.moved ? (told.citations.length ? told.citations.map(({ quote }) => `“${quote}”`).join(", ") : t("noEvidence")) : null,
    told.note,
  ].filter(Boolean).join(" · ");
  const undo = async () => {
    try {
      await api.uncorrect(told.id);
      result.corrections = result.corrections.filter((one) => one !== told);
      say(t("takenBack"));
    } catch (error) {
      say(error.message);
    }
    fill(box, result, statement);
  };
  return make("p", { class: "correction" }, make("b", {}, t("corrected")), make("span", { dir: "auto" }, said), " ",
    make("small", {}, `${told.who}, ${new Date(told.created).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })}`),
    button({ class: "quiet", onclick: undo }, t("takeBack")));
}

/** The form: what is not touched is not corrected. */
function edit(box, result, statement) {
  const before = statement.places.map((number) => result.places[number]).map(({ document_id, start, end, quote }) => ({ document_id, start, end, quote }));
  let taken = [...before];
  const label = make("select", { name: "label" }, make("option", { value: "" }, t("asItIs", { label: labels.word(statement.label) })),
    ...GIVEN.filter((one) => one !== statement.label).map((one) => make("option", { value: one }, labels.word(one))));
  const note = make("textarea", { rows: 1, name: "note", maxlength: 10000, dir: "auto" });
  const list = make("ul", { class: "taken" });
  const add = button({}, t("addSelected"));
  const watch = () => {
    add.disabled = marked.span === null;
  };
  const show = () => list.replaceChildren(...taken.map((one) => make("li", {}, make("span", { dir: "auto", title: one.quote }, one.quote.length > 50 ? `${one.quote.slice(0, 50)} …` : one.quote),
    button({ class: "quiet", "aria-label": t("takeOutIt", { quote: one.quote }), onclick: () => {
      taken = taken.filter((other) => other !== one);
      show();
    } }, "×"))), taken.length ? "" : make("li", {}, make("span", {}, t("noEvidence"))));
  add.addEventListener("click", () => {
    if (marked.span && !taken.some((one) => one.start === marked.span.start && one.end === marked.span.end)) taken.push({ ...marked.span, quote: marked.quote });
    show();
  });
  const close = () => {
    document.removeEventListener("marked", watch);
    fill(box, result, statement);
    box.querySelector("button").focus();
  };
  const send = async (event: any) => {
    event.preventDefault();
    const moved = taken.length !== before.length || taken.some((one) => !before.includes(one));
    const value: Record<string, any> = { history: result.kept, statement: statement.index };
    if (label.value) value.label = label.value;
    if (moved) value.citations = taken.map(({ document_id, start, end }) => ({ document_id, start, end }));
    if (note.value.trim()) value.note = note.value.trim();
    if (Object.keys(value).length === 2) return close();
    try {
      const told = await api.correct(value);
      result.corrections = [...(result.corrections ?? []), told];
      say(t("correctionKept"));
      return close();
    } catch (error) {
      form.querySelector("[role=alert]").textContent = error.message;
      return null;
    }
  };
  const form = make("form", { onsubmit: send, onkeydown: (event: any) => event.key === "Escape" && close() },
    make("label", {}, t("rightLabel"), label),
    make("fieldset", {}, make("legend", {}, t("rightEvidence")), list, add),
    make("label", {}, t("aNote"), note),
    make("p", { role: "alert" }),
    make("div", { class: "foot" }, button({ class: "quiet", onclick: close }, t("cancel")), make("button", { type: "submit", class: "main" }, t("keepCorrection"))));
  show();
  watch();
  document.addEventListener("marked", watch);
  box.replaceChildren(form);
  label.focus();
}
