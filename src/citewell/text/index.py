"""An index of the terms of documents' segments: built once, stored with the document, used by all lexical methods.

Everything is an array over words, terms or segments, so that a statement is matched against all segments at once.
Weights of terms come from the documents themselves (inverse document frequency over segments), steadied by a
background of English text that counts as a few segments more, so that a one-page document has sensible weights too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import repeat
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from citewell.text.data import read_json, settings
from citewell.text.meanings import meanings
from citewell.text.stopwords import stopwords
from citewell.text.words import Ints, Words, language, numbering, terms, words
from citewell.types import Granularity, Segment

Floats = npt.NDArray[np.float32]
T = TypeVar("T")
UNKNOWN = -1
DIGITS = 16  # with the point


class Indexed(Protocol):
    """What can be indexed: a document."""

    @property
    def id(self) -> str:
        """Tells it from others."""
        ...

    @property
    def text(self) -> str:
        """What its offsets count in."""
        ...

    def segments(self, granularity: Granularity = "sentence") -> tuple[Segment, ...]:
        """Its parts, in order."""
        ...

    def memo(self, key: Any, build: Callable[[], T]) -> T:
        """What was derived from its text under a key."""
        ...


class Query(NamedTuple):
    """The words of a statement: offsets in it, term ids (`UNKNOWN` where no document has it), terms, stop flags."""

    starts: Ints
    ends: Ints
    ids: Ints
    terms: tuple[str, ...]
    stop: npt.NDArray[np.bool_]


class Numerals(NamedTuple):
    """The terms of an index that are numbers: their values in ascending order, half of their last place, their ids."""

    values: npt.NDArray[np.float64]
    places: npt.NDArray[np.float64]
    ids: Ints


@dataclass(frozen=True)
class TermIndex:
    """Terms of segments. T terms, W words in all segments, S segments, P postings (distinct segments of each term).

    Attributes:
        segments: the S segments, document after document.
        documents: for each segment the position of its document.
        code: the language whose stemmer made the terms.
        term_ids: term -> id.
        stop: T flags of function words.
        df: T numbers of segments that have the term.
        word_terms, word_starts, word_ends: W term ids and offsets (in the segment's document).
        segment_ptr: S + 1; words of segment i are `segment_ptr[i]:segment_ptr[i + 1]`.
        term_ptr: T + 1; postings of term t are `term_ptr[t]:term_ptr[t + 1]`.
        posting_segments, posting_counts: P.
    """

    segments: tuple[Segment, ...]
    documents: Ints
    code: str
    term_ids: dict[str, int]
    stop: npt.NDArray[np.bool_]
    df: Ints
    word_terms: Ints
    word_starts: Ints
    word_ends: Ints
    segment_ptr: Ints
    term_ptr: Ints
    posting_segments: Ints
    posting_counts: Ints

    @cached_property
    def idf(self) -> Floats:
        """BM25's inverse document frequency of the T terms over segments and background, never negative."""
        return self._rarity(self.df, tuple(self.term_ids))

    def _rarity(self, df: Ints, names: Sequence[str]) -> Floats:
        prior, rare = background(self.code)
        share = np.fromiter(map(prior.get, names, repeat(rare)), dtype=np.float64, count=len(names))
        worth = settings("citewell.text")["background"]
        count, frequency = len(self.segments) + worth, df + worth * share
        return np.log1p((count - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)

    @cached_property
    def numerals(self) -> Numerals:
        """The numbers among the terms; those of more digits than a figure has are codes."""
        rows = sorted(
            (float(term), 0.5 * 10.0 ** -len(term.partition(".")[2]), number)
            for term, number in self.term_ids.items()
            if term[:1].isdigit() and len(term) <= DIGITS and term.replace(".", "", 1).isdecimal()
        )
        values, places, ids = zip(*rows, strict=True) if rows else ((), (), ())
        return Numerals(np.array(values, dtype=float), np.array(places, dtype=float), np.array(ids, dtype=np.int32))

    @cached_property
    def meanings(self) -> Floats:
        """(T, D) vectors of what the terms mean, zero for words that are not known."""
        return meanings().of(self.term_ids)

    def query(self, text: str) -> Query:
        """The words of a statement as this index sees them."""
        tokens = words(text)
        query_terms = terms(tokens.spellings, self.code)
        function_words = stopwords()[self.code]
        stop = np.array([spelling.lower() in function_words for spelling in tokens.spellings], dtype=bool)
        ids = np.fromiter(
            (self.term_ids.get(term, UNKNOWN) for term in query_terms), dtype=np.int32, count=len(query_terms)
        )
        pick = tokens.ids
        return Query(
            tokens.starts, tokens.ends, ids[pick], tuple(query_terms[index] for index in pick.tolist()), stop[pick]
        )

    def weights(self, query: Query) -> Floats:
        """The inverse document frequency of each word of a query."""
        result = np.append(self.idf, np.float32(0))[query.ids]  # UNKNOWN is -1: put right below
        unknown = np.flatnonzero(query.ids == UNKNOWN)
        names = [query.terms[number] for number in unknown.tolist()]
        result[unknown] = self._rarity(np.zeros(len(names), dtype=np.int32), names)
        return result

    def postings(self, term: int) -> Ints:
        """The segments that have a term, in order."""
        return self.posting_segments[self.term_ptr[term] : self.term_ptr[term + 1]]

    def presence(self, ids: Sequence[int]) -> npt.NDArray[np.bool_]:
        """(len(ids), S): whether the segment has the term."""
        result = np.zeros((len(ids), len(self.segments)), dtype=bool)
        for row, term in enumerate(ids):
            if term != UNKNOWN:
                result[row, self.postings(term)] = True
        return result

    def words_of(self, segment: int) -> slice:
        """Where the words of a segment stand in the word arrays."""
        return slice(int(self.segment_ptr[segment]), int(self.segment_ptr[segment + 1]))


@cache
def background(code: str) -> tuple[Mapping[str, float], float]:
    """The share of segments of everyday and scholarly text that have a term, and the share for terms not listed."""
    data = read_json("citewell.text", "background.json")
    if data["language"] != code:
        return {}, 0.0
    return {term: count / data["segments"] for term, count in data["counts"].items()}, 4 / data["segments"]


def index(documents: Sequence[Indexed], granularity: Granularity = "sentence") -> TermIndex:
    """The index of one or several documents; made once for the same documents and kept with the first of them."""
    key = ("index", granularity, *(document.id for document in documents[1:]))
    return documents[0].memo(key, lambda: _build(documents, granularity))


def document_words(document: Indexed) -> Words:
    """The words of a whole document."""
    return document.memo("words", lambda: words(document.text))


def _build(documents: Sequence[Indexed], granularity: Granularity) -> TermIndex:
    parts = [document_words(document) for document in documents]
    spellings = numbering()
    local = [np.fromiter(map(spellings.__getitem__, part.spellings), np.int32, len(part.spellings)) for part in parts]
    code = language(spellings)
    term_ids = numbering()
    spelling_terms = np.fromiter(map(term_ids.__getitem__, terms(spellings, code)), np.int32, len(spellings))
    stop = np.zeros(len(term_ids), dtype=bool)
    function_words = stopwords()[code].intersection(map(str.lower, spellings))
    stop[[term_ids[term] for term in terms(function_words, code) if term in term_ids]] = True

    segments: list[Segment] = []
    word_terms, word_starts, word_ends, word_segments, owners = [], [], [], [], []
    for number, (document, part) in enumerate(zip(documents, parts, strict=True)):
        members = document.segments(granularity)
        starts = np.fromiter((segment.start for segment in members), dtype=np.int64, count=len(members))
        # Segments hold every word, in order; a saved document may leave out its first ones, which go with the first.
        where = np.maximum(np.searchsorted(starts, part.starts, side="right") - 1, 0)
        word_terms.append(spelling_terms[local[number]][part.ids])
        word_starts.append(part.starts)
        word_ends.append(part.ends)
        word_segments.append(where + len(segments))
        owners.append(np.full(len(members), number, dtype=np.int32))
        segments.extend(members)

    flat_terms, flat_segments = np.concatenate(word_terms), np.concatenate(word_segments)
    count = max(1, len(segments))
    keys, counts = np.unique(flat_terms.astype(np.int64) * count + flat_segments, return_counts=True)
    posting_terms, posting_segments = np.divmod(keys, count)
    df = np.bincount(posting_terms, minlength=len(term_ids))
    return TermIndex(
        segments=tuple(segments),
        documents=np.concatenate(owners),
        code=code,
        term_ids=dict(term_ids),
        stop=stop,
        df=df.astype(np.int32),
        word_terms=flat_terms,
        word_starts=np.concatenate(word_starts),
        word_ends=np.concatenate(word_ends),
        segment_ptr=_pointers(np.bincount(flat_segments, minlength=len(segments))),
        term_ptr=_pointers(df),
        posting_segments=posting_segments.astype(np.int32),
        posting_counts=counts.astype(np.int32),
    )


def _pointers(counts: npt.NDArray[np.int64]) -> Ints:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
