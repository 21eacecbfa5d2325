"""A document: one immutable text, its layout, and everything else as offsets into that text.

document = Document.from_text("Revenue rose.  Costs fell.")
[segment.text for segment in document.segments("sentence")]   # ['Revenue rose.', 'Costs fell.']
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from citewell.errors import AnswerFormatError, CorruptDocumentError, DocumentError, EmptyDocumentError, UsageError
from citewell.errors.arguments import hold, listed
from citewell.text import files, safe, segments, units
from citewell.text.memo import Memo
from citewell.text.spans import Ranged, last_before
from citewell.text.units import Unit
from citewell.types import (
    Block,
    Chunk,
    Citation,
    DocumentInfo,
    Granularity,
    Grid,
    Locator,
    Page,
    Place,
    Rect,
    Segment,
    Span,
    Table,
)
from citewell.types.fields import Field
from citewell.types.showing import later

T = TypeVar("T")
E = TypeVar("E", Citation, Place)
FORMAT = "citewell.document.1"


@dataclass(frozen=True, repr=False)
class Document:
    """A text to cite, immutable.

    Attributes:
        text: the canonical text; every offset anywhere is a code point in it.
        title: from the file's metadata or its first heading.
        source: the path or name from which it was read.
        blocks: headings, paragraphs, list items, table rows, in order, without overlap; only white space between them.
        pages: the pages in order, empty for formats without pages.
        warnings: messages about what the reader could not do.
        grids: the rows and columns of its tables, as extracted by the reader.
        locator: finds rectangles on demand, None for formats without pages.
        chunks: the parts that it was built from, if the user split it; see `from_chunks`.
    """

    text: str
    title: str | None = None
    source: str | None = None
    blocks: tuple[Block, ...] = ()
    pages: tuple[Page, ...] = ()
    warnings: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    locator: Locator | None = field(default=None, compare=False, repr=False)
    chunks: tuple[Chunk, ...] = field(default=(), hash=False)
    _memo: Memo = field(init=False, compare=False, repr=False)

    def __repr__(self) -> str:
        name, begin = (self.title or self.source or "")[:120], " ".join(self.text[:80].split())
        return f"Document({name!r}, {len(self.text)} characters, pages: {len(self.pages)}, id {self.id}: {begin!r}…)"

    def __post_init__(self) -> None:
        hold(str, text=self.text)
        if not self.text.strip():
            raise EmptyDocumentError(f"{self.source or 'the document'} has no text")
        object.__setattr__(self, "_memo", Memo(len(self.text)))
        if not self.blocks:
            object.__setattr__(self, "blocks", segments.blocks(self.text))

    @classmethod
    def from_text(cls, text: str, title: str | None = None, *, source: str | None = None) -> Document:
        """A document from a string; blank lines separate paragraphs.

        Raises:
            EmptyDocumentError: the text consists of white space only.
        """
        return cls(text, title=title, source=source)

    @classmethod
    def from_passages(cls, passages: Sequence[str], title: str | None = None) -> Document:
        """A document whose paragraphs are exactly `passages`, in order; empty ones keep their place by having no block.

        Raises:
            EmptyDocumentError: all passages are empty.
        """
        for passage in listed("passages", passages):
            hold(str, passage=passage)
        text, blocks, position = "\n\n".join(passages), [], 0
        for passage in passages:
            stripped = passage.strip()
            if stripped:
                start = position + passage.index(stripped)
                blocks.append(Block(start, start + len(stripped)))
            position += len(passage) + 2
        return cls(text, title=title, blocks=tuple(blocks))

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[str | tuple[str, str] | tuple[str, str, Mapping[str, Any]] | Mapping[str, Any]],
        title: str | None = None,
        *,
        source: str | None = None,
    ) -> Document:
        """A document from existing parts, each with an id, a text, and optional data of your own.

        A part may also be a text, whose id is its number from 0, or a mapping with `id`, `text` and data.
        `chunk_at(citation)` returns the part that contains a citation.

        Raises:
            EmptyDocumentError: all texts are empty.
            UsageError: two parts have the same id, or a part has no id or no text.
        """
        parts = [_part(chunk, number) for number, chunk in enumerate(listed("chunks", chunks))]
        blocks, position = list[Block](), 0
        kept: dict[str, Chunk] = {}
        for name, text, data in parts:
            if name in kept:
                raise UsageError(f"two chunks have the id {name!r}")
            kept[name] = Chunk(name, position, position + len(text), data)
            blocks += [
                block._replace(start=block.start + position, end=block.end + position)
                for block in segments.blocks(text)
            ]
            position += len(text) + 2
        whole = "\n\n".join(part[1] for part in parts)
        return cls(whole, title=title, source=source, blocks=tuple(blocks), chunks=tuple(kept.values()))

    def cite(
        self,
        at: Span,
        segment_id: str,
        target: Span,
        *,
        granularity: Granularity = "token",
        score: float = 0.0,
        method: str = "",
    ) -> Citation:
        """A citation of the text at `at` for the answer's text at `target`; `Citation.of` cites a whole segment."""
        return Citation(
            self.id, segment_id, granularity, self.text[at.start : at.end], *at, *target, score=score, method=method
        )

    @property
    def sha256(self) -> str:
        """SHA-256 of the text in UTF-8 (lone surrogates kept), in hex."""
        return self.memo("sha256", lambda: hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest())

    @property
    def id(self) -> str:
        """The first 16 hex digits of the text's hash."""
        return self.sha256[:16]

    @property
    def info(self) -> DocumentInfo:
        """The information about this document that an answer contains."""
        return DocumentInfo(self.id, self.title, self.sha256, self.source, len(self.pages) or None)

    def segments(self, granularity: Granularity = "sentence") -> tuple[Segment, ...]:
        """The sections, paragraphs or sentences, in order; computed once.

        Raises:
            UsageError: the granularity is not one of the three.
        """
        if granularity not in ("section", "paragraph", "sentence"):
            raise UsageError(f"segments are sections, paragraphs or sentences, not {granularity!r}")
        return self.memo(("segments", granularity), lambda: segments.segments(self.text, self.blocks, granularity))

    def tables(self) -> tuple[Table, ...]:
        """The tables, in order; computed once. A cell has its headers, value, unit, scale and period."""
        from citewell.facts.tables import build

        return self.memo("tables", lambda: build.tables(self.text, self.blocks, self.pages, self.grids))

    def segment_at(self, offset: int, granularity: Granularity = "sentence") -> Segment:
        """The segment that contains an offset or precedes it; the first segment if the offset precedes all."""
        parts = self.segments(granularity)
        return parts[last_before(self._starts(granularity, parts), offset)]

    def page_at(self, offset: int) -> int | None:
        """The number of the page that contains the code point at `offset`."""
        if not self.pages:
            return None
        return self.pages[last_before(self._starts("page", self.pages), offset)].number

    def chunk_at(self, where: Citation | Place | int) -> Chunk | None:
        """The part of `from_chunks` that contains a citation or an offset; None if there is none."""
        offset = where if isinstance(where, int) else where.start
        if not self.chunks:
            return None
        chunk = self.chunks[last_before(self._starts("chunk", self.chunks), offset)]
        return chunk if chunk.start <= offset < chunk.end else None

    def offset_in(self, unit: Unit, offset: int) -> int:
        """An offset in code units of JavaScript, Java and C# ("utf-16"), or in bytes ("utf-8")."""
        return units.to_unit(self.text, unit, offset)

    def offset_from(self, unit: Unit, offset: int) -> int:
        """The offset in code points for an offset in UTF-16 units or in bytes.

        Raises:
            UsageError: the text is shorter, or the offset is inside a character.
        """
        return units.from_unit(self.text, unit, offset)

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both counted from 1, as in editors.

        Raises:
            UsageError: the text is shorter.
        """
        return units.to_line(self.text, offset)

    def offset_at(self, line: int, column: int = 1) -> int:
        """The offset of a line and column, both counted from 1.

        Raises:
            UsageError: there is no such line or column.
        """
        return units.from_line(self.text, line, column)

    def _starts(self, of: str, parts: Sequence[Ranged]) -> list[int]:
        return self.memo((of, "starts"), lambda: [part.start for part in parts])

    def locate(self, start: int, end: int) -> tuple[Rect, ...]:
        """Rectangles of `text[start:end]`, one per line of text; empty if the format has none."""
        return self.locator.locate(start, end) if self.locator else ()

    def rects(self, evidence: Citation | Place) -> tuple[Rect, ...]:
        """The rectangles of a citation or place; for a cell, followed by those of its headers."""
        cell = evidence.cell if isinstance(evidence, Citation) else None
        spans = (Span(evidence.start, evidence.end), *(cell.headers if cell else ()))
        return tuple(rect for span in spans for rect in self.locate(*span))

    def placed(self, evidence: E) -> E:
        """A citation or place in this document with its page and rectangles filled in."""
        return replace(evidence, page=self.page_at(evidence.start), rects=self.rects(evidence))

    def memo(self, key: Any, build: Callable[[], T]) -> T:
        """The value derived from this text under `key`, computed once and cached up to a limit; see `text.memo`."""
        return self._memo.get(key, build)

    def to_dict(self) -> dict[str, Any]:
        """A JSON form without the rectangles, which need the file; `save` also stores where to find them."""
        return {
            "format": FORMAT,
            "text": self.text,
            "sha256": self.sha256,
            "title": self.title,
            "source": self.source,
            "blocks": [list(block) for block in self.blocks],
            "pages": [list(page) for page in self.pages],
            "grids": [[*grid[:4], [list(slot) for slot in grid.slots], grid.heads] for grid in self.grids],
            "warnings": list(self.warnings),
            **({"chunks": [[*chunk[:3], dict(chunk.data)] for chunk in self.chunks]} if self.chunks else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Document:
        """Create a document from the JSON form.

        Raises:
            CorruptDocumentError: a field is missing or wrong (the message names it), or the text does not match its
                saved hash.
        """
        try:
            top = Field(data)
            text = top["text"].value
            if not isinstance(text, str):
                raise top["text"].wrong("a text")
            size = len(text)
            document = cls(
                text=text,
                title=top["title"].optional(Field.text),
                source=top["source"].optional(Field.text),
                blocks=top["blocks"].each(lambda block: Block.read(block, size)),
                pages=top["pages"].each(lambda page: Page.read(page, size)),
                warnings=top["warnings"].each(Field.text),
                grids=top.get("grids", ()).each(lambda grid: Grid.read(grid, size)),
                chunks=top.get("chunks", ()).each(lambda chunk: Chunk.read(chunk, size)),
            )
            for name, parts in (("blocks", document.blocks), ("pages", document.pages), ("chunks", document.chunks)):
                _in_order(name, parts)
            _in_blocks(document.grids, document.blocks)
            saved = top["sha256"].text()
        except AnswerFormatError as error:
            raise CorruptDocumentError(f"not a saved document: {error}") from error
        if document.sha256 != saved:
            raise CorruptDocumentError("the saved document's text was changed: its hash differs")
        return document

    def save(self, path: str | Path) -> None:
        """Write the JSON form to a file atomically, with the data for finding rectangles in the original file.

        Raises:
            InputError: the file cannot be written.
        """
        places = later("kept_places")(self)
        files.write(path, safe.dumps({**self.to_dict(), **({"places": places} if places else {})}))

    @classmethod
    def load(cls, path: str | Path, file: str | Path | None = None) -> Document:
        """Read a file written by `save`; rectangles are found in the original file of the document.

        The original is `file`, or else the document's `source`, at its place or next to `path`. If it is gone or was
        changed, a warning says so, and evidence has pages but no rectangles.

        Raises:
            CorruptDocumentError: the file is not a saved document, or was changed.
            DocumentError: the file does not exist, or cannot be read.
        """
        try:
            data = safe.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise DocumentError(f"{path} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise CorruptDocumentError(f"{path} is not a saved document: {error}") from error
        document: Document = later("restore_places")(cls.from_dict(data), data.get("places"), Path(path), file)
        return document


def _part(chunk: Any, number: int) -> tuple[str, str, dict[str, Any]]:
    """The id, text and data of a part of a document."""
    chunk = (str(number), chunk) if isinstance(chunk, str) else chunk
    if isinstance(chunk, Mapping):
        name, text = chunk.get("id"), chunk.get("text")
        data = {key: value for key, value in chunk.items() if key not in ("id", "text")}
    else:
        parts = chunk if isinstance(chunk, tuple | list) and len(chunk) in (2, 3) else (None, None)
        name, text, data = (*parts, None)[:3]
        data = {} if data is None else data
    if not (isinstance(name, str) and isinstance(text, str) and isinstance(data, Mapping)):
        raise UsageError("a chunk is an id and a text: (id, text), (id, text, data), or a mapping with id and text")
    return name, text, dict(data)


def _in_order(name: str, parts: Sequence[Ranged]) -> None:
    for number, (part, following) in enumerate(pairwise(parts), start=1):
        if following.start < part.end:
            raise AnswerFormatError(f"{name}[{number}] begins at {following.start}, before the one before it ends")


def _in_blocks(grids: Sequence[Grid], blocks: Sequence[Block]) -> None:
    starts = [block.start for block in blocks]
    for place, grid in enumerate(grids):
        for number, slot in enumerate(grid.slots):
            for at in (slot.start, slot.end - 1) if slot.end > slot.start else ():
                if not starts or not starts[0] <= at < blocks[last_before(starts, at)].end:
                    raise AnswerFormatError(f"grids[{place}][4][{number}] stands in no block")


def names(documents: Iterable[Document | DocumentInfo]) -> dict[str, str]:
    """A name for each of several documents, by id: its title, its file name, or its id.

    Documents with equal names are distinguished by their files, or else by numbers.
    """
    by_id = {document.id: document for document in documents}
    files = {key: " ".join(re.split(r"[\\/]", document.source or "")[-1].split()) for key, document in by_id.items()}
    called = {key: " ".join((document.title or "").split()) or files[key] or key for key, document in by_id.items()}
    alike = Counter(name.casefold() for name in called.values())
    for key, name in called.items():
        if alike[name.casefold()] > 1 and files[key] and files[key] != name:
            called[key] = f"{name} ({files[key]})"
    alike, times = Counter(name.casefold() for name in called.values()), Counter[str]()
    for key, name in called.items():
        if alike[name.casefold()] > 1:
            times[name.casefold()] += 1
            called[key] = f"{name} ({times[name.casefold()]})"
    return called


def several(documents: Document | Iterable[Document]) -> tuple[Document, ...]:
    """One document or several, as several.

    Raises:
        UsageError: there is no document, or one of the values is not a document.
    """
    sequence = (documents,) if isinstance(documents, Document) else tuple(documents)
    if not sequence:
        raise UsageError("no document is given")
    for document in sequence:
        if not isinstance(document, Document):
            raise UsageError(f"{document!r} is not a Document: read it first with citewell.read")
    return sequence
