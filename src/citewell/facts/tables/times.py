"""The time of a cell: what its headers, its row, the corner, or balances on both sides of it tell."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from citewell.facts.calendar.fiscal import FiscalYears
from citewell.facts.calendar.period import OPENING, YEAR, Ending, days_between, read_period, start_of, without_period
from citewell.facts.dates import periods
from citewell.facts.tables.paths import is_time
from citewell.facts.tables.scales import without_scale
from citewell.facts.tables.wording import says
from citewell.facts.types import Period
from citewell.text.figures import is_year
from citewell.text.spans import cut
from citewell.text.times import MONTH
from citewell.types import Cell

_TWO_YEARS = 2 * 366 + 1  # days
_NEAR = 10  # days by which the ends of weeks and of months differ
_YEAR = 12  # months
_SEVERAL = re.compile(r"\band \w+[- ](?:months|weeks)\b", re.IGNORECASE)  # lengths: "three and six months"
_SHORT = re.compile(r"(?<![\w’'])['’](\d\d)(?![\w’'])")
_BESIDE = frozenset(("for", "the", "as", "at", "of", "on", "in", "and", "ended", ""))  # words of a line that is a time
_LEADING = re.compile(r"^The (?:following )?tables? (?:below )?[a-z]")
_COMPARED = re.compile(r"\b(?:vs|versus|compared (?:to|with))\b")
_NAMES = re.compile(
    rf"\b(?:due|maturing)\s+(?:through\s+)?(?:{MONTH}\b\.?\s*(?:\d\d?,\s*)?)?{YEAR}|^{YEAR}(?:[-–/]{YEAR})?(?=\s+[A-Z])",
    re.IGNORECASE,
)


_BARE = re.compile(r"(?<![\w.,/–-])(?:19|20)\d\d(?![\w.,%/–-])")
_RAISED = str.maketrans(dict.fromkeys("¹²³⁴⁵⁶⁷⁸⁹⁰*†‡", " "))


class Time(NamedTuple):
    """A time in the words of headers or labels, and what the company calls its year."""

    words: str = ""
    year: int | None = None


def time_of(columns: tuple[str, ...], row_path: tuple[str, ...], corner: tuple[str, ...], years: FiscalYears) -> Time:
    """The time that headers tell, else that of the row's label, else that of the corner.

    A row that is called by a time alone is of that: "Fiscal 2023" of a schedule, whenever that was drawn up.
    What a balance begins with is of the day before: "Beginning balance" below "2024" is of 2023.
    """
    time = _time(row_path[-1:], years) if row_path and is_time(row_path[-1]) else Time()
    if not time.words:
        time = _time(tuple(map(without_scale, columns)), years, whole=True)
        time = time if time.words else _time(tuple(map(without_names, row_path)), years)
        time = time if time.words else _only(" ".join(corner), years, last=True)
    return next((first for label in (*row_path[-1:], *columns[-1:]) if (first := _first(label, time, years))), time)


def _first(label: str, time: Time, years: FiscalYears) -> Time | None:
    """The moment at which a time begins, where a label is of that; None where it is of the time itself."""
    begun, day = OPENING.search(label), read_period(label).ending
    if begun:
        words = f"{begun[0]} {time.words}"
    elif day is not None and _begins(day, time, years):
        words = f"beginning {time.words}"
    else:
        return None
    moment = read_period(words)
    year = years.name(moment.ending) if moment.ending else next(iter(moment.years), None)
    return Time(words, year) if year else None


def _begins(day: Ending, time: Time, years: FiscalYears) -> bool:
    """Whether a time begins on a day, or right after it: "January 1" for a year, "December 31, 2024" for a quarter."""
    if day.year is None:
        return day.day == 1 and (day.month - years.month) % _YEAR == 1
    start = start_of(read_period(time.words))
    return start is not None and abs(days_between(start, day)) <= _NEAR


def without_names(label: str) -> str:
    """A label without times that belong to a name: "2.95% Notes due 2027", "2014 Notes"."""
    return _NAMES.sub(" ", label)


def _ends(time: Period) -> int | None:
    """The year of a time; of a year that begins in one and ends in the next, as "2021/22", the latter."""
    if time.granularity != "years" or time.year is None or time.begin is None or time.until is None:
        return time.year
    return time.year + (time.until - time.begin < _TWO_YEARS)


@lru_cache(maxsize=8192)
def _time(path: tuple[str, ...], years: FiscalYears, *, whole: bool = False) -> Time:
    """The time that a path tells, in its own words or as the `whole` path, and the year; empty where it tells none."""
    text = _SHORT.sub(r"20\1", " ".join(path)).translate(_RAISED)  # "2022¹"
    times = [time for time in periods(_COMPARED.split(text)[0]) if time.year]
    if times:
        words = text if whole else cut(text, times[-1])
        ending = read_period(words).ending
        return Time(words, _ends(times[-1]) if ending is None else years.name(ending) or _ends(times[-1]))
    bare = next((header for header in reversed(path) if is_year(header)), None)
    named = [bare] if bare else sorted(set(_BARE.findall(text)) if whole else ())  # "Amortised cost 2022"
    return Time(named[0], int("".join(filter(str.isdigit, named[0])))) if len(named) == 1 else Time()


def with_times_around(cells: Sequence[Cell], above: Sequence[str], years: FiscalYears) -> tuple[Cell, ...]:
    """The cells of a table; those without a time are of that between the balances around them, or of a line above.

    "Granted" between "Nonvested at December 31, 2018" and "Nonvested at December 31, 2019" is of 2019.
    """
    rows = {cell.row: cell.row_path[-1] for cell in cells if cell.role == "value" and cell.row_path}
    heads: dict[int, dict[int, tuple[str, ...]]] = defaultdict(dict)
    for cell in cells:
        if cell.column_path:
            heads[cell.row][cell.column] = cell.column_path
    by_row = _between(tuple(rows.items()), years)
    of_title = next((time for line in above if (time := _only(line, years)).words), Time())
    by_columns: dict[int, Mapping[int, Time]] = {}  # of each row, made once
    result = list(cells)
    for number, cell in enumerate(cells):
        if cell.role == "value" and cell.year is None:
            if cell.row not in by_columns:
                by_columns[cell.row] = _between_columns(tuple(heads[cell.row].items()), years)
            by_column = by_columns[cell.row]
            time = by_row.get(cell.row) or by_column.get(cell.column) or of_title
            time = (_first(cell.row_path[-1], time, years) if cell.row_path else None) or time
            result[number] = replace(cell, period=time.words or cell.period, year=time.year)
    return tuple(result)


@lru_cache(maxsize=1024)
def _between_columns(heads: tuple[tuple[int, tuple[str, ...]], ...], years: FiscalYears) -> Mapping[int, Time]:
    """The times of columns that name none: between dated balances, or of a dated column that they belong to.

    That is the one before where all have such a column, as "2024", "% of sales", "2023", "% of sales", else the newest
    below the same header: "Change" beside "2024" and "2023".
    """
    times = {column: _time(tuple(map(without_scale, path)), years, whole=True) for column, path in heads}
    result: dict[int, Time] = {}
    for column, path in heads:
        dated = [place for place, other in heads if times[place].year and other[:-1] == path[:-1]]
        again = sum(other == path for _, other in heads) > 1
        before = [place for place in dated if place < column] if again else dated
        bare = not times[column].words and not says("total").search(path[-1].lower())
        if bare and before and (again or len(path) > 1):
            result[column] = times[before[-1] if again else max(dated, key=lambda place: times[place].year or 0)]
    return {**result, **_between(tuple((column, path[-1]) for column, path in heads), years)}


def dates_all(line: str) -> bool:
    """Whether a line above a table tells the time of all its figures: it is a time, or leads to the table."""
    rest = (word.lower().strip(",.") for word in without_period(line).split())
    return _LEADING.search(line) is not None or all(word in _BESIDE for word in rest)


def _only(text: str, years: FiscalYears, *, last: bool = False) -> Time:
    """The time of a text that tells one and one length of it, as its `last` words."""
    times = [time for time in periods(text) if time.year]
    if len(times) != 1 or _SEVERAL.search(text) or (last and times[0].end < len(text)):
        return Time()
    return _time((text,), years)


@lru_cache(maxsize=1024)
def _between(labels: tuple[tuple[int, str], ...], years: FiscalYears) -> Mapping[int, Time]:
    """The times of places between labels that name days, where a usual length of time lies between these."""
    result: dict[int, Time] = {}
    days = [(place, cut(label, times[-1])) for place, label in labels if (times := _days(label))]
    for (first, begin), (last, end) in pairwise(days):
        period = read_period(words := f"{begin} to {end}")
        if period.months and period.ending:
            time = Time(words, years.name(period.ending))
            result |= {place: time for place, _ in labels if first < place < last}
    return result


def _days(label: str) -> list[Period]:
    return [time for time in periods(label) if time.granularity == "day" and time.year]
