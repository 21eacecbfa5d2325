"""Headers of groups reach over the columns of their groups."""

from __future__ import annotations

from citewell.readers.pdf.spread import groups
from citewell.types import Slot


def heads(*rows):
    """Slots, boxes and text of headers, each given as text, column, left and right edge."""
    text, boxes = "", {}
    for number, row in enumerate(rows):
        for result, column, left, right in row:
            slot = Slot(number, column, len(text), len(text) + len(result), 1, 1, 0.0)
            boxes[slot] = (left, right)
            text += result + " "
    return list(boxes), boxes, len(rows), text


def reach(*rows):
    return [(slot.column, slot.columns) for slot in groups(*heads(*rows)) if slot.row == 0]


def test_a_group_reaches_over_its_columns_to_the_next_group():
    lower = [("Mean", 1, 50, 70), ("SD", 2, 80, 90), ("Mean", 3, 100, 120), ("SD", 4, 130, 140)]
    assert reach([("Treated", 1, 50, 85), ("Control", 3, 100, 132)], lower) == [(1, 2), (3, 2)]


def test_the_first_line_of_a_header_reaches_over_no_other():
    lower = [("Common stock", 1, 50, 90), ("paid-in capital", 2, 100, 150), ("deficit", 3, 160, 190)]
    assert reach([("Additional", 2, 100, 140), ("Accumulated", 3, 160, 200)], lower) == [(2, 1), (3, 1)]


def test_groups_that_leave_a_column_out_stay_where_they_stand():
    lower = [("Owned", 1, 50, 80), ("Total", 2, 100, 130), ("Leased", 3, 150, 180), ("Total", 4, 200, 230)]
    assert reach([("All", 2, 100, 115), ("Some", 4, 200, 225)], lower) == [(2, 1), (4, 1)]


def test_headers_over_years_are_left_to_their_middle():
    lower = [("2022", 1, 50, 70), ("2021", 2, 80, 100), ("2022", 3, 110, 130), ("2021", 4, 140, 160)]
    assert reach([("Domestic", 1, 50, 90), ("Other", 3, 110, 135)], lower) == [(1, 1), (3, 1)]
