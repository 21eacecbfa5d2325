"""One PDF page as a picture (PNG), including the marks that `pdf.annotate` added."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

from citewell.errors import CorruptDocumentError, UsageError
from citewell.types.pdfium import LOCK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST = 1568  # pixels of the longer side: models that see scale down what is larger
_PIXELS = 40_000_000  # A2 at 300 dots an inch has 35 million
_UP = 2  # PNG's filter that keeps of each line what differs from the line above: white lines become zeros
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class PageImage(NamedTuple):
    """A drawn page; `pages` is how many there are."""

    png: bytes
    width: int
    height: int
    pages: int


def draw(
    data: bytes, number: int, name: str = "the PDF", longest: int = LONGEST, scale: float | None = None
) -> PageImage:
    """The page with this number, the first being 1.

    `scale` is how many pixels a point has, fewer where that would be a picture beyond measure; where it is None the
    longer side has `longest`. Raises UsageError: there is no such page; CorruptDocumentError: PDFium cannot open it.
    """
    import pypdfium2

    with LOCK:
        try:
            pdf = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            raise CorruptDocumentError(f"{name} cannot be opened: {error}") from error
        try:
            pages = len(pdf)
            if not 1 <= number <= pages:
                raise UsageError(f"{name} has the pages 1 to {pages}, and no page {number}")
            page = pdf[number - 1]
            width, height = (max(1.0, side) for side in page.get_size())
            drawn = longest / max(width, height) if scale is None else min(scale, (_PIXELS / (width * height)) ** 0.5)
            pixels = page.render(scale=drawn, rev_byteorder=True, prefer_bgrx=False).to_numpy()[..., :3].copy()
        except pypdfium2.PdfiumError as error:
            raise CorruptDocumentError(f"page {number} of {name} cannot be drawn: {error}") from error
        finally:
            pdf.close()
    rows, columns = pixels.shape[:2]
    return PageImage(_png(pixels), columns, rows, pages)


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """Rows of red, green and blue as a PNG file (RFC 2083)."""
    height, width = pixels.shape[:2]
    lines = pixels.reshape(height, width * 3)
    lines[1:] -= lines[:-1].copy()
    filtered = b"".join(bytes((_UP,)) + line.tobytes() for line in lines)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits a channel, colours, not interlaced
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(filtered, 3)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
