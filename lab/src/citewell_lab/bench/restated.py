"""Was a figure restated? What a later report says of earlier years, and how two prints of one statement go together.

That two reports differ is no evidence. A figure counts as restated where both reports print it under one label for one
year, and either the later one says that earlier periods of that statement are other ones now, or both columns add up
and hold beside each other: several lines are the same, and this one changed together with others. A column of
another year, another table or a figure of a part has neither the label nor the lines that are the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive.cells.statements import primary
from citewell.text.data import read_json
from citewell.types import Cell, Table

_SAME = 3  # lines that both reports print alike, at least, for their columns to be of one year
_TELLING = 3  # digits of a figure that is not the same by chance
_SUMS = 0.9  # of the figures of a column that are in sums: those whose sums come out
_PROVEN = 4  # such figures of a column, at least
_WORDS = 2  # words with which a shorter label may begin a longer one
_TURN, _WORD = re.compile(r"\([^)]*\)"), re.compile(r"[a-z]+")
_LONG = 300  # characters of a sentence that are shown


class Line(NamedTuple):
    """A figure of a column: what it is worth, and whether it has digits enough not to come up by chance."""

    worth: float
    telling: bool


class Recast(NamedTuple):
    """A sentence by which a report says that figures of earlier periods are other ones now, and of which statements."""

    page: int | None
    quote: str
    kinds: frozenset[str]


class Column(NamedTuple):
    """What a table prints for one year: its lines by label, and whether its sums come out."""

    year: int
    kind: str  # of statement, empty for tables that are none of the company's own
    lines: Mapping[str, Line]
    sums: bool


class Printed(NamedTuple):
    """Where a figure stands: its label and column, and what its report says of earlier periods."""

    label: str
    column: Column
    adds_up: bool | None  # what sums of its table say of it
    recasts: tuple[Recast, ...]


class Evidence(NamedTuple):
    """Why a figure counts as restated: `by` what ("said" or "sums"), in words, with the page of the later report."""

    by: str
    page: int | None
    text: str


def statements(tables: Sequence[Table]) -> list[Table]:
    """The company's own statements, else every table that is one by its title or rows."""
    return [tables[number] for number in primary(tables)] or [table for table in tables if table.kind]


class Report:
    """What a document prints and says, by the places of its figures; each column and sentence is read once."""

    def __init__(self, document: Document) -> None:
        self._recasts = recasts(document)
        tables = document.tables()
        self._own = {table.start for table in statements(tables)}
        self._cells = {cell.start: (cell, table) for table in tables for cell in table.values()}
        self._column = cache(self._read)

    def printed(self, start: int) -> Printed | None:
        """Where the figure stands that begins there; None where that is no cell of a year."""
        cell, table = self._cells.get(start, (None, None))
        if cell is None or table is None or cell.year is None:
            return None
        return Printed(_label(cell), self._column(table, cell.year), cell.adds_up, self._recasts)

    def _read(self, table: Table, year: int) -> Column:
        cells = [cell for cell in table.values() if cell.year == year and cell.value is not None]
        lines: dict[str, Line] = {}
        several = set[str]()
        for cell in cells:
            line = Line((cell.value or 0.0) * cell.scale, sum(map(str.isdigit, cell.text)) >= _TELLING)
            if lines.setdefault(_label(cell), line) != line:
                several.add(_label(cell))
        added = [cell.adds_up for cell in cells if cell.adds_up is not None]
        sums = sum(added) >= max(_PROVEN, _SUMS * len(added))
        kind = table.kind if table.start in self._own else ""
        return Column(year, kind, {label: line for label, line in lines.items() if label not in several}, sums)


def restatement(
    earlier: Sequence[Printed | None], later: Sequence[Printed | None], page: int | None
) -> Evidence | None:
    """Why a later report restates a figure, printed or derived: then each of its parts is the same or restated."""
    if len(earlier) != len(later):
        return None
    parts = [(before, now) for before, now in zip(earlier, later, strict=True) if not _same(before, now)]
    reasons = [evidence(before, now, page) for before, now in parts]
    return reasons[0] if reasons and all(reasons) else None


def _same(earlier: Printed | None, later: Printed | None) -> bool:
    """Whether two figures are one line of one year with one worth."""
    if earlier is None or later is None or earlier.column.year != later.column.year:
        return False
    worths = [where.column.lines[where.label].worth for where in (earlier, later) if where.label in where.column.lines]
    return len(worths) == len((earlier, later)) and worths[0] == worths[1]


def evidence(earlier: Printed | None, later: Printed | None, page: int | None) -> Evidence | None:
    """Why the figure of a later report, on that page, restates that of an earlier one; None where nothing tells."""
    if earlier is None or later is None or False in (earlier.adds_up, later.adds_up):
        return None
    if earlier.column.year != later.column.year or not _one_line(earlier, later):
        return None
    before, now = earlier.column.lines, later.column.lines
    both = before.keys() & now.keys()
    same = [label for label in both if before[label].worth == now[label].worth and now[label].telling]
    if len(same) < _SAME:
        return None
    named = earlier.label == later.label
    kind = later.column.kind
    for recast in later.recasts:
        if named and kind == earlier.column.kind and kind in recast.kinds:
            return Evidence("said", recast.page, recast.quote)
    changed = {label for label in both if before[label].worth != now[label].worth}
    together = (earlier.adds_up and later.adds_up) or (named and len(changed) > 1)
    if not (earlier.column.sums and later.column.sums and together):
        return None
    return Evidence("sums", page, f"both add up; lines that are the same: {len(same)}, that changed: {len(changed)}")


def recasts(document: Document) -> tuple[Recast, ...]:
    """The sentences of a document that say that figures of earlier periods are other ones now."""
    words = _words()
    found = []
    for segment in document.segments("sentence"):
        text = " ".join(segment.text.split())
        told = words["change"].search(text) or (words["apart"].search(text) and words["shown"].search(text))
        if not told or not words["earlier"].search(text) or words["never"].search(text):
            continue
        named = {kind for kind, pattern in _kinds().items() if pattern.search(text)}
        kinds = frozenset(_kinds()) - {""} if "" in named else frozenset(named)
        if kinds:
            found.append(Recast(document.page_at(segment.start), text[:_LONG], kinds))
    return tuple(found)


@cache
def _words() -> Mapping[str, re.Pattern[str]]:
    lists = read_json(__package__, "restated.json")
    return {key: _pattern(parts) for key, parts in lists.items() if isinstance(parts, list)}


@cache
def _kinds() -> Mapping[str, re.Pattern[str]]:
    return {kind: _pattern(parts) for kind, parts in read_json(__package__, "restated.json")["statements"].items()}


def _pattern(parts: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(parts)})\b", re.IGNORECASE)


def _label(cell: Cell) -> str:
    """The labels of a cell's row, by their words: what stands in brackets turns with the sign of the figure."""
    return " / ".join(" ".join(_WORD.findall(_TURN.sub(" ", part.lower()))) for part in cell.row_path)


def _one_line(left: Printed, right: Printed) -> bool:
    """Whether two labels are of one line: one goes on where the other ends, and no column has both."""
    if left.label == right.label:
        return True
    if left.label in right.column.lines or right.label in left.column.lines:
        return False
    shorter, longer = sorted((where.label.rpartition(" / ")[2].split() for where in (left, right)), key=len)
    return shorter == longer or (len(shorter) >= _WORDS and longer[: len(shorter)] == shorter)
