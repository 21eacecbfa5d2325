"""The table of docs/results.md by goals: our checkers beside the papers and published models.

    python lab/benchmarks/goals.py measure lexical DATA [--line fever ...] [--limit 1000] [--runs RUNS]
    python lab/benchmarks/goals.py measure judge-small DATA --model FOLDER    # with the judge that reads
    python lab/benchmarks/goals.py write                                      # docs/results.md from what was measured

Figures are kept in lab/benchmarks/measured/SYSTEM.json, a line as soon as it is measured; lines that stand there are
measured again only where `--line` names them. All systems are measured on the same sample of the same items.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from citewell import registry
from citewell.document import Document
from citewell.errors import CitewellError
from citewell.protocols import Pair
from citewell.text import files
from citewell_lab.bench.answering import Query
from citewell_lab.bench.choice import choose
from citewell_lab.bench.items import QuestionItem
from citewell_lab.bench.kinds.base import answered, positions
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.report.values import percent

HERE = Path(__file__).resolve().parent
MEASURED, PAGE = HERE / "measured", HERE.parents[1] / "docs/results.md"
SYSTEMS = ("lexical", "judge-small")
HEADING = "## By goals"
SPLITS = {"fever": "val", "salad": "test", "evidence-inference": "validation", "qasper": "all"}  # else dev
TIMED = 5  # sentences that a claim is held against where time is taken
ABOUT = """
The goals, line by line. `lexical` needs no model; `judge-small` adds the [judge](judge.md), where one was measured. Development data, at most {limit}
items per set, selected by a seed; what was chosen or fitted on them is listed above. The best rows of the papers and of other published models are on their own test data, so they
allow only a rough comparison. An empty cell was not measured.
"""
NOTES = """
- Human contrasts are fever_symmetric, in which people changed one thing in a claim or in its evidence, as in VitaminC: accuracy at the best threshold of the other folds. BUMP (edited
  summaries) is not available; SummEdits takes its place: pairs of a summary and an edit of it, and the share of pairs in which the edit scores lower.
- The weights of `lexical` were fitted on parts of the claims of most sets. With the human contrasts held out completely, an earlier fit reached 65.6 and 59.2 ([the archive of experiments](decisions/archive/experiments-2026-11.md), the checker over facts).
- If a figure is based on fewer items, their number follows it; they are a subset of the others. VERI-GRAN and QuoteSum need neither checker nor reader.
- AttributionBench in domain is its dev set. Of the sets out of domain only BEGIN is available; its threshold is the best of the other folds.
- CF1 and EF1: macro F1 of labels, F1 of evidence. Evidence Inference is {trials} prompts of its validation set.
- QASPER: one of the first two paragraphs that the reader ranks is among the gold paragraphs (of any annotator).
- The time is processor time for one claim against five sentences, the median of 60, measured on a busy machine with two cores.
"""


class Line(NamedTuple):
    """A line of the table.

    Attributes:
        name: what is told.
        of: `contrasts` (lab/benchmarks/checking/measure.py), `ranked` (questions' paragraphs), `time`, or a task.
        set: whose items; the task where empty.
        metric: the figure.
        goal: in percent; None where none was set.
    """

    name: str
    of: str
    metric: str
    goal: float | None = None
    set: str = ""

    @property
    def key(self) -> str:
        """What the line is called in a file of figures."""
        return f"{self.set or self.of} {self.metric}"


LINES = (
    Line("Human contrasts, accuracy", "contrasts", "accuracy", 85, "fever_symmetric"),
    Line("Human contrasts, caught at 75% kept", "contrasts", "caught_at_kept_75", 80, "fever_symmetric"),
    Line("One fact changed, caught at 75% kept", "flips", "caught_at_kept_75", 95),
    Line("One fact changed, caught at the labels", "flips", "caught"),
    Line("The same, originals kept at the labels", "flips", "kept"),
    Line("Edited summaries below their originals", "contrasts", "ranked", 88, "summedits"),
    Line("AttributionBench in domain, macro F1", "attributionbench", "macro_f1"),
    Line("AttributionBench out of domain: BEGIN, macro F1", "contrasts", "macro_f1", 86, "begin"),
    Line("SALAD, F1 tuned", "salad", "f1_tuned", 66),
    Line("SALAD, accuracy tuned", "salad", "accuracy_tuned", 87.5),
    Line("WiCE, CF1", "wice", "label_macro_f1", 60),
    Line("WiCE, EF1", "wice", "evidence_f1", 70),
    Line("ContractNLI, CF1", "contract-nli", "label_macro_f1", 65),
    Line("ContractNLI, EF1", "contract-nli", "evidence_f1", 70),
    Line("Evidence Inference, CF1", "evidence-inference", "label_macro_f1", 70),
    Line("Evidence Inference, EF1", "evidence-inference", "evidence_f1", 58),
    Line("FEVER, macro F1", "fever", "label_macro_f1", 82),
    Line("SQuAD 2.0, F1", "squad2", "answer_f1", 60),
    Line("SQuAD 2.0, UF1", "squad2", "unanswerable_f1", 72),
    Line("SQuAD 2.0, AURC (less is better)", "squad2", "aurc"),
    Line("CLAPNQ, AURC (less is better)", "clapnq", "aurc"),
    Line("QASPER, AURC (less is better)", "qasper", "aurc"),
    Line("QASPER, evidence in the first two", "ranked", "in_first_two", 55, "qasper"),
    Line("VERI-GRAN, span accuracy", "verifiability-granular", "span_accuracy", 90),
    Line("QuoteSum, span accuracy", "quotesum", "span_accuracy", 97),
    Line("A claim against five sentences, ms", "time", "milliseconds", 15, "wice"),
)


def backends(system: str, model: str | None) -> dict[str, str]:
    """The checker, the reader and the attributor of a system, as specs."""
    folder = f"(model={model})" if model else ""
    return {"checker": f"{system}{folder}", "approach": "extractive"}


def measured(system: str) -> dict[str, Any]:
    """The figures of a system that stand in its file."""
    path = MEASURED / f"{system}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"system": system, "figures": {}}


def keep(system: str, figures: Mapping[str, Mapping[str, Any]]) -> None:
    """Add figures to the file of a system."""
    stored = measured(system)
    stored["figures"] |= figures
    MEASURED.mkdir(exist_ok=True)
    files.write(MEASURED / f"{system}.json", json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
    print(json.dumps(dict(figures), ensure_ascii=False), flush=True)


def measure(namespace: argparse.Namespace) -> None:
    """Measure the lines that are missing or named."""
    data, specs, known = (
        namespace.data,
        backends(namespace.system, namespace.model),
        measured(namespace.system)["figures"],
    )
    wanted = [line for line in LINES if (line.key not in known if not namespace.line else _named(line, namespace.line))]
    for source in dict.fromkeys((line.of, line.set) for line in wanted):
        lines = [line for line in wanted if (line.of, line.set) == source]
        try:
            figures, n = figures_of(source, data, specs, namespace)
        except CitewellError as error:
            print(f"{' '.join(source)}: {error}", file=sys.stderr)
            continue
        measured_lines = {line.key: round(float(figures[line.metric]), 4) for line in lines if line.metric in figures}
        if measured_lines:
            keep(namespace.system, {key: {"value": value, "n": n} for key, value in measured_lines.items()})


def _named(line: Line, names: list[str]) -> bool:
    return bool({line.of, line.set, line.key} & set(names))


def figures_of(source: tuple[str, str], data: Path, specs: Mapping[str, str], namespace: argparse.Namespace) -> Any:
    """The figures of one source, and how many items they are of."""
    of, name = source
    if of == "contrasts":
        return contrasts(data, name, specs["checker"], namespace.limit)
    if of == "ranked":
        return ranked(data, name, specs["approach"], namespace.limit)
    if of == "time":
        return timed(data, specs["checker"])
    task = find_task(of)
    how = {stage: specs[stage] for stage in ("approach", "checker") if stage in task.needs}
    if not how and namespace.system != SYSTEMS[0]:
        return {}, 0  # neither its checker nor its reader takes part
    if "approach" in how:
        how.pop("checker", None)
    with tempfile.TemporaryDirectory() as scratch:
        out = namespace.runs / namespace.system / of if namespace.runs else Path(scratch) / of
        if not (out / "summary.json").exists():
            limit = namespace.trials if of == "evidence-inference" else namespace.limit
            run(of, data, SPLITS.get(of, "dev"), out=out, sample=limit, **how)
        payload = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        if payload["failed"]:
            why = next(
                json.loads(row)["failed"] for row in (out / "items.jsonl").open(encoding="utf-8") if '"failed"' in row
            )
            print(f"{of}: {payload['failed']} items failed, the first: {why}", file=sys.stderr)
    return payload["metrics"], payload["n"]


def contrasts(data: Path, name: str, checker: str, limit: int) -> Any:
    """The figures of lab/benchmarks/checking/measure.py for one set of people's claims."""
    sys.path.insert(0, str(HERE / "checking"))
    module = importlib.import_module("measure")
    systems = {checker: module.checker(checker)}
    figures = module.measure(data, systems, sets=[name], sample=limit, a_kind=0, quiet=True)[checker][name]
    return {key: getattr(value, "value", value) for key, value in figures.items()}, figures["n"]


def ranked(data: Path, name: str, approach: str, limit: int) -> Any:
    """The share of questions with marked evidence of which some is in the first two segments that are ranked."""
    task = find_task(name)
    back_end, _ = choose(task, approach=approach).build(task, None)
    source, split, hits = task.data, SPLITS.get(name, "dev"), []
    for item in source.picked(source.files(data, split), split, sample=limit):
        if not isinstance(item, QuestionItem):
            continue
        marked = frozenset().union(*(reference.evidence for reference in item.references if reference.evidence))
        if not marked:
            continue
        for _, reply in answered(back_end, [(item, Query(item.document, item.prompt_text))]):
            if not isinstance(reply, dict):
                hits.append(bool(set(positions(item.segments, reply.ranked)[:2]) & marked))
    return {"in_first_two": np.mean(hits)}, len(hits)


def timed(data: Path, checker: str) -> Any:
    """Processor time of a claim against five sentences."""
    built, source, took = registry.build("checker", checker), find_task("wice").data, []
    for item in source.picked(source.files(data, "dev"), "dev", limit=60):
        document = Document.from_passages([part.text for part in item.document.segments("sentence")[:TIMED]])
        claim = next(iter(item.statements.values()))
        built.check([Pair(claim, (document,))])
        document = Document.from_passages([part.text for part in item.document.segments("sentence")[:TIMED]])
        start = time.process_time()
        built.check([Pair(claim, (document,))])
        took.append(1000 * (time.process_time() - start))
    return {"milliseconds": np.median(took)}, len(took)


def table(limit: int = 1000, trials: int = 200) -> str:
    """The section of docs/results.md."""
    known = {system: figures for system in SYSTEMS if (figures := measured(system)["figures"])}
    systems = tuple(known)
    published = json.loads((MEASURED / "published.json").read_text(encoding="utf-8"))["lines"]
    rows = [
        f"| | goal | {' | '.join(systems)} | n | papers | published models |",
        f"| --- | ---: |{' ---: |' * len(systems)} ---: | --- | --- |",
    ]
    for line in LINES:
        figures = [known[system].get(line.key) for system in systems]
        n = next((figure["n"] for figure in figures if figure), "")
        cells = ["" if figure is None else _formatted(line, figure, n) for figure in figures]
        others = ["; ".join(_others(published, line.key, kind)) for kind in ("paper", "model")]
        goal = "" if line.goal is None else f"{line.goal:g}"
        rows.append(f"| {line.name} | {goal} | {' | '.join([*cells, str(n), *others])} |")
    commands = [
        f"python lab/benchmarks/goals.py measure {name} DATA{' --model FOLDER' * (name != 'lexical')}"
        for name in systems
    ]
    sources = dict.fromkeys(entry["source"] for entries in published.values() for entry in entries)
    ending = ["", "```sh", *commands, "python lab/benchmarks/goals.py write", "```", ""]
    notes = NOTES.format(trials=trials).strip()
    return "\n".join([
        HEADING, ABOUT.format(limit=f"{limit:,}"), *rows, *ending, notes, f"- Sources: {'; '.join(sources)}.", ""
    ])  # fmt: skip


def _formatted(line: Line, figure: Mapping[str, Any], n: int) -> str:
    """The figure, and how many items it is of where these are fewer."""
    value = f"{figure['value']:.1f}" if line.of == "time" else percent(figure["value"])
    return value if figure["n"] == n else f"{value} ({figure['n']})"


def _others(published: Mapping[str, Any], key: str, kind: str) -> Iterator[str]:
    for entry in published.get(key, ()):
        if entry["kind"] == kind:
            yield f"{entry['name']} {entry['value']}"


def write() -> None:
    """Put the section into docs/results.md, before the first task where there is none."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.find(HEADING)
    if start < 0:
        start = text.index("\n## ") + 1
        end = start
    else:
        end = text.index("\n## ", start + 1) + 1
    files.write(PAGE, text[:start] + table() + "\n" + text[end:])


def main() -> None:
    """Measure or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    todo = parser.add_subparsers(dest="todo", required=True)
    measuring = todo.add_parser("measure")
    measuring.add_argument("system", choices=SYSTEMS)
    measuring.add_argument("data", type=Path)
    measuring.add_argument("--model", help="the small model's folder; that of the installed package where left out")
    measuring.add_argument("--line", action="append", default=[], help="a task, a set or a line of the file of figures")
    measuring.add_argument("--limit", type=int, default=1000)
    measuring.add_argument("--trials", type=int, default=200, help="prompts of Evidence Inference")
    measuring.add_argument(
        "--runs", type=Path, help="where the runs stay; one that is finished there is taken as it is"
    )
    todo.add_parser("write")
    args = parser.parse_args()
    if args.todo == "write":
        write()
    else:
        measure(args)


if __name__ == "__main__":
    main()
