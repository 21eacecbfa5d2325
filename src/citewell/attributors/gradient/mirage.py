"""MIRAGE: finds answer tokens that the sources change, and attributes each to the responsible source tokens.

Source: Qi, Sarti, Fernández and Bisazza, Model Internals-based Answer Attribution for Trustworthy Retrieval-Augmented
Generation (EMNLP 2024, arXiv 2406.13663; code Betswish/MIRAGE, over inseq), after PECoRe (arXiv 2310.01188). A token is
sensitive where the divergence of what could stand there with the sources from what could without is a deviation above
the answer's mean. The gradient of how much likelier it is than what would stand there without gives the cues: tokens of
the sources within the top 5% of the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from citewell.attributors.ablation.likelihood import distributions
from citewell.attributors.contexts import Context
from citewell.attributors.gradient.slopes import slopes
from citewell.attributors.places import Positions
from citewell.attributors.sourced import Matrix, Sourced, sums
from citewell.models.loading import Loaded


@dataclass(frozen=True, kw_only=True)
class Mirage(Sourced):
    """Cite the sources whose tokens decide what the sources change in an answer; none where they change nothing.

    Attributes:
        deviations: how many standard deviations above the answer's mean a token's divergence has to lie.
        share: of the range of a token's gradients, from the top, that is kept.
        strongest: keep so many tokens of the sources instead.
        k: citations a target where the caller names no number, at most.
    """

    deviations: float = 1.0
    share: float = 0.05
    strongest: int | None = None
    k: int = 3
    name: ClassVar[str] = "mirage"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.share <= 1 or (self.strongest is not None and self.strongest < 1):
            raise ValueError("share lies between 0 and 1, and strongest is at least 1")

    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) sums of the gradients that are kept; -inf where there is none."""
        prompt = context.prompt()
        divergence, without = changed(loaded, context)
        sensitive = divergence >= divergence.mean() + self.deviations * divergence.std()
        sensitive_tokens = [token for token in np.unique(np.concatenate(list(tokens))).tolist() if sensitive[token]]
        scores = np.zeros((len(tokens), len(context.spans)))
        if sensitive_tokens and (prompt.owners >= 0).any():

            def differences(chances: Any) -> list[Any]:
                pairs = [(token, context.ids[token], int(without[token])) for token in sensitive_tokens]
                return [
                    chances[token, token_id] - (chances[token, other] if other != token_id else 0)
                    for token, token_id, other in pairs
                ]

            values = slopes(loaded, prompt.ids, prompt.answer_at, differences, lambda _, slope: slope.norm(dim=-1))
            values[:, prompt.owners < 0] = -np.inf
            by_source = sums(cues(values, self.share, self.strongest), prompt.owners, len(context.spans))
            for row, at in enumerate(tokens):
                scores[row] = by_source[np.isin(sensitive_tokens, at)].sum(axis=0)
        return np.where(scores > 0, scores, -np.inf)


def changed(loaded: Loaded, context: Context) -> tuple[Matrix, Positions]:
    """How far each of the answer's tokens is from what would stand there without sources, and what that would be."""
    prompts = [context.prompt(), context.prompt(np.zeros(len(context.spans), dtype=bool))]
    starts = [int(prompt.answer_at[0]) for prompt in prompts]
    full, bare = distributions(loaded, [(prompt.ids, None) for prompt in prompts], starts, len(context.ids))
    divergence = (full.exp() * (full - bare)).nan_to_num().sum(dim=-1)
    return divergence.double().cpu().numpy(), bare.argmax(dim=-1).cpu().numpy()


def cues(values: Matrix, share: float, strongest: int | None) -> Matrix:
    """The values of each row that lie within the top of its range, or are its strongest; 0 for the others.

    Args:
        values: (tokens of the answer, tokens of the prompt); -inf for those that are no source's.
        share: of the range, from the top.
        strongest: how many instead.
    """
    known = np.where(np.isfinite(values), values, np.nan)
    if strongest is None:
        highest, lowest = np.nanmax(known, axis=1), np.nanmin(known, axis=1)
        least = highest - share * (highest - lowest)
    else:
        least = -np.sort(-values, axis=1)[:, min(strongest, values.shape[1]) - 1]
    kept: Matrix = np.where(values >= least[:, None], known, 0)
    return np.nan_to_num(kept)
