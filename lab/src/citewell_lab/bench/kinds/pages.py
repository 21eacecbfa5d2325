"""Questions over a file with pages: do the citations lead to the pages and words of the evidence?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell.errors import BackendError
from citewell.protocols import Checker
from citewell_lab.bench.answering import Query, Reply
from citewell_lab.bench.items import Item, PageItem
from citewell_lab.bench.kinds.base import DIGITS, Backends, Scores, Task, answered, grouped, noted
from citewell_lab.bench.metrics.answers import NO_ANSWER, page_recall, token_recall
from citewell_lab.bench.metrics.declared import EVIDENCE_TOKEN_RECALL, PAGE_RECALL, Metric, means
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import Failed, PageRecord

_RECALLS = (PAGE_RECALL(1), PAGE_RECALL(5), EVIDENCE_TOKEN_RECALL(5))


@dataclass(frozen=True, kw_only=True)
class Pages(Task[PageRecord]):
    """Pages and words of the evidence, from citations ranked by how sure the system is of them."""

    predicted: ClassVar[tuple[str, ...]] = ("answer", "abstained", "confidence", "spans")
    needs: tuple[str, ...] = ("approach",)
    main: Metric = _RECALLS[1]
    metrics: tuple[Metric, ...] = (PAGE_RECALL, EVIDENCE_TOKEN_RECALL)
    headline: tuple[Metric, ...] = _RECALLS[:2]

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[PageRecord | Failed]:
        """The evidence that each answer was weighed by, best first, also where it is withheld."""
        queries = [(item, Query(item.document, item.question)) for item in items if isinstance(item, PageItem)]
        for item, reply in answered(backends, queries):
            yield reply if isinstance(reply, dict) else noted(self._record(item, reply), reply)

    def _record(self, item: PageItem, reply: Reply) -> PageRecord:
        ranked = sorted(reply.ranked, key=lambda citation: -(citation.score or 0.0))
        answer = NO_ANSWER if reply.answer.abstained else reply.answer.text
        spans = [(citation.start, citation.end) for citation in ranked]
        return self._scored(item, answer, spans, abstained=reply.answer.abstained, confidence=reply.confidence)

    def rescored(self, item: PageItem, predicted: Predicted, checker: Checker) -> PageRecord:  # noqa: ARG002
        """The pages and words of the ranges that were cited."""
        answer, spans = predicted.reply("answer"), predicted.spans("spans", len(item.document.text))
        abstained, confidence = predicted.flag("abstained"), predicted.number("confidence")
        return self._scored(item, answer, spans, abstained=abstained, confidence=confidence)

    def _scored(
        self, item: PageItem, answer: str, spans: Sequence[tuple[int, int]], *, abstained: bool, confidence: float
    ) -> PageRecord:
        pages = [page for start, _ in spans if (page := item.document.page_at(start)) is not None]
        if spans and not pages:
            raise BackendError("the document has no pages")
        tokens = token_recall([item.document.text[start:end] for start, end in spans[:5]], item.evidence)
        return {
            "id": item.id,
            "group": item.group,
            "answer": answer,
            "abstained": abstained,
            "confidence": round(confidence, DIGITS),
            "spans": list(spans),
            "reference": item.answer,
            "pages": list(dict.fromkeys(pages)),
            "gold_pages": sorted(item.pages),
            "page_recall@1": page_recall(pages, item.pages, 1),
            "page_recall@5": page_recall(pages, item.pages, 5),
            "evidence_token_recall@5": round(tokens, DIGITS),
            "value": page_recall(pages, item.pages, 5),
        }

    def score(self, records: Sequence[PageRecord]) -> Scores:
        """Means over questions; groups are the kinds of questions."""
        groups = {name: {"n": len(rows), **means(_RECALLS, rows)} for name, rows in grouped(records).items()}
        return Scores(means(_RECALLS, records), groups, sum(record["abstained"] for record in records))
