"""The evidence that a model checker reads: single sentences, or windows of whole sentences that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from citewell.document import Document
from citewell.errors import UsageError
from citewell.protocols import Pair
from citewell.text.segments import sentences
from citewell.types import Citation, Granularity, Span


class Premise(NamedTuple):
    """A text to judge a claim against, and where it stands; `document` is None for joined citations."""

    text: str
    document: Document | None = None
    start: int = 0
    end: int = 0


Count = Callable[[str], int]


def by_sentence(pair: Pair) -> list[Premise]:
    """Each sentence of the evidence: of the citations where the pair has some, of the whole documents otherwise.

    Raises:
        UsageError: the pair has no documents.
    """
    if not pair.evidence:
        raise UsageError("a claim can only be checked against at least one document")
    if pair.citations is not None:
        spans = ((cited.premise, span) for cited in pair.citations for span in sentences(cited.premise))
        return [Premise(quote[span.start : span.end]) for quote, span in spans]
    return [
        Premise(segment.text, document, segment.start, segment.end)
        for document in pair.evidence
        for segment in document.segments("sentence")
    ]


def by_window(pair: Pair, count: Count, room: int) -> list[Premise]:
    """Windows of whole sentences of at most `room` tokens or words, as `count` counts them.

    Citations are joined first: in document order, a title before those of its document, a line each, as LAB does
    (Buchmann et al., Attribute or Abstain, 2024). A sentence longer than `room` stands alone.

    Raises:
        UsageError: the pair has no documents.
    """
    if not pair.evidence:
        raise UsageError("a claim can only be checked against at least one document")
    if pair.citations is not None:
        text = joined(pair)
        return [Premise(text[start:end]) for start, end in _windows(text, count, room)] if text else []
    return [
        Premise(document.text[start:end], document, start, end)
        for document in pair.evidence
        for start, end in _windows(document.text, count, room, document)
    ]


def read_as(premise: str) -> str:
    """A checker's `premise` setting.

    Raises:
        ValueError: it is neither `sentences` nor `windows`.
    """
    if premise not in ("sentences", "windows"):
        raise ValueError(f"premise is sentences or windows, not {premise!r}")
    return premise


def joined(pair: Pair) -> str:
    """The text of a pair's citations."""
    lines: list[str] = []
    for document in pair.evidence:
        citations = [cited for cited in pair.citations or () if cited.document_id == document.id]
        if citations and document.title:
            lines.append(document.title)
        lines.extend(
            dict.fromkeys(cited.premise for cited in sorted(citations, key=lambda cited: (cited.start, cited.end)))
        )
    return "\n".join(lines)


def _windows(text: str, count: Count, room: int, document: Document | None = None) -> Iterator[tuple[int, int]]:
    if count(text) <= room:
        yield 0, len(text)
        return
    spans = [(s.start, s.end) for s in (document.segments("sentence") if document else sentences(text))]
    start, end, total = 0, 0, 0
    for first, last in spans:
        size = count(text[first:last])
        if total and total + size > room:
            yield start, end
            total = 0
        if not total:
            start = first
        end, total = last, total + size
    if total:
        yield start, end


def citation(premise: Premise, claim: str, score: float, method: str) -> tuple[Citation, ...]:
    """A citation of a premise; none where it is made of citations itself or holds only white space."""
    document = premise.document
    if document is None:
        return ()
    whole = [
        segment
        for segment in document.segments("sentence")
        if segment.start < premise.end and segment.end > premise.start
    ]
    if not whole:
        return ()
    granularity: Granularity = "sentence" if len(whole) == 1 else "paragraph"
    at, target = Span(whole[0].start, whole[-1].end), Span(0, len(claim))
    return (document.cite(at, whole[0].id, target, granularity=granularity, score=score, method=method),)
