"""Evidence: quotes and places in documents, with page and rectangles if the format has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from citewell.types.documents import Granularity, Rect, Segment, Span
from citewell.types.fields import Field, plain
from citewell.types.tables import Cell, Table


class CellPath(NamedTuple):
    """The table cell that a citation quotes: its labels and headers, its value, and their positions.

    `table` is the table's title; `headers` contains the offsets of label, headers and stated scale.
    """

    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    value: float | None
    unit: str
    scale: float
    period: str
    table: str = ""
    headers: tuple[Span, ...] = ()

    @classmethod
    def of(cls, cell: Cell, table: str) -> CellPath:
        """The path of a cell of a table with that title."""
        headers = (*cell.headers, *((cell.scale_at,) if cell.scale_at else ()))
        measure = (cell.value, cell.unit, float(cell.scale), cell.period)
        return cls(cell.row_path, cell.column_path, *measure, table, headers)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        listed = {"row_path": list(self.row_path), "column_path": list(self.column_path)}
        return {**self._asdict(), **listed, "headers": [list(span) for span in self.headers]}

    @classmethod
    def read(cls, data: Field) -> CellPath:
        """Create a document from the JSON form."""
        return cls(
            data["row_path"].each(Field.text),
            data["column_path"].each(Field.text),
            data["value"].optional(Field.number),
            data["unit"].text(),
            data["scale"].number(),
            data["period"].text(),
            data.get("table", "").text(),
            data.get("headers", ()).each(_pair),
        )


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence for the answer's text from `answer_start` to `answer_end`.

    `document.text[start:end] == quote` always holds. `cell` identifies the table cell, if it is one.
    """

    document_id: str
    segment_id: str
    granularity: Granularity
    quote: str
    start: int
    end: int
    answer_start: int
    answer_end: int
    page: int | None = None
    rects: tuple[Rect, ...] = ()
    score: float = 0.0
    method: str = ""
    cell: CellPath | None = None

    @classmethod
    def of(cls, segment: Segment, document_id: str, target: Span, score: float = 0.0, method: str = "") -> Citation:
        """A whole segment as evidence for the answer's text at `target`."""
        place = (segment.id, segment.granularity, segment.text, segment.start, segment.end)
        return cls(document_id, *place, target.start, target.end, score=score, method=method)

    @classmethod
    def of_cell(
        cls, cell: Cell, table: Table, segment: Segment, document_id: str, target: Span, score: float, method: str
    ) -> Citation:
        """A cell of a table, in its segment, as the evidence for the answer's text at `target`."""
        place, path = (cell.text, cell.start, cell.end, *target), CellPath.of(cell, table.title)
        return cls(document_id, segment.id, "cell", *place, score=score, method=method, cell=path)

    @property
    def premise(self) -> str:
        """The quote as a self-contained text; the quote of a cell follows its row and column headers."""
        if self.cell is None:
            return self.quote
        headers = " · ".join(filter(None, (self.cell.table, *self.cell.row_path, *self.cell.column_path)))
        scale = f" (times {self.cell.scale:,.0f})" if self.cell.scale != 1 else ""
        return f"{headers}: {self.quote}{scale}"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form (design: result schema); `cell` is present only for a cell."""
        form = plain(self)
        if self.cell is None:
            del form["cell"]
        return form

    @classmethod
    def read(cls, data: Field) -> Citation:
        """Create a document from the JSON form."""
        return cls(
            data["document_id"].text(),
            data["segment_id"].text(),
            data["granularity"].choice(get_args(Granularity)),
            data["quote"].text(),
            *data.span(),
            *data.span("answer_start", "answer_end"),
            *_page(data),
            data["score"].number(),
            data["method"].text(),
            data.get("cell", None).optional(CellPath.read),
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Citation:
        """Create a document from the JSON form.

        Raises:
            AnswerFormatError: a field is missing or wrong.
        """
        return cls.read(Field(data))


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a document: offsets, and page and rectangles if the format has them."""

    document_id: str
    start: int
    end: int
    page: int | None = None
    rects: tuple[Rect, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Place:
        """Create a document from the JSON form."""
        return cls(data["document_id"].text(), *data.span(), *_page(data))


def _pair(data: Field) -> Span:
    start, end = data.each(Field.whole, 2)
    return Span(start, end)


def _page(data: Field) -> tuple[int | None, tuple[Rect, ...]]:
    return data["page"].optional(lambda page: page.whole(1)), data["rects"].each(_rect)


def _rect(data: Field) -> Rect:
    page, *corners = data.each(lambda item: item, 5)
    return Rect(page.whole(1), *map(Field.number, corners))
