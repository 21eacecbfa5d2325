"""Times relative to another time: "the year before", "two years later", "last month", "the prior-year quarter"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import cast

from citewell.facts.date_patterns import NAME
from citewell.facts.days import month_after, months_span, years_span
from citewell.facts.lexicon import alternation
from citewell.facts.lists import read, words
from citewell.facts.types import Granularity, Period

_YEARS = {"year": 1, "decade": 10, "century": 100}
_GAPS = re.compile(r"[\s-]+")
_ARTICLE = re.compile(r"\bthe\s$")
_OF_SAME = re.compile(r"\s(?:of|in)\sthe\s(?:previous|prior|preceding|last|same)\syear(?![a-z])")


@cache
def _count() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(\d{{1,4}}|{alternation(read(NAME)['counts'])})(?: \(\d{{1,4}}\))?[ -]$")


def behind(_: str, lower: str, start: int, end: int) -> Period | None:
    """Two years later, the year before, ten days ago; without a number or "the" it is no time ("years later" is)."""
    data = read(NAME)
    unit, _, word = _GAPS.sub(" ", lower[start:end]).partition(" ")
    direction = data["behind_unit"][word]
    plural = unit.endswith("s") and unit not in data["units"]
    granularity = cast("Granularity", data["units"][unit.removesuffix("s") if plural else unit])
    match = _count().search(lower, max(0, start - 14), start)
    if match is None:
        return (
            Period("relative", start, end, granularity, direction=direction) if plural and word != "following" else None
        )
    count = int(match[1]) if match[1].isdigit() else data["counts"][_GAPS.sub(" ", match[1])]
    if unit.startswith("fortnight"):
        count *= 2
    return Period("relative", match.start(), end, granularity, direction=direction, distance=count)


def before(_: str, lower: str, start: int, end: int) -> Period | None:
    """Last year, the same period, the following month, the prior fiscal year."""
    data = read(NAME)
    spoken = lower[start:end].replace("-", " ").split()
    unit = spoken[-1]
    plural = unit.endswith("s") and unit not in data["units"]
    if plural:
        return None  # "the last years" measures, it does not place
    direction = data["before_unit"].get(spoken[0], data["before_unit"].get("-".join(spoken[:2]), -1))
    granularity = cast("Granularity", data["units"].get(unit, "year"))
    tail = _OF_SAME.match(lower, end)
    if tail is not None:
        end, direction, granularity = tail.end(), -1, "year"
    article = _ARTICLE.search(lower, max(0, start - 4), start)
    if spoken[0] in {"last", "this"} and article is not None:
        return None  # "the last day" is no yesterday
    begin = article.start() if article else start
    return Period(
        "relative", begin, end, granularity, fiscal="fiscal" in spoken, direction=direction, distance=abs(direction)
    )


def lone(_: str, lower: str, start: int, end: int) -> Period:
    """Yesterday, today, year-ago."""
    word = _GAPS.sub("-", lower[start:end])
    direction = read(NAME)["lone"][word]
    granularity: Granularity = "year" if "year" in word else "day"
    return Period("relative", start, end, granularity, direction=direction, distance=abs(direction))


def is_deictic(lower: str, period: Period) -> bool:
    """Whether the time is told from when the text was written ("ago", "last"), not from one that it tells."""
    return not words(NAME, "deictic").isdisjoint(lower[period.start : period.end].split())


def resolved(period: Period, anchor: Period) -> Period:
    """`period` with its place in the calendar, told from `anchor`; unchanged where that does not tell it."""
    if period.direction is None or (period.direction and not period.distance) or anchor.year is None:
        return period
    steps = period.direction * period.distance
    if (length := _YEARS.get(period.granularity, 0)) > 0:
        return _years_on(period, anchor, steps, length)
    first = anchor.month or (anchor.quarter and anchor.quarter * 3 - 2)
    if period.granularity in {"month", "quarter"} and first:
        length = 3 if period.granularity == "quarter" else 1
        first -= (first - 1) % length  # the quarter after May is that after April to June
        year, month = month_after(anchor.year, first, steps * length)
        begin, until = months_span(year, month, length)
        quarter = month // 3 + 1 if length == 3 else None
        return replace(
            period, begin=begin, until=until, year=year, month=month if length == 1 else None, quarter=quarter
        )
    if period.granularity in {"day", "week"} and anchor.begin is not None and anchor.granularity == "day":
        begin = anchor.begin + steps * (7 if period.granularity == "week" else 1)
        return replace(period, begin=begin, until=begin + 1)
    return period


def _years_on(period: Period, anchor: Period, steps: int, length: int) -> Period:
    """A time of some years, that many steps on; its quarter is kept only where the words say "the same"."""
    year = (anchor.year or 0) + steps * length
    if anchor.granularity == "quarter" and anchor.quarter and period.granularity == "year" and period.direction == 0:
        begin, until = months_span(year, anchor.quarter * 3 - 2, 3)
        return replace(period, begin=begin, until=until, year=year, quarter=anchor.quarter)
    begin, until = years_span(year, length)
    return replace(period, begin=begin, until=until, year=year, fiscal=period.fiscal or anchor.fiscal)
