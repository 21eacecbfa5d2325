"""Scores consistent with labels: the better label never has the lower score."""

from __future__ import annotations

from citewell.types import Label


def consistent(label: Label, probability: float, supported: float = 0.5, partial: float | None = None) -> float:
    """The probability of support, held within what its label says.

    Where a checker gives its labels by rules beside the probability, both may disagree: the probability is then moved
    to the nearest value that its label allows, so that it stays as well calibrated as it can.

    Args:
        label: what the checker says.
        probability: that the evidence supports the whole claim.
        supported: the probability from which a claim counts as supported.
        partial: the one from which it counts as partially supported; `supported` for checkers that do not tell.
    """
    least = supported if partial is None else min(partial, supported)
    if label == "quoted":
        return 1.0
    if label == "supported":
        return max(probability, supported)
    if label == "partially_supported":
        return min(max(probability, least), supported)
    if label in ("not_supported", "contradicted"):
        return min(probability, least)
    return 0.0
