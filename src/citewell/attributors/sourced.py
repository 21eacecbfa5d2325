"""Shared by attributors that score sources: sources in prompts, an answer's tokens, scores per source and target."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from citewell.attributors.contexts import Context, contexts
from citewell.attributors.places import Place, Positions, RanksPlaces
from citewell.document import Document
from citewell.models.attention import causal
from citewell.models.loading import Kind, Loaded
from citewell.models.local import BatchedModel
from citewell.types import Draft, Span

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Sourced(BatchedModel, RanksPlaces):
    """Cite the sources of the highest scores.

    Attributes:
        model: a causal model; hub id or path.
        k: citations a target where the caller names no number.
        limit: most tokens of a prompt, for less than the model takes.
    """

    batch: int = 8
    k: int = 1
    limit: int | None = None
    reads: ClassVar[Kind] = "causal"  # the model with its head, or `encoder`, without

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k < 1:
            raise ValueError("k is at least 1")

    def place_scores(
        self, draft: Draft, documents: Sequence[Document], places: Sequence[Place], wanted: Sequence[Span]
    ) -> Matrix:
        """(targets, sources) scores; -inf where a target has no token."""
        loaded = self.loaded()
        prompts = contexts(loaded, draft, documents, places, self.limit)
        return gathered(prompts, wanted, len(places), lambda context, tokens, _: self.of(loaded, context, tokens))

    def loaded(self) -> Loaded:
        """The model, with its head where that is read.

        Raises:
            BackendError: it cannot be loaded, or its tokens see what follows them.
        """
        return causal(self.load(self.reads))

    @abstractmethod
    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) scores in one context, for targets by their tokens among the answer's."""


def gathered(
    prompts: Sequence[Context],
    wanted: Sequence[Span],
    count: int,
    of: Callable[[Context, Sequence[Positions], Sequence[int]], Matrix],
) -> Matrix:
    """(targets, sources) scores of all contexts together; -inf where a target has no token.

    Args:
        prompts: the contexts.
        wanted: the targets.
        count: how many sources there are.
        of: (targets, sources) scores in one context, of the targets that have tokens there, given by these tokens and
            by their numbers.
    """
    scores = np.full((len(wanted), count), -np.inf)
    for context in prompts:
        tokens = [context.of(target) for target in wanted]
        known = [number for number, at in enumerate(tokens) if len(at)]
        if known:
            there = context.there
            values = of(context, [tokens[number] for number in known], known)
            # A target that is cut between parts of the answer has the sum over its parts.
            before = np.where(np.isfinite(scores[known, there]), scores[known, there], 0)
            scores[known, there] = before + values
    return scores


def sums(values: Matrix, owners: Positions, count: int) -> Matrix:
    """(rows, sources) sums of (rows, tokens) values over each source's tokens.

    Args:
        values: of the tokens of a prompt.
        owners: whose each token is, -1 for nobody's.
        count: how many sources there are.
    """
    is_source = owners >= 0
    result = np.zeros((count, len(values)))
    np.add.at(result, owners[is_source], values[:, is_source].T)
    return result.T
