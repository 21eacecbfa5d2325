"""Cells as evidence for a claim: the cells of documents or citations, their facts, and citations of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from citewell.facts import lists
from citewell.facts.calendar.fiscal import FiscalYears, fiscal_years
from citewell.facts.comparisons import sides
from citewell.facts.extract import extract
from citewell.facts.filer import speaker
from citewell.facts.tables.compared import compared
from citewell.facts.tables.expressions import expressions
from citewell.facts.tables.fits import Source
from citewell.facts.tables.readings import CellReading, denies, read_cells
from citewell.facts.tables.rows import Keys, Rows, rows, words
from citewell.facts.tables.tabled import Tabled
from citewell.text.spans import Ranged, overlap
from citewell.types import Cell, Citation, Span, Table

_FRONT = 2000  # characters at the head of a document in which it names whose it is


def look_up(text: str, documents: Sequence[Tabled], citations: Sequence[Citation] | None = None) -> CellReading | None:
    """What cells say of a claim that tells a figure, a change or a comparison; None where they settle nothing.

    Only cells that the citations touch are read, those of whole documents where citations is None.
    """
    if not any(document.grids for document in documents):
        return None
    claim, full = extract(text), expressions().in_full(text)
    compares, denied = sides(claim) is not None and not claim.quantities, denies(claim)
    changes = any(axis == "change" for word in claim.tokens.known for axis, _ in word.sides)
    if denied or not (claim.quantities or changes or compares):
        return None
    sources = [
        Source(_rows(document, citations), _front(document), document_years(document), speaker(document))
        for document in documents
    ]
    if compares:
        return compared(claim, sources)
    reading = read_cells(claim, sources)
    if full != text and (reading is None or reading.unsaid):
        worded = read_cells(extract(full), sources)  # "EPS", "net profit"; its places are not those of the claim
        if worded is not None and not (worded.points or worded.unsaid):
            return worded
    return reading


def document_years(document: Tabled) -> FiscalYears:
    """How a document names its fiscal years; read once."""
    return document.memo("fiscal years", lambda: fiscal_years(document.text))


def _rows(document: Tabled, citations: Sequence[Citation] | None) -> Rows:
    if not document.grids:
        return Rows((), {})
    if citations is None:
        return document.memo("rows", lambda: rows(document.tables()))
    here = [citation for citation in citations if citation.document_id == document.id]
    if not any(in_table(document, citation) for citation in here):
        return Rows((), {})
    tables = [table for table in document.tables() if any(overlap(table, citation) for citation in here)]
    return rows(replace(table, cells=tuple(_touched(table, here))) for table in tables)


def cell_odds() -> float:
    """How likely a claim is true that cells bear out, of equally many true and false ones, as measured."""
    right: float = lists.read("reporting")["right"]
    return right


def in_table(document: Tabled, place: Ranged) -> bool:
    """Whether a place lies in a table."""
    return any(overlap(grid, place) for grid in document.grids)


def _touched(table: Table, citations: Sequence[Citation]) -> Iterator[Cell]:
    """The figures that citations quote; of a row of which only the label is quoted, all."""
    by_row: dict[int, list[Cell]] = defaultdict(list)
    for cell in table.cells:
        if cell.end > cell.start:
            by_row[cell.row].append(cell)
    for cells in by_row.values():
        quoted = [cell for cell in cells if any(overlap(cell, citation) for citation in citations)]
        if quoted and all(cell.role == "label" for cell in quoted):
            quoted = cells
        yield from quoted


def _front(document: Tabled) -> Keys:
    return document.memo("front words", lambda: words(f"{document.title or ''} {document.text[:_FRONT]}"))


def cited(
    reading: CellReading, documents: Sequence[Tabled], claim_span: Span, score: float, method: str
) -> tuple[Citation, ...]:
    """The cells as the evidence for the answer's text at `claim_span`, each once."""
    citations = dict[Citation, None]()
    for fit in reading.cells:
        document = documents[fit.source]
        home = document.segment_at(fit.cell.start)
        citations[Citation.of_cell(fit.cell, fit.row.table, home, document.id, claim_span, score, method)] = None
    return tuple(citations)
