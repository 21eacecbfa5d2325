"""Rows of a page that make a table to a grid: columns from the rows with figures, headers bound to them afterwards.

Columns are the stretches that figures of several rows share, two cells of one row never being one column; the label
stands left of them. A header belongs to the columns that it stands over, or in whose middle it is centred.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.listing import is_contents
from citewell.readers.pdf.protos import Proto
from citewell.readers.pdf.rows import ASIDE, Row
from citewell.readers.pdf.ruled import HeadLine, Reach, in_order, ruled
from citewell.readers.pdf.spread import groups, spread
from citewell.text.figures import is_measured, is_year
from citewell.types import Grid, Slot, Span

_HEADS = 6  # lines of headers above the first row, at most
_LABELS = 3  # lines between two rows that can be labels, as long as they are short
_BETWEEN = 7  # lines between two rows that can be labels, and one
_SENTENCE = re.compile(r"[.!?]$")
_TIME = re.compile(
    r"\b(?:ended|ending|months|weeks|years?|quarter|fiscal|as (?:of|at)|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


class Box(NamedTuple):
    """A cell on a line: its offsets in the text and its left and right edge on the page."""

    start: int
    end: int
    x0: float
    x1: float

    @property
    def middle(self) -> float:
        """The middle between its edges."""
        return (self.x0 + self.x1) / 2


class _Line(NamedTuple):
    boxes: list[Box]
    top: float
    bottom: float
    size: float
    rules: tuple[tuple[float, float], ...] = ()


def grids(protos: Sequence[Proto], cells: Sequence[list[list[Span]]], text: str) -> tuple[Grid, ...]:
    """The tables among the blocks. `cells` holds the offsets of each block's cells, row by row."""
    result = []
    for first, last in _regions(protos, text, cells):
        if protos[first].rows[0].places:
            grid = _known(protos[first:last], cells[first:last])
            result += [grid] if grid else []
            continue
        body = [_merged(protos[number], cells[number]) for number in range(first, last)]
        above = _above(protos, cells, first, body, text)
        grid = _grid([*above, *body], text, cells[first][0][0].start, cells[last - 1][-1][-1].end)
        if grid:
            result.append(grid)
    return tuple(grid for grid in result if not is_contents(grid, text))


def _regions(protos: Sequence[Proto], text: str, cells: Sequence[list[list[Span]]]) -> list[tuple[int, int]]:
    """First and last+1 of the blocks of each table: rows, and the short lines between them that are labels alone."""
    regions: list[tuple[int, int]] = []
    number = 0
    while number < len(protos):
        if protos[number].kind != "table_row":
            number += 1
            continue
        first = last = number
        table = protos[number].rows[0].table
        while (
            table[0] >= 0 and last + 1 < len(protos) and _same_table(protos[last + 1].rows[0], protos[number].rows[0])
        ):
            last += 1
        while table[0] < 0:
            beyond = _next_row(protos, last, text, cells)
            if beyond is None:
                break
            last = beyond
        regions.append((first, last + 1))
        number = last + 1
    return regions


def _same_table(row: Row, other: Row) -> bool:
    return row.page == other.page and row.table[0] == other.table[0]


def _known(protos: Sequence[Proto], cells: Sequence[list[list[Span]]]) -> Grid | None:
    """The grid of rows whose cells' places are known already. Columns in which no cell begins are left out."""
    rows = [proto.rows[0] for proto in protos]
    used = sorted({place.column for row in rows for place in row.places})
    if len(used) < 2:
        return None
    numbers = [row.table[1] for row in rows]
    edges = [_edges(proto, 0, spans[0]) for proto, spans in zip(protos, cells, strict=True)]
    left = min(x0 for row in edges for x0, _ in row)
    slots = []
    for number, (row, spans) in enumerate(zip(rows, cells, strict=True)):
        for place, span, (x0, _) in zip(row.places, spans[0], edges[number], strict=True):
            column = bisect_left(used, place.column)
            wide = bisect_left(used, place.column + place.columns) - column
            high = bisect_left(numbers, numbers[number] + place.rows) - number
            slots.append(Slot(number, column, *span, max(1, high), max(1, wide), round(x0 - left, 1)))
    heads = sum(row.head for row in rows)
    boxes = {
        slot: edges[slot.row][n]
        for number in range(heads)
        for n, slot in enumerate(s for s in slots if s.row == number)
    }
    slots = spread(slots, boxes, heads)
    return Grid(cells[0][0][0].start, cells[-1][0][-1].end, len(rows), len(used), tuple(slots), heads or -1)


def _next_row(protos: Sequence[Proto], last: int, text: str, cells: Sequence[list[list[Span]]]) -> int | None:
    """The next row of the same table: right after this one, or behind lines that can be labels.

    Where they are long they stand left of the figures, and the row behind them has the same columns.
    """
    row = protos[last].rows[-1]
    figures = _figures_at(protos[last], cells[last])
    labels = True  # what stands between can be labels of any length only if the next row has the same columns
    for number in range(last + 1, min(last + 1 + _BETWEEN, len(protos))):
        proto = protos[number]
        step = proto.rows[0].y1 - row.y1
        if proto.rows[0].page != row.page or not -1 < step < geometry().table_gap * row.size:
            return None
        if proto.kind == "table_row":
            same = labels or _alike(figures, _figures_at(proto, cells[number]), row.size)
            return None if proto.rows[0].places or not same else number
        said = text[cells[number][0][0].start : cells[number][-1][-1].end]
        if number > last + _LABELS or len(proto.rows) > 2 or len(said) > geometry().label_long or _SENTENCE.search(said):
            labels = False
            if not figures or max(r.x1 for r in proto.rows) > figures[0][0]:
                return None
        row = proto.rows[-1]
    return None


def _figures_at(proto: Proto, cells: list[list[Span]]) -> list[tuple[float, float]]:
    """Left and right edge of the cells behind the label of a row."""
    main = max(range(len(proto.rows)), key=lambda number: len(cells[number]))
    return _edges(proto, main, cells[main])[1:]


def _alike(left: Sequence[tuple[float, float]], right: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether two rows have the same columns, as their right edges tell."""
    return len(left) == len(right) and all(abs(a[1] - b[1]) < size for a, b in zip(left, right, strict=True))


def _merged(proto: Proto, cells: list[list[Span]]) -> _Line:
    """A block as one line: the rows of a label that was broken are one cell; what follows the figures is left out."""
    main = max(range(len(proto.rows)), key=lambda number: len(cells[number]))
    row = proto.rows[main]
    if len(cells[main]) == 1 and len(proto.rows) > 1:
        left, right = min(r.x0 for r in proto.rows), max(r.x1 for r in proto.rows)
        whole = Box(cells[0][0].start, cells[-1][-1].end, left, right)
        return _Line([whole], proto.rows[0].y0, proto.rows[-1].y1, row.size, proto.rows[-1].rules)
    boxes: list[Box] = []
    edges = _edges(proto, main, cells[main])
    for number, span in enumerate(cells[main]):
        boxes.append(Box(span.start, span.end, *edges[number]))
    if main:
        earlier = proto.rows[:main]
        left, right = min(r.x0 for r in earlier), max(r.x1 for r in earlier)
        label = boxes[0]
        boxes[0] = Box(cells[0][0].start, label.end, min(left, label.x0), max(right, label.x1))
    return _Line(boxes, proto.rows[0].y0, row.y1, row.size, row.rules)


def _edges(proto: Proto, number: int, cells: list[Span]) -> list[tuple[float, float]]:
    """Left and right edge of each cell of a row."""
    row = proto.rows[number]
    if len(cells) == 1:
        return [(row.x0, row.x1)]
    edges: list[tuple[float, float]] = []
    for piece, join in zip(row.pieces, row.joins, strict=True):
        if join == 2 or not edges:
            edges.append((piece.x0, piece.x1))
        else:
            edges[-1] = min(edges[-1][0], piece.x0), max(edges[-1][1], piece.x1)
    return edges


def _above(
    protos: Sequence[Proto], cells: Sequence[list[list[Span]]], first: int, body: list[_Line], text: str
) -> list[_Line]:
    """Lines right above the rows that stand over the columns, not over the label: headers that look like a text."""
    wide = [line for line in body if len(line.boxes) > 1]
    if not wide:
        return []
    left = min(line.boxes[0].x0 for line in body)
    over = min(line.boxes[1].x0 for line in wide)
    top, page = body[0].top, protos[first].rows[0].page
    lines: list[_Line] = []
    for number in range(first - 1, max(-1, first - 4), -1):
        proto = protos[number]
        if proto.rows[0].page != page or proto.kind == "table_row":
            break
        for place in range(len(proto.rows) - 1, -1, -1):
            row, spans = proto.rows[place], cells[number][place]
            said = text[spans[0].start : spans[-1].end]
            far = top - row.y1 > geometry().header_gap * row.size or row.y0 >= top
            inside = row.x0 > left + geometry().header_left * (over - left)
            long = len(said) > geometry().label_long or _SENTENCE.search(said) or len(lines) >= _HEADS
            titled = proto.kind in ("heading", "caption") and not _TIME.search(said)
            if far or not inside or long or titled or ASIDE.fullmatch(said):
                return lines[::-1]
            edges = _edges(proto, place, spans)
            boxes = [Box(span.start, span.end, *edge) for span, edge in zip(spans, edges, strict=True)]
            lines.append(_Line(boxes, row.y0, row.y1, row.size, row.rules))
            top = row.y0
    return lines[::-1]


def _grid(lines: list[_Line], text: str, start: int, end: int) -> Grid | None:
    """The grid of a table's lines, None where no two cells stand side by side in two rows."""
    figures = [_figures(line, text) for line in lines]
    heads = next((number for number, has in enumerate(figures) if any(has)), len(lines))
    over = min((line.boxes[1].x0 for line in lines[heads:] if len(line.boxes) > 1), default=float("inf"))
    # Labels without figures between the headers and the first figures name a section, not a column.
    while 0 < heads < len(lines) and len(lines[heads - 1].boxes) == 1 and lines[heads - 1].boxes[0].middle < over:
        heads -= 1
    body = lines[heads:] or lines
    columns = _columns(body, figures[heads:] if heads < len(lines) else [[False] * len(n.boxes) for n in body])
    if len(columns) < 2:
        return None
    slots: list[Slot] = []
    left = min(box.x0 for line in lines for box in line.boxes)
    below: set[int] = set()  # columns that have a header of their own further down
    drawn = ruled([HeadLine([(box.x0, box.x1) for box in n.boxes], *n[1:]) for n in lines[:heads]], columns)
    again = _heads_again(lines, figures, columns, heads, text)
    placed: list[list[Slot]] = []
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if number < heads:
            reach = in_order(drawn[number], _over(line, columns, text, below))
            below |= {column for first, last in reach for column in range(first, last)}
        elif number in again:
            reach = in_order(again[number], _over(line, columns, text, set(range(1, len(columns)))))
        else:
            reach = _within(line, columns)
        placed.append(
            [
                Slot(number, first, box.start, box.end, 1, last - first, round(box.x0 - left, 1))
                for box, (first, last) in zip(line.boxes, reach, strict=True)
            ]
        )
    for row in reversed(placed):
        slots.extend(row)
    if heads < len(lines):
        boxes = {
            slot: (box.x0, box.x1)
            for slot, box in zip(slots, (box for line in lines for box in line.boxes), strict=True)
            if slot.row < heads
        }
        slots = groups(slots, boxes, heads, text)
    first_offset = min(start, *(slot.start for slot in slots))
    return Grid(first_offset, end, len(lines), len(columns), tuple(slots), heads if heads < len(lines) else -1)


def _heads_again(
    lines: Sequence[_Line],
    figures: Sequence[list[bool]],
    columns: list[tuple[float, float]],
    heads: int,
    text: str,
) -> dict[int, list[Reach | None]]:
    """Lines between the rows that stand over the columns without a figure, and what is drawn under them."""
    left = columns[0][1]
    free = [
        number >= heads
        and not any(marks)
        and all(box.x0 > left or ASIDE.fullmatch(text[box.start : box.end]) for box in line.boxes)
        for number, (line, marks) in enumerate(zip(lines, figures, strict=True))
    ]
    result: dict[int, list[Reach | None]] = {}
    for is_free, group in groupby(range(len(lines)), key=lambda number: free[number]):
        numbers = list(group)
        if is_free:
            block = [HeadLine([(box.x0, box.x1) for box in lines[n].boxes], *lines[n][1:]) for n in numbers]
            result |= dict(zip(numbers, ruled(block, columns), strict=True))
    return result


def _figures(line: _Line, text: str) -> list[bool]:
    """Which cells of a line are figures; those of a line of years alone are headers."""
    said = [text[box.start : box.end] for box in line.boxes]
    marks = [is_measured(cell) for cell in said]
    if all(is_year(cell) for cell, figure in zip(said, marks, strict=True) if figure):
        label = bool(said) and not marks[0] and not _TIME.search(said[0])
        several = sum(marks) < len(said) - label
        # A row such as "Founded | 1999" has a label that is no header.
        return marks if label and not several and len(marks) == 2 else [False] * len(marks)
    return [figure and number > 0 for number, figure in enumerate(marks)] if len(marks) > 1 else [False]


def _columns(lines: list[_Line], figures: list[list[bool]]) -> list[tuple[float, float]]:
    """Left and right edge of each column, the label's first."""
    numbers = [
        (box, row) for row, line in enumerate(lines) for box, is_number in _paired(line, figures[row]) if is_number
    ]
    columns = _stretches(numbers)
    if numbers:
        first = min(box.x0 for box, _ in numbers)
        words = [
            (box, row)
            for row, line in enumerate(lines)
            if len(line.boxes) > 1
            for box, is_number in _paired(line, figures[row])
            if not is_number and not any(_shares(box, column) for column in columns)
        ]
        labels = [(box, row) for box, row in words if box is lines[row].boxes[0] and box.x0 < first]
        others = [(box, row) for box, row in words if not (box is lines[row].boxes[0] and box.x0 < first)]
        reach = sorted(box.x1 for box, _ in labels)
        # One label that is very long must not swallow the column of words behind the labels.
        edge = (min(box.x0 for box, _ in labels), reach[len(reach) // 2]) if labels else None
        for column in _stretches([(box, row) for box, row in others if edge is None or box.x0 > edge[1]]):
            if not any(min(column[1], other[1]) > max(column[0], other[0]) for other in columns):
                columns.append(column)
        if edge:
            columns.append(edge)
        elif len(columns) and not labels:
            alone = [line.boxes[0] for line in lines if len(line.boxes) == 1 and line.boxes[0].x0 < first]
            if alone:
                columns.append((min(box.x0 for box in alone), max(min(box.x1, first) for box in alone)))
    else:
        counts = [len(line.boxes) for line in lines]
        usual = max(set(counts), key=lambda count: (counts.count(count) * (count > 1), count))
        columns = _stretches(
            [(box, row) for row, line in enumerate(lines) if len(line.boxes) == usual for box in line.boxes]
        )
    return sorted(columns, key=lambda column: column[0] + column[1])


def _paired(line: _Line, marks: list[bool]) -> list[tuple[Box, bool]]:
    return list(zip(line.boxes, marks, strict=True))


def _shares(box: Box, column: tuple[float, float]) -> bool:
    return min(box.x1, column[1]) > max(box.x0, column[0])


def _stretches(boxes: list[tuple[Box, int]]) -> list[tuple[float, float]]:
    """The stretches that boxes of several rows share: what overlaps is one, unless one row has two boxes in it."""
    groups: list[list[tuple[Box, int]]] = []
    right = float("-inf")
    for box, row in sorted(boxes, key=lambda item: item[0].x0):
        if groups and box.x0 < right:
            groups[-1].append((box, row))
        else:
            groups.append([(box, row)])
            right = float("-inf")
        right = max(right, box.x1)
    parts = [part for group in groups for part in _split(group)]
    return [(min(box.x0 for box, _ in part), max(box.x1 for box, _ in part)) for part in parts]


def _split(group: list[tuple[Box, int]]) -> list[list[tuple[Box, int]]]:
    """A group with two boxes of one row, cut where the right edges lie furthest apart."""
    rows = [row for _, row in group]
    if len(set(rows)) == len(rows):
        return [group]
    order = sorted(group, key=lambda item: item[0].x1)
    gaps = [after[0].x1 - before[0].x1 for before, after in pairwise(order)]
    cut = gaps.index(max(gaps)) + 1
    if max(gaps) <= 0:
        return [group]
    return [*_split(order[:cut]), *_split(order[cut:])]


def _within(line: _Line, columns: list[tuple[float, float]]) -> list[tuple[int, int]]:
    """First and last+1 column of each cell of a row of the body: never two cells in one."""
    reach: list[tuple[int, int]] = []
    free = 0
    for number, box in enumerate(line.boxes):
        left = len(line.boxes) - number - 1
        shared = [min(box.x1, right) - max(box.x0, start) for start, right in columns]
        last = max(free + 1, len(columns) - left)
        choices = range(min(free, len(columns) - 1), min(last, len(columns)))
        best = max(choices, key=lambda column: (shared[column], -column)) if choices else len(columns) - 1
        reach.append((best, best + 1))
        free = best + 1
    return reach


def _over(line: _Line, columns: list[tuple[float, float]], text: str, below: set[int]) -> list[tuple[int, int]]:
    """First and last+1 column of each header of a line; "(in thousands)" by itself is over all but the labels."""
    if len(line.boxes) == 1 and line.boxes[0].x0 > columns[0][1]:
        start, end = line.boxes[0][:2]
        if ASIDE.fullmatch(text[start:end]):
            return [(1, len(columns))]
    touched = []
    for box in line.boxes:
        under = [column for column, (x0, x1) in enumerate(columns) if min(box.x1, x1) - max(box.x0, x0) > 0]
        # A long header reaches over the label's edge: its middle does not.
        if len(under) > 1 and under[0] == 0 and box.middle > columns[1][0]:
            under = under[1:]
        if not under:
            under = [min(range(len(columns)), key=lambda column: abs(sum(columns[column]) / 2 - box.middle))]
        touched.append((under[0], under[-1] + 1))
    reach: list[tuple[int, int]] = []
    for number, box in enumerate(line.boxes):
        low = max(reach[-1][1] if reach else 1, 1)
        high = touched[number + 1][0] if number + 1 < len(touched) else len(columns)
        first, last = touched[number]
        first = min(max(first, reach[-1][1] if reach else 0), len(columns) - 1)
        last = max(last, first + 1)
        said = text[box.start : box.end]
        if first > 0 and _TIME.search(said) and not is_year(said):
            first, last = _centred(box, columns, (first, last), (low, max(high, last)), below)
        reach.append((first, last))
    return reach


def _centred(
    box: Box, columns: list[tuple[float, float]], own: tuple[int, int], room: tuple[int, int], below: set[int]
) -> tuple[int, int]:
    """The columns in whose middle a header stands: as many as its middle allows, each with a header of its own."""
    best, nearest = own, abs((columns[own[0]][0] + columns[own[1] - 1][1]) / 2 - box.middle)
    size = max(box.x1 - box.x0, 1.0) / max(1, box.end - box.start)  # the width of a letter
    for first in range(room[0], own[0] + 1):
        for last in range(own[1], room[1] + 1):
            if not all(column in below for column in range(first, last)):
                continue
            away = abs((columns[first][0] + columns[last - 1][1]) / 2 - box.middle)
            wider = last - first > best[1] - best[0]
            if away < nearest - size or (wider and away < nearest + 2 * size):
                best, nearest = (first, last), away
    return best
