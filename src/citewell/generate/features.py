"""Features of a sentence as the answer to a question: which words it has, what stands around it, what kind it offers.

They are measured for the few dozen sentences that share most with the question, and are shares between 0 and 1, so
that one set of weights serves short and long documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from citewell.generate import patterns as p
from citewell.generate.context import Around, Surroundings
from citewell.generate.matching import Presence, Slots
from citewell.generate.questions import KINDS, Question
from citewell.index import Floats, TermIndex
from citewell.words import Ints

BASE = (
    "own", "soft", "around", "neighbours", "paragraph", "headings", "columns", "context", "bm25", "whole", "pairs", "near", "rarest", "rarest_around", "full", "focus",
    "years", "years_around", "numbers", "names", "names_around", "new", "short", "long", "question", "heading",
    "row", "row_figures", "row_label", "row_repeated", "row_misfit", "counted", "other_case", "opposite", "list_item", "negation", "anaphor", "reference", "opening", "answer_kind",
)  # fmt: skip
FIGURES = ("count", "money", "percent", "measure")  # answered by figures: one weight, some are rare in the data
_NOT_ROWS = ("reason", "manner", "person", "definition", "yes_no", "list")  # kinds that a row of a table hardly answers
_NAMED_ROWS = ("count", "date", "place")  # kinds that only a row answers whose label is all in the question
_BEFORE = 6  # words from a number to what it counts, at most
FITS = (
    "fits_figure",
    *(f"fits_{kind}" for kind in KINDS if kind not in (*FIGURES, "yes_no", "open")),
)
NAMES = (*BASE, *FITS)


def fits(asked: Question, text: str, kind: str, question_words: frozenset[str]) -> float:
    """How well a sentence offers the kind of answer that is asked for, 0 to 1; what the question has does not count."""
    found: float
    figures = [n for n in p.NUMBER.findall(text) if n not in asked.years and n not in asked.numbers]
    row = kind == "table_row"
    match asked.kind:
        case "date":
            dates = [m for m in p.DATE.findall(text) if m and m not in asked.years]
            found = 1.0 if dates else 0.3 * bool(p.NUMBER_WORD.search(text))
        case "count" | "measure":
            figures_left = [n for n in figures if not p.YEAR.fullmatch(n)]
            found = (0.8 + 0.2 * bool(p.UNIT.search(text))) if figures_left else 0.7 * bool(p.NUMBER_WORD.search(text))
        case "money":
            found = float(bool(figures)) * (1.0 if p.MONEY.search(text) or row else 0.4)
        case "percent":
            found = float(bool(figures)) * (1.0 if p.PERCENT.search(text) else 0.5 if row else 0.3)
        case "person" | "place":
            names = [n for n in p.NAME.findall(text) if not set(n.lower().split()) <= question_words]
            found = (
                0.7 * bool(names) + 0.3 * bool(p.PLACE.search(text)) if asked.kind == "place" else float(bool(names))
            )
        case "reason":
            found = float(bool(p.REASON.search(text)))
        case "manner":
            found = float(bool(p.MANNER.search(text)))
        case "definition":
            found = float(bool(p.DEFINITION.search(text)))
        case "list":
            parts = text.count(",") + text.count(";")
            found = (1.0 if p.LIST.search(text) else 0.6) * min(1.0, parts / 2)
        case "thing":
            found = float(bool(p.NAME.search(text)))
        case _:
            found = 0.0
    return found


def features(
    asked: Question,
    slot: Slots,
    found: TermIndex,
    where: Surroundings,
    candidates: npt.NDArray[np.int64],
    filled: Presence,
    beside: Around,
    ranked: Floats,
) -> Floats:
    """(C, len(NAMES)) features of C candidates.

    `filled` and `beside` hold the (U, C) presences of slots in the sentence and in what surrounds it; `ranked` its BM25 score.
    """
    count, exact, soft = len(candidates), filled.exact, filled.soft
    result = np.zeros((count, len(NAMES)), dtype=np.float32)
    column = {name: result[:, number] for number, name in enumerate(NAMES)}
    weights = slot.weights
    near = beside.best
    both = np.maximum(soft, near)
    column["own"][:] = weights @ exact
    column["soft"][:] = weights @ soft
    column["around"][:] = weights @ near
    for name, part in beside._asdict().items():
        column[name][:] = weights @ np.maximum(part - soft, 0)
    column["context"][:] = weights @ both
    whole = weights @ np.maximum(soft, beside.paragraph)
    column["whole"][:] = whole / max(1e-6, float(whole.max(initial=0)))
    column["bm25"][:] = ranked / max(1e-6, float(ranked.max(initial=0)))
    if len(slot.terms):
        rarest = int(np.argmax(slot.rarity))
        column["rarest"][:] = soft[rarest]
        column["rarest_around"][:] = both[rarest]
        column["full"][:] = (both > 0).all(axis=0)
    pairs, closeness = _runs(slot, found, candidates)
    column["pairs"][:] = pairs
    column["near"][:] = closeness
    question_words = frozenset(re.findall(r"\w+", asked.text.lower()))
    question_terms = {int(number) for number in slot.ids}
    focus = {int(number) for number in found.query(asked.focus).ids if number >= 0} & question_terms
    focus_rows = [row for row, number in enumerate(slot.ids.tolist()) if number in focus]
    if focus_rows:
        column["focus"][:] = soft[focus_rows].max(axis=0)
    for name, wanted in (("years", asked.years), ("numbers", asked.numbers), ("names", asked.names)):
        rows = _rows(slot, found, wanted)
        column[name][:] = soft[rows].mean(axis=0) if rows else 1.0
        if f"{name}_around" in column:
            column[f"{name}_around"][:] = both[rows].mean(axis=0) if rows else 1.0
    plain = _plain(asked, found)
    fit = np.zeros(count, dtype=np.float32)
    for row, number in enumerate(candidates.tolist()):
        segment = found.segments[number]
        text = segment.text
        own = found.word_terms[found.words_of(number)]
        content = np.unique(own[~found.stop[own]])
        new = len(content) - sum(int(term) in question_terms for term in content.tolist())
        column["new"][row] = min(1.0, new / 8)
        column["short"][row] = 0.0 if segment.kind == "table_row" else max(0.0, 1 - len(own) / 8)
        column["long"][row] = min(1.0, max(0.0, (len(own) - 30) / 60))
        column["question"][row] = text.rstrip().endswith("?")
        if segment.kind in ("paragraph", "list_item"):
            column["other_case"][row] = _other_case(found, slot, number, plain)
        column["list_item"][row] = segment.kind == "list_item"
        column["negation"][row] = bool(p.NEGATION.search(text)) != asked.negated
        column["anaphor"][row] = bool(p.ANAPHOR.match(text))
        column["reference"][row] = bool(p.REFERENCE.search(text))
        column["opening"][row] = (
            where.before[number] < 0 or where.paragraph[where.before[number]] != where.paragraph[number]
        )
        fit[row] = fits(asked, text, segment.kind, question_words)
        if segment.kind == "table_row" and p.NUMBER.search(text):
            label = _label(found, text, filled.accepted)
            fit[row] *= 0.3 + 0.7 * label  # the figures of a row are of what its label names
            if asked.kind in _NOT_ROWS or (asked.kind in _NAMED_ROWS and label < 1):
                column["row_misfit"][row] = 1.0
            else:
                column["row_figures"][row], column["row_label"][row] = 1.0, label
                column["row_repeated"][row] = _repeated(found, where, own)
        column["opposite"][row] = opposite(asked.text, text)
    column["counted"][:] = counted(asked, found, where)[candidates]
    column["heading"][:] = where.titles[candidates]
    column["row"][:] = where.rows[candidates]
    column["answer_kind"][:] = fit * column["context"]
    name = "fits_figure" if asked.kind in FIGURES else f"fits_{asked.kind}"
    if name in column:
        column[name][:] = fit
    return result


def _label(found: TermIndex, text: str, accepted: frozenset[int]) -> float:
    """The share of the words of a row's label that the question has, in one form or another."""
    label = found.query(text.split(" | ")[0])
    named = [int(number) in accepted for number in label.ids[~label.stop].tolist()]
    return sum(named) / max(1, len(named))


def _repeated(found: TermIndex, where: Surroundings, own: Ints) -> float:
    """How often the first figure of a row stands elsewhere: what a report is about is told in several places."""
    figures = own[where.figures[own]]
    return min(1.0, float(np.log(max(1, found.df[figures[0]]))) / 2) if len(figures) else 0.0


def counted(asked: Question, found: TermIndex, where: Surroundings) -> Floats:
    """(S,) whether a number stands just before what is counted: "57,500 full-time employees"; 1 near, 0.7 less near."""
    result = np.zeros(len(found.segments), dtype=np.float32)
    focus = {int(number) for number in found.query(asked.focus).ids if number >= 0}
    if asked.kind != "count" or not focus:
        return result
    places = np.flatnonzero(np.isin(found.word_terms, list(focus)))
    owners = np.searchsorted(found.segment_ptr, places, side="right") - 1
    seen = np.concatenate(([0], np.cumsum(where.numbers[found.word_terms])))
    for reach, worth in ((_BEFORE, 0.7), (_BEFORE // 2, 1.0)):
        first = np.maximum(places - reach, found.segment_ptr[owners])
        result[owners[seen[places] > seen[first]]] = worth
    return result


def opposite(question: str, text: str) -> float:
    """Whether the question asks about a fall and the sentence tells of a rise only, or the other way round."""
    falls, rises = bool(p.FALL.search(question)), bool(p.RISE.search(question))
    if falls == rises:
        return 0.0
    same, other = (p.FALL, p.RISE) if falls else (p.RISE, p.FALL)
    return float(bool(other.search(text)) and not same.search(text))


def _plain(asked: Question, found: TermIndex) -> frozenset[int]:
    """Terms that the question writes in small letters."""
    query = found.query(asked.text)
    small = [asked.text[start].islower() for start in query.starts.tolist()]
    return frozenset(number for number, is_small in zip(query.ids.tolist(), small, strict=True) if is_small)


def _other_case(found: TermIndex, slot: Slots, number: int, plain: frozenset[int]) -> float:
    """The weight of words that a sentence has only as part of a name: "incorporated" in "Corning Incorporated"."""
    segment, part = found.segments[number], found.words_of(number)
    weights = dict(zip(slot.ids.tolist(), slot.weights.tolist(), strict=True))
    seen: dict[int, bool] = {}
    for place, (term, start) in enumerate(
        zip(found.word_terms[part].tolist(), found.word_starts[part].tolist(), strict=True)
    ):
        if term in weights and term in plain:
            seen[term] = seen.get(term, True) and place > 0 and segment.text[start - segment.start].isupper()
    return sum(weights[term] for term, named in seen.items() if named)


def _rows(slot: Slots, found: TermIndex, wanted: Sequence[str]) -> list[int]:
    """The slots of the words of `wanted`."""
    terms = {term for text in wanted for term in found.query(text).terms}
    return [row for row, term in enumerate(slot.terms) if term in terms]


def _runs(slot: Slots, found: TermIndex, candidates: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """How much of the question's neighbouring words stand together in each candidate; how close its words are."""
    pairs = {(a, b): slot.weights[a] + slot.weights[b] for a, b in _neighbours(slot)}
    total = float(sum(pairs.values())) or 1.0
    together = np.zeros(len(candidates), dtype=np.float32)
    closeness = np.zeros(len(candidates), dtype=np.float32)
    ids = {int(number): row for row, number in enumerate(slot.ids.tolist()) if number >= 0}
    for row, number in enumerate(candidates.tolist()):
        own = found.word_terms[found.words_of(number)].tolist()
        places = [(place, ids[term]) for place, term in enumerate(own) if term in ids]
        seen: set[tuple[int, int]] = set()
        gaps = []
        for (left, first), (right, second) in pairwise(places):
            if first != second:
                gaps.append(right - left)
                if right - left <= 3:  # words between, such as "of the", do not part a pair
                    seen.update(pair for pair in ((first, second), (second, first)) if pair in pairs)
        together[row] = sum(pairs[pair] for pair in seen) / total
        closeness[row] = float(np.mean([1 / gap for gap in gaps])) if gaps else 0.0
    return together, closeness


def _neighbours(slot: Slots) -> list[tuple[int, int]]:
    """Pairs of slots that follow each other in the question, with at most one other word between."""
    placed = [(place, row) for place, row in enumerate(slot.order) if row >= 0 and not slot.subject[row]]
    return [
        (first, second) for (left, first), (right, second) in pairwise(placed) if right - left <= 2 and first != second
    ]
