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
    """A cell with text as a reader saw it: its place in the grid, 0-based, how far it reaches, its text's offsets.

    `indent` is how far from the table's left edge it begins, in the reader's own units (points, levels).
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
        """Read the JSON form, of a text of this size, back."""
        row, column, start, end, rows, columns, indent = data.each(lambda part: part, 7)
        span = within(start, end, size)
        return cls(row.whole(), column.whole(), *span, rows.whole(1), columns.whole(1), indent.number())


_SPARSE = 64  # cells of a saved table for each character of its text: a sheet may be nearly empty


class Grid(NamedTuple):
    """The rows and columns of one table, without meaning; its slots in reading order. Empty cells have no slot.

    `heads` is how many of the first rows are headers, -1 where the format does not tell.
    """

    start: int
    end: int
    rows: int
    columns: int
    slots: tuple[Slot, ...]
    heads: int = -1

    @classmethod
    def read(cls, data: Field, size: int) -> Grid:
        """Read the JSON form, of a text of this size, back."""
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
        rows: how many rows it reaches over.
        columns: how many columns it reaches over.
        start: where its text starts in the document; that of the row's next text where the cell is empty.
        end: where it ends; `start` where the cell is empty.
        text: its text, the document's `text[start:end]`.
        role: "head" of columns, "label" of a row, "value", or "empty".
        row_path: the labels that say of what it is, the widest first: section, subsection, label of the row.
        column_path: the headers above it, the widest first.
        value: its number as written, its sign applied; None where it is none. A dash for nil is 0.
        unit: its unit or currency ("USD", "percent"), empty where nothing says.
        scale: what the value is to be multiplied by: 1000 in a table "in thousands".
        scale_at: where the document says so, None where nothing does.
        period: the time that it is about, as the document words it, empty where nothing says.
        year: the calendar or fiscal year of that time.
        headers: where its row's label and the headers above it stand.
        adds_up: whether sums of the table prove it: True where it is part of one that comes out, False where its
            total comes out in other columns and not in its own, None where no sum tells.
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
        """Where its text stands."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document.

    Attributes:
        start: where its first row starts in the document's text.
        end: where its last row ends.
        title: the heading or caption that names it, empty where none does.
        kind: "income", "balance", "cash", "equity", "comprehensive" where its title or rows tell, else empty.
        rows: how many rows it has.
        columns: how many columns it has.
        cells: every cell, row by row, empty ones too.
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
        """The cells that hold neither header nor label, in order."""
        return tuple(cell for cell in self.cells if cell.role == "value")
