"""The parts of documents: spans, pages, blocks, segments, and the passages that are ranked and read.

Offsets are code points, 0-based and end-exclusive, pages 1-based, rectangles in PDF points
from the top left of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, get_args

from citewell.errors import AnswerFormatError
from citewell.types.fields import Field, plain

Granularity = Literal["section", "paragraph", "sentence", "window", "token", "cell"]
BlockKind = Literal["heading", "paragraph", "list_item", "table_row", "caption", "code"]
BLOCK_KINDS: tuple[BlockKind, ...] = get_args(BlockKind)


class Span(NamedTuple):
    """Offsets into a text."""

    start: int
    end: int


def within(start: Field, end: Field, size: int) -> Span:
    """Two offsets in order, in a text of this size."""
    span = Span(start.whole(), end.whole())
    if not span.start <= span.end <= size:
        raise AnswerFormatError(f"{start.path}: {span.start} to {span.end} is no range of a text of {size} characters")
    return span


class Rect(NamedTuple):
    """The rectangle of one line of text on a page, in PDF points, origin at the top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Locator(Protocol):
    """Finds the position of a range of a document's text on its pages. A reader may give its document one."""

    def locate(self, start: int, end: int) -> tuple[Rect, ...]:
        """The rectangles of `text[start:end]`, one per line of text, in reading order."""


class Page(NamedTuple):
    """A page: the range of the document's text on it, and its size in points.

    `furniture` contains the running headers, footers and page numbers that are not part of the text.
    """

    number: int
    start: int
    end: int
    width: float
    height: float
    furniture: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Field, size: int) -> Page:
        """Create the value from its JSON form, for a text of this size."""
        number, start, end, width, height, furniture = data.each(lambda part: part, 6)
        return cls(
            number.whole(1), *within(start, end, size), width.number(), height.number(), furniture.each(Field.text)
        )


class Block(NamedTuple):
    """A block of the layout: a heading, paragraph, list item or table row; `level` is a heading's depth."""

    start: int
    end: int
    kind: BlockKind = "paragraph"
    level: int = 0

    @classmethod
    def read(cls, data: Field, size: int) -> Block:
        """Create the value from its JSON form, for a text of this size."""
        start, end, kind, level = data.each(lambda part: part, 4)
        span = within(start, end, size)
        if span[0] == span[1]:
            raise AnswerFormatError(f"{start.path}: a block of no characters")
        return cls(*span, kind.choice(BLOCK_KINDS), level.whole())


class Chunk(NamedTuple):
    """A part of a document as split by the user, with the user's id and data."""

    id: str
    start: int
    end: int
    data: Mapping[str, Any]

    @classmethod
    def read(cls, data: Field, size: int) -> Chunk:
        """Create the value from its JSON form, for a text of this size."""
        name, start, end, metadata = data.each(lambda part: part, 4)
        return cls(name.text(), *within(start, end, size), dict(metadata.finite().fields()))


class Segment(NamedTuple):
    """A section, paragraph or sentence of one document. `path` contains the titles of the headings above it.

    Ids are stable for the same text and version: `s3` is a section, `p12` a paragraph, `p12.2` its second sentence.
    """

    id: str
    granularity: Granularity
    start: int
    end: int
    text: str
    path: tuple[str, ...] = ()
    kind: BlockKind = "paragraph"


class Hit(NamedTuple):
    """A retrieved segment: its position in the ranked sequence, and its score (higher is better)."""

    position: int
    score: float


class Passage(NamedTuple):
    """A segment for a model to read, and the position of its document among the documents."""

    document: int
    segment: Segment


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """An answer's information about one of its documents. `sha256` is the hash of the document's text in UTF-8."""

    id: str
    title: str | None
    sha256: str
    source: str | None
    pages: int | None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> DocumentInfo:
        """Create a document from the JSON form."""
        title, source = (data[name].optional(Field.text) for name in ("title", "source"))
        return cls(data["id"].text(), title, data["sha256"].text(), source, data["pages"].optional(Field.whole))
