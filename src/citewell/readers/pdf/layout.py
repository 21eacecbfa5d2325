"""Reading order of one page: words to pieces, pieces to columns, columns to rows of text.

A piece is a run of words of one pdfium line without a wide gap; a row is what stands on one line of one column,
with several pieces where it is the row of a table. Columns are found by the gutter that prose respects on both
sides: tables have gutters too, but not prose on both sides of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from citewell.readers.pdf.chars import Floats, Ints, PageChars
from citewell.readers.pdf.geometry import geometry

NONE, SPACE, CELL = range(3)
JOINT = ("", " ", " | ")
SIGNS = "$€£¥"

_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
NUMBER = re.compile(r"[-+–—−(]?[$€£¥]?\(?\d[\d,.]*\)?%?\)?[)*†‡]*$|[$€£¥—–-]$|N/A$|nm$")


class Piece(NamedTuple):
    """Words that stand together: characters `start` to `end` of the page's text."""

    start: int
    end: int
    x0: float
    x1: float


@dataclass(slots=True)
class Row:
    """One line of text in one column, top to bottom; `size` is the height of its line box, `flow` its column.

    `joins` says how each piece joins the one before it: `NONE`, `SPACE` or `CELL`.
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
    pieces = _pieces(page, boxes)
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
    flows = _flows(frame, prose, line[first], np.arange(len(pieces)), 0)
    return PageRows(_rows(page, pieces, frame, flows), aside)


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


def _pieces(page: PageChars, boxes: Floats) -> Ints:
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
    maybe = np.flatnonzero(~cut & (gap > g.narrow * scale))
    if len(maybe):
        words = page.words
        for index in maybe.tolist():
            left = page.text[words[index, 0] : words[index, 1]]
            right = page.text[words[index + 1, 0] : words[index + 1, 1]]
            if NUMBER.match(right) and (NUMBER.match(left) or gap[index] > g.before_number * scale[index]):
                cut[index] = True
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


def _prose(page: PageChars, pieces: Ints) -> Ints:
    """How many words of running text each piece has: 0 where it is short or mostly figures."""
    codes = np.frombuffer(page.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    digits = np.concatenate(([0], np.cumsum((codes >= 48) & (codes <= 57))))
    start, end = page.words[pieces[:, 0], 0], page.words[pieces[:, 1] - 1, 1]
    words = pieces[:, 1] - pieces[:, 0]
    length = end - start
    wordy = (words >= 3) & ((digits[end] - digits[start]) * 4 < length)
    # Scripts without spaces: one long word is a line.
    wordy |= (length >= 12) & (words < 3) & (np.array([page.text[s] >= "\u2e80" for s in start.tolist()]))
    return np.where(wordy, np.maximum(words, 3), 0)


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
    height = float(np.median(frame[:, 3] - frame[:, 1]))
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


def _flows(frame: Floats, prose: Ints, line: Ints, index: Ints, depth: int) -> list[Ints]:
    """The pieces in columns, in reading order."""
    if depth > 3 or len(index) < 8:
        return [index]
    # pdfium's lines are the units first: a row of a table that it wrote in one go is not cut at the gutter.
    whole, back = _lines(frame, line[index], index)
    units, g = whole, geometry()
    together = np.bincount(back, prose[index] > 0, len(units)).astype(np.int64)
    words = np.where(together > 0, 3, 0)
    place = _gutter(whole, words, g.fill)
    if place is None and np.count_nonzero(words) > 24:
        place = _gutter(whole, words, g.fill_beside_two)  # one column beside two
    if place is None:
        # Or pdfium put all columns into its lines, where they share their base lines.
        merged = len(units) < len(index) * g.merged
        long = prose[index] * (prose[index] > 3)
        place = _gutter(frame[index], long, g.fill) if merged else None
        if place is None and merged and np.count_nonzero(long) > 40:
            place = _gutter(frame[index], long, g.fill_beside_two)
        if place is None:
            return [index]
        whole, back = frame[index], np.arange(len(index))
    x0, x1 = whole[:, 0], whole[:, 2]
    reach = g.across * (x1.max() - x0.min())
    crossing = (x0 < place - reach) & (x1 > place + reach)
    on_right = (x0 + x1) / 2 > place
    if len(whole) == len(units):
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
    for value in np.unique(key).tolist():
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


def _rows(page: PageChars, pieces: Ints, frame: Floats, flows: list[Ints]) -> list[Row]:
    """Rows of each flow: pieces that overlap in height stand on one line."""
    words, text, line, same_line = page.words, page.text, page.line, geometry().same_line
    starts, ends = words[pieces[:, 0], 0].tolist(), words[pieces[:, 1] - 1, 1].tolist()
    lines = line[pieces[:, 0]]
    final = np.append(lines[1:] != lines[:-1], True)
    hyphen = (page.hyphen[lines] & final).tolist()
    weight = page.weight[lines].tolist()
    sides = frame.tolist()
    rtl = _right_to_left(text)
    rows: list[Row] = []
    for number, flow in enumerate(flows):
        order = flow[np.argsort((frame[flow, 1] + frame[flow, 3]) / 2, kind="stable")].tolist()
        groups: list[list[int]] = []
        top = bottom = 0.0
        for index in order:
            _, y0, _, y1 = sides[index]
            shared = min(bottom, y1) - max(top, y0)
            if groups and shared > same_line * min(bottom - top, y1 - y0):
                groups[-1].append(index)
                if y1 - y0 > bottom - top:
                    top, bottom = y0, y1
            else:
                groups.append([index])
                top, bottom = y0, y1
        for group in groups:
            index = group[0]
            x0, y0, x1, y1 = sides[index]
            made = [Piece(starts[index], ends[index], x0, x1)]
            if len(group) == 1:  # most rows, made quickly
                content = text[starts[index] : ends[index]]
                rows.append(
                    Row(
                        page.number,
                        made,
                        x0,
                        y0,
                        x1,
                        y1,
                        y1 - y0,
                        weight[index],
                        hyphen[index],
                        number,
                        [NONE],
                        content,
                        1,
                    )
                )
                continue
            group.sort(key=(lambda i: -sides[i][2]) if rtl else (lambda i: sides[i][0]))
            made = [Piece(starts[i], ends[i], sides[i][0], sides[i][2]) for i in group]
            tallest = max(group, key=lambda i: (sides[i][3] - sides[i][1]) * (ends[i] - starts[i] > 2))
            size = sides[tallest][3] - sides[tallest][1]
            rows.append(
                Row(
                    page.number,
                    made,
                    min(piece.x0 for piece in made),
                    min(sides[i][1] for i in group),
                    max(piece.x1 for piece in made),
                    max(sides[i][3] for i in group),
                    size,
                    min(weight[i] for i in group),
                    hyphen[group[-1]],
                    number,
                    *_cells(made, text, size),
                )
            )
    _adopt(rows)
    return rows


def _adopt(rows: list[Row]) -> None:
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


def _cells(pieces: list[Piece], text: str, size: float) -> tuple[list[int], str, int]:
    """How the pieces of a row join, the row's text and its number of cells."""
    if len(pieces) == 1:
        return [NONE], text[pieces[0].start : pieces[0].end], 1
    joins = [NONE]
    whole = cell = text[pieces[0].start : pieces[0].end]
    for before, piece in pairwise(pieces):
        content = text[piece.start : piece.end]
        gap = piece.x0 - before.x1
        if content[0] in SIGNS and NUMBER.match(content) and NUMBER.match(cell.rpartition(" ")[2].replace("%", "0")):
            joins.append(CELL)
            cell = content
        elif cell in "$€£¥(" or content in (")", "%", ")%", "%)", "*") or gap <= _limit(cell, content) * size:
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
