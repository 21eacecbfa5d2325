"""Make annual-report.pdf and annual-report.docx from annual-report.md; the same bytes every time.

python examples/make_report.py      needs reportlab, pyphen and python-docx, which citewell itself does not
"""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docx
from docx.enum.text import WD_BREAK
from docx.shared import Pt
from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

HERE = Path(__file__).parent
TITLE, SUBTITLE = "Northwater Ferries", "Annual report 2025"
STRAP = "A cooperative of the islands, owned by those who travel on it"
BLUE = colors.HexColor("#1d4e6b")
WIDTH, HEIGHT = A4
LEFT, RIGHT, TOP, BOTTOM = 84, 84, 88, 84
DATE = dt.datetime(2026, 3, 20, 9, 0, tzinfo=dt.UTC)

BODY = ParagraphStyle(
    "body",
    fontName="Times-Roman",
    fontSize=11.2,
    leading=15.8,
    spaceAfter=7.5,
    alignment=TA_JUSTIFY,
    hyphenationLang="en_GB",
    hyphenationMinWordLength=6,
)
H1 = ParagraphStyle(
    "h1",
    fontName="Helvetica-Bold",
    fontSize=17,
    leading=21,
    spaceBefore=16,
    spaceAfter=9,
    textColor=BLUE,
    keepWithNext=1,
)
H2 = ParagraphStyle(
    "h2", fontName="Helvetica-Bold", fontSize=11.5, leading=15, spaceBefore=9, spaceAfter=4, keepWithNext=1
)
NOTE = ParagraphStyle("note", parent=BODY, fontSize=8.2, leading=10.2, spaceAfter=2)
LIST = ParagraphStyle("list", parent=BODY, leftIndent=18, bulletIndent=2, spaceAfter=4.5)
CAPTION = ParagraphStyle(
    "caption", fontName="Helvetica-Bold", fontSize=9, leading=12, spaceBefore=7, spaceAfter=3, keepWithNext=1
)


@dataclass(frozen=True)
class Item:
    """A part of the report: `kind` is what it is, `text` its words, `rows` a table's cells."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def parse(source: str) -> list[Item]:
    """The parts of the Markdown file, which uses only what stands here; a comment changes the layout."""
    items = []
    for block in re.split(r"\n\n+", source.strip()):
        text = " ".join(block.split())
        if match := re.match(r"(#+) (.*)", text):
            items.append(Item(f"h{len(match[1])}", match[2]))
        elif match := re.fullmatch(r"<!-- (\w+) -->", text):
            items.append(Item(match[1]))
        elif match := re.match(r"\[\^(\d)\]: (.*)", text):
            items.append(Item("note", f"[^{match[1]}] {match[2]}"))
        elif text.startswith("|"):
            rows = [tuple(value.strip() for value in line.strip("|").split("|")) for line in block.split("\n")]
            items.append(Item("table", rows=(rows[0], *rows[2:])))
        elif re.match(r"- |\d\. ", text):
            parts = re.split(r"\n(?=- |\d\. )", block)
            items += [Item("item", " ".join(part.split())) for part in parts]
        elif text.startswith("**"):
            items.append(Item("caption", text.strip("*")))
        else:
            items.append(Item("strap" if text.startswith("*") else "p", text.strip("*")))
    return items


class AtBottom(Flowable):
    """Footnotes: they take what is left of the page and stand at its foot under a short rule."""

    def __init__(self, notes: list[Paragraph]) -> None:
        super().__init__()
        self.notes = notes

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Take the rest of the frame where it is enough, else ask for as much as is needed."""
        self.room = (width, max(height - 1, sum(note.wrap(width, height)[1] for note in self.notes) + 8))
        return self.room

    def draw(self) -> None:
        """From the bottom upwards."""
        position = 0.0
        for note in reversed(self.notes):
            note.drawOn(self.canv, 0, position)
            position += note.wrap(*self.room)[1]
        self.canv.setLineWidth(0.4)
        self.canv.line(0, position + 4, 110, position + 4)


def inline(text: str) -> str:
    """Escaped for a paragraph, with footnote marks raised."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"\[\^(\d)\]", r'<super size="7">\1</super>', text)


def table(caption: str, rows: tuple[tuple[str, ...], ...], width: float) -> list[Flowable]:
    """A table with a rule under its head; the last row is bold where it is a sum."""
    columns = len(rows[0]) - 1
    wide = {4: [0.26, 0.13, 0.33, 0.15, 0.13]}.get(columns, [0.52, *[0.48 / columns] * columns])
    style: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", 8.8),
        ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 8.8),
        ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.7, BLUE),
        ("LINEBELOW", (0, -1), (-1, -1), 0.7, BLUE),
        ("TOPPADDING", (0, 0), (-1, -1), 2.2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.6),
        ("LEFTPADDING", (0, 0), (0, -1), 2),
    ]
    if re.match(r"Total|All|Surplus for the year$", rows[-1][0]):
        style.append(("FONT", (0, -1), (-1, -1), "Helvetica-Bold", 8.8))
    table = Table(list(rows), [share * width for share in wide], style=style, hAlign="LEFT")
    return [KeepTogether([Paragraph(inline(caption), CAPTION), table, Spacer(1, 10)])]


def furniture(canvas: Any, document: Any) -> None:
    """The running header and footer of every page but the first."""
    canvas.saveState()
    canvas.setFont("Helvetica", 8)
    canvas.setFillColor(colors.HexColor("#555555"))
    canvas.drawString(LEFT, HEIGHT - 50, TITLE)
    canvas.drawRightString(WIDTH - RIGHT, HEIGHT - 50, SUBTITLE)
    canvas.line(LEFT, HEIGHT - 56, WIDTH - RIGHT, HEIGHT - 56)
    canvas.drawCentredString(WIDTH / 2, 42, str(document.page))
    canvas.restoreState()


def cover(canvas: Any, _: Any) -> None:
    """The first page."""
    canvas.saveState()
    canvas.setFillColor(BLUE)
    canvas.rect(0, HEIGHT * 0.58, WIDTH, HEIGHT * 0.42, stroke=0, fill=1)
    canvas.setFillColor(colors.white)
    canvas.setFont("Helvetica-Bold", 36)
    canvas.drawString(LEFT, HEIGHT * 0.72, TITLE)
    canvas.setFont("Helvetica", 20)
    canvas.drawString(LEFT, HEIGHT * 0.68, SUBTITLE)
    canvas.setFillColor(BLUE)
    canvas.setFont("Times-Italic", 13)
    canvas.drawString(LEFT, HEIGHT * 0.53, STRAP)
    canvas.setStrokeColor(BLUE)
    canvas.setLineWidth(1.2)
    for row in range(3):
        path = canvas.beginPath()
        path.moveTo(LEFT, 130 + row * 14)
        for step in range(11):
            x = LEFT + step * 40
            path.curveTo(x + 12, 140 + row * 14, x + 28, 120 + row * 14, x + 40, 130 + row * 14)
        canvas.drawPath(path)
    canvas.restoreState()


def make_pdf(items: list[Item]) -> bytes:
    """The report as a PDF of a dozen pages: a cover, one column, two columns, one column."""
    rl_config.invariant = 1
    buffer = io.BytesIO()
    inner, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    gap = 20
    half = (inner - gap) / 2
    flat = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
    template = BaseDocTemplate(buffer, pagesize=A4, title=f"{TITLE}: {SUBTITLE}", author=TITLE, subject=STRAP)
    template.addPageTemplates(
        [
            PageTemplate("cover", [Frame(LEFT, BOTTOM, inner, tall, **flat)], onPage=cover),
            PageTemplate("single", [Frame(LEFT, BOTTOM, inner, tall, **flat)], onPage=furniture),
            PageTemplate(
                "columns",
                [Frame(LEFT, BOTTOM, half, tall, **flat), Frame(LEFT + half + gap, BOTTOM, half, tall, **flat)],
                onPage=furniture,
            ),
        ]
    )
    story: list[Flowable] = [NextPageTemplate("single"), PageBreak()]
    caption = ""
    for kind, text, rows in ((item.kind, item.text, item.rows) for item in items):
        match kind:
            case "h2" | "h3":
                story.append(Paragraph(inline(text), H1 if kind == "h2" else H2))
            case "p":
                story.append(Paragraph(inline(text), BODY))
            case "item":
                mark, words = text.split(" ", 1)
                story.append(Paragraph(inline(words), LIST, bulletText=mark.replace("-", "•")))
            case "caption":
                caption = text
            case "table":
                story += table(caption, rows, inner)
            case "note":
                story.append(AtBottom([Paragraph(inline(text), NOTE)]))
            case "columns" | "single":
                story += [NextPageTemplate(kind), PageBreak()]
    template.build(story)
    return buffer.getvalue()


def make_docx(items: list[Item]) -> bytes:
    """The same text as a Word file: headings, lists and tables as such, footnotes as small paragraphs."""
    document = docx.Document()
    document.styles["Normal"].font.name = "Times New Roman"
    document.styles["Normal"].font.size = Pt(10.5)
    properties = document.core_properties
    properties.title, properties.author, properties.subject = f"{TITLE}: {SUBTITLE}", TITLE, STRAP
    properties.created = properties.modified = DATE
    properties.last_modified_by, properties.revision, properties.comments = TITLE, 1, ""
    document.sections[0].header.paragraphs[0].text = f"{TITLE}\t\t{SUBTITLE}"
    document.add_heading(f"{TITLE}: {SUBTITLE}", 0)
    document.add_paragraph(STRAP).add_run().add_break(WD_BREAK.PAGE)
    for item in items:
        match item.kind:
            case "h2" | "h3":
                document.add_heading(item.text, int(item.kind[1]) - 1)
            case "p" | "note":
                raised(document.add_paragraph(), item.text)
            case "item":
                mark, words = item.text.split(" ", 1)
                document.add_paragraph(words, style="List Bullet" if mark == "-" else "List Number")
            case "caption":
                document.add_paragraph(item.text, style="Caption")
            case "table":
                table = document.add_table(rows=0, cols=len(item.rows[0]), style="Light List Accent 1")
                for row in item.rows:
                    for target, value in zip(table.add_row().cells, row, strict=True):
                        target.text = value
    buffer = io.BytesIO()
    document.save(buffer)
    return same_dates(buffer.getvalue())


def raised(paragraph: Any, text: str) -> None:
    """The text with its footnote marks raised."""
    for number, part in enumerate(re.split(r"\[\^(\d)\]", text)):
        paragraph.add_run(part).font.superscript = bool(number % 2) or None


def same_dates(data: bytes) -> bytes:
    """The ZIP file with one date for all members, so that its bytes do not depend on the clock."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name, DATE.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, old.read(name))
    return buffer.getvalue()


def check_sums(items: list[Item]) -> None:
    """Tables that end in a total add up; a reader will try."""
    for rows in (item.rows for item in items if item.rows and re.match(r"Total|All ", item.rows[-1][0])):
        figures = [[int(value.replace(",", "")) for value in row[1:]] for row in rows[1:]]
        if [sum(column) for column in zip(*figures[:-1], strict=True)] != figures[-1]:
            raise ValueError(f"{rows[-1][0]} is not the sum of what stands above it")


if __name__ == "__main__":
    report = parse((HERE / "annual-report.md").read_text(encoding="utf-8"))
    check_sums(report)
    (HERE / "annual-report.pdf").write_bytes(make_pdf(report))
    (HERE / "annual-report.docx").write_bytes(make_docx(report))
