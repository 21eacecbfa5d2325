"""One table: aligned for a terminal, as Markdown, CSV, JSON and HTML. Fractions are shown as percentages."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from citewell.text.columns import aligned
from citewell_lab.report.page import escape, listed
from citewell_lab.report.values import Interval, Value, format_value

_MARKS = {"ours": "> ", "computed": "= ", "paper": "  "}
_WHOSE = {"ours": "ours", "computed": "computed here", "paper": "paper"}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of figures under named columns.

    Attributes:
        id: its name in files.
        title: what it shows.
        columns: their names; the first one names the row.
        rows: a value a column; None where there is none.
        plain: columns whose numbers are no fractions, shown as they are.
        notes: what the reader must know.
        source: where in a paper such a table stands.
        whose: of each row: `ours`, `computed` or `paper`; empty where that is no question.
    """

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    plain: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""
    whose: tuple[str, ...] = ()

    def cells(self) -> list[list[str]]:
        """The header and the rows as text."""
        share = [name not in self.plain for name in self.columns]
        rows = [[format_value(value, share=flag) for value, flag in zip(row, share, strict=True)] for row in self.rows]
        return [list(self.columns), *rows]

    def words(self) -> list[bool]:
        """Which columns hold words, not figures: the first, and those of text alone."""
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        return [
            place == 0 or (any(column) and all(value is None or isinstance(value, str) for value in column))
            for place, column in enumerate(columns)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: a row is an object."""
        plain = ([cell._asdict() if isinstance(cell, Interval) else cell for cell in row] for row in self.rows)
        rows = [dict(zip(self.columns, row, strict=True)) for row in plain]
        return {"id": self.id, "title": self.title, "rows": rows, "notes": list(self.notes)}

    def csv(self) -> str:
        """A line a row, after one with the columns' names; fractions, of at most six digits."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([round(value, 6) if isinstance(value, float) else value for value in row] for row in self.rows)
        return out.getvalue()

    def text(self) -> str:
        """For a terminal; our rows are marked with `>`, computed ones with `=`."""
        cells = self.cells()
        for line, whose in zip(cells[1:], self.whose, strict=False):
            line[0] = _MARKS[whose] + line[0]
        lines = [self.title, *([self.source] if self.source else []), "", *aligned(cells, self.words())]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    def markdown(self) -> str:
        """A Markdown table; our rows are bold in their first cell."""
        header, *rows = [[_plain(cell) for cell in line] for line in self.cells()]
        for line, whose in zip(rows, self.whose, strict=False):
            line[0] = f"**{line[0]}**" if whose == "ours" else line[0]
        rule = ["---" if word else "---:" for word in self.words()]
        lines = [f"### {self.title}", "", *([self.source, ""] if self.source else [])]
        lines += [f"| {' | '.join(line)} |" for line in (header, rule, *rows)]
        notes = ["- " + note.replace("*", "\\*") for note in self.notes]
        return "\n".join([*lines, "", *notes] if notes else lines)

    def html(self) -> str:
        """The table alone; its rows say in words whose they are."""
        words = [" class=word" if word else "" for word in self.words()]
        header, *rows = [[escape(cell) for cell in line] for line in self.cells()]
        head = [f"<th scope=col{kind}>{cell}</th>" for cell, kind in zip(header, words, strict=True)]
        body = []
        for number, line in enumerate(rows):
            cells = [f"<td{kind}>{cell}</td>" for cell, kind in zip(line[1:], words[1:], strict=True)]
            if self.whose:
                cells.insert(0, f"<td class=word>{_WHOSE[self.whose[number]]}</td>")
            opening = f"<tr class={self.whose[number]}>" if self.whose else "<tr>"
            body.append(f"{opening}<th scope=row>{line[0]}</th>{''.join(cells)}</tr>")
        if self.whose:
            head.insert(1, "<th scope=col class=word>whose</th>")
        table = f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(body)}</tbody>"
        return f"<div class=wide><table>{table}</table></div>"

    def section(self) -> str:
        """The table in HTML with its title, source and notes."""
        head = f"<h3>{escape(self.title)}</h3><p class=paper>{escape(self.source)}</p>"
        return f"<section>{head}{self.html()}{listed(self.notes)}</section>"


def _plain(text: str) -> str:
    """Text that Markdown takes for nothing else: no end of a cell, no emphasis."""
    return text.replace("|", "\\|").replace("*", "\\*")


def text(tables: Sequence[Table]) -> str:
    """All tables for a terminal."""
    return "\n\n\n".join(table.text() for table in tables)


def markdown(tables: Sequence[Table]) -> str:
    """All tables in Markdown."""
    return "\n\n".join(table.markdown() for table in tables)


@dataclass(frozen=True, slots=True)
class Report:
    """Tables and the record of what they were made from."""

    tables: tuple[Table, ...]
    record: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"tables": [table.to_dict() for table in self.tables], "record": self.record}

    def text(self) -> str:
        """For a terminal."""
        return text(self.tables)

    def csv(self) -> str:
        """The tables one after another."""
        return "\n".join(table.csv() for table in self.tables)

    def markdown(self) -> str:
        """In Markdown."""
        return markdown(self.tables)
