"""Predictions of an attributor's settings on answers with marked spans: passages and token scores.

Every setting goes through the attributor's own code. Settings that differ in the layer share their forward passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.errors import notes
from citewell.models.states import kept_layers
from citewell.protocols import Attributor
from citewell_lab.bench.items import Broken, Item, SpanItem
from citewell_lab.bench.kinds.spans import passages, tell
from citewell_lab.bench.metrics import tokens
from citewell_lab.papers import source
from citewell_lab.report.intervals import share
from citewell_lab.report.values import Interval

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Setting:
    """An attributor with the values that make it differ from the others.

    Attributes:
        name: for tables.
        attributor: built.
        params: the values.
        control: why it is shown and never chosen; empty where it may be.
    """

    name: str
    attributor: Attributor
    params: tuple[tuple[str, Any], ...] = ()
    control: str = ""

    @property
    def label(self) -> str:
        """The name, saying where it is a control."""
        return self.name + (" (control)" if self.control else "")


class Prediction(NamedTuple):
    """What one setting made of one item: which spans were right, which passages were named, scores of the tokens."""

    right: Flags
    predicted: tuple[int | None, ...]
    scores: Numbers | None


class Point(NamedTuple):
    """Span accuracy of n spans, and the tokens at a threshold; None where a method gives no scores of tokens."""

    n: int
    span_accuracy: float | None
    abstained: int
    threshold: float | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    pr_auc: float | None = None


@dataclass(frozen=True)
class Observed:
    """The items, which of their tokens were copied, and what every setting made of each.

    `seen[s][i]` belongs to setting s and item i. `counts` are the work done, such as forward passes.
    """

    items: tuple[SpanItem, ...]
    gold: tuple[Flags, ...]
    settings: tuple[Setting, ...]
    predictions: tuple[tuple[Prediction, ...], ...]
    failed: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def groups(self) -> list[str]:
        """The question of each item: answers to one question are not independent."""
        return [item.question for item in self.items]

    def tokens(self, setting: int, within: Sequence[int] | None = None) -> tuple[Flags, Numbers] | None:
        """Gold and scores of all tokens of some items together; None where the setting gives none."""
        chosen = range(len(self.items)) if within is None else within
        gold_scores = [
            (self.gold[i], scores) for i in chosen if (scores := self.predictions[setting][i].scores) is not None
        ]
        if not any(scores.any() for _, scores in gold_scores):
            return None
        return np.concatenate([gold for gold, _ in gold_scores]), np.concatenate([scores for _, scores in gold_scores])

    def point(
        self, setting: int, within: Sequence[int] | None = None, threshold: float | None = None, *, area: bool = True
    ) -> Point:
        """The figures of a setting on some items; without a threshold that of the best F1."""
        chosen = list(range(len(self.items)) if within is None else within)
        rights = [self.predictions[setting][i].right for i in chosen]
        spans = sum(len(right) for right in rights)
        abstained = sum(right is None for i in chosen for right in self.predictions[setting][i].predicted)
        accuracy = sum(int(right.sum()) for right in rights) / spans if spans else None
        points = self.tokens(setting, chosen)
        if points is None:
            return Point(spans, accuracy, abstained)
        at = best_threshold(*points) if threshold is None else threshold
        marked = tokens.point(points[0].tolist(), points[1].tolist(), at)
        under = tokens.pr_auc(points[0].tolist(), points[1].tolist()) if area else None
        return Point(spans, accuracy, abstained, at, marked.precision, marked.recall, marked.f1, under)

    def accuracy(
        self, setting: int, chosen: Sequence[Sequence[bool]] | None = None, *, seed: int = 0
    ) -> Interval | None:
        """Span accuracy with its interval over questions, of all spans or of those chosen in each item."""
        hits, totals = [], []
        for i, prediction in enumerate(self.predictions[setting]):
            mask = np.ones(len(prediction.right), dtype=bool) if chosen is None else np.array(chosen[i], dtype=bool)
            hits.append(float((prediction.right & mask).sum()))
            totals.append(float(mask.sum()))
        return share(hits, totals, self.groups, seed=seed)


def best_threshold(gold: Flags, scores: Numbers) -> float:
    """The threshold of the best F1, half way to the next score below and rounded; -1 where marking all is best."""
    order = np.argsort(-scores, kind="stable")
    values, hits = scores[order], np.cumsum(gold[order])
    last = np.flatnonzero(np.append(np.diff(values) != 0, True))  # the ends of runs of equal scores
    f1 = 2 * hits[last] / np.maximum(last + 1 + hits[-1], 1)
    best = int(f1.argmax())
    if best == len(last) - 1:
        return -1.0
    upper, lower = float(values[last[best]]), float(values[last[best + 1]])
    middle = (upper + lower) / 2
    short = round(middle, 3)
    return short if lower < short <= upper else middle


def observe(
    items: Iterable[Item],
    settings: Sequence[Setting],
    *,
    with_tokens: bool = True,
    progress: Callable[[int], object] | None = None,
) -> Observed:
    """Run every setting on every item.

    Broken items and those on which a setting fails are counted and left out. `progress` is told how many are done.

    Raises:
        BackendError: the back end fails from the start.
        MissingExtraError: a package is not installed.
    """

    def work(item: SpanItem) -> tuple[Flags, list[Prediction]]:
        words = tokens.tokens(item.text, item.judged)
        # One item at a time: the states of all its layers are let go of before the next.
        with kept_layers() if len(settings) > 1 else nullcontext():
            row = [_prediction(item, words, setting, with_tokens=with_tokens) for setting in settings]
        return np.array(tokens.inside(words, item.targets), dtype=bool), row

    usable = (item for item in items if isinstance(item, SpanItem | Broken))
    with notes.collect() as noted:
        results, failed = source.each(usable, work, progress)
    kept, worked = zip(*results, strict=True)
    gold, rows = zip(*worked, strict=True)
    return Observed(kept, gold, tuple(settings), tuple(zip(*rows, strict=True)), tuple(failed), dict(noted.counts),
                    tuple(noted.warnings))  # fmt: skip


def _prediction(item: SpanItem, words: Sequence[Any], setting: Setting, *, with_tokens: bool) -> Prediction:
    predicted = passages(item, setting.attributor)
    right = np.array([gold == other for gold, other in zip(item.gold, predicted, strict=True)], dtype=bool)
    scores = tell(item, words, setting.attributor).scores if with_tokens else None
    return Prediction(right, tuple(predicted), None if scores is None else np.array(scores, dtype=float))
