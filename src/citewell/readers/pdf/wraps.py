"""Decides whether a table line continues the row above: by rules and shading, spacing, and its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from citewell.readers.pdf.chars import PageChars
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.rows import CELL, Bit, Piece, joined
from citewell.readers.pdf.rules import Rules
from citewell.text.figures import is_figure, is_measured

Group = list[Bit]


class LineCell(NamedTuple):
    """A cell on one line, with the first and last+1 column that it stands in."""

    bits: list[Bit]
    first: int
    last: int


def height(group: Group) -> float:
    """The height of a line."""
    return max(1.0, *(bit.y1 - bit.y0 for bit in group))


def gap(above: Group, below: Group) -> float:
    """The points between two lines."""
    return min(bit.y0 for bit in below) - max(bit.y1 for bit in above)


def line_cells(page: PageChars, group: Group, size: float) -> list[list[Bit]]:
    """The pieces of a line by cells."""
    joins, _, _ = joined([Piece(bit.start, bit.end, bit.x0, bit.x1) for bit in group], page.text, size)
    cells: list[list[Bit]] = []
    for bit, join in zip(group, joins, strict=True):
        if join == CELL or not cells:
            cells.append([bit])
        else:
            cells[-1].append(bit)
    return cells


def walls_between(groups: Sequence[Group], rules: Rules, columns: list[tuple[float, float]]) -> list[bool | None]:
    """For each line but the last whether a rule or a shade's edge parts it from the next; None: one band has both."""
    left, right = columns[0][0], columns[-1][1]
    middles = [float(np.mean([bit.middle for bit in group])) for group in groups]
    walls: list[bool | None] = [False] * (len(groups) - 1)
    y, x0, x1 = rules.across.T
    shared = np.minimum(x1, right) - np.maximum(x0, left)
    for at in y[shared > geometry().wall * (right - left)].tolist():
        place = int(np.searchsorted(middles, at))
        if 0 < place < len(groups):
            walls[place - 1] = True
    bands = [_band(middle, rules, left, right) for middle in middles]
    for number, (above, below) in enumerate(pairwise(bands)):
        if above != below:
            walls[number] = True
        elif above and not walls[number] and above[1] - above[0] < geometry().band * (middles[-1] - middles[0]) + 1:
            walls[number] = None
    return walls


def _band(y: float, rules: Rules, left: float, right: float) -> tuple[int, int] | None:
    """Top and bottom of the lowest shade behind a line."""
    s = rules.shades
    behind = s[(s[:, 1] < y) & (s[:, 3] > y) & (s[:, 2] > left) & (s[:, 0] < right)]
    if not len(behind):
        return None
    best = behind[np.argmin(behind[:, 3] - behind[:, 1])]
    return round(float(best[1])), round(float(best[3]))


def same_row(page: PageChars, cells: list[list[LineCell]], steps: list[float], walls: list[bool | None]) -> list[bool]:
    """For each line but the last whether the next one goes on with its row."""
    same = [wall is None for wall in walls]
    free = [number for number, wall in enumerate(walls) if wall is False]
    if not free:
        return same
    parted = sum(1 for wall in walls if wall)
    banded = parted >= 3 and 3 * parted >= len(cells)
    votes: dict[int, float] = {}
    for limit in [
        *_limits([step for step, wall in zip(steps, walls, strict=True) if wall is not None]),
        *[9.0] * banded,
    ]:
        more = {n: _continues(page, cells[n], cells[n + 1]) for n in free if steps[n] < limit and n not in votes}
        if sum(more.values()) < geometry().goes_on * len(more):
            break
        votes |= more
    for number, vote in votes.items():
        same[number] = vote > geometry().never_goes_on
    return same


def _limits(steps: list[float]) -> list[float]:
    """The steps that may part lines of one row from rows: the middles of wide gaps among the steps."""
    order = sorted(steps)
    return [
        (after + before) / 2
        for before, after in pairwise(order)
        if before < geometry().row_step and after - before > geometry().steps_apart
    ]


def _continues(page: PageChars, above: list[LineCell], below: list[LineCell]) -> float:
    """Whether a line looks like one that goes on with the row above: up to 1, or like a row of its own: -1."""
    starts = {cell.first: cell_text(page, cell) for cell in above}
    goes_on = {cell.first: cell_text(page, cell) for cell in below}
    if 0 not in goes_on:
        return 1 if len(goes_on) <= len(starts.keys() - {0}) or len(starts) == 1 else -1
    for column, text in goes_on.items():
        before = starts.get(column, "")
        if _opens(before) or (text[:1].islower() and before and not before[:1].islower()):
            return 1
        if text[:1] in tuple(")%±/&") or (text[:1] == "(" and not is_figure(text)):
            return 1
    if len(goes_on) == 1:
        return geometry().alone_vote * (len(starts) > 1 and 0 in starts)
    if len(starts) == 1 and starts.get(0, "").endswith(":"):
        return geometry().never_goes_on
    if any(stands(text) and stands(starts.get(column, "")) for column, text in goes_on.items() if column):
        return geometry().never_goes_on
    return -1 if 0 in starts and len(starts) > 1 else 0


def _opens(text: str) -> bool:
    """Whether a line of a cell ends where none can end."""
    return len(text) > 1 and text[-1] in ",-–(±+/&"


def stands(text: str) -> bool:
    """Whether a cell's line is a figure by itself, and not what follows one in brackets."""
    return text[:1] != "(" and whole(text)


def whole(text: str) -> bool:
    """Whether a line of a cell is a figure that begins and ends on it."""
    return (
        bool(text)
        and is_measured(text)
        and text.count("(") == text.count(")")
        and not (text[0] == "(" and not is_figure(text))
    )


def cell_text(page: PageChars, cell: LineCell) -> str:
    """What a cell's line says."""
    return " ".join(page.text[bit.start : bit.end] for bit in cell.bits)
