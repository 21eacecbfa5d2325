// One statement: its words, its label, the chips of its evidence, and what differs.
import { button, make } from "./dom";
import * as corrections from "./corrections";
import * as evidence from "./evidence";
import * as labels from "./labels";
import { t } from "./language";
import { Offsets, pieces, placed } from "./offsets";
import { worded } from "./wording";

/** The chip of a place: its number and where it is. */
export function chip(result, number, titles) {
  const place = result.places[number];
  const said = labels.where(place, titles);
  return button({
    class: "chip", data: { p: number },
    onclick: (event: any) => {
      event.stopPropagation();
      evidence.choose(result, [number]);
    },
  }, make("span", { class: "unseen" }, t("evidenceMark")), make("b", {}, String(place.sign)), said && ` ${said}`, place.wrong && make("span", { class: "wrong" }, t("supportsNot")));
}

/** The words of a statement, cut where copied words or faults begin; each cut knows its offsets. */
function words(result, statement) {
  const offsets = new Offsets(statement.text);
  const at = (point) => point - statement.start;
  const spans = [
    ...statement.copied.map((part) => ({ start: part.start, end: part.end, copied: part.place })),
    ...statement.reasons.map((reason, number) => ({ start: reason.start, end: reason.end, reason: number, kind: reason.kind })),
  ];
  const isRow = statement.label === "quoted" && statement.places.some((number) => result.places[number].cell);
  return pieces(statement.start, statement.end, spans).map(([start, end, over]) => {
    const plain = offsets.slice(at(start), at(end));
    const text = placed(isRow ? plain.replaceAll(" | ", " · ") : plain, start);
    const copied = over.filter((span) => span.copied !== undefined).map((span) => span.copied);
    const differs = over.some((span) => span.reason !== undefined && span.kind !== "missing");
    const inner = differs ? make("span", { class: "fault" }, text) : text;
    if (!copied.length) return inner;
    return make("mark", {
      class: "copied", tabindex: 0, role: "button", data: { p: copied.join(" ") }, "aria-label": t("copiedIs", { text: offsets.slice(at(start), at(end)) }),
      onclick: (event: any) => {
        if (String(getSelection()).trim()) return;
        event.stopPropagation();
        evidence.choose(result, copied, statement);
      },
      onkeydown: (event: any) => event.key === "Enter" && evidence.choose(result, copied, statement),
    }, inner);
  });
}

/** What differs, in sentences; where the evidence says otherwise, the way to it. */
function reasons(result, statement) {
  if (!statement.reasons.length && !statement.note) return null;
  const items = statement.reasons.map((reason) => make("li", {}, worded(reason.message), reason.place === null ? null : button({
    class: "chip", data: { p: reason.place },
    onclick: (event: any) => {
      event.stopPropagation();
      evidence.choose(result, [reason.place], statement);
    },
  }, t("see"), labels.where(result.places[reason.place]) || t("it"))));
  if (statement.note) items.push(make("li", {}, statement.note));
  return make("ul", { class: "reasons" }, ...items);
}

/** The quotes of a statement, shown while it is chosen; a quotation is not said twice. */
function quotes(result, statement) {
  const told = statement.places.filter((number) => !statement.text.includes(result.places[number].quote) || result.places[number].cell);
  if (!told.length) return null;
  return make("ol", { class: "quotes" }, ...told.map((number) => {
    const place = result.places[number];
    return make("li", { data: { p: number } }, make("span", { class: "number" }, String(place.sign)), quoted(place));
  }));
}

/** What a place says: a cell below its table, row and column, else the words. */
export const quoted = (place) =>
  place.cell ? make("span", { class: "cell" }, labels.cell(place), ": ", make("b", {}, place.quote)) : make("q", { dir: "auto" }, place.quote);

/** A statement as an item of the answer's list. */
export function item(result, statement, titles) {
  const { label, score } = statement;
  const many = statement.places.length;
  const name = `${labels.word(label)}${labels.scored(label) ? ` ${labels.percent(score)}` : ""}: ${t("statementNumber", { n: statement.index + 1 })}. ${many ? t("evidencePieces", { n: many }) : t("noEvidenceAtAll")}`;
  const choose = () => evidence.choose(result, statement.places, statement);
  return make("li", {
    class: `statement ${label}`, data: { s: statement.index },
    onmouseenter: () => evidence.hover(result, statement.places),
    onmouseleave: evidence.leave,
    onfocusin: (event: any) => event.target.matches(".label") && evidence.hover(result, statement.places),
    onfocusout: evidence.leave,
    onclick: (event: any) => !String(getSelection()).trim() && !event.target.closest("button, form") && choose(),
  },
  make("p", { class: "said", dir: "auto" }, ...words(result, statement)),
  make("div", { class: "told" },
    button({ class: "label", "aria-pressed": "false", "aria-label": name, onclick: choose },
      make("span", { class: "sign", "aria-hidden": "true" }, labels.mark(label)), ` ${labels.word(label)}`,
      labels.scored(label) && make("span", { class: "score" }, ` ${labels.percent(score)}`)),
    ...statement.places.map((number) => chip(result, number, titles))),
  corrections.part(result, statement),
  reasons(result, statement),
  quotes(result, statement));
}
