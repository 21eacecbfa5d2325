"""Numbers that a filing tags itself: inline XBRL gives for thousands of cells what they are, of when, and how large.

A truth that costs nothing: readers see the same page without tags, so what they tell of a cell can be held against it.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from citewell.errors import UsageError

if TYPE_CHECKING:
    from lxml.etree import _Element

_DIGITS = re.compile(r"\d")
_DASHES = re.compile(r"[\s$€£¥]*[—–-][\s%]*")
_LETTERS = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_NEGATIVE = re.compile(r"[($€£¥\s]*\(|\s*[-−–]\s*[$€£¥]?\d")
_NOTE = re.compile(r"\(\w\)|\[\w\]")
_SLACK = 10  # days by which years of weeks end beside the end of a month
_YEAR = 365.25  # days
_MONTH = _YEAR / 12
_WHOLE = 11  # months: as long is a year
_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


class Context(NamedTuple):
    """What a number is of: from when to when (a moment has no beginning), and of which members by their axes."""

    begin: date | None
    end: date
    members: tuple[tuple[str, str], ...]

    @property
    def months(self) -> int:
        """How long it lasts; 0 for a moment."""
        return 0 if self.begin is None else round((self.end - self.begin).days / _MONTH)


class Fact(NamedTuple):
    """A tagged number.

    Attributes:
        concept: its name in the taxonomy, with its prefix.
        context: when, and of what part.
        unit: "USD", "shares", "USD/shares", "pure".
        worth: its magnitude with the scale applied.
        precision: by how much it may be rounded.
        negative: whether it is printed in brackets or with a minus.
        cell: the number of its cell among those of the page's tables, None where it is not alone in one.
    """

    concept: str
    context: Context
    unit: str
    worth: float
    precision: float
    negative: bool
    cell: int | None


class Filing(NamedTuple):
    """A filing's tagged numbers, its tables as keys of their cells (see `key`), and how it names its years."""

    name: str
    facts: tuple[Fact, ...]
    tables: tuple[tuple[str, ...], ...]
    year: int
    year_end: date  # of that year

    def year_of(self, day: date) -> int:
        """What the company calls the year in which a day lies."""
        behind = (day - self.year_end).days - _SLACK
        return self.year + (0 if behind <= 0 and behind > _SLACK - _YEAR else int(behind // _YEAR) + 1)

    def ends_year(self, day: date) -> bool:
        """Whether a fiscal year ends on a day."""
        apart = (day - self.year_end).days % _YEAR
        return min(apart, _YEAR - apart) <= _SLACK


def key(text: str) -> str:
    """By what a cell is known on both sides: its digits, a dash for nil, nothing for words alone."""
    digits = "".join(_DIGITS.findall(text))
    return digits or ("-" if _DASHES.fullmatch(text) else "")


def filing(path: Path) -> Filing:
    """The tagged numbers of a file.

    Raises:
        UsageError: it tags none, or does not tell its year.
    """
    from lxml import etree

    parser = etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(path.read_bytes(), parser)
    contexts = {str(part.get("id")): context for part in _named(root, "context") if (context := _context(part))}
    units = {str(part.get("id")): _unit(part) for part in _named(root, "unit")}
    places: dict[Any, int] = {}
    tables: list[tuple[str, ...]] = []
    count = 0
    for table in (table for table in _named(root, "table") if sum(1 for _ in _named(table, "table")) == 1):
        keys: list[str] = []
        for cell in _named(table, "td", "th"):
            if mark := key("".join(cell.itertext())):
                places[cell] = count + len(keys)
                keys.append(mark)
        tables.append(tuple(keys))
        count += len(keys)
    facts = tuple(filter(None, (_fact(part, contexts, units, places) for part in _named(root, "nonFraction"))))
    about = {str(part.get("name")): part for part in _named(root, "nonNumeric")}
    focus = about.get("dei:DocumentFiscalYearFocus")
    period = contexts.get(str(focus.get("contextRef"))) if focus is not None else None
    year = re.search(r"\d{4}", "".join(focus.itertext())) if focus is not None else None
    if not facts or year is None or period is None:
        raise UsageError(f"{path} has no tagged numbers, or does not tell its year")
    end = about.get("dei:CurrentFiscalYearEndDate")
    return Filing(
        path.stem, facts, tuple(tables), int(year[0]), _year_end(period, "" if end is None else "".join(end.itertext()))
    )


def _year_end(period: Context, stated: str) -> date:
    """The last day of a filing's year: that of its period where that is a year, else the next one that it states."""
    last = period.end
    if period.months >= _WHOLE:
        return last
    numbers = re.search(r"(\d\d?)[-/](\d\d?)", stated)
    words = re.search(r"([A-Z][a-z]{2})[a-z]* (\d+)", stated)
    month, day = (
        (int(numbers[1]), int(numbers[2]))
        if numbers
        else (_NAMES.index(words[1]) + 1, int(words[2]))
        if words
        else (12, 31)
    )
    end = date(last.year, month, min(day, monthrange(2001, month)[1]))
    return end if end >= last - timedelta(days=_SLACK) else end.replace(year=end.year + 1)


def _named(root: _Element, *names: str) -> Iterator[Any]:
    return (part for part in root.iter(*(f"{{*}}{name}" for name in names)))


def _context(part: _Element) -> Context | None:
    dates = {name: _date(part, name) for name in ("startDate", "endDate", "instant")}
    end = dates["endDate"] or dates["instant"]
    if end is None:
        return None
    members = tuple(
        sorted((str(one.get("dimension")), (one.text or "").strip()) for one in _named(part, "explicitMember"))
    )
    typed = tuple((str(one.get("dimension")), "typed") for one in _named(part, "typedMember"))
    return Context(dates["startDate"], end, members + typed)


def _date(part: _Element, name: str) -> date | None:
    text = next((one.text or "" for one in _named(part, name)), "").strip()[:10]
    return date.fromisoformat(text) if text else None


def _unit(part: _Element) -> str:
    return "/".join((one.text or "").strip().rpartition(":")[2] for one in _named(part, "measure"))


def _fact(
    part: _Element, contexts: Mapping[str, Context], units: Mapping[str, str], places: Mapping[Any, int]
) -> Fact | None:
    context, text = contexts.get(str(part.get("contextRef"))), "".join(part.itertext())
    number = _NUMBER.search(text)
    if context is None or (number is None and not _DASHES.fullmatch(text)):
        return None
    scale = int(part.get("scale") or 0)
    worth = float(number[0].replace(",", "")) * 10.0**scale if number else 0.0
    decimals = part.get("decimals") or "INF"
    precision = 0.0 if decimals == "INF" else 10.0 ** -int(decimals)
    cell: Any = next(part.iterancestors("{*}td", "{*}th"), None)
    whole = "".join(cell.itertext()) if cell is not None else ""
    alone = (
        cell is not None and not _LETTERS.search(_NOTE.sub("", whole)) and len(list(_named(cell, "nonFraction"))) == 1
    )
    place = places.get(cell) if alone else None
    unit = units.get(str(part.get("unitRef")), "")
    return Fact(str(part.get("name")), context, unit, worth, precision, _NEGATIVE.match(whole) is not None, place)
