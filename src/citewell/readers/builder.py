"""Builds a document's canonical text and its blocks together, so that offsets are right by construction.

builder = Builder(Allowance(Budget(), len(data), "report.html"))
builder.add("Results", "heading", 1)
builder.table([["", "2022"], ["Revenue", "5.9"]])
builder.document(title="Report", source="report.html")
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from citewell.document import Document
from citewell.errors import EmptyDocumentError
from citewell.readers.budget import Allowance
from citewell.readers.looks import Look
from citewell.readers.titles import filing
from citewell.types import Block, BlockKind, Grid, Page, Slot, Span

CELL = " | "

# Soft hyphens, zero-width spaces and byte-order marks are invisible and would tear words apart; joiners stay,
# because they change how Persian, Hindi and emoji are written.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_SPACES = re.compile(r"[^\S\n]+")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
_BEFORE = re.compile(r"(?:[A-Z]{0,3}[$€£¥₹]|[(-])+\s?\(?")
_AFTER = re.compile(r"\)?\s?[%‰]?\)?")
_FIGURE = re.compile(r"[\d—–-]")
NO_SPANS: Mapping[tuple[int, int], tuple[int, int]] = {}
NO_INDENTS: Mapping[tuple[int, int], float] = {}
_SENTENCE_ENDS = ".;"
_CLAUSE, _LONG_CLAUSE = 4, 15  # words of a heading that may be a sentence, and of one that is
_TIGHT: frozenset[BlockKind] = frozenset({"list_item", "table_row"})


def clean(text: str) -> str:
    """One block's text: invisible characters out, runs of blanks are one space, no empty lines."""
    text = _UNPRINTABLE.sub("", text.translate(_INVISIBLE))
    lines = (_SPACES.sub(" ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _flat(cell: str) -> str:
    return re.sub(r"\s+", " ", clean(cell))


def _row(cells: Sequence[str]) -> tuple[str, list[int]]:
    """A table row as one line of text, and where each cell starts in it; empty cells at its end are left out."""
    text, offsets = "", []
    last = max((number for number, cell in enumerate(cells) if cell), default=-1)
    for number, cell in enumerate(cells):
        if 0 < number <= last:
            text += "| " if not text or text.endswith(" ") else CELL
        offsets.append(len(text))
        text += cell if number <= last else ""
    return text, offsets


def _whole(cells: list[str], filled: Collection[int] = frozenset()) -> list[str]:
    """The cells of a row with signs of currency, brackets and percent signs moved to the number beside them.

    A dash in a column of `filled`, which has more than signs, stands for no figure and stays.
    """
    before: int | None = None  # the last cell with text
    for number, cell in enumerate(cells):
        if cell and _BEFORE.fullmatch(cell) and not (cell == "-" and number in filled):
            after = next((n for n in range(number + 1, len(cells)) if cells[n]), None)
            if after is not None and _FIGURE.match(cells[after]):
                cells[after] = f"{cell} {cells[after]}" if cell[-1] != "(" else cell + cells[after]
                cells[number] = ""
        elif cell and _AFTER.fullmatch(cell) and before is not None and _FIGURE.search(cells[before]):
            cells[before] += cell if cell[0] == ")" else f" {cell}"
            cells[number] = ""
        if cells[number]:
            before = number
    return cells


def _settled(
    rows: list[list[str]], spans: Mapping[tuple[int, int], tuple[int, int]]
) -> tuple[list[list[str]], Mapping[tuple[int, int], tuple[int, int]]]:
    """Cells over several columns moved to the first of them in which another row has a cell of its own.

    Filings have a column for each currency sign: the header over sign and number belongs to the number.
    """
    narrow = {
        column
        for number, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell and spans.get((number, column), (1, 1))[1] == 1
    }
    moved = dict(spans)
    for (number, column), (high, wide) in spans.items():
        cells = rows[number] if number < len(rows) else []
        to = next((n for n in range(column, column + wide) if n in narrow), column)
        if column and wide > 1 and to != column and column < len(cells) and cells[column] and to < len(cells):
            cells[to], cells[column] = cells[column], ""
            del moved[number, column]
            moved[number, to] = high, wide - (to - column)
    return rows, moved


def _without_clauses(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, where sentences that a numbered heading style sets are paragraphs: such clauses head nothing.

    A long heading that ends as a sentence is one; so is a short one if most headings of its level end so.
    """
    spoken = {block for block in blocks if block.kind == "heading" and text[block.end - 1] in _SENTENCE_ENDS}
    levels = Counter(block.level for block in blocks if block.kind == "heading")
    clauses = Counter(block.level for block in spoken if _words(text, block) >= _CLAUSE)
    return [
        Block(block.start, block.end, "paragraph")
        if block in spoken and (2 * clauses[block.level] > levels[block.level] or _words(text, block) >= _LONG_CLAUSE)
        else block
        for block in blocks
    ]


def _words(text: str, block: Block) -> int:
    return len(text[block.start : block.end].split())


class Builder:
    """Collects blocks in reading order. Blocks stand a blank line apart, list items and table rows one line break."""

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.blocks: list[Block] = []
        self.pages: list[Page] = []
        self.warnings: list[str] = []
        self.grids: list[Grid] = []
        self.looks: dict[int, Look] = {}  # how paragraphs are set, by the number of the block
        self.page_tops: set[int] = set()  # the numbers of blocks before which a page ends
        self._hidden: list[tuple[int, int]] = []  # blocks before what was hidden, words of it
        self._before = ""  # what stands before the first of it
        self._parts: list[str] = []
        self._length = 0

    def add(self, text: str, kind: BlockKind = "paragraph", level: int = 0, look: Look | None = None) -> None:
        """Append a block. White space is tidied, except inside code; a block without text is left out."""
        if kind == "code":
            text = _UNPRINTABLE.sub("", text.translate(_INVISIBLE)).strip("\n").rstrip()
            text = text if text.strip() else ""
        else:
            text = clean(text)
        if text:
            if look is not None:
                self.looks[len(self.blocks)] = look
            self._append(text, kind, level)

    def make_headings(self, levels: Mapping[int, int]) -> None:
        """Make headings of blocks, by their numbers, each with its level."""
        for number, level in levels.items():
            self.blocks[number] = self.blocks[number]._replace(kind="heading", level=level)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        spans: Mapping[tuple[int, int], tuple[int, int]] = NO_SPANS,
        heads: int = 0,
        indents: Mapping[tuple[int, int], float] = NO_INDENTS,
    ) -> None:
        """Append the rows of a table, cells joined by ` | `. Columns that are empty in every row are left out.

        Signs in cells of their own go to the number that they belong to. `spans` has the rows and columns of the cells
        that reach over more than one, by row and column. The first `heads` rows are marked as headers, 0 where none is.
        `indents` tells by how many points cells are set in.
        """
        flat = [[_flat(cell) for cell in cells] for cells in rows]
        spelled = {
            column
            for number, cells in enumerate(flat)
            for column, cell in enumerate(cells)
            if cell and not _BEFORE.fullmatch(cell) and spans.get((number, column), (1, 1))[1] == 1
        }
        filled, spans = _settled([_whole(cells, spelled) for cells in flat], spans)
        used = sorted({column for cells in filled for column, cell in enumerate(cells) if cell})
        place = {column: number for number, column in enumerate(used)}
        slots: list[Slot] = []
        row_count = marked = 0
        for number, cells in enumerate(filled):
            columns = used[: bisect_left(used, len(cells))]
            text, offsets = _row([cells[column] for column in columns])
            if not text:
                continue
            self._append(text, "table_row", 0)
            start = self.blocks[-1].start
            for column, at in zip(columns, offsets, strict=True):
                if cells[column]:
                    high, wide = spans.get((number, column), (1, 1))
                    reach = bisect_left(used, column + wide) - bisect_left(used, column)
                    where = Span(start + at, start + at + len(cells[column]))
                    slots.append(
                        Slot(row_count, place[column], *where, high, max(1, reach), indents.get((number, column), 0.0))
                    )
            row_count += 1
            marked += number < heads
        if row_count and len(used) > 1:
            begin, end = self.blocks[-row_count].start, self.blocks[-1].end
            known = marked if 0 < marked < row_count else -1
            # No slot reaches below the last row.
            fitting = tuple(slot._replace(rows=max(1, min(slot.rows, row_count - slot.row))) for slot in slots)
            self.grids.append(Grid(begin, end, row_count, len(used), fitting, known))

    @contextmanager
    def page(self, number: int, furniture: Sequence[str] = ()) -> Iterator[None]:
        """What is appended inside stands on a page of this number; `furniture` is what of it stays out of the text."""
        before = len(self.blocks)
        yield
        if len(self.blocks) > before:
            start = self.blocks[before].start
            self.pages.append(Page(number, start, self._length, 0.0, 0.0, tuple(furniture)))

    def hide(self, text: str, before: str = "") -> None:
        """Leave out text that a reader of the document would not see; the document's warnings tell of it.

        `before` is what stands before it and is not appended yet.
        """
        if words := len(text.split()):
            if not self._hidden:
                self._before = " ".join(before.split())
            self._hidden.append((len(self.blocks), words))

    def _tell_hidden(self) -> None:
        """Where words were left out because nobody sees them."""
        if not self._hidden:
            return
        at = self._hidden[0][0]
        before = self._before or (" ".join(self.text[: self.blocks[at - 1].end].split()[-6:]) if at else "")
        place = f"after {before[-60:]!r}" if before else "at the start"
        words = sum(count for _, count in self._hidden)
        where = place if len({at for at, _ in self._hidden}) == 1 else f"the first {place}"
        self.warnings.append(f"hidden text was left out: {words:,} word{'s' * (words != 1)}, {where}")

    def _append(self, text: str, kind: BlockKind, level: int) -> None:
        if self.blocks:
            tight = kind in _TIGHT and self.blocks[-1].kind == kind
            self._parts.append("\n" if tight else "\n\n")
            self._length += 1 if tight else 2
        self._parts.append(text)
        self.blocks.append(Block(self._length, self._length + len(text), kind, level))
        self._length += len(text)
        self.allowance.written(self._length)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    @property
    def words(self) -> int:
        """How many words there are so far."""
        return sum(len(part.split()) for part in self._parts)

    def first_heading(self) -> str | None:
        """The text of the first heading."""
        text = self.text
        return next((text[b.start : b.end].replace("\n", " ") for b in self.blocks if b.kind == "heading"), None)

    def document(self, *, title: str | None = None, source: str | None = None) -> Document:
        """The document; its title is that of a filing's cover, the one given, else its first heading.

        Raises EmptyDocumentError: no block has text.
        """
        if not self.blocks:
            raise EmptyDocumentError(f"{source or 'the document'} has no text")
        self._tell_hidden()
        text = self.text
        self.blocks = _without_clauses(text, self.blocks)
        return Document(
            text,
            title=filing(text) or " ".join(clean(title or "").split()) or self.first_heading(),
            source=source,
            blocks=tuple(self.blocks),
            pages=tuple(self.pages),
            warnings=tuple(self.warnings),
            grids=tuple(self.grids),
        )
