"""Columns of a table from the rows with figures; two cells of one row are never in one column."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple


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


class Line(NamedTuple):
    """The cells of a line, its top, bottom and height, and the ends of the lines drawn under it."""

    boxes: list[Box]
    top: float
    bottom: float
    size: float
    rules: tuple[tuple[float, float], ...] = ()


def columns_of(lines: list[Line], figures: list[list[bool]]) -> list[tuple[float, float]]:
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
            if not is_number and not any(min(box.x1, right) > max(box.x0, left) for left, right in columns)
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


def _paired(line: Line, marks: list[bool]) -> list[tuple[Box, bool]]:
    return list(zip(line.boxes, marks, strict=True))


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


def within(line: Line, columns: list[tuple[float, float]]) -> list[tuple[int, int]]:
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
