"""Evidence as numbered sentences for a language model, in windows that fit, each sentence with its position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from citewell.checkers.premises import Premise, citation
from citewell.document import Document
from citewell.errors import UsageError
from citewell.protocols import Pair
from citewell.text.segments import sentences
from citewell.types import Citation

OVERHEAD = 6  # tokens of a number, its brackets and the line break


class Line(NamedTuple):
    """A sentence of the evidence. `document` is None where it comes from citations that somebody else found."""

    text: str
    title: str | None = None
    document: Document | None = None
    start: int = 0
    end: int = 0


def lines(pair: Pair) -> list[Line]:
    """The sentences of a pair's citations, in document order, or of its documents where it has none.

    Raises:
        UsageError: the pair has no documents.
    """
    if not pair.evidence:
        raise UsageError("a claim can only be checked against at least one document")
    if pair.citations is None:
        return [
            Line(segment.text, document.title, document, segment.start, segment.end)
            for document in pair.evidence
            for segment in document.segments("sentence")
        ]
    result: list[Line] = []
    for document in pair.evidence:
        citations = [cited for cited in pair.citations if cited.document_id == document.id]
        quotes = dict.fromkeys(cited.premise for cited in sorted(citations, key=lambda cited: (cited.start, cited.end)))
        result.extend(Line(quote[a:b], document.title) for quote in quotes for a, b in sentences(quote))
    return result


def windows(read: Sequence[Line], count: Callable[[str], int], room: int) -> list[list[Line]]:
    """The lines in groups of at most `room` tokens; a line longer than that stands alone."""
    result: list[list[Line]] = []
    total = 0
    for line in read:
        size = count(line.text) + OVERHEAD
        if not result or total + size > room:
            result.append([])
            total = 0
        result[-1].append(line)
        total += size
    return result


def cite(line: Line, claim: str, score: float, method: str) -> tuple[Citation, ...]:
    """A citation of a line; none where the line comes from citations."""
    return citation(Premise(line.text, line.document, line.start, line.end), claim, score, method)
