"""Combines the scores of words and judge: a line over both log odds, fitted on other sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SQUARE = 0.01  # what a weight's square costs
DISAGREEING = 0.95  # the share of claims on which both agree well enough


class Blend(NamedTuple):
    """The weights of the log odds of words and judge, and what is added."""

    words: float
    model: float
    shift: float

    def odds(self, words: Floats, judge: Floats) -> Floats:
        """(n,) log odds from those of both."""
        return self.words * words + self.model * judge + self.shift


def fit(words: Floats, judge: Floats, supported: npt.NDArray[np.bool_], sets: npt.NDArray[np.str_]) -> Blend:
    """The line that gives the most likely labels; no weight is negative, and every set weighs alike."""
    from scipy.optimize import minimize

    table = np.stack([words, judge], axis=1)
    turn = np.where(supported, 1.0, -1.0)
    weight = np.zeros(len(words))
    for name in np.unique(sets):
        weight[sets == name] = 1 / (sets == name).sum()
    weight /= weight.sum()

    def loss(line: Floats) -> tuple[float, Floats]:
        odds = turn * (table @ line[:2] + line[2])
        slope = -turn * weight / (1 + np.exp(np.clip(odds, -60, 60)))
        total = float((np.logaddexp(0, -odds) * weight).sum() + SQUARE * (line[:2] ** 2).sum() / 2)
        return total, np.append(table.T @ slope + SQUARE * line[:2], slope.sum())

    best = minimize(
        loss, np.array([0.5, 0.5, 0.0]), jac=True, method="L-BFGS-B", bounds=[(0, None), (0, None), (None, None)]
    )
    return Blend(*(round(float(value), 4) for value in best.x))


def crossed(words: Floats, judge: Floats, supported: npt.NDArray[np.bool_], sets: npt.NDArray[np.str_]) -> Floats:
    """(n,) log odds of every claim by a line that was fitted on the other sets."""
    result = np.zeros(len(words))
    for name in np.unique(sets):
        here = sets == name
        line = fit(words[~here], judge[~here], supported[~here], sets[~here])
        result[here] = line.odds(words[here], judge[here])
    return result


def settings(
    words: Sequence[float], judge: Sequence[float], supported: Sequence[bool], sets: Sequence[str]
) -> dict[str, object]:
    """What `judge.json` says of the combination: the line, the probability from which it counts, the disagreement."""
    both = np.array(words), np.array(judge)
    line = fit(*both, np.array(supported), np.array(sets))
    apart = np.abs(1 / (1 + np.exp(-both[0])) - 1 / (1 + np.exp(-both[1])))
    return {"support": line._asdict(), "supported": 0.5, "apart": round(float(np.quantile(apart, DISAGREEING)), 3)}
