"""Correlation of two figures: a coefficient with its p-value, by a formula or by permutation."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from citewell.errors import MissingExtraError

_FEW = 7  # all orders of so many pairs are tried
LEVEL = 0.05  # the usual star


class Correlation(NamedTuple):
    """The coefficient, its two-sided p-value, and how many pairs it is of."""

    r: float
    p: float
    n: int

    @property
    def stars(self) -> str:
        """One star below 0.05, two below 0.01, three below 0.001."""
        return "*" * sum(self.p < level for level in (LEVEL, 0.01, 0.001))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"r": self.r, "p": self.p, "n": self.n, "stars": self.stars}


def scipy_stats() -> Any:
    """SciPy's statistics.

    Raises:
        MissingExtraError: SciPy is not installed.
    """
    try:
        from scipy import stats
    except ImportError as error:
        raise MissingExtraError("a statistical test", "scipy", "bench", "citewell-lab") from error
    return stats


def correlate(
    x: Sequence[float], y: Sequence[float], kind: str = "pearson", *, shuffles: int = 0, seed: int = 0
) -> Correlation | None:
    """Pearson's or Spearman's coefficient; None of fewer than three pairs, or where one side does not vary.

    Args:
        x: one figure of each pair.
        y: the other.
        kind: `pearson` or `spearman`.
        shuffles: with it p is the share of so many shuffled lists that do at least as much (for outcomes of 0 and 1).
        seed: of the shuffling.
    """
    if len(x) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return None
    stats = scipy_stats()
    test = stats.pearsonr(x, y) if kind == "pearson" else stats.spearmanr(x, y)
    r, p = float(test.statistic), float(test.pvalue)
    if shuffles:
        p = _shuffled(np.asarray(x, dtype=float), np.asarray(y, dtype=float), shuffles, seed)
    elif kind == "spearman" and len(x) <= _FEW:
        p = _exact(stats.rankdata(x), stats.rankdata(y))
    return Correlation(r, p, len(x)) if np.isfinite(r) and np.isfinite(p) else None


def _shuffled(x: Any, y: Any, shuffles: int, seed: int) -> float:
    x, y = x - x.mean(), y - y.mean()
    generator = np.random.default_rng(seed)
    drawn = np.abs([generator.permutation(x) @ y for _ in range(shuffles)])
    level = abs(x @ y) - 1e-12 * np.sqrt((x @ x) * (y @ y))
    return (int((drawn >= level).sum()) + 1) / (shuffles + 1)


def _exact(x: Any, y: Any) -> float:
    """The share of all orders of `y` that do at least as much: for few pairs the usual formula is wrong."""
    drawn = np.abs((np.array(list(itertools.permutations(y))) - y.mean()) @ (x - x.mean()))
    return float((drawn >= abs((y - y.mean()) @ (x - x.mean())) - 1e-9).mean())
