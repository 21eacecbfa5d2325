"""Evidence: F1 of sets of segments, the best of alternative sets, precision, recall and F1 of the first k."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple


def set_f1(predicted: AbstractSet[int], gold: AbstractSet[int]) -> float:
    """F1 of two sets. Without gold: 1 if nothing was predicted, else 0 (LAB, section 4.2.2)."""
    if not gold:
        return 0.0 if predicted else 1.0
    return 2 * len(predicted & gold) / (len(predicted) + len(gold))


def best_set_f1(predicted: AbstractSet[int], alternatives: Collection[AbstractSet[int]]) -> float:
    """The best F1 over alternative gold sets; none at all counts as one empty set."""
    return max((set_f1(predicted, gold) for gold in alternatives), default=set_f1(predicted, frozenset()))


class Ranked(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def at_k(ranked: Sequence[int], gold: AbstractSet[int], k: int) -> Ranked:
    """Of the first k predictions, repeats dropped. Precision divides by what was predicted, k or fewer.

    Source: Sancheti et al. 2024, section 4. Without predictions all three are 0.
    """
    first = list(dict.fromkeys(ranked))[:k]
    hit = len(gold & set(first))
    precision = hit / len(first) if first else 0.0
    recall = hit / len(gold) if gold else 0.0
    return Ranked(precision, recall, 2 * precision * recall / (precision + recall) if hit else 0.0)
