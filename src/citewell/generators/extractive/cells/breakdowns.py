"""Tables that split a figure of the company's statements: by product, region or segment.

A table seldom repeats what its rows are parts of: "Carrier network 3,760" stands under no "net sales". That its rows
add up to the net sales of the income statement says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, Protocol

from citewell.facts.calendar.period import TypedPeriod
from citewell.types import Cell

_TELLING = 1000  # a smaller figure may be equal to another by chance
_FEWEST, _MOST = 2, 40  # amounts that a total sums
_ROUNDING = 1.5  # units of the last place by which rounded rows may miss their total


_Time = tuple[int, int]  # a year, and the months of a part of it
_Figure = tuple[_Time, float]


class _Row(Protocol):
    """What of a row is needed: its table, its cells with their periods, the terms of its label."""

    @property
    def table(self) -> int: ...
    @property
    def label(self) -> frozenset[str]: ...
    @property
    def cells(self) -> tuple[Cell, ...]: ...
    @property
    def periods(self) -> tuple[TypedPeriod, ...]: ...


class _Open(NamedTuple):
    """Rows that stand for one amount, not yet summed by a row below them."""

    value: float
    rows: tuple[int, ...]


def breakdowns(rows: Sequence[_Row], statements: frozenset[int]) -> Mapping[int, frozenset[str]]:
    """For rows that a total sums which stands in a statement: the terms of what that total is called there.

    `rows` are those of all tables in order, `statements` the numbers of the company's own statements; a row is known
    by its place in `rows`.
    """
    items: dict[_Figure, frozenset[str]] = {}
    for row in rows:
        if row.table in statements:
            for key in _figures(row):
                items[key] = items.get(key, row.label) & row.label
    result: dict[int, frozenset[str]] = {}
    tables: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        if row.table not in statements:
            tables.setdefault(row.table, []).append(place)
    for places in tables.values():
        totals = [place for place in places if _item(rows[place], items)]
        for time in {next(iter(_figures(rows[place])))[0] for place in totals}:
            summed = _sums(rows, places, time)
            for total in totals:
                for part in summed.get(total, ()):
                    result.setdefault(part, _item(rows[total], items))
    return result


def _figures(row: _Row) -> dict[_Figure, Cell]:
    """The telling amounts of a row, by time and magnitude."""
    return {
        ((cell.year, _part(period)), round(abs(cell.value) * cell.scale, 2)): cell
        for cell, period in zip(row.cells, row.periods, strict=True)
        if cell.year and cell.value and abs(cell.value) >= _TELLING and cell.unit != "percent"
    }


def _part(period: TypedPeriod) -> int:
    """The months of a part of a year, 0 of the year or its end."""
    return period.months if period.is_part else 0


def _item(row: _Row, items: Mapping[_Figure, frozenset[str]]) -> frozenset[str]:
    """What the figures of a row are called in the statements, where most of them stand there."""
    figures = _figures(row)
    found = [items[key] for key in figures if items.get(key)]
    return frozenset.intersection(*found) if found and 2 * len(found) > len(figures) else frozenset()


def _sums(rows: Sequence[_Row], places: Sequence[int], time: _Time) -> Mapping[int, tuple[int, ...]]:
    """For each row that is the sum of rows above it at a time: these, with those that they sum in turn."""
    stack: list[_Open] = []
    result: dict[int, tuple[int, ...]] = {}
    for place in places:
        dated = zip(rows[place].cells, rows[place].periods, strict=True)
        cell = next((cell for cell, period in dated if cell.value and (cell.year, _part(period)) == time), None)
        if cell is None or not cell.value:
            continue
        tail = list(accumulate(entry.value for entry in reversed(stack)))
        step = _ROUNDING * 10.0 ** -len(cell.text.rstrip(") ").partition(".")[2])
        count = next((n for n, total in enumerate(tail, 1) if n >= _FEWEST and abs(total - cell.value) <= step), 0)
        parts = tuple(part for entry in stack[len(stack) - count :] for part in entry.rows) if count else ()
        if parts:
            result[place] = parts
            del stack[len(stack) - count :]
        stack.append(_Open(cell.value, (*parts, place)))
        del stack[:-_MOST]  # so that long tables take no longer by the row
    return result
