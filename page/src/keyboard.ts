// Keys: from statement to statement, from one piece of evidence to the next, to the question, and out again.
import { statements } from "./answer";
import { $, bring, turnTo } from "./dom";
import * as evidence from "./evidence";

function step(by) {
  const rows = statements();
  if (!rows.length) return;
  const focused = rows.indexOf(document.activeElement.closest?.(".statement"));
  const current = focused >= 0 ? focused : rows.findIndex((row) => row.matches(".chosen"));
  const next = rows[current < 0 ? (by > 0 ? 0 : rows.length - 1) : current + by];
  if (!next) return;
  const label = next.querySelector(".label");
  label.focus({ preventScroll: true });
  bring(next, "nearest");
  label.click();
}

const ACTIONS = {
  j: () => step(1),
  k: () => step(-1),
  n: () => evidence.turn(1),
  p: () => evidence.turn(-1),
  "/": () => {
    turnTo("answer");
    $("given").focus();
  },
  Escape: () => {
    getSelection().removeAllRanges();
    evidence.clear();
    $("rests").hidden = true;
  },
};

export function begin() {
  document.addEventListener("keydown", (event: any) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("token").open) return;
    const writing = event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
    if (writing && event.key !== "Escape") return;
    if (writing) event.target.blur();
    const action = ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
