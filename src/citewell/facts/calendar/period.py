"""Converts words to a typed period: its length, its end, the year and the part of a year it is named after.

    read_period("13 weeks ended April 29, 2023").months  # 3

A header, a sentence and a question are read by the same function, so that a quarter never answers for a year.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from citewell.facts.date_patterns import months, part_number
from citewell.facts.number_words import count_of
from citewell.text.times import MONTH

YEAR = r"(?:19|20)\d\d(?![\d,]*\d|\.\d)"
DATE = (
    rf"(?:(?P<month>{MONTH})\b\.?\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!,\d\d\d(?!\d))"
    rf"|(?P<day_first>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month_behind>{MONTH})\b)\.?"
    rf"(?:,?\s*(?P<year>{YEAR}))?"
)
_DATE = re.compile(DATE, re.IGNORECASE)
_RANGE = re.compile(
    rf"(?P<between>\bbetween\s{{1,3}})?\b(?P<first>{MONTH})\b\.?\s{{0,3}}(?P<first_day>\d{{1,2}})"
    rf"(?:,?\s{{0,3}}(?P<first_year>{YEAR}))?"
    rf"\s{{0,3}}(?:to|through|thru|[–—-]|(?(between)and|(?!)))\s{{0,3}}"
    rf"(?:(?P<last>{MONTH})\b\.?\s{{0,3}})?(?P<last_day>\d{{1,2}})\b(?:,?\s{{0,3}}(?P<year>{YEAR}))?",
    re.IGNORECASE,
)
MONTH_ALONE = re.compile(rf"({MONTH})\b\.?(?:(?:,?\s+|-)({YEAR}))?", re.IGNORECASE)
_YEAR = re.compile(rf"(?<![\w.,$€£/–-])({YEAR})(?![\w%])")
_SHORT_YEAR = re.compile(r"\b(?:FY|fiscal(?: year)?|[QH][1-4] ?)\s?['’]?(\d\d)\b(?!\d)", re.IGNORECASE)
_MONTHS = re.compile(  # "more than three months" tells how long something is
    r"(?<!more than )(?<!less than )(?<!longer than )(?<!over )(?<!exceeding )(?<!within )(?<!up to )"
    r"\b(one|two|three|six|nine|twelve|1|2|3|6|9|12)[ -]months?\b(?! (?:or|after|from|later|ago)\b)",
    re.IGNORECASE,
)
_WEEKS = re.compile(r"\b([a-z]+(?:-[a-z]+)?|\d\d)[ -]weeks?\b", re.IGNORECASE)
_QUARTER = re.compile(
    r"\b(?:(?:first|second|third|fourth|1st|2nd|3rd|4th|last|final|latest)[ -]+(?:fiscal )?quarter\b"
    r"|q[1-4](?!\d)(?=\b|fy|20)|[1-4]q(?=\b|\d\d))",
    re.IGNORECASE,
)
_ANY_QUARTER = re.compile(r"\bquarter(?:s|ly)?\b", re.IGNORECASE)
_HALF = re.compile(r"\b(?:(?:first|second|1st|2nd)[ -]half\b|(?<![-\w])h[12]\b)", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:(?:full|whole|entire)[- ]?(?:fiscal )?year|annual|years? (?:ended|ending)|for the (?:fiscal )?year)\b",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"\b(?:trailing|last|latest|previous|rolling)[ -](?:twelve|12|four)[ -](?:months?|quarters?)\b|\b(?:ttm|ltm)\b",
    re.IGNORECASE,
)
_TRANSITION = re.compile(r"\btransition period\b", re.IGNORECASE)
_ENDED_IN = re.compile(
    r"\b(?:for|in|during|of|at|as of)?\s*(?:the )?(?:fiscal |full |whole )?(?:years?|quarters?|periods?) "
    r"(?:ended|ending)\b",
    re.IGNORECASE,
)
_WEEKS_SPAN = re.compile(r"\b(?:[a-z]+(?:-[a-z]+)?|\d\d)[ -]weeks? (?:ended|ending)\b", re.IGNORECASE)
_FISCAL_YEAR = re.compile(r"\b(?:fy ?['’]?\d\d(?:\d\d)?|fiscal(?: years?)?|financial years?)\b", re.IGNORECASE)
# What tells a balance of the day before a period: "Beginning of year", "opening balance".
OPENING = re.compile(
    r"\b(?:beginning|start) of\b(?: (?:the )?(?:fiscal )?(?:year|period)\b)?|^beginning\b"
    r"|\b(?:beginning|opening) balances?\b|\bbalances?,? (?:at (?:the )?)?(?:beginning|start)\b",
    re.IGNORECASE,
)
_DAYS = 365.25 / 12  # of a month
_PLAIN_YEAR = 2001  # for days whose year is left open
# Months by weeks.
_USUAL = (1, 3, 6, 9, 12)
_LENGTHS = {4: 1, 5: 1, 12: 3, 13: 3, 14: 3, 16: 4, 24: 6, 26: 6, 27: 6, 36: 9, 39: 9, 40: 9, 52: 12, 53: 12}


class Ending(NamedTuple):
    """The last day of a period; its year is None where the words leave it open."""

    year: int | None
    month: int
    day: int


class TypedPeriod(NamedTuple):
    """What words tell of a period.

    Attributes:
        months: how long it lasts: 12, 9, 6, 3, 1; 0 where the words do not tell, or it is a moment.
        number: which quarter (or half) of its year; 0 where none is named.
        years: the years that are named, as written, in order.
        ending: its last day, or the day of a moment.
        trailing: whether it is the twelve months before a day, whatever the company's year.
        transition: whether it is the short period between two fiscal years of different ends.
    """

    months: int = 0
    number: int = 0
    years: tuple[int, ...] = ()
    ending: Ending | None = None
    trailing: bool = False
    transition: bool = False

    @property
    def is_part(self) -> bool:
        """Whether it is a part of a year: a quarter, a half, nine months."""
        return 0 < self.months < 12 or self.transition

    @property
    def words(self) -> str:
        """How long it lasts, as a sentence says it."""
        if self.transition:
            return "a transition period"
        if self.trailing:
            return "twelve trailing months"
        if self.months == 3:
            return f"quarter {self.number}" if self.number else "a quarter"
        named = {0: "", 1: "a month", 6: "six months", 9: "nine months", 12: "the year"}
        return named.get(self.months, f"{self.months} months")


def ending_of(match: re.Match[str]) -> Ending | None:
    """The day that a match of `DATE` tells; None for a day that no month has."""
    name = (match["month"] or match["month_behind"]).lower().rstrip(".")
    day = int(match["day"] or match["day_first"])
    year = int(match["year"]) if match["year"] else None
    try:
        date(year or 2000, months()[name], day)
    except ValueError:
        return None
    return Ending(year, months()[name], day)


@lru_cache(maxsize=8192)
def read_period(text: str) -> TypedPeriod:
    """What words tell of a period; all fields are empty where they tell none."""
    dates = list(_DATE.finditer(text))
    ending = next(filter(None, map(ending_of, dates)), None)
    years = [int(year) for year in _YEAR.findall(text)]
    years = years or [2000 + int(year) for year in _SHORT_YEAR.findall(text)]
    if ending is not None and ending.year is None and len(set(years)) == 1:
        ending = ending._replace(year=years[0])
    months, number = _length(text)
    trailing = _TRAILING.search(text) is not None
    period = TypedPeriod(
        12 if trailing else months,
        0 if trailing else number,
        tuple(dict.fromkeys(years)),
        ending,
        trailing,
        _TRANSITION.search(text) is not None,
    )
    period = next(filter(None, map(_range, _RANGE.finditer(text))), period)
    return _moment(period) if OPENING.search(text) else period


def _range(match: re.Match[str]) -> TypedPeriod | None:
    """The period between two days: "from January 1, 2024 to March 31, 2024", "May 1 through 31", "Oct. 1 - Oct. 31"."""
    first, last = (months()[(match[name] or match["first"]).lower().rstrip(".")] for name in ("first", "last"))
    year = int(match["year"] or match["first_year"] or 0)
    begins = int(match["first_year"] or (year or _PLAIN_YEAR) - (first > last))
    try:
        begin, end = (
            date(begins, first, int(match["first_day"])),
            date(year or _PLAIN_YEAR, last, int(match["last_day"])),
        )
    except ValueError:
        return None
    length = round((end - begin).days / _DAYS)
    ending = Ending(year or None, last, end.day)
    return TypedPeriod(length, 0, (year,) if year else (), ending) if length in _USUAL else None


def month_of(name: str, year: str | None) -> TypedPeriod:
    """A calendar month: "October 2024"; its year may be left open."""
    month = months()[name.lower().rstrip(".")]
    last = monthrange(int(year or _PLAIN_YEAR), month)[1]
    return TypedPeriod(1, 0, (int(year),) if year else (), Ending(int(year) if year else None, month, last))


def _moment(period: TypedPeriod) -> TypedPeriod:
    """The day before a period, as far as it is told."""
    start = start_of(period)
    if start is not None:
        return TypedPeriod(years=(start.year or 0,), ending=start)
    whole = period.months in (0, 12) and len(period.years) == 1
    return TypedPeriod(years=(period.years[0] - 1,)) if whole else period


def days_between(first: Ending, last: Ending) -> int:
    """How many days lie between two that have their years."""
    begin, end = (date(day.year or 2000, day.month, min(day.day, 28)) for day in (first, last))
    return (end - begin).days


def start_of(period: TypedPeriod) -> Ending | None:
    """The day before a period; None where its words do not tell its last day. A day alone ends a year."""
    last = period.ending
    if last is None or last.year is None:
        return None
    place = last.year * 12 + last.month - 1 - (period.months or 12)
    year, month = place // 12, place % 12 + 1
    ends = last.day >= monthrange(last.year, last.month)[1]
    return Ending(year, month, monthrange(year, month)[1] if ends else min(last.day, monthrange(year, month)[1]))


def _length(text: str) -> tuple[int, int]:
    """How many months words tell, and which quarter or half of a year."""
    for pattern, length in ((_QUARTER, 3), (_HALF, 6)):
        if (part := pattern.search(text)) is not None:
            return length, part_number(part[0].lower())
    counted = _MONTHS.search(text)
    if counted:
        return count_of(counted[1].lower()), 0
    for weeks in _WEEKS.finditer(text):
        count = count_of(weeks[1].lower())
        if count in _LENGTHS:
            return _LENGTHS[count], 0
    if _WHOLE.search(text):
        return 12, 0
    return (3, 0) if _ANY_QUARTER.search(text) else (0, 0)


def without_period(text: str) -> str:
    """A text without the words that tell its period: dates, years, quarters, lengths."""
    for pattern in (_ENDED_IN, _DATE, _TRAILING, _QUARTER, _HALF, _MONTHS, _WEEKS_SPAN, _FISCAL_YEAR, _YEAR):
        text = pattern.sub(" ", text)
    return text
