"""Reasons from table cells: their values instead of a claim's figures, and the words of the claim that they lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citewell.document import Document
from citewell.facts.tables.readings import CellReading
from citewell.facts.tables.rows import stem
from citewell.facts.tokens import tokens
from citewell.facts.whole import may_act
from citewell.types import Place, Reason, Span


def reasons(lookup: CellReading, claim: str, documents: Sequence[Document]) -> Iterator[Reason]:
    """Each difference with the cell that says otherwise, where its names say all of what the figure is of but verbs.

    A figure is not held against a cell that another figure of the claim is held against: it is of something else.
    """
    cells, claim_tokens = [fit.cell for fit in lookup.cells], tokens(claim)
    verbs = {stem(claim_tokens, n) for n in range(len(claim_tokens)) if may_act(claim_tokens, n)}
    for point in lookup.points:
        cell = point.fit.cell
        if point.fit.unsaid <= verbs and (point.kind not in ("number", "magnitude") or cells.count(cell) == 1):
            place = Place(documents[point.fit.source].id, cell.start, cell.end)
            yield Reason(point.kind, point.start, point.end, place, point.message)


def unsaid(lookup: CellReading, claim: str) -> Iterator[Span]:
    """The words of the claim that are in no name of its cells."""
    claim_tokens = tokens(claim)
    for n in range(len(claim_tokens)):
        if claim_tokens.content[n] and stem(claim_tokens, n) in lookup.unsaid:
            yield claim_tokens.span(n)
