"""Scores that never contradict their label: the better label never has the lower score."""

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


def ordered(label: Label, probability: float, supported: float, partial: float) -> float:
    """The same, but claims of one label keep the order of their probabilities: none of them tie at an end.

    What a label does not allow is drawn together instead of cut off: the upper half of the scores of claims that are
    not supported takes all higher probabilities, and those of partial support lie where the probability does between
    0 and `supported`.
    """
    if label == "partially_supported":
        return partial + (supported - partial) * min(probability / supported, 1.0)
    if label in ("not_supported", "contradicted") and probability > partial / 2:
        middle = partial / 2
        return middle + (partial - middle) * (probability - middle) / (1 - middle)
    return consistent(label, probability, supported, partial)
