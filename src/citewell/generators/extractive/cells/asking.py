"""Analyses a question about a figure: the item in the words of reports, the period, the kind of figure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.facts.calendar.period import MONTH_ALONE, OPENING, TypedPeriod, month_of, read_period, without_period
from citewell.generators.extractive.cells.wordings import PACKAGE, concepts, in_full, item_terms, sayings, statements
from citewell.text.data import read_json, words

_YEAR = re.compile(r"(?:(?<=\bFY)|(?<=\bFY )|(?<=\bfy)|(?<![\w.,]))((?:19|20)\d\d)(?!\d|[.,]\d)", re.IGNORECASE)
_SHORT = re.compile(r"\bFY\s?['’]?(\d\d)\b", re.IGNORECASE)
_SPAN = re.compile(r"(?<![\w.,/–-])((?:19|20)\d\d)\s?[/–-]\s?((?:19|20)?\d\d)(?![\w%/–-]|[.,]\d)")
_QUARTER = 3  # months
_ORDINALS = ("first", "second", "third", "fourth")
_MONTHS = {1: "one", 3: "three", 6: "six", 9: "nine"}
_MOSTLY = 0.5  # of the statements in which an item stands
_ITEM = re.compile(
    r"(?:what|which) ((?:[\w’'&-]+ ){0,4}?[\w’'&-]+) (?:did|do|does)\b.*"
    r"\b(?:hold|have|show|report|owe|carry|record|state)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[^.?!]++(?:[.?!](?=\w)[^.?!]*+)*+[.?!]*+")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of `words.json`."""
    return re.compile(read_json(PACKAGE, "words.json")["patterns"][name], re.IGNORECASE)


class FigureQuestion(NamedTuple):
    """A question about a figure, taken apart.

    Attributes:
        terms: its terms in order, abbreviations in full.
        implied: those that are meant without being said.
        item: those that can name an item.
        sayings: the known wordings in it.
        tags: what those stand for, by share.
        kinds: the statements in which that stands, by share.
        years: the years that are asked for.
        period: the period that is asked for, as far as the words tell it.
        month: the month that it names without a day: 10 for "as of October 2018"; 0 where it names none.
        total: whether a total is asked for.
        percent: whether a percentage is asked for.
        change: whether a change is asked for.
        parts: the terms of segments that it names as such: "the Harbour segment", even where the company is called so.
        flow: whether it asks what was spent, received or issued, which no balance tells.
    """

    terms: tuple[str, ...]
    implied: tuple[str, ...]
    item: tuple[str, ...]
    sayings: tuple[str, ...]
    tags: Mapping[int, float]
    kinds: Mapping[str, float]
    years: tuple[int, ...]
    period: TypedPeriod
    month: int
    total: bool
    percent: bool
    change: bool
    parts: frozenset[str]
    flow: bool

    @property
    def part(self) -> bool:
        """Whether a part of a year is asked for."""
        return self.period.is_part


def in_years(question: str) -> str:
    """A question with short fiscal years in full: "FY21" as "FY2021", "2021/22" by the year in which it ends."""
    return _SPAN.sub(_end, _SHORT.sub(lambda match: f"FY20{match[1]}", question))


def _end(span: re.Match[str]) -> str:
    """The second of two years that follow each other; other spans as they are."""
    following = str(int(span[1]) + 1)
    return following if following.endswith(span[2]) else span[0]


def part_asked(question: str) -> str:
    """The part of a year that a question asks for, in words that go behind the year; empty where it asks for none."""
    period = read_period(in_years(in_full(question)))
    if not period.is_part:
        return ""
    if period.months == _QUARTER and period.number:
        return f" in the {_ORDINALS[period.number - 1]} quarter"
    return f" in the {_MONTHS.get(period.months, 'three')} months"


def without_form(question: str) -> str:
    """A question without what it says of the form of the answer: "in USD millions", "Round to two decimals."."""
    parts = [
        part for part in _PARTS.findall(question) if part.strip() and not pattern("instruction").match(part.strip())
    ]
    return pattern("form").sub(" ", " ".join(parts) or question).strip()


@lru_cache(maxsize=256)
def figure_question(question: str) -> FigureQuestion:
    """Take a question apart."""
    text = in_years(in_full(without_form(question)))
    begins = OPENING.search(text) is not None  # a balance of the year before
    years = tuple(dict.fromkeys(int(year) - begins for year in _YEAR.findall(text)))
    terms = tuple(item_terms(without_period(_YEAR.sub(" ", text))))
    # What is meant where nothing is said.
    plain_share = {"share"} <= set(terms) and {"earn", "loss"} & set(terms) and not {"basic", "dilut"} & set(terms)
    implied = ("dilut",) if plain_share else ()
    terms = (*terms, *implied)
    plain = words(PACKAGE, "words.json", "asking")
    item = tuple(dict.fromkeys(term for term in terms if term not in plain or term == "total"))
    wordings = tuple(saying for saying in sayings(terms) if not set(saying.split()) <= plain)
    tags: dict[int, float] = {}
    for wording in wordings:
        for tag, share in concepts(wording).items():
            tags[tag] = tags.get(tag, 0.0) + share / len(wordings)
    return FigureQuestion(
        terms,
        implied,
        item,
        wordings,
        tags,
        statements(tags),
        years,
        _period(text),
        _month(text),
        "total" in terms,
        pattern("percent").search(text) is not None,
        pattern("change").search(f"{text} ") is not None,
        frozenset(term for name in _PART.findall(text) for term in item_terms(name)),
        pattern("flow_asked").search(text) is not None,
    )


def asks_item(question: str) -> bool:
    """Whether a question is for what a balance sheet states: "What borrowings did Oriel have at the end of 2023?".

    "What products did it have?" asks for their names.
    """
    match = _ITEM.match(without_form(question))
    wanted, terms = figure_question(question), item_terms(in_full(match[1])) if match else []
    known = bool(terms) and sayings(terms) == [" ".join(terms)]
    return known and bool(wanted.years) and wanted.kinds.get("balance", 0.0) > _MOSTLY


def _period(question: str) -> TypedPeriod:
    """The period that a question asks for; a month alone where it begins or ends with it and names no day."""
    period, month = read_period(question), _IN_MONTH.search(question)
    if month is None or period.months or period.ending:
        return period
    return month_of(month[1] or month[3], month[2] or month[4])


def _month(question: str) -> int:
    """The month that a question names with its year and without a day; 0 where it names none, or several."""
    named = {month_of(*match.groups()).ending for match in MONTH_ALONE.finditer(question) if match[2]}
    day = next(iter(named)) if len(named) == 1 else None
    return day.month if day else 0


_IN_MONTH = re.compile(  # "the end of June 2023" and "as of June 2023" are days
    rf"^in {MONTH_ALONE.pattern}|\b(?:in|during|for|(?<!end )(?<!as )of) {MONTH_ALONE.pattern}\W*$", re.IGNORECASE
)
_PART = re.compile(
    r"((?:\b[A-Z][\w&.-]*,? (?:and |& |of )?)+)(?:operating |reportable )?(?:segment|division|business unit)\b"
)
_ATTRIBUTIVE = frozenset(("noun", "name", "adjective", "other", "ing", "number"))


@lru_cache(maxsize=256)
def acts(question: str) -> frozenset[str]:
    """The terms of verbs: "spend" of "did it spend on fuel", "awarded" of "units awarded by it", not "deferred tax"."""
    from citewell.generators.extractive.phrases.words import CLASSES  # few questions need WordNet
    from citewell.generators.extractive.phrases.words import words as read_words

    spelled = read_words(question)
    classes = [CLASSES[number] for number in spelled.classes]
    terms = set(item_terms("cost expense")) if pattern("costing").search(question) else set[str]()
    if pattern("cash_asked").search(question):
        terms.update(item_terms("cash"))
    for place, name in enumerate(classes):
        after = classes[place + 1] if place + 1 < len(classes) else "end"
        verb = name == "verb" and ("aux" in classes[:place] or classes[max(0, place - 1)] == "to")
        participle = name in ("participle", "ing") and after not in _ATTRIBUTIVE
        if verb or participle or name == "adverb":
            terms.update(item_terms(question[spelled.starts[place] : spelled.ends[place]]))
    return frozenset(terms)
