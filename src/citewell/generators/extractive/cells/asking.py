"""What a question about a figure asks for: the item in the words of reports, the period, the kind of figure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.generators.extractive.cells.wordings import PACKAGE, concepts, in_full, item_terms, sayings, statements
from citewell.text.data import read_json, words

_YEAR = re.compile(r"(?:(?<=\bFY)|(?<=\bFY )|(?<=\bfy)|(?<![\w.,]))((?:19|20)\d\d)(?![\d,]|\.\d)", re.IGNORECASE)
_SHORT = re.compile(r"\bFY\s?['’]?(\d\d)\b", re.IGNORECASE)
_SPAN = re.compile(r"(?<![\w.,/–-])((?:19|20)\d\d)\s?[/–-]\s?((?:19|20)?\d\d)(?![\w%/–-]|[.,]\d)")
_PARTS = re.compile(r"[^.?!]++(?:[.?!](?=\w)[^.?!]*+)*+[.?!]*+")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of `words.json`."""
    return re.compile(read_json(PACKAGE, "words.json")["patterns"][name], re.IGNORECASE)


@cache
def _quarters() -> tuple[re.Pattern[str], ...]:
    names = read_json(PACKAGE, "words.json")["quarters"]
    return tuple(re.compile(rf"\b(?:{'|'.join(wordings)})\b", re.IGNORECASE) for wordings in names)


class Asked(NamedTuple):
    """A question about a figure, taken apart.

    Attributes:
        terms: its terms in order, abbreviations in full.
        implied: those that are meant without being said.
        item: those that can name an item.
        sayings: the known wordings in it.
        tags: what those stand for, by share.
        kinds: the statements in which that stands, by share.
        years: the years that are asked for.
        quarter: whether a part of a year is asked for.
        number: of the quarter, 1 to 4; 0 where none is told.
        total: whether a total is asked for.
        percent: whether a percentage is asked for.
        change: whether a change is asked for.
    """

    terms: tuple[str, ...]
    implied: tuple[str, ...]
    item: tuple[str, ...]
    sayings: tuple[str, ...]
    tags: Mapping[int, float]
    kinds: Mapping[str, float]
    years: tuple[int, ...]
    quarter: bool
    number: int
    total: bool
    percent: bool
    change: bool


def in_years(question: str) -> str:
    """A question with short fiscal years in full: "FY21" as "FY2021", "2021/22" by the year in which it ends."""
    return _SPAN.sub(_end, _SHORT.sub(lambda match: f"FY20{match[1]}", question))


def _end(span: re.Match[str]) -> str:
    """The second of two years that follow each other; other spans as they are."""
    following = str(int(span[1]) + 1)
    return following if following.endswith(span[2]) else span[0]


def quarter_told(text: str) -> int:
    """The number of the quarter that words tell, by its name or the end of a calendar year's; 0 where none is told."""
    return next((number for number, names in enumerate(_quarters(), 1) if names.search(text)), 0)


def part_asked(question: str) -> str:
    """The part of a year that a question asks for, in words that go behind the year; empty where it asks for none."""
    said = pattern("part_asked").search(in_years(in_full(question)))
    return f" in the {said[0]}" if said else ""


@lru_cache(maxsize=256)
def asked(question: str) -> Asked:
    """Take a question apart."""
    parts = [
        part for part in _PARTS.findall(question) if part.strip() and not pattern("instruction").match(part.strip())
    ]
    text = pattern("bare_profit").sub("net income", in_years(in_full(" ".join(parts) or question)))
    years = tuple(dict.fromkeys(int(year) for year in _YEAR.findall(text)))
    said = tuple(item_terms(_YEAR.sub(" ", text)))
    # What is meant where nothing is said.
    plain_share = {"share"} <= set(said) and {"earn", "loss"} & set(said) and not {"basic", "dilut"} & set(said)
    implied = ("dilut",) if plain_share else ()
    said = (*said, *implied)
    plain = words(PACKAGE, "words.json", "asking")
    item = tuple(dict.fromkeys(term for term in said if term not in plain or term == "total"))
    wordings = tuple(saying for saying in sayings(said) if not set(saying.split()) <= plain)
    tags: dict[int, float] = {}
    for wording in wordings:
        for tag, share in concepts(wording).items():
            tags[tag] = tags.get(tag, 0.0) + share / len(wordings)
    return Asked(
        said,
        implied,
        item,
        wordings,
        tags,
        statements(tags),
        years,
        pattern("part_asked").search(text) is not None,
        quarter_told(text) if pattern("part_asked").search(text) else 0,
        "total" in said,
        pattern("percent").search(text) is not None,
        pattern("change").search(f"{text} ") is not None,
    )
