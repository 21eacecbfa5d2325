"""Sections, paragraphs and sentences of a text, by offsets; the text is never rewritten, nothing is downloaded.

segments(text, blocks(text), "sentence")
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citewell.text.sentences import MARKER, SURE, split
from citewell.types import Block, Granularity, Segment, Span

VERSION = "3"  # changes whenever the same text would be segmented differently

_WRAPPED = 160  # characters; a text with a longer line is not wrapped by hand: each of its lines is a paragraph
_WHOLE = frozenset(("heading", "table_row"))  # kinds of block that are one sentence
_LINE = re.compile(r"\S.*")
_LEAD = re.compile(r"(?:>\s*)*(?:#{1,6}\s+|\[[ xX]\]\s+|(?:[-*+•●▪‣◦–—·]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+)*")


def blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs of a text that has no layout but its lines.

    Blank lines part them, so does a line that begins with a list marker. A line break parts them too where the text
    is evidently not wrapped (a line is longer than 160 characters), or where a short line without a full stop stands
    before one that the next word would still have fitted into: a heading.
    """
    result: list[Block] = []
    for lines in stretches(text):
        _paragraphs(text, lines, result)
    return tuple(result)


def stretches(text: str) -> Iterator[list[Span]]:
    """The lines between blank ones, each line without the white space around it."""
    lines: list[Span] = []
    position = 0
    for line in text.split("\n"):
        if stripped := line.strip():
            begin = position + line.index(stripped[0])
            lines.append(Span(begin, begin + len(stripped)))
        elif lines:
            yield lines
            lines = []
        position += len(line) + 1
    if lines:
        yield lines


def _paragraphs(text: str, lines: Sequence[Span], result: list[Block]) -> None:
    """Add the blocks of lines between which no blank one stands."""
    width = max(end - begin for begin, end in lines)
    start, last = lines[0]
    listed = bool(MARKER.match(text, start))
    for begin, end in lines[1:]:
        marked = bool(MARKER.match(text, begin)) and (
            listed or text[last - 1] in ".:;!?" or width > _WRAPPED or bool(SURE.match(text, begin))
        )
        if marked or width > _WRAPPED or _short(text, start, last, begin, width):
            result.append(Block(start, last, "list_item" if listed else "paragraph"))
            start, listed = begin, marked
        last = end
    result.append(Block(start, last, "list_item" if listed else "paragraph"))


def _short(text: str, start: int, last: int, begin: int, width: int) -> bool:
    """Whether the line that ends at `last` was ended on purpose."""
    line = text.rfind("\n", start, last) + 1 or start
    if last - line > 0.6 * width or text[last - 1] in ",;-–" or not text[begin].isupper():
        return False
    word = text.find(" ", begin, begin + width)
    return last - line + 1 + (word - begin if word > 0 else width) <= width


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of `text[start:end]`, trimmed of white space, in order; see `citewell.text.sentences.split`."""
    return split(text, start, end)


def statements(text: str) -> tuple[Span, ...]:
    """The statements of an answer: its sentences, list items, headings and table rows one by one.

    Markers of lists, headings and quotations are left out, and so is what has neither letter nor digit: ruled lines.
    A reference mark after the full stop belongs to the statement before it.
    """
    result: list[Span] = []
    for block in blocks(text):
        start = block.start
        for line in _LINE.finditer(text, block.start, block.end):
            begin, end = line.span()
            if text[begin] in "#|`":  # a line of its own kind
                _add_statements(text, start, begin, result)
                _add_statements(text, begin, end, result)
                start = end
            elif text[begin] == ">" or not any(map(str.isalnum, line[0])):
                _add_statements(text, start, begin, result)
                start = begin
        _add_statements(text, start, block.end, result)
    return tuple(result)


def _add_statements(text: str, start: int, end: int, result: list[Span]) -> None:
    """Add the statements of one line of Markdown, or of one paragraph."""
    body = text[start:end]
    begin = start + len(body) - len(body.lstrip())
    body = body.strip()
    if body.startswith("|"):
        if any(map(str.isalnum, body)):
            result.append(Span(begin, begin + len(body)))
        return
    lead = _LEAD.match(text, begin, end)
    if body.startswith("```") or not lead:
        return
    spans = split(text, lead.end(), end)
    result.extend(_bare(text, span) for span in spans if any(map(str.isalnum, text[span.start : span.end])))


def _bare(text: str, span: Span) -> Span:
    """The span without marks of emphasis around the whole of it."""
    left, right = span
    for mark in ("**", "__", "*", "_"):
        inside = text[left + len(mark) : right - len(mark)]
        whole = text.startswith(mark, left, right) and text.endswith(mark, left, right)
        if whole and inside and inside == inside.strip() and mark not in inside:
            left, right = left + len(mark), right - len(mark)
    return Span(left, right)


def segments(text: str, layout: Sequence[Block], granularity: Granularity) -> tuple[Segment, ...]:
    """Segments of one granularity: they do not overlap and hold all of the blocks that is not white space.

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
        spans = _lines(text, start, end) if kind == "code" else split(text, start, end)
        for index, (left, right) in enumerate(spans):
            add(make(new, (f"{name}.{index}", "sentence", left, right, text[left:right], titles, kind)))
    return tuple(result)


def _lines(text: str, start: int, end: int) -> list[Span]:
    """The lines of a piece of code, trimmed."""
    return [Span(*line.span()) for line in re.compile(r"\S(?:.*\S)?").finditer(text, start, end)]


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
