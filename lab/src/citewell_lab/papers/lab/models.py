"""Model selection: the models considered and their results, prompted and fine-tuned. Source: LAB, tables 18 to 20.

A model's row comes from its runs of QASPER and, where it is prompted, of GovReport under citation. The paper's averages
are taken as they are there: prompted, the mean of the two tasks' means; fine-tuned, the mean of attributability and
unanswerable F1 alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from citewell_lab.bench.run import Result
from citewell_lab.papers.published import figures
from citewell_lab.report.table import Table
from citewell_lab.report.values import Value


def considered() -> Table:
    """Table 18: the models of the paper, with the names under which they are published."""
    paper = _paper("lab-18")
    rows = [(row["name"], *row["values"], row["model"]) for row in paper["rows"]]
    return _table(paper, ("", *paper["columns"], "published as"), rows, ["paper"] * len(rows), ())


def selection(results: Sequence[Result], *, fine_tuned: bool = False) -> Table:
    """Table 20 of prompted models, or 19 of fine-tuned ones: the paper's rows, ours, and which is the best."""
    paper = _paper("lab-19" if fine_tuned else "lab-20")
    rows: list[tuple[Value, ...]] = [(row["name"], *row["values"]) for row in paper["rows"]]
    whose = ["paper"] * len(rows)
    for name, by_task in _by_model(results).items():
        values: list[float | None] = []
        for column in paper["columns"][:-1]:
            task, _, metric = column.partition(".")
            values.append(by_task[task].scores.metrics.get(metric) if task in by_task else None)
        rows.append((name, *values, _mean(values, fine_tuned=fine_tuned)))
        whose.append("ours")
    ours = [row for row, who in zip(rows, whose, strict=True) if who == "ours" and row[-1] is not None]
    notes = [f"best of ours: {max(ours, key=lambda row: row[-1])[0]}"] if ours else []  # type: ignore[arg-type,return-value]  # floats
    return _table(paper, ("", *paper["columns"]), rows, whose, notes)


def _mean(values: Sequence[float | None], *, fine_tuned: bool) -> float | None:
    """As the paper averages; None where a figure is missing."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return fmean(known[1:]) if fine_tuned else fmean((fmean(known[:3]), fmean(known[3:])))


def _by_model(results: Sequence[Result]) -> dict[str, dict[str, Result]]:
    """The results of each model, by the task; of two of one task the later counts."""
    models: dict[str, dict[str, Result]] = {}
    for result in results:
        if "llm" in result.backends:
            models.setdefault(result.backends["llm"], {})[result.task] = result
    return models


def _paper(key: str) -> Mapping[str, Any]:
    (table,) = (table for table in figures("lab")["models"] if table["id"] == key)
    known: Mapping[str, Any] = table
    return known


def _table(
    paper: Mapping[str, Any], columns: Sequence[str], rows: Sequence[Any], whose: Sequence[str], notes: Sequence[str]
) -> Table:
    title = f"{paper['title']} ({paper['table']})"
    notes = (*paper.get("notes", ()), *notes)
    return Table(paper["id"], title, tuple(columns), tuple(rows), (), notes, paper["paper"], tuple(whose))
