"""BM25 over the segments of documents, all segments scored at once.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with the
non-negative inverse document frequency that Lucene uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from citewell.document import Document
from citewell.text.index import UNKNOWN, Floats, TermIndex, index
from citewell.types import Hit, Segment


@dataclass(frozen=True)
class BM25:
    """Rank by shared terms, rare ones first.

    Attributes:
        k1: how soon repeated terms stop counting.
        b: how much long segments are held back, 0 to 1.
    """

    k1: float = 1.5
    b: float = 0.75
    name: ClassVar[str] = "bm25"

    def __post_init__(self) -> None:
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise ValueError("k1 is at least 0 and b lies between 0 and 1")

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        """Segments that share a term with the query, best first, ties by position."""
        texts = tuple(segment.text for segment in segments)
        if not any(text.strip() for text in texts):
            return ()
        terms, positions = indexed(texts)
        score = self.scores(query, terms)
        order = np.argsort(-score, kind="stable")
        return tuple(Hit(positions[i], float(score[i])) for i in order[: np.count_nonzero(score > 0)].tolist())

    def scores(self, query: str, terms: TermIndex) -> Floats:
        """The score of every segment of an index."""
        lengths = np.diff(terms.segment_ptr).astype(np.float32)
        norm = self.k1 * (1 - self.b + self.b * lengths / max(1.0, float(lengths.mean())))
        total = np.zeros(len(terms.segments), dtype=np.float32)
        idf = terms.idf
        for term, count in Counter(terms.query(query).ids.tolist()).items():
            if term == UNKNOWN:
                continue
            posting = slice(terms.term_ptr[term], terms.term_ptr[term + 1])
            where, times = terms.posting_segments[posting], terms.posting_counts[posting]
            total[where] += count * idf[term] * times * (self.k1 + 1) / (times + norm[where])
        return total


@lru_cache(maxsize=16)
def indexed(texts: tuple[str, ...]) -> tuple[TermIndex, tuple[int, ...]]:
    """An index of texts and for each of its segments the position of its text; kept for the last few sets."""
    positions = tuple(position for position, text in enumerate(texts) if text.strip())
    passages = Document.from_passages([texts[position] for position in positions])
    return index([passages], "paragraph"), positions
