"""Quarters, halves and years of companies, and periods up to a day: "Q3 2021", "FY16", "year ended June 30"."""

from __future__ import annotations

import re
from typing import Any

from citewell.facts.date_patterns import NAME, months, part_number, pattern
from citewell.facts.days import day_number, full_year, months_span, years_span
from citewell.facts.lists import read
from citewell.facts.types import Granularity, Period

# Months of a part of a year, or of it.
_PARTS: dict[int, Granularity] = {3: "quarter", 6: "half", 9: "month", 12: "year"}
_UNITS = {"year": 12, "years": 12, "quarter": 3}
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


def part(text: str, lower: str, start: int) -> Period | None:
    """Q3 2021, 3Q16, H2 FY21, third quarter of fiscal 2021.

    A half without a year is a game's more often, two digits behind a bare "H1" a count: "hypothesis H1, 25 people".
    """
    match = pattern("part").match(lower, start)
    if match is None:
        return None
    name, company, year = match.groups()
    if not name[2:] and "h" in name:
        apart = bool(year) and len(year) < len("2021") and not company and lower[match.end(1)] in " ,"
        if "H" not in text[start : match.end(1)] or not year or apart:
            return None
    return part_of(start, match.end(), name, year, fiscal=bool(company))


def part_of(start: int, end: int, name: str, year: str | None, *, fiscal: bool = False) -> Period | None:
    """A quarter or half by its name."""
    half = "h" in name if len(name) == 2 else name.endswith("half")
    if half and not year:
        return None
    months, number = (6, min(part_number(name), 2)) if half else (3, part_number(name))
    value = full_year(year) if year else None
    return placed(
        "period" if value else "recurring", start, end, "half" if half else "quarter",
        months_span(value, number * months - months + 1, months) if value else None,
        year=value, quarter=number, fiscal=fiscal or "fiscal" in name,
    )  # fmt: skip


def ended(_: str, lower: str, start: int) -> Period | None:
    """Year ended December 31, 2016; three months ended June 30: the time up to that day, that day included."""
    match = pattern("ended").match(lower, start)
    if match is None:
        return None
    unit, name, day_digits, day_before, name_after, year = match.groups()
    name, day_digits = name or name_after, day_digits or day_before
    length = _UNITS.get(unit, 0)
    before = _COUNT_BEFORE.search(lower, max(0, start - 12), start) if unit == "months" else None
    counts = {**read(NAME)["counts"], **{str(count): count for count in _PARTS}}
    if before and (count := counts.get(before[1])) in _PARTS:
        start, length = before.start(), count
    granularity = _PARTS.get(length, "month")
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
