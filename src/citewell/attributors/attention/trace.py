"""AttnTrace: the most attended tokens of each source, averaged over prompts with random parts of the sources.

Source: Wang et al., AttnTrace: Attention-based Context Traceback for Long-Context LLMs (2025, arXiv 2508.03793). The
attention of the answer's predicting rows, all layers and heads alike; a source has the mean of its five most attended
tokens, so that long sources gain nothing by their length; thirty draws of 40% of the sources, so that attention is not
spread over all that say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np

from citewell.attributors.attention.at2 import uniform
from citewell.attributors.attention.masses import summed
from citewell.attributors.contexts import Context, Flags
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced
from citewell.models.loading import Kind, Loaded


@dataclass(frozen=True, kw_only=True)
class AttnTrace(Sourced):
    """Cite the sources whose strongest tokens the answer looks at most; a pass a draw, for all targets.

    Attributes:
        draws: prompts that each show a part of the sources; 0 reads one prompt with all of them.
        share: how large that part is.
        top: tokens of a source that count.
        seed: of the draws.
    """

    draws: int = 30
    share: float = 0.4
    top: int = 5
    seed: int = 0
    name: ClassVar[str] = "attntrace"
    reads: ClassVar[Kind] = "encoder"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draws < 0 or self.top < 1 or not 0 < self.share <= 1:
            raise ValueError("draws is at least 0, top at least 1, and share lies between 0 and 1")

    def of(self, loaded: Loaded, context: Context, target_tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) means over the draws that show a source; a source that none shows has -inf."""
        count = len(context.spans)
        totals, draws = np.zeros((len(target_tokens), count)), np.zeros(count)
        for kept in parts(count, self.draws, self.share, self.seed):
            prompt = context.prompt(kept)
            rows = summed(loaded, prompt.ids, [prompt.answer_at[at] - 1 for at in target_tokens], uniform(loaded))
            for source in np.flatnonzero(kept):
                tokens = rows[:, prompt.owners == source]
                if tokens.shape[1]:
                    totals[:, source] += strongest(tokens, self.top)
            draws += kept
        return np.where(draws > 0, totals / np.maximum(draws, 1), -np.inf)


def parts(count: int, draws: int, share: float, seed: int) -> list[Flags]:
    """Which sources each draw shows; all of them where there are no draws."""
    if not draws:
        return [np.ones(count, dtype=bool)]
    generator = np.random.default_rng(seed)
    size = min(count, max(1, ceil(share * count)))
    result = []
    for _ in range(draws):
        kept = np.zeros(count, dtype=bool)
        kept[generator.choice(count, size, replace=False)] = True
        result.append(kept)
    return result


def strongest(tokens: np.ndarray, top: int) -> np.ndarray:
    """The mean of the `top` highest values of each row, of all where there are fewer."""
    best: np.ndarray = np.sort(tokens, axis=1)[:, -top:].mean(axis=1)
    return best
