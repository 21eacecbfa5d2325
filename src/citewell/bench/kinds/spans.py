"""Marked spans: which passage was each copied from, and which tokens were copied.

Sub-task 2: `span_accuracy`, the share of marked spans whose predicted passage is the gold one; the attributor gets the
spans as targets, the answer and the question. Sub-task 1: `token_*`, from citations of the granularity `token`, for
which the attributor does not get the spans. Source: Phukan et al. 2024, section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from citewell.bench.items import Item, SpanItem
from citewell.bench.kinds.base import DIGITS, Backends, Scores, Task, by_target, mean, position
from citewell.bench.metrics import tokens
from citewell.bench.metrics.declared import SPAN_ACCURACY, TOKEN_F1, TOKEN_PR_AUC, TOKEN_PRECISION, TOKEN_RECALL, Metric
from citewell.bench.records import SpanRecord
from citewell.errors import InputError
from citewell.protocols import Attributor
from citewell.types import Draft, Span

MARKED = 0.5  # a token whose score reaches this is marked as copied; the curve shows every other choice
_TOKENS = (TOKEN_PRECISION, TOKEN_RECALL, TOKEN_F1, TOKEN_PR_AUC)


@dataclass(frozen=True, kw_only=True)
class Spans(Task[SpanRecord]):
    """Both sub-tasks on one data set."""

    needs: tuple[str, ...] = ("attributor",)
    main: Metric = SPAN_ACCURACY
    metrics: tuple[Metric, ...] = (SPAN_ACCURACY, *_TOKENS)
    shown: tuple[Metric, ...] = (SPAN_ACCURACY, TOKEN_F1)

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[SpanRecord]:
        """Predicted passages of the spans, and scores of the tokens where the attributor gives any."""
        return (_record(item, backends.attribute()) for item in items if isinstance(item, SpanItem))

    def score(self, records: Sequence[SpanRecord]) -> Scores:
        """Accuracy over all spans together, token metrics over all tokens together."""
        pairs = [pair for record in records for pair in zip(record["gold"], record["predicted"], strict=True)]
        abstained = sum(predicted is None for _, predicted in pairs)
        metrics = {str(SPAN_ACCURACY): mean([float(gold == predicted) for gold, predicted in pairs])}
        groups: dict[str, dict[str, Any]] = {"spans": {"n": len(pairs), "abstained": abstained, **metrics}}
        scored = [(one["token_gold"], scores) for one in records if (scores := one["token_scores"]) is not None]
        unscored = {}
        names = tuple(map(str, _TOKENS))
        if any(any(scores) for _, scores in scored):
            gold = [flag == "1" for flags, _ in scored for flag in flags]
            found = [score for _, scores in scored for score in scores]
            at = tokens.point(gold, found, MARKED)
            area = tokens.pr_auc(gold, found)
            best = max(tokens.curve(gold, found), key=lambda one: one.f1)
            values = dict(zip(names, (at.precision, at.recall, at.f1, area), strict=True))
            metrics |= values
            groups["tokens"] = {"n": len(gold), **values}
            groups["tokens, threshold of the best F1"] = {"n": len(gold), **best._asdict()}
        else:
            unscored = dict.fromkeys(names, "the method gives no scores of tokens")
        notes = (f"tokens are words and single marks; marked where the score is at least {MARKED}",)
        return Scores(metrics, groups, abstained, unscored, notes=notes)


def _record(item: SpanItem, attributor: Attributor) -> SpanRecord:
    predicted = passages(item, attributor)
    right = [gold == found for gold, found in zip(item.gold, predicted, strict=True)]
    words = tokens.tokens(item.text, item.judged)
    flags = tokens.inside(words, item.targets)
    return {
        "id": item.id,
        "gold": list(item.gold),
        "predicted": predicted,
        "token_gold": "".join("01"[flag] for flag in flags),
        "token_scores": token_scores(item, words, attributor),
        "value": mean([float(one) for one in right]) if right else None,
    }


def passages(item: SpanItem, attributor: Attributor) -> list[int | None]:
    """Sub-task 2: the number of the passage that each marked span is attributed to, None where it is to none."""
    if not item.targets:
        return []
    draft = Draft(item.text, item.question, item.statements, item.targets)
    citations = attributor.attribute(draft, [item.passages], "paragraph", 1)
    known = list(item.places.values())
    predicted: list[int | None] = []
    for found in by_target(citations, item.targets):
        where = position(known, found[0]) if found else None
        predicted.append(None if where is None else item.numbers[where])
    return predicted


def token_scores(item: SpanItem, words: Sequence[Span], attributor: Attributor) -> list[float] | None:
    """How likely each token was copied: the best score of a token citation that touches it; None if there are none."""
    draft = Draft(item.text, item.question, item.statements)
    try:
        citations = attributor.attribute(draft, [item.passages], "token", None)
    except (InputError, NotImplementedError):
        return None  # a method without token scores says so; span accuracy does not depend on it
    scores = [0.0] * len(words)
    for citation in citations:
        for i, (start, end) in enumerate(words):
            if citation.granularity == "token" and citation.answer_start < end and start < citation.answer_end:
                scores[i] = max(scores[i], citation.score)
    return [round(score, DIGITS) for score in scores]
