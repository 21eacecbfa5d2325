"""Times in a text: dates, years, quarters, fiscal years, decades, centuries, weekdays, hours, relative times."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from citewell.facts import calendar_dates as calendar
from citewell.facts import quarters
from citewell.facts import relative_dates as relative
from citewell.facts.date_patterns import NAME, anchors, scan
from citewell.facts.days import months_span
from citewell.facts.lexicon import lowered, without_addresses, words_before
from citewell.facts.lists import read
from citewell.facts.types import Period

_GAPS = re.compile(r"[\s\-]{1,3}")
_JOINTS = re.compile(r"\s?(?:[-–—]|,|,? and|,? or|to|through|until|&)\s?")


def periods(text: str) -> tuple[Period, ...]:
    """The times that `text` tells, in order; "the year before" is told from the last one, "last year" from none."""
    text = without_addresses(text)
    lower = lowered(text)
    search = scan().search
    match = search(lower)
    if match is None:
        return ()
    result: list[Period] = []
    while match is not None:
        start, end = match.span()
        period = _digits(text, lower, start, end) if text[start].isdecimal() else _word(text, lower, start, end)
        if period is not None and (not result or period.start >= result[-1].end):
            result.append(period)
            end = max(end, period.end)
        match = search(lower, end)
    return _finished(lower, result) if result else ()


def _digits(text: str, lower: str, start: int, end: int) -> Period | None:
    length = end - start
    if length > 4 or (start and text[start - 1] in ".,$€£" and start > 1 and text[start - 2].isdigit()):
        return None
    return calendar.years(text, lower, start) if length == 4 else calendar.short(text, lower, start)


def _word(text: str, lower: str, start: int, end: int) -> Period | None:
    kind = _kinds().get(lower[start:end]) or _kinds()[_GAPS.sub(" ", lower[start:end])]
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(text, lower, start)
    return _SPAN_READERS[kind](text, lower, start, end)


@cache
def _kinds() -> dict[str, str]:
    """Phrase -> kind of time, as it is written and with blanks between its words."""
    return {_GAPS.sub(" ", phrase): kind for phrase, kind in anchors().items()} | anchors()


_READERS: dict[str, Callable[[str, str, int], Period | None]] = {
    "month": calendar.month,
    "season": calendar.season,
    "century": calendar.century,
    "part": quarters.part,
    "fiscal": quarters.fiscal,
    "ended": quarters.ended,
}
_SPAN_READERS: dict[str, Callable[[str, str, int, int], Period | None]] = {
    "decade": calendar.decade,
    "weekday": calendar.weekday,
    "hour": calendar.hour_name,
    "behind": relative.behind,
    "before": relative.before,
    "lone": relative.lone,
}


def _modifier(lower: str, start: int) -> str:
    """What the words before a time say of it: "since", "by the end of", "mid-"."""
    known = read(NAME)["modifiers"]
    words = words_before(lower, start, 20)
    for _ in range(2):
        for count in range(len(words), 0, -1):
            modifier: str | None = known.get(" ".join(words[-count:]))
            if modifier is not None:
                return modifier
        if not words or words[-1] not in {"the", "in", "of"}:
            break
        words.pop()
    return ""


def _finished(lower: str, read_periods: list[Period]) -> tuple[Period, ...]:
    """Ranges joined, years told once for several dates, words before them, relative times told from the last one."""
    result: list[Period] = []
    for place, period in enumerate(read_periods):
        current = period
        if current.kind == "recurring" and current.year is None and place + 1 < len(read_periods):
            current = _with_year(lower, current, read_periods[place + 1])
        if current.kind == "relative":
            before = next((period for period in reversed(result) if period.year is not None), None)
            if before is not None and not relative.is_deictic(lower, current):
                current = relative.resolved(current, before)
            result.append(current)
            continue
        if result and current.granularity == "year":
            last = result[-1]
            gap = lower[last.end : current.start]
            if last.granularity == "year" and last.modifier in _OPENINGS and (last.modifier, gap) in _RANGES:
                begin, year = last.begin, last.year
                result[-1] = replace(
                    last, end=current.end, granularity="years", begin=begin, until=current.until, year=year, modifier=""
                )
                continue
            if (
                last.fiscal
                and not current.fiscal
                and last.granularity == "year"
                and gap in {" and ", ", ", ", and ", " or "}
            ):
                current = replace(current, fiscal=True)
        modifier = _modifier(lower, current.start)
        if modifier:
            current = replace(current, modifier=modifier)
        result.append(current)
    if any(period.modifier in _OPENINGS for period in result):
        return tuple(replace(period, modifier="") if period.modifier in _OPENINGS else period for period in result)
    return tuple(result)


# These only open a range: "a film from 1998" is of that year.
_OPENINGS = frozenset({"from", "between"})
_RANGES = frozenset(
    [*(("from", f" {word} ") for word in ("to", "until", "till", "through")), ("between", " and ")],
)


def _with_year(lower: str, period: Period, following: Period) -> Period:
    """June and July 2010; from March 3 to May 5, 2010; Q1 and Q2 2021."""
    if (
        following.year is None
        or not _JOINTS.fullmatch(lower, period.end, following.start)
        or following.granularity not in {"day", "month", "quarter"}
    ):
        return period
    year = following.year
    if period.quarter:
        begin, until = months_span(year, period.quarter * 3 - 2, 3) if period.granularity == "quarter" else (None, None)
        return replace(period, kind="period", year=year, begin=begin, until=until)
    if period.month is None or period.granularity not in {"day", "month"}:
        return period
    dated = calendar.dated(period.start, period.end, year, period.month, period.day)
    return dated or period
