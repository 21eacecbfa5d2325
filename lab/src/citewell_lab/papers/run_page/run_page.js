"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const [task, first, second, find, list, shown, count] = ["task", "first", "second", "find", "list", "item", "count"].map(by);
  const boxes = [...document.querySelectorAll("#filters input[type=checkbox]")];
  let current = [];
  let place = -1;

  function element(name, text, kind) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function fill(select, options, empty) {
    select.replaceChildren(...(empty ? [new Option(empty, "")] : []), ...options.map(([value, text]) => new Option(text, value)));
  }

  const runsOf = (name) => data.runs.map((run, n) => [String(n), run]).filter(([, run]) => run.task === name);
  const label = ([n, run]) => [n, `${run.name} (${run.folder})`];
  const differ = (a, b) => a.answer !== b.answer || a.evidence.join() !== b.evidence.join();

  function chooseTask() {
    const runs = runsOf(task.value).map(label);
    fill(first, runs);
    fill(second, runs, "no other run");
    if (runs.length > 1) second.value = runs[1][0];
    const alone = runs.length < 2;
    boxes.find((box) => box.value === "disagree").disabled = alone;
    if (alone) boxes.find((box) => box.value === "disagree").checked = false;
    filter();
  }

  function filter() {
    const wanted = boxes.filter((box) => box.checked).map((box) => box.value);
    const words = find.value.trim().toLowerCase();
    current = data.items.filter((item) => {
      const mine = item.runs[first.value];
      if (item.task !== task.value || !mine) return false;
      const other = item.runs[second.value];
      for (const one of wanted) {
        if (one === "disagree" ? !other || !differ(mine, other) : !mine[one]) return false;
      }
      return !words || [item.id, item.question, item.gold, mine.answer].join("\n").toLowerCase().includes(words);
    });
    const all = data.items.filter((item) => item.task === task.value && item.runs[first.value]).length;
    count.textContent = `${current.length} of ${all} items`;
    list.replaceChildren(
      ...current.map((item, n) => {
        const mine = item.runs[first.value];
        const button = element("button", item.question.slice(0, 140) || item.id);
        button.type = "button";
        const tags = ["wrong", "abstained", "unsupported"].filter((one) => mine[one]);
        if (item.runs[second.value] && differ(mine, item.runs[second.value])) tags.push("disagreeing");
        button.append(element("small", [mine.answer.slice(0, 60), ...tags].filter(Boolean).join(" · ")));
        button.addEventListener("click", () => open(n));
        const row = element("li");
        row.append(button);
        return row;
      }),
    );
    place = -1;
    if (current.length) open(0, true);
    else shown.replaceChildren(element("p", "No item fits these filters.", "note"));
  }

  function predicted(name, one) {
    const value = element("dd", one.answer || "(nothing)");
    const figure = one.value === null ? "" : ` ${(100 * one.value).toFixed(0)}%`;
    for (const tag of ["wrong", "abstained", "unsupported"]) if (one[tag]) value.prepend(element("span", tag, "tag"));
    return [element("dt", name + figure), value];
  }

  function open(n, still) {
    place = n;
    const item = current[n];
    const chosen = [first.value, second.value].filter((run, i, all) => item.runs[run] && all.indexOf(run) === i);
    const facts = element("dl");
    facts.append(element("dt", "Item"), element("dd", item.id), element("dt", "Asked"), element("dd", item.question));
    if (item.gold) facts.append(element("dt", "Gold"), element("dd", item.gold));
    for (const run of chosen) facts.append(...predicted(data.runs[run].name, item.runs[run]));
    shown.replaceChildren(facts);
    if (item.doc === null) shown.append(element("p", "The data was not there when this page was made: no document.", "note"));
    else shown.append(...pages(item, chosen));
    [...list.querySelectorAll("button")].forEach((button, i) => button.setAttribute("aria-current", String(i === n)));
    if (still) return;
    list.children[n].firstChild.scrollIntoView({ block: "nearest" });
  }

  function pages(item, chosen) {
    const source = data.documents[item.doc];
    const box = element("div", undefined, "document");
    let target = null;
    for (const block of source.blocks) {
      if (block.length === 1) {
        box.append(element("p", `… ${block[0]} further parts …`, "skip"));
        continue;
      }
      const [text, number] = block;
      const line = element("p", text, number === null ? "plain" : "");
      const who = [];
      if (number !== null && item.gold_evidence.includes(number)) {
        line.classList.add("gold");
        who.push("gold evidence");
      }
      for (const run of chosen) {
        if (number !== null && item.runs[run].evidence.includes(number)) {
          line.classList.add("found");
          who.push(chosen.length > 1 ? data.runs[run].name : "cited");
        }
      }
      if (who.length) {
        line.prepend(element("span", who.join(" · "), "who"));
        target = target || line;
      }
      box.append(line);
    }
    if (target) requestAnimationFrame(() => box.scrollTo({ top: target.offsetTop - box.offsetTop - 60 }));
    return [element("h3", source.title || "Document"), box];
  }

  const tasks = [...new Set(data.runs.map((run) => run.task))].filter((name) => data.items.some((item) => item.task === name));
  fill(task, tasks.map((name) => [name, name]));
  task.addEventListener("change", chooseTask);
  for (const input of [first, second, find, ...boxes]) input.addEventListener("input", filter);
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (!step || !current[place + step]) return;
    event.preventDefault();
    open(place + step);
    list.children[place].firstChild.focus();
  });
  if (data.left_out) by("items").querySelector("h2").after(element("p", `${data.left_out} items of long runs are not shown here; their records have all.`, "note"));
  if (tasks.length) chooseTask();
  else by("browser").replaceChildren(element("p", "There are no items to show.", "note"));
})();
