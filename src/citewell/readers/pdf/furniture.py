"""Running headers, footers and page numbers: repeated text at page edges is not part of the text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from citewell.readers.pdf.geometry import geometry
from citewell.readers.pdf.rows import Row

DEPTH = 3
"""So many rows are looked at from each edge of a page."""
LONG = 8
"""In a file of fewer pages a running header must stand at the rim of the page."""

_FEW = 5  # pages that a statement or a table runs over
_LARGER = 1.2  # times the size of a running header: a title of the same words
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|seite|página)?\s*+(?:[-–—|\[(]\s*+)?(?:[A-Z]{1,2}[-–.])?(?P<n>\d{1,4}|[ivxlc]{1,7})(?:\s*+[-–—|\])])?"
    r"(?:\s*+(?:/|of|von|de)\s*+\d{1,4})?",
    re.IGNORECASE,
)


class Edge(NamedTuple):
    """A row at the edge of a page: what it says without its figures, and on which side it stands."""

    key: tuple[str, bool]
    row: Row


def strip_furniture(pages: Sequence[list[Row]], heights: Sequence[float]) -> list[tuple[str, ...]]:
    """Take running headers, footers and page numbers out of `pages`, in place; return them page by page."""
    total = sum(1 for rows in pages if rows)
    # In a long file what repeats is a footer wherever the page's text ends; in a short one it must stand at the rim.
    edges = [_edges(rows, height, total < LONG) for rows, height in zip(pages, heights, strict=True)]
    # A row inside a table is furniture where it repeats what stands at the rim of pages outside of tables.
    counts = Counter(
        key for page in edges for key in {edge.key for side in page for edge in side if not edge.row.places}
    )
    # Two pages with the same line at the top are a coincidence in a long file, a header in a short one.
    least = 2 if total <= 4 else 3
    titles = _titles(edges) if total >= LONG else {}
    numbered, smallest = _numbered(edges), dict[tuple[str, bool], float]()
    for edge in (edge for page in edges for side in page for edge in side):
        smallest[edge.key] = min(edge.row.size, smallest.get(edge.key, edge.row.size))
    result: list[tuple[str, ...]] = []
    for number, (rows, sides) in enumerate(zip(pages, edges, strict=True)):
        gone: list[Row] = []
        for side in sides:
            # From the edge inwards, up to the first row that does not repeat.
            for edge in side:
                if edge.row.size > _LARGER * smallest[edge.key]:
                    break  # the title, which the header of the pages behind it repeats
                if titles.get(edge.key) == number and not _goes_on(rows, edge.row):
                    break
                if (counts[edge.key] >= least and total > 1) or (number, id(edge.row)) in numbered:
                    gone.append(edge.row)
                else:
                    break
        if gone:
            out = {id(row) for row in gone}
            rows[:] = [row for row in rows if id(row) not in out]
        result.append(tuple(row.text for row in sorted(gone, key=lambda row: row.y0)))
    return result


def _titles(edges: Sequence[tuple[list[Edge], list[Edge]]]) -> dict[tuple[str, bool], int]:
    """The first page of each line atop a few pages in a row: the title of a statement that runs over them."""
    places = defaultdict[tuple[str, bool], list[int]](list)
    for number, (top, _) in enumerate(edges):
        for key in {edge.key for edge in top}:
            places[key].append(number)
    return {
        key: pages[0] for key, pages in places.items() if len(pages) <= _FEW and pages[-1] - pages[0] == len(pages) - 1
    }


def _goes_on(rows: Sequence[Row], header: Row) -> bool:
    """Whether the text below a header goes on with that of the page before."""
    below = min((row for row in rows if row.y0 > header.y0), key=lambda row: row.y0, default=None)
    return below is not None and below.text[:1].islower()


def _edges(rows: list[Row], height: float, narrow: bool) -> tuple[list[Edge], list[Edge]]:
    """The outermost rows at the top, from the top, and at the bottom, from the bottom."""
    if not rows:
        return [], []
    by_height = sorted(rows, key=lambda row: row.y0) if len(rows) > 1 else rows
    zone = geometry().header_zone
    low, high = zone * height, (1 - zone) * height
    half = height / 2
    top = [row for row in by_height[:DEPTH] if row.y1 < (low if narrow else half)]
    bottom = [row for row in by_height[: -DEPTH - 1 : -1] if row.y0 > (high if narrow else 0) and row not in top]
    return [_edge(row, below=False) for row in top], [_edge(row, below=True) for row in bottom]


def _edge(row: Row, *, below: bool) -> Edge:
    figures = row.cells - 1 if row.cells > 2 else 0
    # A table that runs over pages repeats its first row in other figures; that is no header.
    text = row.text if figures and len(_DIGITS.findall(row.text)) > 2 else _DIGITS.sub("#", row.text)
    return Edge((" ".join(text.casefold().replace(" | ", " ").split())[:120], below), row)


def _numbered(edges: Sequence[tuple[list[Edge], list[Edge]]]) -> set[tuple[int, int]]:
    """Rows that hold nothing but a number which grows with the pages, as (position of the page, id of the row)."""
    runs: dict[tuple[bool, int, bool], list[tuple[int, int]]] = defaultdict(list)
    for number, sides in enumerate(edges):
        for below, side in enumerate(sides):
            for edge in side[:2]:
                match = _PAGE_NUMBER.fullmatch(edge.row.text.strip())
                if match:
                    value, roman = _value(match["n"])
                    runs[bool(below), value - number, roman].append((number, id(edge.row)))
    # One page has no other to compare with: a lone number at its foot is its number, at its head it may be a year.
    lone = len(edges) == 1
    return {place for (below, *_), places in runs.items() if len(places) > 1 or (lone and below) for place in places}


def _value(text: str) -> tuple[int, bool]:
    if text.isdecimal():
        return int(text), False
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[char] for char in text.lower()]
    total = sum(-digit if digit < after else digit for digit, after in zip(values, [*values[1:], 0], strict=True))
    return total, True
