"""From a draft to a grounded answer, a function a stage: sources verified, evidence found for the rest, labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.attributors.repair import repair
from citewell.attributors.targets import claim, targets, unsourced
from citewell.document import Document
from citewell.protocols import Attributor, Checker, Pair
from citewell.text import spans
from citewell.types import Citation, Draft, Granularity, Statement


class Grounded(NamedTuple):
    """Statements with their labels, and all their citations in order."""

    statements: tuple[Statement, ...] = ()
    citations: tuple[Citation, ...] = ()


def verified(
    draft: Draft,
    documents: Sequence[Document],
    attributor: Attributor,
    checker: Checker,
    granularity: Granularity,
    k: int | None,
) -> tuple[Citation, ...]:
    """The draft's sources, repaired unless the answer is their quotation."""
    if all(_quotes(draft, source) for source in draft.sources):
        return draft.sources
    return repair(draft, documents, attributor, checker, granularity, k)


def completed(
    draft: Draft,
    sources: tuple[Citation, ...],
    documents: Sequence[Document],
    attributor: Attributor,
    granularity: Granularity,
    k: int | None,
) -> tuple[Citation, ...]:
    """The sources, and the attributor's citations for what has none, in the order of the answer."""
    bare, wanted = unsourced(draft), targets(draft)
    if not bare:
        return sources
    added = attributor.attribute(replace(draft, targets=bare), documents, granularity, k)

    def place(citation: Citation) -> int:
        number = spans.owner(wanted, citation.answer_start)
        return len(wanted) if number is None else number

    return tuple(sorted((*sources, *added), key=place))  # stable: the order inside a target stays


def placed(citations: Sequence[Citation], documents: Sequence[Document]) -> tuple[Citation, ...]:
    """Citations with their pages and rectangles."""
    by_id = {document.id: document for document in documents}
    return tuple(by_id[citation.document_id].placed(citation) for citation in citations)


def labelled(
    draft: Draft, citations: Sequence[Citation], documents: tuple[Document, ...], checker: Checker
) -> tuple[Statement, ...]:
    """The draft's statements, each with its citations and what the checker says of it."""
    owned = [
        tuple(number for number, citation in enumerate(citations) if spans.owns(statement, citation.answer_start))
        for statement in draft.statements
    ]
    pairs = [
        Pair(claim(draft, statement), documents, tuple(citations[number] for number in own))
        for statement, own in zip(draft.statements, owned, strict=True)
    ]
    verdicts = checker.check(pairs) if pairs else []
    return tuple(
        Statement(draft.text[start:end], start, end, verdict.label, verdict.score, own)
        for (start, end), own, verdict in zip(draft.statements, owned, verdicts, strict=True)
    )


def _quotes(draft: Draft, source: Citation) -> bool:
    """Whether a part of the answer is its source, word for word: there is nothing to verify."""
    said = draft.text[source.answer_start : source.answer_end]
    return "".join(said.split()) == "".join(source.quote.split())
