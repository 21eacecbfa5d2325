"""The tasks by name: one module each, which holds all that is known of it; imported when it is asked for."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from typing import Any

from citewell.errors import UsageError
from citewell_lab.bench.kinds.base import Task


@cache
def names() -> tuple[str, ...]:
    """The names of all tasks: those of the modules in this folder."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def task(name: str) -> Task[Any]:
    """A task by its name.

    Raises:
        UsageError: there is no such task; the text lists them and the nearest one.
    """
    if name not in names():
        near = difflib.get_close_matches(name, names(), n=1)
        hint = f", did you mean {near[0]!r}?" if near else "."
        raise UsageError(f"no task {name!r}{hint} There are: {', '.join(names())}")
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    found: Task[Any] = module.TASK
    return found
