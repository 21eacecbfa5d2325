"""The lines and shaded areas of a page."""

import io

import numpy as np
import pypdfium2 as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

from citewell.readers.pdf.rules import paths, rules, under

WIDTH, HEIGHT = 400.0, 600.0


def ruled(*boxes, outlines=()):
    """The rules of a page with these boxes, of which those numbered in `outlines` are not filled."""
    outline = np.array([float(number in outlines) for number in range(len(boxes))])
    return rules(np.array(boxes, np.float64), outline, WIDTH, HEIGHT)


def test_the_background_of_a_page_is_no_shaded_area():
    page, row = (0.0, 0.0, WIDTH, HEIGHT), (40.0, 100.0, 360.0, 120.0)
    assert ruled(page, row).shades.tolist() == [list(row)]


@pytest.mark.parametrize("whole", [(0.0, 90.0, WIDTH, 130.0), (150.0, 0.0, 250.0, HEIGHT)])
def test_what_fills_a_page_one_way_alone_is_a_shaded_area(whole):
    assert ruled(whole).shades.tolist() == [list(whole)]


@pytest.mark.parametrize(("gap", "count"), [(0.0, 1), (2.0, 1), (6.0, 2)])
def test_pieces_of_a_line_are_one_line_where_they_all_but_touch(gap, count):
    across = ruled((40.0, 100.0, 200.0, 100.5), (200.0 + gap, 100.0, 360.0, 100.5)).across
    assert len(across) == count
    assert (across[:, 1].min(), across[:, 2].max()) == (40.0, 360.0)


@pytest.mark.parametrize(("apart", "count"), [(1.0, 1), (4.0, 2)])
def test_lines_above_each_other_are_one_where_no_text_fits_between(apart, count):
    assert len(ruled((40.0, 100.0, 360.0, 100.5), (40.0, 100.0 + apart, 360.0, 100.5 + apart)).across) == count


def test_the_frame_of_a_box_is_four_lines_and_no_shade():
    drawn = ruled((40.0, 100.0, 360.0, 200.0), outlines={0})
    assert drawn.across.tolist() == [[100.0, 40.0, 360.0], [200.0, 40.0, 360.0]]
    assert drawn.down.tolist() == [[40.0, 100.0, 200.0], [360.0, 100.0, 200.0]]
    assert not len(drawn.shades)


def test_a_line_is_under_a_text_only_near_its_foot():
    drawn = ruled((40.0, 112.0, 90.0, 112.5), (40.0, 125.0, 90.0, 125.5), (40.0, 103.0, 90.0, 103.5))
    assert under(drawn, 100.0, 111.0) == ((40.0, 90.0),)


@pytest.mark.parametrize(("gray", "count"), [(0.0, 1), (0.9, 1), (1.0, 0)])
def test_what_is_drawn_in_white_is_not_there(gray, count):
    file = io.BytesIO()
    canvas = Canvas(file, (WIDTH, HEIGHT))
    canvas.setFillGray(gray)
    canvas.rect(40, 100, 320, 20, stroke=0, fill=1)
    canvas.save()
    document = pdfium.PdfDocument(file.getvalue())
    assert len(paths(document[0])) == count
    document.close()


def test_what_a_form_draws_stands_where_the_form_is_placed():
    file = io.BytesIO()
    canvas = Canvas(file, (WIDTH, HEIGHT))
    canvas.beginForm("box")
    canvas.rect(10, 20, 30, 5, stroke=0, fill=1)
    canvas.endForm()
    canvas.translate(100, 200)
    canvas.scale(2, -1)
    canvas.doForm("box")
    canvas.save()
    box = paths(pdfium.PdfDocument(file.getvalue())[0])[0]
    assert box[[0, 2]].tolist() == pytest.approx([120, 180], abs=2)
    assert sorted(box[[1, 3]].tolist()) in (pytest.approx([175, 180], abs=2), pytest.approx([420, 425], abs=2))
