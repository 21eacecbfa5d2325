// How labels, figures and places are worded: each as a word with a mark, never as a colour alone.

import { language, percent, spoken, t, type Key } from "./language";

let known = {};
export { percent };

/** Take the service's own words. */
export function learn(labels) {
  known = labels;
}

/** In the reader's language; the service's own word for a label that the page does not know. */
export const word = (label: string): string => (spoken(`label_${label}`) ? t(`label_${label}` as Key) : known[label]?.word ?? label.replaceAll("_", " "));
export const mark = (label) => known[label]?.mark ?? "·";
export const names = () => Object.keys(known);
export const scored = (label) => known[label]?.scored ?? true;

/** Where a place is, in few words; `short` leaves out which document. */
export function where(place: any, titles: Map<string, string> | null = null) {
  const pages = [...new Set([place.page, ...(place.cell ? [] : place.rects.map(([page]) => page))])].filter((page) => page);
  const page = pages.length > 1 ? t("pagesAt", { from: String(pages[0]), to: String(pages.at(-1)) }) : pages.length ? t("pageAt", { page: String(pages[0]) }) : "";
  return [titles?.get(place.document_id), page].filter(Boolean).join(" · ");
}

/** Which cell of a table a place is, in words. */
export function cell(place) {
  const { row_path: rows, column_path: columns, table } = place.cell;
  return [table, rows.join(" › "), columns.join(" › ")].filter(Boolean).join(" · ");
}

/** What a short answer counts: unit, scale, period. */
export function counted(value) {
  const unit = value.unit === "percent" ? (value.text.includes("%") ? "" : t("percentWord")) : value.unit;
  const key = `scale${value.scale}`;
  const scale = spoken(key) ? t(key) : "";
  return [[value.text.includes(scale) ? "" : scale, unit].filter(Boolean).join(" "), value.period, value.formula && `= ${value.formula}`].filter(Boolean).join(" · ");
}

interface Usage {
  seconds?: number;
  input_tokens?: number;
  output_tokens?: number;
  cost?: number;
}

/** What an answer took. */
export function took(usage: Usage = {}) {
  const told = [];
  if (usage.seconds !== undefined) told.push(`${new Intl.NumberFormat(language, { maximumFractionDigits: usage.seconds < 10 ? 1 : 0, minimumFractionDigits: usage.seconds < 10 ? 1 : 0 }).format(usage.seconds)} s`);
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  if (tokens) told.push(t("tokens", { n: tokens }));
  if (usage.cost) told.push(`$${usage.cost.toPrecision(2)}`);
  return told.join(" · ");
}
