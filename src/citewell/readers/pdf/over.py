"""The columns that header lines cover: by lines drawn under them, by their position, by their centres."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from citewell.readers.pdf.columns import Box, Line
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.rows import ASIDE
from citewell.readers.pdf.ruled import HeadLine, Reach, in_order, ruled, together
from citewell.text.figures import is_year
from citewell.text.times import TIME

_YEARS = re.compile(r"(?:19|20)\d\d ?[/–-] ?(?:\d\d){1,2}")  # one year of a company or a state: "2022-23"


def head_reaches(lines: Sequence[Line], columns: list[tuple[float, float]], text: str) -> dict[int, list[Reach]]:
    """For each line of headers, by its number, first and last+1 column of each of them."""
    heads = [HeadLine([(box.x0, box.x1) for box in line.boxes], *line[1:]) for line in lines]
    drawn = ruled(heads, columns)
    result: dict[int, list[Reach]] = {}
    below: set[int] = set()  # columns that have a header of their own further down
    before: set[int] = set()  # the same of the line below
    for number in range(len(lines) - 1, -1, -1):
        result[number] = in_order(drawn[number], _over(lines[number], columns, text, below))
        if number + 1 in result:
            both = result[number], result[number + 1]
            sure = [
                span is not None or TIME.search(text[box.start : box.end]) is not None
                for box, span in zip(
                    (*lines[number].boxes, *lines[number + 1].boxes), (*drawn[number], *drawn[number + 1]), strict=True
                )
            ]
            joined = together(heads[number], heads[number + 1], both, sure, before)
            result[number], result[number + 1] = joined
        result[number] = _evenly(lines[number], columns) or result[number]
        before = set(below)
        below |= {column for first, last in result[number] for column in range(first, last)}
    return result


def _evenly(line: Line, columns: list[tuple[float, float]]) -> list[Reach] | None:
    """The reaches of headers of which each stands in the middle of as many columns; None where they do not."""
    aside = [box for box in line.boxes if box.middle < columns[0][1]]
    over = line.boxes[len(aside) :]
    if len(aside) > 1 or len(over) < 2 or (len(columns) - 1) % len(over) or len(columns) - 1 == len(over):
        return None
    wide = (len(columns) - 1) // len(over)
    reach = [(1 + number * wide, 1 + (number + 1) * wide) for number in range(len(over))]
    for box, (first, last) in zip(over, reach, strict=True):
        if abs((columns[first][0] + columns[last - 1][1]) / 2 - box.middle) > geometry().wide * line.size:
            return None
    return [*((0, 1) for _ in aside), *reach]


def reaches_between(
    lines: Sequence[Line],
    figures: Sequence[list[bool]],
    columns: list[tuple[float, float]],
    heads: int,
    text: str,
) -> dict[int, list[Reach]]:
    """The same for lines further down that stand over the columns without a figure."""
    left = columns[0][1]
    free = [
        number >= heads
        and not any(marks)
        and all(box.x0 > left or ASIDE.fullmatch(text[box.start : box.end]) for box in line.boxes)
        for number, (line, marks) in enumerate(zip(lines, figures, strict=True))
    ]
    result: dict[int, list[Reach]] = {}
    for is_free, group in groupby(range(len(lines)), key=lambda number: free[number]):
        numbers = list(group)
        if is_free:
            block = head_reaches([lines[number] for number in numbers], columns, text)
            result |= {numbers[number]: reach for number, reach in block.items()}
    return result


def _over(line: Line, columns: list[tuple[float, float]], text: str, below: set[int]) -> list[tuple[int, int]]:
    """First and last+1 column of each header of a line; "(in thousands)" by itself is over all but the labels."""
    if len(line.boxes) == 1 and line.boxes[0].x0 > columns[0][1]:
        start, end = line.boxes[0][:2]
        if ASIDE.fullmatch(text[start:end]):
            return [(1, len(columns))]
    touched = []
    for box in line.boxes:
        shared = [min(box.x1, x1) - max(box.x0, x0) for x0, x1 in columns]
        # What hardly reaches into a column is over the one beside it.
        under = [column for column, width in enumerate(shared) if width > max(0.0, geometry().slight * max(shared))]
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
        header = text[box.start : box.end]
        if first > 0 and TIME.search(header) and not (is_year(header) or _YEARS.fullmatch(header)):
            first, last = _centred(box, columns, (first, last), (low, max(high, last)), below)
        reach.append((first, last))
    return reach


def _centred(
    box: Box, columns: list[tuple[float, float]], reach: tuple[int, int], room: tuple[int, int], below: set[int]
) -> tuple[int, int]:
    """The columns in whose middle a header stands: as many as its middle allows, each with a header of its own."""
    best, nearest = reach, abs((columns[reach[0]][0] + columns[reach[1] - 1][1]) / 2 - box.middle)
    size = max(box.x1 - box.x0, 1.0) / max(1, box.end - box.start)  # the width of a letter
    for first in range(room[0], reach[0] + 1):
        for last in range(reach[1], room[1] + 1):
            if not all(column in below for column in range(first, last)):
                continue
            away = abs((columns[first][0] + columns[last - 1][1]) / 2 - box.middle)
            wider = last - first > best[1] - best[0]
            if away < nearest - size or (wider and away < nearest + 2 * size):
                best, nearest = (first, last), away
    return best
