"""Times that have a place in the calendar, each read from its first word or digit."""

from __future__ import annotations

import re

from citewell.facts import quarters
from citewell.facts.date_patterns import NAME, months, pattern
from citewell.facts.days import day_number, full_year, month_after, months_span, years_span
from citewell.facts.lexicon import GAP, word_before
from citewell.facts.lists import read, words
from citewell.facts.quarters import placed
from citewell.facts.types import Granularity, Period

_WORD_AFTER = re.compile(r"\s([^\W\d_]+)")
_NOT_MODAL = frozenset(
    "in of by since last next early late mid until from this during before after to through and every".split()
)
_AGES = frozenset("his her their my your its in-his".split())


def dated(
    start: int, end: int, year: int | None, month: int, day: int | None, last: int | None = None
) -> Period | None:
    """A day, days of one month, or a month; None for a day that no month has."""
    if not 0 < month < 13 or (day is not None and not 0 < day < 32):
        return None
    granularity: Granularity = "month" if day is None else "day"
    if year is None:
        return placed("recurring", start, end, granularity, None, month=month, day=day)
    try:
        first = day_number(year, month, day or 1)
        until = day_number(*month_after(year, month)) if day is None else day_number(year, month, last or day) + 1
    except ValueError:
        return None
    return placed("period", start, end, granularity, (first, max(until, first + 1)), year=year, month=month, day=day)


def month(text: str, lower: str, start: int) -> Period | None:
    """June 5, 2010; June 2010; Jun '10; June."""
    match = pattern("month").match(lower, start)
    if match is None or lower[match.end(1) : match.end(1) + 1].isdigit():
        return None
    name, day, last, year, other_year, short = match.groups()
    written = year or other_year or (full_year(short) if short else None)
    if day is None and written is None and not _is_month(text, lower, start, match.end(1)):
        return None
    if name in {"may", "march", "mar"} and not text[start].isupper():
        return None
    end = match.end()
    if day is None and written is None:
        end = match.end(1)
    return dated(
        start,
        end,
        int(written) if written else None,
        months()[name],
        int(day) if day else None,
        int(last) if last else None,
    )


def _is_month(text: str, lower: str, start: int, end: int) -> bool:
    """Whether a bare word that may be a month is: "May" after "in", not at the head of a question."""
    if lower[start:end] not in words(NAME, "ambiguous_months"):
        return text[start].isupper()
    return text[start].isupper() and word_before(lower, start) in _NOT_MODAL


def day(text: str, lower: str, start: int) -> Period | None:
    """5 June 2010; 5th of June; 5. Juni 2010."""
    match = pattern("day").match(lower, start)
    if match is None:
        return None
    first, last, name, year = match.groups()
    if name in {"may", "march"} and not text[match.start(3)].isupper():
        return None
    end = match.end() if year else match.end(3)
    return dated(start, end, int(year) if year else None, months()[name], int(first), int(last) if last else None)


def numeric(_: str, lower: str, start: int) -> Period | None:
    """2010-06-05, 5/6/2010 (American where both could be), 05.06.2010."""
    match = pattern("numeric").match(lower, start)
    if match is None:
        return None
    first, sign, second, year = match.groups()
    if sign == "." and len(year) == 2 and not (len(first) == len(second) == 2):
        return None
    entry, two = int(first), int(second)
    day_number, month_number = (entry, two) if sign == "." or entry > 12 else (two, entry)
    return dated(start, match.end(), full_year(year), month_number, day_number)


def years(text: str, lower: str, start: int) -> Period | None:
    """What begins with four digits: a date, a range of years, a decade, a quarter, a year."""
    if start and text[start - 1] in "/=_":
        return None  # an address
    following = lower[start + 4 : start + 6]
    if following[:1] == "-":
        match = pattern("iso").match(lower, start)
        if match is not None:
            return dated(start, match.end(), *map(int, match.groups()))
    if following[:1] in {"s", "'", "’"}:
        match = pattern("decade").match(lower, start)
        if match is not None:
            return _decade(start, match.end(), int(match[1]))
    first = int(lower[start : start + 4])
    if following.strip()[:1] in {"-", "–", "—", "/"}:
        match = pattern("years").match(lower, start)
        if match is not None:
            second = match[2]
            last = int(second) if len(second) == 4 else first // 100 * 100 + int(second)
            if first < last < 2200 and first > 999 and (last - first < 1000):
                return placed(
                    "period", start, match.end(), "years", (day_number(first), day_number(last + 1)), year=first
                )
    if following.strip()[:1] in {"q", "h"} and "h" not in text[start + 4 : start + 6]:
        match = pattern("part_behind").match(lower, start)
        if match is not None:
            return quarters.part_of(start, match.end(), match[2], match[1])
    for name in ("era", "fiscal_behind"):
        match = pattern(name).match(lower, start)
        if match is not None and following[:1] in {" ", "b", "a", "c"}:
            return (
                _era(start, match.end(), first, match[2])
                if name == "era"
                else quarters.fiscal_of(start, match.end(), first)
            )
    return _plain_year(text, lower, start, first)


def _plain_year(text: str, lower: str, start: int, value: int) -> Period | None:
    """Four digits that are a year and no count: 1856 needs a word that says so, 1987 one that speaks against it."""
    after = text[start + 4 : start + 6]
    if not 1000 <= value < 2200 or (
        after and (after[0].isalnum() or after[0] in "%°_" or (after[0] in ".," and after[1:].isdigit()))
    ):
        return None
    before = text[max(0, start - 2) : start]
    if before and (before[-1] in "$€£¥.,/#_@=<>≥≤~≈" or (before[-1] in "-–−" and not before[0].isalpha())):
        return None
    previous = word_before(lower, start)
    if previous in words(NAME, "year_strongly_before") or (
        before[-1:] == "(" and after[:1] in {")", "–", "-", ",", ";"}
    ):
        return _year(start, value)
    following = _WORD_AFTER.match(lower, start + 4)
    noun = following[1] if following else ""
    counts = noun in words(NAME, "count_after") or (
        noun.endswith("s") and value % 100 == 0 and noun not in {"was", "is", "has", "as"}
    )
    if previous in words(NAME, "count_before") or counts:
        return None
    if 1800 <= value < 2100 or previous in words(NAME, "year_before"):
        return _year(start, value)
    return None


def _year(start: int, value: int) -> Period:
    return Period("period", start, start + 4, "year", *years_span(value), year=value)


def _decade(start: int, end: int, first: int) -> Period | None:
    if first % 100 == 0 and first % 1000:
        return placed("period", start, end, "century", years_span(first, 100), year=first)
    return placed("period", start, end, "decade", years_span(first, 10), year=first)


def short(text: str, lower: str, start: int) -> Period | None:
    """What begins with one to three digits: a day, an hour, a century, a short decade, a quarter, a year of an era."""
    end = start + 1
    while end < start + 4 and lower[end : end + 1].isdigit():
        end += 1
    sign = lower[end : end + 1]
    if sign == ":":
        return clock(text, lower, start)
    if sign in {"/", "."} and lower[end + 1 : end + 2].isdigit():
        return numeric(text, lower, start)
    if end - start == 2 and (sign in {"’", "'"} or (sign == "s" and lower[end + 1 : end + 2] != "t")):
        return _short_decade(text, lower, start)
    if lower.startswith("ad ", start - 3) and text[start - 3 : start - 1] == "AD":
        return placed("period", start - 3, end, "year", years_span(int(lower[start:end])), year=int(lower[start:end]))
    if sign and sign in "snrt":
        match = pattern("ordinal_century").match(lower, start)
        if match is not None:
            return _century(start, match.end(), int(match[1]), match[2])
    if sign and sign in "snrtqh" and (period := quarters.part(text, lower, start)) is not None:
        return period
    if sign and sign in " abcp\u00a0":
        match = pattern("era").match(lower, start)
        if (
            match is not None
            and (match[2][0] != "c" or sign == " ")
            and not (match[2] in {"ad", "ce"} and text[match.start(2)].islower())
        ):
            return _era(start, match.end(), int(match[1]), match[2])
        hour = clock(text, lower, start)
        if hour is not None:
            return hour
    return day(text, lower, start)


def _short_decade(text: str, lower: str, start: int) -> Period | None:
    """The '80s; "in his 80s" is an age, "the 80s" is the decade."""
    match = pattern("decade").match(lower, start)
    before = word_before(lower, start)
    if match is None or before in _AGES:
        return None
    mark = text[start - 1 : start] in {"'", "’", "‘"}
    named = lower.endswith("the ", 0, start) or before in {"early", "mid", "late", "in"}
    if not mark and not named:
        return None
    return _decade(start - mark, match.end(), 1900 + int(match[1]) if match[1] > "10" else 2000 + int(match[1]))


def clock(_: str, lower: str, start: int) -> Period | None:
    """14:30, 2:30 p.m., 5 pm."""
    match = pattern("clock").match(lower, start)
    if match is None:
        return None
    hour = int(match[1] or match[4])
    half = match[3] or match[5]
    if hour > (12 if half else 24):
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return placed("recurring", start, match.end(), "time", None, minute=hour * 60 + int(match[2] or 0))


def _era(start: int, end: int, value: int, era: str) -> Period | None:
    if not value:
        return None
    year = 1 - value if era[0] == "b" else value
    return placed("period", start, end, "year", years_span(year), year=year)


def century(_: str, lower: str, start: int) -> Period | None:
    """Nineteenth century, fifth century BC."""
    match = pattern("century").match(lower, start)
    if match is None:
        return None
    return _century(start, match.end(), read(NAME)["ordinals"][re.sub(r"\s+", "-", match[1])], match[2])


def _century(start: int, end: int, number: int, era: str | None) -> Period | None:
    if not 0 < number < 60:
        return None
    first = 1 - number * 100 if era and era[0] == "b" else number * 100 - 99
    return placed("period", start, end, "century", years_span(first, 100), year=first)


def decade(_: str, lower: str, start: int, end: int) -> Period | None:
    """The nineties; an age where someone is "in his sixties"."""
    if word_before(lower, start) in _AGES:
        return None
    hundreds, _, name = re.sub(GAP, " ", lower[start:end]).rpartition(" ")
    first = (1800 if hundreds == "eighteen" else 1900) + read(NAME)["decades"][name]
    return _decade(start, end, first)


def season(_: str, lower: str, start: int) -> Period | None:
    """Summer of 2010; alone only as "in the summer"."""
    match = pattern("season").match(lower, start)
    if match is None:
        return None
    first, count = read(NAME)["seasons"][match[1]]
    if match[2]:
        year = int(match[2])
        return placed("period", start, match.end(), "season", months_span(year, first, count), year=year, month=first)
    if match[1] in {"fall", "spring"} or not lower.endswith(("in the ", "of the ", "in ", "during the "), 0, start):
        return None
    return placed("recurring", start, match.end(1), "season", None, month=first)


def weekday(text: str, lower: str, start: int, end: int) -> Period | None:
    """On Monday."""
    if not text[start].isupper():
        return None
    return placed(
        "recurring",
        start,
        end,
        "weekday",
        None,
        weekday=read(NAME)["weekdays"].index(lower[start:end].removesuffix("s")),
    )


def hour_name(_: str, lower: str, start: int, end: int) -> Period:
    """Noon, midnight."""
    return placed("recurring", start, end, "time", None, minute=720 if lower[start:end] == "noon" else 0)
