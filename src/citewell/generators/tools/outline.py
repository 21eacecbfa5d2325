"""The outline of documents: numbered sections and tables with pages, and the units and periods of tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citewell.document import Document
from citewell.text import untrusted
from citewell.text.tokens import estimate
from citewell.types import Segment, Table

_TITLE = 100  # characters of a title
_COLUMNS = 6  # headers of a table's columns


class Section(NamedTuple):
    """A section and the number of its document, from 0."""

    document: int
    segment: Segment


class Place(NamedTuple):
    """A table and the number of its document, from 0."""

    document: int
    table: Table


class Outline:
    """The sections and tables of documents, numbered from 1 over all of them.

    Args:
        documents: what is read.
        room: the most tokens of the text; the deepest headings and tables without a name are left out where it is full.
    """

    def __init__(self, documents: Sequence[Document], room: int) -> None:
        self._documents = documents
        self.sections = [
            Section(number, segment)
            for number, document in enumerate(documents)
            for segment in document.segments("section")
        ]
        self.tables = [Place(number, table) for number, document in enumerate(documents) for table in document.tables()]
        self.text = self._fitting(room)

    def _fitting(self, room: int) -> str:
        deepest = max((len(section.segment.path) for section in self.sections), default=0)
        for depth in range(deepest, -1, -1):
            text = "\n".join(self._lines(depth))
            if estimate(text) <= room:
                return text
        lines, size = list[str](), 0
        for line in self._lines(1):
            size += estimate(line) + 1
            if size > room:
                return "\n".join([*lines, "(the rest of the outline is left out: search)"])
            lines.append(line)
        return "\n".join(lines)

    def _lines(self, depth: int) -> Iterator[str]:
        for number, document in enumerate(self._documents):
            yield f"Document {number + 1}: {_short(document.title or document.source or '')}".rstrip(": ") + (
                f" ({len(document.pages)} pages)" if document.pages else ""
            )
            entries = [
                (section.segment.start, 0, self._section(count, section))
                for count, section in enumerate(self.sections, 1)
                if section.document == number and section.segment.path and len(section.segment.path) <= depth
            ]
            entries += [
                (place.table.start, 1, self._table(count, place))
                for count, place in enumerate(self.tables, 1)
                if place.document == number and (depth > 0 and place.table.title)
            ]
            yield from (line for _, _, line in sorted(entries))

    def _section(self, number: int, section: Section) -> str:
        path = section.segment.path
        return f"{'  ' * len(path)}S{number}{self._page(section.document, section.segment.start)} {_short(path[-1])}"

    def _table(self, number: int, place: Place) -> str:
        values = place.table.values()
        heads = list(dict.fromkeys(_short(" ".join(cell.column_path)) for cell in values if cell.column_path))
        columns = f": {', '.join(heads[:_COLUMNS])}" if heads else ""
        return f"    T{number}{self._page(place.document, place.table.start)} {_short(place.table.title)}{columns}"

    def _page(self, document: int, offset: int) -> str:
        page = self._documents[document].page_at(offset)
        return f" (page {page})" if page is not None else ""


def _short(text: str) -> str:
    """A title on one line, its marks and roles unlike ours."""
    line = " ".join(text.split())
    return untrusted.passage(line if len(line) <= _TITLE else f"{line[:_TITLE]}…")
