"""Calibration of scores: of all items with a score of 0.8, are eight in ten right?

The expected calibration error is the mean distance between score and share right over ten equal steps of the score,
weighed by how many items fall into each. Few items have an error by chance alone: `by_chance` says how much. A score
can be made a better one on items of one's own: `refitted` shows what is left on items that this was not learned on.

Sources: Guo, Pleiss, Sun and Weinberger, On Calibration of Modern Neural Networks (2017);
Zadrozny and Elkan, Transforming Classifier Scores into Accurate Multiclass Probability Estimates (2002).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

STEPS = 10
_DRAWS = 200

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Names = npt.NDArray[np.str_]


class Step(NamedTuple):
    """The items whose scores fall into one step: their mean score, the share of them that is right, how many."""

    score: float
    right: float
    n: int


class Reliability(NamedTuple):
    """How far scores are from probabilities.

    Attributes:
        steps: those that hold items, from low to high.
        ece: the expected calibration error.
        by_chance: what scores that are probabilities would have on so many items, the mean of random draws.
        refitted: the error of scores refitted on the other folds of sources; None where there are too few.
        n: how many items.
    """

    steps: tuple[Step, ...]
    ece: float
    by_chance: float
    refitted: float | None
    n: int


def reliability(scores: Floats, right: Flags, sources: Names, *, folds: int = 5, seed: int = 0) -> Reliability:
    """Hold scores against what was right.

    Args:
        scores: of the items, 0 to 1.
        right: of each, whether what the score is of is so.
        sources: of each, what it hangs together with others by; they share a fold.
        folds: for `refitted`.
        seed: of the draws and the folds.

    Raises:
        ValueError: there are no items.
    """
    if not len(scores):
        raise ValueError("reliability needs an item at least")
    rng = np.random.default_rng(seed)
    drawn = [ece(scores, rng.random(len(scores)) < scores) for _ in range(_DRAWS)]
    by_fold = _refitted(scores, right, sources, folds, rng)
    refitted = None if by_fold is None else ece(by_fold, right)
    return Reliability(steps(scores, right), ece(scores, right), float(np.mean(drawn)), refitted, len(scores))


def steps(scores: Floats, right: Flags) -> tuple[Step, ...]:
    """The items by their scores, in ten equal steps; empty ones are left out."""
    place = np.minimum((scores * STEPS).astype(int), STEPS - 1)
    return tuple(
        Step(float(scores[place == step].mean()), float(right[place == step].mean()), int((place == step).sum()))
        for step in np.unique(place).tolist()
    )


def ece(scores: Floats, right: Flags) -> float:
    """The expected calibration error."""
    return sum(step.n * abs(step.score - step.right) for step in steps(scores, right)) / len(scores)


def _refitted(scores: Floats, right: Flags, sources: Names, folds: int, rng: np.random.Generator) -> Floats | None:
    """Each fold's scores replaced by the shares of right ones that the others have there, never falling."""
    names, where = np.unique(sources, return_inverse=True)
    if len(names) < 2 * folds:
        return None
    fold, result = rng.permutation(np.arange(len(names)) % folds)[where], np.zeros_like(scores)
    for number in range(folds):
        is_left_out = fold == number
        if is_left_out.any():
            result[is_left_out] = np.interp(scores[is_left_out], *isotonic(scores[~is_left_out], right[~is_left_out]))
    return result


def isotonic(scores: Floats, right: Flags) -> tuple[Floats, Floats]:
    """The shares of right items that never fall with the score and fit best, and the scores that they are of."""
    from scipy.optimize import isotonic_regression

    at, where, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return at, isotonic_regression(np.bincount(where, right) / counts, weights=counts).x
