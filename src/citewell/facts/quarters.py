"""Quarters, halves and years of companies, and the time up to a day: "Q3 2021", "FY16", "year ended June 30"."""

from __future__ import annotations

import re
from typing import Any

from citewell.facts.date_patterns import NAME, months, pattern
from citewell.facts.days import day_number, full_year, months_span, years_span
from citewell.facts.lists import read
from citewell.facts.number_words import count_of
from citewell.facts.types import Granularity, Period

_PARTS = (3, 6, 9, 12)  # months of a part of a year, or of it
_COUNT_BEFORE = re.compile(r"(\w+)[ -]$")


def placed(
    kind: str, start: int, end: int, granularity: Granularity, days: tuple[int, int] | None, **parts: Any
) -> Period:
    """A time with its days, where it has any."""
    begin, until = days or (None, None)
    return Period(kind, start, end, granularity, begin, until, **parts)


def fiscal_of(start: int, end: int, value: int) -> Period:
    """A fiscal year by its name."""
    return placed("period", start, end, "year", years_span(value), year=value, fiscal=True)


def fiscal(_: str, lower: str, start: int) -> Period | None:
    """FY16, fiscal 2016, fiscal years 2015-2016."""
    match = pattern("fiscal").match(lower, start)
    if match is None:
        return None
    first = full_year(match[1])
    if not match[2]:
        return fiscal_of(start, match.end(), first)
    last = int(match[2]) if len(match[2]) == 4 else first // 100 * 100 + int(match[2])
    if last <= first:
        return fiscal_of(start, match.end(1), first)
    return placed(
        "period", start, match.end(), "years", (day_number(first), day_number(last + 1)), year=first, fiscal=True
    )


def quarter_of(start: int, end: int, number: int, year: int | None, *, fiscal: bool) -> Period:
    """A quarter by its number."""
    days = months_span(year, number * 3 - 2, 3) if year else None
    return placed(
        "period" if year else "recurring", start, end, "quarter", days, year=year, quarter=number, fiscal=fiscal
    )


def quarter(_: str, lower: str, start: int) -> Period | None:
    """Q3 2021, Q3, Q4 FY21."""
    match = pattern("quarter").match(lower, start)
    if match is None:
        return None
    return quarter_of(
        start, match.end(), int(match[1]), full_year(match[3]) if match[3] else None, fiscal=bool(match[2])
    )


def half(text: str, lower: str, start: int) -> Period | None:
    """H1 2021, H2 FY21; without a year it is something else."""
    match = pattern("half").match(lower, start)
    if match is None or text[start] != "H":
        return None
    fiscal = bool(match[2] or match[4])
    return part_of(start, match.end(), int(match[1]), "half", match[3] or match[5], fiscal=fiscal)


def part_of(start: int, end: int, number: int, part: str, year: str | None, *, fiscal: bool) -> Period | None:
    """A quarter or half by its number."""
    value = full_year(year) if year else None
    if part == "quarter":
        return quarter_of(start, end, number, value, fiscal=fiscal)
    number = min(number, 2)
    days = months_span(value, number * 6 - 5, 6) if value else None
    return placed(
        "period" if value else "recurring", start, end, "half", days, year=value, quarter=number, fiscal=fiscal
    )


def part(_: str, lower: str, start: int) -> Period | None:
    """Third quarter of fiscal 2021; second half of 2020; a bare half is a game's more often than a year's."""
    match = pattern("part").match(lower, start)
    if match is None or (match[2] == "half" and not match[4]):
        return None
    number = read(NAME)["ordinals"][re.split(r"[\s-]", match[0], maxsplit=1)[0]]
    return part_of(start, match.end(), number, match[2], match[4], fiscal=bool(match[1] or match[3]))


def ended(_: str, lower: str, start: int) -> Period | None:
    """Year ended December 31, 2016; three months ended June 30: the time up to that day, that day included."""
    match = pattern("ended").match(lower, start)
    if match is None:
        return None
    unit, name, day_digits, day_before, name_after, year = match.groups()
    name, day_digits = name or name_after, day_digits or day_before
    before = _COUNT_BEFORE.search(lower, max(0, start - 12), start)
    count = count_of(before[1]) if before and unit == "months" else 0
    count = count if count in _PARTS else 0
    length = count or {"year": 12, "years": 12, "quarter": 3}.get(unit, 0)
    if count and before:
        start = before.start()
    granularity: Granularity = (
        "year" if length == 12 else "quarter" if length == 3 else "half" if length == 6 else "month"
    )
    number = months()[name]
    if not year:
        return placed(
            "recurring", start, match.end(), granularity, None, month=number, day=int(day_digits), fiscal=True
        )
    value = int(year)
    try:
        until = day_number(value, number, int(day_digits)) + 1
    except ValueError:
        return None
    fiscal_year = not (number == 12 and day_digits == "31")
    begin = until - round(length * 30.436875) if length else until - 1
    if length == 12:
        begin = day_number(value - 1, number, min(int(day_digits), 28)) + 1 if fiscal_year else day_number(value)
    quarter_number = number // 3 if length == 3 and number % 3 == 0 else None
    return placed(
        "period", start, match.end(), granularity, (begin, until), year=value, quarter=quarter_number,
        fiscal=fiscal_year and length == 12,
    )  # fmt: skip
