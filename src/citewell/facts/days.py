"""Day numbers as in `datetime.date.toordinal`, extended to the years before 1."""

from __future__ import annotations

from datetime import date

_YEARS, _DAYS = 400, 146_097  # the Gregorian calendar's cycle


def day_number(year: int, month: int = 1, day: int = 1) -> int:
    """The number of a day of the proleptic Gregorian calendar; the year 0 is 1 BC.

    Raises:
        ValueError: There is no such day.
    """
    if 0 < year < 9999:
        return date(year, month, day).toordinal()
    cycles = (1 - year) // _YEARS + 1 if year < 1 else 1 - year // _YEARS
    return date(year + cycles * _YEARS, month, day).toordinal() - cycles * _DAYS


def month_after(year: int, month: int, count: int = 1) -> tuple[int, int]:
    """The year and month `count` months on."""
    months = year * 12 + month - 1 + count
    return months // 12, months % 12 + 1


def months_span(year: int, month: int, count: int) -> tuple[int, int]:
    """The half-open interval of days of `count` months from the first of one."""
    return day_number(year, month), day_number(*month_after(year, month, count))


def years_span(year: int, count: int = 1) -> tuple[int, int]:
    """The half-open interval of days of `count` years."""
    return day_number(year), day_number(year + count)


def full_year(digits: str) -> int:
    """A year written with two or four digits; two digits from 50 on are of the last century."""
    value = int(digits)
    return value if len(digits) > 2 else value + (1900 if value >= 50 else 2000)


def weekday_of(number: int) -> int:
    """The weekday of a day, Monday 0."""
    return (number + 6) % 7
