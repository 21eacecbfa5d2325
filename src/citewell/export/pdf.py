"""The source PDF with its evidence highlighted: annotations are appended, the original bytes stay unchanged.

Each citation becomes one highlight a page, with a quadrilateral a line; its note holds the number, the statements that
rest on it and their labels. The file is saved as an incremental update (ISO 32000-1, section 7.5.6), so signatures of
the earlier revision stay valid and the original can be cut out again.
"""

from __future__ import annotations

import ctypes
import io
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.errors import CorruptDocumentError, UsageError
from citewell.export.view import View, build_view, one_line, scored
from citewell.text.safe import clean, shorten
from citewell.types import LABEL_WORDS, Answer, Label, Rect, Verdict
from citewell.types.pdfium import LOCK

# Light enough that black text on them stays above a contrast of 10 to 1; the label is also a word in the note.
COLORS: dict[Label, tuple[int, int, int]] = {
    "supported": (255, 226, 110),
    "partially_supported": (255, 196, 120),
    "not_supported": (250, 178, 178),
    "contradicted": (250, 178, 178),
    "quoted": (255, 226, 110),
    "unverified": (205, 196, 240),
    "no_claim": (210, 215, 222),
}
DIFFERS = (255, 160, 122)  # the words of the evidence that a statement conflicts with
# The weakest label first: it gives a quote that several statements share its colour.
_STRENGTH: tuple[Label, ...] = (
    "contradicted",
    "not_supported",
    "unverified",
    "partially_supported",
    "supported",
    "quoted",
    "no_claim",
)
_UNITS = 1000  # PDFium converts whole device units only, so a point is divided into this many


def is_pdf(data: bytes) -> bool:
    """Whether the bytes begin like a PDF; readers accept junk before the header within the first kilobyte."""
    return b"%PDF-" in data[:1024]


def annotate(result: Answer | Sequence[Verdict], document: Document, data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The PDF with highlights, and warnings about the citations that could not be marked.

    Raises UsageError: `data` is not a PDF; CorruptDocumentError: PDFium cannot open it.
    """
    import pypdfium2

    if not is_pdf(data):
        raise UsageError(f"{document.source or 'the document'} is not a PDF, so nothing can be highlighted in it")
    view, name = build_view(result, [document]), document.source or "the PDF"
    with LOCK:
        try:
            pdf = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            raise CorruptDocumentError(f"{name} cannot be opened: {error}") from error
        try:
            warnings = _mark(pdf, view, document.id)
            return _saved(pdf), warnings
        finally:
            pdf.close()


def _mark(pdf: Any, view: View, document_id: str) -> tuple[str, ...]:
    """Add the highlights; returns what could not be marked."""
    warnings = []
    for index, citation in enumerate(view.answer.citations):
        quote = f"[{index + 1}] “{shorten(one_line(citation.quote))}”"
        if citation.document_id != document_id:
            warnings.append(f"{quote} is from another document and is not marked")
            continue
        known = [rect for rect in citation.rects if 1 <= rect.page <= len(pdf)]
        if not known:
            warnings.append(f"{quote} has no place on a page and is not marked")
        label, note = _note(view, index)
        mark = _Mark(COLORS[label], note, f"citewell [{index + 1}]", f"citewell-{index + 1}")
        for number, rects in groupby(known, key=lambda rect: rect.page):
            _highlight(pdf, number, list(rects), mark)
    for count, (_, reason) in enumerate(view.reasons(), 1):
        place = reason.evidence
        if place is not None and place.document_id == document_id:
            mark = _Mark(DIFFERS, view.explained(reason, apart=True), "citewell: differs", f"citewell-reason-{count}")
            known = [rect for rect in place.rects if 1 <= rect.page <= len(pdf)]
            for number, rects in groupby(known, key=lambda rect: rect.page):
                _highlight(pdf, number, list(rects), mark)
    return tuple(warnings)


class _Mark(NamedTuple):
    """How evidence is marked: its colour, its note, the note's title and the annotation's name."""

    color: tuple[int, int, int]
    note: str
    title: str
    name: str


def _saved(pdf: Any) -> bytes:
    from pypdfium2 import raw

    buffer = io.BytesIO()
    pdf.save(buffer, flags=raw.FPDF_INCREMENTAL)
    return buffer.getvalue()


def _highlight(pdf: Any, number: int, rects: Sequence[Rect], mark: _Mark) -> None:
    from pypdfium2 import raw

    page = pdf[number - 1]
    annotation = raw.FPDFPage_CreateAnnot(page, raw.FPDF_ANNOT_HIGHLIGHT)
    try:
        quads = [_quad(page, rect) for rect in rects]
        for quad in quads:
            raw.FPDFAnnot_AppendAttachmentPoints(annotation, raw.FS_QUADPOINTSF(*(x for point in quad for x in point)))
        across, up = zip(*(point for quad in quads for point in quad), strict=True)
        raw.FPDFAnnot_SetRect(annotation, raw.FS_RECTF(min(across), max(up), max(across), min(up)))
        raw.FPDFAnnot_SetColor(annotation, raw.FPDFANNOT_COLORTYPE_Color, *mark.color, 255)
        raw.FPDFAnnot_SetFlags(annotation, raw.FPDF_ANNOT_FLAG_PRINT)
        _set(annotation, b"Contents", mark.note)
        _set(annotation, b"T", mark.title)
        _set(annotation, b"NM", f"{mark.name}-{number}")
    finally:
        raw.FPDFPage_CloseAnnot(annotation)
        page.close()


def _note(view: View, index: int) -> tuple[Label, str]:
    """The weakest label among the statements that cite this, and what the note says."""
    citing = [statement for statement in view.answer.statements if index in statement.citations]
    label: Label = next((label for label in _STRENGTH if any(item.label == label for item in citing)), "no_claim")
    lines = [
        f"[{index + 1}] {LABEL_WORDS[statement.label]}{f' {scored(statement)}'.rstrip()}: {one_line(statement.text)}"
        for statement in citing
    ]
    return label, "\n".join(lines) or f"[{index + 1}] found for an answer that was not given"


def _quad(page: Any, rect: Rect) -> list[tuple[float, float]]:
    """The corners of a rectangle in the page's own space: top left, top right, bottom left, bottom right as displayed.

    PDFium's own device transform is used, so that rotation and crop box are those with which pages are shown.
    """
    from pypdfium2 import raw

    width, height = page.get_size()
    size = (round(width * _UNITS), round(height * _UNITS))
    corners = []
    for x, y in ((rect.x0, rect.y0), (rect.x1, rect.y0), (rect.x0, rect.y1), (rect.x1, rect.y1)):
        across, up = ctypes.c_double(), ctypes.c_double()
        raw.FPDF_DeviceToPage(page, 0, 0, *size, 0, round(x * _UNITS), round(y * _UNITS), across, up)
        corners.append((across.value, up.value))
    return corners


def _set(annotation: Any, key: bytes, text: str) -> None:
    from pypdfium2 import raw

    encoded = ctypes.create_string_buffer((clean(text) + "\0").encode("utf-16-le", "replace"))
    raw.FPDFAnnot_SetStringValue(annotation, key, ctypes.cast(encoded, raw.FPDF_WIDESTRING))
