"""Ranking by meaning and words: rescores BM25's candidates with int8 vectors, or compares all paragraphs.

A vector is a row of whole numbers and one scale. Whole numbers are multiplied exactly, so that the same vectors give
the same bits however they lie in segments. The mixture is a convex combination of scores that are spread over 0 to 1
among the candidates (Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.library.search.arrays import Arrays
from citewell.library.search.postings import Flags, Ints, Segment
from citewell.library.search.rank import Floats, Hit, best, found_at

_MOST = 127  # of a signed byte, the same on both sides of zero
_EXACT = (1 << 24) // _MOST**2  # dimensions up to which a sum of products is exact in single precision
_CHUNK = 16_384  # rows that are widened at a time


class Vectors(NamedTuple):
    """(n, dimensions) whole numbers of one byte, and (n,) what a whole number of each row stands for."""

    rows: npt.NDArray[np.int8]
    scales: Floats

    def arrays(self) -> Arrays:
        """As a segment keeps them."""
        return {"vectors": self.rows, "scales": self.scales}


class Mix(NamedTuple):
    """How a question is compared by meaning."""

    query: Vectors  # the question's vector, one row
    weight: float  # what meaning counts; words count what is left of 1
    candidates: int  # the paragraphs that are compared, best by words; with `scan` as many more, best by meaning
    scan: bool = False  # compare all paragraphs, those that share no word with the question too


def quantized(matrix: Floats) -> Vectors:
    """Embeddings as whole numbers; a scale is never 0, which says that a paragraph has no vector yet."""
    largest = np.abs(matrix).max(axis=1, initial=0)
    scales = np.where(largest > 0, largest / _MOST, 1).astype(np.float32)
    return Vectors(np.rint(matrix / scales[:, None]).astype(np.int8), scales)


def similarities(segment: Segment, query: Vectors, places: Ints | slice = slice(None)) -> Floats:
    """The product of the query's vector and each paragraph's."""
    rows, scales = segment.part("vectors", places), segment.floats("scales", places)
    kind: type[np.float32 | np.float64] = np.float32 if rows.shape[1] <= _EXACT else np.float64
    wanted = query.rows[0].astype(kind)
    products = [rows[at : at + _CHUNK].astype(kind) @ wanted for at in range(0, len(rows), _CHUNK)]
    whole = np.concatenate([np.zeros(0, kind), *products]).astype(np.float32)
    return np.asarray(whole * scales * query.scales[0], np.float32)


def mixed(
    segments: Sequence[Segment], scores: Sequence[Floats], allowed: Sequence[Flags], mix: Mix, k: int
) -> list[Hit]:
    """The best `k` paragraphs by words and meaning, best first; equal scores by document and place.

    Args:
        segments: all with vectors, but those of which nothing is allowed.
        scores: by words, for each segment (P,); 0 where a paragraph is not allowed.
        allowed: the paragraphs that may be found, for each segment (P,).
        mix: how.
        k: the most paragraphs.
    """
    chosen = best(scores, max(k, mix.candidates))
    if mix.scan:
        chosen = [np.union1d(words, near) for words, near in zip(chosen, _nearest(segments, allowed, mix), strict=True)]
    near = [
        similarities(segment, mix.query, places) if len(places) else np.zeros(0, np.float32)
        for segment, places in zip(segments, chosen, strict=True)
    ]
    worded = [score[places] for score, places in zip(scores, chosen, strict=True)]
    weight = np.float32(mix.weight)
    total = (1 - weight) * _spread(np.concatenate(worded), 0) + weight * _spread(np.concatenate(near))
    begun, hits = 0, []
    for segment, places in zip(segments, chosen, strict=True):
        hits += found_at(segment, places, total[begun : (begun := begun + len(places))])
    return sorted(hits, key=lambda hit: (-hit.score, hit.document, hit.ordinal))[:k]


def _nearest(segments: Sequence[Segment], allowed: Sequence[Flags], mix: Mix) -> list[Ints]:
    """The places of each segment that are nearest in meaning."""
    near = []
    for segment, flags in zip(segments, allowed, strict=True):
        members = np.full(len(flags), -np.inf, np.float32)
        if flags.any():
            members[flags] = similarities(segment, mix.query)[flags]
        near.append(members)
    return best(near, mix.candidates, above=-np.inf)


def _spread(scores: Floats, least: float | None = None) -> Floats:
    """Scores on 0 to 1, from the least of them or what is given to the largest."""
    if not len(scores):
        return scores
    low = np.float32(scores.min() if least is None else least)
    width = scores.max() - low
    return (scores - low) / width if width > 0 else np.ones_like(scores)
