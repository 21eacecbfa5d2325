"""Answers with citations: are the statements supported by their citations, and is every citation relevant?

A checker judges. Answers are judged as they were given: what a system withholds has no statement, and counts 0 in all
metrics. Evidence is whole segments: what a citation touches counts as cited.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, cast

from citewell.audit import precision
from citewell.document import Document
from citewell.errors import BackendError
from citewell.protocols import Checker, Pair
from citewell.text.spans import owns
from citewell.types import Answer, Span, Verdict
from citewell_lab.bench.answering import Query, Reply
from citewell_lab.bench.items import Item, QuestionItem
from citewell_lab.bench.kinds.base import DIGITS, Backends, Scores, Task, answered, grouped, noted, positions
from citewell_lab.bench.metrics.answers import NO_ANSWER
from citewell_lab.bench.metrics.declared import means
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import AnswerRecord, Failed

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+|[^\w\s]")


class Statement(NamedTuple):
    """A part of an answer, and the positions of the segments that are cited for it, in the order of the citations."""

    text: str
    cited: tuple[int, ...]


class Judges(NamedTuple):
    """What judges support, and, where it is given, what judges whether a response does what was asked."""

    checker: Checker
    judge: Checker | None = None


@dataclass(frozen=True, kw_only=True)
class CitedAnswers(Task[AnswerRecord]):
    """Answers to questions over one document with segments; a subclass says what is measured of one answer."""

    predicted: ClassVar[tuple[str, ...]] = ("answer", "abstained", "confidence", "claims")
    needs: tuple[str, ...] = ("approach", "checker")

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[AnswerRecord | Failed]:
        """Answers as they come, each judged at once."""
        queries = [(item, Query(item.document, item.prompt_text)) for item in items if isinstance(item, QuestionItem)]
        judges = Judges(backends.check(), backends.judge)
        for item, reply in answered(backends, queries):
            yield noted(self._record(item, reply, judges), reply) if isinstance(reply, Reply) else reply

    def _record(self, item: QuestionItem, reply: Reply, judges: Judges) -> AnswerRecord:
        answer = reply.answer
        statements = [] if answer.abstained else list(self.statements(item, answer))
        text = NO_ANSWER if answer.abstained else answer.text
        return self._rated(item, text, statements, judges, abstained=answer.abstained, confidence=reply.confidence)

    def rescored(self, item: QuestionItem, predicted: Predicted, checker: Checker) -> AnswerRecord:
        """The statements judged again; they are the whole answer."""
        text, abstained = predicted.reply("answer"), predicted.flag("abstained")
        claims = predicted.claims("claims", len(item.segments))
        if abstained and (claims or text != NO_ANSWER):
            raise predicted.fault("claims", "are there where the system abstains")
        if not abstained and _letters("".join(claim for claim, _ in claims)) != _letters(text):
            raise predicted.fault("claims", "are not the statements of the answer")
        statements = [Statement(claim, tuple(places)) for claim, places in claims]
        confidence = predicted.number("confidence")
        return self._rated(item, text, statements, Judges(checker), abstained=abstained, confidence=confidence)

    def _rated(
        self,
        item: QuestionItem,
        text: str,
        statements: Sequence[Statement],
        judges: Judges,
        *,
        abstained: bool,
        confidence: float,
    ) -> AnswerRecord:
        given = "" if abstained else text
        figures = {
            name: [round(part, DIGITS) for part in value] if isinstance(value, list) else round(value, DIGITS)
            for name, value in self.figures(item, given, statements, judges).items()
        }
        record = {
            "id": item.id,
            "group": item.group,
            "answer": text,
            "abstained": abstained,
            "confidence": round(confidence, DIGITS),
            "references": [reference.text for reference in item.references],
            "claims": [(statement.text, list(statement.cited)) for statement in statements],
            "evidence": sorted({place for statement in statements for place in statement.cited}),
            **figures,
            "value": figures[str(self.main)],
        }
        return cast("AnswerRecord", record)

    def statements(self, item: QuestionItem, answer: Answer) -> Iterator[Statement]:
        """What is judged one by one: the sentences of the answer."""
        for statement in answer.statements:
            yield cited_for(item, answer, Span(statement.start, statement.end))

    @abstractmethod
    def figures(
        self, item: QuestionItem, text: str, statements: Sequence[Statement], judges: Judges
    ) -> Mapping[str, float | list[float]]:
        """The metrics of one answer by their names, the main one among them; `text` is empty where it is withheld."""

    def means(self, records: Sequence[AnswerRecord]) -> dict[str, float]:
        """The metrics of some answers: means over them."""
        return means(self.metrics, records)

    def score(self, records: Sequence[AnswerRecord]) -> Scores:
        """Means over answers; groups are those of the items."""
        if not records:
            return Scores({})
        groups = {name: {"n": len(rows), **self.means(rows)} for name, rows in grouped(records).items() if name}
        return Scores(self.means(records), groups, sum(record["abstained"] for record in records))


def cited_for(item: QuestionItem, answer: Answer, span: Span) -> Statement:
    """A part of an answer with what is cited in it."""
    citations = [citation for citation in answer.citations if owns(span, citation.answer_start)]
    return Statement(answer.text[span.start : span.end], tuple(positions(item.segments, citations)))


def checked(checker: Checker, pairs: Sequence[Pair]) -> Sequence[Verdict]:
    """The verdicts on some pairs.

    Raises:
        BackendError: the checker failed on one.
    """
    verdicts = checker.check(pairs) if pairs else []
    broken = next((verdict.failed for verdict in verdicts if verdict.failed), None)
    if broken:
        raise BackendError(f"the checker failed: {broken}")
    return verdicts


def judged(
    item: QuestionItem, statements: Sequence[tuple[str, Sequence[Span]]], checker: Checker
) -> list[precision.Judged | None]:
    """Statements judged with all that is cited for them and with each citation; None for one without citations."""
    cited = [
        precision.Cited(text, tuple(precision.Evidence((Document.from_text(shown(item, span)),)) for span in spans))
        for text, spans in statements
        if spans
    ]
    verdicts = iter(precision.judged(cited, lambda pairs: checked(checker, pairs)))
    return [next(verdicts) if spans else None for _, spans in statements]


def shown(item: QuestionItem, span: Span) -> str:
    """The words of a place in the item's document."""
    return item.document.text[span.start : span.end]


def token_count(text: str) -> int:
    """How many words and single other marks a text has; every Chinese or Japanese character is a word."""
    return len(_TOKEN.findall(text))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
