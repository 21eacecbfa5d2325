"""Scanned pages of a PDF: drawn and read by OCR one after another, with the warnings about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from citewell.readers.budget import Allowance
from citewell.readers.ocr import Recognised, Tesseract, UnreadPageError
from citewell.readers.pdf.boxes import Floats
from citewell.readers.pdf.chars import PageChars
from citewell.types.pdfium import LOCK

_DPI = 300  # for which Tesseract is made
_PIXELS = 40_000_000  # of a drawn page; ISO A2 at that resolution has 35 million


class Scans(NamedTuple):
    """Pages that OCR gave words, by number, the boxes of their characters, and what to tell."""

    pages: dict[int, PageChars]
    boxes: dict[int, Floats]
    warnings: list[str]


NOTHING = Scans({}, {}, [])


def read_scans(
    data: bytes,
    numbers: Sequence[int],
    engine: Tesseract,
    allowance: Allowance,
    progress: Callable[[int, int], None] | None,
) -> Scans:
    """Read these pages of a PDF. Raises TooLargeDocumentError: there are more than the budget allows."""
    import pypdfium2

    allowance.budget.hold("scanned_pages", len(numbers), allowance.what)
    recognised: dict[int, Recognised] = {}
    failed: dict[int, str] = {}
    with LOCK:
        pdf = pypdfium2.PdfDocument(data)
    try:
        for done, number in enumerate(numbers, start=1):
            drawn = _drawn(pdf, number)
            if drawn is not None:
                try:
                    recognised[number] = engine.read(drawn.greys, number, drawn.scale, allowance, drawn.size)
                except UnreadPageError as error:
                    failed[number] = str(error)
            if progress:
                progress(done, len(numbers))
    finally:
        with LOCK:
            pdf.close()
    kept = {number: page for number, page in recognised.items() if len(page.page.words)}
    return Scans(
        {number: page.page for number, page in kept.items()},
        {number: page.boxes for number, page in kept.items()},
        describe_scans(kept, failed, engine.languages),
    )


def describe_scans(kept: dict[int, Recognised], failed: dict[int, str], languages: str) -> list[str]:
    """What was read by OCR, how sure Tesseract is of it, and what it could not read."""
    warnings: list[str] = []
    if kept:
        words = sum(len(page.page.words) for page in kept.values())
        mean = sum(page.confidence * len(page.page.words) for page in kept.values()) / words
        least = min(kept, key=lambda number: kept[number].confidence)
        weakest = f", least on page {least}: {kept[least].confidence:.0f}" if len(kept) > 1 else ""
        warnings.append(
            f"the text of page{'s' * (len(kept) > 1)} {ranges(sorted(kept))} was read by OCR (Tesseract, {languages}), "
            f"{mean:.0f} of 100 sure of its words{weakest}: hold figures against the picture"
        )
    warnings += [f"page {number} could not be read by OCR: Tesseract {why}" for number, why in sorted(failed.items())]
    return warnings


def ranges(numbers: Sequence[int]) -> str:
    """Page numbers as "3, 7-9"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


class _Drawn(NamedTuple):
    """A page as greys, how many of them make a point, and its size in points."""

    greys: Any
    scale: float
    size: tuple[float, float]


def _drawn(pdf: Any, number: int) -> _Drawn | None:
    """A page as it is drawn; None where nothing is drawn on it."""
    with LOCK:
        page = pdf[number - 1]
        try:
            width, height = page.get_size()
            if not width * height or next(iter(page.get_objects(max_depth=1)), None) is None:
                return None
            scale = min(_DPI / 72, (_PIXELS / (width * height)) ** 0.5)
            bitmap = page.render(scale=scale, grayscale=True)
            try:
                greys = bitmap.to_numpy().reshape(bitmap.height, bitmap.width).copy()
                return _Drawn(greys, scale, (width, height))
            finally:
                bitmap.close()
        finally:
            page.close()
