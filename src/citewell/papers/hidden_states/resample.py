"""What resampling says: folds by question, intervals of shares whose parts hang together, correlations and chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.report.intervals import Interval


def folds(groups: Sequence[str], count: int, seed: int = 0) -> list[list[int]]:
    """Positions dealt into `count` folds, all of a group into one; fewer folds where there are fewer groups."""
    names = list(dict.fromkeys(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    count = max(1, min(count, len(names)))
    fold = {names[name]: place % count for place, name in enumerate(order.tolist())}
    return [[i for i, group in enumerate(groups) if fold[group] == number] for number in range(count)]


def share(
    hits: Sequence[float], totals: Sequence[float], groups: Sequence[str], *, samples: int = 2000, seed: int = 0
) -> Interval | None:
    """A pooled share and its 95% interval: groups (questions) are drawn with repetition. None of nothing.

    Args:
        hits: how many were right in each item.
        totals: out of how many.
        groups: what each item belongs to.
        samples: how often to draw.
        seed: of the draws.
    """
    names = {name: number for number, name in enumerate(dict.fromkeys(groups))}
    pooled = np.zeros((len(names), 2))
    for hit, total, group in zip(hits, totals, groups, strict=True):
        pooled[names[group]] += hit, total
    if not pooled[:, 1].sum():
        return None
    drawn = np.random.default_rng(seed).integers(0, len(names), (samples, len(names)))
    sums = pooled[drawn].sum(axis=1)
    sums = sums[sums[:, 1] > 0]
    low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return Interval(float(pooled[:, 0].sum() / pooled[:, 1].sum()), float(low), float(high))


class Correlation(NamedTuple):
    """Pearson's r and the two-sided p-value of a permutation test; None where one side does not vary."""

    r: float | None
    p: float | None


def correlation(first: Sequence[float], second: Sequence[float], *, samples: int = 2000, seed: int = 0) -> Correlation:
    """How two lists go together; the p-value is the share of shuffled lists that do at least as much."""
    left, right = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(left) < 3 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return Correlation(None, None)
    left, right = left - left.mean(), right - right.mean()
    scale = float(np.sqrt((left**2).sum() * (right**2).sum()))
    seen = float(left @ right) / scale
    generator = np.random.default_rng(seed)
    drawn = np.array([generator.permutation(left) @ right for _ in range(samples)]) / scale
    extreme = int((np.abs(drawn) >= abs(seen) - 1e-12).sum())
    return Correlation(seen, (extreme + 1) / (samples + 1))


class Chance(NamedTuple):
    """What choosing at random gives: the mean, the range of 95% of the draws, and the draws themselves."""

    mean: float
    low: float
    high: float
    draws: npt.NDArray[np.float64]

    def p(self, seen: float) -> float:
        """The share of draws that are at least as good as what was seen."""
        return (int((self.draws >= seen - 1e-12).sum()) + 1) / (len(self.draws) + 1)


def chance(choices: Sequence[int], *, samples: int = 1000, seed: int = 0) -> Chance | None:
    """The share that is right when one of `choices[i]` places, one of them the right one, is drawn; None of nothing."""
    if not len(choices):
        return None
    right = 1 / np.asarray(choices, dtype=float)
    draws = (np.random.default_rng(seed).random((samples, len(right))) < right).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return Chance(float(right.mean()), float(low), float(high), draws)
