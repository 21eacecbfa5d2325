"""Retrieval without a query: ranks segments by how well all segments of the document retrieve them.

Source: Buchmann et al., Attribute or Abstain (2024), appendix F.2: every segment is a query, scores are summed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell import registry
from citewell.retrievers.ranking import hits, with_text
from citewell.types import Hit, Segment


@dataclass(frozen=True, kw_only=True)
class SelfSimilarity:
    """Rank by the sum of the scores that all segments give as queries.

    Attributes:
        retriever: the spec of the retriever that scores.
    """

    retriever: str = "bm25"
    name: ClassVar[str] = "self-similarity"

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:  # noqa: ARG002 the Protocol's; unused by nature
        """All segments that have text, best first, ties by position; the query is not read."""
        ranker = registry.build("retriever", self.retriever)
        positions = with_text(segments)
        texts = [segments[position].text for position in positions]
        many = getattr(ranker, "rank_many", None)
        rankings = many(texts, segments) if many else [ranker.rank(text, segments) for text in texts]
        totals = np.zeros(len(segments), dtype=np.float32)
        for ranking in rankings:
            for hit in ranking:
                totals[hit.position] += hit.score
        return hits(totals[positions], positions)
