"""Columns that are parts of a whole: segments, funds or regions, which a column called the total sums in most rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from citewell.generators.extractive.cells.asking import pattern
from citewell.generators.extractive.cells.wordings import item_terms
from citewell.types import Cell, Table

_FEWEST, _MOST = 2, 12  # columns that one sums
_ROWS = 2  # in which it does, at least
_MOSTLY = 0.6  # of the rows: a total column may leave some of its parts out
_ROUNDING = 1.5  # units of the last place


class Share(NamedTuple):
    """A column that is a part: the terms that tell its headers from those of the whole, and what that is called."""

    terms: frozenset[str]
    whole: str


def shares(tables: Sequence[Table], names: frozenset[str]) -> Mapping[tuple[int, int], Share]:
    """The columns that are parts of the column of a whole, by the starts of their tables and their numbers.

    `names` are the terms of what the company is called, whose own column is that of the whole.
    """
    result: dict[tuple[int, int], Share] = {}
    for table in tables:
        columns = _columns(table)
        for place, column in enumerate(columns):
            head = " ".join(column[0].column_path)
            if pattern("whole_column").search(head) or names.intersection(item_terms(head)):
                for part in _summed(columns, place):
                    apart = frozenset(item_terms(" ".join(part[0].column_path))).difference(item_terms(head))
                    if apart:
                        result[table.start, part[0].column] = Share(apart, head)
    return result


def _columns(table: Table) -> list[list[Cell]]:
    """The figures of each column that has some, from left to right."""
    columns: dict[int, list[Cell]] = {}
    for cell in table.values():
        if cell.value is not None and cell.unit != "percent" and cell.column_path:
            columns.setdefault(cell.column, []).append(cell)
    return [columns[number] for number in sorted(columns)]


def _summed(columns: Sequence[list[Cell]], place: int) -> list[list[Cell]]:
    """The columns right beside one that it sums in most rows, of the same times; none where it sums none."""
    whole = {cell.row: cell for cell in columns[place] if cell.value}
    for side in (columns[:place][::-1], columns[place + 1 :]):
        run = list(_alike(columns[place], side))
        for count in range(len(run), _FEWEST - 1, -1):
            parts = [{cell.row: cell.value or 0.0 for cell in column} for column in run[:count]]
            rows = [row for row in whole if any(part.get(row) for part in parts)]
            right = sum(_is_sum(whole[row], [part.get(row, 0.0) for part in parts]) for row in rows)
            if right >= _ROWS and right >= _MOSTLY * len(rows):
                return run[:count]
    return []


def _alike(column: Sequence[Cell], others: Sequence[list[Cell]]) -> Iterator[list[Cell]]:
    """The next columns of the same years."""
    for other in others[:_MOST]:
        if other[0].year != column[0].year:
            return
        yield other


def _is_sum(whole: Cell, parts: Sequence[float]) -> bool:
    step = _ROUNDING * 10.0 ** -len(whole.text.rstrip(") ").partition(".")[2])
    several = sum(part != 0 for part in parts) >= _FEWEST
    return several and abs(sum(parts) - (whole.value or 0.0)) <= step
