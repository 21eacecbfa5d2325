"""Runs every task whose data is available, with one or several methods; one command prints all tables."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.errors import InputError, RequirementError
from citewell.library.batch.workers import ALONE, Crew
from citewell_lab.bench.kinds.base import Task
from citewell_lab.bench.run import Result, run
from citewell_lab.bench.tasks import names, task

DEFAULT = ("lexical",)


class Outcome(NamedTuple):
    """A run, or the reason why there is none."""

    task: str
    result: Result | None
    skipped: str = ""


def everything(
    data: Path,
    split: str,
    out: Path,
    *,
    tasks: Sequence[str] = (),
    methods: Sequence[str] = DEFAULT,
    checkers: Sequence[str] = DEFAULT,
    limit: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    crew: Crew = ALONE,
    progress: bool = False,
) -> Iterator[Outcome]:
    """Run the tasks one after another, each combination in a folder of its own below `out`; what is there goes on.

    Without names these are the tasks of the papers, not those that are made from other tasks' data.

    A task that uses both takes the first method with the first checker, the second with the second, and so on; the
    shorter list repeats its last.

    Raises:
        RequirementError: a package is not installed that a task needs in the end.
        UsageError: no such task, or a folder holds another run.
        InputError: `data` is not a folder.
    """
    if not data.is_dir():
        raise InputError(f"{data} is not a folder: --data names the folder that holds the data sets")
    wanted = [task(name) for name in tasks] or [
        candidate for candidate in map(task, names()) if not candidate.data.derived
    ]
    _installed([candidate for candidate in wanted if (data / candidate.data.folder).is_dir()])
    for candidate in wanted:
        folder = candidate.data.folder
        if not (data / folder).is_dir():
            yield Outcome(candidate.name, None, f"there is no {folder}/ in {data}")
            continue
        for method, checker in _pairs(candidate.needs, methods, checkers):
            reader = ["extractive"] if "approach" in candidate.needs else []
            specs = [*reader, *(spec for spec in (checker, method) if spec is not None)]
            place = out / "-".join([candidate.name, *map(slug, dict.fromkeys(specs))])
            try:
                settings: dict[str, Any] = {
                    "method": method,
                    "checker": checker,
                    "limit": limit,
                    "sample": sample,
                    "seed": seed,
                }
                result = run(candidate.name, data, split, **settings, out=place, crew=crew, progress=progress)
            except InputError as error:
                if "no split" not in str(error) and "no items" not in str(error):
                    raise
                yield Outcome(candidate.name, None, str(error))
                break
            yield Outcome(candidate.name, result)


def _installed(wanted: Sequence[Task[Any]]) -> None:
    """Refuse, before anything is run, tasks whose metrics could not be computed in the end."""
    for candidate in wanted:
        for module, package in candidate.packages.items():
            if importlib.util.find_spec(module) is None:
                raise RequirementError(
                    f"{candidate.name} needs the package {package!r}: pip install 'citewell-lab[bench]', or name the"
                    " others by --task"
                )


def _pairs(
    needs: Sequence[str], methods: Sequence[str], checkers: Sequence[str]
) -> Iterator[tuple[str | None, str | None]]:
    """The combinations of back ends that a task runs with."""
    used: list[Sequence[str | None]] = [methods if "attributor" in needs else (None,)]
    used.append(checkers if "checker" in needs else (None,))
    for i in range(max(map(len, used))):
        method, checker = (specs[min(i, len(specs) - 1)] for specs in used)
        yield method, checker


def slug(spec: str) -> str:
    """A spec as a part of a folder's name."""
    return re.sub(r"[^\w.=]+", "-", spec).strip("-")
