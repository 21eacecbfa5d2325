"""Tables as wide as a page whose text stands in columns: their rows, headers and labels are not cut at the gutter."""

from __future__ import annotations

import numpy as np

from citewell.readers.pdf.boxes import Flags, Floats, Ints
from citewell.readers.pdf.geometry import geometry

_FIGURES = 2  # of a line that has no label of its own
_CELLS = 3  # of a row of a table: a label and figures
_ROWS = 3  # of a table, at least
_WORDS = 4  # of a label
_CLOSE = 1.0  # line heights between a label without figures and the row below it, at most
_LEVEL = 0.3  # line heights by which the middles of a row's parts differ, at most


def labelled(frame: Floats, unit: Ints, words: Ints) -> Ints:
    """The lines of pieces, those that are nothing but figures made one with the label left of them.

    `words` has the words of running text of each piece, -1 of a figure.
    """
    figure, count = words < 0, np.bincount(unit)
    bare = np.bincount(unit, figure, len(count)) == count
    middle, high = (frame[:, 1] + frame[:, 3]) / 2, frame[:, 3] - frame[:, 1]
    label = ~figure & (count[unit] == 1) & (words <= _WORDS)
    joined: dict[int, int] = {}
    for line in np.flatnonzero(bare & (count >= _FIGURES)).tolist():
        first = np.flatnonzero(unit == line)[0]
        level = label & (np.abs(middle - middle[first]) < _LEVEL * high[first]) & (frame[:, 2] < frame[first, 0])
        if level.any():
            joined[line] = int(unit[np.flatnonzero(level)[np.argmax(frame[level, 2])]])
    if len(joined) < _ROWS:
        return unit
    return np.array([joined.get(line, line) for line in unit.tolist()], np.int64)


def held(whole: Floats, cells: Floats, back: Ints, crossing: Flags, words: Ints) -> Flags:
    """Which lines cross the gutter or belong to the rows of a table that do: headers above them, labels between them.

    `whole` has the boxes of the lines, `cells` those of their pieces, `back` the line of each piece, `words` the words
    of running text of each.
    """
    count, most = np.bincount(back, minlength=len(whole)), np.zeros(len(whole), np.int64)
    np.maximum.at(most, back, words)
    rows = np.flatnonzero(crossing & (count >= _CELLS)).tolist()
    if len(rows) < _ROWS:
        return crossing
    result = crossing.copy()
    # Of each line that belongs to a table: its top, and where the labels begin and the figures begin and end below it.
    table = {row: (*whole[row, :2].tolist(), float(np.sort(cells[back == row, 0])[1]), whole[row, 2]) for row in rows}
    others = np.flatnonzero(~crossing & (most <= _WORDS))
    for line in others[np.argsort(-whole[others, 1])].tolist():  # from the bottom up: headers stand on headers
        x0, y0, x1, y1 = whole[line].tolist()
        high = y1 - y0
        for left, top, first, last in list(table.values()):
            gap = (top - y1) / high
            header = gap < geometry().header_gap and x0 >= first - 2 * high and x1 <= last + high
            label = gap < _CLOSE and abs(x0 - left) < 2 * high and x1 < first
            if gap > -1 and (header or label):
                table[line], result[line] = (left, y0, first, last), True
                break
    return result
