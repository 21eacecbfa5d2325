"""PDFs for tests: paragraphs, headings and tables set in one or two columns, and the text read back out of rectangles.

data = make_pdf([heading("Results"), "Revenue rose.", table(["Revenue", "5.9"])], columns=2, header="Report")
read_back(data, rect)   # what pdfium finds inside a rectangle: a check that shares no code with the reader
"""

from __future__ import annotations

import ctypes
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from citewell.document import Document
from citewell.types import Cell, Rect

WORDS = (
    "the fleet carried more passengers than in any year before and its harbour crews worked through winter storms "
    "while engineers replaced old engines with quiet electric drives that need less care and burn no fuel"
).split()


class Heading(NamedTuple):
    text: str
    size: float


class Table(NamedTuple):
    rows: tuple[Sequence[str], ...]


class Note(NamedTuple):
    """A footnote: small, at the foot of the column in which it is met."""

    text: str


Part = str | Heading | Table | Note


def heading(text: str, size: float = 14) -> Heading:
    return Heading(text, size)


def table(*rows: Sequence[str]) -> Table:
    return Table(rows)


def prose(count: int, seed: int = 0) -> str:
    """Sentences of about `count` words in all, each with a number so that no two are alike."""
    sentences = []
    for number in range(max(1, count // 14)):
        start = (number * 5 + seed * 7) % len(WORDS)
        words = [WORDS[(start + step) % len(WORDS)] for step in range(12)]
        sentences.append(f"{words[0].capitalize()} {' '.join(words[1:])} item {seed * 1000 + number}.")
    return " ".join(sentences)


class _Line(NamedTuple):
    x: float
    y: float
    text: str
    font: str
    size: float
    stretch: float = 0.0


def make_pdf(
    parts: Sequence[Part],
    *,
    title: str | None = None,
    columns: int = 1,
    size: tuple[float, float] = (612.0, 792.0),
    margin: float = 72.0,
    font_size: float = 10.0,
    header: str | None = None,
    footer: str | None = None,
    numbers: bool = False,
    hyphens: bool = False,
    justify: bool = False,
    shuffled: bool = False,
    upright: int = 0,
    rotation: int = 0,
    crop: tuple[float, float, float, float] | None = None,
    meta_title: str | None = None,
    password: str | None = None,
    owner: str | None = None,
    pictures: Sequence[int] = (),
) -> bytes:
    """A PDF. `title` spans the columns; `shuffled` writes the lines row by row across columns.

    `rotation` is the page's own, `upright` the same with the text drawn so that it is upright as displayed.
    `crop` is the crop box in user space; the pages in `pictures` (from 1) get a drawing in front and no text.
    """
    width, height = (size[1], size[0]) if upright in (90, 270) else size
    pages = _set(parts, title, columns, width, height, margin, font_size, hyphens, justify)
    buffer = io.BytesIO()
    encrypt = StandardEncryption(password or "", ownerPassword=owner) if owner else None
    canvas = Canvas(buffer, pagesize=size, encrypt=encrypt, invariant=1)
    canvas.setTitle(meta_title or "untitled")
    number = 0
    for lines in pages:
        number += 1
        while number in pictures:
            canvas.circle(200, 300, 80, fill=1)
            canvas.showPage()
            number += 1
        if upright == 90:
            canvas.translate(size[0], 0)
            canvas.rotate(90)
        elif upright == 180:
            canvas.translate(*size)
            canvas.rotate(180)
        elif upright == 270:
            canvas.translate(0, size[1])
            canvas.rotate(270)
        order = sorted(lines, key=lambda line: (-line.y, line.x)) if shuffled else lines
        if header:
            order = [_Line(margin, height - 40, header, "Helvetica", 8), *order]
        if footer:
            order = [*order, _Line(margin, 40, footer, "Helvetica", 8)]
        if numbers:
            order = [*order, _Line(width / 2, 28, str(number), "Helvetica", 8)]
        for line in order:
            text = canvas.beginText(line.x, line.y)
            text.setFont(line.font, line.size)
            text.setWordSpace(line.stretch)
            text.textOut(line.text)
            canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return _finish(buffer.getvalue(), rotation or upright, crop)


def _set(
    parts: Sequence[Part],
    title: str | None,
    columns: int,
    width: float,
    height: float,
    margin: float,
    size: float,
    hyphens: bool,
    justify: bool,
) -> list[list[_Line]]:
    """Lines with their places, page by page."""
    gutter = 24.0
    column = (width - 2 * margin - gutter * (columns - 1)) / columns
    pages: list[list[_Line]] = [[]]
    leading = size * 1.2
    top = height - margin
    if title:
        for words in _wrap(title, "Times-Bold", 18, width - 2 * margin):
            pages[-1].append(_Line(margin, top - 18, words, "Times-Bold", 18))
            top -= 22
        top -= 14
    place, y, foot = 0, top, margin

    def room(needed: float) -> None:
        nonlocal place, y, top, foot
        if y - needed < foot:
            place, foot = place + 1, margin
            if place == columns:
                pages.append([])
                place, top = 0, height - margin
            y = top

    for part in parts:
        if isinstance(part, Note):
            lines = _wrap(part.text, "Times-Roman", size * 0.8, column)
            for index, words in enumerate(reversed(lines)):
                pages[-1].append(
                    _Line(margin + place * (column + gutter), margin + index * size, words, "Times-Roman", size * 0.8)
                )
            foot = margin + len(lines) * size + 8
            continue
        if isinstance(part, Heading):
            room(part.size * 3)
            y -= part.size * 1.6
            pages[-1].append(_Line(margin + place * (column + gutter), y, part.text, "Times-Bold", part.size))
            y -= 4
            continue
        if isinstance(part, Table):
            for row in part.rows:
                room(leading)
                y -= leading
                x = margin + place * (column + gutter)
                pages[-1].append(_Line(x, y, row[0], "Times-Roman", size))
                step = column * 0.5 / max(1, len(row) - 1)
                for index, cell in enumerate(row[1:], 1):
                    end = x + column * 0.5 + step * index
                    pages[-1].append(_Line(end - stringWidth(cell, "Times-Roman", size), y, cell, "Times-Roman", size))
            y -= leading
            continue
        lines = _wrap(part, "Times-Roman", size, column, hyphens)
        for index, words in enumerate(lines):
            room(leading)
            y -= leading
            spaces = words.count(" ")
            rest = column - stringWidth(words, "Times-Roman", size)
            stretch = rest / spaces if justify and spaces and index < len(lines) - 1 else 0.0
            pages[-1].append(_Line(margin + place * (column + gutter), y, words, "Times-Roman", size, stretch))
        y -= leading * 0.6
    return pages


def _wrap(text: str, font: str, size: float, width: float, hyphens: bool = False) -> list[str]:
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}".strip()
        if stringWidth(longer, font, size) <= width:
            line = longer
            continue
        cut = len(word) // 2
        if hyphens and len(word) > 6 and word.isalpha() and stringWidth(f"{line} {word[:cut]}-", font, size) <= width:
            lines.append(f"{line} {word[:cut]}-")
            line = word[cut:]
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def _finish(data: bytes, rotation: int, crop: tuple[float, float, float, float] | None) -> bytes:
    if not rotation and not crop:
        return data
    pdf = pdfium.PdfDocument(data)
    for page in pdf:
        if rotation:
            page.set_rotation(rotation)
        if crop:
            page.set_cropbox(*crop)
        page.close()
    buffer = io.BytesIO()
    pdf.save(buffer)
    pdf.close()
    return buffer.getvalue()


def read_back(data: bytes, rect: Rect) -> str:
    """The text that pdfium finds in a rectangle of the displayed page."""
    pdf = pdfium.PdfDocument(data)
    page = pdf[rect.page - 1]
    textpage = page.get_textpage()
    try:
        dx = dy = 0.2
        first = _to_page(page, rect.x0 + dx, rect.y0 + dy)
        second = _to_page(page, rect.x1 - dx, rect.y1 - dy)
        (left, right), (bottom, top) = sorted((first[0], second[0])), sorted((first[1], second[1]))
        return textpage.get_text_bounded(left, bottom, right, top)
    finally:
        textpage.close()
        page.close()
        pdf.close()


def _to_page(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
    """A point of the displayed page, origin at the top left, in user space, as pdfium itself converts it."""
    width, height = page.get_size()
    scale = 1000
    a, b = ctypes.c_double(), ctypes.c_double()
    raw.FPDF_DeviceToPage(
        page.raw, 0, 0, round(width * scale), round(height * scale), 0, round(x * scale), round(y * scale), a, b
    )
    return a.value, b.value


def cells_by_label(document: Document) -> dict[tuple[str, str], Cell]:
    """The figures of all tables by the last part of their label and their text."""
    return {
        (cell.row_path[-1], cell.text): cell
        for table in document.tables()
        for cell in table.values()
        if cell.value is not None
    }


def bare(text: str) -> str:
    """Text without white space, hyphens and the marks between cells: what a rectangle and a quote must share."""
    return re.sub(r"[\s\-\x02\ufffe|]", "", text)


def long_pdf(pages: int) -> bytes:
    """So many small pages of ten lines."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 400), invariant=1)
    for number in range(pages):
        for line in range(10):
            canvas.drawString(30, 350 - 30 * line, f"Ship {number} carried {line} passengers.")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
