"""Headers above rules of their own: such a rule is as wide as the columns that the header covers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from citewell.readers.pdf.geometry import geometry

Reach = tuple[int, int]
"""First and last+1 column."""


class HeadLine(NamedTuple):
    """A line of headers: edges of each, its top, bottom and height, and the ends of the lines drawn under it."""

    boxes: list[tuple[float, float]]
    top: float
    bottom: float
    size: float
    rules: tuple[tuple[float, float], ...]


def ruled(lines: Sequence[HeadLine], columns: Sequence[tuple[float, float]]) -> list[list[Reach | None]]:
    """For each header of each line the columns over which its drawn line reaches; None where it has none.

    The lines of text of one header share what is drawn under the last.
    """
    result: list[list[Reach | None]] = []
    lower: list[tuple[tuple[float, float], Reach]] = []
    top = float("inf")
    for line in reversed(lines):
        close = top - line.bottom < geometry().cell_lines * line.size
        spans = [_owned_columns(line, box, columns) for box in line.boxes]
        for number, box in enumerate(line.boxes):
            if spans[number] is None and close:
                spans[number] = next((s for s in lower if s[0][0] <= box[0] and box[1] <= s[0][1]), None)
        result.append([span[1] if span else None for span in spans])
        lower = [span for span in spans if span]
        top = line.top
    return result[::-1]


def _owned_columns(
    line: HeadLine, box: tuple[float, float], columns: Sequence[tuple[float, float]]
) -> tuple[tuple[float, float], Reach] | None:
    """The ends of the line drawn under one header alone, and the columns behind the labels above which it lies."""
    slack = geometry().cell_lines * line.size
    over = [rule for rule in line.rules if rule[0] <= box[0] + slack and rule[1] >= box[1] - slack]
    if not over:
        return None
    left, right = min(over, key=lambda rule: rule[1] - rule[0])
    if sum(x0 < right and x1 > left for x0, x1 in line.boxes) != 1:
        return None
    inside = [number for number, (x0, x1) in enumerate(columns) if left < (x0 + x1) / 2 < right]
    return ((left, right), (inside[0], inside[-1] + 1)) if inside and inside[0] else None


def together(
    above: HeadLine,
    below: HeadLine,
    reach: tuple[list[Reach], list[Reach]],
    sure: Sequence[bool],
    named: Collection[int],
) -> tuple[list[Reach], list[Reach]]:
    """What the headers of two lines reach over, the same for lines of text of one header.

    Those stand close, and over each other alone; the reach of those that are `sure` is known. `named` are the columns
    that have a header further down: what is over more than one column has those below.
    """
    upper, lower = list(reach[0]), list(reach[1])
    if below.top - above.bottom > geometry().cell_lines * above.size:
        return upper, lower
    pairs = [
        (u, w)
        for u, (left, right) in enumerate(above.boxes)
        for w, (x0, x1) in enumerate(below.boxes)
        if min(right, x1) > max(left, x0)
    ]
    for u, w in pairs:
        alone = sum(u == other for other, _ in pairs) == sum(w == other for _, other in pairs) == 1
        if not alone or upper[u] == lower[w] or sure[u] or sure[len(upper) + w]:
            continue
        wide = max(upper[u], lower[w], key=lambda span: span[1] - span[0])
        if named and all(column in named for column in range(*wide)):
            shared = wide
        elif wide == upper[u]:
            shared = lower[w]
        else:
            continue  # without its last line a column has no header of its own
        upper[u] = lower[w] = shared
    if any(left[1] > right[0] for line in (upper, lower) for left, right in pairwise(line)):
        return list(reach[0]), list(reach[1])
    return upper, lower


def in_order(spans: Sequence[Reach | None], placed: list[Reach]) -> list[Reach]:
    """The columns of a line's headers, those by drawn lines where all of them stay side by side."""
    ordered = [span or placed_span for span, placed_span in zip(spans, placed, strict=True)]
    return ordered if all(left[1] <= right[0] for left, right in pairwise(ordered)) else placed
