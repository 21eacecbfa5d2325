"""LongBench-Cite: questions over long texts in English and Chinese, answered with citations of sentences.

Source: Zhang et al. 2024 (LongCite). `LongBench-Cite.json` is a list of `idx`, `dataset`, `query`, `context`, `answer`.
Recall of an answer: the mean over its statements of 1, 1/2 or 0 where all that is cited supports them wholly, in part
or not, and of 1 for a statement that cites nothing and needs nothing. Precision: the share of its citations that
support their statement at least in part. A citation is a run of neighbouring sentences; its length is counted in
tokens. The figures are means over the five sets; the length is a mean over all citations. The paper's judge is GPT-4o,
ours the checker; whether a statement without citations needs any is told by rules (`citewell.text.claims`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.pipeline.approaches import Retrieval
from citewell.text.claims import makes_claim
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.items import Item, QuestionItem, Reference
from citewell_lab.bench.kinds.base import Scores, mean
from citewell_lab.bench.kinds.cited import CitedAnswers, Judges, Statement, judged, shown, token_count
from citewell_lab.bench.metrics.declared import (
    CITATION_F1,
    CITATION_LENGTH,
    CITATION_PRECISION,
    CITATION_RECALL,
    Metric,
)
from citewell_lab.bench.records import AnswerRecord

_SUPPORT = {"supported": 1.0, "partially_supported": 0.5}
_CITED = (CITATION_RECALL, CITATION_PRECISION, CITATION_F1)


@dataclass(frozen=True, kw_only=True)
class LongAnswers(CitedAnswers):
    """Answers with citations of sentences, judged in three grades."""

    main: Metric = CITATION_F1
    metrics: tuple[Metric, ...] = (*_CITED, CITATION_LENGTH)
    headline: tuple[Metric, ...] = _CITED

    def figures(
        self,
        item: QuestionItem,
        text: str,  # noqa: ARG002  (the statements are it)
        statements: Sequence[Statement],
        judges: Judges,
    ) -> Mapping[str, float | list[float]]:
        """Recall, precision, their F1, and the length of each citation."""
        claims = [(statement.text, runs(item, statement.cited)) for statement in statements]
        verdicts = judged(item, claims, judges.checker)
        recalled = [
            float(not makes_claim(claim)) if verdict is None else _SUPPORT.get(verdict.together.label, 0.0)
            for (claim, _), verdict in zip(claims, verdicts, strict=True)
        ]
        precise = [float(one.label in _SUPPORT) for verdict in verdicts if verdict for one in verdict.alone]
        recall, precision = mean(recalled), mean(precise)
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        lengths = [float(token_count(shown(item, span))) for _, spans in claims for span in spans]
        figures = {str(CITATION_RECALL): recall, str(CITATION_PRECISION): precision, str(CITATION_F1): f1}
        return {**figures, "recalled": recalled, "precise": precise, "lengths": lengths}

    def means(self, records: Sequence[AnswerRecord]) -> dict[str, float]:
        """Means over answers, and the mean length over their citations."""
        lengths = [length for record in records for length in record["lengths"]]
        return {**super().means(records), **({str(CITATION_LENGTH): mean(lengths)} if lengths else {})}

    def score(self, records: Sequence[AnswerRecord]) -> Scores:
        """Means over the sets, each counted once."""
        scores = super().score(records)
        over_sets = {
            str(metric): mean([group[str(metric)] for group in scores.by_group.values()])
            for metric in _CITED
            if scores.by_group
        }
        return replace(scores, metrics={**scores.metrics, **over_sets})


def runs(item: QuestionItem, places: Sequence[int]) -> list[Span]:
    """The citations of a statement: what neighbouring sentences span."""
    found: list[tuple[int, int]] = []
    for place in sorted(places):
        if found and place == found[-1][1] + 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return [Span(item.segments[first].start, item.segments[last].end) for first, last in found]


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question."""
    return files.listed(paths[0], _item)


def _item(_: str, row: Mapping[str, Any]) -> QuestionItem:
    document = Document.from_text(row["context"])
    segments = tuple(Span(segment.start, segment.end) for segment in document.segments("sentence"))
    name = row["dataset"].removesuffix("_en").removesuffix("_zh")  # one set in two languages
    key = f"{row['dataset']}:{row['idx']}"
    return QuestionItem(key, row["query"], document, segments, (Reference(str(row["answer"])),), name)


TASK = LongAnswers(
    name="longbench-cite",
    summary="answers over long texts, with citations of sentences",
    prompt=str(Path(__file__).with_name("longbench_cite.txt")),
    retrieval=Retrieval(read="bm25", reduce="bm25", attribute="bm25", k=2),  # ours: the paper retrieves nothing
    tables=("longcite-2",),
    data=Dataset("longbench_cite", ("LongBench-Cite.json", "*.json"), _load, splits=False),
)
