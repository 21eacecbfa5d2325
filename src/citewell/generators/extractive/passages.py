"""The passages that come nearest to an answer: what a reader is given to look through where no sentence is sure.

A single sentence seldom shows what was asked, and the one that ranks first is often beside the one that does. So a
passage is a likely sentence with the lines around it, and it counts by the chances of all its sentences and by how
much of the question they have together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from citewell.document import Document
from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.context import NONE
from citewell.generators.extractive.offers import offers
from citewell.generators.extractive.premises import asked_words
from citewell.generators.extractive.prose.quotable import is_apparatus
from citewell.generators.extractive.scoring import APART
from citewell.generators.extractive.settings import answer_kinds, settings
from citewell.text.index import Floats, TermIndex, index
from citewell.types import MAX_NEAREST, Abstention, Citation, Nearest, Span

_WORDS = 100  # of a passage, unless its one sentence has more
_CENTRES = 40  # candidates that passages are built around
_BEGINS = "the beginning of the document"


def lacks_words(abstention: Abstention) -> bool:
    """Whether the nearest place lacks words of the question, and not only its period or its kind of figure."""
    return any("“" in near.lacks for near in abstention.nearest[:1])


class _Passage(NamedTuple):
    """Neighbouring sentences, by position in the index, the last one included, and those that are candidates."""

    first: int
    last: int
    places: tuple[int, ...]
    score: float


def nearest_passages(
    reading: Reading, ranked: Floats, documents: Sequence[Document], sure: float, method: str
) -> tuple[Nearest, ...]:
    """Up to three passages, none within another, each with what it lacks; scored by their likeliest sentence."""
    odds = np.exp((ranked - ranked.max()).astype(np.float64))
    centres = np.argsort(-ranked, kind="stable")[:_CENTRES].tolist()
    place_of = {int(number): place for place, number in enumerate(reading.candidates)}
    likely = [place for place in centres if ranked[place] > ranked.max() - APART]
    lines = dict.fromkeys(_below(reading, int(reading.candidates[place])) for place in likely)
    passages = [
        _passage(reading, place_of, line, odds)
        for line in lines
        if line != NONE and not is_apparatus(reading.sentences.segments[line])
    ]
    passages.sort(key=lambda passage: -passage.score)
    chosen: list[_Passage] = []
    for passage in passages:
        if len(chosen) == MAX_NEAREST:
            break
        if all(passage.last < other.first or passage.first > other.last for other in chosen):
            chosen.append(passage)
    result = []
    for passage in chosen:
        score = min(1.0, sure * max(odds[place] for place in passage.places))
        citation = _cited(reading.sentences, passage.first, passage.last, documents, score, method)
        result.append(Nearest(citation, _lacks(reading, passage.places)))
    return tuple(result)


def beginnings(documents: Sequence[Document], method: str) -> tuple[Nearest, ...]:
    """How the first documents begin: who, when, where and what for stand there, whatever the question calls them."""
    result = []
    for document in documents[:MAX_NEAREST]:
        sentences = index([document], "sentence")
        left, last = _WORDS, NONE
        for number, segment in enumerate(sentences.segments):
            left -= len(segment.text.split())
            if left < 0 and last != NONE:
                break
            last = number
        if last != NONE:
            result.append(Nearest(_cited(sentences, 0, last, [document], 0.0, method), _BEGINS))
    return tuple(result)


def _cited(
    sentences: TermIndex, first: int, last: int, documents: Sequence[Document], score: float, method: str
) -> Citation:
    """The lines from one to another of a document, cited."""
    document, segment = documents[int(sentences.documents[first])], sentences.segments[first]
    if first == last:
        return Citation.of(segment, document.id, Span(0, 0), score, method)
    span = Span(segment.start, sentences.segments[last].end)
    return document.cite(span, segment.id, Span(0, 0), granularity="window", score=score, method=method)


def _below(reading: Reading, number: int) -> int:
    """The line that a candidate stands for: a heading for the one below it, `NONE` where there is none."""
    below = number
    while below != NONE and reading.where.titles[below]:
        below = int(reading.where.after[below])
    return below if below in (NONE, number) or number in reading.where.headings[:, below] else NONE


def _passage(reading: Reading, place_of: dict[int, int], centre: int, odds: Floats) -> _Passage:
    """A sentence with its neighbours, the likelier side first, up to the next headings and a number of words."""
    where, segments = reading.where, reading.sentences.segments
    first = last = centre
    left = _WORDS - len(segments[centre].text.split())

    def chance(number: int) -> float:
        return float(odds[place_of[number]]) if number in place_of else 0.0

    while True:
        before, after = int(where.before[first]), int(where.after[last])
        sides = [(chance(number), number > centre, number) for number in (before, after) if number != NONE]
        fitting = [
            side
            for side in sides
            if not where.titles[side[2]]
            and not is_apparatus(segments[side[2]])
            and len(segments[side[2]].text.split()) <= left
        ]
        if not fitting:
            break
        number = max(fitting)[2]
        left -= len(segments[number].text.split())
        first, last = min(first, number), max(last, number)
    above = where.headings[:, first].tolist()  # what is below headings is read with them
    places = tuple(place_of[number] for number in (*above, *range(first, last + 1)) if number in place_of)
    covered = float(reading.slot.weights @ reading.alike[0][:, places].max(axis=1) / reading.slot.weights.sum())
    return _Passage(
        first, last, places, float(np.log(odds[list(places)].sum())) + settings()["passage_covers"] * covered
    )


def _lacks(reading: Reading, places: Sequence[int]) -> str:
    """What a passage lacks: words of the question, quoted, that its headings lack too, and the kind of answer."""
    kind = answer_kinds().get(reading.question.kind, "")
    absent = [f"“{word}”" for slot, word in asked_words(reading) if not reading.soft[slot, places].any()]
    none = [kind] if kind and not any(offers(reading, place)["offers"] for place in places) else []
    if none and not absent:
        return f"has no {kind.split(maxsplit=1)[1]}"
    return ", ".join([*dict.fromkeys(absent), *none])
