"""Tables of studies as text, CSV and JSON. Fractions are kept as they are; text shows them as percentages."""

from __future__ import annotations

import csv as csv_format
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a study.

    Attributes:
        id: its name in files.
        title: what it shows.
        columns: the names of the columns; the first one names the row.
        rows: a value a column; None where there is none.
        plain: columns whose numbers are no fractions, shown as they are.
        notes: what the reader must know.
    """

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    plain: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: a row is an object."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"id": self.id, "title": self.title, "rows": rows, "notes": list(self.notes)}

    def csv(self) -> str:
        """A line a row, after one with the columns' names; fractions."""
        out = io.StringIO()
        writer = csv_format.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if value is None else value for value in row] for row in self.rows)
        return out.getvalue()

    def _cells(self) -> list[list[str]]:
        return [
            [_shown(value, percent=name not in self.plain) for name, value in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    def text(self) -> str:
        """For a terminal, columns aligned."""
        cells = [list(self.columns), *self._cells()]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        words = [i == 0 or all(isinstance(row[i], str) for row in self.rows) for i in range(len(self.columns))]
        lines = [
            "  ".join(
                cell.ljust(width) if word else cell.rjust(width)
                for cell, width, word in zip(row, widths, words, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join([self.title, "", *lines, *(f"  {note}" for note in self.notes)])


def _shown(value: Value, *, percent: bool) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{100 * value:.1f}" if percent else f"{value:.3f}"
    return str(value)


def text(tables: Sequence[Table]) -> str:
    """All tables for a terminal."""
    return "\n\n\n".join(table.text() for table in tables)
