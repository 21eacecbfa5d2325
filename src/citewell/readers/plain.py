"""Plain text: only line endings change, so that offsets fit the file; headings only where they are certain."""

from __future__ import annotations

import re
from itertools import pairwise

from citewell.document import Document
from citewell.errors import EmptyDocumentError
from citewell.readers.decode import decode
from citewell.text import segments
from citewell.text.headings import COMMON_HEADING
from citewell.types import Block, BlockKind, Page, Span

_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+([^\W\d_])[^\n]{0,80}")
_RULE = re.compile(r"(={3,}|-{3,}|~{3,})")
_TOP = 8  # blocks of which a heading is the title
_LONG, _SHORT = 120, 80  # characters: a line beyond one is not broken by hand, one of fewer than the other may head it
_NO_HEADING = re.compile(r"[\w -]{1,30}: |(?:table|figure|fig\.|box) ?\d", re.IGNORECASE)  # a field, a caption
_BULLET = re.compile(r"[ \t]*(?:[-*•‣◦▪–]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])[ \t]+\S")


def read_plain(data: bytes, *, source: str | None = None, table: bool = False) -> Document:
    """A plain text file. Form feeds part pages; with `table`, every line is a row (CSV, TSV).

    Raises EmptyDocumentError: there is nothing but white space.
    """
    text, warnings = decode(data)
    return from_lines(text.replace("\r\n", "\n").replace("\r", "\n"), warnings, source=source, table=table)


def from_lines(text: str, warnings: list[str], *, source: str | None = None, table: bool = False) -> Document:
    """A document whose text is `text`: blank lines part paragraphs, and so does each line where lines are not wrapped.

    Raises EmptyDocumentError: there is nothing but white space.
    """
    blocks = _rows(text) if table else _paragraphs(text)
    if not blocks:
        raise EmptyDocumentError(f"{source or 'the document'} has no text")
    first = next((text[block.start : block.end] for block in blocks[:_TOP] if block.kind == "heading"), None)
    title = None if first is None or COMMON_HEADING.fullmatch(first) else first
    return Document(
        text, title=title, source=source, blocks=tuple(blocks), pages=_pages(text), warnings=tuple(warnings)
    )


def _rows(text: str) -> list[Block]:
    return [Block(m.start(), m.end(), "table_row") for m in re.finditer(r"\S(?:[^\n]*\S)?", text)]


def _paragraphs(text: str) -> list[Block]:
    headings = _above_long(text)
    return [block for lines in segments.stretches(text) for block in _split(text, lines, headings)]


def _above_long(text: str) -> frozenset[int] | None:
    """Where lines that head a long one start, in a text whose lines are not wrapped: each of these is a paragraph.

    None for a text whose lines are wrapped, where a short line may be the end of a sentence.
    """
    lines = [(match.start(), match[0].rstrip()) for match in re.finditer(r"\S[^\n]*", text)]
    if 2 * sum(len(line) for _, line in lines if len(line) > _LONG) < sum(len(line) for _, line in lines):
        return None
    return frozenset(
        start
        for (start, line), (_, below) in pairwise(lines)
        if len(line) < _SHORT < _LONG < len(below)
        and (line[0].isupper() or line[0].isdigit())
        and not line.endswith((".", ",", ";", ":", "?", "!"))
        and not _NO_HEADING.match(line)
    )


def _split(text: str, lines: list[Span], headings: frozenset[int] | None) -> list[Block]:
    """Lines between two blank lines: one heading, list items, or a paragraph, perhaps under underlined headings."""
    words = [text[start:end] for start, end in lines]
    blocks: list[Block] = []
    at = 0
    while (
        at + 1 < len(lines)
        and _RULE.fullmatch(words[at + 1])
        and len(words[at]) <= 100
        and not _RULE.fullmatch(words[at])
    ):
        level = {"=": 1, "-": 2, "~": 3}[words[at + 1][0]]
        # The rule is a block of its own: it is no part of the title, and blocks leave only white space between them.
        blocks += Block(*lines[at], "heading", level), Block(*lines[at + 1], "code")
        at += 2
    if headings is None:
        return blocks + (_unruled(lines[at:], words[at:]) if at < len(lines) else [])
    for line, word in zip(lines[at:], words[at:], strict=True):
        blocks += [Block(*line, "heading", 1)] if line[0] in headings else _unruled([line], [word])
    return blocks


def _unruled(lines: list[Span], words: list[str]) -> list[Block]:
    """Lines whose first has no rule under it."""
    if len(lines) == 1 and (level := _heading(words[0])):
        return [Block(*lines[0], "heading", level)]
    if len(lines) > 1 and sum(bool(_BULLET.match(line)) for line in words) > 1 and _BULLET.match(words[0]):
        return _items(lines, words)
    kind: BlockKind = "list_item" if _BULLET.match(words[0]) and len(words[0].split()) > 1 else "paragraph"
    return [Block(lines[0][0], lines[-1][1], kind)]


def _items(lines: list[Span], words: list[str]) -> list[Block]:
    blocks: list[Block] = []
    for (start, end), line in zip(lines, words, strict=True):
        if _BULLET.match(line):
            blocks.append(Block(start, end, "list_item", 1))
        else:
            blocks[-1] = blocks[-1]._replace(end=end)
    return blocks


def _heading(line: str) -> int:
    """The level of a line that stands alone and is surely a heading, else 0."""
    if len(line) > 100 or line.endswith((".", ",", ";", ":", "?", "!")):
        return 0
    numbered = _NUMBERED.fullmatch(line)
    if numbered and not numbered[2].islower() and len(line.split()) <= 12:
        return numbered[1].count(".") + 1
    letters = [char for char in line if char.isalpha()]
    capitals = len(letters) >= 4 and all(char.isupper() for char in letters) and len(line.split()) <= 12
    return 1 if capitals else 0


def _pages(text: str) -> tuple[Page, ...]:
    """Pages of a text with form feeds, as line printers and pdftotext write them; no size is known."""
    if "\f" not in text.strip():
        return ()
    pages, start = [], 0
    for number, part in enumerate(text.rstrip("\f\n ").split("\f"), 1):
        pages.append(Page(number, start, start + len(part), 0.0, 0.0))
        start += len(part) + 1
    return tuple(pages)
