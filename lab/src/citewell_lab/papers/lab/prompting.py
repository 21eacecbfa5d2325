"""Prompt experiments: position of the instruction, number of examples. Source: LAB, C.4 and table 14.

Six settings under one approach: the instruction before and after, before, or after the document without examples; then
before it with one, two and three examples. Each is a run in a folder of its own, so that it can be gone on with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import UsageError
from citewell.registry import Spec, parse
from citewell_lab.bench.run import Result, run
from citewell_lab.bench.tasks import names
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.published import figures
from citewell_lab.report.table import Table
from citewell_lab.report.values import Value, percent

SETTINGS: tuple[tuple[str, str, int], ...] = (
    ("instruction before and after", "both", 0),
    ("instruction before", "before", 0),
    ("instruction after", "after", 0),
    ("instruction before, 1 example", "before", 1),
    ("instruction before, 2 examples", "before", 2),
    ("instruction before, 3 examples", "before", 3),
)


class Setting(NamedTuple):
    """One setting's run, and the paper's figures for it."""

    name: str
    result: Result
    paper: tuple[float, ...] = ()


def metrics(task: str) -> tuple[str, ...]:
    """What the settings of a task are compared by.

    Raises:
        UsageError: the task is none that a language model answers.
    """
    task_of_name = find_task(task)
    if task_of_name.quality is None:
        known = ", ".join(name for name in names() if find_task(name).quality)
        raise UsageError(f"no prompt experiments for {task!r}; there are: {known}")
    return tuple(map(str, dict.fromkeys((*task_of_name.quality, *task_of_name.headline))))


def experiments(
    task: str, data: str | Path, split: str, out: Path, *, llm: Any, approach: str = "citation", **options: Any
) -> Iterator[Setting]:
    """The six settings one after another; what is there goes on."""
    metrics(task)
    for number, (name, instruct, examples) in enumerate(SETTINGS):
        name_of, params = parse(approach)
        parameters = dict(params) | {"instruct": instruct, "examples": examples}
        spec = str(Spec(name_of, tuple(parameters.items())))
        folder = out / f"{task}-{re.sub(r'[^a-z0-9]+', '-', name)}"
        result = run(task, data, split, approach=spec, llm=llm, out=folder, **options)
        yield Setting(name, result, tuple(_paper(task)[number]))


def _paper(task: str) -> Sequence[Sequence[float]]:
    """The paper's figures of a task's settings: answer, attributability, unanswerable; empty where it has none."""
    known: Sequence[Sequence[float]] = figures("lab")["prompts"].get(task, ((),) * len(SETTINGS))
    return known


def table(task: str, settings: Sequence[Setting]) -> Table:
    """The settings side by side, the paper's figures in brackets."""
    names = metrics(task)
    rows: list[tuple[Value, ...]] = []
    means: dict[str, float] = {}
    for setting in settings:
        values = [setting.result.scores.metrics.get(name) for name in names]
        theirs = [f" ({100 * value:.0f})" for value in setting.paper] or [""] * len(names)
        known = [value for value in values if value is not None]
        if len(known) == len(names):
            means[setting.name] = sum(known) / len(known)
        cells = (percent(value) + paper for value, paper in zip(values, theirs, strict=True))
        rows.append((setting.name, setting.result.n, setting.result.failed, *cells, means.get(setting.name)))
    notes = [f"best mean: {max(means, key=means.__getitem__)}"] if means else []
    notes += ["in brackets: the paper's, GPT-3.5"] if any(_paper(task)) else []
    columns = ("", "n", "failed", *names, "mean")
    return Table("prompts", f"Prompts for {task}", columns, tuple(rows), source="LAB, table 14", notes=tuple(notes))
