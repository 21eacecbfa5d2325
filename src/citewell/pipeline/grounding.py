"""From a draft to a grounded answer, one function per stage: verify sources, find missing evidence, label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.attributors.repair import repair
from citewell.attributors.targets import claim, targets, unsourced
from citewell.document import Document
from citewell.protocols import Attributor, Checker, Pair
from citewell.text import spans
from citewell.text.claims import makes_claim
from citewell.text.languages import READ, differ
from citewell.types import (
    SCORE_DIGITS,
    Abstention,
    Citation,
    Draft,
    Granularity,
    Reason,
    Span,
    Statement,
    Value,
    Verdict,
)


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
    """The draft's sources, repaired unless the answer is their quotation, or was computed from them."""
    if all(
        same_words(draft.text[source.answer_start : source.answer_end], source.quote)
        or Span(source.answer_start, source.answer_end) in draft.computed
        for source in draft.sources
    ):
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
    cited = (*sources, *added)
    place: dict[int, int] = {}
    for number, members in enumerate(spans.inside(wanted, [citation.answer_start for citation in cited])):
        for member in members:
            place.setdefault(member, number)
    order = sorted(range(len(cited)), key=lambda member: place.get(member, len(wanted)))  # the order inside one stays
    return tuple(cited[member] for member in order)


def placed(citations: Sequence[Citation], documents: Sequence[Document]) -> tuple[Citation, ...]:
    """Citations with pages, rectangles and rounded scores, as shown in an answer."""
    by_id = {document.id: document for document in documents}
    return tuple(
        replace(by_id[citation.document_id].placed(citation), score=round(citation.score, SCORE_DIGITS))
        for citation in citations
    )


def placed_abstention(abstention: Abstention, documents: Sequence[Document]) -> Abstention:
    """An abstention with pages and rectangles for its nearest passages, and a rounded score."""
    where = placed([near.citation for near in abstention.nearest], documents)
    nearest = tuple(near._replace(citation=there) for near, there in zip(abstention.nearest, where, strict=True))
    score = None if abstention.score is None else round(abstention.score, SCORE_DIGITS)
    return replace(abstention, score=score, nearest=nearest)


def placed_value(draft: Draft, grounded: Grounded) -> Value | None:
    """The draft's short answer with the positions of its citations among those of the answer; None if one is gone."""
    if draft.value is None:
        return None
    at = {
        (cited.document_id, cited.start, cited.end, cited.granularity): n for n, cited in enumerate(grounded.citations)
    }
    wanted = [draft.sources[number] for number in draft.value.citations]
    places = [at.get((citation.document_id, citation.start, citation.end, citation.granularity)) for citation in wanted]
    known = tuple(place for place in places if place is not None)
    return replace(draft.value, citations=known) if len(known) == len(places) else None


def judged(verdict: Verdict, documents: Sequence[Document], shift: int = 0, within: Span | None = None) -> Verdict:
    """A verdict for display: rounded score, pages and rectangles for its evidence and for that of its reasons.

    `shift` moves its reasons from the claim into the answer; one that lies before the part of the answer that is
    judged, in the question, is about all of that part.
    """
    by_id = {document.id: document for document in documents}
    reasons = []
    for reason in verdict.reasons:
        place = reason.evidence and by_id[reason.evidence.document_id].placed(reason.evidence)
        span = Span(reason.start + shift, reason.end + shift)
        if within is not None:
            span = spans.within(within, span) if spans.overlap(within, span) else within
        reasons.append(replace(reason, start=span.start, end=span.end, evidence=place))
    score = round(verdict.score, SCORE_DIGITS)
    return replace(verdict, score=score, citations=placed(verdict.citations, documents), reasons=tuple(reasons))


def labelled(
    draft: Draft, citations: Sequence[Citation], documents: tuple[Document, ...], checker: Checker
) -> tuple[Statement, ...]:
    """The draft's statements, each with its citations and a label.

    A quotation is true by construction, as is the sentence of a figure that was computed from the cells that it cites;
    nothing is supported without evidence: what the checker judges is the rest.
    """
    statements, pairs = list[Statement](), dict[int, Pair]()
    owned = spans.inside(draft.statements, [citation.answer_start for citation in citations])
    for number, (span, numbers) in enumerate(zip(draft.statements, owned, strict=True)):
        cited = tuple(citations[n] for n in numbers)
        text = draft.text[span.start : span.end]
        if span in draft.computed:
            statements.append(Statement(text, *span, "supported", 1.0, numbers))
            continue
        statements.append(Statement(text, *span, "quoted", 1.0, numbers))
        if draft.origin != "quoted" or not any(same_words(text, citation.quote) for citation in cited):
            statement_claim = claim(draft, span)
            pairs[number] = Pair(statement_claim, documents, cited, len(statement_claim) - len(text))
    for number, verdict in zip(pairs, judgements(list(pairs.values()), checker), strict=True):
        span = draft.statements[number]
        question_length = len(verdict.claim) - (span.end - span.start)  # the question before a short answer
        judgement = judged(replace(verdict, citations=()), documents, span.start - question_length, span)
        statements[number] = replace(
            statements[number], label=judgement.label, score=judgement.score, reasons=judgement.reasons
        )
    return tuple(statements)


def judgements(pairs: Sequence[Pair], checker: Checker) -> list[Verdict]:
    """What the checker says of claims with the evidence that was found for them; without evidence nothing is supported.

    A claim without evidence is not passed to the checker.
    """
    bare = {n for n, pair in enumerate(pairs) if pair.citations == ()}
    judged_pairs = [pair for n, pair in enumerate(pairs) if n not in bare]
    verdicts = iter(checker.check(judged_pairs) if judged_pairs else [])
    name = getattr(checker, "name", "")
    return [_without_evidence(pair, name) if n in bare else next(verdicts) for n, pair in enumerate(pairs)]


def _without_evidence(pair: Pair, method: str) -> Verdict:
    """The verdict on a claim for which nothing was found; in a language that no document is in it is not judged."""
    claims = makes_claim(pair.claim)
    blank = Verdict(pair.claim, "not_supported", 0.0, method=method)
    beginnings = [document.text[:READ] for document in pair.evidence]
    if not claims or not beginnings or not all(differ(pair.claim, text) for text in beginnings):
        return blank.without_evidence(claims)
    why = "it and the documents are in different languages, whose words cannot be compared"
    return replace(blank, label="unverified", reasons=(Reason("language", 0, len(pair.claim), None, why),))


def same_words(first: str, second: str) -> bool:
    """Whether two texts differ in nothing but white space."""
    return "".join(first.split()) == "".join(second.split())
