"""Sections, paragraphs and sentences of a text, by offsets; nothing is rewritten, nothing is downloaded.

segments(text, blocks(text), "sentence")
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.sentences import MARKER, split
from citewell.types import Block, Granularity, Segment, Span

VERSION = "2"  # changes whenever the same text would be segmented differently

_WRAPPED = (
    160  # characters; where a line is longer than this, the text is not wrapped by hand and a line is a paragraph
)
_WHOLE = frozenset(("heading", "table_row"))  # kinds of block that are one sentence
_LINE = re.compile(r"\S.*")
_LEAD = re.compile(r"(?:>\s*)*(?:#{1,6}\s+|\[[ xX]\]\s+|(?:[-*+•●▪‣◦–—·]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+)*")
_RULE = re.compile(r"[\s|:=*_~-]*-[\s|:=*_~-]*|\s*(?:\*\s*){3,}|\s*(?:_\s*){3,}|={3,}|`{3,}\w*|~{3,}\w*")


def blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs of a text that has no layout but its lines.

    Blank lines part them, so does a line that begins with a list marker. A line break parts them too where the text
    is evidently not wrapped (a line is longer than 160 characters), or where a short line without a full stop stands
    before one that the next word would still have fitted into: a heading.
    """
    result: list[Block] = []
    lines: list[tuple[int, int]] = []
    position = 0
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            begin = position + line.index(stripped[0])
            lines.append((begin, begin + len(stripped)))
        elif lines:
            _paragraphs(text, lines, result)
            lines = []
        position += len(line) + 1
    if lines:
        _paragraphs(text, lines, result)
    return tuple(result)


def _paragraphs(text: str, lines: list[tuple[int, int]], result: list[Block]) -> None:
    """Add the blocks of lines between which no blank one stands."""
    width = max(end - begin for begin, end in lines)
    start, last = lines[0]
    listed = bool(MARKER.match(text, start))
    for begin, end in lines[1:]:
        marked = bool(MARKER.match(text, begin)) and (
            listed or text[last - 1] in ".:;!?" or width > _WRAPPED or _first(text, begin)
        )
        if marked or width > _WRAPPED or _short(text, start, last, begin, width):
            result.append(Block(start, last, "list_item" if listed else "paragraph"))
            start, listed = begin, marked
        last = end
    result.append(Block(start, last, "list_item" if listed else "paragraph"))


def _first(text: str, begin: int) -> bool:
    """Whether a list can begin here: a bullet, or the first number or letter."""
    return text[begin] not in "–—0123456789" or text.startswith(("1.", "1)"), begin)


def _short(text: str, start: int, last: int, begin: int, width: int) -> bool:
    """Whether the line that ends at `last` was ended on purpose."""
    line = text.rfind("\n", start, last) + 1 or start
    if last - line > 0.6 * width or text[last - 1] in ",;-–" or not text[begin].isupper():
        return False
    word = text.find(" ", begin, begin + width)
    return last - line + 1 + (word - begin if word > 0 else width) <= width


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of `text[start:end]`, trimmed of white space, in order; see `citewell.sentences.split`."""
    return split(text, start, end)


def statements(text: str) -> tuple[Span, ...]:
    """The statements of an answer: its sentences, list items, headings and table rows one by one.

    Markers of lists, headings and quotations are left out, and so are ruled lines; a reference mark after the full
    stop belongs to the statement before it.
    """
    result: list[Span] = []
    for block in blocks(text):
        start = block.start
        for line in _LINE.finditer(text, block.start, block.end):
            begin = line.start()
            if text[begin] in "#|>`~-=*_" or (begin > start and MARKER.match(text, begin)):
                _add_statements(text, start, begin, result)
                start = begin
                if text[begin] in "#|" or _RULE.fullmatch(line[0]):
                    _add_statements(text, begin, line.end(), result)
                    start = line.end()
        _add_statements(text, start, block.end, result)
    return tuple(result)


def _add_statements(text: str, start: int, end: int, result: list[Span]) -> None:
    """Add the statements of one line of Markdown, or of one paragraph."""
    body = text[start:end].strip()
    if not body or _RULE.fullmatch(body):
        return
    if body[0] == "|":
        begin = text.index(body[0], start)
        result.append(Span(begin, begin + len(body)))
        return
    begin = start + len(text[start:end]) - len(text[start:end].lstrip())
    lead = _LEAD.match(text, begin, end)
    begin = lead.end() if lead else begin
    for span in split(text, begin, end):
        left, right = span
        for mark in ("**", "__", "*", "_"):
            inside = text[left + len(mark) : right - len(mark)]
            if (
                inside.strip()
                and text.startswith(mark, left, right)
                and text.endswith(mark, left, right)
                and mark not in inside
            ):
                left, right = left + len(mark), right - len(mark)
        result.append(Span(left, right))


def segments(text: str, layout: Sequence[Block], granularity: Granularity) -> tuple[Segment, ...]:
    """Segments of one granularity: they do not overlap, and together they hold every character of the layout's blocks
    that is not white space.

    A section is a heading and what follows until the next heading of any level, so that sections part the text; what
    stands before the first heading is a section of its own. `path` holds the titles of the headings above, from the
    outermost; a heading's own segments have its title as the last. A heading and a table row are one sentence each,
    code has one a line.
    """
    if granularity == "section":
        return _sections(text, layout)
    result: list[Segment] = []
    add, make, new = result.append, tuple.__new__, Segment
    path: list[tuple[int, str]] = []
    titles: tuple[str, ...] = ()
    for number, (start, end, kind, level) in enumerate(layout):
        if kind == "heading":
            path = [item for item in path if item[0] < level]
            path.append((level, text[start:end]))
            titles = tuple(title for _, title in path)
        name = f"p{number}"
        if granularity == "paragraph":
            add(make(new, (name, "paragraph", start, end, text[start:end], titles, kind)))
            continue
        if kind in _WHOLE:
            add(make(new, (f"{name}.0", "sentence", start, end, text[start:end], titles, kind)))
            continue
        spans = (
            [Span(*line.span()) for line in re.finditer(r"\S(?:.*\S)?", text[start:end])]
            if kind == "code"
            else split(text, start, end)
        )
        shift = start if kind == "code" else 0
        for index, (left, right) in enumerate(spans):
            left, right = left + shift, right + shift
            add(make(new, (f"{name}.{index}", "sentence", left, right, text[left:right], titles, kind)))
    return tuple(result)


def _sections(text: str, layout: Sequence[Block]) -> tuple[Segment, ...]:
    result: list[Segment] = []
    path: list[tuple[int, str]] = []
    start = last = -1
    titles: tuple[str, ...] = ()

    def close() -> None:
        if start >= 0:
            result.append(Segment(f"s{len(result)}", "section", start, last, text[start:last], titles))

    for block in layout:
        if block.kind == "heading":
            close()
            path = [item for item in path if item[0] < block.level]
            path.append((block.level, text[block.start : block.end]))
            start, titles = block.start, tuple(title for _, title in path)
        elif start < 0:
            start = block.start
        last = block.end
    close()
    return tuple(result)
