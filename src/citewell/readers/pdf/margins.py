"""Line numbers next to the text in manuscripts, bills and contracts, which belong to no sentence."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from citewell.readers.pdf.boxes import Flags, Floats, Ints
from citewell.readers.pdf.geometry import median

LEAST = 6
"""So many numbers in a column may be line numbers."""

_RISING = 0.85  # of the numbers follow the one above, all at the same distance
_BESIDE = 0.75  # of the words stand on a line with a number, where every line has one
_APART = 0.02  # of the words may reach into the column
_WORDS, _LETTERS = 6, 0.75  # words on a numbered line, and how many of them begin with a letter: prose, not a table
_STEPS = (1, 5, 2, 10)  # every line is numbered, or every so many
_NUMBER = re.compile(r"\d{1,4}")
_FIRST = re.compile(r"\d{1,4}(?=\s)")
_LAST = re.compile(r"\s\d{1,4}\Z")


class LineNumbers:
    """The line numbers of a document, page by page: where they stood beside prose once they are known again."""

    def __init__(self) -> None:
        self._known: list[tuple[int, float]] = []
        self._ends: dict[int, int] | None = {}  # by side the last number so far, where the first page begins with 1
        self.counts_on = False  # whether they were known only behind a title page, which has a few

    def find(self, text: str, words: Ints, boxes: Floats) -> Flags:
        """Which words of a page are line numbers: numbers in a column beside prose that count on from line to line."""
        result = np.zeros(len(words), np.bool_)
        few = sum(map(_at_edges, text.splitlines())) < LEAST
        if few and self._ends is None and not self._known:
            return result
        numbers = np.array([_NUMBER.fullmatch(text, start, end) is not None for start, end in words.tolist()], np.bool_)
        ends, self._ends = self._ends or {}, None
        if few or numbers.sum() < LEAST or numbers.all():
            for side in (0, 2):
                column, values = _counted(text, words, boxes, numbers, side)
                is_known = any(abs(boxes[column, edge] - place).max() < 1 for edge, place in self._known if len(column))
                result[column] = is_known and len(values) > 1
                if values and values[0] == ends.get(side, 0) + 1:
                    self._ends = {**(self._ends or {}), side: values[-1]}
            return result
        for side in (0, 2):
            outer = boxes[numbers, side].min() if side == 0 else boxes[numbers, side].max()
            outermost = numbers & (abs(boxes[:, side] - outer) < 1)
            # Numbers in a column share their left edges, or their right ones.
            columns = []
            for near in (0, 2):
                edge = float(boxes[outermost, near][0])
                columns.append((int((numbers & (abs(boxes[:, near] - edge) < 1)).sum()), near, edge))
            _, near, edge = max(columns)
            column = np.flatnonzero(numbers & (abs(boxes[:, near] - edge) < 1))
            column = column[np.argsort(boxes[column, 1], kind="stable")]
            step = _step([int(text[start:end]) for start, end in words[column].tolist()])
            known = any(other == near and abs(place - edge) < 1 for other, place in self._known)
            first = int(text[slice(*words[column[0]])])
            begins = bool(step) and first in (1, step, ends.get(side, 0) + 1)
            if step and (known or (begins and _beside_prose(text, words, boxes, column, step, left=side == 0))):
                self.counts_on |= not self._known and first != step == 1
                self._known.append((near, edge))
                result[column] = True
        return result


def _counted(text: str, words: Ints, boxes: Floats, numbers: Flags, side: int) -> tuple[Ints, list[int]]:
    """The outermost numbers at a side, from the top, and what they count; none where they do not count on by one."""
    if not numbers.any():
        return np.zeros(0, np.int64), []
    outer = boxes[numbers, side].min() if side == 0 else boxes[numbers, side].max()
    column = np.flatnonzero(numbers & (abs(boxes[:, side] - outer) < 1))
    column = column[np.argsort(boxes[column, 1], kind="stable")]
    values = [int(text[start:end]) for start, end in words[column].tolist()]
    return (column, values) if all(b == a + 1 for a, b in pairwise(values)) else (column[:0], [])


def _at_edges(line: str) -> int:
    """How many short numbers open and close a line."""
    if not line or not (line[0].isdecimal() or line[-1].isdecimal()):
        return 0
    opens, closes = _FIRST.match(f"{line}\n"), _LAST.search(line, max(0, len(line) - 5))
    return (opens is not None) + (closes is not None)


def _step(values: list[int]) -> int:
    """By how much a column of numbers counts on; 0 where it does not."""
    steps = [after - before for before, after in pairwise(values)]
    return next((step for step in _STEPS if len(values) >= LEAST and steps.count(step) >= _RISING * len(steps)), 0)


def _beside_prose(text: str, words: Ints, boxes: Floats, column: Ints, step: int, *, left: bool) -> bool:
    """Whether a column of numbers stands beside lines of prose, each with its number where they count by one."""
    middle = (boxes[:, 1] + boxes[:, 3]) / 2
    height = median(boxes[column, 3] - boxes[column, 1])
    others = np.ones(len(words), np.bool_)
    others[column] = False
    others &= (middle > middle[column[0]] - height) & (middle < middle[column[-1]] + height)
    count = int(others.sum())
    into = boxes[:, 0] < boxes[column, 2].max() if left else boxes[:, 2] > boxes[column, 0].min()
    if not count or (into & others).sum() > _APART * count:
        return False
    lines = middle[column]
    place = np.clip(np.searchsorted(lines, middle[others]), 1, len(column) - 1)
    beside = np.minimum(abs(lines[place - 1] - middle[others]), abs(lines[place] - middle[others])) < height
    starts = words[others][beside, 0].tolist()
    if (step == 1 and beside.sum() < _BESIDE * count) or len(starts) < _WORDS * len(column):
        return False
    return sum(text[start].isalpha() for start in starts) >= _LETTERS * len(starts)
