"""Features of a sentence as an answer to a question: its words, its context, and the kind of answer it offers.

They are measured for the few dozen sentences that share most with the question, and are shares between 0 and 1, so
that one set of weights serves short and long documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.generators.extractive import patterns as p
from citewell.generators.extractive.context import NONE, Around, Surroundings
from citewell.generators.extractive.kinds import (
    FIGURES,
    NAMED_ROWS,
    NOT_ROWS,
    counted,
    defines,
    fits,
    label,
    opposite,
    repeated,
)
from citewell.generators.extractive.questions import Question
from citewell.generators.extractive.settings import settings
from citewell.generators.extractive.slots import Presence, Slots
from citewell.text.index import Floats, TermIndex

WORDS = (
    "own", "soft", "around", "neighbours", "paragraph", "headings", "columns", "context", "bm25", "whole", "pairs",
    "rarest", "full", "focus", "years", "years_around", "names_around", "alike", "alike_around",
)  # fmt: skip
FORM = (
    "short", "long", "question", "heading", "row_figures", "row_label", "row_repeated", "row_misfit", "other_case",
    "list_item", "reference", "opening",
)  # fmt: skip
OFFER = (
    "counted", "opposite", "answer_kind", "fits_figure", "fits_date", "fits_person", "fits_place", "fits_reason",
    "fits_list", "defines",
)  # fmt: skip
_TOGETHER = 3  # words from one of a pair to the other: "of the" between them does not part it
NAMES = (*WORDS, *FORM, *OFFER)


class Candidates(NamedTuple):
    """C candidates for a question.

    Attributes:
        question, slot, sentences, where: the question, its words, the index, what surrounds its sentences.
        positions: C positions of sentences.
        filled, beside: (U, C) presences of slots in the sentences and in what surrounds them.
        alike: (2, U, C): how near words of the sentences come to the slots in meaning, and those of either.
        ranked: C BM25 scores.
    """

    question: Question
    slot: Slots
    sentences: TermIndex
    where: Surroundings
    positions: npt.NDArray[np.int64]
    filled: Presence
    beside: Around
    alike: Floats
    ranked: Floats


def features(these: Candidates) -> Floats:
    """(C, len(NAMES)) features of C candidates."""
    result = np.zeros((len(these.positions), len(NAMES)), dtype=np.float32)
    column = {name: result[:, number] for number, name in enumerate(NAMES)}
    for measured in (_words(these), _form(these)):
        for name, values in measured.items():
            column[name][:] = values
    _offer(these, column)
    return result


def _words(these: Candidates) -> dict[str, npt.ArrayLike]:
    """Which of the question's words a candidate has, and which stand around it."""
    question, slot, terms = these.question, these.slot, these.sentences
    exact, soft, weights = these.filled.exact, these.filled.soft, slot.weights
    near = these.beside.best
    both = np.maximum(soft, near)
    whole = weights @ np.maximum(soft, these.beside.paragraph)
    rarest = int(np.argmax(slot.rarity))
    result: dict[str, npt.ArrayLike] = {
        "own": weights @ exact,
        "soft": weights @ soft,
        "around": weights @ near,
        "context": weights @ both,
        "bm25": these.ranked / max(1e-6, float(these.ranked.max(initial=0))),
        "whole": whole / max(1e-6, float(whole.max(initial=0))),
        "pairs": _pairs(slot, terms, these.positions),
        "rarest": soft[rarest],
        "full": (both > 0).all(axis=0),
        "alike": weights @ np.maximum(these.alike[0] - soft, 0),
        "alike_around": weights @ np.maximum(these.alike[1] - both, 0),
        **{name: weights @ np.maximum(part - soft, 0) for name, part in these.beside._asdict().items()},
    }
    focus = _rows(slot, terms, [question.focus])
    result["focus"] = soft[focus].max(axis=0) if focus else 0.0
    years, names = (_rows(slot, terms, wanted) for wanted in (question.years, question.names))
    result["years"] = soft[years].mean(axis=0) if years else 1.0
    result["years_around"] = both[years].mean(axis=0) if years else 1.0
    result["names_around"] = both[names].mean(axis=0) if names else 1.0
    return result


def _form(these: Candidates) -> dict[str, npt.ArrayLike]:
    """What a candidate is in the document: a heading, a long sentence, a reference, the beginning of a paragraph."""
    terms, where = these.sentences, these.where
    plain = _plain(these.question, terms)
    segments = [terms.segments[number] for number in these.positions.tolist()]
    lengths = np.diff(terms.segment_ptr)[these.positions]
    before = where.before[these.positions]
    prose = [segment.kind in ("paragraph", "list_item") for segment in segments]
    return {
        "short": np.where(where.rows[these.positions], 0, np.maximum(0, 1 - lengths / 8)),
        "long": np.clip((lengths - 30) / 60, 0, 1),
        "question": [segment.text.rstrip().endswith("?") for segment in segments],
        "heading": where.titles[these.positions],
        "list_item": [segment.kind == "list_item" for segment in segments],
        "reference": [bool(p.REFERENCE.search(segment.text)) for segment in segments],
        "opening": (before < 0) | (where.paragraph[before] != where.paragraph[these.positions]),
        "other_case": [
            _other_case(terms, these.slot, number, plain) if use else 0.0
            for number, use in zip(these.positions.tolist(), prose, strict=True)
        ],
    }


def _offer(these: Candidates, column: dict[str, Floats]) -> None:
    """Whether a candidate offers the kind of answer that is asked for; rows of tables by their labels."""
    question, terms = these.question, these.sentences
    question_words = frozenset(re.findall(r"\w+", question.text.lower()))
    kind, unnamed = "figure" if question.kind in FIGURES else question.kind, settings()["row_unnamed"]
    counts = _counts(these) if question.kind == "count" else np.ones(len(these.positions), dtype=bool)
    for row, number in enumerate(these.positions.tolist()):
        segment = terms.segments[number]
        fit = fits(question, segment.text, segment.kind, question_words)
        if segment.kind == "table_row" and p.NUMBER.search(segment.text):
            named = label(terms, segment.text, these.filled.accepted)
            fit *= counts[row] * (unnamed + (1 - unnamed) * named)  # the figures of a row are of what its label names
            if question.kind in NOT_ROWS or (question.kind in NAMED_ROWS and named < 1) or not counts[row]:
                column["row_misfit"][row] = 1.0
            else:
                column["row_figures"][row], column["row_label"][row] = 1.0, named
                column["row_repeated"][row] = repeated(terms, these.where, terms.word_terms[terms.words_of(number)])
        column["defines"][row] = defines(question.meaning, segment.text)
        column["opposite"][row] = opposite(question.text, segment.text)
        column["answer_kind"][row] = fit * column["context"][row]
        if f"fits_{kind}" in column:
            column[f"fits_{kind}"][row] = fit
    column["counted"][:] = counted(question, terms, these.where)[these.positions]


def _counts(these: Candidates) -> npt.NDArray[np.bool_]:
    """Whether the figures of a row may number what is counted: it is named there or around, and they are no money."""
    segments, header = these.sentences.segments, these.where.header[these.positions]
    focus = _rows(these.slot, these.sentences, [these.question.focus])
    both = np.maximum(these.filled.soft, these.beside.best)
    named = both[focus].max(axis=0) > 0 if focus else np.ones(len(these.positions), dtype=bool)
    money = [
        bool(p.CURRENCY.search(segments[number].text) or (above != NONE and p.CURRENCY.search(segments[above].text)))
        for number, above in zip(these.positions.tolist(), header.tolist(), strict=True)
    ]
    return np.asarray(named & ~np.array(money, dtype=bool))


def _plain(question: Question, terms: TermIndex) -> frozenset[int]:
    """Terms that the question writes in small letters."""
    query = terms.query(question.text)
    small = [question.text[start].islower() for start in query.starts.tolist()]
    return frozenset(number for number, is_small in zip(query.ids.tolist(), small, strict=True) if is_small)


def _other_case(terms: TermIndex, slot: Slots, number: int, plain: frozenset[int]) -> float:
    """The weight of words that a sentence has only as part of a name: "incorporated" in "Corning Incorporated"."""
    segment, part = terms.segments[number], terms.words_of(number)
    weights = dict(zip(slot.ids.tolist(), slot.weights.tolist(), strict=True))
    counts: dict[int, bool] = {}
    for place, (term, start) in enumerate(
        zip(terms.word_terms[part].tolist(), terms.word_starts[part].tolist(), strict=True)
    ):
        if term in weights and term in plain:
            counts[term] = counts.get(term, True) and place > 0 and segment.text[start - segment.start].isupper()
    return float(sum(weights[term] for term, named in counts.items() if named))


def _rows(slot: Slots, term_index: TermIndex, wanted: Sequence[str]) -> list[int]:
    """The slots of the words of `wanted`."""
    terms = {term for text in wanted for term in term_index.query(text).terms}
    return [row for row, term in enumerate(slot.terms) if term in terms]


def _pairs(slot: Slots, terms: TermIndex, positions: npt.NDArray[np.int64]) -> Floats:
    """The share of the question's pairs of neighbouring words that stand together in each candidate, by weight."""
    pairs = {(a, b): slot.weights[a] + slot.weights[b] for a, b in _neighbours(slot)}
    total = float(sum(pairs.values())) or 1.0
    result = np.zeros(len(positions), dtype=np.float32)
    ids = {int(number): row for row, number in enumerate(slot.ids.tolist()) if number >= 0}
    for row, number in enumerate(positions.tolist()):
        term_index = terms.word_terms[terms.words_of(number)].tolist()
        places = [(place, ids[term]) for place, term in enumerate(term_index) if term in ids]
        present = {
            pair
            for (left, first), (right, second) in pairwise(places)
            if right - left <= _TOGETHER
            for pair in ((first, second), (second, first))
            if pair in pairs
        }
        result[row] = sum(pairs[pair] for pair in present) / total
    return result


def _neighbours(slot: Slots) -> list[tuple[int, int]]:
    """Pairs of slots that follow each other in the question, with at most one other word between."""
    placed = [(place, row) for place, row in enumerate(slot.order) if row >= 0 and not slot.subject[row]]
    return [
        (first, second) for (left, first), (right, second) in pairwise(placed) if right - left <= 2 and first != second
    ]
