"""From rows to text: hyphens, ligatures, lost letters, and a map back to the page that holds at every offset."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.readers.pdf.blocks import Proto
from citewell.readers.pdf.chars import plain
from citewell.readers.pdf.pages import read_pdf
from citewell.readers.pdf.rows import NONE, Bit, Piece, Row, lines
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


def bit(x0, y0, x1, y1, length):
    return Bit(0, length, x0, y0, x1, y1, 0, 1, weight=0, hyphen=False)


def test_a_bullet_with_a_tall_box_stands_on_the_line_that_it_overlaps_most_and_joins_no_two_lines():
    above, bullet, item, below = (
        bit(108, 537, 440, 548, 80), bit(90, 541, 95, 570, 1), bit(108, 557, 526, 568, 90), bit(108, 578, 300, 589, 40),
    )  # fmt: skip
    assert lines([bullet, item, above, below]) == [[above], [bullet, item], [below]]
    assert lines([bullet]) == [[bullet]]
    far = bit(90, 600, 95, 640, 1)
    assert lines([above, item, far]) == [[above], [item], [far]]


UNICODE = b"""begincmap 1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfchar <2D> <00AD> endbfchar endcmap"""


def drawn(*expected):
    """A PDF whose font names its hyphen a soft one, with lines of text."""
    text = b" 0 -20 Td ".join(b"(%s) Tj" % line for line in expected)
    content = b"BT /F 12 Tf 72 700 Td " + text + b" ET"
    parts = (
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(UNICODE), UNICODE),
    )  # fmt: skip
    return (
        b"%PDF-1.4\n"
        + b"".join(b"%d 0 obj%s endobj\n" % (n, part) for n, part in enumerate(parts, 1))
        + (b"trailer<</Root 1 0 R/Size 7>>\n%%EOF")
    )


def test_a_soft_hyphen_that_is_drawn_inside_of_a_line_is_a_hyphen():
    document = read_pdf(drawn(b"Of these, 38 received sentences of 1-12 months, de-escalated by -5 in all - the large en-",
                              b"gines of 13-24 months ran on for a long while until they stopped."))  # fmt: skip
    assert document.text == (
        "Of these, 38 received sentences of 1-12 months, de-escalated by -5 in all - the large engines of 13-24 months "
        "ran on for a long while until they stopped."
    )
    start = document.text.index("1-12")
    (rect,) = document.locate(start, start + 4)
    assert 230 < rect.x0 < rect.x1 < 300


@pytest.mark.parametrize(
    ("odd", "read_as"),
    [("𝐀𝟏", "A1"), ("\uf0b7 ship", "• ship"), ("\uf020", "\uf020"), ("a\u2003b\x07c", "a b c"), ("ship", "ship")],
)
def test_odd_characters_are_read_as_those_that_they_stand_for(odd, read_as):
    assert plain(odd) == read_as
