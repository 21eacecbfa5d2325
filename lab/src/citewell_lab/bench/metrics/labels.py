"""Classification: F1 of a class, macro F1, accuracy, balanced accuracy, area under the ROC curve, tuned thresholds."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np


class Counts(NamedTuple):
    """What was found of one class."""

    hit: int
    false: int
    missed: int

    @property
    def precision(self) -> float:
        """Share of what was predicted that is right; 0 where nothing was predicted."""
        return self.hit / (self.hit + self.false) if self.hit + self.false else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold that was predicted; 0 where there is no gold."""
        return self.hit / (self.hit + self.missed) if self.hit + self.missed else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both; 0 where there is neither gold nor prediction."""
        total = 2 * self.hit + self.false + self.missed
        return 2 * self.hit / total if total else 0.0


def counts(gold: Sequence[Hashable], predicted: Sequence[Hashable], label: Hashable) -> Counts:
    """Hits, false alarms and misses of one class. A prediction of None is wrong for every class."""
    pairs = list(zip(gold, predicted, strict=True))
    hit = sum(g == label == p for g, p in pairs)
    return Counts(hit, sum(p == label for _, p in pairs) - hit, sum(g == label for g, _ in pairs) - hit)


def f1(gold: Sequence[Hashable], predicted: Sequence[Hashable], label: Hashable) -> float:
    """F1 of one class."""
    return counts(gold, predicted, label).f1


def macro_f1(gold: Sequence[Hashable], predicted: Sequence[Hashable], labels: Sequence[Hashable]) -> float:
    """Mean of the classes' F1 over those of `labels` that occur in the gold or among the predictions."""
    present = [label for label in labels if label in set(gold) or label in set(predicted)]
    return sum(f1(gold, predicted, label) for label in present) / len(present) if present else 0.0


def accuracy(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Share of right predictions."""
    return sum(g == p for g, p in zip(gold, predicted, strict=True)) / len(gold) if gold else 0.0


def balanced_accuracy(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Mean over the gold's classes of the share found."""
    present = sorted(set(gold), key=repr)
    return sum(counts(gold, predicted, label).recall for label in present) / len(present) if present else 0.0


def roc_auc(positive: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Chance that a positive has a higher score than a negative, ties half; None where a class is empty."""
    flags, values = np.asarray(positive, dtype=bool), np.asarray(scores, dtype=float)
    ups, downs = int(flags.sum()), int((~flags).sum())
    if not ups or not downs:
        return None
    _, inverse, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(sizes) - (sizes - 1) / 2  # the mean rank of each group of equal values, from 1
    return float((ranks[inverse][flags].sum() - ups * (ups + 1) / 2) / (ups * downs))


class Tuned(NamedTuple):
    """The threshold that was best, and the mean F1 and accuracy there."""

    threshold: float
    f1: float
    accuracy: float


def tune(groups: Sequence[tuple[Sequence[bool], Sequence[float], bool]]) -> Tuned:
    """One threshold for several groups: the one with the highest mean F1.

    Each group is (gold, scores, target): whether each item is supported, the probability of support, and the class
    whose F1 counts. An item is predicted supported where its score reaches the threshold. Of equally good thresholds
    the one with the higher accuracy counts, then the lower. Between two neighbouring scores the threshold stands
    halfway.

    Source: the protocol of Chen et al. 2023, section 7.1.
    """
    values = np.unique(np.concatenate([np.asarray(scores, dtype=float) for _, scores, _ in groups]))
    thresholds = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2, values[-1:] + 1e-9])
    f1s, accuracies = np.zeros(len(thresholds)), np.zeros(len(thresholds))
    for gold, scores, target in groups:
        flags, score_array = np.asarray(gold, dtype=bool), np.asarray(scores, dtype=float)
        ups, downs = np.sort(score_array[flags]), np.sort(score_array[~flags])
        below_up = np.searchsorted(ups, thresholds, side="left")  # supported, predicted unsupported
        below_down = np.searchsorted(downs, thresholds, side="left")  # unsupported, predicted so
        right_up = len(ups) - below_up
        hit = right_up if target else below_down
        wrong = below_up + (len(downs) - below_down)
        f1s += np.divide(2 * hit, 2 * hit + wrong, out=np.zeros(len(thresholds)), where=2 * hit + wrong > 0)
        accuracies += (right_up + below_down) / max(1, len(score_array))
    best = np.lexsort((thresholds, -accuracies.round(12), -f1s.round(12)))[0]
    return Tuned(float(thresholds[best]), float(f1s[best] / len(groups)), float(accuracies[best] / len(groups)))
