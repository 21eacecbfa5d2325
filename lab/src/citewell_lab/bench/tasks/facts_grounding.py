"""FACTS Grounding, the public examples: are long responses wholly grounded in their document? Jacovi et al. 2025.

`examples.csv` has `system_instruction`, `user_request`, `context_document`, `full_prompt`. A response is grounded where
the checker finds each of its statements that claims anything supported by the document. It is eligible where the judge
(`--judge`, any checker) finds by the response alone that it does what was asked; without a judge every response that
is given is. The figure of the leaderboard is the share that is both. Its judges are three large models, whose figures
are averaged: ours compare with each other only.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from citewell.document import Document
from citewell.errors import InputError
from citewell.pipeline.approaches import Retrieval
from citewell.protocols import Pair
from citewell.text.claims import makes_claim
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.items import Item, QuestionItem
from citewell_lab.bench.kinds.base import Scores
from citewell_lab.bench.kinds.cited import CitedAnswers, Judges, Statement, checked
from citewell_lab.bench.metrics.declared import ELIGIBLE, FACTUALITY, GROUNDED, Metric
from citewell_lab.bench.records import AnswerRecord

_LONGEST = 2**24  # characters of a cell: documents have up to 32,000 tokens


@dataclass(frozen=True, kw_only=True)
class Grounded(CitedAnswers):
    """Responses that are grounded as a whole, and that do what was asked."""

    takes_judge: bool = True
    main: Metric = FACTUALITY
    metrics: tuple[Metric, ...] = (FACTUALITY, GROUNDED, ELIGIBLE)
    headline: tuple[Metric, ...] = (FACTUALITY, GROUNDED)

    def figures(
        self, item: QuestionItem, text: str, statements: Sequence[Statement], judges: Judges
    ) -> Mapping[str, float | list[float]]:
        """Whether the response is grounded, eligible, and both; nothing that is withheld is."""
        if not text:
            return {str(metric): 0.0 for metric in self.metrics}
        claims = [statement.text for statement in statements if makes_claim(statement.text)]
        verdicts = checked(judges.checker, [Pair(claim, (item.document,)) for claim in claims])
        recalled = [float(verdict.label == "supported") for verdict in verdicts]
        grounded, eligible = float(all(recalled)), 1.0
        details: dict[str, float | list[float]] = {"recalled": recalled}
        if judges.judge is not None:
            asked = Pair(f"This response does what was asked: {item.question}", (Document.from_text(text),))
            (verdict,) = checked(judges.judge, [asked])
            eligible = float(verdict.label == "supported")
            details["judged"] = 1.0
        return {str(FACTUALITY): grounded * eligible, str(GROUNDED): grounded, str(ELIGIBLE): eligible, **details}

    def score(self, records: Sequence[AnswerRecord]) -> Scores:
        """Shares of all responses."""
        scores = super().score(records)
        if any("judged" in record for record in records) or not records:
            return scores
        return replace(scores, notes=("no judge: every response that was given counts as eligible",))


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item an example."""
    csv.field_size_limit(_LONGEST)
    with files.opened(paths[0]) as table:
        try:
            for number, row in enumerate(csv.DictReader(table, strict=True)):
                yield files.attempt(f"{files.stem(paths[0])}:{number}", _item, row)
        except csv.Error as error:
            raise InputError(f"{paths[0]} cannot be read: {error}") from error


def _item(key: str, row: Mapping[str, str]) -> QuestionItem:
    document = Document.from_text(row["context_document"])
    segments = tuple(Span(segment.start, segment.end) for segment in document.segments("paragraph"))
    asked = "\n\n".join(part for part in (row["system_instruction"].strip(), row["user_request"].strip()) if part)
    return QuestionItem(key, asked, document, segments, ())


TASK = Grounded(
    name="facts-grounding",
    summary="are long responses wholly grounded in their document",
    prompt=str(Path(__file__).with_name("facts_grounding.txt")),
    retrieval=Retrieval(read="bm25", reduce="bm25", attribute="bm25", k=2),  # ours: the benchmark retrieves nothing
    tables=("facts-grounding",),
    data=Dataset("facts_grounding", ("examples.csv",), _load, splits=False),
)
