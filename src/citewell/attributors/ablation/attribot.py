"""AttriBoT: faster leave-one-out by caching, by ablating paragraphs first, or by screening with a smaller model.

Source: Liu, Kandpal and Raffel, AttriBoT: A Bag of Tricks for Efficiently Approximating Leave-One-Out Context
Attribution (2025, arXiv 2411.15102; code r-three/AttriBoT, without a licence: only the definition is taken). Keys and
values of what prompts begin with alike are kept; paragraphs are left out first, and single sources only within the
paragraphs that matter most, all others gone; a smaller model chooses the sources among which the model itself tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from citewell.attributors.ablation.leave_one_out import losses
from citewell.attributors.ablation.likelihood import score
from citewell.attributors.contexts import Context, Flags, contexts
from citewell.attributors.places import Place, Positions, join
from citewell.attributors.sourced import Matrix, Sourced, gathered
from citewell.document import Document
from citewell.models.loading import Loaded
from citewell.types import Draft, Granularity, Span

WHOLE: dict[Granularity, Granularity] = {"sentence": "paragraph", "paragraph": "section"}


@dataclass(frozen=True, kw_only=True)
class AttriBoT(Sourced):
    """Leave one out, cheaper.

    Attributes:
        paragraphs: how many paragraphs (sections, where paragraphs are cited) are looked into, of each target the ones
            without which it is least likely; None looks into all.
        proxy: a smaller model that first chooses the sources which the model itself leaves out one by one; hub id or
            path. It need not share the tokenizer.
        sources: how many it chooses for each target.
    """

    paragraphs: int | None = 3
    proxy: str | None = None
    sources: int = 3
    name: ClassVar[str] = "attribot"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sources < 1 or (self.paragraphs is not None and self.paragraphs < 1):
            raise ValueError("paragraphs and sources are at least 1")

    def place_scores(
        self, draft: Draft, documents: Sequence[Document], places: Sequence[Place], wanted: Sequence[Span]
    ) -> Matrix:
        """(targets, sources) what is lost without a source where only those chosen are shown; -inf for the others."""
        loaded = self.loaded()
        prompts = contexts(loaded, draft, documents, places, self.limit)
        count = len(places)
        if self.proxy is not None:
            smaller = replace(self, model=self.proxy, proxy=None)
            chosen = highest(smaller.place_scores(draft, documents, places, wanted), self.sources)
            return gathered(
                prompts,
                wanted,
                count,
                lambda context, tokens, known: self._within(loaded, context, tokens, chosen[known][:, context.there]),
            )
        wholes = whole_of(documents, places) if self.paragraphs is not None else None

        def of(context: Context, tokens: Sequence[Positions], _: Sequence[int]) -> Matrix:
            groups = np.zeros(0) if wholes is None else wholes[context.there]
            numbers = np.unique(groups)
            if self.paragraphs is None or len(numbers) <= self.paragraphs:
                return self.of(loaded, context, tokens)
            lost = self._lost(loaded, context, tokens, np.ones(len(groups), dtype=bool), groups == numbers[:, None])
            kept = highest(lost, self.paragraphs)[:, np.searchsorted(numbers, groups)]
            return self._within(loaded, context, tokens, kept)

        return gathered(prompts, wanted, count, of)

    def of(self, loaded: Loaded, context: Context, tokens: Sequence[Positions]) -> Matrix:
        """(targets, sources) what is lost without each source, all others shown."""
        return self._within(loaded, context, tokens, np.ones((len(tokens), len(context.spans)), dtype=bool))

    def _within(self, loaded: Loaded, context: Context, tokens: Sequence[Positions], chosen: Flags) -> Matrix:
        """What is lost without each chosen source where only these are shown; targets that share them share passes."""
        scores = np.full(chosen.shape, -np.inf)
        for kept in np.unique(chosen, axis=0):
            rows, sources = np.flatnonzero((chosen == kept).all(axis=1)), np.flatnonzero(kept)
            if len(sources):
                lost = self._lost(
                    loaded, context, [tokens[int(row)] for row in rows], kept, np.eye(len(kept), dtype=bool)[kept]
                )
                scores[np.ix_(rows, sources)] = lost
        return scores

    def _lost(
        self, loaded: Loaded, context: Context, tokens: Sequence[Positions], kept: Flags, without: Flags
    ) -> Matrix:
        """(targets, sets) what is lost, of what is kept, without each set of sources."""
        subsets = [kept, *(kept & ~gone for gone in without)]
        return losses(score(loaded, context, subsets, batch=self.batch, reuse=True).log_probability, tokens)


def highest(scores: Matrix, count: int) -> Flags:
    """Which scores of a row are among its highest, of equals the first; those without a score are not."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :count]
    chosen = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(chosen, order, values=True, axis=1)
    return chosen & np.isfinite(scores)


def whole_of(documents: Sequence[Document], places: Sequence[Place]) -> Positions | None:
    """The number of the paragraph that each sentence begins in, or of the section of each paragraph; None for more."""
    unit = WHOLE.get(places[0].segment.granularity)
    if unit is None:
        return None
    starts = [place.start for place in join(documents, unit)]
    return np.searchsorted(starts, [place.start for place in places], side="right") - 1
