r"""Sub-task 1 of the hidden-states paper: which tokens of an answer were copied; one point and the whole curve.

Tokens are words and single other marks (`\w+|[^\w\s]`). A token is copied where all its characters lie in marked
spans. On VERI-GRAN dev 73.0% of the tokens of the annotated statements are, which is the precision (0.73) that the
paper reports for marking all of them, so its tokens and ours weigh alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from citewell.types import Span
from citewell_lab.bench.metrics.labels import Counts

_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens(text: str, within: Span) -> list[Span]:
    """The tokens of a part of a text."""
    return [Span(m.start(), m.end()) for m in _TOKEN.finditer(text, within.start, within.end)]


def inside(predicted: Sequence[Span], spans: Sequence[Span]) -> list[bool]:
    """Whether each token lies wholly in one of the spans."""
    return [any(a <= start and end <= b for a, b in spans) for start, end in predicted]


class Point(NamedTuple):
    """Precision, recall and F1 where tokens with at least `threshold` are marked."""

    threshold: float
    precision: float
    recall: float
    f1: float


def point(gold: Sequence[bool], scores: Sequence[float], threshold: float) -> Point:
    """Precision, recall, F1 at one threshold, over all tokens together."""
    flags, marked = np.asarray(gold, dtype=bool), np.asarray(scores, dtype=float) >= threshold
    hit, predicted, wanted = int((flags & marked).sum()), int(marked.sum()), int(flags.sum())
    return _point(threshold, hit, predicted, wanted)


def _point(threshold: float, hit: int, predicted: int, wanted: int) -> Point:
    counts = Counts(hit, predicted - hit, wanted - hit)
    return Point(threshold, counts.precision, counts.recall, counts.f1)


def curve(gold: Sequence[bool], scores: Sequence[float]) -> list[Point]:
    """A point for every score that occurs, highest threshold first."""
    flags, values = np.asarray(gold, dtype=bool), np.asarray(scores, dtype=float)
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(flags[order])
    last = np.flatnonzero(np.append(np.diff(values[order]) != 0, True)) if len(values) else np.empty(0, dtype=int)
    wanted = int(flags.sum())
    return [_point(float(values[order][i]), int(hits[i]), i + 1, wanted) for i in last.tolist()]


def pr_auc(gold: Sequence[bool], scores: Sequence[float]) -> float:
    """Area under the precision-recall curve as average precision: steps, no interpolation; ties are one step."""
    area, before = 0.0, 0.0
    for point in curve(gold, scores):
        area += (point.recall - before) * point.precision
        before = point.recall
    return area
