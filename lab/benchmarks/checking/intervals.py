"""Figures of scores against labels: AUC, accuracy and macro F1 at crossed thresholds, caught at 75% kept, intervals.

Every function takes arrays: `scores` (higher is better supported), `good` (supported or not) and `groups` (numbers).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from citewell_lab.bench.metrics.kept import threshold_at_kept

FOLDS = 5


class Interval(NamedTuple):
    """A figure and its 95% interval over resampled groups."""

    value: float
    low: float
    high: float

    def __format__(self, _: str) -> str:
        return (
            f"{100 * self.value:5.1f} ({100 * self.low:4.1f}-{100 * self.high:4.1f})"
            if self.value == self.value
            else "-"
        )


def auc(scores, good, weights=None):
    """Weighted chance that a supported claim has the higher score, ties half. `weights` may be (resamples, rows)."""
    weights = np.ones((1, len(scores))) if weights is None else np.atleast_2d(weights)
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=-np.inf))
    up = np.add.reduceat(weights[:, order] * good[order], starts, axis=1)
    down = np.add.reduceat(weights[:, order] * ~good[order], starts, axis=1)
    below = np.cumsum(down, axis=1) - down / 2
    total = up.sum(axis=1) * down.sum(axis=1)
    return np.divide((up * below).sum(axis=1), total, out=np.full(len(weights), np.nan), where=total > 0)


def caught_at_kept(scores, good, weights=None):
    """The share of unsupported claims under the threshold that keeps 75% of the supported ones."""
    weights = np.ones((1, len(scores))) if weights is None else np.atleast_2d(weights)
    result = np.full(len(weights), np.nan)
    for number, row in enumerate(weights):
        if (row * good).sum() and (row * ~good).sum():
            threshold = threshold_at_kept(scores[good], weights=row[good])
            result[number] = np.average(scores[~good] < threshold, weights=row[~good])
    return result


def resamples(groups, number=100, seed=0):
    """Weights of rows when groups are drawn with replacement."""
    names, position = np.unique(groups, return_inverse=True)
    generator = np.random.default_rng(seed)
    draws = generator.multinomial(len(names), np.full(len(names), 1 / len(names)), size=number)
    return draws[:, position]


def interval(figure, scores, good, groups, number=100):
    """A figure with its interval; `figure` is `auc` or `caught_at_kept`."""
    if not good.any() or good.all():
        return Interval(math.nan, math.nan, math.nan)
    drawn = figure(scores, good, resamples(groups, number))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Interval(float(figure(scores, good)[0]), float(low), float(high))


def _macro_f1(hit, predicted, actual, total):
    """Of both classes from counts of the supported ones; all may be arrays."""
    f1 = 2 * hit / np.maximum(1, predicted + actual)
    other = 2 * (total - predicted - actual + hit) / np.maximum(1, 2 * total - predicted - actual)
    return (f1 + other) / 2


def _best(scores, good, *, macro):
    values, inverse = np.unique(scores, return_inverse=True)
    up = np.bincount(inverse, weights=good, minlength=len(values))
    all_ = np.bincount(inverse, minlength=len(values))
    hit = np.concatenate((np.cumsum(up[::-1])[::-1], [0]))
    predicted = np.concatenate((np.cumsum(all_[::-1])[::-1], [0]))
    actual, total = good.sum(), len(good)
    right = hit + total - actual - (predicted - hit)
    quality = _macro_f1(hit, predicted, actual, total) if macro else right
    edges = np.concatenate((values[:1], (values[1:] + values[:-1]) / 2, values[-1:] + 1e-9))
    return edges[int(np.argmax(quality))]


def crossed(scores, good, groups, *, macro=False):
    """Predictions, each at the threshold that was best on the other folds of groups."""
    names, position = np.unique(groups, return_inverse=True)
    fold = np.random.default_rng(0).permutation(len(names))[position] % FOLDS
    predicted = np.zeros(len(scores), dtype=bool)
    for number in range(FOLDS):
        here = fold == number
        if here.any() and not here.all():
            predicted[here] = scores[here] >= _best(scores[~here], good[~here], macro=macro)
    return predicted


def accuracy(scores, good, groups):
    return float((crossed(scores, good, groups) == good).mean())


def macro_f1(scores, good, groups):
    predicted = crossed(scores, good, groups, macro=True)
    return float(_macro_f1((predicted & good).sum(), predicted.sum(), good.sum(), len(good)))


def ranked(scores, pairs):
    """The share of (supported, unsupported) pairs in the right order, ties half."""
    if not len(pairs):
        return math.nan
    first, second = scores[pairs[:, 0]], scores[pairs[:, 1]]
    return float(((first > second) + 0.5 * (first == second)).mean())
