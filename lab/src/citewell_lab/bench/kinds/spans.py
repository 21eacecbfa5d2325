"""Marked spans: which passage was each copied from, and which tokens were copied.

Sub-task 2: `span_accuracy`, the share of marked spans whose predicted passage is the gold one; the attributor gets the
spans as targets, the answer and the question. Sub-task 1: `token_*`, from citations of the granularity `token`, for
which the attributor does not get the spans. Source: Phukan et al. 2024, section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from citewell.errors import InputError, notes
from citewell.protocols import Attributor, Checker, TokenScorer
from citewell.types import Draft, Span
from citewell_lab.bench.items import Item, SpanItem
from citewell_lab.bench.kinds.base import DIGITS, Backends, Scores, Task, by_target, mean, position, told_unread, unread
from citewell_lab.bench.metrics import tokens
from citewell_lab.bench.metrics.declared import (
    MODEL_TOKEN_F1,
    MODEL_TOKEN_PR_AUC,
    MODEL_TOKEN_PRECISION,
    MODEL_TOKEN_RECALL,
    SPAN_ACCURACY,
    TOKEN_F1,
    TOKEN_PR_AUC,
    TOKEN_PRECISION,
    TOKEN_RECALL,
    Metric,
)
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import SpanRecord

MARKED = 0.5  # where a method has no threshold of its own, the score from which a token is marked as copied
_TOKENS = (TOKEN_PRECISION, TOKEN_RECALL, TOKEN_F1, TOKEN_PR_AUC)
_MODEL_TOKENS = (MODEL_TOKEN_PRECISION, MODEL_TOKEN_RECALL, MODEL_TOKEN_F1, MODEL_TOKEN_PR_AUC)


class Scored(NamedTuple):
    """Which tokens a method takes for copied.

    Attributes:
        scores: of the words, how likely each was copied; None where the method scores no tokens.
        marked: which words it takes for copied.
        evidence: the method's own tokens, with score and mark, where it has any.
    """

    scores: list[float] | None
    marked: list[bool]
    evidence: tuple[tuple[Span, float, bool], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Spans(Task[SpanRecord]):
    """Both sub-tasks on one data set."""

    predicted: ClassVar[tuple[str, ...]] = ("predicted", "token_scores", "token_marks")
    needs: tuple[str, ...] = ("attributor",)
    main: Metric = SPAN_ACCURACY
    metrics: tuple[Metric, ...] = (SPAN_ACCURACY, *_TOKENS, *_MODEL_TOKENS)
    headline: tuple[Metric, ...] = (SPAN_ACCURACY, TOKEN_F1)

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[SpanRecord]:
        """Predicted passages of the spans, and scores of the tokens where the attributor gives any."""
        return (_record(item, backends.attribute()) for item in items if isinstance(item, SpanItem))

    def rescored(self, item: SpanItem, predicted: Predicted, checker: Checker) -> SpanRecord:  # noqa: ARG002
        """The passages of the marked spans and the scores of the words; a model's tokens are not compared."""
        words = tokens.tokens(item.text, item.judged)
        passages_of_spans = predicted.choices("predicted", len(item.targets), item.numbers)
        scores = None
        if predicted.values.get("token_scores") is not None:
            scores = predicted.numbers("token_scores", len(words))
        marked = [flag == "1" for flag in predicted.flags("token_marks", len(words))]
        return _scored(item, passages_of_spans, words, Scored(scores, marked))

    def score(self, records: Sequence[SpanRecord]) -> Scores:
        """Accuracy over all spans together, token metrics over all tokens together."""
        pairs = [pair for record in records for pair in zip(record["gold"], record["predicted"], strict=True)]
        abstained = sum(predicted is None for _, predicted in pairs)
        metrics = {str(SPAN_ACCURACY): mean([float(gold == predicted) for gold, predicted in pairs])}
        groups: dict[str, dict[str, Any]] = {"spans": {"n": len(pairs), "abstained": abstained, **metrics}}
        words = [
            (record["token_gold"], record["token_scores"], record["token_marks"])
            for record in records
            if record["token_scores"] is not None
        ]
        evidence = [
            (record["model_token_gold"], record["model_token_scores"], record["model_token_marks"])
            for record in records
            if record["model_token_scores"] is not None
        ]
        unscored = {}
        for names, scored, title in ((_TOKENS, words, "tokens"), (_MODEL_TOKENS, evidence, "the model's tokens")):
            if any(any(scores) for _, scores, _ in scored):
                values, more = _token_figures(scored, title)
                metrics |= dict(zip(map(str, names), values, strict=True))
                groups |= more
            elif names == _TOKENS:
                unscored = dict.fromkeys(map(str, names), "the method gives no scores of tokens")
        limit = f"marked where the score exceeds the method's threshold, or is at least {MARKED} where it has none"
        remarks = (f"tokens are words and single marks; {limit}", *told_unread(records))
        return Scores(metrics, groups, abstained, unscored, notes=remarks)


def _token_figures(
    scored: Sequence[tuple[str, list[float], str]], title: str
) -> tuple[tuple[float, ...], dict[str, dict[str, Any]]]:
    """Precision, recall, F1 and area of the tokens as marked; groups with these, the best F1, and all marked."""
    gold = [flag == "1" for flags, _, _ in scored for flag in flags]
    scores = [score for _, values, _ in scored for score in values]
    marked = [float(flag == "1") for _, _, marks in scored for flag in marks]
    at, area = tokens.point(gold, marked, 1), tokens.pr_auc(gold, scores)
    best = max(tokens.curve(gold, scores), key=lambda point: point.f1)
    every = tokens.point(gold, [1.0] * len(gold), 1)
    values = (at.precision, at.recall, at.f1, area)
    named = dict(zip(map(str, _TOKENS), values, strict=True))
    return values, {
        title: {"n": len(gold), **named},
        f"{title}, threshold of the best F1": {"n": len(gold), **best._asdict()},
        f"{title}, all marked": {"n": len(gold), **every._asdict()},
    }


def _record(item: SpanItem, attributor: Attributor) -> SpanRecord:
    with notes.collect() as noted:
        predicted = passages(item, attributor)
    words = tokens.tokens(item.text, item.judged)
    record = _scored(item, predicted, words, tell(item, words, attributor))
    if missed := unread(noted):
        record["unread"] = missed
    return record


def _scored(item: SpanItem, predicted: Sequence[int | None], words: Sequence[Span], scored: Scored) -> SpanRecord:
    right = [gold == predicted_passage for gold, predicted_passage in zip(item.gold, predicted, strict=True)]
    return {
        "id": item.id,
        "gold": list(item.gold),
        "predicted": list(predicted),
        "token_gold": _flags(tokens.inside(words, item.targets)),
        "token_scores": scored.scores,
        "token_marks": _flags(scored.marked),
        "model_token_gold": _flags(tokens.inside([token for token, _, _ in scored.evidence], item.targets)),
        "model_token_scores": [score for _, score, _ in scored.evidence] or None,
        "model_token_marks": _flags([mark for _, _, mark in scored.evidence]),
        "value": mean([float(is_right) for is_right in right]) if right else None,
    }


def _flags(values: Sequence[bool]) -> str:
    return "".join("01"[value] for value in values)


def passages(item: SpanItem, attributor: Attributor) -> list[int | None]:
    """Sub-task 2: the number of the passage that each marked span is attributed to, None where it is to none."""
    if not item.targets:
        return []
    draft = Draft(item.text, item.question, item.statements, item.targets)
    citations = attributor.attribute(draft, [item.passages], "paragraph", 1)
    known = list(item.places.values())
    predicted: list[int | None] = []
    for target_citations in by_target(citations, item.targets):
        where = position(known, target_citations[0]) if target_citations else None
        predicted.append(None if where is None else item.numbers[where])
    return predicted


def tell(item: SpanItem, words: Sequence[Span], attributor: Attributor) -> Scored:
    """Sub-task 1: a word has the best score of a token that touches it, and is marked where one of them is."""
    if getattr(attributor, "whole_segments", False):
        return Scored(None, [False] * len(words))
    draft = Draft(item.text, item.question, item.statements)
    try:
        if isinstance(attributor, TokenScorer):
            scored = attributor.scored_tokens(draft, [item.passages])
            least = attributor.least_copied()
            token_scores = [(span, max(0.0, score), score > least) for span, score in scored]
        else:
            citations = attributor.attribute(draft, [item.passages], "token", None)
            token_scores = [
                (Span(citation.answer_start, citation.answer_end), citation.score, citation.score >= MARKED)
                for citation in citations
                if citation.granularity == "token"
            ]
    except (InputError, NotImplementedError):
        return Scored(None, [False] * len(words))  # a method without token scores; span accuracy does not depend on it
    scores, marked = [0.0] * len(words), [False] * len(words)
    for span, score, mark in token_scores:
        for i, (start, end) in enumerate(words):
            if span.start < end and start < span.end:
                scores[i], marked[i] = max(scores[i], score), marked[i] or mark
    scores_tokens = isinstance(attributor, TokenScorer)
    inside = [
        citation
        for citation in token_scores
        if scores_tokens and citation[0].start < item.judged.end and item.judged.start < citation[0].end
    ]
    return Scored(
        [round(score, DIGITS) for score in scores],
        marked,
        tuple((span, round(score, DIGITS), mark) for span, score, mark in inside),
    )
