"""Tables side by side: splits the lines at the strip where the labels of a second table begin.

A strip is one that no piece reaches over, with rows of distinct labels and figures on both sides. It parts two tables
where it is much wider than the gaps between the columns of either, where both have the same headers behind their
labels, or where each is framed by itself. A table with text behind its figures has none of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from citewell.readers.pdf.chars import PageChars
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.rows import NUMBER, SIGNS, Bit, lines
from citewell.readers.pdf.tabular import columns_by_gaps
from citewell.readers.pdf.wraps import Group, gap, height
from citewell.text.figures import is_measured, is_year

_ROWS = 3  # rows of labels and figures on either side, at least
_STRIPS = 8  # places of one flow that are tried, at most


class _Side(NamedTuple):
    """The lines of one side of a strip: those with a label and figures, and what stands above the first of them."""

    lines: list[Group]
    body: list[Group]
    heads: list[Group]


def parted(page: PageChars, flow: Sequence[Bit], owner: Sequence[int]) -> list[list[Bit]]:
    """A flow, or what stands above two tables, the left one, the right one, and what stands below.

    Args:
        page: the page.
        flow: the pieces of one flow.
        owner: for each of them the number of the framed table that it stands in, -1 outside.
    """
    groups = lines(flow)
    frames = {bit.first: table for bit, table in zip(flow, owner, strict=True)}
    tried: list[float] = []
    for number, group in enumerate(groups):
        for left, right in pairwise(group):
            place = right.x0 - geometry().touch
            near = any(abs(place - other) < height(group) for other in tried)
            if near or len(tried) >= _STRIPS or not _begins(page, left, right, frames):
                continue
            tried.append(place)
            first, last = _run(groups, number, place)
            run = groups[first:last]
            if _are_two(page, run, place, frames):
                left_side = [bit for line in run for bit in line if bit.x0 < place]
                right_side = [bit for line in run for bit in line if bit.x0 >= place]
                above = [bit for line in groups[:first] for bit in line]
                below = [bit for line in groups[last:] for bit in line]
                rest = parted(page, below, [frames[bit.first] for bit in below]) if below else []
                more = parted(page, right_side, [frames[bit.first] for bit in right_side])
                return [part for part in (above, left_side, *more, *rest) if part]
    return [list(flow)]


def _begins(page: PageChars, left: Bit, right: Bit, frames: dict[int, int]) -> bool:
    """Whether the label of a second table may begin here: behind a figure, or in another frame."""
    apart = -1 < frames[left.first] != frames[right.first] > -1
    return (apart or _is_figure(page, left)) and _is_label(page, right)


def _is_figure(page: PageChars, bit: Bit) -> bool:
    text = page.text[bit.start : bit.end]
    return text[0] in SIGNS or NUMBER.match(text) is not None or is_measured(text)


def _is_label(page: PageChars, bit: Bit) -> bool:
    return not _is_figure(page, bit) and any(map(str.isalpha, page.text[bit.start : bit.end]))


def _run(groups: list[Group], number: int, place: float) -> tuple[int, int]:
    """First and last+1 of the lines around one that a strip goes through; the outer ones are rows, or on both sides."""

    def free(at: int) -> bool:
        return all(bit.x1 <= place or bit.x0 >= place for bit in groups[at])

    far = geometry().table_gap * height(groups[number])
    first, last = number, number + 1
    while first and free(first - 1) and gap(groups[first - 1], groups[first]) < far:
        first -= 1
    while last < len(groups) and free(last) and gap(groups[last - 1], groups[last]) < far:
        last += 1
    # A line on the left alone may go on with the text around the tables; on the right it is theirs.
    while len(groups[first]) == 1 and groups[first][0].x0 < place:
        first += 1
    while len(groups[last - 1]) == 1 and groups[last - 1][0].x0 < place:
        last -= 1
    return first, last


def _are_two(page: PageChars, run: list[Group], place: float, frames: dict[int, int]) -> bool:
    """Whether what stands left and right of a strip are two tables."""
    bits = [bit for line in run for bit in line]
    left = _side(page, [bit for bit in bits if bit.x0 < place])
    right = _side(page, [bit for bit in bits if bit.x0 >= place])
    if not (left.heads and right.heads and _labelled(page, left) and _labelled(page, right)):
        return False
    frames_by_side = [{frames[bit.first] for line in side.body for bit in line} for side in (left, right)]
    if (
        all(len(tables) == 1 and -1 not in tables for tables in frames_by_side)
        and frames_by_side[0] != frames_by_side[1]
    ):
        return True
    if frames_by_side[0] & frames_by_side[1] - {-1}:
        return False  # a frame goes around both
    strip = min(b.x0 for b in bits if b.x0 >= place) - max(b.x1 for b in bits if b.x0 < place)
    return strip > geometry().beside * max(_widest(left), _widest(right)) or _same_heads(page, left, right)


def _side(page: PageChars, bits: list[Bit]) -> _Side:
    groups = lines(bits)
    rows = [
        n
        for n, line in enumerate(groups)
        if _is_label(page, line[0]) and any(_is_figure(page, bit) for bit in line[1:])
    ]
    # A header may have a name above the labels and years behind it.
    while rows and all(_is_head(page, bit) for bit in groups[rows[0]][1:]):
        rows.pop(0)
    return _Side(groups, [groups[n] for n in rows], groups[: rows[0]] if rows else groups)


def _is_head(page: PageChars, bit: Bit) -> bool:
    text = page.text[bit.start : bit.end]
    return len(text) <= geometry().year_long and is_year(text)


def _labelled(page: PageChars, side: _Side) -> bool:
    """Whether most rows of figures of a side have a label of their own, left of all figures."""
    figured = [line for line in side.lines[len(side.heads) :] if any(_is_figure(page, bit) for bit in line)]
    labels = {page.text[line[0].start : line[0].end] for line in side.body}
    if len(side.body) < _ROWS or 3 * len(side.body) < 2 * len(figured) or 3 * len(labels) < 2 * len(side.body):
        return False
    figures = min(bit.x0 for line in side.body for bit in line if _is_figure(page, bit))
    return 3 * sum(line[0].x1 <= figures for line in side.body) >= 2 * len(side.body)


def _widest(side: _Side) -> float:
    reach = [[(bit.x0, bit.x1) for bit in line] for line in side.body]
    columns = columns_by_gaps(reach, height(side.body[0]))
    return max((right[0] - left[1] for left, right in pairwise(columns)), default=float("inf"))


def _same_heads(page: PageChars, left: _Side, right: _Side) -> bool:
    """Whether both sides have the same headers behind their labels, and none or the same one above these.

    The right side may have them several times: there is a third table.
    """
    label, *headers = _heads(page, left)
    other, *more = _heads(page, right)
    return bool(headers) and label == other and more == headers * (len(more) // len(headers)) and bool(more)


def _heads(page: PageChars, side: _Side) -> list[str]:
    """The lowest headers of a side: the one above the labels, empty where there is none, and those behind it."""
    edge = min(bit.x0 for line in side.body for bit in line if _is_figure(page, bit))
    for line in reversed(side.heads):
        over = [page.text[bit.start : bit.end] for bit in line if bit.x1 > edge]
        if over:
            return [" ".join(page.text[bit.start : bit.end] for bit in line if bit.x1 <= edge), *over]
    return [""]
