"""Tables with frames: their pieces by rows and cells, also where lines separate only headers or columns."""

from __future__ import annotations

import numpy as np

from citewell.readers.pdf.boxes import Floats
from citewell.readers.pdf.chars import PageChars
from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.lattice import Lattice
from citewell.readers.pdf.rows import Bit, Place, TableRow, lines
from citewell.readers.pdf.wraps import height, line_cells, whole
from citewell.text.figures import is_measured


def framed_rows(page: PageChars, lattice: Lattice, table: int, inside: list[tuple[int, Bit]]) -> list[TableRow]:
    """The rows of a framed table from its pieces with their cells."""
    by_row: dict[int, dict[int, list[Bit]]] = {}
    xs = lattice.xs
    for cell, bit in inside:
        by_row.setdefault(lattice.cells[cell][0], {}).setdefault(cell, []).append(bit)
    rows: list[tuple[int, list[tuple[Place, list[Bit]]]]] = []
    for row, cells in sorted(by_row.items()):
        placed: list[tuple[Place, list[Bit]]] = []
        for cell, bits in cells.items():
            _, column, high, wide = lattice.cells[cell]
            parts = _by_columns(page, bits, xs, column, column + wide) if wide > 1 else None
            if parts:
                placed += [(Place(at, 1, high), part) for at, part in parts.items()]
            else:
                placed.append((Place(column, wide, high), bits))
        placed.sort(key=lambda item: item[0].column)
        rows += [(row, line) for line in _by_lines(page, placed)]
    # Rows that lines do not part count as one where a cell of the next column reaches over them.
    numbers = {row: number for number, row in reversed(list(enumerate(row for row, _ in rows)))}
    result = []
    for number, (row, cells_of) in enumerate(rows):
        parted = sum(row == other for other, _ in rows) > 1
        after = [
            (place._replace(rows=1 if parted else _reach(numbers, row, place.rows, len(rows)) - number), bits)
            for place, bits in cells_of
        ]
        result.append(TableRow(table, number, after))
    return result


def _reach(numbers: dict[int, int], row: int, rows: int, end: int) -> int:
    """The first row behind those that a cell reaches over."""
    return min((number for other, number in numbers.items() if other >= row + rows), default=end)


def _by_columns(page: PageChars, bits: list[Bit], xs: Floats, first: int, last: int) -> dict[int, list[Bit]] | None:
    """The pieces of a cell over several columns, where it holds one for each: lines part only the headers."""
    parts: dict[int, list[Bit]] = {}
    several = False
    for line in lines(bits):
        cells = line_cells(page, line, height(line))
        several |= len(cells) > 1
        for cell in cells:
            middle = (cell[0].x0 + cell[-1].x1) / 2
            at = int(np.searchsorted(xs, middle)) - 1
            parts.setdefault(min(max(at, first), last - 1), []).extend(cell)
    return parts if several else None


def _by_lines(page: PageChars, placed: list[tuple[Place, list[Bit]]]) -> list[list[tuple[Place, list[Bit]]]]:
    """A row whose lines are rows of figures that nothing parts, line by line; else the row as it is."""
    owner = {bit: place for place, bits in placed for bit in bits}
    values = [lines(bits) for place, bits in placed if place.column > placed[0][0].column]
    high = max((len(groups) for groups in values), default=0)
    equal = [groups for groups in values if len(groups) == high]
    texts = [" ".join(page.text[bit.start : bit.end] for bit in group) for groups in equal for group in groups]
    few = high < geometry().figure_lines and (5 * len(equal) < 4 * len(values) or not all(map(whole, texts)))
    figures = sum(
        (any(map(str.isdigit, text)) and is_measured(text)) or len(text) < geometry().sign_long for text in texts
    )
    if high < 2 or few or 2 * len(equal) < len(values) or 3 * figures < 2 * len(texts):
        return [placed]
    groups = lines(list(owner))
    result = []
    for group in groups:
        cells: dict[Place, list[Bit]] = {}
        for bit in group:
            cells.setdefault(owner[bit], []).append(bit)
        result.append(sorted(cells.items(), key=lambda item: item[0].column))
    return result
