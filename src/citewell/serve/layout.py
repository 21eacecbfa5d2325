"""A document's layout as plain data for a page: sizes and lines of PDF pages, blocks and tables of others."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

from citewell.document import Document
from citewell.export.html_document import CELL
from citewell.readers.pdf.locate import PdfLocator
from citewell.serve import faults
from citewell.types import Block, Grid, Page, Place

VERBS = ("pages", "lines", "structure", "place", "find")


def describe(verb: str, document: Document, file: bytes | None, payload: dict[str, Any]) -> dict[str, Any]:
    """The layout that a verb asks for. Raises Fault: the document has no such page."""
    if verb == "pages":
        return {"drawn": is_pdf(file) and bool(document.pages), "pages": list(map(_page, document.pages))}
    if verb == "lines":
        return _lines(document, payload["page"])
    if verb == "place":
        return _place(document, payload["start"], payload["end"])
    if verb == "find":
        return _find(document, payload["q"], payload["limit"])
    return {"text": document.text, "blocks": list(map(_block, document.blocks)), "tables": list(_tables(document))}


def is_pdf(file: bytes | None) -> bool:
    """Whether the file is a PDF, whose pages can be drawn."""
    return file is not None and b"%PDF-" in file[:1024]


def _place(document: Document, start: int, end: int) -> dict[str, Any]:
    """The position of a span of the text on its pages."""
    if not start < end <= len(document.text):
        raise faults.lacks(f"the document's text goes from 0 to {len(document.text)}", "end")
    place = document.placed(Place(document.id, start, end))
    return {**place.to_dict(), "quote": document.text[start:end]}


def _find(document: Document, query: str, most: int) -> dict[str, Any]:
    """Search the text for consecutive words, ignoring case and line breaks.

    All matches are counted; places of so many at most are listed.
    """
    pattern = re.compile(r"\s{1,9}".join(map(re.escape, query.split())), re.IGNORECASE)
    begun = [page.start for page in document.pages]
    places, count = list[dict[str, Any]](), 0
    for match in pattern.finditer(document.text) if query.strip() else ():
        count += 1
        if count <= most:
            number = bisect_right(begun, match.start()) - 1
            page = document.pages[number].number if number >= 0 else None
            places.append({"start": match.start(), "end": match.end(), "page": page})
    return {"count": count, "matches": places}


def _page(page: Page) -> dict[str, float]:
    return {"page": page.number, "width": page.width, "height": page.height, "start": page.start, "end": page.end}


def _lines(document: Document, number: int) -> dict[str, Any]:
    """The text on a page by lines, or by the parts of lines in cells."""
    page = next((page for page in document.pages if page.number == number), None)
    if page is None:
        raise faults.lacks(f"the document has no page {number}", "n")
    lines = []
    if isinstance(document.locator, PdfLocator):
        for start, end, rect in document.locator.lines(number):
            lines.append({"start": start, "end": end, "text": document.text[start:end], "rect": list(rect[1:])})
    return {**_page(page), "lines": lines}


def _block(block: Block) -> dict[str, Any]:
    return {"kind": block.kind, "level": block.level, "start": block.start, "end": block.end}


def _tables(document: Document) -> Iterator[dict[str, Any]]:
    """The tables by rows of cells; a block between rows becomes a row with one cell."""
    grids = [grid for grid in document.grids if grid.slots]
    starts = [grid.start for grid in grids]

    def within(block: Block) -> Grid | None:
        number = bisect_right(starts, block.start) - 1
        return grids[number] if number >= 0 and block.start < grids[number].end else None

    for (grid, is_row), group in groupby(document.blocks, lambda block: (within(block), block.kind == "table_row")):
        blocks = list(group)
        if grid is not None or is_row:
            rows = _grid_rows(grid, blocks) if grid else _text_rows(document.text, blocks)
            yield {"start": blocks[0].start, "end": blocks[-1].end, "rows": rows}


def _grid_rows(grid: Grid, blocks: list[Block]) -> list[dict[str, Any]]:
    rows: list[tuple[int, dict[str, Any]]] = []
    for row, group in groupby(sorted(grid.slots), lambda slot: slot.row):
        slots = list(group)
        cells = [
            {"start": slot.start, "end": slot.end, "column": slot.column, "rows": slot.rows, "columns": slot.columns}
            for slot in slots
        ]
        rows.append((min(slot.start for slot in slots), {"head": row < grid.heads, "cells": cells}))
    begun = sorted(slot.start for slot in grid.slots)
    for block in blocks:
        first = bisect_right(begun, block.start - 1)
        if first == len(begun) or begun[first] >= block.end:
            cell = {"start": block.start, "end": block.end, "column": 0, "rows": 1, "columns": grid.columns}
            rows.append((block.start, {"head": False, "cells": [cell]}))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _text_rows(text: str, blocks: list[Block]) -> list[dict[str, Any]]:
    rows = []
    for block in blocks:
        sizes = [len(part) + len(CELL) for part in text[block.start : block.end].split(CELL)]
        edges = [block.start]
        for size in sizes:
            edges.append(edges[-1] + size)
        cells = [
            {"start": start, "end": end - len(CELL), "column": column, "rows": 1, "columns": 1}
            for column, (start, end) in enumerate(pairwise(edges))
        ]
        rows.append({"head": False, "cells": cells})
    return rows
