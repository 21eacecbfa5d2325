"""The tasks by name: one module per task with everything about it, imported on demand.

Other packages add tasks by the entry points `citewell.tasks`, each of which names a `Task`.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from typing import Any

from citewell.errors import PlugInError, UsageError
from citewell.registry.doors import doors, warn_once
from citewell_lab.bench.kinds.base import Task

GROUP = "citewell.tasks"


def names() -> tuple[str, ...]:
    """The names of all tasks, those of other packages too; one that cannot be loaded is left out with a warning."""
    working = []
    for name in sorted({*_modules(), *doors(GROUP, _modules())}):
        try:
            task(name)
        except PlugInError as error:
            warn_once(str(error))
        else:
            working.append(name)
    return tuple(working)


def task(name: str) -> Task[Any]:
    """A task by its name.

    Raises:
        UsageError: there is no such task; the text lists them and the nearest one.
        PlugInError: its module cannot be imported, or names no task.
    """
    if name in _modules():
        return _checked(name, "citewell-lab", _module(name))
    door = doors(GROUP, _modules()).get(name)
    if door is not None:
        return _checked(name, door.distribution, door.load())
    near = difflib.get_close_matches(name, names(), n=1)
    hint = f", did you mean {near[0]!r}?" if near else "."
    raise UsageError(f"no task {name!r}{hint} There are: {', '.join(names())}")


@cache
def _modules() -> frozenset[str]:
    """The names of the modules in this folder."""
    return frozenset(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def _module(name: str) -> Any:
    """What a module of this folder holds as its task."""
    try:
        return importlib.import_module(f"{__name__}.{name.replace('-', '_')}").TASK
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise PlugInError(f"the task {name!r} cannot be loaded: {reason}") from error


def _checked(name: str, distribution: str, loaded: Any) -> Task[Any]:
    """What was loaded, where it is a task of that name."""
    if not isinstance(loaded, Task):
        raise PlugInError(f"the task {name!r} of the package {distribution} is no Task but a {type(loaded).__name__}")
    return loaded
