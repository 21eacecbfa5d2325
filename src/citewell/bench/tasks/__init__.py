"""The tasks by name."""

from __future__ import annotations

from citewell.bench.tasks import answers, evidence
from citewell.bench.tasks.base import Task
from citewell.bench.tasks.claims import Claims, Salad
from citewell.bench.tasks.ranked import Ranked
from citewell.bench.tasks.spans import Spans
from citewell.errors import UsageError

_ALL: tuple[Task, ...] = (
    Spans("verifiability-granular", "which passage was a span of a search engine's answer copied from"),
    Spans("quotesum", "which source was a span of a woven answer copied from"),
    Salad(),
    Claims(),
    Ranked("verifiability", "which sentences of the pages support the sentences of an answer"),
    Ranked("hagrid", "which passages support the sentences of an answer"),
    *evidence.TASKS,
    *answers.TASKS,
)

TASKS: dict[str, Task] = {one.name: one for one in _ALL}


def task(name: str) -> Task:
    """A task by its name.

    Raises:
        UsageError: there is no such task; the text lists them and the nearest one.
    """
    if name not in TASKS:
        import difflib

        near = difflib.get_close_matches(name, TASKS, n=1)
        hint = f", did you mean {near[0]!r}?" if near else "."
        raise UsageError(f"no task {name!r}{hint} There are: {', '.join(TASKS)}")
    return TASKS[name]
