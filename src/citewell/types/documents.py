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
    """One line of text on a page, in PDF points, origin at the top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Locator(Protocol):
    """Finds where a range of a document's text stands on its pages. A reader gives its document one, or none."""

    def locate(self, start: int, end: int) -> tuple[Rect, ...]:
        """The rectangles of `text[start:end]`, one a line of text, in reading order."""
        ...


class Page(NamedTuple):
    """A page: the range of the document's text that stands on it, its size in points.

    `furniture` holds the running headers, footers and page numbers that were kept out of the text.
    """

    number: int
    start: int
    end: int
    width: float
    height: float
    furniture: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Field, size: int) -> Page:
        """Read the JSON form, of a text of this size, back."""
        number, start, end, width, height, furniture = data.each(lambda part: part, 6)
        return cls(
            number.whole(1), *within(start, end, size), width.number(), height.number(), furniture.each(Field.text)
        )


class Block(NamedTuple):
    """What a reader knows of the layout: a heading, paragraph, list item or table row; `level` is a heading's depth."""

    start: int
    end: int
    kind: BlockKind = "paragraph"
    level: int = 0

    @classmethod
    def read(cls, data: Field, size: int) -> Block:
        """Read the JSON form, of a text of this size, back."""
        start, end, kind, level = data.each(lambda part: part, 4)
        span = within(start, end, size)
        if span[0] == span[1]:
            raise AnswerFormatError(f"{start.path}: a block of no characters")
        return cls(*span, kind.choice(BLOCK_KINDS), level.whole())


class Chunk(NamedTuple):
    """A part of a document that its user cut, under the user's own id and with the user's data."""

    id: str
    start: int
    end: int
    data: Mapping[str, Any]

    @classmethod
    def read(cls, data: Field, size: int) -> Chunk:
        """Read the JSON form, of a text of this size, back."""
        name, start, end, metadata = data.each(lambda part: part, 4)
        return cls(name.text(), *within(start, end, size), dict(metadata.finite().fields()))


class Segment(NamedTuple):
    """A section, paragraph or sentence of one document. `path` holds the titles of the headings above it.

    Ids are stable for the same text and version: `s3` a section, `p12` a paragraph, `p12.2` its second sentence.
    """

    id: str
    granularity: Granularity
    start: int
    end: int
    text: str
    path: tuple[str, ...] = ()
    kind: BlockKind = "paragraph"


class Hit(NamedTuple):
    """A retrieved segment: its position in the sequence that was ranked, and its score (higher is better)."""

    position: int
    score: float


class Passage(NamedTuple):
    """A segment that a model is given to read, and the position of its document among those given."""

    document: int
    segment: Segment


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What an answer says about a document it was made from. `sha256` is the hash of the document's text in UTF-8."""

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
        """Read the JSON form back."""
        title, source = (data[name].optional(Field.text) for name in ("title", "source"))
        return cls(data["id"].text(), title, data["sha256"].text(), source, data["pages"].optional(Field.whole))
