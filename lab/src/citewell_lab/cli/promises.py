"""The promises of `citewell calibrate`: create one, and watch whether scores have drifted from it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from citewell.cli.options import echo
from citewell.errors import RequirementError, UsageError
from citewell.pipeline.promise import WRONG, Promise, default, hold, read

if TYPE_CHECKING:
    from citewell_lab.bench.judged import Judged


class Wanted(NamedTuple):
    """What is to be promised: a risk, how surely, of which kind of error, in which groups."""

    risk: float
    confidence: float
    error: str
    by: str


def make(
    method: str,
    tasks: tuple[str, ...],
    wanted: Wanted,
    *,
    data: str | None,
    split: str,
    limit: int | None,
    seed: int,
    out: str | None,
    plots: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Choose a threshold that keeps a risk, and say what it is worth."""
    from citewell.text import files
    from citewell.text.safe import dumps
    from citewell_lab.bench import judged, promises

    if data is None:
        raise UsageError("--task needs --data: the folder of the data sets")
    places = [(name, part or split) for name, _, part in (task.partition("/") for task in tasks)]
    parts = list(_items(method, places, wanted, data=data, limit=limit, quiet=quiet))
    items, spec = judged.joined(part for _, part in parts), parts[0][0]
    task_names = [f"{name}/{of}" for name, of in places]
    promise = promises.promise(items, wanted.risk, wanted.confidence, spec, task_names, wanted.by)
    trial = promises.tried(items, wanted.risk, wanted.confidence, seed=seed)
    if plots:
        files.write_all(Path(plots), drawn(promise, items).files())
    if out:
        files.write(Path(out), dumps(promise.to_dict()) + "\n")
    there = (
        "nothing is given" if trial.risk is None else f"{trial.coverage:.0%} are given, {trial.risk:.1%} of these wrong"
    )
    lines = (
        promise.words(),
        f"There {promise.given} of {promise.items} are given, {promise.wrong} of these wrong.",
        *(f"  {name}: {passed} of {count}, {wrong} wrong" for name, (count, passed, wrong) in promise.groups.items()),
        f"Chosen on one half and tried on the other, {trial.splits} times: {there};",
        f"more than {wanted.risk:.0%} in {trial.above:.0%} of the halves, chance of a small half included.",
    )
    echo({**promise.to_dict(), "tried": asdict(trial)}, "\n".join(lines), as_json=as_json)


def _items(
    method: str, places: list[tuple[str, str]], wanted: Wanted, *, data: str, limit: int | None, quiet: bool
) -> Iterator[tuple[str, Judged]]:
    """The method's spec and the items of each task, all of which are looked at before the first is run."""
    from citewell_lab.bench import judged, records
    from citewell_lab.bench.run import run
    from citewell_lab.bench.tasks import task

    for name, _ in places:
        judged.hold(task(name), wanted.error)
    for name, split in places:
        stage = "approach" if "approach" in task(name).needs else "checker"
        with TemporaryDirectory(prefix="citewell-calibrate-") as folder:
            how: dict[str, Any] = {stage: method, "limit": limit, "progress": not quiet and sys.stderr.isatty()}
            result = run(name, data, split, out=folder, **how)
            kept = records.good(records.counted(Path(folder))[1])
        yield result.backends[stage], judged.judged(task(name), kept, wanted.error, wanted.by)


def drawn(promise: Promise, items: Judged) -> Any:
    """A plot of the risk over the share that is given, with what is promised."""
    from citewell_lab.bench import promises
    from citewell_lab.report import plots
    from citewell_lab.report.table import Table

    parts = {name: items.part(items.groups == name) for name in items.names} or {promise.tasks[0]: items}
    curves = {name: promises.curve(part) for name, part in parts.items()}
    series = [plots.Series(name, [(100 * x, 100 * y, 0.0, 0.0) for x, y in points]) for name, points in curves.items()]
    share = 100 * promise.given / promise.items
    level = [(0.0, 100 * promise.risk, 0.0, 0.0), (100.0, 100 * promise.risk, 0.0, 0.0)]
    series.append(plots.Series(f"promised; {share:.0f}% are given", level, dashed=True))
    title = f"{promise.method}: {promise.of}"
    svg = plots.curves(
        "promise", [plots.Panel(title, series)], ("given, the surest first (%)", f"of these {WRONG[promise.error]} (%)")
    )
    numbers = tuple((name, *point) for name, points in curves.items() for point in points)
    caption = "The share that is wrong of what is given, as more is given."
    return plots.Plot("promise", title, caption, svg, Table("promise", title, ("group", "given", "wrong"), numbers))


def watch(method: str, path: str, promised: str | None, confidence: float, *, as_json: bool) -> None:
    """Say whether the scores in a file have left those of a promise.

    Raises:
        RequirementError: they have.
    """
    from citewell_lab.bench import drift

    promise = read(promised) if promised else default(method)
    hold(promise, method)
    level = 1 - confidence
    result = drift.drift(promise, drift.scores(path, promise.of), level)
    echo({**asdict(result), "moved": result.moved}, result.words(), as_json=as_json)
    if result.moved:
        raise RequirementError(f"the scores in {path} have left those of the promise (p = {result.p:.2g})")
