"""Reports: the papers' rows as data and our runs below them, with n, split and whether it is the published one."""

from __future__ import annotations

import json
import statistics
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from citewell.errors import UsageError
from citewell_lab.bench.metrics.declared import is_share
from citewell_lab.bench.run import Result
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.published import published
from citewell_lab.report import page as report
from citewell_lab.report import table as written
from citewell_lab.report.table import Table
from citewell_lab.report.values import Spread

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
        values: fractions in the order of the table's columns, None where there is no figure; of runs that differ by
            their seeds the mean with the deviation.
        n: how many items, None for a paper's row that does not say.
        published: whether the run's split is the published one, in words.
    """

    name: str
    kind: str
    values: tuple[float | Spread | None, ...]
    n: int | None = None
    abstained: int | None = None
    failed: int | None = None
    split: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True)
class Standings:
    """A paper's table: its title and columns, its rows, ours under them."""

    id: str
    title: str
    paper: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """As it is printed."""
        rows = [
            (row.name, *(float(value) if isinstance(value, int) else value for value in row.values),
             *("" if count is None else count for count in (row.n, row.abstained, row.failed)),
             row.split, row.published)
            for row in self.rows
        ]  # fmt: skip
        columns = ("", *self.columns, "n", "abstained", "failed", "split", "data")
        whose = tuple(row.kind for row in self.rows)
        plain = tuple(name for name in self.columns if not is_share(name))
        return Table(self.id, self.title, columns, tuple(rows), plain, self.notes, self.paper, whose)


def printed(standings: Sequence[Standings], form: str | None = None) -> str:
    """Tables as `markdown`, `latex`, `csv` (a line a figure, as a fraction) or `json`, else aligned for a terminal."""
    if form == "json":
        return json.dumps({"tables": [asdict(standing) for standing in standings]}, ensure_ascii=False, indent=1)
    if form == "csv":
        columns = ("table", "paper", "row", "kind", "split", "n", "abstained", "failed", "data", "metric", "value")
        rows = [
            (standing.id, standing.paper, row.name, row.kind, row.split, row.n, row.abstained, row.failed,
             row.published, column, value)
            for standing in standings
            for row in standing.rows
            for column, value in zip(standing.columns, row.values, strict=True)
            if value is not None
        ]  # fmt: skip
        return Table("figures", "", columns, tuple(rows)).csv().rstrip("\n")
    return written.printed([standing.table() for standing in standings], form)


def page(standings: Sequence[Standings], title: str = "Benchmark report") -> str:
    """One HTML page of the tables alone."""
    note = (
        "Figures are percentages. Rows of the papers stand above ours; data says whether a run's split is the published"
        " one."
    )
    return report.page(title, f"<p>{note}</p>{''.join(standing.table().section() for standing in standings)}")


ABSENT = "no row of ours: its data were not at hand, or it needs answers that were not published"


def standings(results: Sequence[Result], *, every: bool = False, seeds: bool = False) -> list[Standings]:
    """The tables of the tasks that were run, with our rows; all of the papers' with `every` or without runs.

    With `seeds`, runs that differ by their seeds alone are one row of means and standard deviations.
    """
    tables = []
    by_task: dict[str, list[Result]] = {}
    for result in results:
        by_task.setdefault(result.task, []).append(result)
    for paper in published():
        ours = by_task.get(paper["task"], [])
        if ours or every or not results:
            table = _under(paper, ours, seeds=seeds)
            tables.append(table if ours or not results else replace(table, notes=(*table.notes, ABSENT)))
    known = {paper["task"] for paper in published()}
    for task, ours in by_task.items():
        if task not in known:
            columns = tuple(dict.fromkeys(name for result in ours for name in result.scores.metrics))
            rows = tuple(_ours(ours, columns, seeds=seeds))
            tables.append(Standings(task, task, "", columns, rows, _notes(ours, columns)))
    return tables


def _under(paper: Mapping[str, Any], ours: Sequence[Result], *, seeds: bool) -> Standings:
    columns = (*paper["columns"], *(paper["extra"] if ours else ()))
    rows = []
    for row in paper["rows"]:
        values = tuple(row["values"]) + (None,) * (len(columns) - len(row["values"]))
        count = row.get("n", paper["n"])
        rows.append(Row(row["name"], "paper", values, count, split=paper["split"] or "", published="published"))
    for result in ours[:1]:
        rows += _computed(result, columns)
    rows_of_ours = _ours(ours, columns, seeds=seeds)
    # A method without tokens has no row in a table of tokens.
    rows += [row for row in rows_of_ours if any(value is not None for value in row.values)] or rows_of_ours
    title = f"{paper['title']} ({paper['table']})"
    counted = [f"n of the paper's rows counts {paper['unit']}"] if paper["unit"] else []
    notes = (*paper["notes"], *counted, *_notes(ours, columns, paper["split"]))
    return Standings(paper["id"], title, paper["paper"], columns, tuple(rows), notes)


def _ours(results: Sequence[Result], columns: Sequence[str], *, seeds: bool) -> list[Row]:
    """A row a run, or one for runs that differ by their seeds alone, where several do."""
    groups: dict[Hashable, list[Result]] = {}
    for place, result in enumerate(results):
        alike = (result.split, result.method, repr(result.settings), str(result.standing))
        groups.setdefault(alike if seeds else place, []).append(result)
    return [_row(group, columns) for group in groups.values()]


def _row(group: Sequence[Result], columns: Sequence[str]) -> Row:
    first = group[0]
    metrics = map(find_task(first.task).metric, columns)
    values = tuple(
        _over([metric.value(result.scores.metrics, result.scores.by_group) for result in group]) for metric in metrics
    )
    several = {result.seed for result in group}
    if len(several) < len(group):
        raise UsageError(f"two runs of {first.method} on {first.task} have the same seed: give one of them")
    name = f"{first.method} ({len(group)} seeds)" if len(group) > 1 else first.method
    abstained, failed = (sum(counts) for counts in zip(*((r.scores.abstained, r.failed) for r in group), strict=True))
    total = sum(result.n for result in group)
    return Row(name, "ours", values, total, abstained, failed, first.split, str(first.standing))


def _over(values: Sequence[float | None]) -> float | Spread | None:
    """A figure of one run, or the mean and deviation of several that all have it."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return Spread(statistics.mean(known), statistics.stdev(known), len(known)) if len(known) > 1 else known[0]


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
        standing = str(result.standing)
        rows.append(Row(title, "computed", tuple(values), result.n, split=result.split, published=standing))
    return rows


def _notes(results: Sequence[Result], columns: Sequence[str], split: str | None = None) -> tuple[str, ...]:
    notes = []
    for result in results:
        if split and result.split != split and find_task(result.task).data.splits:
            notes.append(f"{result.method}: our row is of the split {result.split}, the paper's rows are of {split}")
        notes += [f"{result.method}: {note}" for note in result.scores.notes]
        missing = {name: why for name, why in result.scores.unscored.items() if name in columns}
        notes += [f"{result.method}: {name} is not scored: {why}" for name, why in missing.items()]
    return tuple(dict.fromkeys(notes))
