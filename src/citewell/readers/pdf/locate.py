"""Rectangles of a range of a PDF's text, on demand: a page is opened when a citation needs it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from citewell.readers.pdf.boxes import Floats, to_page, visible_box
from citewell.readers.pdf.chars import loose_boxes
from citewell.readers.pdf.text import Runs
from citewell.text.memo import Recent
from citewell.types import Rect
from citewell.types.pdfium import LOCK

KEPT = 32
"""Boxes of so many pages are kept."""


class PdfLocator:
    """Finds rectangles in one PDF. Holds the file's bytes and the map; safe to use from several threads.

    Attributes:
        file: the bytes of the PDF.
        runs: where the text comes from.
        read: the boxes of the characters of pages that OCR read, which the file does not have.
    """

    def __init__(
        self,
        data: bytes,
        runs: Runs,
        boxes: Callable[[bytes, int], Floats] | None = None,
        read: Mapping[int, Floats] | None = None,
    ) -> None:
        """Take a file, where its text comes from, and what opens a page: `page_boxes`, if nothing else is given."""
        self.file, self.runs, self.read, self._open = data, runs, read or {}, boxes or page_boxes
        self._kept = Recent[int, Floats](KEPT)

    def locate(self, start: int, end: int) -> tuple[Rect, ...]:
        """The rectangles of `text[start:end]`, one a line of text, in reading order; white space has none.

        A rectangle is as wide as the characters that were asked for and as high as the glyphs of their whole line,
        in points of the displayed page, origin at the top left.
        """
        runs = self.runs
        first = int(np.searchsorted(runs.end, start, "right"))
        stop = int(np.searchsorted(runs.start, end, "left"))
        if first >= stop or end <= start:
            return ()
        rects: list[Rect] = []
        lines: dict[int, tuple[int, Floats]] = {}
        for index in range(first, stop):
            low, high = max(start, int(runs.start[index])), min(end, int(runs.end[index]))
            boxes = self._boxes(index, low, high)
            if boxes is None:
                continue
            line = int(runs.line[index])
            page, before = lines.get(line, (int(runs.page[index]), boxes[:0]))
            lines[line] = page, np.concatenate((before, boxes))
        for line, (page, boxes) in lines.items():
            whole = self._line(line)
            rects.append(_rect(page, boxes, whole))
        return tuple(rects)

    def lines(self, page: int) -> list[tuple[int, int, Rect]]:
        """Where each stretch of a page's text starts and ends, a line or the part of one, and its rectangle."""
        runs = self.runs
        spans = [(int(runs.start[index]), int(runs.end[index])) for index in np.flatnonzero(runs.page == page)]
        return [(start, end, rect) for start, end in spans for rect in self.locate(start, end)]

    def _boxes(self, index: int, low: int, high: int) -> Floats | None:
        """Boxes of the canonical offsets `low` to `high` of one run, None where it is white space."""
        runs = self.runs
        char, begin, count = int(runs.char[index]), int(runs.start[index]), int(runs.chars[index])
        page = self._page(int(runs.page[index]))
        first = char + min(low - begin, count - 1)
        last = char + min(high - 1 - begin, count - 1)
        boxes = page[first : last + 1]
        boxes = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
        return boxes if len(boxes) else None

    def _line(self, line: int) -> Floats:
        """Boxes of every character of a line: its height is the same whichever words are marked."""
        runs = self.runs
        first, stop = np.searchsorted(runs.line, [line, line + 1]).tolist()
        parts = [self._boxes(index, int(runs.start[index]), int(runs.end[index])) for index in range(first, stop)]
        return np.concatenate([part for part in parts if part is not None])

    def _page(self, number: int) -> Floats:
        """Boxes of all characters of a page, without area where there is no ink."""
        if number in self.read:
            return self.read[number]
        with LOCK:
            return self._kept.get(number, partial(self._open, self.file, number))


def page_boxes(data: bytes, number: int) -> Floats:
    """Boxes of all characters of the page with this number, from 1."""
    import pypdfium2 as pdfium

    with LOCK:
        pdf = pdfium.PdfDocument(data)
        try:
            page = pdf[number - 1]
            try:
                return _char_boxes(page)
            finally:
                page.close()
        finally:
            pdf.close()


def _char_boxes(page: Any) -> Floats:
    """(n, 4) x0, y0, x1, y1 of each character of a page as displayed."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(textpage.raw)
        sides = np.zeros((count, 4))
        if not count:
            return sides
        values = [ctypes.c_double() for _ in range(4)]
        pointers = [ctypes.byref(value) for value in values]
        get = raw.FPDFText_GetCharBox
        left, right, bottom, top = values
        for index in range(count):
            get(textpage.raw, index, *pointers)
            sides[index] = (left.value, bottom.value, right.value, top.value)
        empty = np.flatnonzero((sides[:, 2] <= sides[:, 0]) | (sides[:, 3] <= sides[:, 1]))
        if len(empty):
            # Glyphs without an outline (Type 3 fonts, some signs) have a loose box; white space stays without.
            kept = [
                i for i in empty.tolist() if chr(max(0, raw.FPDFText_GetUnicode(textpage.raw, i))) not in " \r\n\t\xa0"
            ]
            if kept:
                sides[kept] = loose_boxes(textpage.raw, kept)
        rotation = raw.FPDFPage_GetRotation(page.raw) % 4 * 90
        blank = ~((sides[:, 2] > sides[:, 0]) & (sides[:, 3] > sides[:, 1]))
        placed = to_page(sides, visible_box(raw, page.raw), rotation)
        # Down to the hundredth, to which rectangles are rounded: none sticks out of its page.
        size = np.floor(np.array(page.get_size()) * 100) / 100
        placed = np.clip(placed, 0.0, np.tile(size, 2))
        placed[blank] = 0.0
        return placed
    finally:
        textpage.close()


def _rect(page: int, boxes: Floats, line: Floats) -> Rect:
    """The rectangle around `boxes`; across the writing direction it is as wide as the whole `line`."""
    x0, y0 = boxes[:, 0].min(), boxes[:, 1].min()
    x1, y1 = boxes[:, 2].max(), boxes[:, 3].max()
    if np.ptp(line[:, 0]) >= np.ptp(line[:, 1]):
        y0, y1 = line[:, 1].min(), line[:, 3].max()
    else:
        x0, x1 = line[:, 0].min(), line[:, 2].max()
    return Rect(page, *(round(float(value), 2) for value in (x0, y0, x1, y1)))
