"""Selective answering: the risk as a function of the share of answers given, and the area under this curve.

Source: El-Yaniv and Wiener 2010; Geifman et al. 2019 for the area.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Covered(NamedTuple):
    """What it costs to answer the most confident share of the questions: `risk` is their mean loss."""

    coverage: float
    risk: float


def curve(confidences: Sequence[float], losses: Sequence[float]) -> list[Covered]:
    """One point for each number of answered questions, the most confident first.

    Questions of equal confidence count with the mean of their losses, so that their order does not matter.

    Raises:
        ValueError: there are no questions, or not as many losses.
    """
    if not confidences or len(confidences) != len(losses):
        raise ValueError("a curve needs a confidence and a loss for each question, at least one")
    equal: dict[float, list[float]] = {}
    for confidence, loss in zip(confidences, losses, strict=True):
        equal.setdefault(confidence, []).append(loss)
    total, points = 0.0, list[Covered]()
    for confidence in sorted(equal, reverse=True):
        same = equal[confidence]
        mean = sum(same) / len(same)
        for _ in same:
            total += mean
            points.append(Covered((len(points) + 1) / len(losses), total / (len(points) + 1)))
    return points


def aurc(points: Sequence[Covered]) -> float:
    """The area below the curve: the mean risk over all coverages."""
    return sum(point.risk for point in points) / len(points)


def at(points: Sequence[Covered], coverage: float) -> float:
    """The risk where at least this share of the questions is answered."""
    return next((point.risk for point in points if point.coverage >= coverage - 1e-9), points[-1].risk)
