"""Infers the scale of a table that states none: from tables that repeat its figures, or nearly all of the document's.

"Quarterly results" without a scale give the year's sales as "$ 8,958", as the income statement in millions does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from citewell.facts.tables.scales import Scale
from citewell.types import Cell, Span, Table

_DIGITS = 4  # of a figure: shorter ones stand again by chance
_LEAST = 2  # different figures that stand again
_ONE_IN = 8  # of a table's figures at least
_TABLES, _SHARE = 10, 0.9  # at least, of those that state a scale, state the usual one


class UsualScale:
    """The scale that nearly all tables of a document state so far: money without one is in that."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self._places: dict[int, Span] = {}
        self._largest = 0.0  # figure of these tables

    def scale(self, stated: Scale, figures: Sequence[float], *, money: bool) -> Scale:
        """The scale of the next table: what it states, else the usual one where its figures are not larger."""
        factor, place = stated
        largest = max(figures, default=0.0)
        if place is not None:
            self._counts[factor] += 1
            self._places[factor] = place
            self._largest = max(self._largest, largest)
            return stated
        usual, count = max(self._counts.items(), key=lambda pair: pair[1], default=(1, 0))
        sure = money and count >= max(_TABLES, _SHARE * self._counts.total()) and largest <= self._largest
        return (usual, self._places[usual]) if sure else stated


def with_repeated_scale(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables, those of money without a scale with that of the tables in which most of their figures stand again."""
    stated: dict[float, dict[int, Span]] = defaultdict(dict)
    for table in tables:
        for cell in _long_figures(table):
            if cell.scale_at is not None:
                stated[abs(cell.value or 0.0)].setdefault(cell.scale, cell.scale_at)
    return tuple(_scaled(table, stated) for table in tables)


def _long_figures(table: Table) -> list[Cell]:
    """Amounts of money in a table that have many digits."""
    return [
        cell
        for cell in table.cells
        if cell.value is not None and len(cell.unit) == len("USD") and sum(map(str.isdigit, cell.text)) >= _DIGITS
    ]


def _scaled(table: Table, stated: dict[float, dict[int, Span]]) -> Table:
    money = _long_figures(table)
    if not money or any(cell.scale_at is not None for cell in table.cells):
        return table
    figures = {abs(cell.value or 0.0) for cell in money}
    scales = Counter(scale for figure in figures for scale in stated.get(figure, ()))
    scale, count = scales.most_common(1)[0] if scales else (1, 0)
    if scale == 1 or count < max(_LEAST, len(figures) / _ONE_IN) or len(scales) > 1:
        return table
    place = next(stated[figure][scale] for figure in sorted(figures) if scale in stated.get(figure, ()))
    units = {cell.unit for cell in money}
    cells = tuple(
        replace(cell, scale=scale, scale_at=place) if cell.unit in units and cell.value is not None else cell
        for cell in table.cells
    )
    return replace(table, cells=cells)
