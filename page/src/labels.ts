// How labels, figures and places are worded: each as a word with a mark, never as a colour alone.

let known = {};

/** Take the service's own words. */
export function learn(labels) {
  known = labels;
}

export const word = (label) => known[label]?.word ?? label.replaceAll("_", " ");
export const mark = (label) => known[label]?.mark ?? "·";
export const names = () => Object.keys(known);
export const percent = (share) => `${Math.round(100 * share)}%`;
export const scored = (label) => known[label]?.scored ?? true;

/** Where a place is, in few words; `short` leaves out which document. */
export function where(place: any, titles: Map<string, string> | null = null) {
  const pages = [...new Set([place.page, ...(place.cell ? [] : place.rects.map(([page]) => page))])].filter((page) => page);
  const page = pages.length > 1 ? `p. ${pages[0]}–${pages.at(-1)}` : pages.length ? `p. ${pages[0]}` : "";
  return [titles?.get(place.document_id), page].filter(Boolean).join(" · ");
}

/** Which cell of a table a place is, in words. */
export function cell(place) {
  const { row_path: rows, column_path: columns, table } = place.cell;
  return [table, rows.join(" › "), columns.join(" › ")].filter(Boolean).join(" · ");
}

const SCALES = { 1000: "thousand", 1000000: "million", 1000000000: "billion", 1000000000000: "trillion" };

/** What a short answer counts: unit, scale, period. */
export function counted(value) {
  const unit = value.unit === "percent" ? (value.text.includes("%") ? "" : "percent") : value.unit;
  const scale = SCALES[value.scale];
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
  if (usage.seconds !== undefined) told.push(`${usage.seconds < 10 ? usage.seconds.toFixed(1) : Math.round(usage.seconds)} s`);
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  if (tokens) told.push(`${tokens.toLocaleString("en")} tokens`);
  if (usage.cost) told.push(`$${usage.cost.toPrecision(2)}`);
  return told.join(" · ");
}
