"""How well segments cover the words of statements: the measure shared by the lexical attributor and checker.

A word weighs what its rarity in the documents says; function words weigh less. A segment scores for the words of
the statement that it has (once for the whole statement, once for the span in question where there is one) and, as
part of a point each, for those that it has in the same pairs and triples of neighbouring words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.text.data import settings
from citewell.text.index import UNKNOWN, Floats, Query, TermIndex
from citewell.text.words import Ints
from citewell.types import Span

Flags = npt.NDArray[np.bool_]

TABLE = 4_000_000  # flags: up to so many a run of words is looked up in a table, beyond by sorting


class Claim(NamedTuple):
    """A statement to cover: M words.

    Offsets in the answer, local term numbers, weights, which words are in question, are no function words,
    are numbers, are in any document.
    A term that stands twice in the statement shares its weight between both places, so that it counts once.
    """

    starts: Ints
    ends: Ints
    local: Ints
    weights: Floats
    inside: Flags
    content: Flags
    numbers: Flags
    known: Flags

    @property
    def total(self) -> float:
        """The weight of all words."""
        return float(self.weights.sum())


class Kin(NamedTuple):
    """A word of a claim that may be said otherwise: the segments that say it so, in order, and what it is worth there.

    `word` is its position in the claim; the worth is a share of its weight.
    """

    word: int
    segments: Ints
    worth: Floats


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
        self.terms: Ints = np.array(sorted(set(self.query.ids.tolist())), dtype=np.int32)
        self.local = np.searchsorted(self.terms, self.query.ids)
        light = np.float32(settings("citewell.text")["function_word"])
        self._weights: Floats = index.weights(self.query) * np.where(self.query.stop, light, np.float32(1))
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
        counts: dict[str, int] = {}
        for name in names:
            counts[name] = counts.get(name, 0) + 1
        share = np.array([counts[name] for name in names], dtype=np.float32)
        inside = (starts < target.end) & (ends > target.start)
        weights = (self._weights[pick] / np.maximum(share, 1)).astype(np.float32)
        numbers = np.array([name[:1].isdigit() for name in names], dtype=bool)
        content = ~self.query.stop[pick]
        known = self.query.ids[pick] != UNKNOWN
        return Claim(starts, ends, self.local[pick].astype(np.int32), weights, inside, content, numbers, known)

    def cover(self, claim: Claim) -> Cover:
        """How every segment covers a claim: each word's weight is added where the word stands."""
        statement = self._points(claim.local, claim.weights)
        target_weights = claim.weights * claim.inside
        span = statement if claim.inside.all() else self._points(claim.local, target_weights)
        return Cover(statement / max(1e-9, claim.total), span / max(1e-9, float(target_weights.sum())))

    def cover_rest(self, claim: Claim) -> Floats:
        """(S,) how every segment covers the words of the whole text that a claim does not have.

        The whole text is looked up once, and what the claim's own words gave is taken off again.
        """
        claim_terms = np.unique(claim.local)
        gone = np.where(np.isin(self._whole.local, claim_terms), self._whole.weights, 0).astype(np.float32)
        per_term = np.bincount(self._whole.local, gone, len(self.terms))[claim_terms].astype(np.float32)
        left = self._whole.total - float(per_term.sum())
        points = self._whole_points - self._points(claim_terms, per_term)
        return np.asarray(np.maximum(points, 0) / max(1e-9, left), dtype=np.float32)

    @cached_property
    def _whole(self) -> Claim:
        return self.claim(Span(0, len(self.text)))

    @cached_property
    def _whole_points(self) -> Floats:
        return self._points(self._whole.local, self._whole.weights)

    def _points(self, local: Ints, weights: Floats) -> Floats:
        """(S,) the weights of words added where they stand, each different word looked up once."""
        points = np.zeros(len(self.index.segments), dtype=np.float32)
        each = np.bincount(local, weights)
        weighed = np.flatnonzero(each)
        for term, weight in zip(self.terms[weighed].tolist(), each[weighed].tolist(), strict=True):
            if term != UNKNOWN:
                points[self.index.postings(term)] += weight
        return points

    def kin(self, claim: Claim, relatives: Mapping[int, Ints]) -> tuple[Kin, ...]:
        """Where words of a claim are said by other terms of the index, given the ids of those for each word's position.

        A common term tells less than the rare word that it stands for: it is worth no more than its own rarity.
        """
        worth, result = settings("citewell.text")["relative"], []
        offset = int(np.searchsorted(self.query.starts, claim.starts[0])) if relatives else 0
        for word, ids in relatives.items():
            term = int(self.query.ids[offset + word])
            shares = worth * np.minimum(1, self.index.idf[ids] / max(1e-9, float(self._weights[offset + word])))
            each = np.full(len(self.index.segments), -1, dtype=np.float32)
            for number in np.argsort(shares).tolist():  # what is worth most is written last
                each[self.index.postings(int(ids[number]))] = shares[number]
            if term != UNKNOWN:
                each[self.index.postings(term)] = -1
            segments = np.flatnonzero(each >= 0).astype(np.int32)
            result.append(Kin(word, segments, each[segments]))
        return tuple(result)

    def cover_kin(self, claim: Claim, kin: Sequence[Kin]) -> Cover:
        """What the words that are said otherwise add to how every segment covers a claim."""
        statement, span = np.zeros((2, len(self.index.segments)), dtype=np.float32)
        for word, segments, worth in kin:
            statement[segments] += worth * claim.weights[word]
            span[segments] += worth * (claim.weights[word] * claim.inside[word])
        target_weight = float((claim.weights * claim.inside).sum())
        return Cover(statement / max(1e-9, claim.total), span / max(1e-9, target_weight))

    def alignment(self, claim: Claim, segments: Sequence[int]) -> Alignment:
        """Which words, pairs and triples of a claim each of a few segments has."""
        words = [self.index.words_of(segment) for segment in segments]
        rows = np.repeat(np.arange(len(words)), [part.stop - part.start for part in words])
        flat = np.concatenate([self.index.word_terms[part] for part in words]) if words else np.zeros(0, dtype=np.int32)
        # Terms are numbered once more, within the claim: small numbers make small tables.
        unique = np.flatnonzero(np.bincount(claim.local))
        local = np.searchsorted(unique, claim.local)
        known = self.terms[unique] != UNKNOWN
        renumber = np.full(len(self.terms) + 1, -1, dtype=np.int64)
        renumber[unique[known]] = np.flatnonzero(known)
        term_numbers = renumber[self.to_local[flat]]  # -1, the last place, for what the claim has not
        size, count, length = len(unique) + 1, len(words), len(local)

        have = np.zeros((count, size), dtype=bool)
        have[rows[term_numbers >= 0], term_numbers[term_numbers >= 0]] = True
        single = have[:, local]

        def runs(width: int) -> Flags:
            """Words that stand in a run of `width` words which the segment has as well."""
            result = np.zeros((count, length), dtype=bool)
            if length < width or len(term_numbers) < width:
                return result
            first = len(term_numbers) - width + 1
            fits = (rows[width - 1 :] == rows[:first]) & (term_numbers[:first] >= 0)
            key, wanted = rows[:first], np.zeros(length - width + 1, dtype=np.int64)
            for step in range(width):
                fits &= term_numbers[step : first + step] >= 0
                key = key * size + term_numbers[step : first + step]
                wanted = wanted * size + local[step : length - width + 1 + step]
            places = wanted + np.arange(count, dtype=np.int64)[:, None] * size**width
            if count * size**width <= TABLE:
                table = np.zeros(count * size**width, dtype=bool)
                table[key[fits]] = True
                hit = table[places]
            else:
                hit = np.isin(places, key[fits])
            for step in range(width):
                result[:, step : length - width + 1 + step] |= hit
            return result

        akin = np.zeros(single.shape, dtype=np.float32)
        return Alignment(tuple(segments), single, runs(2), runs(3), akin)

    def present(self, claim: Claim, first: int, last: int) -> Flags:
        """Which words of a claim stand in the segments from `first` to `last` (exclusive)."""
        standing = np.zeros(len(self.index.df) + 1, dtype=bool)  # the last place is `UNKNOWN`'s
        standing[self.index.word_terms[self.index.segment_ptr[first] : self.index.segment_ptr[last]]] = True
        return standing[self.terms[claim.local]] & claim.known


def highest(scores: Floats, count: int) -> Ints:
    """The positions of the `count` highest scores above zero, in order of position; ties at the cut go to the first."""
    if len(scores) > count:
        cut = np.partition(scores, -count)[-count]
        above, equal = np.flatnonzero(scores > cut), np.flatnonzero(scores == cut)
        positions = np.sort(np.concatenate((above, equal[: count - len(above)])))
    else:
        positions = np.arange(len(scores))
    return positions[scores[positions] > 0].astype(np.int32)


class Alignment(NamedTuple):
    """For C segments and the M words of a claim: which words each has, alone, in a pair, in a triple (C, M).

    `akin` (C, M) is what words that a segment says otherwise are worth, a share of their weight.
    """

    segments: tuple[int, ...]
    single: Flags
    pairs: Flags
    triples: Flags
    akin: Floats

    def with_kin(self, kin: Sequence[Kin]) -> Alignment:
        """The same where some words may be said otherwise."""
        akin = self.akin.copy()
        for word, segments, worth in kin:
            place = np.searchsorted(segments, self.segments)
            hit = np.flatnonzero(np.append(segments, -1)[place] == self.segments)
            akin[hit, word] = worth[place[hit]]
        return self._replace(akin=akin)

    @property
    def matched(self) -> Flags:
        """(C, M) which words each segment has, as they are or otherwise."""
        return self.single | (self.akin > 0)

    def covered(self, weights: Floats) -> Floats:
        """(C,) the weight of the words that each segment has."""
        return np.asarray((self.single + self.akin) @ weights)

    def score(self, claim: Claim) -> Floats:
        """The score of each segment, 0 to 1."""
        weights, inside = claim.weights, claim.weights * claim.inside
        total, target_total = max(1e-9, claim.total), max(1e-9, float(inside.sum()))
        worth = settings("citewell.text")
        pair, triple = worth["pair"], worth["triple"]
        runs = pair * (self.pairs @ weights) + triple * (self.triples @ weights)
        points = self.covered(inside) / target_total + self.covered(weights) / total + runs / total
        return (points / (2 + pair + triple)).astype(np.float32)
