"""A bold row of amounts below the headers is no header, and a row alone above a table tells its scale."""

import io

from reportlab.pdfgen.canvas import Canvas

from citewell import read
from pdfs import cells_by_label as cells

RIGHT = (400, 480)


def drawn(lines, bold=()):
    """A document of lines of a label and two values set right, 14 points apart; None leaves space."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    y = 780.0
    for number, line in enumerate(lines):
        y -= 14
        canvas.setFont("Helvetica-Bold" if number in bold else "Helvetica", 9)
        for place, text in zip((72, *RIGHT), line or (), strict=False):
            (canvas.drawString if place == 72 else canvas.drawRightString)(place, y, text)
    canvas.save()
    return read(buffer.getvalue(), name="harbour.pdf")


ROWS = (
    ("Berth fees", "4,941", "4,714"),
    ("Cost of tugs", "3,416", "3,259"),
    ("Gross profit", "1,525", "1,455"),
    ("Other income", "110", "88"),
)


def test_a_bold_row_of_amounts_is_a_row():
    document = drawn([("", "June 30, 2025", "June 30, 2024"), *ROWS], bold=(0, 1))
    cell = cells(document)["Berth fees", "4,941"]
    assert cell.column_path == ("June 30, 2025",)
    assert cells(document)["Cost of tugs", "3,416"].column_path == ("June 30, 2025",)


def test_two_bold_rows_of_words_are_headers():
    document = drawn([("", "Harbour", "Harbour"), ("(in thousands)", "2025", "2024"), *ROWS], bold=(0, 1))
    cell = cells(document)["Berth fees", "4,941"]
    assert "2025" in " ".join(cell.column_path)
    assert ("(in thousands)", "2025") not in cells(document)


def test_a_row_alone_above_a_table_tells_its_scale():
    above = ("Extracted from the condensed balance sheet as at:", "", "(Euros in millions)")
    document = drawn([above, None, None, ("", "June 30, 2025", "March 31, 2025"), ("ASSETS",), *ROWS])
    assert document.text.index("millions)\n") < document.text.index("June 30")
    cell = cells(document)["Berth fees", "4,941"]
    assert (cell.scale, cell.unit) == (1_000_000, "EUR")
