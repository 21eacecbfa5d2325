"""Changes that a claim states in the wrong direction relative to the later figure in its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from citewell.checkers.evidence import Read
from citewell.facts.align import Finding
from citewell.facts.changes import changes
from citewell.facts.features import ClaimAlignment
from citewell.facts.types import Quantity
from citewell.types import Cell, Span


def turned(alignment: ClaimAlignment, evidence: Read) -> Iterator[Finding]:
    """Each "from A to B" of the claim where a sentence says from B to A, or a row has A under a later year than B."""
    claim_changes = list(changes(alignment.claim))
    for place, number in enumerate(alignment.chosen if claim_changes else ()):
        for change, other in product(claim_changes, changes(alignment.premises[place])):
            if (other.end.value, other.start.value) == (change.start.value, change.end.value) and change.sign:
                both, there = change.together(), other.together()
                words = [
                    alignment.premises[place].text[figure.start : figure.end] for figure in (other.start, other.end)
                ]
                message = f"the evidence goes from {words[0]} to {words[1]}"
                span = Span(both.start, both.end)
                yield Finding("direction", span, message, place, Span(there.start, there.end), conflict=True)
        sentence = evidence.sentences[number]
        end = sentence.start + len(sentence.text)
        tables = [table for table in sentence.document.tables() if table.start <= sentence.start < table.end]
        row = [cell for table in tables for cell in table.values() if sentence.start <= cell.start < end and cell.year]
        for change in claim_changes:
            first, last = _cell(row, change.start), _cell(row, change.end)
            if first and last and (first.year or 0) > (last.year or 0):
                both = change.together()
                message = f"{first.text} is the figure of {first.year}, {last.text} that of {last.year}"
                at = Span(first.start - sentence.start, first.end - sentence.start)
                yield Finding("direction", Span(both.start, both.end), message, place, at, conflict=True)


def _cell(row: list[Cell], figure: Quantity) -> Cell | None:
    """The one cell of a row that has a claim's figure, in the table's scale or written out."""
    value = float(abs(figure.value))
    same = [cell for cell in row if cell.value is not None and value in (abs(cell.value), abs(cell.value) * cell.scale)]
    return same[0] if len(same) == 1 else None
