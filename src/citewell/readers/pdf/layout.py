"""Reading order of one page: from words to pieces, from pieces to columns, from columns to rows of text.

A piece is a run of words of one pdfium line without a wide gap; a row is what stands on one line of one column,
with several pieces where it is the row of a table. Columns are found by the gutter that prose respects on both
sides: tables have gutters too, but not prose on both sides of them.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from citewell.readers.pdf.across import held, labelled
from citewell.readers.pdf.beside import parted
from citewell.readers.pdf.boxes import Flags, Floats, Ints
from citewell.readers.pdf.chars import PageChars
from citewell.readers.pdf.framed import framed_rows
from citewell.readers.pdf.geometry import geometry, median
from citewell.readers.pdf.heads import with_heads
from citewell.readers.pdf.lattice import Lattice, lattices
from citewell.readers.pdf.rows import GROUPED, NUMBER, SIGNS, Bit, Row, TableRow, adopt, line_row, lines, table_row
from citewell.readers.pdf.rules import under
from citewell.readers.pdf.tabular import arranged

_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


class Framed(NamedTuple):
    """The framed tables of a page; for each word the number of its table and of its cell there, -1 outside."""

    tables: list[Lattice]
    owner: Ints


class PageRows(NamedTuple):
    """The rows of a page in reading order, and the texts in another direction that were set aside (margin stamps)."""

    rows: list[Row]
    aside: list[str]


def page_rows(page: PageChars) -> PageRows:
    """The rows of one page in reading order."""
    if not len(page.words):
        return PageRows([], [])
    turn, boxes, line = page.turn, page.boxes, page.line
    main = int(np.bincount(turn[line], minlength=4).argmax())
    if main:
        boxes = _turned(boxes, main, page.width, page.height)
    framed = _framed(page, boxes, main != 0)
    pieces = _pieces(page, boxes, framed)
    upright = turn[line[pieces[:, 0]]] == main
    aside: list[str] = []
    if not upright.all():
        # Vertical stamps and axis labels would be cut into rows of single words: they go after the text.
        for first, stop in pieces[~upright].tolist():
            aside.append(page.text[page.words[first, 0] : page.words[stop - 1, 1]])
        pieces = pieces[upright]
    first, stop = pieces[:, 0], pieces[:, 1]
    # A piece is as high as its longest word: fonts of symbols have huge line boxes.
    lengths = page.words[:, 1] - page.words[:, 0]
    owner = np.repeat(np.arange(len(pieces)), stop - first)
    member = (
        np.concatenate([np.arange(a, b) for a, b in pieces.tolist()]) if not upright.all() else np.arange(len(boxes))
    )
    order = np.lexsort((lengths[member], owner))
    longest = member[order[np.cumsum(stop - first) - 1]]
    frame = np.stack((boxes[first, 0], boxes[longest, 1], boxes[stop - 1, 2], boxes[longest, 3]), axis=1)
    if _right_to_left(page.text):
        frame[:, 0] = [boxes[a:b, 0].min() for a, b in pieces.tolist()]
        frame[:, 2] = [boxes[a:b, 2].max() for a, b in pieces.tolist()]
    prose = _prose(page, pieces)
    unit = line[first]
    if framed.tables:
        # A framed table is read as a whole: no gutter goes through it.
        unit = np.where(framed.owner[first, 0] >= 0, framed.owner[first, 0] + len(page.turn), unit)
    unit = labelled(frame, unit, prose)
    flows = _flows(frame, prose, unit, np.arange(len(pieces)), 0)
    return PageRows(_rows(page, pieces, frame, flows, boxes, framed), aside)


def _right_to_left(text: str) -> bool:
    """Whether most of a page is written from right to left."""
    return _RTL.search(text) is not None and 4 * len(_RTL.findall(text)) > len(text)


def _turned(boxes: Floats, turn: int, width: float, height: float) -> Floats:
    """Boxes as if the page were turned so that the text runs from left to right."""
    x0, y0, x1, y1 = boxes.T
    if turn == 1:  # upwards
        sides = (height - y1, x0, height - y0, x1)
    elif turn == 2:  # upside down
        sides = (width - x1, height - y1, width - x0, height - y0)
    else:  # downwards
        sides = (y0, width - x1, y1, width - x0)
    return np.stack(sides, axis=1)


def _pieces(page: PageChars, boxes: Floats, framed: Framed) -> Ints:
    """(n, 2) first and last+1 word of each piece."""
    count = len(boxes)
    if count == 1:
        return np.array([[0, 1]])
    height = boxes[:, 3] - boxes[:, 1]
    g = geometry()
    scale = np.maximum(np.minimum(height[1:], height[:-1]), 1.0)
    gap = boxes[1:, 0] - boxes[:-1, 2]
    new_line = page.line[1:] != page.line[:-1]
    # pdfium may put two columns into one line, the right one first.
    back = boxes[1:, 0] < boxes[:-1, 0] - scale
    cut = new_line | (gap > g.wide * scale) | back
    if framed.tables:
        cut |= (framed.owner[1:] != framed.owner[:-1]).any(axis=1)
    maybe = np.flatnonzero(~cut & (gap > g.narrow * scale))
    if len(maybe):
        words = page.words
        for index in maybe.tolist():
            left = page.text[words[index, 0] : words[index, 1]]
            right = page.text[words[index + 1, 0] : words[index + 1, 1]]
            if NUMBER.match(right) and (NUMBER.match(left) or gap[index] > g.before_number * scale[index]):
                cut[index] = True
    cut |= _dense(page, ~cut & (gap > g.no_space * scale))
    signs = [
        i
        for i in np.flatnonzero(page.words[1:-1, 1] - page.words[1:-1, 0] == 1).tolist()
        if page.text[page.words[i + 1, 0]] in SIGNS
    ]
    for index in signs:
        # "5,932 $ 5,617": the sign belongs to the figure behind it.
        left = page.text[page.words[index, 0] : page.words[index, 1]]
        right = page.text[page.words[index + 2, 0] : page.words[index + 2, 1]]
        if (NUMBER.match(left) or left == "%") and NUMBER.match(right):
            cut[index] = True
    if _right_to_left(page.text):
        cut = new_line
    starts = np.concatenate(([0], np.flatnonzero(cut) + 1))
    return np.stack((starts, np.append(starts[1:], count)), axis=1)


def _dense(page: PageChars, close: Flags) -> Flags:
    """For each two words that are `close` whether both are figures of many digits: narrow columns have no wide gaps."""
    cut = np.zeros(len(close), np.bool_)
    codes = np.frombuffer(page.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    last = codes[page.words[:-1, 1] - 1]
    for index in np.flatnonzero(close & (((last >= 48) & (last <= 57)) | (last == ord(")")))).tolist():
        (start, stop), (first, end) = page.words[index : index + 2].tolist()
        cut[index] = GROUPED.fullmatch(page.text, start, stop) and GROUPED.fullmatch(page.text, first, end)
    return cut


def _prose(page: PageChars, pieces: Ints) -> Ints:
    """How many words of running text each piece has: 0 where it is short or mostly figures, -1 where it is a figure."""
    codes = np.frombuffer(page.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    digits = np.concatenate(([0], np.cumsum((codes >= 48) & (codes <= 57))))
    start, end = page.words[pieces[:, 0], 0], page.words[pieces[:, 1] - 1, 1]
    words = pieces[:, 1] - pieces[:, 0]
    length = end - start
    wordy = (words >= 3) & ((digits[end] - digits[start]) * 4 < length)
    # Scripts without spaces: one long word is a line.
    wordy |= (length >= 12) & (words < 3) & (np.array([page.text[s] >= "\u2e80" for s in start.tolist()]))
    few = np.flatnonzero(~wordy & (length <= geometry().figure_long))
    texts = [page.text[start[index] : end[index]] for index in few.tolist()]
    result = np.where(wordy, np.maximum(words, 3), 0)
    result[few] = [-bool(NUMBER.match(text)) for text in texts]
    return result


def _gutter(frame: Floats, prose: Ints, fill: float) -> float | None:
    """The x of a gutter with prose on both sides, None where there is one column."""
    if len(frame) < 8:
        return None
    left, right = float(frame[:, 0].min()), float(frame[:, 2].max())
    width = right - left
    wordy, g = prose > 0, geometry()
    x0, x1 = frame[wordy, 0], frame[wordy, 2]
    # The cheap way out: hardly a line of prose starts in the right half or ends in the left one.
    if np.count_nonzero(x0 > left + g.half * width) < 4 or np.count_nonzero(x1 < right - g.half * width) < 4:
        return None
    places = np.linspace(left + g.gutter_from * width, right - g.gutter_from * width, 101)
    on_left = x1[:, None] <= places + g.touch
    on_right = x0[:, None] >= places - g.touch
    # A column's prose fills its column: cells of tables and captions of diagrams do not.
    length = (x1 - x0)[:, None]
    full_left = on_left & (length > fill * (places - left))
    full_right = on_right & (length > fill * (right - places))
    crossing = np.count_nonzero(~on_left & ~on_right, axis=0)
    both = np.minimum(full_left.sum(axis=0), full_right.sum(axis=0))
    score = both - g.crossing * crossing * (both < crossing)
    best = score.max()
    if best < 4:
        return None
    # Column lines begin at the gutter's right edge: prefer the middle of the clear strip.
    good = np.flatnonzero(score >= best - g.as_good)
    run = good[: int(np.argmax(np.append(np.diff(good), 99) > 1)) + 1]
    place = float(places[run[len(run) // 2]])
    y = (frame[wordy, 1] + frame[wordy, 3]) / 2
    lefts, rights = y[x1 <= place + g.touch], y[x0 >= place - g.touch]
    overlap = min(lefts.max(), rights.max()) - max(lefts.min(), rights.min())
    height = median(frame[:, 3] - frame[:, 1])
    return place if overlap > g.side_by_side * height else None


def _lines(frame: Floats, line: Ints, index: Ints) -> tuple[Floats, Ints]:
    """The frames of pdfium's lines, and the line of each piece."""
    units, inverse = np.unique(line, return_inverse=True)
    back: Ints = np.asarray(inverse, dtype=np.int64)
    whole = np.empty((len(units), 4))
    for side, reduce in ((0, np.minimum), (1, np.minimum), (2, np.maximum), (3, np.maximum)):
        column = np.full(len(units), np.inf if reduce is np.minimum else -np.inf)
        reduce.at(column, back, frame[index, side])
        whole[:, side] = column
    return whole, back


def _cut(frame: Floats, prose: Ints, line: Ints, index: Ints) -> tuple[float, Floats, Ints, bool] | None:
    """The gutter, the boxes of the lines or pieces that it parts, of which each piece is, whether these are lines.

    None where all stand in one column.
    """
    # pdfium's lines are the units first: a row of a table that it wrote in one go is not cut at the gutter.
    whole, back = _lines(frame, line[index], index)
    count, g = len(whole), geometry()
    words = np.where(np.bincount(back, prose[index] > 0, count) > 0, 3, 0)
    place = _gutter(whole, words, g.fill)
    if place is None and np.count_nonzero(words) > 24:
        place = _gutter(whole, words, g.fill_beside_two)  # one column beside two
    if place is not None:
        return place, whole, back, True
    # Or pdfium put all columns into its lines, where they share their base lines.
    if count >= len(index) * g.merged:
        return None
    long = prose[index] * (prose[index] > 3)
    place = _gutter(frame[index], long, g.fill)
    if place is None and np.count_nonzero(long) > 40:
        place = _gutter(frame[index], long, g.fill_beside_two)
    if place is None:
        return None
    # But for the rows of tables, which no gutter cuts: of figures, and of a label that is short where there is but one.
    figures, labels = np.bincount(back, prose[index] < 0), np.bincount(back, long > 0)
    row = (figures > 0) & ((labels == 0) | ((labels == 1) & (figures > 1)))
    return place, *_lines(frame, np.where(row[back], back, count + np.arange(len(index))), index), False


def _flows(frame: Floats, prose: Ints, line: Ints, index: Ints, depth: int) -> list[Ints]:
    """The pieces in columns, in reading order."""
    cut = _cut(frame, prose, line, index) if depth <= 3 and len(index) >= 8 else None
    if cut is None:
        return [index]
    place, whole, back, by_lines = cut
    x0, x1 = whole[:, 0], whole[:, 2]
    reach = geometry().across * (x1.max() - x0.min())
    crossing = (x0 < place - reach) & (x1 > place + reach)
    crossing = held(whole, frame[index], back, crossing, prose[index])
    on_right = (x0 + x1) / 2 > place
    if by_lines:
        # Two captions side by side are one line for pdfium; a row of a table has more cells, or figures.
        pair = crossing & (np.bincount(back) == 2) & (np.bincount(back, prose[index] > 0) == 2)
        apart = np.ones(len(whole), np.bool_)
        apart[back[(frame[index, 0] < place) & (frame[index, 2] > place)]] = False
        split = (pair & apart)[back]
        if split.any():
            # Every piece of these lines becomes a unit of its own.
            extra = np.flatnonzero(split)
            back = back.copy()
            back[extra] = len(whole) + np.arange(len(extra))
            whole = np.concatenate((whole, frame[index[extra]]))
            x0, x1 = whole[:, 0], whole[:, 2]
            crossing = np.concatenate((crossing & ~(pair & apart), np.zeros(len(extra), np.bool_)))
            on_right = (x0 + x1) / 2 > place
    middle = (whole[:, 1] + whole[:, 3]) / 2
    bars = np.sort(middle[crossing])
    band = np.searchsorted(bars, middle)
    # What crosses the gutter comes after the columns above it: its own band is that of its place among the bars.
    key = (band * 3 + np.where(crossing, 2, on_right.astype(np.int64)))[back]
    flows: list[Ints] = []
    spanning: list[Ints] = []
    for value in sorted(set(key.tolist())):
        group = index[key == value]
        if value % 3 == 2:
            spanning.append(group)  # consecutive lines across the page are one flow
            continue
        if spanning:
            flows.append(np.concatenate(spanning))
            spanning = []
        flows.extend(_flows(frame, prose, line, group, depth + 1))
    if spanning:
        flows.append(np.concatenate(spanning))
    return flows


def _framed(page: PageChars, boxes: Floats, turned: bool) -> Framed:
    tables: list[Lattice] = []
    owner = np.full((len(boxes), 2), -1, np.int64)
    if turned or not len(page.rules.down):
        return Framed(tables, owner)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    gaps = boxes[1:, 0] - boxes[:-1, 2] > geometry().wide * (boxes[1:, 3] - boxes[1:, 1])
    for lattice in lattices(page.rules):
        inside = np.flatnonzero(lattice.inside(x, y) & (owner[:, 0] < 0)).tolist()
        cells = [lattice.cell_at(x[word], y[word]) for word in inside]
        filled = {lattice.cells[number] for number in cells}
        rows = Counter(row for row, *_ in filled)
        columns = {column for _, column, *_ in filled}
        covered = sum(high * wide for *_, high, wide in filled)
        several = sum(count > 1 for count in rows.values())
        # The lines of a chart frame few words, and seldom two side by side.
        # Where cells have gaps wide enough for columns, the lines frame only a part of what stands in them.
        torn = {
            cell
            for (cell, word), (other, after) in pairwise(zip(cells, inside, strict=True))
            if cell == other and after == word + 1 and gaps[word] and page.line[word] == page.line[after]
        }
        by_column = Counter(lattice.cells[number][1] for number in set(cells))
        torn_by_column = Counter(lattice.cells[number][1] for number in torn)
        # In one column alone they part what follows from labels and the first figures.
        shared = any(count > 2 and 3 * count > 2 * by_column[column] for column, count in torn_by_column.items())
        sparse = 3 * len(torn) > len(filled) or 3 * covered < lattice.owner.size or 5 * several < 2 * len(rows)
        sparse |= shared
        if len(filled) > 3 and len(rows) > 1 and len(columns) > 1 and not sparse:
            owner[inside, 0], owner[inside, 1] = len(tables), cells
            tables.append(lattice)
    return Framed(tables, owner)


def _rows(page: PageChars, pieces: Ints, frame: Floats, flows: list[Ints], boxes: Floats, framed: Framed) -> list[Row]:
    """Rows of each flow: lines, and the rows of tables."""
    lines_of = page.line[pieces[:, 0]]
    final = np.append(lines_of[1:] != lines_of[:-1], True)
    hyphen = (page.hyphen[lines_of] & final).tolist()
    weight = page.weight[lines_of].tolist()
    starts, ends = page.words[pieces[:, 0], 0].tolist(), page.words[pieces[:, 1] - 1, 1].tolist()
    words = pieces.tolist()
    bits = [
        Bit(starts[i], ends[i], x0, y0, x1, y1, words[i][0], words[i][1], weight[i], hyphen[i])
        for i, (x0, y0, x1, y1) in enumerate(frame.tolist())
    ]
    owner = framed.owner[pieces[:, 0]]
    rtl = _right_to_left(page.text)
    if not rtl:
        flows = _beside(page, flows, bits, owner[:, 0])
    rows: list[Row] = []
    number = len(framed.tables)
    emitted: set[int] = set()
    for flow_number, flow in enumerate(flows):
        free = flow[owner[flow, 0] < 0]
        single = lines([bits[i] for i in free.tolist()])
        if rtl:
            for line in single:
                line.sort(key=lambda bit: -bit.x1)
        groups: list[list[Bit] | TableRow] = [*single] if rtl else arranged(page, single, page.rules, boxes, number)
        number += sum(isinstance(group, TableRow) for group in groups)
        for table in sorted({int(table) for table in owner[flow, 0]} - {-1} - emitted):
            emitted.add(table)
            inside = [(int(owner[i, 1]), bits[i]) for i in np.flatnonzero(owner[:, 0] == table).tolist()]
            groups = _woven(
                groups, with_heads(page, framed_rows(page, framed.tables[table], table, inside), page.rules)
            )
        rows += [
            table_row(page, group, flow_number) if isinstance(group, TableRow) else line_row(page, group, flow_number)
            for group in groups
        ]
    if len(page.rules.across):
        for row in rows:
            if not row.places:
                row.rules = under(page.rules, row.y0, row.y1)
    adopt(rows)
    return rows


def _beside(page: PageChars, flows: list[Ints], bits: list[Bit], owner: Ints) -> list[Ints]:
    """The flows, cut where two tables stand side by side."""
    result: list[Ints] = []
    for flow in flows:
        parts = parted(page, [bits[i] for i in flow.tolist()], owner[flow].tolist())
        if len(parts) == 1:
            result.append(flow)
            continue
        number = {bits[i].first: i for i in flow.tolist()}
        result += [np.array([number[bit.first] for bit in part], np.int64) for part in parts]
    return result


def _woven(groups: list[list[Bit] | TableRow], rows: list[TableRow]) -> list[list[Bit] | TableRow]:
    """The rows of a framed table before the first line that stands below its top."""
    top = min(bit.middle for _, bits in rows[0].cells for bit in bits)
    at = next((n for n, group in enumerate(groups) if _top(group) > top), len(groups))
    return [*groups[:at], *rows, *groups[at:]]


def _top(group: list[Bit] | TableRow) -> float:
    if isinstance(group, TableRow):
        return min(bit.middle for _, bits in group.cells for bit in bits)
    return group[0].middle
