"""Pictures of pages (PNG, JPEG, TIFF, WebP, BMP, GIF) through OCR: a picture is a page, words have rectangles."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from citewell.document import Document
from citewell.errors import CorruptDocumentError, EmptyDocumentError, TooLargeDocumentError, UnsupportedFormatError
from citewell.readers.budget import DEFAULT, Allowance, Budget
from citewell.readers.ocr import AUTO, Recognised, UnreadPageError, engine_for, without
from citewell.readers.pdf.chars import PageChars, blank_page
from citewell.readers.pdf.locate import PdfLocator
from citewell.readers.pdf.pages import compose
from citewell.readers.pdf.scans import describe_scans, ranges

_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
_DPI = 150  # where a picture does not say, or says what no scanner does
_LIKELY = (60, 2400)


def read_picture(
    data: bytes,
    *,
    source: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    budget: Budget = DEFAULT,
    ocr: str = AUTO,
    seems: str = "a picture",
) -> Document:
    """A picture of one page, or a TIFF of several.

    Raises UnsupportedFormatError: OCR is not there, or off; CorruptDocumentError: it is damaged; TooLargeDocumentError:
    it has more pages or pixels than the budget allows; EmptyDocumentError: OCR finds no words; UsageError: `ocr` names
    languages that Tesseract does not have.
    """
    what = source or "the picture"
    engine = engine_for(ocr)
    if engine is None:
        raise UnsupportedFormatError(f"{what} is {seems}: {without(ocr)}")
    allowance = Allowance(budget, len(data), what)
    pages: list[PageChars] = []
    kept: dict[int, Recognised] = {}
    failed: dict[int, str] = {}
    with _opened(data, what) as image:
        total = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
        budget.hold("scanned_pages", total, what)
        for number in range(1, total + 1):
            greys, scale = _greys(image, number, allowance)
            pages.append(blank_page(number, greys.shape[1] / scale, greys.shape[0] / scale, ""))
            try:
                recognised = engine.read(greys, number, scale, allowance)
            except UnreadPageError as error:
                failed[number] = str(error)
            else:
                if len(recognised.page.words):
                    kept[number] = recognised
                    pages[-1] = recognised.page
            if progress:
                progress(number, total)
    remarks = describe_scans(kept, failed, engine.languages)
    if not kept:
        why = f" ({'; '.join(remarks)})" if remarks else ""
        raise EmptyDocumentError(f"{what} is {seems} in which OCR finds no words{why}")
    if empty := [page.number for page in pages if page.number not in kept and page.number not in failed]:
        remarks.append(f"OCR finds no words on page{'s' * (len(empty) > 1)} {ranges(empty)}")
    boxes = {number: page.boxes for number, page in kept.items()}
    return compose(pages, source, "", remarks, lambda runs: PdfLocator(b"", runs, read=boxes))


def _opened(data: bytes, what: str) -> Any:
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit is stricter
        try:
            return Image.open(io.BytesIO(data), formats=_FORMATS)
        except Image.DecompressionBombError as error:
            raise TooLargeDocumentError(f"{what} has too many pixels: {error}", "pixels") from error
        except (OSError, ValueError, SyntaxError, TypeError, OverflowError) as error:
            raise CorruptDocumentError(f"{what} is a damaged picture: {' '.join(str(error).split())}") from error


def _greys(image: Any, number: int, allowance: Allowance) -> tuple[Any, float]:
    """A page of the picture as greys, the way up that it is shown, and how many of them make a point."""
    from PIL import Image, ImageOps

    try:
        if number > 1:
            image.seek(number - 1)
        allowance.budget.hold("pixels", image.width * image.height, allowance.what)
        dpi = image.info.get("dpi", (0, 0))[0]
        upright = ImageOps.exif_transpose(image)
        if upright.mode in {"RGBA", "LA", "PA"} or "transparency" in upright.info:
            paper = Image.new("RGBA", upright.size, "white")
            upright = Image.alpha_composite(paper, upright.convert("RGBA"))
        greys = np.array(upright.convert("L"))
    except (OSError, ValueError, SyntaxError, TypeError, EOFError, OverflowError, ZeroDivisionError) as error:
        raise CorruptDocumentError(
            f"{allowance.what} is damaged at page {number}: {' '.join(str(error).split())}"
        ) from error
    low, high = _LIKELY
    return greys, float(dpi if low <= dpi <= high else _DPI) / 72
