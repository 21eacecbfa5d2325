// Which evidence is lit, of which answer, and whom that concerns: the one thing that answer and document share.

const events = new EventTarget();

/** What is lit: places of a result by their numbers; `at` is the one that is in view. */
export const lit: { result: any; statement: any; numbers: number[]; at: number } = { result: null, statement: null, numbers: [], at: 0 };
let hovered: number[] | null = null;

/** Hear of `result` (another one is shown), `lit`, `go` (bring a place into view), `rest` (statements are wanted). */
export const on = (name: string, hear: (detail: any) => void) => events.addEventListener(name, (event: any) => hear(event.detail));
const tell = (name: string, detail: any = null) => events.dispatchEvent(new CustomEvent(name, { detail }));

/** The numbers of the places that look lit now. */
export const shining = () => hovered ?? lit.numbers;

/** Make a result the one whose evidence the documents show. */
export function attend(result) {
  if (lit.result === result) return;
  Object.assign(lit, { result, statement: null, numbers: [], at: 0 });
  hovered = null;
  tell("result", result);
}

/** Light places for as long as a pointer or the focus is on what rests on them. */
export function hover(result, numbers) {
  attend(result);
  hovered = numbers;
  tell("lit");
}

export function leave() {
  if (hovered === null) return;
  hovered = null;
  tell("lit");
}

/** Light places and bring the first into view. */
export function choose(result, numbers, statement = null, at = 0) {
  attend(result);
  hovered = null;
  Object.assign(lit, { numbers, statement, at });
  tell("lit");
  if (numbers.length) tell("go", result.places[numbers[at]]);
}

/** From a document: light places that are in view already, and bring the statements that rest on them into view. */
export function rest(numbers) {
  hovered = null;
  Object.assign(lit, { numbers, statement: null, at: 0 });
  tell("lit");
  tell("rest", resting(numbers));
}

/** The statements that rest on places. */
export function resting(numbers) {
  return (lit.result?.statements ?? []).filter((statement) => statement.places.some((place) => numbers.includes(place)));
}

/** Bring the next piece of evidence into view: of what is lit, else of the whole answer. */
export function turn(by) {
  if (!lit.result) return;
  if (!lit.numbers.length) {
    lit.numbers = lit.result.cited;
    lit.at = by > 0 ? -1 : 0;
  }
  if (!lit.numbers.length) return;
  lit.at = (lit.at + by + lit.numbers.length) % lit.numbers.length;
  tell("lit");
  tell("go", lit.result.places[lit.numbers[lit.at]]);
}

export function clear() {
  hovered = null;
  Object.assign(lit, { numbers: [], statement: null, at: 0 });
  tell("lit");
  tell("rest", []);
}
