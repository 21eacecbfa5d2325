"""Tables as values: what a reader extracted (grids and slots), and what each cell means (tables and cells).

A reader gives its document grids: which stretch of text stands in which row and column. `Document.tables()` makes
tables of them, whose cells know their headers, value, unit, scale and period.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from citewell.errors import AnswerFormatError
from citewell.types.documents import Span, within
from citewell.types.fields import Field


class Slot(NamedTuple):
    """A cell with text as extracted by a reader: its 0-based place in the grid, its extent, and its text's offsets.

    `indent` is its distance from the table's left edge, in the reader's units (points, levels).
    """

    row: int
    column: int
    start: int
    end: int
    rows: int = 1
    columns: int = 1
    indent: float = 0.0

    @classmethod
    def read(cls, data: Field, size: int) -> Slot:
        """Create the value from its JSON form, for a text of this size."""
        row, column, start, end, rows, columns, indent = data.each(lambda part: part, 7)
        span = within(start, end, size)
        return cls(row.whole(), column.whole(), *span, rows.whole(1), columns.whole(1), indent.number())


_SPARSE = 64  # cells of a saved table for each character of its text: a sheet may be nearly empty


class Grid(NamedTuple):
    """The rows and columns of one table, without interpretation; its slots in reading order. Empty cells have no slot.

    `heads` is the number of header rows at the top, -1 if the format does not tell.
    """

    start: int
    end: int
    rows: int
    columns: int
    slots: tuple[Slot, ...]
    heads: int = -1

    @classmethod
    def read(cls, data: Field, size: int) -> Grid:
        """Create the value from its JSON form, for a text of this size."""
        start, end, rows, columns, slots, heads = data.each(lambda part: part, 6)
        cells = slots.each(lambda slot: Slot.read(slot, size))
        grid = cls(*within(start, end, size), rows.whole(), columns.whole(), cells, heads.whole(-1))
        for number, slot in enumerate(cells):
            if slot.row + slot.rows > grid.rows or slot.column + slot.columns > grid.columns:
                raise AnswerFormatError(f"{slots.path}[{number}] reaches out of its table")
        if grid.rows * grid.columns > _SPARSE * (size + 1):
            raise AnswerFormatError(f"{data.path}: more cells than a text of {size} characters has")
        return grid


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table.

    Attributes:
        row: its first row, 0-based.
        column: its first column, 0-based.
        rows: the number of rows that it spans.
        columns: the number of columns that it spans.
        start: where its text starts in the document; for an empty cell, the start of the next text in the row.
        end: where its text ends; `start` if the cell is empty.
        text: its text, the document's `text[start:end]`.
        role: "head" of columns, "label" of a row, "value", or "empty".
        row_path: the labels of its row, the widest first: section, subsection, label of the row.
        column_path: the headers above it, the widest first.
        value: its number as written, with its sign; None if it is not a number. A dash for nil is 0.
        unit: its unit or currency ("USD", "percent"), empty if not stated.
        scale: the factor of the value: 1000 in a table "in thousands".
        scale_at: where the document states the scale, None if it does not.
        period: the time it refers to, in the document's words, empty if not stated.
        year: the calendar or fiscal year of that time.
        headers: the positions of its row's label and of the headers above it.
        adds_up: whether sums of the table confirm it: True if it is part of a sum that is correct, False if the same
            sum is correct in other columns but not in its own, None if no sum includes it.
    """

    row: int
    column: int
    rows: int
    columns: int
    start: int
    end: int
    text: str
    role: str
    row_path: tuple[str, ...] = ()
    column_path: tuple[str, ...] = ()
    value: float | None = None
    unit: str = ""
    scale: int = 1
    scale_at: Span | None = None
    period: str = ""
    year: int | None = None
    headers: tuple[Span, ...] = ()
    adds_up: bool | None = None

    @property
    def span(self) -> Span:
        """The position of its text."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document.

    Attributes:
        start: where its first row starts in the document's text.
        end: where its last row ends.
        title: the heading or caption that names it, or empty.
        kind: "income", "balance", "cash", "equity" or "comprehensive" according to its title or rows, else empty.
        rows: the number of rows.
        columns: the number of columns.
        cells: all cells, row by row, including empty ones.
    """

    start: int
    end: int
    title: str
    kind: str
    rows: int
    columns: int
    cells: tuple[Cell, ...]

    def row(self, number: int) -> tuple[Cell, ...]:
        """The cells of one row."""
        return tuple(cell for cell in self.cells if cell.row == number)

    def values(self) -> tuple[Cell, ...]:
        """The cells that are neither headers nor labels, in order."""
        return tuple(cell for cell in self.cells if cell.role == "value")
