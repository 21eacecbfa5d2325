"""Citation precision and recall; decides which citations of a statement are relevant.

A statement counts as cited where all its citations together support it. A citation is precise where its statement
counts as cited, and it supports the statement alone or the others cannot do without it.
Source: Gao et al., Enabling Large Language Models to Generate Text with Citations (2023), section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from citewell.document import Document
from citewell.protocols import Pair
from citewell.types import Citation, Span, Verdict

Check = Callable[[list[Pair]], Sequence[Verdict]]


class Evidence(NamedTuple):
    """What a citation names: places in documents, or the whole documents where `citations` is None."""

    documents: tuple[Document, ...]
    citations: tuple[Citation, ...] | None = None


class Cited(NamedTuple):
    """A statement, and the evidence of each of its citations."""

    claim: str
    evidence: tuple[Evidence, ...]


class Judged(NamedTuple):
    """A statement judged with all its citations and with each alone, and which of them are precise."""

    together: Verdict
    alone: tuple[Verdict, ...]
    precise: tuple[bool, ...]


def judged(statements: Sequence[Cited], check: Check) -> list[Judged]:
    """Judge statements that have citations; the checker is asked in two batches."""
    choices = [[cited.evidence, *((piece,) for piece in cited.evidence)] for cited in statements]
    verdicts = _collect_questions(check, statements, choices)
    # What does not support alone is needed where the rest does not support either.
    doubtful = [
        [n for n, verdict in enumerate(alone) if together.label == "supported" != verdict.label]
        for together, *alone in verdicts
    ]
    rests = [
        [cited.evidence[:n] + cited.evidence[n + 1 :] for n in places]
        for cited, places in zip(statements, doubtful, strict=True)
    ]
    without = _collect_questions(check, statements, rests)
    result = []
    for (together, *alone), places, rest in zip(verdicts, doubtful, without, strict=True):
        spare = {n for n, verdict in zip(places, rest, strict=True) if verdict.label == "supported"}
        precise = (together.label == "supported" and n not in spare for n in range(len(alone)))
        result.append(Judged(together, tuple(alone), tuple(precise)))
    return result


def _collect_questions(
    check: Check, statements: Sequence[Cited], choices: Sequence[Sequence[tuple[Evidence, ...]]]
) -> list[list[Verdict]]:
    """The verdicts on each statement with each of several choices among its citations; the same is asked once."""
    pairs: dict[Hashable, Pair] = {}
    questions: list[list[Hashable]] = []
    for cited, own_choices in zip(statements, choices, strict=True):
        questions.append([])
        for choice in own_choices:
            pair = _pair(cited.claim, choice)
            places = pair.citations and frozenset(
                (citation.document_id, citation.start, citation.end) for citation in pair.citations
            )
            key = (pair.claim, tuple(document.id for document in pair.evidence), places)
            pairs[key] = pair
            questions[-1].append(key)
    verdicts = dict(zip(pairs, check(list(pairs.values())) if pairs else (), strict=True))
    return [[verdicts[key] for key in keys] for keys in questions]


def _pair(claim: str, choice: Sequence[Evidence]) -> Pair:
    """A claim with several citations. A whole document beside places in others is cited from end to end."""
    documents = {document.id: document for evidence in choice for document in evidence.documents}
    if all(evidence.citations is None for evidence in choice):
        return Pair(claim, tuple(documents.values()))
    span, citations = Span(0, len(claim)), list[Citation]()
    for evidence in choice:
        if evidence.citations is not None:
            citations += evidence.citations
        else:
            citations += (
                document.cite(Span(0, len(document.text)), document.id, span) for document in evidence.documents
            )
    return Pair(claim, tuple(documents.values()), tuple(citations))


def share(values: Sequence[bool]) -> float | None:
    """The share that holds; None of nothing."""
    return sum(values) / len(values) if values else None
