"""A quoted row of a table with the headers of its figures."""

from __future__ import annotations

from citewell.document import Document
from citewell.types import Cell, Citation

TableRow = tuple[tuple[str, ...], tuple[str, ...]]


def table_row(document: Document | None, citation: Citation) -> TableRow | None:
    """A quoted row as its headers and its texts, the label first; None for any other quote."""
    if document is None or citation.cell is not None or " | " not in citation.quote:
        return None
    inside = _cells(document, citation)
    values = [cell for cell in inside if cell.role == "value"]
    if not values:
        return None
    label = " ".join(" ".join(cell.text.split()) for cell in inside if cell.role != "value")
    return ("", *map(_head, values)), (label, *(" ".join(cell.text.split()) for cell in values))


def heads_in_answer(answer: str, document: Document | None, citation: Citation) -> dict[int, str]:
    """The header of each figure of a row that an answer quotes, by where the figure ends in the answer's text."""
    quoted = answer[citation.answer_start : citation.answer_end] == citation.quote
    if not quoted or document is None or table_row(document, citation) is None:
        return {}
    by = citation.answer_start - citation.start
    return {cell.end + by: _head(cell) for cell in _cells(document, citation) if cell.role == "value"}


def _cells(document: Document, citation: Citation) -> list[Cell]:
    return [
        cell
        for table in document.tables()
        if table.start <= citation.start and citation.end <= table.end
        for cell in table.cells
        if citation.start <= cell.start and cell.end <= citation.end and cell.text
    ]


def _head(cell: Cell) -> str:
    return " ".join((cell.period or " ".join(cell.column_path[-1:])).split())
