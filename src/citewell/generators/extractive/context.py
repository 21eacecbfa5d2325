"""The context of each sentence as arrays: its paragraph, the headings above it, the header rows of its table.

A figure in a table says nothing without the row that names the years; a sentence is about what its headings say.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.generators.extractive.settings import settings
from citewell.text.index import Floats, TermIndex
from citewell.text.words import Ints

Flags = npt.NDArray[np.bool_]

NONE = -1
DEPTH = 4  # headings above a sentence that count, the nearest first
REACH = 60  # segments: how far above a row the row may stand that heads its columns
_CELLS = 3  # of a row that names the columns without years, at least
_YEARS = re.compile(r"(?<![\d,.])(?:19|20)\d\d(?![\d,]|\.\d)")
_FIGURES = re.compile(r"\d[\d,.]*")
_LETTERS = re.compile(r"[^\W\d_]")


class Surroundings(NamedTuple):
    """For each of S sentences of an index, positions of other sentences, `NONE` where there is none.

    Attributes:
        before, after: the neighbours in the same document.
        paragraph: running number of the paragraph.
        headings: (DEPTH, S): headings above, the nearest first; a heading's own first one is the one above it.
        header: for a table row the row or line above it that names its columns (years, dates, or words only).
        rows: whether it is a table row.
        titles: whether it is a heading.
        numbered: whether there is a number in it.
        wholes, figures: for each of the T terms whether it is a whole number, a number of some length; no years.
    """

    before: Ints
    after: Ints
    paragraph: Ints
    headings: Ints
    header: Ints
    rows: Flags
    titles: Flags
    numbered: Flags
    wholes: Flags
    figures: Flags

    def heads(self) -> Flags:
        """Which rows name the columns of others: those above figures, and the first one of a table without figures."""
        opens: Flags = self.rows & ~self.numbered & ~np.append(False, self.rows)[:-1] & np.append(self.rows, False)[1:]
        opens[self.header[self.header != NONE]] = True
        return opens


def surroundings(term_index: TermIndex) -> Surroundings:
    """The surroundings of every sentence of an index."""
    segments = term_index.segments
    count = len(segments)
    order = np.arange(count, dtype=np.int32)
    same = term_index.documents[1:] == term_index.documents[:-1]
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
        if term_index.documents[number] != document:
            document, above, columns = int(term_index.documents[number]), [], NONE
        if segment.kind == "heading":
            if not segment.text or (number and names[number] == names[number - 1] and above):
                continue
            above = above[: max(0, len(segment.path) - 1)]
            _fill(headings, number, above)
            above = [*above, number]
        else:
            _fill(headings, number, above)
        row = segment.kind == "table_row"
        if columns != NONE and not _YEARS.search(segments[columns].text):
            same = row and segment.text.count(" | ") == segments[columns].text.count(" | ")
            columns = columns if same else NONE  # words name the columns of their own table only
        first = row and (before[number] == NONE or segments[number - 1].kind != "table_row")
        below = segments[number + 1] if first and after[number] != NONE else None
        words = below is not None and below.kind == "table_row" and _is_all_words(segment.text, below.text)
        if len(segment.text) < 240 and (words or _names_columns(segment.text, row)):
            columns = number
        elif row and columns != NONE and number - columns <= REACH:
            header[number] = columns
    terms = list(term_index.term_ids)  # in the order of their ids
    numbers = np.fromiter((term[:1].isdigit() for term in terms), dtype=bool, count=len(terms))
    long = np.fromiter((len(term) > 2 and not _YEARS.fullmatch(term) for term in terms), dtype=bool, count=len(terms))
    figures = numbers & long
    owner = np.repeat(order, np.diff(term_index.segment_ptr))
    return Surroundings(
        before=before,
        after=after,
        paragraph=(np.cumsum(new) - 1).astype(np.int32),
        headings=headings,
        header=header,
        rows=np.fromiter((segment.kind == "table_row" for segment in segments), dtype=bool, count=count),
        titles=np.fromiter((segment.kind == "heading" for segment in segments), dtype=bool, count=count),
        numbered=np.bincount(owner[numbers[term_index.word_terms]], minlength=count) > 0,
        wholes=np.fromiter(
            (term.isdigit() and not _YEARS.fullmatch(term) for term in terms), dtype=bool, count=len(terms)
        ),
        figures=figures,
    )


def _fill(headings: Ints, number: int, above: list[int]) -> None:
    for level, heading in enumerate(reversed(above[-DEPTH:])):
        headings[level, number] = heading


def _names_columns(text: str, row: bool) -> bool:
    """Whether a line names years and holds hardly any other figures: "(in millions) | 2022 | 2021"."""
    if text.endswith((".", ";", ":")) or not ("19" in text or "20" in text):
        return False
    years = _YEARS.findall(text)
    if not years:
        return False
    others = len(_FIGURES.findall(text)) - len(years)
    return others <= len(years) and (len(years) > 1 or (row and len(_LETTERS.findall(text)) < 60))


def _is_all_words(text: str, below: str) -> bool:
    """Whether a row has a word in each of three cells or more, no figures, and a row of as many with figures below it.

    "Ship | Built | Cars" above "Alder | 1998 | 60".
    """
    cells = text.split(" | ")
    same = len(cells) == len(below.split(" | ")) >= _CELLS and _FIGURES.search(below)
    return bool(same and all(_LETTERS.search(cell) for cell in cells) and not _FIGURES.search(text))


class Around(NamedTuple):
    """(U, S) presence of terms in what surrounds each sentence, each 0 to 1.

    Attributes:
        neighbours: the sentence before, and for less the one after.
        paragraph: the rest of the paragraph.
        headings: the headings above, the nearest counting most.
        columns: for table rows the row that names the columns, and for less the one above it.
    """

    neighbours: Floats
    paragraph: Floats
    headings: Floats
    columns: Floats

    @property
    def best(self) -> Floats:
        """The most that any of them gives; a paragraph counts less."""
        near = np.maximum(self.neighbours, settings()["paragraph"] * self.paragraph)
        result: Floats = np.maximum(near, np.maximum(self.headings, self.columns)).astype(np.float32)
        return result

    def at(self, candidates: npt.NDArray[np.int64]) -> Around:
        """The same for some of the sentences."""
        return Around(*(part[:, candidates] for part in self))


def around(present: Floats, where: Surroundings) -> Around:
    """What surrounds each sentence, from the (U, S) presence of terms in the sentences."""
    s = settings()
    padded = np.concatenate((present, np.zeros((len(present), 1), dtype=np.float32)), axis=1)  # NONE is -1: the last
    neighbours = np.maximum(padded[:, where.before], s["sentence_after"] * padded[:, where.after])
    starts = np.flatnonzero(np.diff(where.paragraph, prepend=-1))
    paragraph = np.maximum.reduceat(present, starts, axis=1)[:, where.paragraph] if len(starts) else present
    headings = np.zeros_like(present)
    for level, row in enumerate(where.headings, 1):
        headings = np.maximum(headings, s[f"heading_{level}"] * padded[:, row])
    above = np.where(where.header == NONE, NONE, where.before[where.header])
    columns = np.maximum(padded[:, where.header], s["columns_above"] * padded[:, above])
    return Around(neighbours, paragraph, headings, columns)
