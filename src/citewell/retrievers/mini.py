"""The small model ranks what shared words found: it reads the query and each of the best segments together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell.models import mini
from citewell.retrievers.bm25 import BM25
from citewell.types import Hit, Segment


@dataclass(frozen=True)
class MiniRetriever:
    """Rank the segments that bm25 puts first by what the small model makes of them; the others keep their order.

    Attributes:
        model: a folder that `citewell train mini` made; that of the package citewell-mini where None.
        pool: how many segments the model reads.
    """

    model: str | None = None
    pool: int = 30
    name: ClassVar[str] = "mini"

    def __post_init__(self) -> None:
        if self.pool < 1:
            raise ValueError(f"pool is at least 1, not {self.pool}")
        mini.find(self.model, "relevance")

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        """All segments that have text, best first; scores are log odds, those of the others below all that was read."""
        ranking = BM25().rank(query, segments)
        read, rest = ranking[: self.pool], ranking[self.pool :]
        if not read:
            return ()
        texts = [(segments[hit.position].text, query) for hit in read]
        odds = mini.find(self.model, "relevance").relevance(texts).tolist()
        order = sorted(range(len(read)), key=lambda place: -odds[place])
        least = min(odds)
        above = rest[0].score if rest else 0.0
        return (
            *(Hit(read[place].position, odds[place]) for place in order),
            *(Hit(hit.position, least - 1 - (above - hit.score)) for hit in rest),
        )
