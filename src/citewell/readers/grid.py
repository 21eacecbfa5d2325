"""The cells of a table in columns: a cell that spans columns or rows fills the first, the others stay empty."""

from __future__ import annotations

# Spans beyond these are a mistake, or made to fill the memory.
_WIDEST = 100
_COLUMNS = 300


class Grid:
    """Rows of cells, filled from the top left."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.indents: dict[tuple[int, int], float] = {}  # (row, column) -> points, where a cell is set in
        self.spans: dict[tuple[int, int], tuple[int, int]] = {}  # (row, column) -> rows, columns, where more than one
        self._covered: set[int] = set()  # columns of this row that a cell above reaches into
        self._left: dict[int, int] = {}  # column -> rows below this one that a cell reaches into

    def row(self) -> None:
        """Begin a row."""
        self._covered = set(self._left)
        self._left = {column: left - 1 for column, left in self._left.items() if left > 1}
        self.rows.append([])

    def cell(self, text: str, columns: str | int | None = 1, rows: str | int | None = 1, indent: float = 0.0) -> None:
        """Append a cell that spans so many columns and rows; its text is set in by `indent` points."""
        cells, high = self.rows[-1], _number(rows)
        while len(cells) in self._covered and len(cells) < _COLUMNS:
            cells.append("")
        if indent:
            self.indents[len(self.rows) - 1, len(cells)] = indent
        wide = min(_number(columns), max(1, _COLUMNS - len(cells)))
        if wide > 1 or high > 1:
            self.spans[len(self.rows) - 1, len(cells)] = high, wide
        for offset in range(wide):
            if high > 1:
                self._left[len(cells)] = high - 1
            cells.append("" if offset else text)


def _number(value: str | int | None) -> int:
    try:
        return min(max(int(value or 1), 1), _WIDEST)
    except ValueError:
        return 1
