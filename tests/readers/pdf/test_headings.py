"""Headings of PDFs by bookmarks, contents, numbers and style; line numbers that are no text."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from citewell.document import Document
from citewell.readers.pdf.pages import read_pdf
from pdfs import WORDS, heading, make_pdf, prose

Line = tuple[str, str, float]
BODY, BOLD, SLANTED, BOTH = "Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"


def text(words: int, seed: int = 0) -> list[Line]:
    """Lines of one sentence."""
    result = [WORDS[(seed * 7 + number * 5) % len(WORDS)] for number in range(words)]
    lines = [" ".join(result[at : at + 13]) for at in range(0, words, 13)]
    return [(line, BODY, 10) for line in (lines[0].capitalize(), *lines[1:-1], f"{lines[-1]}.")]


def pdf(
    lines: Sequence[Line], *, marks: Sequence[tuple[str, int]] = (), numbers: bool = False, apart: float = 8
) -> Document:
    """One page: lines of other fonts than the body's stand apart; `marks` are bookmarks, by title and depth."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for title, depth in marks:
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, depth)
    y = 780.0
    for number, (result, font, size) in enumerate(lines, start=1):
        other = (font, size) != (BODY, 10)
        y -= 14 + apart * other
        if numbers:
            canvas.setFont(BODY, 7)
            canvas.drawRightString(60, y, str(number))
        canvas.setFont(font, size)
        canvas.drawString(80, y, result)
        y -= apart * other / 2
    canvas.save()
    return read_pdf(buffer.getvalue())


def headings(document: Document) -> list[tuple[int, str]]:
    return [
        (block.level, document.text[block.start : block.end]) for block in document.blocks if block.kind == "heading"
    ]


def test_a_bookmark_names_a_heading_that_looks_like_text():
    lines = [("Fleet", BOLD, 16), *text(60), ("Ships and crews of the north", BODY, 10), *text(60, 1)]
    assert headings(pdf(lines, apart=6)) == [(1, "Fleet")]
    marked = pdf(lines, marks=[("Fleet", 0), ("Ships and crews of the north", 1)], apart=6)
    assert headings(marked) == [(1, "Fleet"), (2, "Ships and crews of the north")]


def test_a_bookmark_without_its_number_names_the_heading_with_it():
    lines = [("1 Fleet", BOLD, 10), *text(60), ("A Ships", BOLD, 10), *text(60, 1)]
    document = pdf(lines, marks=[("Fleet", 0), ("Ships", 0)])
    assert headings(document) == [(1, "1 Fleet"), (1, "A Ships")]


def test_bold_slanted_headings_stand_below_bold_ones_of_the_same_size():
    lines = [
        *text(60),
        ("Fleet", BOLD, 10),
        *text(60, 1),
        ("Ships", BOTH, 10),
        *text(60, 2),
        ("Crew", BOTH, 10),
        *text(60, 3),
        ("Money", BOLD, 10),
        *text(60, 4),
    ]
    assert headings(pdf(lines)) == [(1, "Fleet"), (2, "Ships"), (2, "Crew"), (1, "Money")]


def test_numbers_that_follow_each_other_make_headings_in_the_text_s_own_type():
    lines = [
        ("1 Fleet", BOLD, 10),
        *text(60),
        ("1.1 Ships", BODY, 10.1),
        *text(60, 1),
        ("1.2 Crew", BODY, 10.1),
        *text(60, 2),
    ]
    assert headings(pdf(lines)) == [(1, "1 Fleet"), (2, "1.1 Ships"), (2, "1.2 Crew")]


def test_one_word_in_capitals_is_a_heading_where_a_paragraph_follows():
    document = pdf([*text(60), ("RESULTS", "Times-Roman", 10.1), *text(60, 1)])
    assert headings(document) == [(1, "RESULTS")]


def test_formulas_dates_and_addresses_set_in_bold_are_no_headings():
    odd = [
        "E = mc + kx",
        "x <- draw(n) + 1",
        "June 30, 2023",
        "Fiscal 2021",
        "By: /s/ Ann Example",
        "Expense, in millions",
        "for the year ended December 31, 2021",
        "https://example.org/a",
    ]
    lines = [line for number, message in enumerate(odd) for line in (*text(60, number), (message, BOLD, 11.5))]
    assert headings(pdf([*lines, *text(40, 9)])) == []


def test_the_items_of_a_report_stand_above_every_other_heading():
    lines = [
        ("PART I", BOLD, 10),
        ("Item 1. Business", BOLD, 10),
        *text(40),
        ("Our ships", BOLD, 13),
        *text(40, 1),
        ("Item 2. Properties", BOLD, 10),
        *text(40, 2),
        ("Our quays", BOLD, 13),
        *text(40, 3),
        ("Item 3. Legal proceedings", BOLD, 10),
        *text(40, 4),
    ]
    document = pdf(lines)
    paths = [segment.path for segment in document.segments("paragraph") if segment.kind == "paragraph"]
    assert ("PART I", "Item 2. Properties", "Our quays") in paths
    assert paths[-1] == ("PART I", "Item 3. Legal proceedings")


def test_lines_of_a_printed_table_of_contents_are_no_headings():
    listed = [(f"Chapter {number} Ships of the line {'.' * 40} {number + 3}", BOLD, 10) for number in range(1, 6)]
    document = pdf([("Contents", BOLD, 14), *listed, ("Chapter 1 Ships of the line", BOLD, 10), *text(60)])
    assert [result for _, result in headings(document)] == ["Contents", "Chapter 1 Ships of the line"]


def test_line_numbers_are_kept_out_of_the_text():
    lines = text(260)
    document = pdf(lines, numbers=True)
    assert document.text == " ".join(result for result, _, _ in lines)
    assert document.pages[0].furniture == (" ".join(map(str, range(1, len(lines) + 1))),)
    first = document.segments("sentence")[1]
    assert {rect.page for rect in document.locate(first.start, first.end)} == {1}
    assert min(rect.x0 for rect in document.locate(first.start, first.end)) > 70


def test_numbers_of_a_table_s_rows_are_no_line_numbers():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for number in range(1, 20):
        canvas.drawString(60, 780 - 16 * number, str(number))
        canvas.drawString(100, 780 - 16 * number, f"Harbour {chr(64 + number)}")
        canvas.drawRightString(400, 780 - 16 * number, f"{number * 317}")
    canvas.save()
    document = read_pdf(buffer.getvalue())
    rows = [document.text[block.start : block.end] for block in document.blocks if block.kind == "table_row"]
    assert rows[4] == "5 | Harbour E | 1585"


def test_the_names_and_dates_of_a_first_page_are_no_headings():
    lines = [
        ("The ferries of the north", BOLD, 18),
        ("Ann Example", BOLD, 12),
        ("University of Examples", SLANTED, 10),
        ("April 3, 2024", BODY, 12),
        ("Abstract", BOLD, 11),
        *text(60),
        ("1 Introduction", BOLD, 12),
        *text(60, 1),
    ]
    assert [result for _, result in headings(pdf(lines))] == ["The ferries of the north", "Abstract", "1 Introduction"]


def test_a_caption_in_capitals_with_a_roman_number_is_a_caption():
    document = pdf([*text(60), ("TABLE II RESULTS OF ALL HARBOURS", BODY, 10.1), *text(60, 1)])
    assert [block.kind for block in document.blocks] == ["paragraph", "caption", "paragraph"]


def test_a_broken_outline_does_not_stop_reading():
    data = make_pdf([heading("Fleet", 18), prose(60)])
    whole = data.replace(b"/Type /Catalog", b"/Type /Catalog /Outlines 9999 0 R")
    assert read_pdf(whole).title == "Fleet"


def test_a_name_in_capitals_is_no_more_prominent_than_its_neighbours():
    lines = [("Markets", BOLD, 12), *text(40), ("COVID-19", BOLD, 12), *text(40, 1), ("Taxes", BOLD, 12), *text(40, 2)]
    assert headings(pdf(lines)) == [(1, "Markets"), (1, "COVID-19"), (1, "Taxes")]


def test_what_is_printed_behind_the_last_item_does_not_stand_in_it():
    items = [(f"Item {number}. Matters of kind {number}", BOLD, 10) for number in range(1, 4)]
    lines = [line for number, item in enumerate(items) for line in (item, *text(40, number))]
    document = pdf([*lines, ("Report of independent auditors", BOLD, 10), *text(40, 8)])
    assert document.segments("paragraph")[-1].path == ("Report of independent auditors",)


def test_a_line_of_a_paragraph_that_begins_with_a_table_s_number_is_no_caption():
    words = text(70)
    cut = [words[0], (f"{words[1][0]} as in", BODY, 10), ("Table 2. The ferries " + words[2][0], BODY, 10), *words[3:]]
    full = max(len(result) for result, _, _ in cut)
    cut[1] = (cut[1][0].ljust(full, "m"), BODY, 10)
    assert [block.kind for block in pdf(cut).blocks] == ["paragraph"]


def test_a_number_set_apart_from_its_title_makes_no_cell():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    y = 780.0
    for number, title in enumerate(("FLEET", "SHIPS AND CREWS", "MONEY"), start=1):
        canvas.setFont(BOLD, 12)
        canvas.drawString(80, y, f"{number}.")
        canvas.drawString(130, y, title)
        for line, font, size in text(60, number):
            y -= 14
            canvas.setFont(font, size)
            canvas.drawString(80, y - 8, line)
        y -= 40
    canvas.save()
    found = [line for _, line in headings(read_pdf(buffer.getvalue()))]
    assert found == ["1. FLEET", "2. SHIPS AND CREWS", "3. MONEY"]


def test_a_bookmark_parts_a_heading_from_the_paragraph_that_it_was_read_with():
    lines = [*text(60), ("Ships and crews of the north", BODY, 10), *text(60, 1)]
    assert headings(pdf(lines)) == []
    document = pdf(lines, marks=[("Ships and crews of the north", 0)])
    assert headings(document) == [(1, "Ships and crews of the north")]
    assert [block.kind for block in document.blocks] == ["paragraph", "heading", "paragraph"]
