"""Reports: the papers' rows as data, our runs' rows under them, with n, split and whether it is the published one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from citewell.bench.run import Result
from citewell.bench.tasks import task as find_task
from citewell.papers.published import published

# Which baseline, its row's name, and which of its figures stands in the column of F1.
_COMPUTED = (
    ("random", "Random (computed here, mean of 100 draws)", "f1"),
    ("majority", "Majority (computed here)", "f1"),
    ("human", "Human (computed here, F1 of the rarer class)", "f1"),
    ("human", "Human (computed here, F1 of unsupported, as the paper's human row)", "f1_unsupported"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a system of a paper, a row computed from annotations, or a run of ours.

    Attributes:
        kind: `paper`, `computed` or `ours`.
        values: fractions in the order of the table's columns, None where there is no figure.
        n: how many items, None for a paper's row that does not say.
        published: whether the run's split is the published one, in words.
    """

    name: str
    kind: str
    values: tuple[float | None, ...]
    n: int | None = None
    abstained: int | None = None
    failed: int | None = None
    split: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the paper's title and columns, its rows, ours under them."""

    id: str
    title: str
    paper: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


ABSENT = "no row of ours: its data were not at hand, or it needs answers that were not published"


def tables(results: Sequence[Result], *, every: bool = False) -> list[Table]:
    """The tables of the tasks that were run, with our rows; all of the papers' with `every` or without runs."""
    made = []
    shown = set()
    for one in published():
        ours = [result for result in results if result.task == one["task"]]
        if results and not ours and not every:
            continue
        shown.add(one["task"])
        table = _table(one, ours)
        made.append(table if ours or not results else replace(table, notes=(*table.notes, ABSENT)))
    for task in dict.fromkeys(result.task for result in results):
        if task not in shown:
            ours = [result for result in results if result.task == task]
            columns = tuple(dict.fromkeys(name for result in ours for name in result.scores.metrics))
            rows = tuple(_ours(result, columns) for result in ours)
            made.append(Table(task, task, "", columns, rows, _notes(ours, columns)))
    return made


def _table(one: Mapping[str, Any], ours: Sequence[Result]) -> Table:
    columns = (*one["columns"], *(one["extra"] if ours else ()))
    rows = []
    for row in one["rows"]:
        values = tuple(row["values"]) + (None,) * (len(columns) - len(row["values"]))
        count = row.get("n", one["n"])
        rows.append(Row(row["name"], "paper", values, count, split=one["split"] or "", published="published"))
    for result in ours[:1]:
        rows += _computed(result, columns)
    rows += [_ours(result, columns) for result in ours]
    title = f"{one['title']} ({one['table']})"
    counted = [f"n of the paper's rows counts {one['unit']}"] if one["unit"] else []
    notes = (*one["notes"], *counted, *_notes(ours, columns, one["split"]))
    return Table(one["id"], title, one["paper"], columns, tuple(rows), notes)


def _ours(result: Result, columns: Sequence[str]) -> Row:
    return Row(
        result.method,
        "ours",
        tuple(_value(result, column) for column in columns),
        result.n,
        result.scores.abstained,
        result.failed,
        result.split,
        f"{result.standing.state}: {result.standing.why}",
    )


def _value(result: Result, column: str) -> float | None:
    """A metric, or `group.metric`."""
    if column in result.scores.metrics:
        return result.scores.metrics[column]
    group, _, metric = column.rpartition(".")
    value = result.scores.by_group.get(group, {}).get(metric)
    return None if value is None else float(value)


def _computed(result: Result, columns: Sequence[str]) -> list[Row]:
    """The rows that need no system, computed from the annotations of the items that were run."""
    rows = []
    for kind, title, f1 in _COMPUTED:
        by_group = result.scores.baselines.get(kind)
        if by_group is None:
            continue
        names = {"f1_tuned": f1, "accuracy_tuned": "accuracy", "f1_unsupported_tuned": "f1_unsupported"}
        values = []
        for column in columns:
            group, _, metric = column.rpartition(".")
            values.append(by_group.get(group or "mean", {}).get(names.get(metric, "")))
        state = f"{result.standing.state}: {result.standing.why}"
        rows.append(Row(title, "computed", tuple(values), result.n, split=result.split, published=state))
    return rows


def _notes(results: Sequence[Result], columns: Sequence[str], split: str | None = None) -> tuple[str, ...]:
    found = []
    for result in results:
        if split and result.split != split and find_task(result.task).data.splits:
            found.append(f"{result.method}: our row is of the split {result.split}, the paper's rows are of {split}")
        found += [f"{result.method}: {note}" for note in result.scores.notes]
        missing = {name: why for name, why in result.scores.unscored.items() if name in columns}
        found += [f"{result.method}: {name} is not scored: {why}" for name, why in missing.items()]
    return tuple(dict.fromkeys(found))
