"""A table for terminals, Markdown, LaTeX, CSV, JSON and HTML. Fractions are shown as percentages."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from citewell.text.columns import aligned
from citewell.text.safe import dumps
from citewell_lab.report.page import escape, listed
from citewell_lab.report.values import Interval, Spread, Value, format_value

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
        plain = ([_parts(cell) or cell for cell in row] for row in self.rows)
        rows = [dict(zip(self.columns, row, strict=True)) for row in plain]
        return {"id": self.id, "title": self.title, "rows": rows, "notes": list(self.notes)}

    def csv(self) -> str:
        """A line a row, after one with the columns' names; fractions, of at most six digits.

        A column of means with intervals or deviations is followed by one for each of their parts.
        """
        parts = [
            next((list(held)[1:] for cell in column if (held := _parts(cell))), [])
            for column in zip(*self.rows, strict=True)
        ] or [[]] * len(self.columns)
        rows = (
            [cell for value, names in zip(row, parts, strict=True) for cell in _flat(value, names)] for row in self.rows
        )
        header = [text for name, names in zip(self.columns, parts, strict=True)
                  for text in (name, *(f"{name} {part}" for part in names))]  # fmt: skip
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([round(value, 6) if isinstance(value, float) else value for value in row] for row in rows)
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

    def latex(self) -> str:
        """A table for the package booktabs; our rows are bold in their first cell."""
        header, *rows = [[_tex(cell) for cell in line] for line in self.cells()]
        for line, whose in zip(rows, self.whose, strict=False):
            line[0] = f"\\textbf{{{line[0]}}}" if whose == "ours" else line[0]
        places = "".join("l" if word else "r" for word in self.words())
        caption = f"{self.title} ({self.source})" if self.source else self.title
        body = [f"{' & '.join(line)} \\\\" for line in rows]
        notes = [f"\\par\\footnotesize {_tex(note)}" for note in self.notes]
        return "\n".join([
            r"\begin{table}", r"\centering", f"\\caption{{{_tex(caption)}}}", f"\\label{{tab:{self.id}}}",
            f"\\begin{{tabular}}{{{places}}}", r"\toprule", f"{' & '.join(header)} \\\\", r"\midrule", *body,
            r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}",
        ])  # fmt: skip

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


_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$",
        "–": "--", "<": "$<$", ">": "$>$", "|": "$|$", **{mark: f"\\{mark}" for mark in "&%$#_{}"}}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _TEX)))


def _tex(text: str) -> str:
    """Text that LaTeX takes for nothing else."""
    return _SPECIAL.sub(lambda match: _TEX[match[0]], text)


def _parts(value: Value) -> dict[str, float]:
    """What a mean comes with, by its names; nothing for other values."""
    if isinstance(value, Interval):
        return value._asdict()
    return asdict(value) if isinstance(value, Spread) else {}


def _flat(value: Value, names: Sequence[str]) -> list[Value]:
    """A cell and those of its parts, empty where it has none."""
    parts = _parts(value)
    return [parts["mean"] if parts else value, *(parts.get(name) for name in names)]


def printed(tables: Sequence[Table], form: str | None, data: Any = None) -> str:
    """Tables in one of the forms that commands print.

    Args:
        tables: what is printed.
        form: `markdown`, `latex`, `csv`, `json`, else aligned for a terminal.
        data: what is printed as JSON instead of the tables.
    """
    if form == "json":
        return dumps({"tables": [table.to_dict() for table in tables]} if data is None else data)
    if form == "csv":
        return "\n".join(table.csv() for table in tables).rstrip("\n")
    if form == "latex":
        return "\n\n".join(table.latex() for table in tables)
    return markdown(tables) if form == "markdown" else text(tables)


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
