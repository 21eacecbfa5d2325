"""Reduces a long document to the relevant segments: all, the best k, or as many as fit a number of tokens.

Top(retriever="bm25", k=10).reduce("Who pays?", [document])

Source: Buchmann et al., Attribute or Abstain (2024), sections 3 and 4.4: k = 10 for reduction, 2 for reading evidence
alone (5 where the segments are sentences of a claim's article).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell import registry
from citewell.document import Document
from citewell.text.tokens import estimate
from citewell.types import Granularity, Passage


@dataclass(frozen=True)
class Whole:
    """Everything."""

    name: ClassVar[str] = "whole"

    def reduce(
        self,
        question: str,  # noqa: ARG002  the Protocol's
        documents: Sequence[Document],
        unit: Granularity = "paragraph",
    ) -> tuple[Passage, ...]:
        """All segments, headings among them."""
        return everything(documents, unit)


@dataclass(frozen=True)
class Top:
    """The segments that a retriever ranks best.

    Attributes:
        retriever: its spec; `self-similarity` needs no question.
        k: how many.
    """

    retriever: str = "bm25"
    k: int = 10
    name: ClassVar[str] = "top"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"k is at least 1, not {self.k}")

    def reduce(
        self, question: str, documents: Sequence[Document], unit: Granularity = "paragraph"
    ) -> tuple[Passage, ...]:
        """The best `k` segments that are no headings, in the order of the documents."""
        body = _body(documents, unit)
        chosen = sorted(_ranked(self.retriever, question, body)[: self.k])
        return tuple(body[place] for place in chosen)


@dataclass(frozen=True)
class Fit:
    """Everything where it fits; otherwise the best segments that fit together.

    Attributes:
        retriever: the spec of what ranks them.
        tokens: how many tokens fit, as estimated from the text.
    """

    retriever: str = "bm25"
    tokens: int = 12_000
    name: ClassVar[str] = "fit"

    def __post_init__(self) -> None:
        if self.tokens < 1:
            raise ValueError(f"tokens is at least 1, not {self.tokens}")

    def reduce(
        self, question: str, documents: Sequence[Document], unit: Granularity = "paragraph"
    ) -> tuple[Passage, ...]:
        """Segments in the order of the documents; the first of the ranking is taken however long it is."""
        whole = everything(documents, unit)
        if sum(estimate(passage.segment.text) for passage in whole) <= self.tokens:
            return whole
        body = _body(documents, unit)
        fits = fitting(self.retriever, question, body, self.tokens, estimate)
        return fits or (body[_ranked(self.retriever, question, body)[0]],)


def fitting(
    retriever: str, question: str, passages: Sequence[Passage], room: float, size: Callable[[str], int]
) -> tuple[Passage, ...]:
    """The passages, headings left out, that a retriever ranks best and that fit together; none where not one does."""
    body, chosen = [passage for passage in passages if passage.segment.kind != "heading"], list[int]()
    for place in _ranked(retriever, question, body):
        needed = size(body[place].segment.text)
        if needed <= room:
            chosen.append(place)
            room -= needed
    return tuple(body[place] for place in sorted(chosen))


def everything(documents: Sequence[Document], unit: Granularity) -> tuple[Passage, ...]:
    """All segments of all documents, in order."""
    return tuple(
        Passage(number, segment) for number, document in enumerate(documents) for segment in document.segments(unit)
    )


def _body(documents: Sequence[Document], unit: Granularity) -> tuple[Passage, ...]:
    """The segments that are no headings; the headings where there is nothing else."""
    whole = everything(documents, unit)
    return tuple(passage for passage in whole if passage.segment.kind != "heading") or whole


def _ranked(retriever: str, question: str, passages: Sequence[Passage]) -> list[int]:
    """Positions, best first; what the retriever leaves out follows in the order of the text."""
    hits = registry.build("retriever", retriever).rank(question, [passage.segment for passage in passages])
    best = [hit.position for hit in hits]
    return [*best, *sorted(set(range(len(passages))) - set(best))]


def default(prompt: str) -> str:
    """A summary's request says nothing about what matters in the text: there the segments are asked themselves."""
    return "self-similarity" if prompt in ("summary", "govreport") else "bm25"
