"""Percentile bootstrap: of a mean, of a figure over dependent groups, of a paired difference."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell_lab.report.values import Interval

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]  # from sums (..., columns) to (...), so that all draws are computed at once

_BLOCK = 1_000_000  # drawn figures held at once


class Paired(NamedTuple):
    """The mean difference, its 95% interval, and the two-sided p-value of no difference."""

    difference: float
    low: float
    high: float
    p: float


def _drawn(units: Floats, statistic: Statistic, samples: int, seed: int) -> Floats:
    """The statistic of the sums of as many units as there are, drawn with replacement."""
    generator = np.random.default_rng(seed)
    rows = max(1, _BLOCK // max(1, units.size))
    parts = []
    for first in range(0, samples, rows):
        chosen = generator.integers(0, len(units), (min(rows, samples - first), len(units)))
        parts.append(statistic(units[chosen].sum(axis=1)))
    return np.concatenate(parts)


def between(mean: float, drawn: Sequence[float] | Floats) -> Interval:
    """A figure with the range of 95% of what was drawn."""
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Interval(mean, float(low), float(high))


def interval(values: Sequence[float], *, samples: int = 2000, seed: int = 0) -> Interval:
    """The mean of values and its interval.

    Raises:
        ValueError: there are no values.
    """
    if not len(values):
        raise ValueError("an interval needs at least one value")
    units = np.asarray(values, dtype=float)[:, None]
    return between(float(units.mean()), _drawn(units, lambda sums: sums[:, 0] / len(units), samples, seed))


def grouped(
    rows: Iterable[tuple[Hashable, Sequence[float]]], statistic: Statistic, *, samples: int = 2000, seed: int = 0
) -> Interval | None:
    """A statistic of the columns' sums; groups are drawn, as their rows are not independent. None where undefined.

    Args:
        rows: each with its group, such as the question that a sentence answers.
        statistic: such as `ratio`.
        samples: how many draws; those in which the statistic is undefined are left out.
        seed: makes the draws repeatable.
    """
    sums: dict[Hashable, Floats] = {}
    for group, row in rows:
        sums[group] = sums.get(group, 0) + np.asarray(row, dtype=float)
    if not sums:
        return None
    units = np.stack(list(sums.values()))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(units.sum(axis=0)))
        if not np.isfinite(value):
            return None
        drawn = _drawn(units, statistic, samples, seed)
    drawn = drawn[np.isfinite(drawn)]
    return between(value, drawn) if len(drawn) else Interval(value, value, value)


def ratio(sums: Floats) -> Floats:
    """The first column by the second: a share."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def share(
    hits: Sequence[float], totals: Sequence[float], groups: Sequence[Hashable], *, seed: int = 0
) -> Interval | None:
    """How many were right out of how many, pooled over items; intervals over what the items belong to."""
    return grouped(zip(groups, zip(hits, totals, strict=True), strict=True), ratio, seed=seed)


def paired(first: Sequence[float], second: Sequence[float], *, samples: int = 10_000, seed: int = 0) -> Paired:
    """How much the second system is better, item by item.

    The p-value is the share of resampled differences, centred on zero, that are at least as large as the one seen.

    Raises:
        ValueError: there are no items, or not the same number.
    """
    if len(first) != len(second) or not len(first):
        raise ValueError("a paired comparison needs the same items, at least one")
    units = (np.asarray(second, dtype=float) - np.asarray(first, dtype=float))[:, None]
    drawn = _drawn(units, lambda sums: sums[:, 0] / len(units), samples, seed)
    mean, low, high = between(float(units.mean()), drawn)
    extreme = int((np.abs(drawn - mean) >= abs(mean) - 1e-12).sum())
    return Paired(mean, low, high, (extreme + 1) / (samples + 1))
