"""Hybrid retrieval: ranks segments by shared words and by similarity of meaning, combined.

The score of a segment is a weighted mean of the share of the query's words that it has, weighed by how rare they are,
and of the similarity of both embeddings; a convex combination needs one weight and carries over to other data (Bruch,
Gai and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023). `lab/benchmarks/hybrid.py` learns it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from citewell.retrievers.bm25 import indexed
from citewell.retrievers.cache import Matrix
from citewell.retrievers.dense import Dense
from citewell.text.coverage import Matcher
from citewell.text.data import settings
from citewell.types import Span


@dataclass(frozen=True, kw_only=True)
class Hybrid(Dense):
    """`dense`, with words: its parameters are those of `dense`.

    Attributes:
        meaning: what the similarity of embeddings counts, 0 to 1; words count the rest. The fitted weight where None.
    """

    meaning: float | None = None
    name: ClassVar[str] = "hybrid"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.similarity != "cosine":
            raise ValueError("similarity is cosine: a dot product has no scale that shares of words could be added to")
        if self.meaning is not None and not 0 <= self.meaning <= 1:
            raise ValueError("meaning lies between 0 and 1")

    def _scores(self, queries: Sequence[str], texts: Sequence[str]) -> Matrix:
        fitted = settings("citewell.retrievers", "hybrid.json")["meaning"]
        weight = np.float32(fitted if self.meaning is None else self.meaning)
        return (1 - weight) * shares(queries, texts) + weight * super()._scores(queries, texts)


def shares(queries: Sequence[str], texts: Sequence[str]) -> Matrix:
    """(queries, texts) the share of a query's words, weighed by how rare they are among the texts, that a text has."""
    terms, positions = indexed(tuple(texts))
    result = np.zeros((len(queries), len(texts)), dtype=np.float32)
    for row, query in zip(result, queries, strict=True):
        matcher = Matcher(terms, query)
        row[list(positions)] = matcher.cover(matcher.claim(Span(0, len(query)))).statement
    return result
