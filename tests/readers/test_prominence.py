"""HTML without heading elements: lines that are set apart are headings, at the levels that their looks tell."""

from __future__ import annotations

import time

import pytest

from citewell.readers import read

PROSE = "<p>The company sells shoes in many countries, and it buys them from makers that it does not own.</p>"
TABLE = "<table><tr><td>Revenue</td><td>5.9</td></tr><tr><td>Costs</td><td>3.1</td></tr></table>"
END = '<hr style="page-break-after:always">'


def line(text: str, style: str = "font-weight:700") -> str:
    return f'<div><span style="{style}">{text}</span></div>'


def document(*parts: str):
    return read(f"<!doctype html><html><body>{''.join(parts)}</body></html>".encode())


def headings(*parts: str) -> list[tuple[int, str]]:
    result = document(*parts)
    return [(block.level, result.text[block.start : block.end]) for block in result.blocks if block.kind == "heading"]


@pytest.mark.parametrize(
    "heading",
    [
        "<p><b>Markets</b></p>",
        "<p><strong>Mar</strong><b>kets</b> </p>",
        "<div style='font-weight: bold'>Markets</div>",
        "<div style='font:bold 12pt Arial'>Markets</div>",
        "<div style='font-weight:700'><span>Markets</span></div>",
        "<p><u>Markets</u></p>",
        "<p><span style='text-decoration:underline'>Markets</span></p>",
        "<p><i>Markets</i></p>",
        "<p><span style='font-style:italic'>Markets</span></p>",
        "<p><font style='font-size:18pt'>Markets</font></p>",
        "<p style='font-size:2em'>Markets</p>",
        "<p style='font-size:150%'>Markets</p>",
        "<p style='font-size:24px'>Markets</p>",
        "<table><tr><td></td><td><b>Markets</b></td></tr></table>",
    ],
)
def test_a_short_line_that_is_set_apart_is_a_heading(heading):
    assert headings(PROSE, heading, PROSE) == [(1, "Markets")]


@pytest.mark.parametrize(
    "paragraph",
    [
        "<p>Markets</p>",
        "<p><b>Markets.</b> We sell shoes in many countries.</p>",
        "<p><b>Mark</b>ets</p>",
        "<p><b>We sell shoes in many countries.</b></p>",
        f"<p><b>{'We sell shoes in many countries and '.strip() * 5}</b></p>",
        "<p><b>in thousands</b></p>",
        "<p><b>(in thousands)</b></p>",
        "<p><b>December 31, 2024</b></p>",
        "<p><b>/s/ Jane Doe</b></p>",
        "<p><b>Table 4: Markets</b></p>",
        "<ul><li><b>Markets</b></li></ul>",
        "<p style='font-weight:700'><span style='font-weight:400'>Markets</span></p>",
        "<p style='font-weight:400'>Markets</p>",
        "<p style='font-size:1em'>Markets</p>",
        "<p><b style='font-size:6pt'>Markets</b></p>",
    ],
)
def test_what_is_no_line_of_its_own_or_reads_otherwise_is_no_heading(paragraph):
    assert headings(PROSE, paragraph, PROSE) == []


def test_a_page_that_marks_headings_itself_has_no_others():
    assert headings("<h2>Report</h2>", line("Markets"), PROSE) == [(2, "Report")]


def test_size_then_weight_then_capitals_then_italics_tell_the_levels():
    parts = [
        line("Strategy", "font-size:20pt"),
        line("GROWTH"),
        line("Shoes"),
        line("Running shoes", "font-weight:700;font-style:italic"),
        line("In the rain", "text-decoration:underline"),
        line("At night", "font-style:italic"),
        line("Balls"),
        line("PROFIT"),
        line("Outlook", "font-size:20pt"),
    ]
    assert [level for level, _ in headings(*(part + PROSE for part in parts))] == [1, 2, 3, 4, 5, 6, 3, 2, 1]


def test_levels_leave_no_gap_below_a_heading_whose_parts_are_set_smaller():
    parts = [line("GROWTH"), line("Shoes"), line("RETURNS"), line("At night", "font-style:italic")]
    assert [level for level, _ in headings(*(part + PROSE for part in parts))] == [1, 2, 1, 2]


def test_a_style_whose_headings_stand_right_above_those_of_another_is_above_it():
    italic, underlined = "font-style:italic", "text-decoration:underline"
    parts = [line("Revenue", italic), line("By source", underlined), PROSE, line("Costs", italic), PROSE]
    assert headings(*parts) == [(1, "Revenue"), (2, "By source"), (1, "Costs")]
    assert headings(line("By source", underlined), PROSE, line("Costs", italic), PROSE)[1] == (2, "Costs")


def test_an_underline_below_bold_letters_counts_where_others_stand_right_below():
    both = "font-weight:700;text-decoration:underline"
    alike = headings(line("Shoes", both), PROSE, line("Balls"), PROSE)
    assert alike == [(1, "Shoes"), (1, "Balls")]
    below = headings(line("Shoes", both), line("Running"), PROSE, line("Balls", both), PROSE)
    assert below == [(1, "Shoes"), (2, "Running"), (1, "Balls")]


def test_parts_and_items_of_a_report_stand_above_all_others_and_its_cover_has_none():
    cover = [line("SHOES, INC.", "font-weight:700;font-size:20pt"), line("Annual report"), "<p>Portland, Oregon</p>"]
    items = [
        line("PART I"),
        "<p>Item 1. <u>Business.</u></p>",
        line("MARKETS", "font-size:20pt"),
        PROSE,
        line("Item 1A. Risk Factors"),
        PROSE,
        line("PART II"),
        line("Item 5. Market for Shares"),
        TABLE,
        line("SIGNATURES"),
        PROSE,
    ]
    assert headings(*cover, *items) == [
        (1, "PART I"),
        (2, "Item 1. Business."),
        (3, "MARKETS"),
        (2, "Item 1A. Risk Factors"),
        (1, "PART II"),
        (2, "Item 5. Market for Shares"),
        (1, "SIGNATURES"),
    ]
    inside = [*items[:3], line("NOTES TO STATEMENTS", "font-size:20pt"), *items[3:]]
    assert headings(*inside)[2] == (3, "NOTES TO STATEMENTS")
    leading = [line("Forward-Looking Statements"), PROSE.replace("</p>", " We expect that this goes on." * 6 + "</p>")]
    assert headings(*cover, *leading, *items)[0] == (1, "Forward-Looking Statements")
    statements = [line("Consolidated Balance Sheets"), TABLE, line("Shoes"), TABLE]
    found = headings(*cover, *statements, *items)
    assert [text for _, text in found[:2]] == ["Consolidated Balance Sheets", "Shoes"]


def test_the_number_and_the_title_of_an_item_in_two_cells_are_one_line():
    rows = "".join(f"<tr><td><div><b>Item {n}.</b></div></td><td><div><b>Shoes</b></div></td></tr>" for n in (1,))
    assert headings(f"<table><tr><td></td><td></td></tr>{rows}</table>", PROSE) == [(1, "Item 1. Shoes")]
    contents = document("<table><tr><td>Item 1.</td><td>Shoes</td><td>3</td></tr></table>", PROSE)
    assert contents.text.startswith("Item 1. | Shoes | 3\n")
    page = document("<table><tr><td>Item 1.</td><td>3</td></tr></table>", PROSE)
    assert page.text.startswith("Item 1. | 3\n")
    alone = document("<table><tr><td><p>Item 1.</p><p></p></td></tr></table>", PROSE)
    assert alone.text.startswith("Item 1.\n\nThe company")


def test_a_span_that_is_set_apart_does_not_melt_into_the_number_before_it():
    parted = '<p><span>Item 1.</span><span style="padding-left:24pt">Shoes</span></p>'
    assert document(parted).text == "Item 1. Shoes"


def test_notes_stand_above_headings_of_the_same_style_and_a_bare_number_above_its_title():
    parts = [line("Note 1. Sales"), line("By region"), PROSE, line("Note 2 – Stock"), PROSE, line("By region"), PROSE]
    assert headings(*parts) == [(1, "Note 1. Sales"), (2, "By region"), (1, "Note 2 – Stock"), (2, "By region")]
    bare = [line("NOTE 1"), line("SALES"), PROSE, line("NOTE 2"), line("STOCK"), PROSE]
    assert headings(*bare) == [(1, "NOTE 1"), (2, "SALES"), (1, "NOTE 2"), (2, "STOCK")]


def test_of_lines_of_one_style_below_each_other_the_last_is_a_heading():
    assert headings(PROSE, line("SHOES, INC."), line("BALANCE SHEETS"), TABLE) == [(1, "BALANCE SHEETS")]
    assert headings(PROSE, line("Jane Doe"), line("SHOES"), PROSE) == [(1, "SHOES")]
    assert headings(PROSE, line("Shoes")) == []


def test_italics_alone_are_a_heading_of_a_text_and_none_of_a_table():
    assert headings(PROSE, line("Shoes and balls", "font-style:italic"), TABLE) == []
    assert headings(PROSE, line("Shoes and balls", "font-style:italic"), PROSE) == [(1, "Shoes and balls")]
    assert headings(PROSE, line("Shoes and balls", "font-style:italic;font-weight:700"), TABLE)


def test_what_stands_at_the_top_of_pages_is_a_heading_once_and_repeated_headings_are_each_one():
    pages = [line("NOTES TO STATEMENTS") + PROSE * 4 + line("Compared to 2023") + PROSE * 5 + END for _ in range(4)]
    found = [text for _, text in headings(*pages)]
    assert found.count("NOTES TO STATEMENTS") == 1
    assert found.count("Compared to 2023") == 4
    unparted = [part.removesuffix(END) for part in pages]
    assert [text for _, text in headings(*unparted)].count("NOTES TO STATEMENTS") == 4
    assert [text for _, text in headings(PROSE, END, *pages[:2])].count("NOTES TO STATEMENTS") == 2


def test_breaks_part_a_heading_from_its_paragraph():
    assert headings("<div><b>Markets</b><br><br>We sell shoes.<br><br><b>Risks</b><br> <br>It rains.</div>") == [
        (1, "Markets"),
        (1, "Risks"),
    ]
    assert headings("<div><b>Markets</b><br>We sell shoes.</div>") == []


def test_the_text_is_the_same_and_segments_have_their_headings():
    result = document(line("GROWTH"), line("Shoes"), PROSE)
    (paragraph,) = [part for part in result.segments("paragraph") if part.kind == "paragraph"]
    assert result.text[paragraph.start : paragraph.end] == paragraph.text
    assert paragraph.path == ("GROWTH", "Shoes")
    assert result.text.startswith("GROWTH\n\nShoes\n\nThe company")
    assert result.tables() == ()


def test_a_table_below_such_a_heading_is_named_by_it():
    (table,) = document(PROSE, line("Segment results"), TABLE).tables()
    assert table.title == "Segment results"


def test_thousands_of_styles_are_ranked_in_a_moment():
    parts = [line(f"Heading {n:04}", f"font-size:{n % 900 + 20}pt") + PROSE for n in range(3_000)]
    start = time.process_time()
    assert len(headings(*parts)) > 2_000
    assert time.process_time() - start < 20
