"""Rows that need no system: what people, chance and the commonest label reach (Chen et al. 2023, section 7.1)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from citewell_lab.bench.metrics.labels import accuracy, f1


def human(annotations: Sequence[Sequence[bool]], target: bool) -> tuple[float, float]:
    """F1 and accuracy of one annotator's labels against another's, the mean over all pairs of annotators."""
    pairs = list(combinations(range(min(map(len, annotations), default=0)), 2))
    columns = list(zip(*annotations, strict=False))
    figures = [(f1(columns[a], columns[b], target), accuracy(columns[a], columns[b])) for a, b in pairs]
    return _mean(figures)


def cohen(first: Sequence[bool], second: Sequence[bool]) -> float | None:
    """Cohen's kappa of two annotators; None where both gave one and the same label throughout."""
    count = len(first)
    same = sum(a == b for a, b in zip(first, second, strict=True)) / count if count else 0.0
    shares = sum(first) / count * sum(second) / count if count else 1.0
    chance_alone = shares + (1 - sum(first) / count) * (1 - sum(second) / count) if count else 1.0
    return None if chance_alone == 1 else (same - chance_alone) / (1 - chance_alone)


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
