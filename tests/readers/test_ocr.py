"""Scanned pages and pictures: words, rectangles and tables as of any page, and every doubt told."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

import citewell
from citewell.errors import (
    CorruptDocumentError,
    EmptyDocumentError,
    ScannedDocumentError,
    TooLargeDocumentError,
    UnsupportedFormatError,
    UsageError,
)
from citewell.readers import Budget, ocr, read, saved

INSTALL = "pip install 'citewell[ocr]' and install Tesseract (Debian: apt-get install tesseract-ocr)"
SIZE = (612, 792)
LINES = [
    (72, 90, "Annual report of Heron Ltd", 20),
    (72, 140, "Heron Ltd makes water pumps. The company moved its plant from Bristol", 11),
    (72, 155, "in March 2022, because rents there had risen by 40% in two years.", 11),
    (72, 200, "(in thousands)", 11),
    *((x, y, text, 11) for y, row in ((220, ["", "2022", "2021"]), (236, ["Net sales", "59,012", "51,440"]), (252, ["Net income", "6,100", "(4,722)"])) for x, text in zip((72, 300, 400), row, strict=True)),
]  # fmt: skip


def drawn(lines=LINES, scale: float = 3.0) -> Image.Image:
    """A page as a scanner gives it: `scale` pixels a point."""
    page = Image.new("L", (round(SIZE[0] * scale), round(SIZE[1] * scale)), "white")
    pen = ImageDraw.Draw(page)
    for x, y, text, size in lines:
        pen.text((x * scale, y * scale), text, "black", ImageFont.load_default(size * scale))
    return page


def packed(image: Image.Image, kind: str = "PNG", **more) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **more)
    return buffer.getvalue()


def scan(*pages: Image.Image | str | None) -> bytes:
    """A PDF of pictures, of pages with their own text, and of blank pages."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, SIZE)
    for page in pages:
        if isinstance(page, str):
            canvas.drawString(72, 700, page)
        elif page is not None:
            canvas.drawImage(ImageReader(page), 0, 0, *SIZE)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def hocr(*lines: str) -> str:
    return f"<html><body><div class='ocr_page'>{''.join(lines)}</div></body></html>"


def line(box: str, *words: tuple[str, str, int], more: str = "baseline 0 -5; x_size 40; x_descenders 10") -> str:
    inner = "".join(
        f"<span class='ocrx_word' title='bbox {at}; x_wconf {sure}'>{text}</span>" for text, at, sure in words
    )
    return f"<span class='ocr_line' title='bbox {box}; {more}'>{inner}</span>"


DARK = Image.new("L", (100, 100), "white")
DARK.putpixel((50, 50), 0)


def test_without_ocr_a_scan_says_in_one_sentence_what_to_install():
    with pytest.raises(ScannedDocumentError) as caught:
        read(scan(DARK), name="scan.pdf")
    assert str(caught.value) == f"scan.pdf has no text layer (its one page has no text): to read it by OCR, {INSTALL}"
    with pytest.raises(UnsupportedFormatError) as refused:
        read(packed(DARK), name="a.png")
    assert str(refused.value) == f"a.png is a PNG picture: to read it by OCR, {INSTALL}"
    document = read(scan("Own text.", DARK))
    assert document.warnings == (
        f"1 of 2 pages has no text layer and cannot be cited (page 2): to read it by OCR, {INSTALL}",
    )


def test_ocr_can_be_turned_off(tesseract):
    tesseract(hocr())
    with pytest.raises(ScannedDocumentError, match="OCR is off"):
        read(scan(DARK), ocr="off")
    with pytest.raises(UnsupportedFormatError, match="OCR is off"):
        read(packed(DARK), ocr="off")


def test_words_lie_where_ocr_saw_them_and_its_doubts_are_told(tesseract):
    tesseract(hocr(line("300 400 810 440", ("Rents", "300 400 500 440", 90), ("rose.", "510 410 810 440", 70))))
    document = read(scan("Own text.", DARK))
    assert document.text == "Own text.\n\nRents rose."
    # 300 dots an inch are 4 1/6 a point.
    (rect,) = document.locate(document.text.index("Rents"), len(document.text))
    assert tuple(rect) == pytest.approx((2, 72, 96, 194.4, 105.6))
    (half,) = document.locate(document.text.index("rose"), document.text.index("rose") + 2)
    assert (half.x0, half.x1) == pytest.approx((122.4, 122.4 + 72 * 2 / 5))
    assert document.warnings == (
        "the text of page 2 was read by OCR (Tesseract, eng), 80 of 100 sure of its words: hold figures against the picture",
    )
    assert document.page_at(document.text.index("Rents")) == 2


@pytest.mark.parametrize(
    ("angle", "first", "second"),
    [
        (90, (96, 168, 105.6, 216), (96, 120, 105.6, 168)),
        (180, (144, 96, 216, 105.6), (72, 96, 144, 105.6)),
        (270, (96, 120, 105.6, 168), (96, 168, 105.6, 216)),
    ],
)
def test_words_that_stand_on_their_side_or_head_have_their_letters_in_order(tesseract, angle, first, second):
    box = "300 400 900 440" if angle == 180 else "400 500 440 900"
    tesseract(hocr(line(box, ("abcd", box, 90), more=f"textangle {angle}; x_size 40")))
    document = read(scan("x", DARK))
    at = document.text.index("abcd") if "abcd" in document.text else None
    assert at is not None
    assert [tuple(document.locate(at + n, at + n + 2)[0])[1:] for n in (0, 2)] == [
        pytest.approx(first),
        pytest.approx(second),
    ]


def test_only_pages_without_text_and_with_something_on_them_are_read(tesseract):
    folder = tesseract(hocr(line("300 400 900 440", ("Word", "300 400 500 440", 90))))
    document = read(scan("Own text.", None, DARK, Image.new("L", (50, 50), "white")))
    assert len((folder / "asked").read_text().splitlines()) == 1
    assert (
        "2 of 4 pages have no text layer and cannot be cited (pages 2, 4): OCR finds no words there"
        in document.warnings
    )


def test_languages_are_handed_on_and_checked(tesseract):
    folder = tesseract(hocr(line("300 400 900 440", ("Wort", "300 400 500 440", 90))))
    assert read(scan(DARK), ocr="deu+eng").text == "Wort"
    assert "-l deu+eng --psm 3 --dpi 300 hocr" in (folder / "asked").read_text()
    with pytest.raises(
        UsageError,
        match=re.escape(
            "no language 'chi_sim' (it has deu, eng): install it (Debian: apt-get install tesseract-ocr-chi-sim)"
        ),
    ):
        read(scan(DARK), ocr="chi_sim")
    for wrong in ("", "../eng", "-l", "eng;rm", "eng+", "eng deu"):
        with pytest.raises(UsageError, match="names no languages"):
            read(scan(DARK), ocr=wrong)


def test_languages_that_are_asked_for_where_ocr_is_not_are_an_error():
    with pytest.raises(UsageError, match=re.escape(INSTALL)):
        read(scan(DARK), ocr="eng")


def test_a_page_that_ocr_cannot_read_is_told(tesseract, monkeypatch):
    tesseract("", code=1)
    document = read(scan("Own text.", DARK))
    assert "page 2 could not be read by OCR: Tesseract failed: something broke" in document.warnings
    with pytest.raises(ScannedDocumentError, match="something broke"):
        read(scan(DARK))
    monkeypatch.setattr(ocr, "SECONDS", 0.2)
    tesseract("", before="exec sleep 20")
    document = read(scan("Own text.", DARK))
    assert "page 2 could not be read by OCR: Tesseract took more than 0.2 seconds" in document.warnings


def test_more_scans_and_pixels_than_the_budget_allows_are_refused(tesseract):
    tesseract(hocr())
    for data, budget, limit in (
        (scan(DARK, DARK, DARK), Budget(scanned_pages=2), "scanned_pages"),
        (packed(DARK), Budget(pixels=9999), "pixels"),
        (packed(DARK, "TIFF", save_all=True, append_images=[DARK, DARK]), Budget(scanned_pages=2), "scanned_pages"),
    ):
        with pytest.raises(TooLargeDocumentError) as caught:
            read(data, budget=budget)
        assert caught.value.limit == limit


def test_a_picture_of_a_billion_pixels_is_refused_before_it_is_unpacked(tesseract):
    tesseract(hocr())
    data = bytearray(packed(Image.new("1", (8, 8))))
    data[16:24] = (40_000).to_bytes(4, "big") * 2
    import zlib

    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    with pytest.raises(TooLargeDocumentError) as caught:
        read(bytes(data))
    assert caught.value.limit == "pixels"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF"])
def test_every_kind_of_picture_is_read_and_none_fails_when_it_is_damaged(tesseract, kind):
    tesseract(hocr(line("10 20 90 40", ("Word", "10 20 90 40", 90))))
    data = packed(drawn(scale=0.5), kind)
    document = read(data)
    assert document.text == "Word"
    assert len(document.pages) == 1
    with pytest.raises(CorruptDocumentError, match="damaged"):
        read(data[: len(data) // 2])


def test_a_picture_without_a_word_is_empty(tesseract):
    tesseract(hocr())
    with pytest.raises(EmptyDocumentError, match="OCR finds no words"):
        read(packed(DARK), name="cat.png")


def test_a_tiff_has_a_page_for_each_picture_and_its_own_resolution(tesseract):
    tesseract(hocr(line("10 20 90 40", ("Word", "10 20 90 40", 90))))
    packed_image = packed(DARK, "TIFF", save_all=True, append_images=[DARK], dpi=(100, 100))
    document = read(packed_image)
    assert [(page.number, page.width) for page in document.pages] == [(1, 72), (2, 72)]


def test_a_kept_document_keeps_the_places_of_what_ocr_read(tesseract):
    tesseract(hocr(line("300 400 810 440", ("Rents", "300 400 500 440", 90), ("rose.", "510 410 810 440", 70))))
    data = scan("Own text.", DARK)
    document = read(data)
    again = saved.load(saved.dump(document), data)
    assert again.locate(0, 99) == document.locate(0, 99)
    assert {rect.page for rect in again.locate(0, 99)} == {1, 2}


@pytest.mark.ocr
@pytest.mark.parametrize("kind", ["pdf", "png", "turned"])
def test_tesseract_reads_a_scan_with_its_table_and_the_rectangles_lie_on_the_words(kind):
    page = drawn()
    data = (
        scan(page)
        if kind == "pdf"
        else packed(page.rotate(90, expand=True) if kind == "turned" else page, dpi=(216, 216))
    )
    document = citewell.read(data, name="scan")
    assert (
        "The company moved its plant from Bristol in March 2022, because rents there had risen by 40% in two years."
        in document.text
    )
    assert [(cell.row_path, cell.column_path, cell.value, cell.scale) for cell in document.tables()[0].values()] == [
        (("Net sales",), ("2022",), 59012, 1000), (("Net sales",), ("2021",), 51440, 1000),
        (("Net income",), ("2022",), 6100, 1000), (("Net income",), ("2021",), -4722, 1000),
    ]  # fmt: skip
    start = document.text.index("51,440")
    (rect,) = document.locate(start, start + 6)
    # Where the figure was drawn: its left edge, and its top to within a line of eleven points.
    x, y = (rect.y1, rect.x0) if kind == "turned" else (rect.x0, rect.y0)
    assert x == pytest.approx(612 - 400 if kind == "turned" else 400, abs=3)
    assert 236 - 2 < y < 236 + 8
    assert re.search(r"was read by OCR \(Tesseract, eng\), \d\d of 100 sure", document.warnings[0])


@pytest.mark.ocr
def test_an_answer_from_a_scan_quotes_it_with_its_place():
    document = citewell.read(scan("Otters live in rivers.", drawn()))
    answer = citewell.ask(document, "Why did the company move its plant?")
    citation = answer.citations[0]
    assert document.text[citation.start : citation.end] == citation.quote
    assert citation.page == 2
    assert len(citation.rects) == 2


@pytest.mark.ocr
def test_a_scan_is_read_in_a_process_of_its_own_with_the_same_places():
    data = scan("Otters live in rivers.", drawn())
    here, alone = read(data), read(data, isolated=True)
    assert here == alone
    start = here.text.index("Bristol")
    assert here.locate(start, start + 7) == alone.locate(start, start + 7) != ()
