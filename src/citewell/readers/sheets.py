"""The parts of a spreadsheet's sheet: its tables, each with the lines above and below it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from citewell.text.figures import is_figure, is_year

ROWS, COLUMNS = 1_048_576, 16_384
"""The size of Excel's sheets."""

Row = dict[int, str]
"""The texts of a row by their columns, 0-based; empty cells have none."""
Reach = tuple[int, int, int, int]
"""First row and column, last row and column."""


class Sheet(NamedTuple):
    """The cells with text that a sheet shows, row by row, with the numbers of the rows; its merged cells."""

    rows: list[tuple[int, Row]]
    merged: Sequence[Reach] = ()
    unseen: Sequence[int] = ()
    columns_unseen: Sequence[bool] = ()
    hidden_columns: int = 0

    @property
    def hidden_rows(self) -> int:
        """How many rows with cells are not shown."""
        return len(self.unseen)


class Area(NamedTuple):
    """A table with the lines of text above and below it; its columns without those in which it has nothing.

    `spans` has the rows and columns of cells that reach over several, by row and column.
    """

    above: list[str]
    rows: list[Row]
    spans: dict[tuple[int, int], tuple[int, int]]
    below: list[str]


def areas(sheet: Sheet) -> Iterator[Area]:
    """The areas of a sheet, top down, those that stand side by side from left to right."""
    rows, merged = _uncovered(sheet)
    for band in _bands(rows, sheet.unseen):
        for part in _beside(band, sheet.columns_unseen):
            yield _area(part, merged)


def _uncovered(sheet: Sheet) -> tuple[list[tuple[int, Row]], dict[tuple[int, int], Reach]]:
    """The rows without cells that lie under a merged one, and the merged cells by their first row and column."""
    merged: dict[tuple[int, int], Reach] = {}
    todo = sorted(sheet.merged, reverse=True)
    active: list[tuple[int, int, int]] = []  # first column, last column, first row: apart from each other
    ends: list[tuple[int, tuple[int, int, int]]] = []
    rows: list[tuple[int, Row]] = []
    for number, cells in sheet.rows:
        while todo and todo[-1][0] <= number:
            reach = todo.pop()
            while ends and ends[0][0] < reach[0]:
                active.pop(bisect_left(active, heappop(ends)[1]))
            at = bisect_left(active, (reach[1], -1, -1))
            apart = (at == 0 or active[at - 1][1] < reach[1]) and (at == len(active) or active[at][0] > reach[3])
            if apart:  # Excel lets none overlap
                merged[reach[0], reach[1]] = reach
                insort(active, (reach[1], reach[3], reach[0]))
                heappush(ends, (reach[2], (reach[1], reach[3], reach[0])))
        while ends and ends[0][0] < number:
            active.pop(bisect_left(active, heappop(ends)[1]))
        kept = (
            {column: text for column, text in cells.items() if not _covered(number, column, active)}
            if active
            else cells
        )
        if kept:
            rows.append((number, kept))
    return rows, merged


def _covered(number: int, column: int, active: list[tuple[int, int, int]]) -> bool:
    at = bisect_right(active, (column, COLUMNS, ROWS)) - 1
    return at >= 0 and active[at][1] >= column and (column, number) != (active[at][0], active[at][2])


def _bands(rows: list[tuple[int, Row]], unseen: Sequence[int]) -> Iterator[list[tuple[int, Row]]]:
    """Rows that belong together: no empty row between them, or one inside a table that goes on."""
    parts: list[list[tuple[int, Row]]] = []
    gaps: list[int] = []
    before = 0
    for number, cells in rows:
        empty = number - before - 1 - (bisect_left(unseen, number) - bisect_left(unseen, before))
        if not parts or empty:
            parts.append([])
            gaps.append(empty)
        parts[-1].append((number, cells))
        before = number
    band: list[tuple[int, Row]] = []
    for part, gap in zip(parts, gaps, strict=True):
        if band and not (gap == 1 and _goes_on(band, part)):
            yield band
            band = []
        band += part
    if band:
        yield band


def _goes_on(band: list[tuple[int, Row]], part: list[tuple[int, Row]]) -> bool:
    """Whether rows behind an empty one go on with the table before: no headers, and no column that it lacks."""
    wide = next((cells for _, cells in part if len(cells) > 1), None)
    above = next((cells for _, cells in reversed(band) if len(cells) > 1), None)
    if wide is None or above is None or _heads(wide):
        return False
    return min(above) <= min(wide) and max(wide) <= max(above)


def _heads(cells: Row) -> bool:
    """Whether a row looks like headers: behind its first cell there is no figure but years."""
    return not any(is_figure(cells[column]) and not is_year(cells[column]) for column in sorted(cells)[1:])


def _beside(band: list[tuple[int, Row]], unseen: Sequence[bool]) -> Iterator[list[tuple[int, Row]]]:
    """A band cut at empty columns behind which another table begins, with labels of its own."""
    used = sorted({column for _, cells in band for column in cells})
    labels: dict[int, int] = dict.fromkeys(used, 0)
    figures: dict[int, int] = dict.fromkeys(used, 0)
    for _, cells in band:
        for column, text in cells.items():
            is_value = is_figure(text) and not is_year(text)
            (figures if is_value else labels)[column] += 1
    first = 0
    for before, column in pairwise(used):
        gap = any(not unseen[between] for between in range(before + 1, column)) if unseen else column > before + 1
        begins = labels[column] > max(1, figures[column])
        if gap and begins and any(figures[at] for at in used if first <= at < column):
            following = used[bisect_left(used, column) + 1 :]
            if following and figures[following[0]] and following[0] == column + 1:
                yield from _cut(band, first, column)
                first = column
    yield from _cut(band, first, COLUMNS)


def _cut(band: list[tuple[int, Row]], first: int, stop: int) -> Iterator[list[tuple[int, Row]]]:
    if first == 0 and stop == COLUMNS:
        yield band
        return
    part = [
        (number, {column: text for column, text in cells.items() if first <= column < stop}) for number, cells in band
    ]
    kept = [(number, cells) for number, cells in part if cells]
    if kept:
        yield kept


def _area(band: list[tuple[int, Row]], merged: dict[tuple[int, int], Reach]) -> Area:
    """The table of a band: what stands alone in its first column above and below the table are lines of text."""
    wide = [at for at, (_, cells) in enumerate(band) if len(cells) > 1]
    if not wide:
        return Area([text for _, cells in band for text in cells.values()], [], {}, [])
    left = min(min(cells) for _, cells in band)

    def alone(at: int) -> bool:
        return list(band[at][1]) == [left] and not is_figure(band[at][1][left])

    first = next(at for at in range(wide[0] + 1) if not alone(at))
    last = max(at for at in range(wide[-1], len(band)) if at == wide[-1] or not alone(at))
    rows = band[first : last + 1]
    used = sorted({column for _, cells in rows for column in cells})
    place = {column: at for at, column in enumerate(used)}
    numbers = [number for number, _ in rows]
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for at, (number, cells) in enumerate(rows):
        for column in cells:
            reach = merged.get((number, column))
            if reach:
                high = bisect_right(numbers, reach[2]) - at
                across = bisect_right(used, reach[3]) - place[column]
                if high > 1 or across > 1:
                    spans[at, place[column]] = high, across
    return Area(
        [cells[left] for _, cells in band[:first]],
        [{place[column]: text for column, text in cells.items()} for _, cells in rows],
        spans,
        [cells[left] for _, cells in band[last + 1 :]],
    )
