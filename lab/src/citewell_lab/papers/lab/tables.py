"""LAB's tables 4 to 8 in the paper's format: one row per system, one column per task, the paper's rows first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any

from citewell_lab.papers.published import figures
from citewell_lab.report.correlation import LEVEL
from citewell_lab.report.table import Table

Figures = Mapping[str, Any]
# Where in a run's figures the coefficients of a table stand.
_COEFFICIENTS = {
    "lab-5": ("position", "response_by_gold", "parts_r"),
    "lab-7": ("length", "response", "pearson"),
    "lab-8": ("length", "evidence", "pearson"),
}
# The curve of selective prediction by the metric that the paper names.
_CURVES = {
    "answer_f1": ("response",),
    "rouge_l": ("response",),
    "unanswerable_f1": ("unanswerable",),
    "label_macro_f1": ("macro_f1", "micro_f1"),
}
STAR = f"* p < {LEVEL}"


def tables(analysis: Figures) -> list[Table]:
    """Tables 4 to 8, those in which our runs have a figure."""
    rows = (_systems(paper, analysis) if paper["id"] == "lab-6" else _by_task(paper, analysis)
            for paper in figures("lab")["analyses"])  # fmt: skip
    return [table for table in rows if "ours" in table.whose]


def _by_task(paper: Figures, analysis: Figures) -> Table:
    """A table whose columns are tasks, or metrics of tasks."""
    cell = _difference if paper["id"] == "lab-4" else _coefficient(_COEFFICIENTS[paper["id"]])
    theirs = [(row["name"], *_printed(paper, row)) for row in paper["rows"]]
    ours = [(name, *cells) for name, cells in _ours(analysis["runs"], paper["columns"], cell)]
    notes = (STAR,) if paper["id"] != "lab-4" else ()
    return _table(paper, ("", *paper["columns"]), theirs, ours, notes)


def _table(
    paper: Figures, columns: tuple[str, ...], theirs: Sequence[Any], ours: Sequence[Any], notes: tuple[str, ...] = ()
) -> Table:
    whose = ("paper",) * len(theirs) + ("ours",) * len(ours)
    title = f"{paper['title']} ({paper['table']})"
    notes = (*paper.get("notes", ()), *notes)
    return Table(paper["id"], title, columns, (*theirs, *ours), notes=notes, source=paper["paper"], whose=whose)


def _printed(paper: Figures, row: Figures) -> list[Any]:
    """The paper's cells: differences as percentages, coefficients with their stars."""
    if paper["id"] == "lab-4":
        return [float(value) for value in row["values"]]
    starred = row.get("significant", ())
    pairs = zip(paper["columns"], row["values"], strict=True)
    return [_r(value, star=column in starred) for column, value in pairs]


def _r(value: float, *, star: bool) -> str:
    return f"{value:.2f}{'*' * star}"


def _ours(
    runs: Sequence[Figures], columns: Sequence[str], cell: Callable[[Figures, str], Any]
) -> Iterator[tuple[str, list[Any]]]:
    """A row a system with at least one figure; a system that ran a task twice has its later run in a row of its own."""
    rows: dict[str, dict[str, Figures]] = {}
    for run in runs:
        name = run["system"]
        if run["task"] in rows.get(name, {}):
            name = f"{name} ({run['run'].rpartition('/')[2]})"
        rows.setdefault(name, {})[run["task"]] = run
    for name, by_task in rows.items():
        cells = [
            cell(by_task[task], metric) if (task := column.partition(".")[0]) in by_task else None
            for column in columns
            for metric in [column.partition(".")[2]]
        ]
        if any(value is not None for value in cells):
            yield name, cells


def _coefficient(keys: Sequence[str]) -> Callable[[Figures, str], str | None]:
    def cell(run: Figures, _: str) -> str | None:
        try:
            correlation = reduce(getitem, keys, run)
        except TypeError:  # a run without these figures has None on the way
            return None
        return _r(correlation["r"], star=correlation["p"] < LEVEL) if correlation else None

    return cell


def _difference(run: Figures, metric: str) -> float | None:
    scores = (run["selective"] or {"scores": {}})["scores"]
    return next((scores[name]["advantage"] for name in _CURVES[metric] if name in scores), None)


def _systems(paper: Figures, analysis: Figures) -> Table:
    """Table 6: a row a task, and the mean; beside the printed figures those that follow from the paper's Table 3."""
    columns = ("", "r", "p", "n")
    computed = analysis["systems_paper"]
    theirs = [(row["name"], _r(row["values"][0], star=False), _p(row["values"][1]), computed[row["name"]]["n"])
              for row in paper["rows"]]  # fmt: skip
    followed = [_pair(f"{name}, from the printed Table 3", computed[name]) for name in computed]
    ours = [
        _pair(f"{name}: {whose}", systems)
        for whose, key in (("our citing runs", "systems_citing"), ("all our runs", "systems"))
        for name, systems in analysis[key].items()
        if name in computed and systems["r"]
    ]
    table = _table(paper, columns, [*theirs, *followed], ours)
    whose = ("paper",) * len(theirs) + ("computed",) * len(followed) + ("ours",) * len(ours)
    return Table(table.id, table.title, columns, table.rows, notes=table.notes, source=table.source, whose=whose)


def _pair(name: str, systems: Figures) -> tuple[str, str, str, int]:
    r = systems["r"]
    return name, _r(r["r"], star=False), _p(r["p"]), systems["n"]


def _p(value: float) -> str:
    return f"{value:.1e}" if value < 0.001 else f"{value:.2f}"
