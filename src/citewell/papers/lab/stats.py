"""Correlations with their p-values and stars, bins of positions with intervals, and tests of two distributions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from citewell.errors import MissingExtraError
from citewell.report.intervals import Interval, interval

BINS = 5
_FEW = 7  # all orders of so many pairs are tried
LEVEL = 0.05  # the paper's star


class Correlation(NamedTuple):
    """How two figures go together: the coefficient, its two-sided p-value, and how many pairs it is of."""

    r: float
    p: float
    n: int

    @property
    def stars(self) -> str:
        """One star below 0.05 (the paper's), two below 0.01, three below 0.001."""
        return "*" * sum(self.p < level for level in (LEVEL, 0.01, 0.001))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"r": self.r, "p": self.p, "n": self.n, "stars": self.stars}


class Bin(NamedTuple):
    """The items of one part of the document: their mean quality with its interval, None where there are none."""

    n: int
    mean: Interval | None


def scipy_stats() -> Any:
    """SciPy's statistics.

    Raises:
        MissingExtraError: SciPy is not installed.
    """
    try:
        from scipy import stats
    except ImportError as error:
        raise MissingExtraError("the analyses", "scipy", "bench") from error
    return stats


def correlate(x: Sequence[float], y: Sequence[float], kind: str = "pearson") -> Correlation | None:
    """Pearson's or Spearman's coefficient; None of fewer than three pairs, or where one side does not vary."""
    if len(x) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return None
    stats = scipy_stats()
    found = stats.pearsonr(x, y) if kind == "pearson" else stats.spearmanr(x, y)
    r, p = float(found.statistic), float(found.pvalue)
    if kind == "spearman" and len(x) <= _FEW:
        p = _exact(x, y, abs(r))
    return Correlation(r, p, len(x)) if np.isfinite(r) and np.isfinite(p) else None


def _exact(x: Sequence[float], y: Sequence[float], r: float) -> float:
    """The share of all orders of `y` with so large a rank correlation: for few pairs the usual formula is wrong."""
    stats = scipy_stats()
    ranks, others = stats.rankdata(x), stats.rankdata(y)
    drawn = np.array(list(itertools.permutations(others)))
    centred, mine = drawn - drawn.mean(axis=1, keepdims=True), ranks - ranks.mean()
    found = centred @ mine / np.sqrt((centred**2).sum(axis=1) * (mine**2).sum())
    return float((np.abs(found) >= r - 1e-9).mean())


def bin_of(position: float, bins: int = BINS) -> int:
    """The part of the document in which a position lies."""
    return min(int(position * bins), bins - 1)


def binned(positions: Sequence[float], values: Sequence[float], bins: int = BINS) -> list[Bin]:
    """Means of values by the part of the document."""
    parts: list[list[float]] = [[] for _ in range(bins)]
    for position, value in zip(positions, values, strict=True):
        parts[bin_of(position, bins)].append(value)
    return [Bin(len(part), interval(part) if part else None) for part in parts]


def counted(positions: Sequence[float], bins: int = BINS) -> list[int]:
    """How many positions lie in each part."""
    counts = [0] * bins
    for position in positions:
        counts[bin_of(position, bins)] += 1
    return counts


def same_distribution(first: Sequence[int], second: Sequence[int]) -> float | None:
    """The p-value of two rows of counts coming from one distribution (chi-square); None where that has no answer."""
    kept = [(a, b) for a, b in zip(first, second, strict=True) if a + b]
    if len(kept) < 2 or not sum(first) or not sum(second):
        return None
    return float(scipy_stats().chi2_contingency(np.array(kept).T).pvalue)
