"""Questions and summaries: the quality of the answer and of its evidence, and abstention.

Answers are compared by token F1 with each annotator's; an abstention counts as the answer "unanswerable". Where data
sets want phrases, the short answer of a system that has one is compared; what is cited, and what a checker judges, is
the whole answer. A system's evidence is the segments that its citations touch. Attributability (LAB, section 4.2.2) is
the share of an answer's statements that a checker finds supported by what was cited for them, a mean over the answers
that were given: an answer to a question is one statement, a summary one for each sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from citewell.document import Document
from citewell.protocols import Checker, Pair
from citewell.text.spans import Ranged, owns
from citewell.types import Answer, Citation, Span
from citewell_lab.bench.answering import Query, Reply
from citewell_lab.bench.items import Item, QuestionItem
from citewell_lab.bench.kinds.base import (
    DIGITS,
    Backends,
    Scores,
    Task,
    answered,
    grouped,
    mean,
    noted,
    positions,
    verdicts,
)
from citewell_lab.bench.metrics import risk
from citewell_lab.bench.metrics.answers import NO_ANSWER, best_f1, exact_match, rouge_l, unanswerable, unanswerable_f1
from citewell_lab.bench.metrics.declared import (
    ANSWER_F1,
    ATTRIBUTABILITY,
    AURC,
    EVIDENCE_F1,
    EXACT_MATCH,
    RISK,
    ROUGE_L,
    UNANSWERABLE_F1,
    Metric,
    means,
)
from citewell_lab.bench.metrics.evidence import best_set_f1
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import AnswerRecord, Failed

_COVERAGES = (0.25, 0.5, 0.75, 1.0)


class _Response(NamedTuple):
    """What a system answers: the text that is compared, whether it abstains, how sure it is, what it cites."""

    text: str
    abstained: bool
    confidence: float
    evidence: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class Questions(Task[AnswerRecord]):
    """Questions over one document; attributability is measured where a checker is needed.

    Attributes:
        curve: whether risk is measured over coverage.
        short: whether the answers of the data are phrases, so that the short answer counts where there is one.
    """

    predicted: ClassVar[tuple[str, ...]] = ("answer", "abstained", "confidence", "evidence", "claims", "withheld")
    needs: tuple[str, ...] = ("approach", "checker")
    main: Metric = ANSWER_F1
    metrics: tuple[Metric, ...] = (
        ANSWER_F1, EXACT_MATCH, ATTRIBUTABILITY, EVIDENCE_F1, UNANSWERABLE_F1, AURC, RISK,
    )  # fmt: skip
    headline: tuple[Metric, ...] = (ANSWER_F1, ATTRIBUTABILITY, UNANSWERABLE_F1)
    quality: tuple[Metric, Metric] | None = (ANSWER_F1, ATTRIBUTABILITY)
    curve: bool = False
    short: bool = False

    @property
    def checked(self) -> bool:
        """Whether attributability is measured."""
        return "checker" in self.needs

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[AnswerRecord | Failed]:
        """Answers as they come; attributability of the whole batch at once, where the records wait for it."""
        questions = [item for item in items if isinstance(item, QuestionItem)]
        waiting: list[tuple[AnswerRecord | Failed, list[int | None] | None]] = []
        pairs: list[Pair] = []
        for item, reply in answered(backends, [(item, Query(item.document, item.prompt_text)) for item in questions]):
            record = reply if isinstance(reply, dict) else noted(self._record(item, reply), reply)
            if not self.checked:
                yield record
                continue
            places: list[int | None] | None = None  # of each statement's verdict, None for one without evidence
            if isinstance(reply, Reply) and not reply.answer.abstained:
                places = []
                claims: list[tuple[str, list[int]]] = []
                for claim, cited in self._claims(item, reply.answer, backends):
                    evidence = evidence_of(item.document, cited)
                    claims.append((claim, sorted(positions(item.segments, cited))))
                    places.append(None if evidence is None else len(pairs))
                    if evidence is not None:
                        pairs.append(Pair(claim, (evidence,)))
                if "failed" not in record:
                    record["claims"] = claims
            waiting.append((record, places))
        judged = verdicts(backends, pairs) if pairs else []
        for record, places in waiting:
            judgements = [None if place is None else judged[place] for place in places or ()]
            broken = next((verdict.failed for verdict in judgements if verdict and verdict.failed), None)
            if broken:
                yield {"id": record["id"], "group": record["group"], "failed": broken}
                continue
            if places is not None and "failed" not in record:
                record["attributable"] = [
                    int(verdict is not None and verdict.label == "supported") for verdict in judgements
                ]
                record["support"] = [round(verdict.score, DIGITS) if verdict else 0.0 for verdict in judgements]
            yield record

    def _record(self, item: QuestionItem, reply: Reply) -> AnswerRecord:
        answer, marked = reply.answer, _marked(item)
        evidence = frozenset(() if answer.abstained else positions(item.segments, answer.citations))
        withheld = reply.withheld if self.curve and reply.withheld and not reply.withheld.abstained else None
        record = self._scored(
            item,
            _Response(self._answer_text(answer), answer.abstained, reply.confidence, evidence),
            self._answer_text(withheld) if withheld else None,
        )
        if self.curve and marked:
            statement_answer = reply.withheld or answer
            wrong = record["unanswerable"] or statement_answer.abstained
            cited = frozenset(positions(item.segments, statement_answer.citations))
            record["holds"] = not wrong and best_set_f1(cited, marked) > 0
        return record

    def rescored(self, item: QuestionItem, predicted: Predicted, checker: Checker) -> AnswerRecord:
        """The answer beside the gold ones, its evidence beside theirs, its statements judged by the checker."""
        size, abstained = len(item.segments), predicted.flag("abstained")
        answer = predicted.reply("answer")
        if abstained and answer != NO_ANSWER:
            raise predicted.fault("answer", f"is {answer[:20]!r} where the system abstains")
        evidence = frozenset(predicted.places("evidence", size) if _marked(item) else ())
        if abstained and evidence:
            raise predicted.fault("evidence", "is cited where the system abstains")
        withheld = predicted.text("withheld") if "withheld" in predicted else None
        response = _Response(answer, abstained, predicted.number("confidence"), evidence)
        record = self._scored(item, response, withheld)
        if self.checked and not abstained:
            claims = self._stated(item, predicted.claims("claims", size), predicted)
            pairs = [
                Pair(claim, (shown,))
                for claim, places in claims
                if (shown := evidence_of(item.document, [item.segments[place] for place in places])) is not None
            ]
            verdicts_of_pairs = iter(checker.check(pairs) if pairs else [])
            record["attributable"] = [
                int(bool(places) and next(verdicts_of_pairs).label == "supported") for _, places in claims
            ]
        return record

    def _stated(
        self, item: QuestionItem, claims: Sequence[tuple[str, list[int]]], predicted: Predicted
    ) -> list[tuple[str, list[int]]]:
        """The claims as a board judges them: an answer is one, in the words that a checker of words reads."""
        if len(claims) != 1:
            raise predicted.fault("claims", "are not one, the answer")
        return [(claim_of(item.question, predicted.text("answer"), framed=False), claims[0][1])]

    def _scored(self, item: QuestionItem, response: _Response, withheld: str | None) -> AnswerRecord:
        gold, marked = [reference.text for reference in item.references], _marked(item)
        record: AnswerRecord = {
            "id": item.id,
            "group": item.group,
            "answer": response.text,
            "abstained": response.abstained,
            "confidence": round(response.confidence, DIGITS),
        }
        value = self._rate(record, item, gold)
        if marked:
            record["evidence"] = sorted(response.evidence)
            record["evidence_f1"] = round(best_set_f1(response.evidence, marked), DIGITS)
        if self.curve:
            if withheld is not None:
                record["withheld"] = withheld
            wrong = record["unanswerable"] or (response.abstained and withheld is None)
            text = response.text if withheld is None else withheld
            record["loss"] = 1.0 if wrong else round(1 - best_f1(text, gold), DIGITS)
        record["value"] = value
        return record

    def _answer_text(self, answer: Answer) -> str:
        """What is compared with the gold answers."""
        if answer.abstained:
            return NO_ANSWER
        return answer.value.text if self.short and answer.value else answer.text

    def _rate(self, record: AnswerRecord, item: QuestionItem, gold: Sequence[str]) -> float:
        """Note how good the answer is beside the gold answers."""
        record["references"] = list(dict.fromkeys(gold))
        record["unanswerable"] = unanswerable([reference.unanswerable for reference in item.references])
        record["answer_f1"] = round(best_f1(record["answer"], gold), DIGITS)
        if self.short:
            record["exact_match"] = exact_match(record["answer"], gold)
        return record["answer_f1"]

    def _claims(self, item: QuestionItem, answer: Answer, backends: Backends) -> Iterator[tuple[str, list[Citation]]]:
        """The answer as claims, and what was cited for each."""
        claim = claim_of(item.question, answer.text, framed=backends.framed)
        yield claim, _citing(answer, Span(0, len(answer.text)))

    def score(self, records: Sequence[AnswerRecord]) -> Scores:
        """Means over items; groups are answerable and unanswerable questions."""
        if not records:
            return Scores({})
        metrics, notes = self._figures(records), list[str]()
        metrics[str(UNANSWERABLE_F1)], gold = _declining(records), [record["unanswerable"] for record in records]
        if len(set(gold)) == 1:
            notes.append(f"all questions are {'un' * gold[0]}answerable: unanswerable_f1 says little")
        groups: dict[str, dict[str, Any]] = {}
        for name, rows in grouped(records).items():
            abstained_share = mean([float(row["abstained"]) for row in rows])
            groups[name] = {"n": len(rows), **self._figures(rows), "abstained": abstained_share}
        curves = {}
        if self.curve and all("loss" in record for record in records):  # a run of QASPER's may be older than its curve
            points = risk.curve([record["confidence"] for record in records], [record["loss"] for record in records])
            metrics[str(AURC)] = risk.aurc(points)
            metrics |= {str(RISK(coverage)): risk.at(points, coverage) for coverage in _COVERAGES}
            curves = {"risk@coverage": [(round(x, DIGITS), round(y, DIGITS)) for x, y in points]}
        return Scores(metrics, groups, _withheld(records), self._unscored(metrics), notes=tuple(notes), curves=curves)

    def _figures(self, records: Sequence[AnswerRecord]) -> dict[str, float]:
        """Means over items; of a group they say nothing about declining."""
        judged = [mean(record["attributable"]) for record in records if record.get("attributable")]
        attributable = {str(ATTRIBUTABILITY): mean(judged)} if self.checked and judged else {}
        return {**means((self.main, EXACT_MATCH), records), **attributable, **means((EVIDENCE_F1,), records)}

    def _unscored(self, metrics: Mapping[str, float]) -> dict[str, str]:
        missing = {}
        if str(EVIDENCE_F1) not in metrics:
            missing[str(EVIDENCE_F1)] = "the data marks no evidence"
        if self.checked and str(ATTRIBUTABILITY) not in metrics:
            missing[str(ATTRIBUTABILITY)] = "no answer was given"
        return missing


@dataclass(frozen=True, kw_only=True)
class Summaries(Questions):
    """Summaries of one document; without a language model, its first sentences."""

    packages: ClassVar[Mapping[str, str]] = {"rouge_score": "rouge-score"}
    main: Metric = ROUGE_L
    metrics: tuple[Metric, ...] = (ROUGE_L, ATTRIBUTABILITY, EVIDENCE_F1)
    headline: tuple[Metric, ...] = (ROUGE_L, ATTRIBUTABILITY)
    quality: tuple[Metric, Metric] | None = (ROUGE_L, ATTRIBUTABILITY)
    reader: str = "lead"

    def _stated(
        self,
        item: QuestionItem,  # noqa: ARG002  (as above)
        claims: Sequence[tuple[str, list[int]]],
        predicted: Predicted,
    ) -> list[tuple[str, list[int]]]:
        """The statements, which are the whole summary."""
        if _letters("".join(claim for claim, _ in claims)) != _letters(predicted.text("answer")):
            raise predicted.fault("claims", "are not the statements of the summary")
        return list(claims)

    def _rate(self, record: AnswerRecord, item: QuestionItem, gold: Sequence[str]) -> float:  # noqa: ARG002  (as above)
        record["rouge_l"] = round(max(rouge_l(record["answer"], summary) for summary in gold), DIGITS)
        return record["rouge_l"]

    def _claims(self, item: QuestionItem, answer: Answer, backends: Backends) -> Iterator[tuple[str, list[Citation]]]:  # noqa: ARG002  (as above)
        for statement in answer.statements:
            span = Span(statement.start, statement.end)
            yield answer.text[span.start : span.end], _citing(answer, span)

    def score(self, records: Sequence[AnswerRecord]) -> Scores:
        """Means over items."""
        if not records:
            return Scores({})
        metrics = self._figures(records)
        return Scores(metrics, {}, _withheld(records), self._unscored(metrics))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _marked(item: QuestionItem) -> list[frozenset[int]]:
    """The evidence of each annotator who marked some."""
    return [reference.evidence for reference in item.references if reference.evidence is not None]


def _citing(answer: Answer, span: Span) -> list[Citation]:
    """The citations that begin in a part of the answer."""
    return [citation for citation in answer.citations if owns(span, citation.answer_start)]


def _withheld(records: Sequence[AnswerRecord]) -> int:
    return sum(record["abstained"] for record in records)


def _declining(records: Sequence[AnswerRecord]) -> float:
    return unanswerable_f1([record["unanswerable"] for record in records], [record["abstained"] for record in records])


def claim_of(question: str, answer: str, *, framed: bool) -> str:
    """Question and answer as one claim (LAB, appendix D and table 16).

    Models read a sentence. A checker of words gets question and answer alone: no evidence has the words of the frame.
    """
    return f'The answer to the question "{question}" is "{answer}"' if framed else f"{question} {answer}"


def evidence_of(document: Document, cited: Sequence[Ranged]) -> Document | None:
    """What was cited, in the order of the document, a line each, the title first (LAB, appendix D.2)."""
    if not cited:
        return None
    texts = [document.text[start:end] for start, end in sorted({(part.start, part.end) for part in cited})]
    return Document.from_text("\n".join([document.title, *texts] if document.title else texts))
