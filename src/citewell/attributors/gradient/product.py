"""Input times gradient: the first-order effect of each source's tokens on the log probability of an answer.

Source: Simonyan, Vedaldi and Zisserman (2013) for the gradient, Shrikumar, Greenside, Shcherbina and Kundaje, Not Just
a Black Box (2016) for its product with the input; one backward pass a target over one forward pass. A token's score is
the size of the dot product of its embedding with the gradient of the sum of log probabilities of the target's tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from citewell.attributors.contexts import Context
from citewell.attributors.gradient.slopes import slopes
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced, sums
from citewell.models.loading import Loaded


@dataclass(frozen=True, kw_only=True)
class InputGradient(Sourced):
    """Cite the sources whose embeddings the answer's likelihood hangs on most.

    Attributes:
        mean: score a source by the mean over its tokens, and not by their sum, which favours long ones.
    """

    mean: bool = False
    name: ClassVar[str] = "input-gradient"

    def of(self, loaded: Loaded, context: Context, target_tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) sums over a source's tokens."""
        prompt = context.prompt()
        tokens = token_gradients(loaded, prompt.ids, prompt.answer_at, target_tokens)
        result = sums(tokens, prompt.owners, len(context.spans))
        return (
            result / np.maximum(1, sums(np.ones((1, len(prompt.ids))), prompt.owners, len(context.spans)))
            if self.mean
            else result
        )


def token_gradients(loaded: Loaded, ids: Sequence[int], answer_at: Positions, tokens: Sequence[Positions]) -> Matrix:
    """(targets, tokens) sizes of the products of embedding and gradient.

    Args:
        loaded: a causal model with its head.
        ids: the prompt with the answer.
        answer_at: where the answer's tokens stand.
        tokens: which of these are each target's.

    Raises:
        BackendError: a pass failed.
    """

    def likelihoods(chances: Any) -> list[Any]:
        log_probabilities = chances[list(range(len(answer_at))), [ids[row] for row in answer_at]]
        return [log_probabilities[at.tolist()].sum() for at in tokens]

    return slopes(loaded, ids, answer_at, likelihoods, lambda inputs, slope: (inputs * slope).sum(dim=-1).abs())
