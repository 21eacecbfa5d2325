"""Tables with frames: the cells between crossing lines, merged where no line separates them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from citewell.readers.pdf.boxes import Flags, Floats, Ints
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.rules import Rules


class Lattice(NamedTuple):
    """One framed table: the places of its columns' and rows' edges, and for each place (row, column) its cell.

    `cells` holds for each cell its first row, first column, rows and columns.
    """

    xs: Floats
    ys: Floats
    owner: Ints
    cells: tuple[tuple[int, int, int, int], ...]

    def inside(self, x: Floats, y: Floats) -> Flags:
        """Which points lie in it."""
        return np.asarray((x > self.xs[0]) & (x < self.xs[-1]) & (y > self.ys[0]) & (y < self.ys[-1]), np.bool_)

    def cell_at(self, x: float, y: float) -> int:
        """The number of the cell at a point."""
        column = min(max(int(np.searchsorted(self.xs, x)) - 1, 0), len(self.xs) - 2)
        row = min(max(int(np.searchsorted(self.ys, y)) - 1, 0), len(self.ys) - 2)
        return int(self.owner[row, column])


def lattices(rules: Rules) -> list[Lattice]:
    """The framed tables of a page with at least two columns and two rows."""
    across, down = rules.across, rules.down
    if not (1 < len(across) <= geometry().most_lines and 0 < len(down) <= geometry().most_lines):
        return []
    y, x0, x1 = across.T
    x, y0, y1 = down.T
    meets = (
        (x[None, :] >= x0[:, None] - geometry().meets)
        & (x[None, :] <= x1[:, None] + geometry().meets)
        & (y[:, None] >= y0[None, :] - geometry().meets)
        & (y[:, None] <= y1[None, :] + geometry().meets)
    )
    result = []
    free = np.ones(len(across), np.bool_)
    for start in range(len(across)):
        if not free[start]:
            continue
        rows = np.zeros(len(across), np.bool_)
        rows[start] = True
        while True:
            columns = meets[rows].any(axis=0)
            more = meets[:, columns].any(axis=1) | rows
            if (more == rows).all():
                break
            rows = more
        free &= ~rows
        if rows.sum() > 1 and columns.any():
            lattice = _lattice(across[rows], down[columns])
            if lattice:
                result.append(lattice)
    return result


def _places(values: Floats, ends: Floats) -> Floats:
    """The places of lines, each once, with the ends of those that cross them where these reach further."""
    order = np.sort(values)
    places = order[np.concatenate(([True], np.diff(order) > geometry().meets))]
    low, high = float(ends.min()), float(ends.max())
    parts = [[low]] if low < places[0] - geometry().open_side else []
    parts += [places.tolist()]
    parts += [[high]] if high > places[-1] + geometry().open_side else []
    return np.concatenate([np.array(part) for part in parts])


def _lattice(across: Floats, down: Floats) -> Lattice | None:
    xs, ys = _places(down[:, 0], across[:, 1:]), _places(across[:, 0], down[:, 1:])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2:
        return None
    middle_x, middle_y = (xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2
    right = _parted(down, xs, middle_y)  # (columns + 1, rows)
    below = _parted(across, ys, middle_x)  # (rows + 1, columns)
    if right[1:-1].mean() < geometry().parted or (
        columns < geometry().open_columns and not (right[0].any() and right[-1].any())
    ):
        return None
    owner = np.full((rows, columns), -1, np.int64)
    cells: list[tuple[int, int, int, int]] = []
    for row in range(rows):
        for column in range(columns):
            if owner[row, column] >= 0:
                continue
            wide = 1
            while column + wide < columns and not right[column + wide, row] and owner[row, column + wide] < 0:
                wide += 1
            high = 1
            while row + high < rows and _goes_on(owner, right, below, (row + high, column, wide)):
                high += 1
            owner[row : row + high, column : column + wide] = len(cells)
            cells.append((row, column, high, wide))
    return Lattice(xs, ys, owner, tuple(cells))


def _goes_on(owner: Ints, right: Flags, below: Flags, at: tuple[int, int, int]) -> bool:
    """Whether a cell goes on in the next row: no line above any of its columns, none between them, its sides closed."""
    row, column, wide = at
    columns = range(column, column + wide)
    if any(below[row, c] or owner[row, c] >= 0 for c in columns) or any(right[c, row] for c in columns[1:]):
        return False
    last = column + wide
    return last == len(right) - 1 or bool(right[last, row])


def _parted(lines: Floats, places: Floats, middles: Floats) -> Flags:
    """For each place and each middle across it, whether a line passes there."""
    at, low, high = lines.T
    near = np.abs(at[None, :] - places[:, None]) <= geometry().meets
    reaches = (low[None, :] <= middles[:, None]) & (high[None, :] >= middles[:, None])
    return np.asarray((near[:, None, :] & reaches[None, :, :]).any(axis=2), np.bool_)
