"""The lexical checker's scores as probabilities: of claims that score 0.7, seven in ten are supported.

What is fitted on changed claims ranks claims by one fact; on claims that people and models write, low scores are too
low and middling ones too high. `scale.json` is made by `lab/benchmarks/fit_scores.py`, which says what it is worth.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from citewell.text.data import settings


class Scale(NamedTuple):
    """Log odds that rise in two straight lines over the raw score, and meet where claims begin to count as supported.

    Attributes:
        knot: where they meet.
        constant: log odds of the raw score 0.
        below: how fast they rise below the knot.
        above: how fast they rise above it.
    """

    knot: float
    constant: float
    below: float
    above: float

    def score(self, raw: float) -> float:
        """The share of claims with this raw score that is supported."""
        odds = self.constant + self.below * min(raw, self.knot) + self.above * max(raw - self.knot, 0.0)
        return 1 / (1 + math.exp(-odds))

    def raw(self, score: float) -> float:
        """The raw score of a score, 0 to 1: `score(raw(x))` is x where any raw score has it."""
        if not self.score(0.0) < score < self.score(1.0):
            return float(score >= self.score(1.0))
        odds = math.log(score / (1 - score)) - self.constant
        low = odds / self.below
        return low if low <= self.knot else self.knot + (odds - self.below * self.knot) / self.above


@cache
def shipped() -> Scale:
    """The scale of the weights in the package."""
    values = settings(__package__, "scale.json")
    return Scale(**{name: values[name] for name in Scale._fields})
