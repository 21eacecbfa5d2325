"""Line numbers that begin on a title page of a line or two, and end on a page of a few lines."""

import io

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from citewell.readers.pdf.pages import read_pdf
from pdfs import WORDS


def lines(count: int, seed: int) -> list[str]:
    words = [WORDS[(seed * 7 + number * 5) % len(WORDS)] for number in range(count * 11)]
    return [" ".join(words[at : at + 11]) for at in range(0, count * 11, 11)]


def manuscript(*pages: list[str], first: int = 1, step: int = 1) -> str:
    """The text of pages whose lines are numbered from page to page."""
    buffer, number = io.BytesIO(), first
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for page in pages:
        canvas.setFont("Times-Roman", 11)
        for place, line in enumerate(page):
            canvas.drawString(90, 780 - 22 * place, line)
            canvas.drawRightString(70, 780 - 22 * place, str(number))
            number += step
        canvas.showPage()
    canvas.save()
    return read_pdf(buffer.getvalue()).text


TITLE = ["The tide can wait: a first study of the role of", "patience in harbours"]


@pytest.mark.parametrize("title", [TITLE, TITLE[:1], [*TITLE, "Ann Example", "University of Examples"]])
def test_numbers_that_count_on_behind_a_title_page_are_kept_out(title):
    text = manuscript(title, lines(20, 1), lines(20, 2), lines(3, 3))
    assert not any(char.isdigit() for char in text[len(title[0]) + 4 :])
    if len(title) > 1:  # a single number on a page may be anything
        assert not any(char.isdigit() for char in text)


def test_numbers_of_a_title_stay_where_no_page_counts_on():
    assert "2 patience" in " ".join(manuscript(TITLE, ["Nothing counts here."], step=1).split()).replace(" | ", " ")


def test_numbers_that_do_not_count_on_from_the_title_stay():
    assert "12 " in manuscript(TITLE, lines(20, 1), first=10)
    assert "7" in manuscript(["The tide can wait"], lines(20, 1), step=3)
