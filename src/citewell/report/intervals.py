"""Bootstrap: intervals of a mean, and the paired comparison of two systems on the same items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Interval(NamedTuple):
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float


class Paired(NamedTuple):
    """The mean difference, its 95% interval, and the two-sided p-value of no difference."""

    difference: float
    low: float
    high: float
    p: float


_BLOCK = 1_000_000  # drawn positions held at once


def _means(values: np.ndarray, samples: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    rows = max(1, _BLOCK // max(1, len(values)))
    parts = []
    while samples > 0:
        take = min(rows, samples)
        parts.append(values[generator.integers(0, len(values), (take, len(values)))].mean(axis=1))
        samples -= take
    return np.concatenate(parts)


def interval(values: Sequence[float], *, samples: int = 2000, seed: int = 0) -> Interval:
    """The mean of values and its percentile interval.

    Raises:
        ValueError: there are no values.
    """
    if not len(values):
        raise ValueError("an interval needs at least one value")
    array = np.asarray(values, dtype=float)
    low, high = np.percentile(_means(array, samples, seed), [2.5, 97.5])
    return Interval(float(array.mean()), float(low), float(high))


def paired(first: Sequence[float], second: Sequence[float], *, samples: int = 10_000, seed: int = 0) -> Paired:
    """How much the second system is better, item by item.

    The p-value is the share of resampled differences, centred on zero, that are at least as large as the one seen.

    Raises:
        ValueError: there are no items, or not the same number.
    """
    if len(first) != len(second) or not len(first):
        raise ValueError("a paired comparison needs the same items, at least one")
    difference = np.asarray(second, dtype=float) - np.asarray(first, dtype=float)
    drawn = _means(difference, samples, seed)
    seen = float(difference.mean())
    low, high = np.percentile(drawn, [2.5, 97.5])
    extreme = int((np.abs(drawn - seen) >= abs(seen) - 1e-12).sum())
    return Paired(seen, float(low), float(high), (extreme + 1) / (samples + 1))
