"""Cells of words that sort a table's rows: "Eider is a diesel ship" against "MV Eider | Battery-electric"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from citewell.facts.extract import Facts
from citewell.facts.tables.cell_facts import name
from citewell.facts.tables.fits import Fit, subject
from citewell.facts.tables.readings import CellReading, Point
from citewell.facts.tables.rows import Keys, Row, heads, words
from citewell.types import Cell, Table

_SHORT = 4  # words of a cell that sorts, at most


class Sorted(NamedTuple):
    """A row with its cells of words, and the other things that stand in the same columns."""

    row: Row
    others: tuple[Keys, ...]


def sorted_rows(tables: Iterable[Table]) -> tuple[Sorted, ...]:
    """The rows of tables with columns of words, of which at least one thing stands in several rows."""
    result: list[Sorted] = []
    for table in tables:
        columns: dict[int, list[Cell]] = defaultdict(list)
        for cell in table.values():
            if cell.value is None and cell.row_path and 0 < len(words(cell.text)) <= _SHORT:
                columns[cell.column].append(cell)
        corner = frozenset(
            key for cell in table.cells if cell.role == "head" and not cell.column for key in words(cell.text)
        )
        for cells in columns.values():
            kinds = {words(cell.text) for cell in cells}
            if not 1 < len(kinds) < len(cells):
                continue
            for cell in cells:
                label = words(cell.row_path[-1])
                around = label | corner | words(table.title)
                row = Row(table, (cell,), label, around, (heads(cell.column_path),))
                result.append(Sorted(row, tuple(kinds - {words(cell.text)})))
    return tuple(result)


def sort_told(claim: Facts, sources: Sequence[Sequence[Sorted]]) -> CellReading | None:
    """What a cell says of a claim that names its row and one of the column's things, and says nothing more."""
    of = subject(claim, range(len(claim.tokens)))
    for number, rows in enumerate(sources):
        named = [named_row for named_row in rows if named_row.row.label & of.keys]
        for named_row in named:
            cell, known = named_row.row.cells[0], named_row.row.around | named_row.row.heads[0]
            unique = (
                sum(
                    other.row.heads == named_row.row.heads and other.row.table is named_row.row.table for other in named
                )
                == 1
            )
            cell_words, unknown = words(cell.text), of.keys - known
            if not unique or not unknown or claim.quantities:
                continue
            fit = Fit(number, named_row.row, cell, 1.0, 1.0, 1.0, frozenset(), None, off=False)
            if unknown == cell_words:
                return CellReading((), (fit,), frozenset())
            if unknown in named_row.others:
                places = [n for n in of.places if claim.tokens.keys[n] in unknown]
                start, end = claim.tokens.span(places[0], places[-1])
                message = f"says “{claim.text[start:end]}”; {name(cell)} is “{cell.text}”"
                return CellReading((Point("entity", start, end, message, fit),), (fit,), frozenset())
    return None
