"""Verifies and repairs a model's citations: keeps plausible ones, replaces others if better ones exist.

repair(draft, documents, attributor, checker)

Each cited segment is judged alone and all of a part together. What supports is kept and narrowed to the sentences that
do. What cannot be judged (another language, a judge that failed) is kept as it is. What does not support is held
against what the attributor finds for the same words: it is kept where both name the same place, replaced where the
evidence elsewhere is better, and dropped only where the attributor sees nothing in it either. What was changed is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from citewell.attributors.targets import claim, statement_around, statements
from citewell.document import Document
from citewell.errors import notes
from citewell.protocols import Attributor, Checker, Pair
from citewell.text import spans
from citewell.text.safe import shorten
from citewell.types import Block, BlockKind, Citation, Draft, Granularity, Label, Span, Verdict

_RANK: dict[Label, int] = {
    "contradicted": 0,
    "not_supported": 0,
    "partially_supported": 1,
    "no_claim": 1,
    "unverified": 1,
    "supported": 2,
    "quoted": 2,
}
_HOLDS = 2


def repair(
    draft: Draft,
    documents: Sequence[Document],
    attributor: Attributor,
    checker: Checker,
    granularity: Granularity = "sentence",
    k: int | None = None,
) -> tuple[Citation, ...]:
    """The sources of a draft, verified and repaired, in the order of the answer; changes are noted.

    Args:
        draft: with `sources`.
        documents: the sources' documents.
        attributor: narrows and replaces.
        checker: judges.
        granularity: the granularity to which citations are narrowed.
        k: the maximum number of citations per part of a statement.
    """
    parts = _parts(draft, documents)
    pairs_by_part = [part.pairs() for part in parts]
    verdicts = iter(checker.check([pair for pairs in pairs_by_part for pair in pairs]) if parts else [])
    for part, pairs in zip(parts, pairs_by_part, strict=True):
        part.judge([next(verdicts) for _ in pairs])
    doubtful = [part for part in parts if part.doubtful]
    _offer(doubtful, draft, documents, attributor, granularity, k)
    for part in doubtful:
        part.look_inside(attributor, k)
    for part, verdict in _judged(doubtful, checker):
        part.choose(verdict)
    whole = [part for part in parts if part.coarser(granularity)]
    for part in whole:
        part.narrow(attributor, granularity, k)
    for part, verdict in _judged(whole, checker):
        part.settle(verdict)
    for part in parts:
        for warning in part.warnings:
            notes.warn(warning)
    return tuple(dict.fromkeys(citation for part in parts for citation in part.result))


def _parts(draft: Draft, documents: Sequence[Document]) -> list[_Part]:
    """The parts of the answer that have sources, in order, each with its sources."""
    homes = {document.id: document for document in documents}
    cited: dict[Span, dict[tuple[str, int, int], Citation]] = {}
    for source in draft.sources:
        place = (source.document_id, source.start, source.end)
        cited.setdefault(Span(source.answer_start, source.answer_end), {})[place] = source
    return [_Part(draft, span, tuple(cited[span].values()), homes) for span in sorted(cited)]


def _offer(
    parts: Sequence[_Part],
    draft: Draft,
    documents: Sequence[Document],
    attributor: Attributor,
    granularity: Granularity,
    k: int | None,
) -> None:
    """Give each part what the attributor finds for it anywhere, the whole answer read once for parts side by side."""
    rest = list(parts)
    while rest:
        row, later, end = list[_Part](), list[_Part](), 0
        for part in rest:
            (row if part.span.start >= end else later).append(part)
            end = max(end, part.span.end) if row[-1] is part else end
        targets = tuple(part.span for part in row)
        whole = replace(draft, statements=statements(draft), targets=targets, sources=())
        for citation in attributor.attribute(whole, documents, granularity, k):
            span = Span(citation.answer_start, max(citation.answer_end, citation.answer_start + 1))
            if numbers := spans.touched(targets, span):
                row[numbers[0]].offered += (citation,)
        rest = later


def _judged(parts: Sequence[_Part], checker: Checker) -> Iterator[tuple[_Part, Verdict | None]]:
    """Each part with the verdict on what it is offered, None where that is nothing."""
    offers = [part.pair(part.offered) for part in parts if part.offered]
    verdicts = iter(checker.check(offers) if offers else [])
    return ((part, next(verdicts) if part.offered else None) for part in parts)


def _unjudged(verdict: Verdict) -> bool:
    return verdict.failed is not None or verdict.label == "unverified"


class _Part:
    """A part of the answer with the citations that the model gave it."""

    def __init__(self, draft: Draft, span: Span, cited: tuple[Citation, ...], homes: dict[str, Document]) -> None:
        self.draft, self.span, self.cited, self.homes = draft, span, cited, homes
        self.claim = claim(draft, span)
        self.excerpts = [excerpt(homes[citation.document_id], citation) for citation in cited]
        self.kept: list[int] = []
        self.inside: set[int] = set()  # the cited segments in which the attributor sees evidence
        self.agreed = False  # whether what it finds anywhere lies in them
        self.offered: tuple[Citation, ...] = ()
        self.result: tuple[Citation, ...] = ()
        self.warnings: list[str] = []
        self.label: Label = "not_supported"
        self.score = 0.0

    def pairs(self) -> list[Pair]:
        """Each cited segment alone, then all together if there are several."""
        alone = [self.pair((citation,)) for citation in self.cited]
        return [*alone, self.pair(self.cited)] if len(alone) > 1 else alone

    def pair(self, citations: tuple[Citation, ...]) -> Pair:
        """The claim with these citations, to be judged."""
        documents = {citation.document_id: self.homes[citation.document_id] for citation in citations}
        question_length = len(self.claim) - (self.span.end - self.span.start)  # the question before a short answer
        return Pair(self.claim, tuple(documents.values()), citations, question_length)

    def judge(self, verdicts: Sequence[Verdict]) -> None:
        """Keep citations that support alone or cannot be judged; keep all if only all together support."""
        alone, together = verdicts[: len(self.cited)], verdicts[-1]
        everything = list(range(len(self.cited)))
        open_numbers = [n for n in everything if _unjudged(alone[n])]
        self.kept = [n for n in everything if _RANK[alone[n].label] or n in open_numbers]
        full = any(_RANK[alone[n].label] == _HOLDS for n in everything if n not in open_numbers)
        self.label = "supported" if full else together.label
        if not full and (open_numbers or _unjudged(together)):
            self.kept, self.label = everything, "unverified"
            why = next((alone[n].failed for n in open_numbers if alone[n].failed), None) or "it cannot be judged"
            for n in everything:
                self._tell(n, f"could not be verified ({' '.join(why.split())[:120]}): it was kept")
        elif not full and together.label == "supported":
            self.kept = everything
        self.score = max(together.score, *(verdict.score for verdict in alone))
        scores = [max(alone[n].score, together.score if not full else 0.0) for n in everything]
        self.cited = tuple(replace(citation, score=score) for citation, score in zip(self.cited, scores, strict=True))
        self.result = tuple(self.cited[n] for n in self.kept)
        if full:
            self._drop(everything, "it was left out")

    @property
    def doubtful(self) -> bool:
        """Whether the part was judged and is not fully supported."""
        return self.label not in ("supported", "quoted", "unverified", "no_claim")

    def look_inside(self, attributor: Attributor, k: int | None) -> None:
        """Note in which of the cited segments the attributor sees evidence, offered or when it reads them alone."""
        for n, citation in enumerate(self.cited):
            same = [other for other in self.offered if other.document_id == citation.document_id]
            if any(spans.overlap(other, citation) for other in same):
                self.inside.add(n)
        self.agreed = bool(self.inside)
        if not self.agreed:
            alone = attributor.attribute(self._alone(), self.excerpts, "sentence", k)
            cited_ids = {evidence.document_id for evidence in alone}
            self.inside = {n for n, document in enumerate(self.excerpts) if document.id in cited_ids}

    def choose(self, verdict: Verdict | None) -> None:
        """Choose between the model's citations and the attributor's; the model's if both hold."""
        if verdict is not None and self._prefers(verdict):
            names = ", ".join(dict.fromkeys(citation.segment_id for citation in self.offered))
            self.kept = sorted(self.inside) if self.agreed else []
            self._drop(range(len(self.cited)), f"replaced by {names}")
            self.result, self.kept = tuple(replace(evidence, score=verdict.score) for evidence in self.offered), []
            return
        self.kept = sorted({*self.kept, *self.inside})
        self.result = tuple(self.cited[n] for n in self.kept)
        self._drop(range(len(self.cited)), "it was left out")

    def _prefers(self, verdict: Verdict) -> bool:
        """Whether what is offered is taken: it holds, or is better and lies elsewhere."""
        if _unjudged(verdict):
            return False
        offered, rank = _RANK[verdict.label], _RANK[self.label] if self.kept else 0
        better = offered > rank or (offered == rank == 0 and verdict.score > self.score)
        return offered == _HOLDS or (better and not self.agreed)

    def coarser(self, granularity: Granularity) -> bool:
        """Whether what is kept can be narrowed to the wanted granularity."""
        coarse = any(citation.granularity != granularity for citation in self.result)
        return granularity != "paragraph" and coarse and bool(self.kept) and self.label != "unverified"

    def narrow(self, attributor: Attributor, granularity: Granularity, k: int | None) -> None:
        """Offer the sentences inside the kept segments in their place."""
        inside = [self.excerpts[n] for n in self.kept]
        homes = {self.excerpts[n].id: self.cited[n] for n in reversed(self.kept)}
        narrower = attributor.attribute(self._alone(), inside, granularity, k)
        self.offered = tuple(self._moved(citation, homes[citation.document_id]) for citation in narrower)

    def settle(self, verdict: Verdict | None) -> None:
        """Use the narrower evidence if it also supports the statement."""
        if verdict is not None and not _unjudged(verdict) and _RANK[verdict.label] >= _RANK[self.label]:
            self.result = self.offered

    def _alone(self) -> Draft:
        """This part, read with its statement and without the rest of the answer."""
        start, end = statement_around(self.draft, self.span)
        target = Span(self.span.start - start, self.span.end - start)
        text = self.draft.text[start:end]
        return replace(self.draft, text=text, statements=(Span(0, end - start),), targets=(target,), sources=())

    def _moved(self, narrower: Citation, source: Citation) -> Citation:
        """A citation inside an excerpt as a citation of the document."""
        home = self.homes[source.document_id]
        at = Span(narrower.start + source.start, narrower.end + source.start)
        inside = home.segment_at(at.start, "sentence")
        return home.cite(
            at, inside.id, self.span, granularity=narrower.granularity, score=source.score, method=source.method
        )

    def _drop(self, numbers: Sequence[int], done: str) -> None:
        for n in numbers:
            if n not in self.kept:
                partly = "fully " if self.label == "partially_supported" else ""
                self._tell(n, f"does not {partly}support it: {done}")

    def _tell(self, number: int, what: str) -> None:
        statement = shorten(" ".join(self.draft.text[self.span.start : self.span.end].split()), 80)
        self.warnings.append(f"the reply cites {self.cited[number].segment_id} for “{statement}”, which {what}")


def excerpt(document: Document, citation: Citation) -> Document:
    """A cited segment as a document of its own, for an attributor to read alone; of the same kind of block."""

    def build() -> Document:
        text = document.text[citation.start : citation.end]
        segments = document.segments("paragraph" if citation.granularity == "paragraph" else "sentence")
        kinds: Iterator[BlockKind] = (segment.kind for segment in segments if segment.id == citation.segment_id)
        return Document(text, blocks=(Block(0, len(text), next(kinds, "paragraph")),))

    return document.memo(("excerpt", citation.start, citation.end), build)
