"""Random choices: folds of questions, and the result of choosing by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell_lab.report.intervals import between
from citewell_lab.report.values import Interval


def folds(groups: Sequence[str], count: int, seed: int = 0) -> list[list[int]]:
    """Positions dealt into `count` folds, all of a group into one; fewer folds where there are fewer groups."""
    names = list(dict.fromkeys(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    count = max(1, min(count, len(names)))
    fold = {names[name]: place % count for place, name in enumerate(order.tolist())}
    return [[i for i, group in enumerate(groups) if fold[group] == number] for number in range(count)]


class Chance(NamedTuple):
    """What choosing at random gives: the mean with the range of 95% of the draws, and the draws themselves."""

    range: Interval
    draws: npt.NDArray[np.float64]

    def p(self, value: float) -> float:
        """The share of draws that are at least as good as what was seen."""
        return (int((self.draws >= value - 1e-12).sum()) + 1) / (len(self.draws) + 1)


def chance(choices: Sequence[int], *, samples: int = 1000, seed: int = 0) -> Chance | None:
    """The share that is right when one of `choices[i]` places, one of them the right one, is drawn; None of nothing."""
    if not len(choices):
        return None
    right = 1 / np.asarray(choices, dtype=float)
    draws = (np.random.default_rng(seed).random((samples, len(right))) < right).mean(axis=1)
    return Chance(between(float(right.mean()), draws), draws)
