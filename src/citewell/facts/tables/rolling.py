"""The year of changes in a balance without a year header: the rows between two year-end balances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citewell.facts.calendar.period import read_period
from citewell.types import Cell


def with_years_between(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a table; those of rows without a time have the year of the balance that they lead to.

    "Granted" between "Nonvested at December 31, 2018" and "Nonvested at December 31, 2019" is of 2019.
    """
    years: dict[int, int | None] = {}
    balances: dict[int, int] = {}
    for cell in cells:
        if cell.role == "value" and cell.row_path:
            years[cell.row] = years.get(cell.row) or cell.year
            if cell.year and read_period(cell.row_path[-1]).ending is not None:
                balances[cell.row] = cell.year
    moved: dict[int, int] = {}
    for (first, year), (last, following) in zip(balances.items(), list(balances.items())[1:], strict=False):
        if following == year + 1:
            moved |= {row: following for row in range(first + 1, last) if row in years and years[row] is None}
    return tuple(
        replace(cell, year=moved[cell.row]) if cell.role == "value" and cell.row in moved else cell for cell in cells
    )
