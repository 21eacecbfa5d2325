"""Distances and sizes that separate the rows, columns, paragraphs and headings of a page.

The values, each with what it is, stand in `geometry.json`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.text.data import settings


class Geometry(NamedTuple):
    """Shares, ratios and distances; `geometry.json` says of each in which unit it is and what it decides."""

    wide: float
    narrow: float
    before_number: float
    half: float
    gutter_from: float
    touch: float
    crossing: float
    as_good: float
    side_by_side: float
    fill: float
    fill_beside_two: float
    merged: float
    across: float
    same_line: float
    tall: float
    aligned: float
    alone: float
    next_line: float
    size_apart: float
    no_space: float
    same_edge: float
    close: float
    apart_leading: float
    apart_size: float
    far: float
    short: float
    smaller: float
    larger: float
    looser: float
    room: float
    indent: float
    outdent: float
    item_apart: float
    label_right: float
    label_close: float
    cell_step: float
    cell_width: float
    big: float
    much_bigger: float
    capitals: float
    small_capitals: float
    small: float
    no_greater: float
    halves: float
    header_zone: float
    table_gap: float
    header_gap: float
    header_left: float
    label_long: float
    mark_smaller: float
    mark_raised: float
    wall: float
    band: float
    row_step: float
    alone_vote: float
    steps_apart: float
    never_goes_on: float
    goes_on: float
    word_apart: float
    reach_over: float
    cell_lines: float
    year_long: float
    meets: float
    open_side: float
    parted: float
    open_columns: float
    most_lines: float
    figure_lines: float
    sign_long: float
    most_heads: float
    name_long: float
    through: float
    word_gap: float
    mark_long: float
    few_gaps: float
    beside: float


@cache
def geometry() -> Geometry:
    """The values that come with the package."""
    return Geometry(**settings("citewell.readers.pdf", "geometry.json"))


def median(values: npt.NDArray[np.float64]) -> float:
    """The same as numpy's, which takes ten times as long for few values and imports masked arrays."""
    ordered = np.sort(values)
    return float((ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)
