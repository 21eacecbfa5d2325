"""Blocks of rows to the canonical text, with the map from its offsets to pdfium's characters.

Lines of a block are joined by a space, words that a line end cut are made whole, ligatures become letters.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from citewell.readers.pdf.protos import Proto
from citewell.readers.pdf.rows import CELL, JOINT, Piece, Row
from citewell.types import Block, Span

LIGATURES = {
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "Ĳ": "IJ", "ĳ": "ij",
}  # fmt: skip
_DROPPED = "\x00\xad\u200b\u2060\ufeff\ufffe\x02"
_SPECIAL = re.compile(f"[{''.join(LIGATURES)}{_DROPPED}]|  |[^\\S ]")
_UNIT = re.compile(f"[{''.join(LIGATURES)}]|[{_DROPPED}]|\\s+|[^\\s{''.join(LIGATURES)}{_DROPPED}]+")
_TAIL = re.compile(r"([^\W\d_]+(?:[-‐][^\W\d_]+)*)$")
_HEAD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
# pdfium takes the second f of "ff" in some bold fonts for a shadow of the first and drops it: "ef orts".
_LOST = re.compile(r"(?<![^\W\d_])([A-Za-z]*f) ([a-z]+)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PREFIXES = frozenset("self non well all ex half cross quasi e x anti-".split())


FEW = 60
"""So many questions about words are answered by searching, more by counting all words once."""


class Runs(NamedTuple):
    """Where stretches of the canonical text come from, as arrays of one length, in order of `start`.

    Canonical offsets `start` to `end` are the characters from `char` on of page `page`, at most `chars` of them
    (fewer than offsets where a ligature was resolved); runs of one `line` stand on one line of text.
    """

    start: np.ndarray[tuple[int], np.dtype[np.int32]]
    end: np.ndarray[tuple[int], np.dtype[np.int32]]
    char: np.ndarray[tuple[int], np.dtype[np.int32]]
    chars: np.ndarray[tuple[int], np.dtype[np.int32]]
    page: np.ndarray[tuple[int], np.dtype[np.int32]]
    line: np.ndarray[tuple[int], np.dtype[np.int32]]


class _Writer:
    """The text so far, in parts, and its runs."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        # Pages without any special character, which are most, are not searched piece by piece.
        self.special = [_SPECIAL.search(text.replace("\r\n", " ~")) is not None for text in texts]
        self.parts: list[str] = []
        self.length = 0
        self.runs = array("i")
        self.line = 0

    def put(self, text: str) -> None:
        """Characters that stand nowhere: what joins words, lines and blocks."""
        self.parts.append(text)
        self.length += len(text)

    def piece(self, char: int, stop: int, page: int) -> None:
        """Characters `char` to `stop` of a page."""
        content = self.texts[page - 1][char:stop]
        if not self.special[page - 1] or not _SPECIAL.search(content):
            start = self.length
            self.parts.append(content)
            self.length += len(content)
            self.runs.extend((start, self.length, char, len(content), page, self.line))
            return
        for match in _UNIT.finditer(content):
            unit = match[0]
            if unit in _DROPPED:
                continue
            start = self.length
            self.put(LIGATURES.get(unit) or (" " if unit.isspace() else unit))
            chars = 1 if unit in LIGATURES or unit.isspace() else len(unit)
            self.runs.extend((start, self.length, char + match.start(), chars, page, self.line))


class _Words:
    """How often a word stands in the document by itself, in lower case."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._text = ""
        self._lookups = 0
        self._counts: Counter[str] | None = None

    def __call__(self, word: str) -> int:
        if not self._lookups:
            self._text = "\n".join(self._texts).lower()
        self._lookups += 1
        if self._lookups > FEW and self._counts is None:
            self._counts = Counter(_WORD.findall(self._text))
        if self._counts is not None:
            return self._counts[word]
        # A handful of questions is answered sooner by looking than by counting every word of the document.
        text, size, count = self._text, len(word), 0
        at = text.find(word) if word else -1
        while at >= 0:
            count += self._alone(at, at + size)
            at = text.find(word, at + size)
        return count

    def times(self, part: str) -> int:
        """How often a string stands in the document, inside words too."""
        return self._text.count(part)

    def _alone(self, start: int, end: int) -> bool:
        text = self._text
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        return not (before.isalpha() or after.isalpha() or (before == "-" and text[start - 2 : start - 1].isalpha()))


class Written(NamedTuple):
    """The canonical text with its blocks and runs; for each block, row by row, where each of its cells stands."""

    text: str
    blocks: tuple[Block, ...]
    runs: Runs
    cells: list[list[list[Span]]]


def write(protos: Sequence[Proto], texts: Sequence[str]) -> Written:
    """The canonical text with the map back. `texts` holds the text of each page, by number - 1."""
    out, words = _Writer(texts), _Words(texts)
    blocks: list[Block] = []
    cells: list[list[list[Span]]] = []
    before = ""
    for proto in protos:
        if blocks:
            out.put("\n" if before == proto.kind == "table_row" else "\n\n")
        start = out.length
        cells.append(_write_rows(out, proto.rows, words))
        blocks.append(Block(start, out.length, proto.kind, proto.level))
        before = proto.kind
    table = np.frombuffer(out.runs, dtype=np.int32).reshape(-1, 6)
    runs = Runs(*(np.ascontiguousarray(column) for column in table.T))
    return Written("".join(out.parts), tuple(blocks), runs, cells)


def _write_rows(out: _Writer, rows: Sequence[Row], words: _Words) -> list[list[Span]]:
    final = len(rows) - 1
    cells: list[list[Span]] = []
    for number, row in enumerate(rows):
        first_line = out.line = out.line + 1
        glue, cut = " ", 0
        if number < final:
            text, end, follows = out.texts[row.page - 1], row.pieces[-1].end, rows[number + 1].text[0]
            last = text[end - 1]
            if row.hyphen or last in "-‐" or text[end : end + 1] == "\xad":
                cut, glue = _seam(row, rows[number + 1], text, words)
            elif last >= "\u2e80" and follows >= "\u2e80" and not ("\uac00" <= last <= "\ud7a3"):
                glue = ""  # Chinese and Japanese have no spaces between words
        pieces, start, written = row.pieces, out.length, []
        if row.weight >= 2 and _LOST.search(row.text):
            pieces, glues = _without_gaps(row, out.texts[row.page - 1], words)
            for piece, between in zip(pieces[:-1], glues[1:], strict=True):
                out.piece(piece.start, piece.end, row.page)
                if between == JOINT[CELL]:
                    written.append(Span(start, out.length))
                    start = out.length + len(between)
                out.put(between)
        elif len(pieces) > 1:
            for piece, join in zip(pieces[:-1], row.joins[1:], strict=True):
                out.line = first_line + piece.line
                out.piece(piece.start, piece.end, row.page)
                if join == CELL:
                    written.append(Span(start, out.length))
                    start = out.length + len(JOINT[join])
                out.put(JOINT[join])
        out.line = first_line + pieces[-1].line
        out.piece(pieces[-1].start, pieces[-1].end - cut, row.page)
        cells.append([*written, Span(start, out.length)])
        if number < final:
            out.put(glue)
    return cells


def _without_gaps(row: Row, text: str, words: _Words) -> tuple[list[Piece], list[str]]:
    """The row's pieces with every lost f put back where the document has the whole word elsewhere."""
    pieces: list[Piece] = []
    joins: list[str] = []
    for piece, join in zip(row.pieces, row.joins, strict=True):
        start, glue = piece.start, JOINT[join]
        for match in _LOST.finditer(text, piece.start, piece.end):
            left, right = match[1].lower(), match[2]
            # What follows the gap is a word nowhere else: "of the" and "half empty" stay.
            if words(f"{left}f{right}") and words(right) <= words.times(f"f {right}"):
                pieces.append(piece._replace(start=start, end=match.end(1)))
                joins.append(glue)
                start, glue = match.start(2), "f"
        pieces.append(piece._replace(start=start))
        joins.append(glue)
    return pieces, joins


def _seam(row: Row, after: Row, text: str, words: _Words) -> tuple[int, str]:
    """How to join a row that ends in a hyphen to the next: characters to cut at its end, what to put between.

    A row of which pdfium says that it ends in a hyphen has that hyphen behind its last word, out of its pieces.
    """
    end = row.pieces[-1].end
    cut = 0 if row.hyphen else 1
    head = _HEAD.match(after.text)
    start = text[row.pieces[-1].start : end - cut]
    tail = _TAIL.search(start)
    if text[end : end + 1] == "\xad":
        return 0, ""
    if tail is None or head is None:
        # "1990-\n1995", "– \nand": the hyphen is the text's own.
        hyphen = "" if cut else "-"
        return 0, hyphen if start and not start[-1].isspace() else hyphen + " "
    keep = _keeps_hyphen(tail[1].lower(), head[0], words)
    if keep is None:
        return 0, " " if cut else "- "  # "short- and long-term"
    if keep:
        return 0, "" if cut else "-"
    return cut, ""


def _keeps_hyphen(tail: str, head: str, words: _Words) -> bool | None:
    """Whether the hyphen belongs to the word: judged by how the document writes it elsewhere."""
    if head in ("and", "or", "und", "oder", "et", "to"):
        return None
    if not head[0].islower():
        return True
    whole, hyphened = words(tail + head), words(f"{tail}-{head}")
    if whole != hyphened:
        return hyphened > whole
    if "-" in tail or tail in _PREFIXES:
        return True
    # Both halves are words of this document that stand alone: a compound.
    return len(tail) > 2 and len(head) > 2 and words(tail) > 1 and words(head) > 1
