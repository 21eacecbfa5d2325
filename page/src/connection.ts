// Whether the service can be reached: a banner while it cannot, and another try every few seconds.
import { $, say } from "./dom";
import { t } from "./language";

const EVERY = 3000; // milliseconds
const back = [];
let timer = null;

/** Hear when the service can be reached again. */
export const onBack = (hear) => back.push(hear);

/** A request found nobody there. */
export function lost() {
  if (timer !== null) return;
  $("lost").hidden = false;
  say(t("lostNow"));
  timer = setTimeout(again, EVERY);
}

async function again() {
  clearTimeout(timer);
  try {
    const reply = await fetch("/health/live");
    if (!reply.ok) throw new Error();
  } catch {
    timer = setTimeout(again, EVERY);
    return;
  }
  timer = null;
  $("lost").hidden = true;
  say(t("backAgain"));
  for (const hear of back) hear();
}

export function begin() {
  $("retry").addEventListener("click", again);
}
