"""Do systems with better evidence give better responses? Source: LAB, section 5.3 and appendix A.2, table 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from citewell.bench.run import Result
from citewell.bench.tasks import names
from citewell.bench.tasks import task as find_task
from citewell.papers.published import published
from citewell.report.correlation import correlate

Points = Mapping[str, tuple[float, float]]


def quality(task: str) -> tuple[str, ...]:
    """The names of a task's metrics of response and evidence; none where it has not both."""
    return tuple(map(str, find_task(task).quality or ())) if task in names() else ()


def points(results: Sequence[Result]) -> dict[str, dict[str, tuple[float, float]]]:
    """For each task the systems' (response, evidence) quality; runs that lack one of them are left out."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for result in results:
        wanted = quality(result.task)
        values = [result.scores.metrics.get(name) for name in wanted]
        if len(values) == 2 and values[0] is not None and values[1] is not None:
            name = result.method if result.out is None else f"{result.method} ({result.out.name})"
            found.setdefault(result.task, {})[name] = (values[0], values[1])
    return found


def correlation(systems: Points) -> dict[str, Any]:
    """Pearson's r over systems, with the points; `r` is None of fewer than three."""
    found = correlate([one for one, _ in systems.values()], [two for _, two in systems.values()])
    return {
        "n": len(systems),
        "r": found.to_dict() if found else None,
        "systems": {name: list(one) for name, one in systems.items()},
    }


def of_the_paper() -> dict[str, dict[str, Any]]:
    """LAB's Table 6, computed from its Table 3: citation and reduced-citation of five models."""
    found = {}
    for table in published():
        wanted = quality(table["task"] or "")
        if not table["id"].startswith("lab-3-") or not wanted or not set(wanted) <= set(table["columns"]):
            continue
        at = [table["columns"].index(name) for name in wanted]
        rows = {
            row["name"]: (row["values"][at[0]], row["values"][at[1]])
            for row in table["rows"]
            if row["name"].endswith("citation")
        }
        found[table["task"]] = correlation(rows)
    return found
