"""Optimal selection: adds the best next piece of evidence while the probability of support rises enough.

Source: Sancheti, Goswami and Srinivasan, Post-Hoc Answer Attribution for Grounded and Trustworthy Long Document
Comprehension (2024), Algorithm 1. All units grow side by side, so that a round is one batch, and no pair of premise
and hypothesis is scored twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from citewell.document import Document
from citewell.errors import notes
from citewell.protocols import Checker, Pair


class Growth(NamedTuple):
    """The pieces that were chosen for a unit, in order, and the probability after each."""

    chosen: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def score(self) -> float:
        """The probability that the whole set supports the unit."""
        return self.scores[-1] if self.scores else 0.0


@dataclass
class Scorer:
    """Probabilities of support for (premise, hypothesis) pairs by a checker, each pair scored once."""

    checker: Checker
    _known: dict[tuple[str, str], float] = field(default_factory=dict)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One probability a pair; an empty premise supports nothing and is not asked about."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known and pair[0].strip()]
        if new:
            verdicts = self.checker.check([Pair(claim, (Document.from_text(premise),)) for premise, claim in new])
            self._known.update((pair, verdict.score) for pair, verdict in zip(new, verdicts, strict=True))
        notes.count("pairs scored", len(new))
        notes.count("pairs asked for", len(pairs))
        return [self._known.get(pair, 0.0) for pair in pairs]


def grow(
    units: Sequence[str],
    candidates: Sequence[Sequence[int]],
    texts: Sequence[str],
    score: Callable[[Sequence[tuple[str, str]]], Sequence[float]],
    *,
    delta: float = 0.3,
) -> list[Growth]:
    """Algorithm 1 for every unit.

    Args:
        units: the information units.
        candidates: for each unit the positions of its candidate sentences, best first; ties go to the earlier.
        texts: the sentences.
        score: probabilities of support for (premise, hypothesis) pairs.
        delta: how much a further sentence must add.
    """
    chosen: list[list[int]] = [[] for _ in units]
    scores: list[list[float]] = [[] for _ in units]
    active = [number for number in range(len(units)) if candidates[number]]
    while active:
        pairs = [
            (number, candidate)
            for number in active
            for candidate in candidates[number]
            if candidate not in chosen[number]
        ]
        values = score(
            [(" ".join(texts[i] for i in (*chosen[number], candidate)), units[number]) for number, candidate in pairs]
        )
        best: dict[int, tuple[float, int]] = {}
        for (number, candidate), value in zip(pairs, values, strict=True):
            if number not in best or value > best[number][0]:
                best[number] = value, candidate
        active = []
        for number, (value, candidate) in best.items():
            if value > (scores[number][-1] if scores[number] else -1.0) + delta:
                chosen[number].append(candidate)
                scores[number].append(value)
                active.append(number)
    return [Growth(tuple(pieces), tuple(values)) for pieces, values in zip(chosen, scores, strict=True)]
