"""What a question about a figure asks for: the item in the words of reports, the period, the kind of figure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from citewell.generators.extractive.cells.wordings import concepts, in_full, item_terms, sayings, statements

_QUARTER = re.compile(
    r"\b(?:q[1-4]|(?:first|second|third|fourth|1st|2nd|3rd|4th|last|latest)[ -]+(?:fiscal )?quarter|quarter(?:ly)?|three[ -]months?)\b",
    re.IGNORECASE,
)
_WHICH = (
    re.compile(r"\bq1\b|\b(?:first|1st)[ -]+(?:fiscal )?quarter|\bmarch 31\b|\bquarter\b.{0,20}\bmar(?:ch)?\b|\bmarch quarter", re.IGNORECASE),
    re.compile(r"\bq2\b|\b(?:second|2nd)[ -]+(?:fiscal )?quarter|\bjune 30\b|\bquarter\b.{0,20}\bjune?\b|\bjune quarter", re.IGNORECASE),
    re.compile(r"\bq3\b|\b(?:third|3rd)[ -]+(?:fiscal )?quarter|\bseptember 30\b|\bquarter\b.{0,20}\bsep(?:t|tember)?\b|\bseptember quarter", re.IGNORECASE),
    re.compile(r"\bq4\b|\b(?:fourth|4th|last|final)[ -]+(?:fiscal )?quarter|\bdecember 31\b|\bquarter\b.{0,20}\bdec(?:ember)?\b|\bdecember quarter", re.IGNORECASE),
)
_YEAR = re.compile(r"(?:(?<=\bFY)|(?<=\bFY )|(?<=\bfy)|(?<![\w.,]))((?:19|20)\d\d)(?![\d,]|\.\d)", re.IGNORECASE)
_SHORT = re.compile(r"\bFY\s?['’]?(\d\d)\b", re.IGNORECASE)
_MEANS = re.compile(r"(?:please\b|round\b|answer (?:in|with)|give (?:a|your)|base your|assume\b|note that)", re.IGNORECASE)
_PARTS = re.compile(r"[^.?!]+(?:[.?!](?=\w)[^.?!]*)*[.?!]*")
# Words of questions that name no item.
_ASKING = frozenset(
    "what which how much mani is are was were be been did do does has have had compani report end fiscal year fy quarter "
    "amount figur valu total number million thousand billion usd us dollar dure period annual recent latest last "
    "there it they them we you i pleas tell give me us state show accord statement consolid 's than".split()
)


class Asked(NamedTuple):
    """A question about a figure, taken apart.

    Attributes:
        terms: its terms in order, abbreviations in full.
        item: those that can name an item.
        sayings: the known wordings in it.
        tags: what those stand for, by share.
        kinds: the statements in which that stands, by share.
        years: the years that are asked for.
        quarter: whether a part of a year is asked for.
        number: of the quarter, 1 to 4; 0 where none is told.
        total: whether a total is asked for.
        percent: whether a percentage is asked for.
    """

    terms: tuple[str, ...]
    item: tuple[str, ...]
    sayings: tuple[str, ...]
    tags: Mapping[int, float]
    kinds: Mapping[str, float]
    years: tuple[int, ...]
    quarter: bool
    number: int
    total: bool
    percent: bool


def quarter_told(text: str) -> int:
    """The number of the quarter that words tell, by its name or the end of a calendar year's; 0 where none is told."""
    return next((number for number, pattern in enumerate(_WHICH, 1) if pattern.search(text)), 0)


def asked(question: str) -> Asked:
    """Take a question apart."""
    parts = [part for part in _PARTS.findall(question) if part.strip() and not _MEANS.match(part.strip())]
    text = _SHORT.sub(lambda match: f"FY20{match[1]}", in_full(" ".join(parts) or question))
    years = tuple(dict.fromkeys(int(year) for year in _YEAR.findall(text)))
    said = tuple(item_terms(_YEAR.sub(" ", text)))
    if {"earn", "share"} <= set(said) and not {"basic", "dilut"} & set(said):
        said = (*said, "dilut")  # what is meant where nothing is said
    item = tuple(dict.fromkeys(term for term in said if term not in _ASKING or term == "total"))
    wordings = tuple(saying for saying in sayings(said) if not set(saying.split()) <= _ASKING)
    tags: dict[int, float] = {}
    for wording in wordings:
        for tag, share in concepts(wording).items():
            tags[tag] = tags.get(tag, 0.0) + share / len(wordings)
    return Asked(
        said,
        item,
        wordings,
        tags,
        statements(tags),
        years,
        _QUARTER.search(text) is not None,
        quarter_told(text) if _QUARTER.search(text) else 0,
        "total" in said,
        re.search(r"%|\bper ?cent|\bpercentage|\bmargin\b|\brate\b", text, re.IGNORECASE) is not None,
    )
