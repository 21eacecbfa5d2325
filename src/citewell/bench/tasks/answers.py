"""Tasks of questions and summaries: how good the answer is, how good its evidence, and when it is withheld.

Answers are compared by token F1 with each annotator's; an abstention counts as the answer "unanswerable". A system's
evidence is the segments that its citations touch. Attributability (LAB, section 4.2.2) is the share of an answer's
statements that a checker finds supported by what was cited for them, a mean over the answers that were given: an
answer to a question is one statement, a summary one for each sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from citewell.bench.answering import SUMMARY, Reply
from citewell.bench.items import Item, PageItem, QuestionItem
from citewell.bench.metrics import risk
from citewell.bench.metrics.answers import (
    NO_ANSWER,
    best_f1,
    page_recall,
    rouge_l,
    token_recall,
    unanswerable,
    unanswerable_f1,
)
from citewell.bench.metrics.evidence import best_set_f1
from citewell.bench.tasks.base import DIGITS, Backends, Record, Scores, grouped, mean, position, verdicts
from citewell.document import Document
from citewell.errors import BackendError
from citewell.protocols import Pair
from citewell.text.spans import owns
from citewell.types import Answer, Citation, Span

_COVERAGES = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Questions:
    """Questions (or summaries) over one document.

    Attributes:
        checked: whether attributability is measured.
        curve: whether risk is measured over coverage.
        summary_task: whether a summary is asked for.
        paper_checker: the checker that the paper measures attributability with.
    """

    name: str
    summary: str
    checked: bool = False
    curve: bool = False
    summary_task: bool = False
    paper_checker: str = "true"

    @property
    def needs(self) -> tuple[str, ...]:
        """An approach, and a checker where attributability is measured."""
        return ("approach", "checker") if self.checked else ("approach",)

    @property
    def main(self) -> str:
        """Answers."""
        return "rouge_l" if self.summary_task else "answer_f1"

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """Answers as they come; attributability of the whole batch at once, where the records wait for it."""
        found = [item for item in items if isinstance(item, QuestionItem)]
        asked = [(item.document, item.question or SUMMARY) for item in found]
        made: list[Record] = []
        pairs: list[tuple[Record, Pair]] = []
        for item, reply in zip(found, replies(backends, asked), strict=True):
            if isinstance(reply, Exception):
                made.append(failed(item, reply))
                continue
            record = self._record(item, reply)
            made.append(record)
            if self.checked and not reply.answer.abstained:
                record["attributable"] = []
                for claim, evidence in self._claims(item, reply.answer, backends):
                    if evidence is None:
                        record["attributable"].append(None)
                    else:
                        record["attributable"].append(len(pairs))
                        pairs.append((record, Pair(claim, (evidence,))))
            if not self.checked:
                yield record
        if self.checked:
            judged = verdicts(backends, [pair for _, pair in pairs])
            for record in made:
                yield _judged(record, judged)

    def _record(self, item: QuestionItem, reply: Reply) -> Record:
        answer, marked = reply.answer, [one.evidence for one in item.references if one.evidence is not None]
        text = NO_ANSWER if answer.abstained else answer.text
        gold = [one.text for one in item.references]
        record: Record = {
            "id": item.id,
            "group": item.group,
            "answer": text,
            "abstained": answer.abstained,
            "confidence": round(reply.confidence, DIGITS),
        }
        if self.summary_task:
            record["rouge_l"] = round(max(rouge_l(text, one) for one in gold), DIGITS)
        else:
            record["references"] = list(dict.fromkeys(gold))
            record["unanswerable"] = unanswerable([one.unanswerable for one in item.references])
            record["answer_f1"] = round(best_f1(text, gold), DIGITS)
        if marked:
            places = {position(item.segments, one) for one in answer.citations} if not answer.abstained else set()
            evidence = frozenset(one for one in places if one is not None)
            record["evidence"] = sorted(evidence)
            record["evidence_f1"] = round(best_set_f1(evidence, marked), DIGITS)
        if self.curve:
            shown = reply.withheld or answer
            wrong = record["unanswerable"] or shown.abstained
            record["loss"] = 1.0 if wrong else round(1 - best_f1(shown.text, gold), DIGITS)
        return {**record, "value": record[self.main]}

    def _claims(self, item: QuestionItem, answer: Answer, backends: Backends) -> Iterator[tuple[str, Document | None]]:
        """Each statement as a claim, and what was cited for it as one document; None where nothing was."""
        whole = Span(0, len(answer.text))
        spans = [Span(one.start, one.end) for one in answer.statements] if self.summary_task else [whole]
        for span in spans:
            cited = [citation for citation in answer.citations if owns(span, citation.answer_start)]
            text = answer.text[span.start : span.end]
            claim = text if self.summary_task else claim_of(item.question, text, framed=backends.framed)
            yield claim, evidence_of(item.document, cited)

    def score(self, records: Sequence[Record]) -> Scores:
        """Means over items; groups are answerable and unanswerable questions."""
        if not records:
            return Scores({})
        metrics, unscored, notes = self._figures(records), {}, []
        if "evidence_f1" not in metrics:
            unscored["evidence_f1"] = "the data marks no evidence"
        if self.checked and "attributability" not in metrics:
            unscored["attributability"] = "no answer was given"
        groups: dict[str, dict[str, Any]] = {}
        for name, rows in grouped(records).items() if not self.summary_task else ():
            figures = self._figures(rows)
            figures.pop("unanswerable_f1")
            given = mean([float(row["abstained"]) for row in rows])
            groups[name] = {"n": len(rows), **figures, "abstained": given}
        if not self.summary_task:
            gold = [record["unanswerable"] for record in records]
            metrics["unanswerable_f1"] = unanswerable_f1(gold, [record["abstained"] for record in records])
            if len(set(gold)) == 1:
                notes.append(f"all questions are {'un' * gold[0]}answerable: unanswerable_f1 says little")
        curves = {}
        if self.curve:
            points = risk.curve([one["confidence"] for one in records], [one["loss"] for one in records])
            metrics["aurc"] = risk.aurc(points)
            metrics |= {f"risk@{coverage:g}": risk.at(points, coverage) for coverage in _COVERAGES}
            curves = {"risk@coverage": [(round(x, DIGITS), round(y, DIGITS)) for x, y in points]}
        withheld = sum(record["abstained"] for record in records)
        return Scores(metrics, groups, withheld, unscored, notes=tuple(notes), curves=curves)

    def _figures(self, records: Sequence[Record]) -> dict[str, float]:
        figures = {self.main: mean([one[self.main] for one in records])}
        if self.checked:
            judged = [mean(one["attributable"]) for one in records if one.get("attributable")]
            if judged:
                figures["attributability"] = mean(judged)
        marked = [one["evidence_f1"] for one in records if "evidence_f1" in one]
        if marked:
            figures["evidence_f1"] = mean(marked)
        if not self.summary_task:
            gold, given = [one["unanswerable"] for one in records], [one["abstained"] for one in records]
            figures["unanswerable_f1"] = unanswerable_f1(gold, given)
        return figures


def replies(backends: Backends, asked: Sequence[tuple[Document, str]]) -> Iterator[Reply | Exception]:
    """The replies in order; a batch in which nothing works raises, so that the run can see that it is hopeless."""
    held: list[Reply | Exception] = []
    for reply in backends.answer().ask_all(asked):
        held.append(reply)
        if any(isinstance(one, Reply) for one in held):
            yield from held
            held = []
    if held:
        raise held[0]  # type: ignore[misc]  # only exceptions are left


def failed(item: Item, error: Exception) -> Record:
    """The record of an item that broke."""
    text = " ".join(str(error).split())
    return {"id": item.id, "group": item.group, "failed": f"{type(error).__name__}: {text}".removesuffix(": ")}


def _judged(record: Record, judged: Sequence[Any]) -> Record:
    """A record whose statements have their verdicts: 1, or 0 for what is not supported or has no evidence."""
    if "attributable" not in record:
        return record
    own = [None if place is None else judged[place] for place in record["attributable"]]
    broken = next((one.failed for one in own if one is not None and one.failed), None)
    if broken:
        return {"id": record["id"], "group": record["group"], "failed": broken}
    return {**record, "attributable": [int(one is not None and one.label == "supported") for one in own]}


def claim_of(question: str, answer: str, *, framed: bool) -> str:
    """Question and answer as one claim (LAB, appendix D and table 16).

    Models read a sentence. A checker of words gets question and answer alone: no evidence has the words of the frame.
    """
    return f'The answer to the question "{question}" is "{answer}"' if framed else f"{question} {answer}"


def evidence_of(document: Document, citations: Sequence[Citation]) -> Document | None:
    """What was cited, in the order of the document, a line each, the title first (LAB, appendix D.2)."""
    if not citations:
        return None
    cited = dict.fromkeys(sorted((one.start, one.end) for one in citations))
    title = [document.title] if document.title else []
    return Document.from_text("\n".join([*title, *(document.text[a:b] for a, b in cited)]))


@dataclass(frozen=True)
class Pages:
    """Questions over a report: do the citations lead to the pages and words of the evidence?"""

    name: str = "financebench"
    summary: str = "on which pages of a report does the evidence for an answer stand"
    needs: ClassVar[tuple[str, ...]] = ("approach",)
    main: ClassVar[str] = "page_recall@5"

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """The evidence that each answer was weighed by, best first, also where it is withheld."""
        found = [item for item in items if isinstance(item, PageItem)]
        asked = [(item.document, item.question) for item in found]
        for item, reply in zip(found, replies(backends, asked), strict=True):
            yield failed(item, reply) if isinstance(reply, Exception) else self._record(item, reply)

    def _record(self, item: PageItem, reply: Reply) -> Record:
        ranked = sorted(reply.ranked, key=lambda one: -(one.score or 0.0))
        pages = [page for one in ranked if (page := item.document.page_at(one.start)) is not None]
        if ranked and not pages:
            raise BackendError("the document has no pages")
        record: Record = {
            "id": item.id,
            "group": item.group,
            "answer": NO_ANSWER if reply.answer.abstained else reply.answer.text,
            "abstained": reply.answer.abstained,
            "reference": item.answer,
            "pages": list(dict.fromkeys(pages)),
            "gold_pages": sorted(item.pages),
            "page_recall@1": page_recall(pages, item.pages, 1),
            "page_recall@5": page_recall(pages, item.pages, 5),
            "evidence_token_recall@5": round(token_recall([one.quote for one in ranked[:5]], item.evidence), DIGITS),
        }
        return {**record, "value": record[self.main]}

    def score(self, records: Sequence[Record]) -> Scores:
        """Means over questions; groups are the kinds of questions."""
        if not records:
            return Scores({})
        groups = {name: {"n": len(rows), **_means(rows)} for name, rows in grouped(records).items()}
        return Scores(_means(records), groups, sum(record["abstained"] for record in records))


def _means(rows: Sequence[Record]) -> dict[str, float]:
    names = ("page_recall@1", "page_recall@5", "evidence_token_recall@5")
    return {name: mean([row[name] for row in rows]) for name in names}


TASKS = (
    Questions("qasper", "questions over papers, some without an answer", checked=True, paper_checker="minicheck"),
    Questions("natural-questions", "questions over Wikipedia pages, some without an answer", checked=True),
    Questions("govreport", "summaries of government reports", checked=True, summary_task=True),
    Questions("clapnq", "long answers from a passage, or none", curve=True),
    Questions("squad2", "short answers from a passage, or none", curve=True),
    Pages(),
)
