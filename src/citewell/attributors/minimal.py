"""Minimal evidence: drops the citations that a statement can do without."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.attributors.optimal_selection import Scorer
from citewell.attributors.targets import targets
from citewell.protocols import Checker
from citewell.text.spans import owns
from citewell.types import Citation, Draft


def minimal(draft: Draft, citations: Sequence[Citation], checker: Checker) -> tuple[Citation, ...]:
    """The citations without those whose removal does not lower the probability that the rest supports the target.

    One at a time, the one whose removal helps most first, of equals the last. The only citation of a target stays.
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
            if values[best] < current:
                break
            kept.discard(numbers[best])
            numbers, current = smaller[best], max(current, values[best])
    return tuple(citation for number, citation in enumerate(citations) if number in kept)


def _premise(citations: Sequence[Citation], chosen: Sequence[int]) -> str:
    """The quotes in document order, each once, as one text."""
    order = sorted(chosen, key=lambda number: (citations[number].document_id, citations[number].start))
    return " ".join(dict.fromkeys(citations[number].quote for number in order))
