"""Lines to rows of tables without frames: columns by common gaps, rows by continued lines.

A row of a table may take several lines. Its lines stand closer than rows do, or in one shaded band or between two
rules; a line goes on with the row above it where it has no cell of its own in every column, or begins in mid-sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from citewell.readers.pdf.boxes import Floats
from citewell.readers.pdf.chars import PageChars
from citewell.readers.pdf.geometry import geometry, median
from citewell.readers.pdf.heads import with_heads
from citewell.readers.pdf.rows import MARK, SIGNS, Bit, Place, TableRow
from citewell.readers.pdf.rules import Rules
from citewell.readers.pdf.wraps import (
    Group,
    LineCell,
    cell_text,
    gap,
    height,
    line_cells,
    same_row,
    stands,
    walls_between,
)
from citewell.text.figures import is_measured, is_year


class _Region(NamedTuple):
    """Lines of a flow that may be a table, from `first` on."""

    first: int
    groups: list[Group]
    size: float
    tail: int = 0  # lines at its end that belong to it only if they go on with its last row


def arranged(page: PageChars, groups: list[Group], rules: Rules, boxes: Floats, table: int) -> list[Group | TableRow]:
    """The lines of a flow, those of tables as rows; `table` is the number of the first one."""
    result: list[Group | TableRow] = []
    done = 0
    for region in _regions(page, groups):
        rows, used = ([], 0) if _has_labelled_columns(page, region) else _table(page, region, rules, boxes, table)
        heads = [] if rows else _heads_apart(page, region, boxes)
        result += [*groups[done : region.first], *rows, *heads]
        done = region.first + (used or len(heads))
        table += bool(rows)
    return [*result, *groups[done:]]


def _regions(page: PageChars, groups: list[Group]) -> list[_Region]:
    """Runs of lines with several cells, with the lines of one cell between and around them."""
    several = [len(group) > 1 and not _is_numbered(page, group) for group in groups]
    regions: list[_Region] = []
    number = 0
    while number < len(groups):
        if not several[number]:
            number += 1
            continue
        size = height(groups[number])
        first = last = number
        at = number + 1
        while at < len(groups) and at - last <= 4 and gap(groups[at - 1], groups[at]) < geometry().table_gap * size:
            if several[at]:
                last = at
            elif len(page.text[groups[at][0].start : groups[at][0].end]) > geometry().label_long:
                break
            at += 1
        over = sorted(bit.x0 for group in groups[first : last + 1] if len(group) > 1 for bit in group[1:2])
        while (
            over
            and first
            and len(regions[-1:]) * (regions[-1].first + len(regions[-1].groups) if regions else 0) < first
        ):
            above = groups[first - 1]
            length = above[-1].end - above[0].start
            low = gap(above, groups[first]) > geometry().header_gap * size
            if low or len(above) > 1 or above[0].x0 < over[0] - size or length > geometry().label_long:
                break
            first -= 1
        if last > first:
            regions.append(_Region(first, groups[first : last + 1], size))
            after = last + 1
            while after < min(len(groups), last + 4) and _hangs(groups[after - 1], groups[after], size):
                after += 1
            if after > last + 1:
                regions[-1] = regions[-1]._replace(groups=groups[first:after], tail=after - last - 1)
        number = last + 1
    return regions


def _is_numbered(page: PageChars, group: Group) -> bool:
    """Whether a line is that of a text behind its number: "11  The financial position of the state is"."""
    if len(group) != 2:
        return False
    mark, rest = (page.text[bit.start : bit.end] for bit in group)
    return len(rest) > geometry().name_long and MARK.fullmatch(mark.rstrip(".)") + ".") is not None


def _hangs(above: Group, below: Group, size: float) -> bool:
    """Whether a line of one piece stands close under a piece of the line above and no wider than the room there."""
    if len(below) > 1 or gap(above, below) > geometry().cell_lines * size:
        return False
    over = [bit.x0 for bit in above if bit.x0 < below[0].x0 + size]
    beyond = min((bit.x0 for bit in above if over and bit.x0 > over[-1] + size), default=max(bit.x1 for bit in above))
    return bool(over) and abs(over[-1] - below[0].x0) < 2 * size and below[0].x1 <= beyond


def _table(
    page: PageChars,
    region: _Region,
    rules: Rules,
    boxes: Floats,
    number: int,
) -> tuple[list[TableRow], int]:
    """The rows of a region and its lines; none where it is no table, or each line is a row as it stands."""
    size = median(np.array([height(group) for group in region.groups]))
    cells = [line_cells(page, group, size) for group in region.groups]
    reach = [[(cell[0].x0, max(bit.x1 for bit in cell)) for cell in line] for line in cells]
    columns = columns_by_gaps(reach, size)
    body = [part for line in reach[_first(page, cells) :] for part in line]
    # What headers alone stand in is no column: they belong to the one beside it.
    columns = [(left, right) for left, right in columns if any(x0 < right and x1 > left for x0, x1 in body)]
    if len(columns) < 2:
        return [], 0
    placed = [[_place(cell, columns) for cell in _recut(line, columns, boxes, page, size)] for line in cells]
    steps = [gap(above, below) / size for above, below in pairwise(region.groups)]
    walls = walls_between(region.groups, rules, columns)
    runs: list[list[list[LineCell]]] = [[placed[0]]]
    for line, joins in zip(placed[1:], same_row(page, placed, steps, walls), strict=True):
        if joins and _fits(runs[-1], line) and not _repeats(page, runs[-1], line):
            runs[-1].append(line)
        else:
            runs.append([line])
    used = len(region.groups)
    for _ in range(region.tail):
        if len(runs[-1]) == 1 and used > len(region.groups) - region.tail:
            runs.pop()
            used -= 1
    if len(runs) < 2 or not _worth(page, runs):
        return [], 0
    return with_heads(page, [TableRow(number, row, _merged(run)) for row, run in enumerate(runs)], rules), used


def _heads_apart(page: PageChars, region: _Region, boxes: Floats) -> list[Group]:
    """The lines of headers of a region whose columns figures tell, cut where gaps between the columns are.

    Narrow columns have headers that stand as close as words do, but not as close as the words of the region.
    """
    size = median(np.array([height(group) for group in region.groups]))
    cells = [line_cells(page, group, size) for group in region.groups]
    first = _first(page, cells)
    body = [[(cell[0].x0, max(bit.x1 for bit in cell)) for cell in line] for line in cells[first:]]
    columns = columns_by_gaps(body, size)
    if not first or len(columns) < 2:
        return []
    gaps = [
        boxes[word, 0] - boxes[word - 1, 2]
        for group in region.groups[first:]
        for bit in group
        for word in range(bit.first + 1, bit.stop)
    ]
    usual = geometry().wider_space * median(np.array(gaps)) if gaps else 0.0
    heads: list[Group] = []
    for line in cells[:first]:
        parts = _recut(line, columns, boxes, page, max(size, usual / geometry().word_apart))
        begun = {part[0] for part in parts[1:]} if len(parts) > len(line) else set[Bit]()
        heads.append([bit._replace(apart=bit in begun) for part in parts for bit in part])
    return heads


def _first(page: PageChars, lines: list[list[list[Bit]]]) -> int:
    """The number of the first line with a figure behind its label; 0 where none has one."""
    texts = [[" ".join(page.text[bit.start : bit.end] for bit in cell) for cell in line[1:]] for line in lines]
    figures = (any(is_measured(text) and not is_year(text) for text in line) for line in texts)
    return next((number for number, has in enumerate(figures) if has), 0)


def _worth(page: PageChars, runs: list[list[list[LineCell]]]) -> bool:
    """Whether rows of a region are a table whose columns gaps tell.

    Statements are not, whose years and currencies tell their columns, nor items behind their marks.
    """
    first = [cell_text(page, run[0][0]) for run in runs if run[0][0].first == 0]
    if not first or 2 * sum(MARK.fullmatch(text) is not None for text in first) >= len(first):
        return False
    texts = [cell_text(page, cell) for run in runs for line in run for cell in line if cell.first]
    if not any(map(is_measured, texts)):
        return len(runs) > 2
    if any(is_year(text) or text[0] in SIGNS for text in texts):
        return False
    for run in runs:
        counts: dict[int, int] = {}
        for cell in (cell for line in run for cell in line if cell.first):
            counts[cell.first] = counts.get(cell.first, 0) + stands(cell_text(page, cell))
        if max(counts.values(), default=0) > 1:
            return False
    return True


def _has_labelled_columns(page: PageChars, region: _Region) -> bool:
    """Whether years or currencies tell the columns, seen before anything is measured."""
    texts = [page.text[bit.start : bit.end] for group in region.groups for bit in group[1:]]
    return any(text[0] in SIGNS or (len(text) <= geometry().year_long and is_year(text)) for text in texts) and any(
        map(is_measured, texts)
    )


def columns_by_gaps(lines: Sequence[Sequence[tuple[float, float]]], size: float) -> list[tuple[float, float]]:
    """The columns that the gaps common to most lines of several cells leave; a few cells may reach over a gap."""
    wide = [line for line in lines if len(line) > 1]
    if not wide:
        return []
    allowed = int(len(wide) * geometry().reach_over)
    edges = sorted([(x0, 1) for line in wide for x0, _ in line] + [(x1, -1) for line in wide for _, x1 in line])
    columns: list[list[float]] = []
    depth, start = 0, edges[0][0]
    for x, step in edges:
        before, depth = depth, depth + step
        if before <= allowed < depth:
            start = x
        if depth <= allowed < before:
            columns.append([start, x])
    merged: list[tuple[float, float]] = []
    for x0, x1 in columns:
        if merged and x0 - merged[-1][1] < geometry().narrow * size:
            merged[-1] = merged[-1][0], x1
        else:
            merged.append((x0, x1))
    return merged


def _recut(
    line: list[list[Bit]],
    columns: list[tuple[float, float]],
    boxes: Floats,
    page: PageChars,
    size: float,
) -> list[list[Bit]]:
    """The cells of a line, cut where a gap between words falls on a gap between columns."""
    gaps = [(left[1], right[0]) for left, right in pairwise(columns)]
    result: list[list[Bit]] = []
    for cell in line:
        result.append([])
        for bit in cell:
            start = bit.first
            cuts = [
                word
                for word in range(bit.first + 1, bit.stop)
                if boxes[word, 0] - boxes[word - 1, 2] > geometry().word_apart * size
                and any(boxes[word - 1, 2] < right and boxes[word, 0] > left for left, right in gaps)
            ]
            for cut in [*cuts, bit.stop]:
                words = page.words[start:cut]
                part = bit._replace(start=int(words[0, 0]), end=int(words[-1, 1]), first=start, stop=cut)
                part = part._replace(x0=float(boxes[start, 0]), x1=float(boxes[cut - 1, 2]))
                if start > bit.first:
                    result.append([])
                result[-1].append(part if cuts else bit)
                start = cut
    return result


def _place(cell: list[Bit], columns: list[tuple[float, float]]) -> LineCell:
    """The columns that a cell stands in: those that it shares with, else the nearest."""
    x0, x1 = cell[0].x0, max(bit.x1 for bit in cell)
    under = [number for number, (left, right) in enumerate(columns) if min(x1, right) - max(x0, left) > 0]
    if not under:
        under = [min(range(len(columns)), key=lambda n: abs(sum(columns[n]) - x0 - x1))]
    return LineCell(cell, under[0], under[-1] + 1)


def _fits(run: list[list[LineCell]], line: list[LineCell]) -> bool:
    """Whether each cell of a line stands in the columns of one cell of its row, or in free ones."""
    spans = {(cell.first, cell.last) for above in run for cell in above}
    return all(_alone(cell, [span for span in spans if span[0] < cell.last and span[1] > cell.first]) for cell in line)


def _alone(cell: LineCell, shared: list[tuple[int, int]]) -> bool:
    """Whether a cell lies in the one stretch of columns that it shares, or around it; or shares none."""
    if not shared:
        return True
    first, last = shared[0]
    inside = cell.first >= first and cell.last <= last
    return len(shared) == 1 and (inside or (cell.first <= first and cell.last >= last))


def _repeats(page: PageChars, run: list[list[LineCell]], line: list[LineCell]) -> bool:
    """Whether a line has a figure of its own where its row has one: two figures of one column are never one cell."""
    label = next((cell_text(page, cell) for cell in line if not cell.first), "")
    figures = {cell.first for above in run for cell in above if stands(cell_text(page, cell))}
    again = sum(cell.first in figures and stands(cell_text(page, cell)) for cell in line if cell.first)
    return again > (not label) and not label[:1].islower()


def _merged(run: list[list[LineCell]]) -> list[tuple[Place, list[Bit]]]:
    """The cells of a row, those of its lines that stand in the same columns as one."""
    whole: list[LineCell] = []
    for cell in sorted((cell for line in run for cell in line), key=lambda cell: (cell.first, -cell.last)):
        if whole and cell.first < whole[-1].last:
            last = whole[-1]
            whole[-1] = LineCell([*last.bits, *cell.bits], last.first, max(last.last, cell.last))
        else:
            whole.append(cell)
    return [(Place(cell.first, cell.last - cell.first, 1), cell.bits) for cell in whole]
