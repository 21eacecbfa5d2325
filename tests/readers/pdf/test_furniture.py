"""A statement that runs over a few pages keeps its title on the first of them."""

from __future__ import annotations

from citewell.readers.pdf.furniture import strip_furniture
from citewell.readers.pdf.rows import Row

STATEMENT = "CONSOLIDATED BALANCE SHEETS"


def row(text, y, size=10.0):
    return Row(0, [], 50.0, y, 300.0, y + size, size, len(text), hyphen=False, flow=0, joins=[], text=text, cells=1)


def strip(pages, first_body="Current assets"):
    """The texts of pages of three rows, the first of each a running header, after those were taken out."""
    rows = [
        [row(header, 20), row(first_body if n == 0 else f"Body {n}", 60), row(f"More of {n}", 80)]
        for n, header in enumerate(pages)
    ]
    strip_furniture(rows, [800.0] * len(rows))
    return [[each.text for each in page] for page in rows]


def test_the_title_of_a_statement_stays_on_its_first_page():
    texts = strip([STATEMENT] * 3 + [f"Chapter {letter}" for letter in "ABCDEFGHIJ"])
    assert [STATEMENT in page for page in texts[:3]] == [True, False, False]


def test_a_header_of_many_pages_goes_everywhere():
    texts = strip(["Annual report"] * 12)
    assert not any("Annual report" in page for page in texts)


def test_a_header_of_pages_apart_goes_everywhere():
    pages = [STATEMENT if n in (0, 4, 8) else f"Chapter {chr(65 + n)}" for n in range(12)]
    assert not any(STATEMENT in page for page in strip(pages))


def test_a_header_above_text_that_goes_on_goes():
    texts = strip(
        [STATEMENT] * 3 + [f"Chapter {letter}" for letter in "ABCDEFGHIJ"], first_body="which the company holds"
    )
    assert not any(STATEMENT in page for page in texts)
