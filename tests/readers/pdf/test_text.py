"""From rows to text: hyphens, ligatures, lost letters, and a map back to the page that holds at every offset."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.readers.pdf.blocks import Proto
from citewell.readers.pdf.rows import NONE, Piece, Row
from citewell.readers.pdf.text import write


def rows_of(text, *, weight=0, hyphen=()):
    """One row a line of `text`, as pdfium would number its characters."""
    rows, position = [], 0
    for number, line in enumerate(text.split("\n")):
        piece = Piece(position, position + len(line.rstrip("\xad")), 0.0, 1.0)
        flag = number in hyphen
        rows.append(Row(1, [piece], 0.0, 0.0, 1.0, 1.0, 10.0, weight, flag, 0, [NONE], line, 1))
        position += len(line) + 1
    return rows


def text_of(page, elsewhere="", **options):
    text, *_ = write([Proto(rows_of(page, **options), "paragraph")], [page, elsewhere])
    return text


@pytest.mark.parametrize(
    ("page", "elsewhere", "expected"),
    [
        ("the infor-\nmation is", "", "the information is"),
        ("the long-\nterm debt", "long-term debt, long-term plans", "the long-term debt"),
        ("the long-\nterm debt", "", "the longterm debt"),
        ("the well-\nknown fact", "", "the well-known fact"),
        ("the self-\nmade man", "", "the self-made man"),
        ("a state-of-\nthe art", "", "a state-of-the art"),
        ("a ware-\nhouse and", "ware and house, ware and house, warehouse", "a warehouse and"),
        ("Asia-\nPacific sales", "", "Asia-Pacific sales"),
        ("short-\nand long-term", "", "short- and long-term"),
        ("1990-\n1995 was", "", "1990-1995 was"),
        ("soft\xad\nware is", "", "software is"),
        ("the ﬁrst oﬃce", "", "the first office"),
        ("a zero\u200bwidth", "", "a zerowidth"),
        ("two  spaces", "", "two spaces"),
        ("日本語の\n文章", "", "日本語の文章"),
        ("한국어\n문장", "", "한국어 문장"),
    ],
)
def test_line_ends_and_odd_characters_become_plain_text(page, elsewhere, expected):
    assert text_of(page, elsewhere) == expected


def test_a_hyphen_that_pdfium_marks_stands_behind_the_row():
    page = "the infor\ufffemation is"
    rows = rows_of("the infor\nmation is", hyphen={0})
    assert write([Proto(rows, "paragraph")], [page])[0] == "the information is"
    page = "the long\ufffeterm debt"
    rows = rows_of("the long\nterm debt", hyphen={0})
    assert write([Proto(rows, "paragraph")], [page, "long-term"])[0] == "the long-term debt"


def test_an_f_that_bold_type_lost_is_put_back_only_where_the_word_is_known():
    assert text_of("Our ef orts af ect it", "efforts affect", weight=2) == "Our efforts affect it"
    assert text_of("Our ef orts", "", weight=2) == "Our ef orts"
    assert text_of("half off of the", "offthe the", weight=2) == "half off of the"


PIECES = st.text(st.sampled_from("abcxyz fiﬁﬂ\xad\u200b-é漢🙂"), min_size=1, max_size=30).map(
    lambda text: re.sub(r"^[\s\xad\u200b]+|[\s\xad\u200b]+$", "", text) or "x"
)


@given(st.lists(PIECES, min_size=1, max_size=6))
def test_every_offset_maps_back_to_its_own_character(lines):
    page = "\n".join(lines)
    text, blocks, runs, _ = write([Proto(rows_of(page), "paragraph")], [page])
    assert blocks[0].start == 0
    assert blocks[-1].end == len(text)
    spans = list(zip(runs.start.tolist(), runs.end.tolist(), runs.char.tolist(), runs.chars.tolist(), strict=True))
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    for start, end, char, chars in spans:
        assert text[start:end] == page[char : char + chars] or chars < end - start or text[start:end] == " "
    # What no run covers joins lines: a space, or nothing.
    covered = {offset for start, end, *_ in spans for offset in range(start, end)}
    assert {text[offset] for offset in range(len(text)) if offset not in covered} <= {" "}
