"""Compares two runs of one task: the paired difference of item values, and the items that changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from citewell.errors import UsageError
from citewell.text.columns import aligned
from citewell_lab.bench import records
from citewell_lab.bench.metrics.declared import is_share
from citewell_lab.bench.run import Result, summarise
from citewell_lab.bench.spec import Spec, read
from citewell_lab.bench.tasks import task
from citewell_lab.report.intervals import Paired, paired
from citewell_lab.report.table import Table
from citewell_lab.report.values import format_value

Key = TypeVar("Key")
_COMPARED = ("predicted", "ranked", "label", "score", "evidence", "failed")


class Changed(NamedTuple):
    """An item whose prediction differs; a failed item has the value 0."""

    id: str
    group: str
    gold: Any
    first: dict[str, Any]
    second: dict[str, Any]
    values: tuple[float, float]


class Tested(NamedTuple):
    """A metric's difference, second minus first, its two-sided p-value, and that corrected for all metrics (Holm)."""

    metric: str
    difference: float
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, side by side.

    Attributes:
        n: the items that both have and that have a value; failures count as 0.
        only_first: items that only the first run has; `only_second` likewise.
        tested: every metric by a paired permutation of the items that did not fail in either run.
        paired: the difference of the mean value (second minus first), None without common items.
    """

    first: Result
    second: Result
    metric: str
    n: int
    only_first: int
    only_second: int
    paired: Paired | None
    changed: tuple[Changed, ...]
    tested: tuple[Tested, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "task": self.first.task,
            "metric": self.metric,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "n": self.n,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "paired": self.paired._asdict() if self.paired else None,
            "tested": [test._asdict() for test in self.tested],
            "changed": [item._asdict() for item in self.changed],
        }


def compare(first: Path, second: Path) -> Comparison:
    """Compare two runs.

    Raises:
        InputError: a folder is not a run.
        UsageError: the runs are of different tasks or data.
    """
    specs = _alike([first, second])
    left, right = (
        {record["id"]: cast("Mapping[str, Any]", record) for record in records.items(folder)}
        for folder in (first, second)
    )
    values: list[tuple[float, float]] = []
    changed = []
    for key, record in left.items():
        if key not in right:
            continue
        other = right[key]
        if (
            record.get("value") is None
            and other.get("value") is None
            and "failed" not in record
            and "failed" not in other
        ):
            continue
        pair = (float(record.get("value") or 0.0), float(other.get("value") or 0.0))
        values.append(pair)
        before, after = _prediction(record), _prediction(other)
        if before != after:
            gold = record.get("gold", other.get("gold"))
            changed.append(Changed(key, record.get("group") or "", gold, before, after, pair))
    changed.sort(key=lambda record: -abs(record.values[1] - record.values[0]))
    return Comparison(
        summarise(first),
        summarise(second),
        str(task(specs[0].task).main),
        len(values),
        len(left.keys() - right.keys()),
        len(right.keys() - left.keys()),
        paired([a for a, _ in values], [b for _, b in values]) if values else None,
        tuple(changed),
        permuted(specs[0].task, *(records.good(records.items(folder)) for folder in (first, second))),
    )


def _alike(folders: Sequence[Path]) -> list[Spec]:
    """The specs of runs of one task on the same data."""
    specs = [read(folder) for folder in folders]
    for spec in specs[1:]:
        if spec.task != specs[0].task:
            raise UsageError(f"the runs are of different tasks: {specs[0].task} and {spec.task}")
        if spec.checksums != specs[0].checksums:
            raise UsageError("the runs read different data: the checksums in their spec.json differ")
    return specs


def table(folders: Sequence[Path]) -> Table:
    """Every metric of each run beside the first's, with p-values corrected for all tests of the table (Holm).

    Raises:
        InputError: a folder is not a run.
        UsageError: the runs are of different tasks or data.
    """
    name = _alike(folders)[0].task
    base, *others = (records.good(records.items(folder)) for folder in folders)
    results = [summarise(folder) for folder in folders]
    tests = {
        (place, test.metric): test
        for place, other in enumerate(others, start=1)
        for test in permuted(name, base, other)
    }
    corrected = holm({key: test.p for key, test in tests.items()})
    rows = tuple(
        (
            results[place].method,
            metric,
            results[0].scores.metrics.get(metric),
            results[place].scores.metrics.get(metric),
            f"{test.difference * (100 if is_share(metric) else 1):+.1f}",
            test.p,
            corrected[place, metric],
        )
        for (place, metric), test in tests.items()
    )
    columns = ("", "metric", "first", "value", "difference", "p", "p (Holm)")
    note = f"p by paired permutation of the items that did not fail, corrected for the {len(tests)} tests of this table"
    title = f"{name}, {results[0].split}, beside {results[0].method}"
    return Table(f"compare-{name}", title, columns, rows, ("p", "p (Holm)"), (note,))


def permuted(
    name: str, first: Sequence[records.Good], second: Sequence[records.Good], *, samples: int = 1000, seed: int = 0
) -> tuple[Tested, ...]:
    """Every metric of a task by approximate randomisation (Noreen, 1989): the two records of an item change sides.

    A metric need not be a mean over items: each draw is scored as a run is. The p-value is the share of draws whose
    difference is at least as large as the one seen, itself among them.
    """
    other = {record["id"]: record for record in second}
    pairs = [(record, other[record["id"]]) for record in first if record["id"] in other]
    if not pairs:
        return ()
    scored = task(name)

    def differences(flips: Sequence[bool]) -> dict[str, float]:
        sides = [pair[::-1] if flip else pair for pair, flip in zip(pairs, flips, strict=True)]
        left, right = (scored.score([pair[side] for pair in sides]).metrics for side in (0, 1))
        return {metric: right[metric] - value for metric, value in left.items() if metric in right}

    observed = differences([False] * len(pairs))
    extreme = dict.fromkeys(observed, 1)
    for flips in np.random.default_rng(seed).random((samples, len(pairs))) < 0.5:
        for metric, value in differences(flips.tolist()).items():
            if metric in extreme:
                extreme[metric] += abs(value) >= abs(observed[metric]) - 1e-12
    p_values = {metric: count / (samples + 1) for metric, count in extreme.items()}
    corrected = holm(p_values)
    return tuple(Tested(metric, value, p_values[metric], corrected[metric]) for metric, value in observed.items())


def holm(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """P-values corrected for their number (Holm, 1979): the i-th smallest of m times m - i + 1, never falling."""
    corrected, least = dict[Key, float](), 0.0
    for rank, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        least = max(least, min(1.0, p_values[name] * (len(p_values) - rank)))
        corrected[name] = least
    return corrected


def _prediction(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in _COMPARED if name in record}


def text(comparison: Comparison, limit: int) -> str:
    """For a terminal: figures, the difference, the items that changed most."""
    lines = [f"{comparison.first.task}, {comparison.first.split}", f"first   {comparison.first.method}"]
    lines += [f"second  {comparison.second.method}", ""]
    names = [name for name in comparison.first.scores.metrics if name in comparison.second.scores.metrics]
    pairs = [(name, comparison.first.scores.metrics[name], comparison.second.scores.metrics[name]) for name in names]
    tests = {test.metric: f"p = {test.p:.3f}, corrected {test.holm:.3f}" for test in comparison.tested}
    cells = [(f"  {name}", *_figures(name, old, new), tests.get(name, "")) for name, old, new in pairs]
    lines += aligned(cells, (True, False, False, False, True))
    if tests:
        lines.append("  p by paired permutation of the items, corrected for the number of metrics (Holm)")
    if comparison.paired:
        p = comparison.paired
        span = f"95% interval {100 * p.low:+.2f} to {100 * p.high:+.2f}, p = {p.p:.4f} (paired bootstrap)"
        lines += [
            "",
            f"mean over {comparison.n} items of {comparison.metric}: {100 * p.difference:+.2f} points, {span}",
        ]
    if comparison.only_first or comparison.only_second:
        lines.append(
            f"not compared: {comparison.only_first} items of the first, {comparison.only_second} of the second"
        )
    better = sum(item.values[1] > item.values[0] for item in comparison.changed)
    worse = sum(item.values[1] < item.values[0] for item in comparison.changed)
    lines.append(f"{len(comparison.changed)} predictions changed: {better} items better, {worse} worse")
    for item in comparison.changed[:limit]:
        mark = "+" if item.values[1] > item.values[0] else "-" if item.values[1] < item.values[0] else "~"
        gold = "" if item.gold is None else f"  gold {item.gold}"
        lines.append(f"  {mark} {item.id}{gold}  first {_short(item.first)}  second {_short(item.second)}")
    if len(comparison.changed) > limit:
        lines.append(f"  {len(comparison.changed) - limit} more (--items N, or --json)")
    return "\n".join(lines)


def _figures(name: str, old: float, new: float) -> tuple[str, str, str]:
    """Two values of a metric and their difference, in points where they are fractions."""
    share = is_share(name)
    return format_value(old, share=share), format_value(new, share=share), f"{(new - old) * (100 if share else 1):+.1f}"


def _short(prediction: dict[str, Any]) -> str:
    return " ".join(str(value) for value in prediction.values())
