"""Plain text keeps its offsets; what surely is a heading, an item or a row is marked as one."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.errors import DocumentError
from citewell.readers import read


def blocks(source: str, name: str = "a.txt") -> list[tuple[str, int, str]]:
    document = read(source.encode(), name=name)
    return [(block.kind, block.level, document.text[block.start : block.end]) for block in document.blocks]


def test_nothing_is_rewritten_but_line_endings_and_the_byte_order_mark():
    assert read(b"\xef\xbb\xbfOne  two\t3\r\nwrapped\r\rNext \xc2\xa0 end\n", name="a.txt").text == (
        "One  two\t3\nwrapped\n\nNext \u00a0 end\n"
    )


def test_blank_lines_part_paragraphs_and_wrapped_lines_stay_together():
    assert blocks("A sentence that\nis wrapped.\n  \n\tNext one.\n\n\n") == [
        ("paragraph", 0, "A sentence that\nis wrapped."),
        ("paragraph", 0, "Next one."),
    ]


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("INTRODUCTION", 1),
        ("1 Introduction", 1),
        ("1.2 Methods and data", 2),
        ("3.1.4. Détails", 3),
        ("2. Ergebnisse", 1),
    ],
)
def test_a_line_alone_that_surely_is_a_heading_is_one(line, level):
    assert blocks(f"{line}\n\nText goes on here.") == [("heading", level, line), ("paragraph", 0, "Text goes on here.")]


@pytest.mark.parametrize(
    "line",
    [
        "12 patients were treated",
        "2022",
        "A short line",
        "OK",
        "1.5 million",
        "WE SAY NO.",
        "3 Dogs ran away, they say.",
    ],
)
def test_a_line_alone_that_may_be_anything_is_a_paragraph(line):
    assert blocks(f"{line}\n\nText.")[0][0] == "paragraph"


def test_underlined_headings_have_levels_and_the_rule_is_apart():
    assert blocks("Title\n=====\nText\nmore\n\nSub\n---\n\nEnd.") == [
        ("heading", 1, "Title"),
        ("code", 0, "====="),
        ("paragraph", 0, "Text\nmore"),
        ("heading", 2, "Sub"),
        ("code", 0, "---"),
        ("paragraph", 0, "End."),
    ]


def test_items_are_apart_and_keep_their_wrapped_lines():
    assert blocks("- one\n  goes on\n- two\n\n(a) first thing\n(b) second thing") == [
        ("list_item", 1, "- one\n  goes on"),
        ("list_item", 1, "- two"),
        ("list_item", 1, "(a) first thing"),
        ("list_item", 1, "(b) second thing"),
    ]


def test_form_feeds_part_pages():
    document = read(b"Page one.\n\fPage two.\n\nMore.\n\f", name="a.txt")
    assert [document.text[page.start : page.end].strip() for page in document.pages] == [
        "Page one.",
        "Page two.\n\nMore.",
    ]
    assert document.page_at(document.text.index("More")) == 2


def test_csv_lines_are_rows():
    assert blocks("Item,2022\nRevenue,5.9\n", "a.csv") == [
        ("table_row", 0, "Item,2022"),
        ("table_row", 0, "Revenue,5.9"),
    ]


def test_a_string_with_a_line_break_is_the_text_itself_and_another_is_a_path(tmp_path):
    text = "<b>Revenue</b> rose.\r\n\r\nCosts fell.  "
    assert read(text, name="note").text == text
    assert read(text, name="note").source == "note"
    path = tmp_path / "a.txt"
    path.write_text("Revenue rose.")
    assert read(str(path)).source == str(path)
    assert read(path).text == "Revenue rose."
    with pytest.raises(DocumentError, match="no file"):
        read("Revenue rose.")


def test_open_files_and_streams_are_read(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nSome *text*.")
    with path.open("rb") as file:
        assert read(file).text == "Title\n\nSome text."
    with path.open(encoding="utf-8") as file:
        assert read(file).source == str(path)
    assert read(io.StringIO("Größe"), name="a.txt").text == "Größe"
    assert read(memoryview(b"Text")).text == "Text"


@given(st.text(st.sampled_from("ab.1-= \n\t\fA(%)•"), max_size=80).filter(str.strip))
def test_blocks_of_any_text_hold_everything_but_white_space(text):
    document = read(text.encode(), name="a.txt")
    position = 0
    for block in document.blocks:
        assert position <= block.start < block.end
        assert not document.text[position : block.start].strip()
        assert document.text[block.start : block.end] == document.text[block.start : block.end].strip()
        position = block.end
    assert not document.text[position:].strip()


UNWRAPPED = (
    "Harbour Plan\nThis plan says how the harbour of Tarrow will be dredged, who pays for it, and what becomes of the sand "
    "that is taken out of its basin.\nThe work begins in spring, when the ferries do not run, and it ends before the first "
    "regatta of the year, whatever the weather is like.\nDate: 4 March 2021\nTable 2 Depths\nCosts\nThe Board pays two thirds "
    "of all costs, and the ferries the rest, in four parts, each of them due on the first day of a quarter of the year.\n"
)


def test_where_lines_are_not_wrapped_each_is_a_paragraph_and_short_ones_head_the_long_line_below():
    document = read(UNWRAPPED.encode(), name="a.txt")
    blocks = [(block.kind, document.text[block.start : block.end][:12]) for block in document.blocks]
    assert blocks == [
        ("heading", "Harbour Plan"),
        ("paragraph", "This plan sa"),
        ("paragraph", "The work beg"),
        ("paragraph", "Date: 4 Marc"),
        ("paragraph", "Table 2 Dept"),
        ("heading", "Costs"),
        ("paragraph", "The Board pa"),
    ]
    assert document.title == "Harbour Plan"


def test_where_lines_are_wrapped_a_short_one_is_the_end_of_its_paragraph():
    text = "The plan says how the harbour will be\ndredged and who\npays for it in the end, and what becomes of the sand.\n"
    document = read(text.encode(), name="a.txt")
    assert [block.kind for block in document.blocks] == ["paragraph"]


def test_a_field_or_a_caption_heads_nothing_even_above_a_long_line():
    long = "A line of this length is not broken by hand, which is how a reader knows that the lines of a file are its paragraphs."
    for line in ("License: cc-by", "Table 2 Depths", "Figure 3", "the rest of it", "It ends here."):
        document = read(f"{long}\n{long}\n{line}\n{long} And more.\n".encode(), name="a.txt")
        assert "heading" not in [block.kind for block in document.blocks], line


def test_a_heading_that_every_document_has_is_no_title():
    long = "A line of this length is not broken by hand, which is how a reader knows that the lines of a file are its paragraphs."
    assert read(f"Introduction\n\n{long}\n\nHarbours\n\n{long}".encode(), name="a.txt").title is None
    assert read(f"1. Introduction\n\n{long}".encode(), name="a.txt").title is None
