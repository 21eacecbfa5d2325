"""Pieces of a page to rows: lines of a column, and table rows, whose cells may be taller."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from citewell.readers.pdf.chars import PageChars
from citewell.readers.pdf.geometry import geometry
from citewell.text.figures import is_year

NONE, SPACE, CELL = range(3)
JOINT = ("", " ", " | ")
SIGNS = "$€£¥"
NUMBER = re.compile(r"[-+–—−(]?(?:[$€£¥] ?)?\(?\d[\d,.]*\)?%?\)?[)*†‡]*$|[$€£¥—–-]$|N/A$|nm$")
GROUPED = re.compile(r"[-(]?[$€£¥]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\)?")
# scale and state of a whole table, on a line of its own
ASIDE = re.compile(r"\(.{0,60}\b(?:in|and)\b.{0,80}\)|\(unaudited\)", re.IGNORECASE)


MARK = re.compile(r"\W{1,2}|\(?\w{1,4}[.)]")  # what stands before an item of a list
_MARK = 2  # characters of a bullet or sign, at most


class Piece(NamedTuple):
    """Words that stand together: characters `start` to `end` of the page's text, on the row's line of this number.

    One that is `apart` is a cell of its own, or begins one, however close it stands to the piece before it.
    """

    start: int
    end: int
    x0: float
    x1: float
    line: int = 0
    apart: bool = False


class Bit(NamedTuple):
    """A piece with its box and its words, `first` to `stop`."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float
    first: int
    stop: int
    weight: int
    hyphen: bool
    apart: bool = False  # cut off where a gap between columns is

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return (self.y0 + self.y1) / 2


class Place(NamedTuple):
    """Where a cell stands in its table."""

    column: int
    columns: int
    rows: int


class TableRow(NamedTuple):
    """A row of a table: the table's number on its page, its cells from left to right, each of one or more lines.

    `head` says that it is set as a header.
    """

    table: int
    row: int
    cells: list[tuple[Place, list[Bit]]]
    head: bool = False


@dataclass(slots=True)
class Row:
    """One line of text in one column, or a row of a table, top to bottom; `size` is a line's height, `flow` its column.

    `joins` says how each piece joins the one before it: `NONE`, `SPACE` or `CELL`. The row of a table whose cells
    are known has their `places`, the number of its `table` on the page and its own in it, and whether it is a `head`.
    `rules` has the left and right end of the lines drawn right under it.
    """

    page: int
    pieces: list[Piece]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    weight: int
    hyphen: bool
    flow: int
    joins: list[int]
    text: str
    cells: int
    places: tuple[Place, ...] = ()
    table: tuple[int, int] = (-1, -1)
    head: bool = False
    rules: tuple[tuple[float, float], ...] = ()

    def join_cells(self) -> None:
        """Make one text of the row's cells."""
        self.joins = [SPACE if join == CELL else join for join in self.joins]
        self.cells, self.places, self.table = 1, (), (-1, -1)
        self.text = self.text.replace(JOINT[CELL], JOINT[SPACE])


def lines(bits: Sequence[Bit]) -> list[list[Bit]]:
    """Pieces by lines: those that overlap in height stand on one, a tall mark on the one that it overlaps most."""
    heights = sorted(bit.y1 - bit.y0 for bit in bits)
    tall = geometry().tall * heights[len(heights) // 2] if bits else 0.0
    marks, rest = list[Bit](), list[Bit]()
    for bit in bits:
        (marks if bit.y1 - bit.y0 > tall and bit.end - bit.start <= _MARK else rest).append(bit)
    grouped = _lines(rest)
    for mark in marks:
        shared = [min(line.bottom, mark.y1) - max(line.top, mark.y0) for line in grouped]
        best = shared.index(max(shared)) if shared else -1
        if best >= 0 and shared[best] > 0:
            grouped[best].bits.append(mark)
        else:
            grouped.append(_Line(mark.y0, mark.y1, [mark]))
    if marks:
        grouped.sort(key=lambda line: line.top + line.bottom)
    return [sorted(line.bits, key=lambda bit: bit.x0) for line in grouped]


class _Line(NamedTuple):
    """The top and bottom of a line's tallest piece, and its pieces."""

    top: float
    bottom: float
    bits: list[Bit]


def _lines(bits: Sequence[Bit]) -> list[_Line]:
    same_line = geometry().same_line
    grouped: list[_Line] = []
    for bit in sorted(bits, key=lambda bit: bit.middle):
        top, bottom = (grouped[-1].top, grouped[-1].bottom) if grouped else (0.0, 0.0)
        shared = min(bottom, bit.y1) - max(top, bit.y0)
        if grouped and shared > same_line * min(bottom - top, bit.y1 - bit.y0):
            grouped[-1].bits.append(bit)
            if bit.y1 - bit.y0 > bottom - top:
                grouped[-1] = grouped[-1]._replace(top=bit.y0, bottom=bit.y1)
        else:
            grouped.append(_Line(bit.y0, bit.y1, [bit]))
    return grouped


def line_row(page: PageChars, group: list[Bit], flow: int) -> Row:
    """The row of one line."""
    first, text = group[0], page.text
    if len(group) == 1:  # most rows, made quickly
        start, end, x0, y0, x1, y1, *_ = first
        piece = [Piece(start, end, x0, x1)]
        size = y1 - y0
        content = text[start:end]
        return Row(page.number, piece, x0, y0, x1, y1, size, first.weight, first.hyphen, flow, [NONE], content, 1)
    pieces = [Piece(bit.start, bit.end, bit.x0, bit.x1, apart=bit.apart) for bit in group]
    tallest = max(group, key=lambda bit: (bit.y1 - bit.y0) * (bit.end - bit.start > 2))
    size = tallest.y1 - tallest.y0
    return Row(
        page.number,
        pieces,
        min(bit.x0 for bit in group),
        min(bit.y0 for bit in group),
        max(bit.x1 for bit in group),
        max(bit.y1 for bit in group),
        size,
        min(bit.weight for bit in group),
        group[-1].hyphen,
        flow,
        *joined(pieces, text, size),
    )


def table_row(page: PageChars, row: TableRow, flow: int) -> Row:
    """The row of a table whose cells are known."""
    text = page.text
    pieces: list[Piece] = []
    joins: list[int] = []
    whole, line = "", 0
    heights: list[float] = []
    for _, bits in row.cells:
        for number, group in enumerate(lines(bits)):
            line += 1
            placed = [Piece(bit.start, bit.end, bit.x0, bit.x1, line) for bit in group]
            heights += [bit.y1 - bit.y0 for bit in group]
            between, printed, _ = joined(placed, text, max(bit.y1 - bit.y0 for bit in group), apart=False)
            if number == 0:
                between[0] = CELL if whole else NONE
            else:
                between[0] = NONE if _goes_on(whole, printed) else SPACE
            joins += between
            whole += JOINT[between[0]] + printed if pieces else printed
            pieces += placed
    bits = [bit for _, cell in row.cells for bit in cell]
    return Row(
        page.number,
        pieces,
        min(bit.x0 for bit in bits),
        min(bit.y0 for bit in bits),
        max(bit.x1 for bit in bits),
        max(bit.y1 for bit in bits),
        sorted(heights)[len(heights) // 2],
        min(bit.weight for bit in bits),
        hyphen=False,
        flow=flow,
        joins=joins,
        text=whole,
        cells=len(row.cells),
        places=tuple(place for place, _ in row.cells),
        table=(row.table, row.row),
        head=row.head,
    )


def _goes_on(before: str, after: str) -> bool:
    """Whether a line of a cell ends within a word or range that the next line goes on with."""
    return before[-1:] in ("-", "–", "/") and (after[:1].islower() or after[:1].isdigit() or before[-1:] == "/")


def joined(pieces: list[Piece], text: str, size: float, *, apart: bool = True) -> tuple[list[int], str, int]:
    """How the pieces of a row join, the row's text and its number of cells; 1 where they are not `apart`."""
    if len(pieces) == 1:
        return [NONE], text[pieces[0].start : pieces[0].end], 1
    joins = [NONE]
    whole = cell = text[pieces[0].start : pieces[0].end]
    for before, piece in pairwise(pieces):
        content = text[piece.start : piece.end]
        gap = piece.x0 - before.x1
        word = cell.rpartition(" ")[2]
        # Two figures of many digits, or one behind a currency, are two cells however close they stand.
        signed = content[0] in SIGNS and NUMBER.match(content) and NUMBER.match(word.replace("%", "0"))
        signed = signed or (GROUPED.fullmatch(word) and GROUPED.fullmatch(content))
        # A sign behind a figure belongs to it, behind words or a year it heads a column.
        together = cell in "$€£¥(" or content in (")", ")%", "%)", "*")
        together |= content == "%" and NUMBER.match(word) is not None and not is_year(word)
        if not apart or (not (signed or piece.apart) and (together or gap <= _limit(cell, content) * size)):
            joins.append(NONE if gap < geometry().no_space * size and cell not in SIGNS else SPACE)
            cell += JOINT[joins[-1]] + content
        else:
            joins.append(CELL)
            cell = content
        whole += JOINT[joins[-1]] + content
    return joins, whole, joins.count(CELL) + 1


def _limit(left: str, right: str) -> float:
    """The gap, in line heights, beyond which two pieces are two cells."""
    both = NUMBER.match(right) and NUMBER.match(left.rpartition(" ")[2])
    return geometry().narrow if both else geometry().wide


def adopt(rows: list[Row]) -> None:
    """Give the short last line of a title or abstract across the columns back to it: it stands inside one column."""
    g = geometry()
    for index in range(1, len(rows)):
        before, row = rows[index - 1], rows[index]
        if row.flow == before.flow:
            continue
        step, size = row.y0 - before.y0, row.size
        after = rows[index + 1] if index + 1 < len(rows) and rows[index + 1].flow == row.flow else None
        alike = _same_size(before, size) and row.weight == before.weight
        middle = abs(row.x0 + row.x1 - before.x0 - before.x1) < 2 * size
        aligned = middle or abs(row.x0 - before.x0) < g.aligned * size
        alone = after is None or not _same_size(after, size) or after.y0 - row.y0 > g.alone * step
        if alike and aligned and alone and 0 < step < g.next_line * size and row.x1 < before.x1 + size:
            row.flow = before.flow


def _same_size(row: Row, size: float) -> bool:
    """Whether a row is as high as another, as far as line boxes tell."""
    return abs(row.size - size) < geometry().size_apart * size
