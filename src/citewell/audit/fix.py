"""The fixed version of an audited answer: keeps supporting citations, adds missing ones, and changes nothing else.

A statement never gets evidence that does not fully support it: whoever audits the fixed version again must not find it
better than it is. What is left without evidence is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.audit.claims import CitationJson
from citewell.document import Document
from citewell.pipeline import Pipeline, grounding
from citewell.protocols import Pair
from citewell.text import spans
from citewell.types import HOLDS, Answer, Citation, Draft, Span, Statement, Verdict


class Claimed(NamedTuple):
    """A citation of the response: its place where it has one, how it was given, and whether it is to the point."""

    citation: Citation | None
    payload: CitationJson
    precise: bool


class Fixed(NamedTuple):
    """The answer, and how the response gave each of its citations: None for those that were added."""

    answer: Answer
    payloads: tuple[CitationJson | None, ...]


class _Part(NamedTuple):
    """A statement, its citations and how they were given."""

    statement: Statement
    citations: tuple[Citation, ...]
    payloads: tuple[CitationJson | None, ...]


def fix(
    draft: Draft,
    verdicts: Sequence[Verdict],
    entries: Sequence[Sequence[Claimed]],
    documents: Sequence[Document],
    pipeline: Pipeline,
) -> Fixed:
    """The answer with its citations repaired."""
    weak = tuple(
        span
        for span, verdict, cited in zip(draft.statements, verdicts, entries, strict=True)
        if verdict.label not in ("no_claim", "unverified")
        and not (verdict.label in HOLDS and any(entry.precise and entry.citation for entry in cited))
    )
    better = _better(replace(draft, targets=weak), documents, pipeline) if weak else {}
    parts, warnings = list[_Part](), list[str]()
    for span, verdict, cited in zip(draft.statements, verdicts, entries, strict=True):
        part = _part(draft, span, better.get(span, verdict), cited, documents, added=span in better)
        parts.append(part)
        if span in weak and not part.citations:
            quoted = " ".join(part.statement.text.split())
            warnings.append(f"nothing supports “{quoted[:80]}”: it is left without a citation")
    return _joined(draft, parts, documents, warnings)


def _better(draft: Draft, documents: Sequence[Document], pipeline: Pipeline) -> Mapping[Span, Verdict]:
    """Verdicts on the targets for which the attributor finds evidence that fully supports them, with that evidence."""
    offered: dict[Span, list[Citation]] = {}
    for citation in pipeline.find(documents, draft):
        statement = Span(citation.answer_start, max(citation.answer_end, citation.answer_start + 1))
        if numbers := spans.touched(draft.targets, statement):
            offered.setdefault(draft.targets[numbers[0]], []).append(citation)
    homes = {document.id: document for document in documents}
    pairs = []
    for span, cited in offered.items():
        cited_homes = {citation.document_id: homes[citation.document_id] for citation in cited}
        pairs.append(Pair(draft.text[span.start : span.end], tuple(cited_homes.values()), tuple(cited)))
    verdicts = zip(offered.items(), pipeline.judge(pairs), strict=True)
    return {
        span: replace(verdict, citations=tuple(replace(citation, score=verdict.score) for citation in cited))
        for (span, cited), verdict in verdicts
        if verdict.label in HOLDS and not verdict.failed
    }


def _part(
    draft: Draft,
    span: Span,
    verdict: Verdict,
    entries: Sequence[Claimed],
    documents: Sequence[Document],
    *,
    added: bool,
) -> _Part:
    """A statement with what is added to it, else with those of its own citations that may stay."""
    kept = [
        (entry.citation, entry.payload)
        for entry in entries
        if entry.citation and (entry.precise or verdict.label == "unverified")
    ]
    citations = verdict.citations if added else tuple(_at(span, citation) for citation, _ in kept)
    payloads = tuple(None for _ in citations) if added else tuple(payloads for _, payloads in kept)
    claims = verdict.label not in ("no_claim", "unverified")
    judged = verdict if citations or not claims else verdict.without_evidence()
    judged = grounding.judged(replace(judged, citations=()), documents, span.start)
    text = draft.text[span.start : span.end]
    numbered = Statement(text, *span, judged.label, judged.score, reasons=judged.reasons)
    return _Part(numbered, citations, payloads)


def _joined(draft: Draft, parts: Sequence[_Part], documents: Sequence[Document], warnings: Sequence[str]) -> Fixed:
    homes = {document.id: document for document in documents}
    statements, citations = list[Statement](), list[Citation]()
    for part in parts:
        numbers = tuple(range(len(citations), len(citations) + len(part.citations)))
        statements.append(replace(part.statement, citations=numbers))
        citations += [homes[citation.document_id].placed(citation) for citation in part.citations]
    answer = Answer(
        draft.text,
        tuple(statements),
        tuple(citations),
        tuple(document.info for document in documents),
        draft.question,
        method=draft.method,
        warnings=tuple(dict.fromkeys(warnings)),
    )
    return Fixed(answer, tuple(payload for part in parts for payload in part.payloads))


def _at(statement: Span, citation: Citation) -> Citation:
    """A citation that speaks for a part of one statement."""
    start, end = spans.within(statement, Span(citation.answer_start, citation.answer_end))
    return replace(citation, answer_start=start, answer_end=end)
