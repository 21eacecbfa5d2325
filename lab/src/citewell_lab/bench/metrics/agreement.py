"""Agreement of annotators, and what people, chance and the commonest label reach (Chen et al. 2023, section 7.1)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

from citewell.errors import MissingExtraError
from citewell_lab.bench.metrics.labels import accuracy, f1


def human(annotations: Sequence[Sequence[bool]], target: bool) -> tuple[float, float]:
    """F1 and accuracy of one annotator's labels against another's, the mean over all pairs of annotators."""
    pairs = list(combinations(range(min(map(len, annotations), default=0)), 2))
    columns = list(zip(*annotations, strict=False))
    figures = [(f1(columns[a], columns[b], target), accuracy(columns[a], columns[b])) for a, b in pairs]
    return _mean(figures)


def cohen(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's kappa of two annotators' labels; None where both gave one and the same label throughout, or none."""
    count = len(first)
    if not count:
        return None
    same = sum(a == b for a, b in zip(first, second, strict=True)) / count
    of_second = Counter(second)
    by_chance = sum(number * of_second[label] for label, number in Counter(first).items()) / count**2
    return None if by_chance == 1 else (same - by_chance) / (1 - by_chance)


def alpha(units: Sequence[Sequence[Hashable]], order: Sequence[Hashable] = ()) -> float | None:
    """Krippendorff's alpha (2004) of labels, unit by unit; None where all labels are the same.

    Annotators need not be the same people, nor as many; a unit with one label alone does not count. With `order`
    labels are steps on that scale (squared distance), else names.

    Raises:
        MissingExtraError: nltk is not installed.
    """
    rated = [labels for labels in units if len(labels) > 1]
    if len({label for labels in rated for label in labels}) < 2:
        return None
    try:
        from nltk.metrics.agreement import AnnotationTask
        from nltk.metrics.distance import binary_distance, interval_distance
    except ModuleNotFoundError as error:
        raise MissingExtraError("Krippendorff's alpha", "nltk", "bench", "citewell-lab") from error
    rows = [
        (f"annotator {place}", f"unit {number}", order.index(label) if order else label)
        for number, labels in enumerate(rated)
        for place, label in enumerate(labels)
    ]
    return float(AnnotationTask(rows, distance=interval_distance if order else binary_distance).alpha())


def majority(gold: Sequence[bool], target: bool) -> tuple[float, float]:
    """F1 and accuracy of the commonest label for everything."""
    label = 2 * sum(gold) >= len(gold)
    predicted = [label] * len(gold)
    return f1(gold, predicted, target), accuracy(gold, predicted)


def chance(gold: Sequence[bool], target: bool, *, draws: int = 100, seed: int = 0) -> tuple[float, float]:
    """F1 and accuracy of labels drawn with the gold's shares, the mean over draws."""
    generator, share = random.Random(seed), sum(gold) / len(gold) if gold else 0.0  # noqa: S311  (not for secrets)
    figures = []
    for _ in range(draws):
        predicted = [generator.random() < share for _ in gold]
        figures.append((f1(gold, predicted, target), accuracy(gold, predicted)))
    return _mean(figures)


def _mean(figures: Sequence[tuple[float, float]]) -> tuple[float, float]:
    if not figures:
        return 0.0, 0.0
    return sum(a for a, _ in figures) / len(figures), sum(b for _, b in figures) / len(figures)
