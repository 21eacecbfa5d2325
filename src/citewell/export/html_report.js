"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const numbers = (element, name) => (element.dataset[name] || "").split(" ").filter(Boolean);
  const statements = all(".statement");
  const linked = all("[data-c]");
  const copied = all(".copied"); // where copied words are shown, each is chosen for itself
  const stops = copied.length ? copied.filter((element) => element.tabIndex === 0) : statements;
  const stop = copied.length ? ".copied" : ".statement";
  const live = document.querySelector(".live");
  const back = document.querySelector(".back");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = matchMedia("(max-width: 60rem)");
  let chosen = null; // the statement, or the copied words, that is chosen
  let shown = []; // numbers of the evidence that is lit, as text
  let passage = 0; // which of them is in view

  // Parts of the document out of sight have guessed heights, so the place is looked up again once they are laid out.
  function bring(element, block) {
    if (!element) return;
    const near = element.getBoundingClientRect();
    const far = Math.abs(near.top) > 3 * innerHeight;
    const go = (behavior) => element.scrollIntoView({ block, behavior });
    go(far || calm.matches ? "instant" : "smooth");
    if (far) requestAnimationFrame(() => requestAnimationFrame(() => go("instant")));
  }

  function light(evidence, chosenStatements) {
    for (const element of linked) element.classList.toggle("lit", numbers(element, "c").some((n) => evidence.includes(n)));
    for (const element of stops) {
      const pressed = copied.length ? numbers(element, "c").some((n) => evidence.includes(n)) : chosenStatements.includes(element);
      element.classList.toggle("lit", pressed);
      element.classList.toggle("chosen", element === chosen);
      element.setAttribute("aria-pressed", String(pressed));
    }
    shown = evidence;
    passage = 0;
  }

  // A wide table moves sideways inside its box until the cited cell stands beside the column of labels.
  function uncover(row) {
    const cell = row && row.querySelector("mark.cell.lit");
    const box = cell && cell.closest(".scroll");
    if (!box || box.scrollWidth <= box.clientWidth) return;
    const [at, frame] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollLeft += at.right - frame.right + frame.width / 8;
  }

  function showPassage() {
    const number = shown[passage];
    const place = document.getElementById(`c${number}`);
    bring(place || document.getElementById(`e${number}`), "center");
    requestAnimationFrame(() => requestAnimationFrame(() => uncover(place && place.closest("tr"))));
    if (narrow.matches && place) back.hidden = false;
  }

  function focusOn(element) {
    for (const other of copied.length ? [] : statements) other.tabIndex = other === element ? 0 : -1;
    element.focus({ preventScroll: true });
    bring(element, "nearest");
  }

  function choose(element, only) {
    chosen = element;
    light(only ? [only] : numbers(element, copied.length ? "c" : "cites"), [element]);
    live.textContent = element.dataset.said || `Copied, evidence ${shown.map((n) => Number(n) + 1).join(", ")}`;
    if (shown.length) showPassage();
  }

  function chooseEvidence(number) {
    const resting = stops.filter((element) => numbers(element, copied.length ? "c" : "cites").includes(number));
    chosen = null;
    light([number], resting);
    const count = resting.length;
    const what = copied.length ? "copied part" : "statement";
    const said = count === 1 ? `: 1 ${what} rests on it` : `: ${count} ${what}s rest on it`;
    live.textContent = `Evidence ${Number(number) + 1}${count ? said : ""}`;
    return resting;
  }

  function clear() {
    chosen = null;
    light([], []);
    live.textContent = "";
  }

  function step(by) {
    if (!stops.length) return;
    const current = stops.indexOf(document.activeElement.closest?.(stop) || chosen);
    const next = current < 0 ? (by > 0 ? 0 : stops.length - 1) : current + by;
    if (next < 0 || next >= stops.length) return;
    focusOn(stops[next]);
    choose(stops[next]);
  }

  function turn(by) {
    if (!shown.length) return;
    passage = (passage + by + shown.length) % shown.length;
    live.textContent = `Passage ${passage + 1} of ${shown.length}`;
    showPassage();
  }

  // The words of the answer, the reason and the words of the evidence that differ are shown together.
  const differing = all("[data-r]");
  function pair(reasons) {
    for (const element of differing) element.classList.toggle("paired", numbers(element, "r").some((n) => reasons.includes(n)));
  }
  for (const [come, go] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    document.addEventListener(come, (event) => {
      const at = event.target.closest?.("[data-r]");
      if (at) pair(numbers(at, "r"));
    });
    document.addEventListener(go, () => pair([]));
  }
  function meet(element) {
    const reasons = numbers(element, "r");
    const inDocument = document.querySelector(".documents").contains(element);
    const other = differing.find((one) => one !== element && one.matches(".fault") && numbers(one, "r").some((n) => reasons.includes(n)) && document.querySelector(".documents").contains(one) !== inDocument);
    if (other) bring(other, "center");
    pair(reasons);
    if (narrow.matches && !inDocument && other) back.hidden = false;
  }

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || String(getSelection()).trim()) return;
    const differs = event.target.closest("[data-r]");
    if (differs && !differs.closest(".copied")) {
      meet(differs);
      return;
    }
    const statement = event.target.closest(stop);
    const mark = event.target.closest("mark, .ref");
    const link = event.target.closest(".cite, .card");
    if (statement) {
      focusOn(statement);
      choose(statement);
    } else if (mark) {
      const here = numbers(mark, "c");
      const next = here[(here.indexOf(shown.length === 1 ? shown[0] : "") + 1) % here.length];
      const resting = chooseEvidence(next);
      bring(resting[0] || document.getElementById(`e${next}`), "center");
    } else if (link) {
      event.preventDefault();
      const number = link.dataset.c;
      chooseEvidence(number);
      showPassage();
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inAnswer = document.activeElement === document.body || document.querySelector("main").contains(document.activeElement);
    const on = document.activeElement.closest?.(stop);
    const reason = document.activeElement.closest?.(".reasons [data-r]");
    const actions = {
      j: () => step(1),
      k: () => step(-1),
      n: () => turn(1),
      p: () => turn(-1),
      Escape: clear,
    };
    if (inAnswer) Object.assign(actions, { ArrowDown: on && (() => step(1)), ArrowUp: on && (() => step(-1)) });
    if (on) Object.assign(actions, { ArrowRight: () => step(1), ArrowLeft: () => step(-1), Enter: () => choose(on), " ": () => choose(on) });
    if (reason) Object.assign(actions, { Enter: () => meet(reason), " ": () => meet(reason) });
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  back.addEventListener("click", () => {
    back.hidden = true;
    const target = chosen || stops.find((element) => element.classList.contains("lit"));
    if (target) bring(target, "center");
    else scrollTo({ top: 0 });
  });
})();
