"""Tables as wide as a page whose text stands in two columns are read as a whole."""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from citewell import read

WORDS = "The keeper of the harbour counts boats and ships and nets and ropes on each of its quays every day".split()


def text_line(number):
    """A line of running text that fills its column."""
    turn = number % 7
    return " ".join([*WORDS[turn : turn + 9]])


TABLE = [
    [(300, "Structural"), (380, "Safety")],
    [(300, "boats"), (380, "ships"), (450, "Other"), (520, "Total")],
    [(300, "£’000"), (380, "£’000"), (450, "£’000"), (520, "£’000")],
    ["31 December 2022"],
    ["Revenue"],
    ["From customers", (300, "75,977"), (380, "10,637"), (450, "-"), (520, "86,614")],
    ["From other quays", (300, "40"), (380, "612"), (450, "319"), (520, "971")],
    ["Staff costs", (300, "(15,162)"), (380, "(1,926)"), (450, "(2,478)"), (520, "(19,566)")],
    ["31 December 2021"],
    ["Revenue"],
    ["From customers", (300, "73,960"), (380, "8,760"), (450, "-"), (520, "82,720")],
    ["Staff costs", (300, "(13,008)"), (380, "(1,623)"), (450, "(1,637)"), (520, "(16,268)")],
]


def document(*, apart):
    """Two columns of text above and below a table; the figures drawn `apart` from all labels, or row by row."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    canvas.setFont("Helvetica", 8)
    for column in (60, 315):
        for number in range(20):
            canvas.drawString(column, 790 - 11 * number, text_line(number + column))
            canvas.drawString(column, 330 - 11 * number, text_line(number + column + 3))
    drawn = [(520 - 12 * number, line) for number, line in enumerate(TABLE)]
    for labels in (True, False) if apart else (None,):
        for y, line in drawn:
            for part in line:
                if isinstance(part, str) and labels is not False:
                    canvas.drawString(60, y, part)
                elif not isinstance(part, str) and labels is not True:
                    canvas.drawRightString(part[0], y, part[1])
    canvas.save()
    return read(buffer.getvalue(), name="quays.pdf")


@pytest.mark.parametrize("apart", [False, True])
def test_a_table_across_two_columns_of_text_keeps_its_labels_and_headers(apart):
    (table,) = document(apart=apart).tables()
    cells = {cell.text: cell for cell in table.values()}
    assert cells["(1,926)"].row_path[-1] == "Staff costs"
    assert (cells["(1,926)"].year, cells["(1,623)"].year) == (2022, 2021)
    assert cells["(1,926)"].column_path == ("Safety ships £’000",)
    assert cells["10,637"].row_path == ("31 December 2022", "Revenue", "From customers")


def test_the_text_beside_a_table_stays_in_its_columns():
    text = document(apart=True).text
    assert text_line(63) in text.replace("\n", " ")
    assert text.index(text_line(60)) < text.index(text_line(315)) < text.index("Structural")


def test_captions_beside_each_other_belong_to_their_columns():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    canvas.setFont("Helvetica", 8)
    for number in range(20):
        for column, caption in ((60, "Figure 1. Boats"), (315, "Figure 2. Nets")):
            canvas.drawString(column, 790 - 11 * number, caption if number == 10 else text_line(number + column))
    canvas.save()
    text = read(buffer.getvalue(), name="quays.pdf").text.replace("\n", " ")
    assert text.index(text_line(79)) < text.index(text_line(315))
    assert text.index("Figure 1. Boats") < text.index(text_line(315)) < text.index("Figure 2. Nets")
