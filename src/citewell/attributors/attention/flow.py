"""FlashTrace: information flow from the sources to a target's states, directly and through the earlier answer.

Source: Pan et al., Towards Long-Horizon Interpretability: Efficient and Faithful Multi-Token Attribution for Reasoning
LLMs (2026, arXiv 2602.01914; code wbopan/flashtrace, MIT). The tokens of a target are one sum in each layer; each token
has the share by which it is near to it. What flowed from the answer's own words before is traced on to the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.attributors.contexts import Context
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced, sums
from citewell.models.flows import flows
from citewell.models.loading import Kind, Loaded


@dataclass(frozen=True, kw_only=True)
class FlashTrace(Sourced):
    """Cite the sources from which most flows into a target; a pass for all targets, and one a hop.

    Attributes:
        hops: how often what flowed from the answer before a target is traced on; 0 reads what flows directly.
    """

    hops: int = 1
    name: ClassVar[str] = "flashtrace"
    reads: ClassVar[Kind] = "encoder"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hops < 0:
            raise ValueError("hops is at least 0")

    def of(self, loaded: Loaded, context: Context, target_tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) shares of a target's states, added up over layers and hops."""
        prompt = context.prompt()
        at = prompt.answer_at
        weights = np.zeros((len(target_tokens), len(at)))
        for row, tokens in enumerate(target_tokens):
            weights[row, tokens] = 1
        earlier = np.array([np.arange(len(at)) < tokens[0] for tokens in target_tokens])
        flowed = flows(loaded, prompt.ids, at.tolist(), weights)
        scores = sums(flowed, prompt.owners, len(context.spans))
        passed_on = np.ones(len(target_tokens))
        for _ in range(self.hops):
            weights = flowed[:, at] * earlier
            passed_on = passed_on * weights.sum(axis=1) / np.maximum(flowed.sum(axis=1), 1e-12)
            further = np.flatnonzero(passed_on > 0)
            if not len(further):
                break
            flowed = np.zeros_like(flowed)
            flowed[further] = flows(loaded, prompt.ids, at.tolist(), weights[further])
            scores += passed_on[:, None] * sums(flowed, prompt.owners, len(context.spans))
        return scores
