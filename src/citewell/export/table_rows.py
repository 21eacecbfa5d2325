"""A quoted row of a table with the headers of its figures."""

from __future__ import annotations

from citewell.document import Document
from citewell.types import Citation

TableRow = tuple[tuple[str, ...], tuple[str, ...]]


def table_row(document: Document | None, citation: Citation) -> TableRow | None:
    """A quoted row as its headers and its texts, the label first; None for any other quote."""
    if document is None or citation.cell is not None or " | " not in citation.quote:
        return None
    inside = [
        cell
        for table in document.tables()
        if table.start <= citation.start and citation.end <= table.end
        for cell in table.cells
        if citation.start <= cell.start and cell.end <= citation.end and cell.text
    ]
    values = [cell for cell in inside if cell.role == "value"]
    if not values:
        return None
    label = " ".join(" ".join(cell.text.split()) for cell in inside if cell.role != "value")
    heads = (" ".join((cell.period or " ".join(cell.column_path[-1:])).split()) for cell in values)
    return ("", *heads), (label, *(" ".join(cell.text.split()) for cell in values))
