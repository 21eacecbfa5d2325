"""Measures of tables that are read: F1 over neighbouring cells, GriTS over their text, and other finders to hold beside."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

GridCells = dict[tuple[int, int], tuple[int, str]]
"""By row and column the number of the cell that stands there and its text, in `key`'s form; empty places are left out."""

Box = tuple[float, float, float, float]
Finder = Callable[[Path], Iterator[tuple[int, Box, GridCells]]]
"""Page, box (points, from the top left) and cells of each table of a PDF."""


def key(text: str) -> str:
    """A cell's letters, digits and signs of order: blanks and dashes are written differently by every reader."""
    return re.sub(r"[^\w<>=+.%±]+|_+", "", unicodedata.normalize("NFKC", text)).strip(".").lower()


@dataclass
class Score:
    """Counts of what is right, of what was read and of what is there."""

    same: int = 0
    have: int = 0
    wanted: int = 0

    def add(self, wanted: Counter, have: Counter) -> None:
        """Count a document."""
        self.same += sum((wanted & have).values())
        self.have += sum(have.values())
        self.wanted += sum(wanted.values())

    def __add__(self, other: Score) -> Score:
        return Score(self.same + other.same, self.have + other.have, self.wanted + other.wanted)

    @property
    def precision(self) -> float:
        """Per cent of what was read that is right."""
        return 100 * self.same / max(1, self.have)

    @property
    def recall(self) -> float:
        """Per cent of what is there that was read."""
        return 100 * self.same / max(1, self.wanted)

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return 200 * self.same / max(1, self.have + self.wanted)


def relations(cells: GridCells) -> Counter[tuple[str, str, str]]:
    """Pairs of neighbouring cells with text, empty ones skipped: (text, text, direction), as ICDAR 2013 counts."""
    pairs: set[tuple[int, int, str]] = set()
    texts = dict(cells.values())
    rows = 1 + max((row for row, _ in cells), default=-1)
    columns = 1 + max((column for _, column in cells), default=-1)
    for (row, column), (members, _) in cells.items():
        for along, way in (((0, 1), "across"), ((1, 0), "down")):
            r, c = row + along[0], column + along[1]
            while r < rows and c < columns and cells.get((r, c), (members, ""))[0] == members:
                r, c = r + along[0], c + along[1]
            if (r, c) in cells:
                pairs.add((members, cells[r, c][0], way))
    return Counter((texts[a], texts[b], way) for a, b, way in pairs)


@lru_cache(maxsize=200_000)
def _alike(a: str, b: str) -> float:
    return 1.0 if a == b else SequenceMatcher(None, a, b, autojunk=False).ratio()


def resemblance(gold: GridCells, ours: GridCells) -> float:
    """GriTS over text (Smock et al. 2022), factored: rows aligned by their cells, then columns, both in order.

    2 * the text that aligned places share, over the places with text of both tables.
    """
    if not gold or not ours:
        return 0.0
    a, b = _rows(gold), _rows(ours)
    rows = _aligned(a, b, lambda x, y: _chain([c for _, c in x], [c for _, c in y], _alike)[0])
    columns = _aligned(_turned(a), _turned(b), lambda x, y: _chain([c for _, c in x], [c for _, c in y], _alike)[0])
    shared = sum(
        _alike(gold[r, c][1], ours[s, d][1]) for r, s in rows for c, d in columns if (r, c) in gold and (s, d) in ours
    )
    return 2 * shared / (len(gold) + len(ours))


def _rows(cells: GridCells) -> list[list[tuple[int, str]]]:
    rows: list[list[tuple[int, str]]] = [[] for _ in range(1 + max(row for row, _ in cells))]
    for (row, column), (_, text) in sorted(cells.items()):
        rows[row].append((column, text))
    return rows


def _turned(rows: list[list[tuple[int, str]]]) -> list[list[tuple[int, str]]]:
    columns: list[list[tuple[int, str]]] = [[] for _ in range(1 + max(c for row in rows for c, _ in row))]
    for number, row in enumerate(rows):
        for column, text in row:
            columns[column].append((number, text))
    return columns


def _aligned(a: list, b: list, worth: Callable) -> list[tuple[int, int]]:
    return _chain(a, b, worth)[1]


def _chain(a: list, b: list, worth: Callable) -> tuple[float, list[tuple[int, int]]]:
    """The pairs in order of two sequences that are worth most together."""
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + worth(a[i], b[j]))
    pairs, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return best[0][0], pairs


def peers() -> dict[str, Finder]:
    """Other finders of tables, those that are installed."""
    import importlib.util

    known = {
        "pdfplumber": ("pdfplumber", _pdfplumber),
        "camelot": ("camelot", _camelot),
        "pymupdf": ("pymupdf", _pymupdf),
    }
    return {name: finder for name, (module, finder) in known.items() if importlib.util.find_spec(module)}


def _cells(rows: list[list[str | None]]) -> GridCells:
    return {
        (r, c): (r * 10_000 + c, key(text))
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if key(text or "")
    }


def _pdfplumber(path: Path) -> Iterator[tuple[int, Box, GridCells]]:
    import pdfplumber

    with pdfplumber.open(path) as pdf:
        for number, page in enumerate(pdf.pages, 1):
            tables = page.find_tables()
            if not tables:
                tables = page.find_tables({"vertical_strategy": "text", "horizontal_strategy": "text"})
            for table in tables:
                yield number, tuple(table.bbox), _cells(table.extract())


def _camelot(path: Path) -> Iterator[tuple[int, Box, GridCells]]:
    import camelot
    import pypdfium2

    with pypdfium2.PdfDocument(path) as pdf:
        heights = [page.get_height() for page in pdf]
    tables = camelot.read_pdf(str(path), pages="all", flavor="hybrid", suppress_stdout=True)
    for table in tables:
        x0, y0, x1, y1 = table._bbox
        height = heights[table.page - 1]
        yield table.page, (x0, height - y1, x1, height - y0), _cells(table.df.values.tolist())


def _pymupdf(path: Path) -> Iterator[tuple[int, Box, GridCells]]:
    import pymupdf

    with pymupdf.open(path) as pdf:
        for number, page in enumerate(pdf, 1):
            tables = page.find_tables().tables or page.find_tables(strategy="text").tables
            for table in tables:
                yield number, tuple(table.bbox), _cells(table.extract())
