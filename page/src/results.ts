// The four kinds of replies in one shape: statements with their places in documents, and what is said beside them.

import { t, type Key } from "./language";
import { Offsets } from "./offsets";
import { worded } from "./wording";

/** A result: `places` are all places that anything points at, by number, `sign` is what people see of that; `cited` are those that statements rest on. */
function empty(kind: string, asked: any): any {
  return { kind, asked, title: "", statements: [], places: [], signs: 0, cited: [], between: [], nearest: [], value: null, confidence: null, abstention: null, documents: [], facts: [], warnings: [], usage: {}, method: "", kept: null, done: false };
}

/** Add a place and tell its number; `role` is cited, nearest or differs. */
function place(result, told, role, extra = {}) {
  const sign = role === "differs" ? null : (result.signs += 1);
  result.places.push({ ...told, ...extra, role, sign, number: result.places.length, rects: told.rects ?? [] });
  return result.places.length - 1;
}

function reasons(result, told) {
  return told.map((reason) => ({ ...reason, place: reason.evidence ? place(result, reason.evidence, "differs") : null }));
}

function statement(result, told, numbers, base = 0) {
  const added = { ...told, index: result.statements.length, base, places: numbers, reasons: reasons(result, told.reasons ?? []) };
  const exact = numbers.filter((number) => ["token", "window"].includes(result.places[number].granularity));
  added.copied = exact.map((number) => ({ start: result.places[number].answer_start, end: result.places[number].answer_end, place: number }));
  result.statements.push(added);
  return added;
}

function answer(result, told) {
  const numbers = told.citations.map((citation) => place(result, citation, "cited"));
  let before = 0;
  const text = new Offsets(told.text);
  for (const said of told.statements) {
    const gap = text.slice(before, said.start);
    result.between[result.statements.length] = /[\p{L}\p{N}]/u.test(gap) ? gap.trim() : "";
    statement(result, said, said.citations.map((number) => numbers[number]));
    before = said.end;
  }
  if (told.abstention) {
    result.nearest = told.abstention.nearest.map((near) => place(result, near, "nearest"));
  }
  if (told.value) result.value = { ...told.value, places: told.value.citations.map((number) => numbers[number]) };
  Object.assign(result, { abstention: told.abstention, confidence: told.confidence, question: told.question, rewritten: told.rewritten ?? null });
}

function verdicts(result, told) {
  for (const verdict of told.verdicts) {
    const numbers = verdict.citations.map((citation) => place(result, citation, "cited"));
    const said = statement(result, { ...verdict, text: verdict.claim, start: 0, end: Array.from(verdict.claim).length }, numbers);
    if (verdict.failed) said.note = worded(verdict.failed);
  }
}

function audit(result, told) {
  const cited = told.statements.map(() => []);
  const notes = told.statements.map(() => []);
  for (const given of told.citations) {
    if (given.citation) cited[given.statement]?.push(place(result, given.citation, "cited", { wrong: !given.supports }));
    if (!given.exists) notes[given.statement]?.push(given.problem ? worded(given.problem) : t("citesNothing"));
    else if (given.problem || given.remark) notes[given.statement]?.push(worded(given.problem || given.remark));
  }
  told.statements.forEach((said, index) => {
    statement(result, said, cited[index]).note = [...new Set(notes[index])].join("; ") || (said.missing ? t("citationMissing") : "");
  });
  const { counts } = told;
  result.facts = [
    [t("citationsSupport"), told.precision === null ? "–" : t("of", { n: counts.support, many: counts.citations })],
    [t("citationsExist"), t("of", { n: counts.exist, many: counts.citations })],
    [t("statementsSupported"), t("of", { n: counts.supported, many: counts.statements })],
  ];
}

const READ = { ask: answer, attribute: answer, check: verdicts, audit };

/** A whole reply as a result; `asked` is the request. */
export function read(kind: string, told: any, asked: any, kept: string | null = null): any {
  const result = empty(kind, asked);
  READ[kind](result, told);
  result.cited = result.places.filter((one) => one.role !== "differs").map((one) => one.number);
  result.title = result.question || "";
  return Object.assign(result, {
    kept, told, done: true, name: t(`title_${kind}` as Key), method: told.method ?? "", usage: told.usage ?? {},
    warnings: told.warnings ?? [], documents: told.documents ?? [],
  });
}

/** A result that grows while its statements come. */
export function growing(kind, asked) {
  return Object.assign(empty(kind, asked), { title: asked.question ?? "", name: t(`title_${kind}` as Key) });
}

/** Add a statement that came. */
export function grow(result, told) {
  const numbers = told.citations.map((citation) => place(result, citation, "cited"));
  result.cited.push(...numbers);
  return statement(result, told.statement, numbers);
}
