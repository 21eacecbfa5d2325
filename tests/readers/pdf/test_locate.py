"""Rectangles of PDFs: read back through pdfium, they hold the words that they claim."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewell.readers.pdf.boxes import to_page
from citewell.readers.pdf.pages import read_pdf
from pdfs import bare, heading, make_pdf, prose, read_back, table

PARTS = [heading("Fleet"), prose(160, 1), table(["Revenue", "5,932", "5,617"], ["Costs", "41", "39"]), prose(700, 2)]


def check(data, in_order=True):
    document = read_pdf(data)
    for segment in document.segments("sentence"):
        assert document.text[segment.start : segment.end] == segment.text
        rects = document.locate(segment.start, segment.end)
        assert rects, segment
        for rect in rects:
            page = document.pages[rect.page - 1]
            assert 0 <= rect.x0 < rect.x1 <= page.width + 0.01
            assert 0 <= rect.y0 < rect.y1 <= page.height + 0.01
        back, quote = bare("".join(read_back(data, rect) for rect in rects)), bare(segment.text)
        assert back == quote if in_order else sorted(back) == sorted(quote)
    return document


@pytest.mark.parametrize(
    "layout",
    [
        pytest.param({}, marks=pytest.mark.slow),
        pytest.param({"columns": 2, "hyphens": True}, marks=pytest.mark.slow),
        {"columns": 2, "title": "Two columns under one title that spans them", "shuffled": True},
        pytest.param(
            {"justify": True, "header": "Report", "footer": "Company", "numbers": True}, marks=pytest.mark.slow
        ),
        pytest.param({"crop": (36.0, 50.0, 590.0, 770.0)}, marks=pytest.mark.slow),
        pytest.param({"size": (842.0, 595.0)}, marks=pytest.mark.slow),
        pytest.param({"upright": 90}, marks=pytest.mark.slow),
        pytest.param({"upright": 180}, marks=pytest.mark.slow),
        pytest.param({"upright": 270, "crop": (20.0, 30.0, 600.0, 780.0)}, marks=pytest.mark.slow),
        pytest.param({"rotation": 90}, marks=pytest.mark.slow),
        pytest.param({"rotation": 180}, marks=pytest.mark.slow),
        pytest.param({"rotation": 270}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_every_sentence_stands_in_its_rectangles(layout):
    # Upside down, pdfium itself gives the cells of a row backwards.
    document = check(make_pdf(PARTS, **layout), in_order=layout != {"rotation": 180})
    assert "Revenue | 5,932 | 5,617" in document.text
    assert prose(160, 1) in document.text


@pytest.mark.slow
@given(st.lists(st.integers(20, 300), min_size=1, max_size=6), st.integers(1, 2), st.booleans(), st.booleans())
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
def test_any_document_can_be_read_back_from_its_rectangles(counts, columns, hyphens, justify):
    check(
        make_pdf([prose(count, n) for n, count in enumerate(counts)], columns=columns, hyphens=hyphens, justify=justify)
    )


def test_there_is_one_rectangle_a_line_and_only_as_wide_as_the_words():
    document = read_pdf(make_pdf([prose(100)]))
    first = document.locate(0, 3)
    assert len(first) == 1
    line = document.locate(0, 60)
    assert len(line) == 1
    assert line[0].x0 == first[0].x0
    assert line[0].x1 > first[0].x1
    assert (line[0].y0, line[0].y1) == (first[0].y0, first[0].y1)


def test_nothing_is_located_outside_the_text():
    document = read_pdf(make_pdf([prose(30)]))
    assert document.locate(5, 5) == ()
    assert document.locate(len(document.text) + 3, len(document.text) + 9) == ()


def test_white_space_between_blocks_has_no_rectangle():
    document = read_pdf(make_pdf([prose(30), prose(30, 1)]))
    gap = document.blocks[0].end
    assert document.locate(gap, gap + 2) == ()


@pytest.mark.slow
def test_threads_may_locate_at_once():
    data = make_pdf([prose(2500)])
    document, other = read_pdf(data), read_pdf(data)
    spans = [(segment.start, segment.end) for segment in document.segments("sentence")]
    alone = [other.locate(*span) for span in spans]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda span: document.locate(*span), spans)) == alone


@pytest.mark.parametrize(
    ("rotation", "shown"),
    [(0, (20, 60, 40, 90)), (90, (10, 20, 40, 40)), (180, (60, 10, 80, 40)), (270, (60, 60, 90, 80))],
)
def test_boxes_turn_with_their_page(rotation, shown):
    box = np.array([[25.0, 15.0, 45.0, 45.0]])  # of a page of 100 by 100 points that begins at (5, 5)
    assert to_page(box, (5.0, 5.0, 105.0, 105.0), rotation).tolist() == [list(shown)]
