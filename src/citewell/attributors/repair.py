"""Citations that a model made, verified and repaired: what does not support its words is replaced or dropped.

repair(draft, documents, attributor, checker)

Each cited segment is judged alone and all of a part together; one that supports is narrowed to the sentences that do;
one that does not is replaced by better evidence from anywhere in the documents, else dropped. What was changed is told.
So models that cite badly give usable citations without their cooperation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from citewell import notes
from citewell.attributors.targets import claim, statement_around
from citewell.document import Document
from citewell.protocols import Attributor, Checker, Pair
from citewell.types import Block, BlockKind, Citation, Draft, Granularity, Label, Segment, Span, Verdict

_RANK: dict[Label, int] = {
    "contradicted": 0,
    "not_supported": 0,
    "partially_supported": 1,
    "no_claim": 1,
    "unverified": 1,
    "supported": 2,
    "quoted": 2,
}


def repair(
    draft: Draft,
    documents: Sequence[Document],
    attributor: Attributor,
    checker: Checker,
    granularity: Granularity = "sentence",
    k: int | None = None,
) -> tuple[Citation, ...]:
    """The sources of a draft, verified and repaired, in the order of the answer; what was changed is noted.

    Args:
        draft: with `sources`.
        documents: the sources' documents.
        attributor: narrows and replaces.
        checker: judges.
        granularity: what citations are narrowed to.
        k: the most citations a part of a statement.
    """
    parts = [_Part(draft, Span(*span), documents) for span in _spans(draft.sources)]
    asked = [pair for part in parts for pair in part.pairs()]
    verdicts = iter(checker.check(asked) if asked else [])
    for part in parts:
        part.judge([next(verdicts) for _ in part.pairs()])
    weak = [part for part in parts if part.label != "supported"]
    for part in weak:
        part.offered = attributor.attribute(part.rest(), documents, granularity, k)
    for part, verdict in _judged(weak, checker):
        part.replace(verdict)
    whole = [part for part in parts if part.kept and part.coarser(granularity)]
    for part in whole:
        part.narrow(attributor, granularity, k)
    for part, verdict in _judged(whole, checker):
        part.settle(verdict)
    for part in parts:
        for warning in part.warnings:
            notes.warn(warning)
    return tuple(dict.fromkeys(one for part in parts for one in part.result))


def _spans(sources: Iterable[Citation]) -> list[tuple[int, int]]:
    return sorted({(one.answer_start, one.answer_end) for one in sources})


def _judged(parts: Sequence[_Part], checker: Checker) -> Iterator[tuple[_Part, Verdict | None]]:
    """Each part with the verdict on what it is offered, None where that is nothing."""
    offers = [part.offer() for part in parts if part.offered]
    verdicts = iter(checker.check(offers) if offers else [])
    return ((part, next(verdicts) if part.offered else None) for part in parts)


class _Part:
    """A part of the answer with the citations that the model gave it."""

    def __init__(self, draft: Draft, span: Span, documents: Sequence[Document]) -> None:
        self.draft, self.span, self.documents = draft, span, documents
        self.claim = claim(draft, span)
        own = (one for one in draft.sources if (one.answer_start, one.answer_end) == span)
        self.cited = tuple({(one.document_id, one.start, one.end): one for one in own}.values())
        self.excerpts = [excerpt(self._home(one), one) for one in self.cited]
        self.kept: list[int] = []
        self.offered: tuple[Citation, ...] = ()
        self.result: tuple[Citation, ...] = ()
        self.warnings: list[str] = []
        self.label: Label = "not_supported"

    def pairs(self) -> list[Pair]:
        """Each cited segment alone, then all together where they are several."""
        alone = [Pair(self.claim, (one,)) for one in self.excerpts]
        return [*alone, Pair(self.claim, tuple(self.excerpts))] if len(alone) > 1 else alone

    def judge(self, verdicts: Sequence[Verdict]) -> None:
        """Keep what supports alone; keep all where only all of them together support."""
        alone, together = verdicts[: len(self.cited)], verdicts[-1]
        self.kept = [n for n, one in enumerate(alone) if _RANK[one.label]]
        full = any(alone[n].label == "supported" for n in self.kept)
        if together.label == "supported" and not full:
            self.kept = list(range(len(self.cited)))
        self.label = "supported" if full else together.label
        scores = [max(alone[n].score, together.score if not full else 0.0) for n in range(len(self.cited))]
        self.cited = tuple(replace(one, score=score) for one, score in zip(self.cited, scores, strict=True))
        self.result = tuple(self.cited[n] for n in self.kept)
        if self.kept:
            for n in range(len(self.cited)):
                if n not in self.kept:
                    self._tell(n, "it was left out")

    def rest(self) -> Draft:
        """What better evidence is looked for: this part, read with its statement."""
        around = statement_around(self.draft, self.span)
        return replace(self.draft, statements=(around,), targets=(self.span,), sources=())

    def offer(self) -> Pair:
        """What is offered, to be judged."""
        return Pair(self.claim, tuple(excerpt(self._home(one), one) for one in self.offered))

    def replace(self, verdict: Verdict | None) -> None:
        """Take evidence from elsewhere where it supports better than what the model cited."""
        better = verdict is not None and _RANK[verdict.label] > (_RANK[self.label] if self.kept else 0)
        if verdict is not None and better:
            told = range(len(self.cited)) if not self.kept else self.kept
            names = ", ".join(dict.fromkeys(one.segment_id for one in self.offered))
            for n in told:
                self._tell(n, f"replaced by {names}")
            self.result, self.kept = tuple(replace(one, score=verdict.score) for one in self.offered), []
        elif not self.kept:
            for n in range(len(self.cited)):
                self._tell(n, "it was left out")

    def coarser(self, granularity: Granularity) -> bool:
        """Whether what is kept can be narrowed to the wanted granularity."""
        return granularity != "paragraph" and any(one.granularity != granularity for one in self.result)

    def narrow(self, attributor: Attributor, granularity: Granularity, k: int | None) -> None:
        """Offer the sentences inside the kept segments in their place."""
        inside = [self.excerpts[n] for n in self.kept]
        homes = {self.excerpts[n].id: self.cited[n] for n in reversed(self.kept)}
        found = attributor.attribute(self.rest(), inside, granularity, k)
        self.offered = tuple(self._moved(one, homes[one.document_id]) for one in found)

    def settle(self, verdict: Verdict | None) -> None:
        """Take the narrower evidence where it supports as well."""
        if verdict is not None and _RANK[verdict.label] >= _RANK[self.label]:
            self.result = self.offered

    def _home(self, citation: Citation) -> Document:
        return next(one for one in self.documents if one.id == citation.document_id)

    def _moved(self, found: Citation, source: Citation) -> Citation:
        """A citation inside an excerpt as one of the document."""
        home = self._home(source)
        start, end = found.start + source.start, found.end + source.start
        inside = home.segment_at(start, "sentence")
        return home.cite(
            Span(start, end),
            inside.id,
            self.span,
            granularity=found.granularity,
            score=source.score,
            method=source.method,
        )

    def _tell(self, number: int, done: str) -> None:
        one, said = self.cited[number], " ".join(self.draft.text[self.span.start : self.span.end].split())
        shown = said if len(said) <= 80 else said[:79] + "…"
        fails = "does not fully support it" if number in self.kept else "does not support it"
        self.warnings.append(f"the reply cites {one.segment_id} for “{shown}”, which {fails}: {done}")


def excerpt(document: Document, citation: Citation) -> Document:
    """A cited segment as a document of its own, of the same kind of block, so that its sentences are the document's."""

    def build() -> Document:
        text = document.text[citation.start : citation.end]
        kind: BlockKind = next(
            (one.kind for one in _segments(document, citation) if one.id == citation.segment_id), "paragraph"
        )
        return Document(text, blocks=(Block(0, len(text), kind),))

    return document.memo(("excerpt", citation.start, citation.end), build)


def _segments(document: Document, citation: Citation) -> tuple[Segment, ...]:
    return document.segments("paragraph" if citation.granularity == "paragraph" else "sentence")
