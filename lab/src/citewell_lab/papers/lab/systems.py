"""Do systems with better evidence give better responses? Source: LAB, section 5.3 and appendix A.2, table 6.

The paper's pairs are those of citation and reduced citation with five models; its row `mean` correlates each system's
means over the six tasks. Ours are the runs with these approaches; other runs are correlated apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from citewell_lab.bench.tasks import names
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.lab.rows import Analysed
from citewell_lab.papers.published import published
from citewell_lab.report.correlation import correlate

CITING = ("citation", "reduced-citation")
MEAN = "mean"

Pair = tuple[float, float]
Points = Mapping[str, Pair]


def quality(task: str) -> tuple[str, ...]:
    """The names of a task's metrics of response and evidence; none where it has not both."""
    return tuple(map(str, find_task(task).quality or ())) if task in names() else ()


def points(read: Sequence[Analysed], *, citing: bool = False) -> dict[str, dict[str, Pair]]:
    """For each task the systems' (response, evidence) quality; runs that lack one of them are left out.

    With `citing` only systems that cite count, as in the paper.
    """
    tasks: dict[str, dict[str, Pair]] = {}
    for run in read:
        if citing and run.approach not in CITING:
            continue
        response, evidence = (run.result.scores.metrics.get(name) for name in quality(run.result.task) or ("", ""))
        if response is None or evidence is None:
            continue
        systems = tasks.setdefault(run.result.task, {})
        systems[f"{run.system} ({run.folder.name})" if run.system in systems else run.system] = (response, evidence)
    return tasks


def correlations(tasks: Mapping[str, Points]) -> dict[str, dict[str, Any]]:
    """Pearson's r over the systems of each task, and over the means of those that have all of the paper's tasks."""
    means = _means(tasks)
    return {task: correlation(systems) for task, systems in (*tasks.items(), *({MEAN: means}.items() if means else ()))}


def correlation(systems: Points) -> dict[str, Any]:
    """Pearson's r over systems, with the points; `r` is None of fewer than three."""
    r = correlate([response for response, _ in systems.values()], [evidence for _, evidence in systems.values()])
    return {
        "n": len(systems),
        "r": r.to_dict() if r else None,
        "systems": {name: list(pair) for name, pair in systems.items()},
    }


def _means(tasks: Mapping[str, Points]) -> Points:
    """The means over the six tasks of the systems that have all of them."""
    wanted = [tasks.get(task, {}) for task in _of_table_3()]
    return {
        name: (fmean(systems[name][0] for systems in wanted), fmean(systems[name][1] for systems in wanted))
        for name in wanted[0]
        if all(name in systems for systems in wanted)
    }


def of_the_paper() -> dict[str, dict[str, Any]]:
    """LAB's Table 6, computed from its Table 3."""
    return correlations(_of_table_3())


def _of_table_3() -> dict[str, dict[str, Pair]]:
    """The paper's citing systems by its tasks."""
    tasks = {}
    for table in published():
        wanted = quality(table["task"] or "")
        if not table["id"].startswith("lab-3-") or not wanted or not set(wanted) <= set(table["columns"]):
            continue
        at = [table["columns"].index(name) for name in wanted]
        tasks[table["task"]] = {
            row["name"]: (row["values"][at[0]], row["values"][at[1]])
            for row in table["rows"]
            if row["name"].partition(", ")[2] in CITING
        }
    return tasks
