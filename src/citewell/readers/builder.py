"""Builds a document's canonical text and its blocks side by side, so that offsets are right by construction.

builder = Builder()
builder.add("Results", "heading", 1)
builder.table([["", "2022"], ["Revenue", "5.9"]])
builder.document(title="Report", source="report.html")
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from citewell.document import Document
from citewell.errors import EmptyDocumentError
from citewell.types import Block, BlockKind, Page

CELL = " | "

# Soft hyphens, zero-width spaces and byte-order marks are invisible and would tear words apart; joiners stay,
# because they change how Persian, Hindi and emoji are written.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_SPACES = re.compile(r"[^\S\n]+")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
_TIGHT: frozenset[BlockKind] = frozenset({"list_item", "table_row"})


def clean(text: str) -> str:
    """One block's text: invisible characters out, runs of blanks are one space, no empty lines."""
    text = _UNPRINTABLE.sub("", text.translate(_INVISIBLE))
    lines = (_SPACES.sub(" ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def row(cells: Iterable[str]) -> str:
    """A table row as one line of text; empty cells keep their place, those at the end are left out."""
    return re.sub(r" {2,}", " ", CELL.join(re.sub(r"\s+", " ", clean(cell)) for cell in cells)).rstrip(" |").strip()


class Builder:
    """Collects blocks in reading order. Blocks stand a blank line apart, list items and table rows one line break."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.pages: list[Page] = []
        self.warnings: list[str] = []
        self._parts: list[str] = []
        self._length = 0

    def add(self, text: str, kind: BlockKind = "paragraph", level: int = 0) -> None:
        """Append a block. White space is tidied, except inside code; a block without text is left out."""
        if kind == "code":
            text = _UNPRINTABLE.sub("", text.translate(_INVISIBLE)).strip("\n").rstrip()
            text = text if text.strip() else ""
        else:
            text = clean(text)
        if text:
            self._append(text, kind, level)

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Append the rows of a table, cells joined by ` | `. Columns that are empty in every row are left out."""
        filled = [[clean(cell) for cell in cells] for cells in rows]
        used = sorted({column for cells in filled for column, cell in enumerate(cells) if cell})
        for cells in filled:
            text = row(cells[column] if column < len(cells) else "" for column in used)
            if text:
                self._append(text, "table_row", 0)

    def _append(self, text: str, kind: BlockKind, level: int) -> None:
        if self.blocks:
            tight = kind in _TIGHT and self.blocks[-1].kind == kind
            self._parts.append("\n" if tight else "\n\n")
            self._length += 1 if tight else 2
        self._parts.append(text)
        self.blocks.append(Block(self._length, self._length + len(text), kind, level))
        self._length += len(text)

    @property
    def words(self) -> int:
        """How many words there are so far."""
        return sum(len(part.split()) for part in self._parts)

    def first_heading(self) -> str | None:
        """The text of the first heading."""
        text = "".join(self._parts)
        return next((text[b.start : b.end].replace("\n", " ") for b in self.blocks if b.kind == "heading"), None)

    def document(self, *, title: str | None = None, source: str | None = None) -> Document:
        """The document; its title is the one given, else its first heading.

        Raises:
            EmptyDocumentError: no block has text.
        """
        if not self.blocks:
            raise EmptyDocumentError(f"{source or 'the document'} has no text")
        title = " ".join(clean(title or "").split()) or self.first_heading()
        return Document(
            "".join(self._parts),
            title=title,
            source=source,
            blocks=tuple(self.blocks),
            pages=tuple(self.pages),
            warnings=tuple(self.warnings),
        )
