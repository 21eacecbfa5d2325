"""What stands around each sentence: its paragraph, the headings above it, the rows that head its table. Arrays only.

A figure in a table says nothing without the row that names the years; a sentence is about what its headings say.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.index import TermIndex
from citewell.words import Ints

Flags = npt.NDArray[np.bool_]

NONE = -1
DEPTH = 4  # headings above a sentence that count, the nearest first
REACH = 60  # segments: how far above a row the row may stand that heads its columns
_YEARS = re.compile(r"(?<![\d,.])(?:19|20)\d\d(?![\d,]|\.\d)")
_FIGURES = re.compile(r"\d[\d,.]*")
_LETTERS = re.compile(r"[^\W\d_]")


class Surroundings(NamedTuple):
    """For each of S sentences of an index, positions of other sentences, `NONE` where there is none.

    Attributes:
        before, after: the neighbours in the same document.
        paragraph: running number of the paragraph.
        headings: (DEPTH, S): headings above, the nearest first; a heading's own first one is the one above it.
        header: for a table row the row or line above it that names its columns (years, dates).
        rows: whether it is a table row.
        titles: whether it is a heading.
    """

    before: Ints
    after: Ints
    paragraph: Ints
    headings: Ints
    header: Ints
    rows: Flags
    titles: Flags


def surroundings(found: TermIndex) -> Surroundings:
    """The surroundings of every sentence of an index."""
    segments = found.segments
    count = len(segments)
    order = np.arange(count, dtype=np.int32)
    same = found.documents[1:] == found.documents[:-1]
    before, after = order - 1, order + 1
    before[:1], after[-1:] = NONE, NONE
    before[1:][~same], after[:-1][~same] = NONE, NONE
    names = [segment.id.partition(".")[0] for segment in segments]
    new = np.ones(count, dtype=bool)
    new[1:] = [mine != last for mine, last in zip(names[1:], names[:-1], strict=True)]
    new[1:] |= ~same
    headings = np.full((DEPTH, count), NONE, dtype=np.int32)
    header = np.full(count, NONE, dtype=np.int32)
    above: list[int] = []
    columns, document = NONE, NONE
    for number, segment in enumerate(segments):
        if found.documents[number] != document:
            document, above, columns = int(found.documents[number]), [], NONE
        if segment.kind == "heading":
            if not segment.text or (number and names[number] == names[number - 1] and above):
                continue
            above = above[: max(0, len(segment.path) - 1)]
            _fill(headings, number, above)
            above = [*above, number]
        else:
            _fill(headings, number, above)
        if len(segment.text) < 240 and _names_columns(segment.text):
            columns = number
        elif segment.kind == "table_row" and columns != NONE and number - columns <= REACH:
            header[number] = columns
    return Surroundings(
        before=before,
        after=after,
        paragraph=(np.cumsum(new) - 1).astype(np.int32),
        headings=headings,
        header=header,
        rows=np.fromiter((segment.kind == "table_row" for segment in segments), dtype=bool, count=count),
        titles=np.fromiter((segment.kind == "heading" for segment in segments), dtype=bool, count=count),
    )


def _fill(headings: Ints, number: int, above: list[int]) -> None:
    for level, heading in enumerate(reversed(above[-DEPTH:])):
        headings[level, number] = heading


def _names_columns(text: str) -> bool:
    """Whether a line names years and holds hardly any other figures: "(in millions) | 2022 | 2021"."""
    years = _YEARS.findall(text)
    if not years or text.endswith((".", ";")):
        return False
    others = len(_FIGURES.findall(text)) - len(years)
    return others <= len(years) and (len(years) > 1 or len(_LETTERS.findall(text)) < 60)


def around(present: npt.NDArray[np.float32], where: Surroundings) -> npt.NDArray[np.float32]:
    """(U, S) presence of terms in what surrounds each sentence, 1 near to 0.5 far, from their presence in sentences."""
    padded = np.concatenate((present, np.zeros((len(present), 1), dtype=np.float32)), axis=1)  # NONE is -1: the last
    result = np.maximum(padded[:, where.before], 0.6 * padded[:, where.after])
    starts = np.flatnonzero(np.diff(where.paragraph, prepend=-1))
    if len(starts):
        whole = np.maximum.reduceat(present, starts, axis=1)[:, where.paragraph]
        result = np.maximum(result, 0.7 * whole)
    for level, row in enumerate(where.headings):
        result = np.maximum(result, (1.0, 0.9, 0.7, 0.5)[level] * padded[:, row])
    columns = np.maximum(
        padded[:, where.header], 0.8 * padded[:, np.where(where.header == NONE, NONE, where.before[where.header])]
    )
    return np.maximum(result, columns).astype(np.float32)
