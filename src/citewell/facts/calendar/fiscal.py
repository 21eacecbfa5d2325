"""A company's names for its fiscal years, from its document: "52 weeks ended January 28, 2023 (“fiscal 2022”)".

    fiscal_years(text).name(Ending(2023, 1, 28))  # 2022

A year of 52 or 53 weeks ends some days before or after the end of a month. Where a document's years do, days are moved
ten days back before they are compared: January 3, 2021 ends a year of December, as December 29, 2019 does.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from citewell.facts.calendar.period import DATE, YEAR, Ending, TypedPeriod, ending_of, read_period
from citewell.facts.types import Period
from citewell.types import Span

_SLACK = timedelta(days=10)
_LATE = 3  # a year that ends later in the calendar is called by the calendar year of its end
_CALENDAR = 12
_FEBRUARY, _LEAP = 2, 2000
_OPENING = 20_000  # characters in which a cover page stands
_NAMED = rf"(?:fiscal(?:\s+years?)?|FY|financial\s+years?)\s?(?P<name>{YEAR})"
_END = re.compile(r"\bend(?:ed|ing|s)\b", re.IGNORECASE)
_BEFORE, _AFTER = 140, 110  # characters around such a word in which a year's name and its last day stand
_QUARTER_BEFORE = 50  # of those before, in which the name of a quarter stands
_OF_YEAR = re.compile(
    r"(?:\byears?|\b(?:52|53|fifty-(?:two|three))[- ]weeks?)(?:\s+periods?)?"
    r"(?:\s*\([^()]{1,30}\))?(?:\s+(?:that|which))?\s*$",
    re.IGNORECASE,
)
_THEN = re.compile(
    rf"[\s|:,]{{0,9}}(?:(?:on|the|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b[\s|:,]{{1,9}}){{0,3}}{DATE}",
    re.IGNORECASE,
)
_LIST = rf"(?:,?\s{{1,3}}(?:(?:and|through|to)\s{{1,3}})?(?:fiscal\s{{1,3}})?{YEAR}){{0,6}}"
_NAME_BEFORE = re.compile(
    rf"\b{_NAMED}[”\"')]{{0,4}}{_LIST}[”\"')]{{0,4}}(?:[^.;\d(|]|\b5[23]\b){{0,60}}$", re.IGNORECASE
)
_BARE_BEFORE = re.compile(
    rf"(?<![\d,/])(?P<name>{YEAR})[”\"']?(?:,?\s+(?:and\s+)?{YEAR})*,?\s+(?:represent(?:s|ed)?|refers?\s+to|means|"
    rf"consist(?:s|ed)\s+of|includes?|was|is)\s[^.;()|]{{0,60}}\b(?:weeks?|year|period)\s*$",
    re.IGNORECASE,
)
_NAME_AFTER = re.compile(
    rf"[^.;|]{{0,40}}?(?:[(“\"]|\bas\s|\bis\s|\bor\s|\bour\s|\bwas\s)\s*(?:the\s+|our\s+)?[“\"(']*{_NAMED}",
    re.IGNORECASE,
)
_YEAR = re.compile(YEAR)
_HEADS = re.compile(rf"^[^\S\n]*(?:\|[^\S\n]*)*{YEAR}(?:[^\S\n]*\|+[^\S\n]*{YEAR})+[^\S\n|]*$", re.MULTILINE)


_LENGTHS_OF_YEARS = frozenset(("year", "quarter", "half"))
_FIRST_DAY = 2  # of the calendar, as `datetime.date.toordinal` numbers days


class FiscalYears(NamedTuple):
    """How a company's years end and are called.

    Attributes:
        month: the month in which they end; 12 where the document tells nothing else.
        shift: their name less the calendar year in which they end: 0, or -1 for "fiscal 2022" ended in January 2023;
            None where the document does not say and both are usual.
        stated: where the document says so.
        ends: year ends that the document names, newest first.
        by_weeks: whether they end on another day each year.
    """

    month: int = _CALENDAR
    shift: int | None = 0
    stated: Span | None = None
    ends: tuple[Ending, ...] = ()
    by_weeks: bool = False

    def name(self, day: Ending) -> int | None:
        """What the fiscal year is called in which a day lies; the calendar year of its end where that is open."""
        if day.year is None:
            return None
        moved = _moved(day) if self.by_weeks else _day(day)
        return moved.year + (moved.month > self.month) + (self.shift or 0)

    def quarter(self, day: Ending) -> int:
        """The number of the fiscal quarter that ends on a day, or in which it lies."""
        moved = _moved(day) if self.by_weeks else _day(day)
        months = (moved.month - self.month - 1) % 12
        return months // 3 + 1

    def number(self, period: TypedPeriod) -> int:
        """The number of a quarter, by its name or by the day on which it ends; 0 where neither is told."""
        if period.number or period.months not in (0, 3) or period.ending is None:
            return period.number
        return self.quarter(period.ending)

    def year_of(self, period: Period) -> int | None:
        """What the company calls the year of a period of text: by its last day where that is told, else by its name."""
        if period.until is None or period.until < _FIRST_DAY or period.granularity not in _LENGTHS_OF_YEARS:
            return period.year
        last = date.fromordinal(period.until - 1)
        if (last.month, last.day) == (_CALENDAR, 31):
            return period.year
        return self.name(Ending(last.year, last.month, last.day))

    def meant(self, year: int) -> tuple[int, ...]:
        """The years that a fiscal year's name may mean, as `name` tells days: two where the document leaves it open."""
        return (year,) if self.shift is not None else (year, year + 1)


def _day(day: Ending) -> date:
    return date(day.year or 2001, day.month, min(day.day, 28) if day.month == 2 else day.day)


def _moved(day: Ending) -> date:
    return _day(day) - _SLACK


class _Definition(NamedTuple):
    """A year end that a text tells, where, and by what name the year is called, where it says so."""

    ending: Ending
    place: Span
    name: int | None


def fiscal_years(text: str) -> FiscalYears:
    """How a document's fiscal years end and are called; calendar years where it says nothing."""
    endings = list(_year_ends(text))
    if not endings:
        return FiscalYears()
    first = endings[0]
    on_cover = first.ending.year is not None and first.place.start < _OPENING
    months = Counter(_moved(ending.ending).month for ending in endings)
    month = _moved(first.ending).month if on_cover else months.most_common(1)[0][0]
    matching = [ending for ending in endings if _moved(ending.ending).month == month]
    ends = tuple(sorted({ending.ending for ending in matching if ending.ending.year}, reverse=True))
    by_weeks = any(end.day < monthrange(end.year or _LEAP, end.month)[1] - (end.month == _FEBRUARY) for end in ends)
    shift, stated = (0, None) if month == _CALENDAR else _shift(text, matching, month, covered=on_cover)
    return FiscalYears(month, shift, stated, ends, by_weeks)


def _shift(text: str, endings: Sequence[_Definition], month: int, *, covered: bool) -> tuple[int | None, Span | None]:
    """How the names of years stand to the calendar years in which they end, and where the document says so."""
    shifts = [
        (ending.name - _moved(ending.ending).year, ending.place)
        for ending in endings
        if ending.name and ending.ending.year
    ]
    votes = Counter(shift for shift, _ in shifts if shift in (-1, 0))
    if votes:
        chosen = votes.most_common(1)[0][0]
        return chosen, next(place for shift, place in shifts if shift == chosen)
    if month > _LATE:
        return 0, None
    # The newest year of a header, which may stand first or last.
    heads = Counter(max(map(int, _YEAR.findall(match[0]))) for match in _HEADS.finditer(text)).most_common(1)
    if heads and covered and heads[0][0] - _moved(endings[0].ending).year in (-1, 0):
        return heads[0][0] - _moved(endings[0].ending).year, None
    return None, None


def _year_ends(text: str) -> Iterator[_Definition]:
    """The ends of fiscal years that a text tells, in order."""
    for verb in _END.finditer(text):
        behind = _THEN.match(text, verb.end(), verb.end() + _AFTER)
        ending = ending_of(behind) if behind else None
        if behind is None or ending is None:
            continue
        before = text[max(0, verb.start() - _BEFORE) : verb.start()]
        named = _NAME_BEFORE.search(before) or _BARE_BEFORE.search(before) or _NAME_AFTER.match(text, behind.end())
        part = read_period(before[-_QUARTER_BEFORE:]) if named else None
        if named and part is not None and part.is_part:
            if part.number and part.months == 3:
                yield _Definition(
                    _end_of_year(ending, part.number), Span(verb.start(), behind.end()), int(named["name"])
                )
        elif named or _OF_YEAR.search(before):
            yield _Definition(ending, Span(verb.start(), behind.end()), int(named["name"]) if named else None)


def _end_of_year(day: Ending, quarter: int) -> Ending:
    """The last day of the year whose quarter of a number ends on a day: "second quarter fiscal 2024 ended July 31"."""
    months = day.month + 3 * (4 - quarter)
    year = None if day.year is None else day.year + (months - 1) // 12
    month = (months - 1) % 12 + 1
    return Ending(year, month, monthrange(year or _LEAP, month)[1])


_FISCAL_QUESTION = re.compile(
    r"\b(?:(?:for|in|during|over|of)\s+)?(?:the\s+)?"
    r"(?:[\w-]+(?:[ -](?:months?|weeks?))|(?:fiscal\s+|full\s+)?years?|(?:fiscal\s+)?quarter)"
    rf"\s+(?:ended|ending)\s+(?:on\s+)?{DATE}",
    re.IGNORECASE,
)
_ON = re.compile(rf"\b(?:as of|as at|at|on)\s+{DATE}", re.IGNORECASE)


def in_fiscal_years(question: str, years: FiscalYears) -> str:
    """A question with days told as the company's years: "in the year ended January 28, 2023" as "in fiscal 2022"."""

    def named(match: re.Match[str]) -> str:
        day = ending_of(match)
        name = years.name(day) if day else None
        if day is None or name is None:
            return match[0]
        length = read_period(match[0]).months
        if length == 3:
            return f"in the {_ORDINALS[years.quarter(day) - 1]} quarter of fiscal {name}"
        if 0 < length < 12:
            return match[0]
        if not length and not any((end.month, end.day) == (day.month, day.day) for end in years.ends):
            return match[0]
        return f"in fiscal {name}" if length else f"at the end of fiscal {name}"

    return _ON.sub(named, _FISCAL_QUESTION.sub(named, question))


_ORDINALS = ("first", "second", "third", "fourth")
