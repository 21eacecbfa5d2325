"""ContextCite: a sparse linear model of how the likelihood of an answer depends on the sources in the prompt.

Source: Cohen-Wang, Shah, Georgiev and Madry, ContextCite: Attributing Model Generation to Context (2024, arXiv
2409.00729; code MadryLab/context-cite). Random sets of sources, each kept with probability one half; the logit of the
target's probability, by its length; Lasso over standardised masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.attributors.ablation.likelihood import logit, score
from citewell.attributors.contexts import Context, Flags
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced
from citewell.models.loading import Loaded


@dataclass(frozen=True, kw_only=True)
class ContextCite(Sourced):
    """Cite the sources whose presence makes the answer most likely.

    Attributes:
        masks: sets of sources that are tried, a pass each: 32, 64 and 256 in the paper.
        keep: the share of sources in each.
        penalty: of the Lasso, for targets and sources of any number.
        seed: of the sets.
    """

    masks: int = 64
    keep: float = 0.5
    penalty: float = 0.01
    seed: int = 0
    name: ClassVar[str] = "contextcite"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.masks < 2:
            raise ValueError("masks is at least 2")
        if not 0 < self.keep < 1:
            raise ValueError("keep lies between 0 and 1")
        if self.penalty < 0:
            raise ValueError("penalty is at least 0")

    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) weights of the linear models."""
        kept = draws(self.masks, len(context.spans), self.keep, self.seed)
        log_probability = score(loaded, context, kept, batch=self.batch).log_probability
        return np.stack([fitted(np.array(kept), log_probability[:, at], self.penalty) for at in tokens])


def draws(count: int, sources: int, keep: float, seed: int) -> list[Flags]:
    """Sets of sources, as the published code draws them."""
    chances = [1 - keep, keep]
    return [
        np.random.RandomState(seed + number).choice([False, True], size=sources, p=chances) for number in range(count)
    ]


def fitted(kept: Flags, log_probability: Matrix, penalty: float) -> Matrix:
    """The weight of each source for one target.

    Args:
        kept: (prompts, sources) which sources each prompt shows.
        log_probability: (prompts, tokens) of the target's tokens.
        penalty: of the Lasso.
    """
    size = log_probability.shape[1]
    wanted = logit(log_probability.sum(axis=1)) / size
    masks = kept.astype(float)
    deviation = masks.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1)
    weights: Matrix = lasso((masks - masks.mean(axis=0)) / scale, wanted - wanted.mean(), penalty) / scale * size
    return weights


def lasso(features: Matrix, wanted: Matrix, penalty: float, *, rounds: int = 1000, within: float = 1e-10) -> Matrix:
    """Weights w of the least |wanted - features w|² / 2n + penalty |w|₁, for centred columns, by coordinate descent."""
    count, columns = features.shape
    lengths = (features**2).sum(axis=0) / count
    weights = np.zeros(columns)
    rest = wanted.copy()
    for _ in range(rounds):
        change = 0.0
        for column in np.flatnonzero(lengths > 0):
            before = weights[column]
            pull = features[:, column] @ rest / count + lengths[column] * before
            after = np.sign(pull) * max(abs(pull) - penalty, 0) / lengths[column]
            if after != before:
                rest += features[:, column] * (before - after)
                weights[column] = after
                change = max(change, abs(after - before))
        if change < within:
            break
    return weights
