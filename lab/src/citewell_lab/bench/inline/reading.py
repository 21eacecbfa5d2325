"""What a reader tells of each tagged cell: its value, its period and the part it is of, held against the tags."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import SequenceMatcher
from typing import NamedTuple

from citewell.document import Document
from citewell.facts.calendar.fiscal import FiscalYears, fiscal_years
from citewell.facts.calendar.period import Ending
from citewell.generators.extractive.cells.coverage import cell_period
from citewell.generators.extractive.cells.wordings import item_terms
from citewell.types import Cell, Table
from citewell_lab.bench.inline.tagged import Fact, Filing, key

ASPECTS = ("value", "period", "scope")
OUTCOMES = ("right", "wrong", "unknown")
_SLACK = 10  # days
_ALIKE = 1e-6  # of a figure
_HALF = 0.5  # of the words of a member's name: so many are said where it is known
_YEAR, _QUARTER = 12, 3  # months
# What such rows are of lies in the future, or before: the tag tells when it is reported.
_SCHEDULE = re.compile(r"Year(?:One|Two|Three|Four|Five)|Thereafter|After|NextTwelve|NextRolling|Remainder|WithinOne")
# Axes that do not tell parts of a company apart in print, and members that are the whole.
_SILENT = re.compile(r"ConsolidationItemsAxis|LegalEntityAxis|ScenarioAxis|RangeAxis|StatementScenario")
_PARTS = re.compile(r"[A-Z]{2,}(?=[A-Z][a-z]|\b|\d)|[A-Z]?[a-z]+|\d+|[A-Z]+")
_COUNTRIES = {"US": "United States", "GB": "United Kingdom", "CN": "China", "DE": "Germany", "JP": "Japan"}


class Judged(NamedTuple):
    """A tagged number beside the cell that was read: an outcome for each aspect that it has."""

    fact: Fact
    cell: Cell | None
    outcomes: Mapping[str, str]


def judged(filing: Filing, document: Document) -> list[Judged]:
    """Every tagged number that stands alone in a cell of a table, held against the cell that was read."""
    tables, years = document.tables(), fiscal_years(document.text)
    places = _cells(filing, tables)
    rows = []
    for fact in filing.facts:
        if fact.cell is not None:
            table, cell = places.get(fact.cell, (None, None))
            rows.append(Judged(fact, cell, dict(_outcomes(filing, fact, table, cell, years))))
    return rows


def counts(rows: Sequence[Judged]) -> Mapping[str, Counter[str]]:
    """How often each aspect was read rightly, wrongly, or not at all."""
    return {name: Counter(row.outcomes[name] for row in rows if name in row.outcomes) for name in ASPECTS}


def _cells(filing: Filing, tables: Sequence[Table]) -> Mapping[int, tuple[Table, Cell]]:
    """The read cell of each numbered cell of the page: by the order of tables and, where one differs, of its cells."""
    read = [[(table, cell) for cell in table.cells if cell.role != "empty" and key(cell.text)] for table in tables]
    keys = [tuple(key(cell.text) for _, cell in cells) for cells in read]
    starts = [0]
    for table in filing.tables:
        starts.append(starts[-1] + len(table))
    found: dict[int, tuple[Table, Cell]] = {}
    for kind, first, last, begin, end in SequenceMatcher(None, filing.tables, keys, autojunk=False).get_opcodes():
        if kind == "equal":
            for number, cells in zip(range(first, last), read[begin:end], strict=True):
                found |= dict(enumerate(cells, starts[number]))
        elif kind == "replace":
            left = [mark for table in filing.tables[first:last] for mark in table]
            right = [pair for cells in read[begin:end] for pair in cells]
            same = SequenceMatcher(None, left, [key(cell.text) for _, cell in right], autojunk=False)
            for here, there, size in same.get_matching_blocks():
                found |= {starts[first] + here + n: right[there + n] for n in range(size)}
    return found


def _outcomes(
    filing: Filing, fact: Fact, table: Table | None, cell: Cell | None, years: FiscalYears
) -> Iterator[tuple[str, str]]:
    yield "value", "unknown" if cell is None or cell.value is None else _value(fact, cell)
    if not _SCHEDULE.search(fact.concept):
        told = table is not None and cell is not None and cell.role == "value"
        yield "period", _period(filing, fact, table, cell, years) if told and table and cell else "unknown"
    if any(not _SILENT.search(axis) for axis, _ in fact.context.members):
        yield "scope", _part(fact, table, cell) if table and cell else "unknown"


def _value(fact: Fact, cell: Cell) -> str:
    worth = (cell.value or 0.0) * cell.scale
    if cell.unit == "percent" and fact.unit == "pure":
        worth /= 100
    same = math.isclose(abs(worth), fact.worth, rel_tol=_ALIKE, abs_tol=_ALIKE)
    return "right" if same and (not worth or (worth < 0) == fact.negative) else "wrong"


def _period(filing: Filing, fact: Fact, table: Table, cell: Cell, years: FiscalYears) -> str:
    """Whether a cell has the tag's length, and its last day; where no day is read, its year and which part of it."""
    read, context = cell_period(table, cell), fact.context
    day = read.ending if read.ending is not None and read.ending.year is not None else None
    if cell.year is None and day is None:
        return "unknown"
    if context.months and (read.months or _YEAR) != context.months:
        return "wrong"
    if day is not None:
        near = abs((date(day.year or 0, day.month, min(day.day, 28)) - context.end).days) <= _SLACK
        return "right" if near else "wrong"
    number = years.quarter(Ending(context.end.year, context.end.month, context.end.day))
    other = read.number and context.months == read.months == _QUARTER and number != read.number
    moment = not context.months and not filing.ends_year(context.end)
    return "wrong" if other or moment or cell.year != filing.year_of(context.end) else "right"


def _part(fact: Fact, table: Table, cell: Cell) -> str:
    """Whether each member's name is said by the row, the headers or the title."""
    said = {term for part in (*cell.row_path, *cell.column_path, table.title) for term in item_terms(part)}
    capitals = {word.lower() for part in (*cell.row_path, *cell.column_path, table.title) for word in part.split()}
    for axis, member in fact.context.members:
        words = item_terms(member_name(member))
        short = "".join(word[0] for word in words).lower()
        known = sum(word in said for word in words) >= _HALF * len(words) or short in capitals
        if not _SILENT.search(axis) and not known:
            return "unknown"
    return "right"


def member_name(member: str) -> str:
    """A member's name in words: "us-gaap:RetainedEarningsMember" as "Retained Earnings"."""
    prefix, _, name = member.rpartition(":")
    if prefix == "country":
        return _COUNTRIES.get(name, name)
    return " ".join(_PARTS.findall(re.sub(r"(?:Segment)?(?:Member|Domain)$", "", name)))
