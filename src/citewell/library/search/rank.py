"""BM25F over the paragraphs of all segments, with weights for text, headings and the document's title.

Each language has frequencies of its own, so that a word that is rare only because few paragraphs are in its language
weighs little; a question's own language is brought to the scale of the whole library.

Scores do not depend on how the library grew: frequencies and lengths are whole numbers counted over the documents that
the caller may see, summed in the order of the question's terms, so that the same documents give the same bits however
they lie in segments. (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.library.search import languages
from citewell.library.search.postings import Flags, Segment
from citewell.text.data import settings
from citewell.text.stopwords import stopwords
from citewell.text.words import terms, words

Floats = npt.NDArray[np.float32]


class Hit(NamedTuple):
    """A paragraph: the number of its document, its place in it, its offsets in the document's text, its score."""

    document: int
    ordinal: int
    start: int
    end: int
    score: float


class Weights(NamedTuple):
    """BM25F's parameters."""

    k1: float  # how soon more of a term counts no more
    b: float  # how far long paragraphs are held down, 0 to 1
    heading: float  # what a term in a heading over the paragraph counts, beside 1 in its text
    title: float  # the same in the document's title


def shipped() -> Weights:
    """The parameters that come with the package."""
    values = settings("citewell.library")
    return Weights(values["k1"], values["b"], values["heading"], values["title"])


@dataclass(frozen=True)
class Ranking:
    """What is searched: segments, and for each the documents that are there and that the caller may see (D flags)."""

    segments: Sequence[Segment]
    visible: Sequence[Flags]

    @cached_property
    def _paragraph_flags(self) -> list[Flags]:
        return [segment.spread(observed) for segment, observed in zip(self.segments, self.visible, strict=True)]

    @cached_property
    def _size(self) -> tuple[int, int]:
        """Paragraphs and their words."""
        lengths = [
            segment.ints("lengths")[observed]
            for segment, observed in zip(self.segments, self._paragraph_flags, strict=True)
        ]
        return sum(map(len, lengths)), sum(int(part.sum()) for part in lengths)

    def search(
        self, question: str, k: int, wanted: Sequence[Flags] | None = None, weights: Weights | None = None
    ) -> list[Hit]:
        """The best `k` paragraphs for a question, best first; equal scores by document and place.

        Args:
            question: in words.
            k: the most paragraphs.
            wanted: further flags of documents, for each segment; they choose among the hits and change no score.
            weights: other parameters than the shipped ones.
        """
        scores, _ = self.scores(question, wanted, weights)
        hits: list[Hit] = []
        for segment, score, places in zip(self.segments, scores, best(scores, k), strict=True):
            hits.extend(found_at(segment, places, score[places]))
        return sorted(hits, key=lambda hit: (-hit.score, hit.document, hit.ordinal))[:k]

    def scores(
        self, question: str, wanted: Sequence[Flags] | None = None, weights: Weights | None = None
    ) -> tuple[list[Floats], list[Flags]]:
        """For each segment (P,) scores, 0 where a paragraph may not be found, and which may; see `search`."""
        scores = self._scores(question, weights or shipped())
        allowed = self._paragraph_flags
        if wanted is not None:
            spread = [segment.spread(flags) for segment, flags in zip(self.segments, wanted, strict=True)]
            allowed = [observed & flags for observed, flags in zip(self._paragraph_flags, spread, strict=True)]
        for score, flags in zip(scores, allowed, strict=True):
            score[~flags] = 0
        return scores, allowed

    @cached_property
    def _paragraphs_of(self) -> dict[str, int]:
        """How many paragraphs are in each language, by its code."""
        counts: dict[str, int] = {}
        for segment, observed in zip(self.segments, self._paragraph_flags, strict=True):
            for number, count in zip(
                *np.unique(segment.arrays["languages"][observed], return_counts=True), strict=True
            ):
                if number:
                    code = languages.code_of(int(number))
                    counts[code] = counts.get(code, 0) + int(count)
        return dict(sorted(counts.items()))

    def _scores(self, question: str, by: Weights) -> list[Floats]:
        """(P,) for each segment."""
        count, length = self._size
        scores = [np.zeros(len(observed), np.float32) for observed in self._paragraph_flags]
        shorter = np.float32(by.b * count / max(1, length))
        norms = [np.float32(1 - by.b) + shorter * segment.floats("lengths") for segment in self.segments]
        members = languages.of_question(question)
        for code, paragraphs in self._paragraphs_of.items():
            scale = np.float32(np.log1p(count) / np.log1p(paragraphs) if code == members else 1)
            in_code = [np.zeros(len(observed), np.float32) for observed in self._paragraph_flags]
            for name in _terms(question, code, members):
                places = [segment.term(name) for segment in self.segments]
                frequency = sum(
                    int(
                        np.count_nonzero(
                            self._paragraph_flags[number][segment.part("paragraphs", segment.postings(place))]
                        )
                    )
                    for number, (segment, place) in enumerate(zip(self.segments, places, strict=True))
                    if place is not None
                )
                rarity = scale * np.float32(np.log1p((paragraphs - frequency + 0.5) / (frequency + 0.5)))
                for number, (segment, place) in enumerate(zip(self.segments, places, strict=True)):
                    if place is not None:
                        where, often = _frequencies(segment, place, norms[number], by)
                        in_code[number][where] += rarity * often * np.float32(by.k1 + 1) / (np.float32(by.k1) + often)
            for whole, part in zip(scores, in_code, strict=True):
                np.maximum(whole, part, out=whole)  # a paragraph that counts in two languages counts once
        return scores


def _terms(question: str, code: str, members: str | None) -> list[bytes]:
    """The terms of a question in a language, without function words of that language and of the question's own."""
    read = words(question)
    spellings = [read.spellings[number] for number in dict.fromkeys(read.ids.tolist())]
    function_words = stopwords()[code] | (stopwords()[members] if members else frozenset())
    telling = [word for word in spellings if word.lower() not in function_words]
    if not telling and members in (None, code):
        telling = spellings
    return list(dict.fromkeys(f"{code}:{term}".encode("utf-8", "surrogatepass") for term in terms(telling, code)))


def _frequencies(segment: Segment, term: int, norm: Floats, by: Weights) -> tuple[npt.NDArray[np.int64], Floats]:
    """The paragraphs that a term bears on, and how often it stands there by the weights of the fields."""
    posted = segment.postings(term)
    where = segment.part("paragraphs", posted).astype(np.int64)
    often = segment.floats("counts", posted) / norm[where] + np.float32(by.heading) * segment.floats("headed", posted)
    titled = segment.titled(term)
    if not len(titled) or not by.title:
        return where, often
    first = segment.ints("first")
    whole = np.zeros(len(norm), np.float32)
    whole[where] = often
    for document in titled.tolist():
        whole[first[document] : first[document + 1]] += np.float32(by.title)
    where = np.flatnonzero(whole)
    return where, whole[where]


def best(scores: Sequence[Floats], k: int, above: float = 0) -> list[npt.NDArray[np.int64]]:
    """For each segment the places of the best `k` of all, with all that are equal to the last of them."""
    places = [np.flatnonzero(score > above) for score in scores]
    kept = np.concatenate(
        [np.zeros(0, np.float32), *(score[place] for score, place in zip(scores, places, strict=True))]
    )
    if len(kept) <= k:
        return places
    least = np.partition(kept, len(kept) - k)[len(kept) - k]
    return [place[score[place] >= least] for score, place in zip(scores, places, strict=True)]


def found_at(segment: Segment, places: npt.NDArray[np.int64], scores: Floats) -> list[Hit]:
    """The paragraphs at some places of a segment, with a score each."""
    first, starts, ends = segment.ints("first"), segment.arrays["starts"], segment.arrays["ends"]
    owners = np.searchsorted(first, places, side="right") - 1
    return [
        Hit(
            int(segment.numbers[owner]),
            place - int(first[owner]),
            int(starts[place]),
            int(ends[place]),
            score,
        )
        for place, owner, score in zip(places.tolist(), owners.tolist(), scores.tolist(), strict=True)
    ]
