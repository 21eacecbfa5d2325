"""Reasons from table cells: their values instead of a claim's figures, and words that they lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citewell.document import Document
from citewell.facts.tables.readings import CellReading
from citewell.facts.tables.rows import stem
from citewell.facts.tokens import tokens
from citewell.types import Place, Reason


def reasons(lookup: CellReading, claim: str, documents: Sequence[Document]) -> Iterator[Reason]:
    """Each difference with the cell that says otherwise, then each word of the claim that the cells lack."""
    for point in lookup.points:
        cell = point.fit.cell
        place = Place(documents[point.fit.source].id, cell.start, cell.end)
        yield Reason(point.kind, point.start, point.end, place, point.message)
    claim_tokens = tokens(claim)
    for n in range(len(claim_tokens)):
        if claim_tokens.content[n] and stem(claim_tokens, n) in lookup.unsaid:
            start, end = claim_tokens.starts[n], claim_tokens.ends[n]
            yield Reason("missing", start, end, None, f"“{claim[start:end]}” is not in the evidence")
