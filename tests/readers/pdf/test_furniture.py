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


def _with_a_table(header, places):
    """Twelve pages with a running header and page numbers; on the third both are cells of a table below them."""
    rows = [[row(f"Measures of tide {n}", 20), row(f"Body {n}", 60)] for n in range(12)]
    rows[2] = [row(header, 20), row("Pier | 4.2", 60)]
    for cells in rows[2]:
        cells.places = places
    strip_furniture(rows, [800.0] * len(rows))
    return [each.text for each in rows[2]]


def test_a_header_goes_that_a_table_below_it_took_in():
    assert _with_a_table("Measures of tide | 2", (0, 1)) == ["Pier | 4.2"]


def test_the_first_row_of_a_table_that_goes_on_over_pages_stays():
    rows = [[row("Gauge | Reading", 20), row(f"Pier {n} | 4.2", 60)] for n in range(12)]
    for cells in (cells for page in rows for cells in page):
        cells.places = (0, 1)
    strip_furniture(rows, [800.0] * len(rows))
    assert all(page[0].text == "Gauge | Reading" for page in rows)


def test_the_first_row_of_a_table_stays():
    assert _with_a_table("Gauge | Reading", (0, 1)) == ["Gauge | Reading", "Pier | 4.2"]
