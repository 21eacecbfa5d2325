"""Table rows of a page to a grid: columns from the rows with figures, then headers assigned to them.

Columns are the stretches that figures of several rows share, two cells of one row never being one column; the label
stands left of them. A header belongs to the columns that it stands over, or in whose middle it is centred.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from citewell.readers.pdf.columns import Box, Line, columns_of, within
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.listing import is_contents
from citewell.readers.pdf.over import head_reaches, reaches_between
from citewell.readers.pdf.protos import Proto
from citewell.readers.pdf.rows import ASIDE, MARK, Row
from citewell.readers.pdf.spread import groups, spread
from citewell.text.figures import is_measured, is_year
from citewell.text.times import TIME
from citewell.types import Grid, Slot, Span

_HEADS = 6  # lines of headers above the first row, at most
_LABELS = 3  # lines between two rows that can be labels, as long as they are short
_MARKED = 3  # cells of a row that has a mark, a label and figures, at least
_BETWEEN = 7  # lines between two rows that can be labels, and one
_SENTENCE = re.compile(r"[.!?]$")


def grids(protos: Sequence[Proto], cells: Sequence[list[list[Span]]], text: str) -> tuple[Grid, ...]:
    """The tables among the blocks. `cells` holds the offsets of each block's cells, row by row."""
    result = []
    for first, last in _regions(protos, text, cells):
        if protos[first].rows[0].places:
            grid = _known(protos[first:last], cells[first:last])
            result += [grid] if grid else []
            continue
        body = [
            _unmarked(_merged(rows, spans), text)
            for number in range(first, last)
            for rows, spans in _stacks(protos[number].rows, cells[number])
        ]
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
    edges = [_edges(proto.rows[0], spans[0]) for proto, spans in zip(protos, cells, strict=True)]
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
    heads = [text[span.start : span.end] for span in cells[last][-1]]
    times = len(heads) if all(is_year(head) or TIME.search(head) for head in heads) else 0
    labels = True  # what stands between can be labels of any length only if the next row has the same columns
    for number in range(last + 1, min(last + 1 + _BETWEEN, len(protos))):
        proto = protos[number]
        step, most = proto.rows[0].y1 - row.y1, geometry().table_gap * row.size
        if proto.rows[0].page != row.page or not -1 < step < 2 * most or (step >= most and proto.kind != "table_row"):
            return None
        if proto.kind == "table_row":
            below = _figures_at(proto, cells[number])
            same = _alike(figures, below, row.size) or len(below) == times
            return number if not proto.rows[0].places and (same or (labels and step < most)) else None
        parts = _stacks(proto.rows, cells[number])
        stacks = [(len(rows), text[spans[0][0].start : spans[-1][-1].end]) for rows, spans in parts]
        if number > last + _LABELS or any(
            lines > 2 or len(label) > geometry().label_long or _SENTENCE.search(label) for lines, label in stacks
        ):
            labels = False
            if not figures or max(r.x1 for r in proto.rows) > figures[0][0]:
                return None
        row = proto.rows[-1]
    return None


def _stacks(rows: Sequence[Row], cells: list[list[Span]]) -> list[tuple[Sequence[Row], list[list[Span]]]]:
    """The rows of a block, cut where one stands beside the row above it: a label below the last line of headers."""
    cuts = [
        number
        for number, (above, row) in enumerate(pairwise(rows), 1)
        if len(cells[number - 1]) == len(cells[number]) == 1 and (row.x0 > above.x1 or row.x1 < above.x0)
    ]
    return [(rows[start:stop], cells[start:stop]) for start, stop in pairwise((0, *cuts, len(rows)))]


def _figures_at(proto: Proto, cells: list[list[Span]]) -> list[tuple[float, float]]:
    """Left and right edge of the cells behind the label of a row."""
    main = max(range(len(proto.rows)), key=lambda number: len(cells[number]))
    return _edges(proto.rows[main], cells[main])[1:]


def _alike(left: Sequence[tuple[float, float]], right: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether two rows have the same columns, as their right edges tell from the last on: headers may have no label."""
    pairs = list(zip(reversed(left), reversed(right), strict=False))
    return len(pairs) > 1 and abs(len(left) - len(right)) < 2 and all(abs(a[1] - b[1]) < size for a, b in pairs)


def _merged(rows: Sequence[Row], cells: list[list[Span]]) -> Line:
    """Rows as one line: the rows of a label that was broken are one cell; what follows the figures is left out."""
    main = max(range(len(rows)), key=lambda number: len(cells[number]))
    row = rows[main]
    if len(cells[main]) == 1 and len(rows) > 1:
        left, right = min(r.x0 for r in rows), max(r.x1 for r in rows)
        whole = Box(cells[0][0].start, cells[-1][-1].end, left, right)
        return Line([whole], rows[0].y0, rows[-1].y1, row.size, rows[-1].rules)
    boxes = [Box(span.start, span.end, *edge) for span, edge in zip(cells[main], _edges(row, cells[main]), strict=True)]
    if main:
        label = boxes[0]
        edges = [(r.x0, r.x1) for r in rows[:main] if r.x1 <= boxes[1].x0]  # a title reaches over the figures
        left, right = min([label.x0, *(x0 for x0, _ in edges)]), max([label.x1, *(x1 for _, x1 in edges)])
        boxes[0] = Box(cells[0][0].start, label.end, left, right)
    return Line(boxes, rows[0].y0, row.y1, row.size, row.rules)


def _edges(row: Row, cells: list[Span]) -> list[tuple[float, float]]:
    """Left and right edge of each cell of a row."""
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
    protos: Sequence[Proto], cells: Sequence[list[list[Span]]], first: int, body: list[Line], text: str
) -> list[Line]:
    """Lines right above the rows that stand over the columns, not over the label: headers that look like a text."""
    wide = [line for line in body if len(line.boxes) > 1]
    if not wide:
        return []
    left = min(line.boxes[0].x0 for line in body)
    over = min(line.boxes[1].x0 for line in wide)
    top, page = body[0].top, protos[first].rows[0].page
    lines: list[Line] = []
    for number in range(first - 1, max(-1, first - 4), -1):
        proto = protos[number]
        if proto.rows[0].page != page or proto.kind == "table_row":
            break
        for place in range(len(proto.rows) - 1, -1, -1):
            row, spans = proto.rows[place], cells[number][place]
            label = text[spans[0].start : spans[-1].end]
            far = top - row.y1 > geometry().header_gap * row.size or row.y0 >= top
            inside = row.x0 > left + geometry().header_left * (over - left)
            long = len(label) > geometry().label_long or _SENTENCE.search(label) or len(lines) >= _HEADS
            titled = proto.kind in ("heading", "caption") and not TIME.search(label) and not row.rules
            if far or not inside or long or titled or ASIDE.fullmatch(label):
                return lines[::-1]
            edges = _edges(row, spans)
            boxes = [Box(span.start, span.end, *edge) for span, edge in zip(spans, edges, strict=True)]
            lines.append(Line(boxes, row.y0, row.y1, row.size, row.rules))
            top = row.y0
    return lines[::-1]


def _grid(lines: list[Line], text: str, start: int, end: int) -> Grid | None:
    """The grid of a table's lines, None where no two cells stand side by side in two rows."""
    figures = [_figures(line, text) for line in lines]
    heads = next((number for number, has in enumerate(figures) if any(has)), len(lines))
    over = min((line.boxes[1].x0 for line in lines[heads:] if len(line.boxes) > 1), default=float("inf"))
    # Labels without figures between the headers and the first figures name a section, not a column.
    while 0 < heads < len(lines) and len(lines[heads - 1].boxes) == 1 and lines[heads - 1].boxes[0].middle < over:
        heads -= 1
    body = lines[heads:] or lines
    columns = columns_of(body, figures[heads:] if heads < len(lines) else [[False] * len(n.boxes) for n in body])
    if len(columns) < 2:
        return None
    slots: list[Slot] = []
    left = min(box.x0 for line in lines for box in line.boxes)
    reaches = head_reaches(lines[:heads], columns, text)
    reaches |= reaches_between(lines, figures, columns, heads, text)
    for number, line in enumerate(lines):
        reach = reaches.get(number) or within(line, columns)
        slots += [
            Slot(number, first, box.start, box.end, 1, last - first, round(box.x0 - left, 1))
            for box, (first, last) in zip(line.boxes, reach, strict=True)
        ]
    if heads < len(lines):
        boxes = {
            slot: (box.x0, box.x1)
            for slot, box in zip(slots, (box for line in lines for box in line.boxes), strict=True)
            if slot.row < heads
        }
        slots = groups(slots, boxes, heads, text)
    first_offset = min(start, *(slot.start for slot in slots))
    return Grid(first_offset, end, len(lines), len(columns), tuple(slots), heads if heads < len(lines) else -1)


def _unmarked(line: Line, text: str) -> Line:
    """A line whose label stands apart from the mark before it as one with the label alone: "(ii)", "7."."""
    if len(line.boxes) < _MARKED:
        return line
    mark, label, *rest = line.boxes
    if not MARK.fullmatch(text[mark.start : mark.end]) or is_measured(text[label.start : label.end]):
        return line
    return line._replace(boxes=[label._replace(x0=mark.x0), *rest])


def _figures(line: Line, text: str) -> list[bool]:
    """Which cells of a line are figures; those of a line of years alone are headers."""
    texts = [text[box.start : box.end] for box in line.boxes]
    marks = [is_measured(cell) for cell in texts]
    if all(is_year(cell) for cell, figure in zip(texts, marks, strict=True) if figure):
        label = bool(texts) and not marks[0] and not TIME.search(texts[0])
        several = sum(marks) < len(texts) - label
        # A row such as "Founded | 1999" has a label that is no header.
        return marks if label and not several and len(marks) == 2 else [False] * len(marks)
    return [figure and number > 0 for number, figure in enumerate(marks)] if len(marks) > 1 else [False]
