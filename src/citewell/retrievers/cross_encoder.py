"""Cross-encoder retrieval: a classifier with one logit reads query and segment together.

Source: Nogueira and Cho, Passage Re-ranking with BERT (2019); the models are those of sentence-transformers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell.models.classify import Matrix, logits, sigmoid, softmax
from citewell.models.loading import load
from citewell.retrievers.ranking import hits, with_text
from citewell.types import Hit, Segment


@dataclass(frozen=True, kw_only=True)
class CrossEncoder:
    """Rank by the relevance that a pair classifier gives.

    Attributes:
        model: a sequence classifier with one logit, or with two where the second means relevant; hub id or path.
        batch: most pairs in a batch.
        limit: most tokens of a pair.
    """

    model: str = "cross-encoder/ms-marco-MiniLM-L6-v2"
    revision: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    batch: int = 32
    limit: int | None = None
    name: ClassVar[str] = "cross-encoder"

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        """All segments that have text, best first, ties by position; scores are probabilities of relevance.

        Raises:
            BackendError: the model cannot be loaded.
        """
        return self.rank_many([query], segments)[0]

    def rank_many(self, queries: Sequence[str], segments: Sequence[Segment]) -> list[tuple[Hit, ...]]:
        """The ranking for each query; the pairs of all queries are batched together."""
        positions = with_text(segments)
        if not positions or not queries:
            return [() for _ in queries]
        pairs = [(segments[position].text, query) for query in queries for position in positions]
        scores = self._relevance(pairs).reshape(len(queries), len(positions))
        return [hits(row, positions) for row in scores]

    def _relevance(self, pairs: list[tuple[str, str]]) -> Matrix:
        loaded = load("classifier", self.model, self.revision, self.device, self.dtype)
        # Such models read the query first, and a passage that is too long is cut: see `swapped`.
        found = logits(loaded, pairs, size=self.batch, limit=self.limit, swapped=True)
        return sigmoid(found[:, 0]) if found.shape[1] == 1 else softmax(found)[:, 1]
