"""Blocks of rows to the canonical text, with the map from its offsets back to pdfium's characters.

Lines of a block are joined by a space, words that a line end cut are made whole, ligatures become letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from citewell.read.pdf_blocks import Proto
from citewell.read.pdf_layout import JOINT, Row
from citewell.types import Block

LIGATURES = {
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "Ĳ": "IJ", "ĳ": "ij",
}  # fmt: skip
_DROPPED = "\x00\xad\u200b\u2060\ufeff\ufffe\x02"
_SPECIAL = re.compile(f"[{''.join(LIGATURES)}{_DROPPED}]|  |[^\\S ]")
_UNIT = re.compile(f"[{''.join(LIGATURES)}]|[{_DROPPED}]|\\s+|[^\\s{''.join(LIGATURES)}{_DROPPED}]+")
_TAIL = re.compile(r"([^\W\d_]+(?:[-‐][^\W\d_]+)*)$")
_HEAD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PREFIXES = frozenset("self non well all ex half cross quasi e x anti-".split())


class Runs(NamedTuple):
    """Where stretches of the canonical text come from, as arrays of one length, in order of `start`.

    Canonical offsets `start` to `end` are the characters from `char` on of page `page`, at most `count` of them
    (fewer than offsets where a ligature was resolved); runs of one `line` stand on one line of text.
    """

    start: np.ndarray[tuple[int], np.dtype[np.int32]]
    end: np.ndarray[tuple[int], np.dtype[np.int32]]
    char: np.ndarray[tuple[int], np.dtype[np.int32]]
    count: np.ndarray[tuple[int], np.dtype[np.int32]]
    page: np.ndarray[tuple[int], np.dtype[np.int32]]
    line: np.ndarray[tuple[int], np.dtype[np.int32]]


@dataclass(slots=True)
class _Writer:
    """The text so far, in parts, and its runs."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    runs: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    line: int = 0

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def piece(self, content: str, char: int, page: int) -> None:
        """Characters of a page; `content` starts at its character `char`."""
        if not _SPECIAL.search(content):
            start = self.length
            self.put(content)
            self.runs.append((start, self.length, char, len(content), page, self.line))
            return
        for match in _UNIT.finditer(content):
            unit = match[0]
            if unit in _DROPPED:
                continue
            start = self.length
            self.put(LIGATURES.get(unit) or (" " if unit.isspace() else unit))
            count = 1 if unit in LIGATURES or unit.isspace() else len(unit)
            self.runs.append((start, self.length, char + match.start(), count, page, self.line))


def write(protos: Sequence[Proto], texts: Sequence[str]) -> tuple[str, tuple[Block, ...], Runs]:
    """The canonical text, its blocks, and its runs. `texts` holds the text of each page, by number - 1."""
    out = _Writer()
    blocks: list[Block] = []
    known: Counter[str] | None = None

    def words() -> Counter[str]:
        nonlocal known
        if known is None:
            known = Counter(word for text in texts for word in _WORD.findall(text.lower()))
        return known

    before = ""
    for proto in protos:
        if blocks:
            out.put("\n" if before == proto.kind == "table_row" else "\n\n")
        start = out.length
        _write_rows(out, proto.rows, texts, words)
        blocks.append(Block(start, out.length, proto.kind, proto.level))
        before = proto.kind
    table = np.array(out.runs, dtype=np.int32).reshape(-1, 6)
    return "".join(out.parts), tuple(blocks), Runs(*(np.ascontiguousarray(column) for column in table.T))


def _write_rows(out: _Writer, rows: Sequence[Row], texts: Sequence[str], words: Callable[[], Counter[str]]) -> None:
    final = len(rows) - 1
    for number, row in enumerate(rows):
        out.line += 1
        text = texts[row.page - 1]
        glue = " "
        end = row.pieces[-1].end
        if number < final:
            after = rows[number + 1]
            last, follows = text[end - 1], after.text[0]
            if row.hyphen or last in "-‐" or text[end : end + 1] == "\xad":
                cut, glue = _seam(row, after, text, words)
                end -= cut
            elif last >= "\u2e80" and follows >= "\u2e80" and not ("\uac00" <= last <= "\ud7a3"):
                glue = ""  # Chinese and Japanese have no spaces between words
        for piece, join in zip(row.pieces, row.joins, strict=True):
            out.put(JOINT[join])
            stop = end if piece is row.pieces[-1] else piece.end
            out.piece(text[piece.start : stop], piece.start, row.page)
        if number < final:
            out.put(glue)


def _seam(row: Row, after: Row, text: str, words: Callable[[], Counter[str]]) -> tuple[int, str]:
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
        return (0, "") if start and not start[-1].isspace() else (0, " ")
    keep = _keeps_hyphen(tail[1].lower(), head[0], words)
    if keep is None:
        return 0, " "  # "short- and long-term"
    if keep:
        return (0, "") if cut else (-1, "")
    return cut, ""


def _keeps_hyphen(tail: str, head: str, words: Callable[[], Counter[str]]) -> bool | None:
    """Whether the hyphen belongs to the word: judged by how the document writes it elsewhere."""
    if head in ("and", "or", "und", "oder", "et", "to"):
        return None
    if not head[0].islower():
        return True
    known = words()
    lowered = head.lower()
    whole, hyphened = known[tail + lowered], known[f"{tail}-{lowered}"]
    if whole != hyphened:
        return hyphened > whole
    if "-" in tail or tail in _PREFIXES:
        return True
    # Both halves are words of this document that stand alone: a compound.
    return len(tail) > 2 and len(head) > 2 and known[tail] > 1 and known[lowered] > 1
