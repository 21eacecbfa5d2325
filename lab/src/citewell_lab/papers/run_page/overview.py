"""The overview: rows are methods, columns tasks; means with interval, n, and withheld, failed or cut items.

Intervals are percentiles of 200 draws of a run's items with replacement, each scored as the run is. The best of our
rows is set in bold only where its interval lies above those of all our other rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from citewell_lab.bench import records
from citewell_lab.bench.metrics.declared import Metric
from citewell_lab.bench.run import Result
from citewell_lab.bench.tasks import names
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.published import published
from citewell_lab.report.intervals import between
from citewell_lab.report.values import Interval

DRAWS = 200


class Column(NamedTuple):
    """A task's metric."""

    task: str
    metric: str


class Cell(NamedTuple):
    """A figure; counts are None in a paper's row that does not say."""

    value: float
    interval: Interval | None = None
    n: int | None = None
    abstained: int | None = None
    failed: int | None = None
    cut: int | None = None
    best: bool = False


class Line(NamedTuple):
    """A row: whose (`ours`, or the paper's name) and one cell a column, None where there is no figure."""

    name: str
    whose: str
    cells: tuple[Cell | None, ...]


class Overview(NamedTuple):
    """The table."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]


def overview(results: Sequence[Result], *, draws: int = DRAWS, seed: int = 0) -> Overview:
    """The overview of some runs and the papers' rows of their tasks."""
    tasks = [name for name in names() if any(result.task == name for result in results)]
    columns = []
    for task in tasks:
        same = [result for result in results if result.task == task]
        known = {name for result in same for name in result.scores.metrics}
        task_of_name = find_task(task)
        headline = [name for name in map(str, task_of_name.headline) if name in known] or [str(task_of_name.main)]
        columns += [Column(task, name) for name in headline if name in known]
    rows: dict[str, list[Cell | None]] = {}
    for result in results:
        name = result.method
        places = [n for n, column in enumerate(columns) if column.task == result.task]
        taken = rows.get(name)
        if taken is not None and any(taken[n] is not None for n in places):
            name = f"{name} ({result.out.name})" if result.out else f"{name} (another run)"
        cells = rows.setdefault(name, [None] * len(columns))
        spread = intervals(result, [columns[n].metric for n in places], draws, seed)
        for n in places:
            metric = columns[n].metric
            if metric in result.scores.metrics:
                counts = (result.n, result.scores.abstained, result.failed, result.cut)
                cells[n] = Cell(result.scores.metrics[metric], spread.get(metric), *counts)
    for n in range(len(columns)):
        _mark_best(list(rows.values()), n, find_task(columns[n].task).metric(columns[n].metric))
    ours = [Line(name, "ours", tuple(cells)) for name, cells in rows.items()]
    return Overview(tuple(columns), (*ours, *_papers(columns)))


def _papers(columns: Sequence[Column]) -> list[Line]:
    row_cells: dict[tuple[str, str], list[Cell | None]] = {}
    for table in published():
        places = {column.metric: n for n, column in enumerate(columns) if column.task == table["task"]}
        for row in table["rows"]:
            for metric, value in zip(table["columns"], row["values"], strict=False):
                if metric in places and value is not None:
                    key = (row["name"], table["paper"].partition(",")[0])
                    cells = row_cells.setdefault(key, [None] * len(columns))
                    cells[places[metric]] = cells[places[metric]] or Cell(value, n=row.get("n", table["n"]))
    return [Line(name, paper, tuple(cells)) for (name, paper), cells in row_cells.items()]


def intervals(result: Result, metrics: Sequence[str], draws: int, seed: int) -> dict[str, Interval]:
    """95% intervals of a run's metrics over draws of its items; none for a run of one item or without its folder."""
    if result.out is None or not metrics or draws < 1:
        return {}
    run_records = records.good(records.counted(result.out)[1])
    if len(run_records) < 2:
        return {}
    task, generator = find_task(result.task), np.random.default_rng(seed)
    drawn: dict[str, list[float]] = {name: [] for name in metrics}
    for _ in range(draws):
        scored = task.score([run_records[n] for n in generator.integers(0, len(run_records), len(run_records))])
        for name in metrics:
            if name in scored.metrics:
                drawn[name].append(scored.metrics[name])
    return {
        name: between(result.scores.metrics[name], values)
        for name, values in drawn.items()
        if values and name in result.scores.metrics
    }


def _mark_best(rows: Sequence[list[Cell | None]], n: int, metric: Metric) -> None:
    """Set the best cell of a column in bold, if its interval lies beyond all others."""
    known = [(row, cell) for row in rows if (cell := row[n]) is not None]
    if len(known) < 2 or any(cell.interval is None for _, cell in known):
        return
    sign = -1 if metric.lower_is_better else 1
    row, best = max(known, key=lambda entry: sign * entry[1].value)
    others = [cell.interval for _, cell in known if cell is not best and cell.interval]
    clear = best.interval and all(
        best.interval.low > other.high if sign > 0 else best.interval.high < other.low for other in others
    )
    if clear:
        row[n] = best._replace(best=True)
