"""Minimal and alternative evidence, for any attributor and any checker.

`minimal` drops what is not needed; `alternatives` finds further sets, each of which suffices alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from citewell.attributors.optimal_selection import Scorer, grow
from citewell.attributors.targets import targets
from citewell.document import Document
from citewell.protocols import Attributor, Checker
from citewell.text.spans import owns
from citewell.types import Citation, Draft, Granularity, Span


def minimal(
    draft: Draft, citations: Sequence[Citation], checker: Checker, *, tolerance: float = 0.0
) -> tuple[Citation, ...]:
    """The citations without those whose removal does not lower the probability that the rest supports the target.

    One at a time, the one whose removal helps most first, of equals the last. The only citation of a target stays.

    Args:
        draft: the answer.
        citations: its evidence.
        checker: judges sets of evidence.
        tolerance: by how much the probability may fall.
    """
    scorer = Scorer(checker)
    kept = set(range(len(citations)))
    for target in dict.fromkeys(targets(draft)):
        claim = draft.text[target.start : target.end]
        numbers = [number for number, citation in enumerate(citations) if owns(target, citation.answer_start)]
        current = scorer([(_premise(citations, numbers), claim)])[0]
        while len(numbers) > 1:
            smaller = [[other for other in numbers if other != number] for number in numbers]
            values = scorer([(_premise(citations, rest), claim) for rest in smaller])
            best = max(range(len(numbers)), key=lambda place: (values[place], place))
            if values[best] < current - tolerance:
                break
            kept.discard(numbers[best])
            numbers, current = smaller[best], max(current, values[best])
    return tuple(citation for number, citation in enumerate(citations) if number in kept)


def alternatives(
    draft: Draft,
    documents: Sequence[Document],
    attributor: Attributor,
    checker: Checker,
    *,
    granularity: Granularity = "sentence",
    threshold: float = 0.5,
    delta: float = 0.05,
    pool: int = 10,
    most: int = 3,
) -> dict[Span, list[tuple[Citation, ...]]]:
    """For each target, sets of evidence without a common piece, each of which the checker finds sufficient.

    Args:
        draft: the answer.
        documents: where the evidence is.
        attributor: gives the pieces.
        checker: judges sets of pieces.
        granularity: of the pieces.
        threshold: the probability from which a set suffices.
        delta: how much a further piece must add.
        pool: pieces a target that are looked at.
        most: sets a target.
    """
    cited = attributor.attribute(draft, documents, granularity, pool)
    scorer = Scorer(checker)
    result: dict[Span, list[tuple[Citation, ...]]] = {}
    for target in dict.fromkeys(targets(draft)):
        claim = draft.text[target.start : target.end]
        distinct = {(c.document_id, c.start, c.end): c for c in reversed(cited) if owns(target, c.answer_start)}
        pieces = list(reversed(distinct.values()))
        sets: list[tuple[Citation, ...]] = []
        left = list(range(len(pieces)))
        while left and len(sets) < most:
            growth = grow([claim], [left], [piece.quote for piece in pieces], scorer, delta=delta)[0]
            if growth.score < threshold:
                break
            sets.append(minimal(draft, [pieces[i] for i in growth.chosen], checker))
            left = [number for number in left if number not in growth.chosen]
        result[target] = sets
    return result


def _premise(citations: Sequence[Citation], chosen: Sequence[int]) -> str:
    """The quotes in document order, each once, as one text."""
    order = sorted(chosen, key=lambda number: (citations[number].document_id, citations[number].start))
    return " ".join(dict.fromkeys(citations[number].quote for number in order))
