"""How well segments cover the words of statements: the measure that the lexical attributor and checker share.

A word weighs what its rarity in the documents says; function words weigh a tenth. A segment scores for the words of
the statement that it has (once for the whole statement, once for the span in question where there is one) and, as
half points each, for those that it has in the same pairs and triples of neighbouring words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.index import UNKNOWN, Floats, Query, TermIndex
from citewell.types import Span
from citewell.words import Ints

Flags = npt.NDArray[np.bool_]

STOP_WEIGHT = 0.1
PAIR_WEIGHT = 0.5
TRIPLE_WEIGHT = 0.5
CHUNK = 64  # statements that are matched at once: bounds the memory for a long answer over a long document


class Claim(NamedTuple):
    """A statement to cover: M words.

    Offsets in the answer, local term numbers, weights, which words are in question, are no function words, are numbers.
    A term that stands twice in the statement shares its weight between both places, so that it counts once.
    """

    starts: Ints
    ends: Ints
    local: Ints
    weights: Floats
    inside: Flags
    content: Flags
    numbers: Flags

    @property
    def total(self) -> float:
        """The weight of all words."""
        return float(self.weights.sum())


class Cover(NamedTuple):
    """How S segments cover a claim: shares of its weight, 0 to 1."""

    statement: Floats
    span: Floats


class Matcher:
    """Statements of one text against the segments of an index. Term numbers are local: U terms occur in the text."""

    def __init__(self, index: TermIndex, text: str) -> None:
        self.index = index
        self.text = text
        self.query: Query = index.query(text)
        unique, self.local = np.unique(self.query.ids, return_inverse=True)
        self.terms: Ints = unique.astype(np.int32)
        self._weights: Floats = index.weights(self.query) * np.where(self.query.stop, STOP_WEIGHT, 1.0).astype(
            np.float32
        )
        # Words that no document has are all different from each other, and are in no segment.
        self.to_local = np.full(len(index.df) + 1, -1, dtype=np.int32)
        self.to_local[self.terms] = np.arange(len(self.terms), dtype=np.int32)
        self.to_local[UNKNOWN] = -1

    def claim(self, statement: Span, target: Span | None = None) -> Claim:
        """The words of a statement, those of `target` (the whole statement if None) marked as in question."""
        target = target or statement
        first, last = np.searchsorted(self.query.starts, (statement.start, statement.end))
        pick = slice(int(first), int(last))
        starts, ends = self.query.starts[pick], self.query.ends[pick]
        names = [self.query.terms[number] for number in range(pick.start, pick.stop)]
        seen: dict[str, int] = {}
        for name in names:
            seen[name] = seen.get(name, 0) + 1
        share = np.array([seen[name] for name in names], dtype=np.float32)
        inside = (starts < target.end) & (ends > target.start)
        weights = (self._weights[pick] / np.maximum(share, 1)).astype(np.float32)
        numbers = np.array([name[:1].isdigit() for name in names], dtype=bool)
        content = ~self.query.stop[pick]
        return Claim(starts, ends, self.local[pick].astype(np.int32), weights, inside, content, numbers)

    def covers(self, claims: Sequence[Claim]) -> list[Cover]:
        """How every segment covers each claim; all claims of a chunk at once."""
        result: list[Cover] = []
        for begin in range(0, len(claims), CHUNK):
            part = claims[begin : begin + CHUNK]
            used = np.unique(np.concatenate([claim.local for claim in part])) if part else np.zeros(0, dtype=np.int32)
            row = np.zeros(len(self.terms), dtype=np.int32)
            row[used] = np.arange(len(used))
            present = self.index.presence(self.terms[used].tolist()).astype(np.float32)
            both = np.zeros((2 * len(part), len(used)), dtype=np.float32)
            for number, claim in enumerate(part):
                np.add.at(both[2 * number], row[claim.local], claim.weights)
                np.add.at(both[2 * number + 1], row[claim.local], claim.weights * claim.inside)
            shares = both @ present / np.maximum(both.sum(axis=1, keepdims=True), 1e-9)
            result.extend(Cover(shares[2 * number], shares[2 * number + 1]) for number in range(len(part)))
        return result

    def alignment(self, claim: Claim, segments: Sequence[int]) -> Alignment:
        """Which words, pairs and triples of a claim each of a few segments has."""
        words = [self.index.words_of(segment) for segment in segments]
        rows = np.repeat(np.arange(len(words)), [part.stop - part.start for part in words])
        flat = np.concatenate([self.index.word_terms[part] for part in words]) if words else np.zeros(0, dtype=np.int32)
        found = self.to_local[flat].astype(np.int64)
        size = len(self.terms) + 1
        count, length = len(words), len(claim.local)
        local = claim.local.astype(np.int64)
        known = self.terms[claim.local] != UNKNOWN if length else np.zeros(0, dtype=bool)

        have = np.zeros((count, size), dtype=bool)
        have[rows[found >= 0], found[found >= 0]] = True
        single = have[:, local] & known

        def runs(width: int) -> Flags:
            """Words that stand in a run of `width` words which the segment has as well."""
            result = np.zeros((count, length), dtype=bool)
            if length < width or len(found) < width:
                return result
            key, source, fits = (
                rows[: len(rows) - width + 1].astype(np.int64),
                found,
                np.ones(len(found) - width + 1, dtype=bool),
            )
            wanted = np.zeros(length - width + 1, dtype=np.int64)
            whole = np.ones(length - width + 1, dtype=bool)
            for step in range(width):
                stop = len(source) - width + 1 + step
                fits &= (source[step:stop] >= 0) & (rows[step:stop] == rows[: len(fits)])
                key = key * size + source[step:stop]
                wanted = wanted * size + local[step : length - width + 1 + step]
                whole &= known[step : length - width + 1 + step]
            keys = key[fits]
            offsets = np.arange(count, dtype=np.int64)[:, None] * size**width
            hit = np.isin(wanted[None, :] + offsets, keys) & whole
            for step in range(width):
                result[:, step : length - width + 1 + step] |= hit
            return result

        return Alignment(tuple(segments), single, runs(2), runs(3))


class Alignment(NamedTuple):
    """For C segments and the M words of a claim: which words each has, alone, in a pair, in a triple (C, M)."""

    segments: tuple[int, ...]
    single: Flags
    pairs: Flags
    triples: Flags

    def score(self, claim: Claim) -> Floats:
        """The score of each segment, 0 to 1."""
        weights, inside = claim.weights, claim.weights * claim.inside
        total, asked = max(1e-9, claim.total), max(1e-9, float(inside.sum()))
        runs = PAIR_WEIGHT * (self.pairs @ weights) + TRIPLE_WEIGHT * (self.triples @ weights)
        points = self.single @ inside / asked + self.single @ weights / total + runs / total
        return (points / (2 + PAIR_WEIGHT + TRIPLE_WEIGHT)).astype(np.float32)
