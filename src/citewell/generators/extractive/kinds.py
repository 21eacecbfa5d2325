"""Whether a sentence offers the requested kind of answer: a date, a figure, a name, a place, a reason.

What a way or a definition looks like was tried by word lists too, and told nothing.
"""

from __future__ import annotations

import re

import numpy as np

from citewell.generators.extractive import patterns as p
from citewell.generators.extractive.context import Surroundings
from citewell.generators.extractive.questions import Question
from citewell.generators.extractive.settings import aliases, settings
from citewell.text.index import Floats, TermIndex
from citewell.text.words import Ints

FIGURES = ("count", "money", "percent", "measure")  # kinds answered by figures: one weight, some are rare in the data
NOT_ROWS = ("reason", "manner", "person", "definition", "yes_no", "list")  # kinds that a row of a table hardly answers
NAMED_ROWS = ("count", "date", "place")  # kinds that only a row answers whose label is all in the question
_PARENTHESES = re.compile(r"\([^)]*\)")
_BEFORE = 6  # words from a number to what it counts, at most


def fits(question: Question, text: str, kind: str, question_words: frozenset[str]) -> float:
    """How well a sentence offers the kind of answer that is asked for, 0 to 1; what the question has does not count."""
    s = settings()
    date_words: float
    figures = [n for n in p.NUMBER.findall(text) if n not in question.years and n not in question.numbers]
    row = kind == "table_row"
    match question.kind:
        case "date":
            dates = [m for m in p.DATE.findall(text) if m and m not in question.years]
            date_words = 1.0 if dates else s["date_words"] * bool(p.any_of("number_words").search(text))
        case "count" | "measure":
            figures_left = [n for n in figures if not p.YEAR.fullmatch(n)]
            if question.kind == "count":  # things are counted in whole numbers; "1.2" is a clause, "12%" a share
                figures_left = [n for n in figures_left if n.replace(",", "").isdigit() and f"{n}%" not in text]
            worth = 1.0 if question.kind == "count" or p.UNIT.search(text) else s["measure_bare"]
            date_words = worth if figures_left else s["count_words"] * bool(p.any_of("number_words").search(text))
        case "money":
            date_words = float(bool(figures)) * (1.0 if p.MONEY.search(text) or row else s["money_bare"])
        case "percent":
            date_words = float(bool(figures)) * (
                1.0 if p.PERCENT.search(text) else s["percent_row"] if row else s["percent_bare"]
            )
        case "person" | "place":
            names = [n for n in p.NAME.findall(text) if not set(n.lower().split()) <= question_words]
            date_words = (
                s["place_name"] * bool(names) + s["place_word"] * bool(p.PLACE.search(text))
                if question.kind == "place"
                else float(bool(names))
            )
        case "reason":
            date_words = float(bool(p.any_of("reasons").search(text)))
        case "list":
            parts = text.count(",") + text.count(";")
            date_words = (1.0 if p.LIST.search(text) else s["list_bare"]) * min(1.0, parts / 2)
        case _:
            date_words = 0.0
    return date_words


def label(terms: TermIndex, text: str, accepted: frozenset[int]) -> float:
    """The share of the words of a row's label that the question has, in one form or another.

    "Total" is never missed: costs are the total of them. "Other" is: other costs are not the costs. What stands in
    parentheses says how it is measured.
    """
    name = text.partition(" | ")[0]
    name = _PARENTHESES.sub("", name).strip() or name
    words = terms.query(name)
    named = []
    for number, stop, start, end in zip(
        words.ids.tolist(), words.stop.tolist(), words.starts.tolist(), words.ends.tolist(), strict=True
    ):
        word = name[start:end].lower()
        if word == "other" or (not stop and (word != "total" or number in accepted)):
            named.append(number in accepted)
    return sum(named) / max(1, len(named))


def defines(meaning: str, text: str) -> float:
    """How far a sentence says what an expression means, 0 to 1: "Net debt: ...", "a ship is on time if ..."."""
    mentions = list(re.finditer(rf"(?<!\w){re.escape(meaning)}(?:e?s)?(?!\w)", text, re.IGNORECASE)) if meaning else []
    if not mentions:
        return 0.0
    for match in mentions:
        before, after = text[: match.start()], text[match.end() :]
        if p.DEFINED.match(after) and (p.OPENING.fullmatch(before) or p.CONDITION.match(after)):
            return 1.0
        if p.QUOTED.fullmatch(before[-2:] + after[:2]) or p.DEFINING.search(before[-30:]):
            return settings()["defining"]
    return settings()["definition"] if p.DEFINITION.search(text) else settings()["mentioned"]


def repeated(terms: TermIndex, where: Surroundings, words: Ints) -> float:
    """How often the first figure of a row stands elsewhere: what a report is about is told in several places."""
    figures = words[where.figures[words]]
    return min(1.0, float(np.log(max(1, terms.df[figures[0]]))) / 2) if len(figures) else 0.0


def counted(question: Question, terms: TermIndex, where: Surroundings) -> Floats:
    """(S,) whether a whole number stands just before what is counted: "57,500 full-time employees".

    1 for the nearest three words, less for the three before.
    """
    result = np.zeros(len(terms.segments), dtype=np.float32)
    names = " ".join(
        [question.focus, *(other for word in question.focus.lower().split() for other in aliases().get(word, ()))]
    )
    focus = {int(number) for number in terms.query(names).ids if number >= 0}
    if question.kind != "count" or not focus:
        return result
    places = np.flatnonzero(np.isin(terms.word_terms, list(focus)))
    owners = np.searchsorted(terms.segment_ptr, places, side="right") - 1
    term_index = np.concatenate(([0], np.cumsum(where.wholes[terms.word_terms])))
    for reach, worth in ((_BEFORE, settings()["counted_far"]), (_BEFORE // 2, 1.0)):
        first = np.maximum(places - reach, terms.segment_ptr[owners])
        result[owners[term_index[places] > term_index[first]]] = worth
    return result


def opposite(question: str, text: str) -> float:
    """Whether the question asks about a fall and the sentence tells of a rise only, or the other way round."""
    falls, rises = bool(p.FALL.search(question)), bool(p.RISE.search(question))
    if falls == rises:
        return 0.0
    same, other = (p.FALL, p.RISE) if falls else (p.RISE, p.FALL)
    return float(bool(other.search(text)) and not same.search(text))
