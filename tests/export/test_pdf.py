"""The annotated PDF: highlights on the words, in every rotation and crop, and the file's own bytes untouched."""

import ctypes
import io

import pypdfium2
import pytest
from pypdfium2 import raw

from citewell.document import Document
from citewell.errors import UsageError
from citewell.export import pdf
from citewell.types import Answer, Citation, Page, Rect, Statement

WORDS = "Revenue rose."
BOX = (60.0, 200.0, 130.0, 216.0)  # left, bottom, right, top in the page's own space


def make_pdf(rotation=0, crop=None):
    """One page of 300 by 400 points with a blue bar where the words would stand."""
    document = pypdfium2.PdfDocument.new()
    page = document.new_page(300, 400)
    bar = raw.FPDFPageObj_CreateNewRect(BOX[0], BOX[1], BOX[2] - BOX[0], BOX[3] - BOX[1])
    raw.FPDFPageObj_SetFillColor(bar, 0, 0, 255, 255)
    raw.FPDFPath_SetDrawMode(bar, raw.FPDF_FILLMODE_WINDING, 0)
    raw.FPDFPage_InsertObject(page, bar)
    raw.FPDFPage_GenerateContent(page)
    if crop:
        page.set_cropbox(*crop)
    page.set_rotation(rotation)
    buffer = io.BytesIO()
    document.save(buffer)
    document.close()
    return buffer.getvalue()


def pixels(data):
    with pypdfium2.PdfDocument(data) as document:
        image = document[0].render(scale=2).to_numpy().astype(int)
        return image, document[0].get_size()


def blue_box(data):
    """Where the bar is displayed, in points from the top left: found by looking."""
    image, size = pixels(data)
    blue = (image[..., 0] > 200) & (image[..., 1] < 60) & (image[..., 2] < 60)  # channels are blue, green, red
    rows, columns = blue.any(axis=1).nonzero()[0], blue.any(axis=0).nonzero()[0]
    return Rect(1, columns[0] / 2, rows[0] / 2, (columns[-1] + 1) / 2, (rows[-1] + 1) / 2), size


def make(data, rects, label="supported"):
    _, size = pixels(data)
    document = Document(WORDS, source="a.pdf", pages=(Page(1, 0, len(WORDS), *size),))
    citation = Citation(document.id, "p0.0", "sentence", WORDS, 0, 13, 0, 13, 1, rects, 0.9, "lexical")
    statement = Statement(WORDS, 0, 13, label, 0.91, (0,))
    return Answer(WORDS, (statement,), (citation,), (document.info,)), document


def annotations(data):
    """Contents and quadrilaterals of the highlights of the first page."""
    calls = []
    with pypdfium2.PdfDocument(data) as document:
        page = document[0]
        for index in range(raw.FPDFPage_GetAnnotCount(page)):
            annotation = raw.FPDFPage_GetAnnot(page, index)
            assert raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_HIGHLIGHT
            size = raw.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0)
            buffer = ctypes.create_string_buffer(size)
            target = ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR))
            raw.FPDFAnnot_GetStringValue(annotation, b"Contents", target, size)
            calls.append((buffer.raw.decode("utf-16-le").rstrip("\0"), raw.FPDFAnnot_CountAttachmentPoints(annotation)))
            raw.FPDFPage_CloseAnnot(annotation)
    return calls


@pytest.mark.parametrize("crop", [None, (20, 30, 280, 350)])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_highlight_covers_the_words_however_the_page_is_turned_and_cropped(rotation, crop):
    data = make_pdf(rotation, crop)
    rect, _ = blue_box(data)
    answer, document = make(data, (rect,))
    annotated, warnings = pdf.annotate(answer, document, data)
    before, after = pixels(data)[0], pixels(annotated)[0]
    changed = (before != after).any(axis=2)
    rows, columns = changed.any(axis=1).nonzero()[0], changed.any(axis=0).nonzero()[0]
    top, bottom, left, right = rows[0] / 2, (rows[-1] + 1) / 2, columns[0] / 2, (columns[-1] + 1) / 2
    assert warnings == ()
    assert (left, top, right, bottom) == pytest.approx((rect.x0, rect.y0, rect.x1, rect.y1), abs=6)  # ends are rounded
    assert changed[int(rect.y0 + rect.y1), int(rect.x0 + rect.x1)].any()


def test_the_original_bytes_are_untouched_and_the_note_says_statement_and_label():
    data = make_pdf()
    rect, _ = blue_box(data)
    answer, document = make(data, (rect, rect._replace(y0=rect.y1 + 4, y1=rect.y1 + 18)), "partially_supported")
    annotated, _ = pdf.annotate(answer, document, data)
    assert annotated.startswith(data)
    assert annotations(annotated) == [("[1] partially supported 0.91: Revenue rose.", 2)]


def test_what_has_no_place_is_not_marked_but_named():
    data = make_pdf()
    answer, document = make(data, ())
    annotated, warnings = pdf.annotate(answer, document, data)
    assert annotations(annotated) == []
    assert warnings == ("[1] “Revenue rose.” has no place on a page and is not marked",)


def test_evidence_from_another_document_is_not_marked_but_named():
    data = make_pdf()
    answer, _ = make(data, (Rect(1, 10, 10, 50, 20),))
    annotated, warnings = pdf.annotate(answer, Document("Other."), data)
    assert annotations(annotated) == []
    assert warnings == ("[1] “Revenue rose.” is from another document and is not marked",)


def test_what_is_no_pdf_is_refused():
    answer, document = make(make_pdf(), ())
    with pytest.raises(UsageError, match=r"a\.pdf is not a PDF"):
        pdf.annotate(answer, document, b"PK\x03\x04")
