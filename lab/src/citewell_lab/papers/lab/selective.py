"""Selective prediction: is a response whose evidence supports it a better one? Source: LAB, section 5.3, table 4.

Predictions that need no evidence are left out. The rest is ordered by attributability; for each coverage the quality
of the responses up to there is computed, and the area under that curve compared with random orders, whose mean of ten
is the paper's baseline. Quality is the mean of the responses' figures; macro F1 for Evidence Inference and micro F1
for WiCE and ContractNLI; `unanswerable` is the share of questions that have an answer among those answered (the
paper's UF1 here: micro F1, as every remaining prediction is "answerable").
Items of equal attributability have no order: they are drawn in ten random orders and the areas averaged.
`p` is the share of random orders that reach the area.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell_lab.bench.metrics.answers import NO_ANSWER
from citewell_lab.papers.lab.rows import ANSWERABLE, WITHOUT_EVIDENCE, Row

ORDERS = 10  # random orders of the paper's baseline
DRAWS = 1000  # random orders of the test
COVERAGES = tuple(part / 20 for part in range(1, 21))
# Leaving out what needs no evidence leaves few of some classes: micro F1 there (LAB, footnote 18).
MACRO = frozenset({"evidence-inference"})

Floats = npt.NDArray[np.float64]
Order = npt.NDArray[np.int64]
Curve = Callable[[Order], Floats]


def selective(rows: Sequence[Row], task: str, seed: int = 0) -> dict[str, Any] | None:
    """The curves and areas of a run; None where fewer than two predictions have attributability."""
    kept = [row for row in rows if _counts(row)]
    if len(kept) < 2:
        return None
    confidence = np.array([row.attributability for row in kept], dtype=float)
    figures: dict[str, Any] = {"n": len(kept), "left_out": len(rows) - len(kept), "scores": {}}
    curves: dict[str, Curve] = {}
    if all(row.classed for row in kept):
        curves["macro_f1" if task in MACRO else "micro_f1"] = by_class(
            [str(row.gold) for row in kept], [str(row.predicted) for row in kept], macro=task in MACRO
        )
    else:
        curves["response"] = by_mean([float(row.response or 0.0) for row in kept])
        if {row.gold for row in kept} <= {ANSWERABLE, NO_ANSWER}:
            curves["unanswerable"] = by_mean([float(row.gold == ANSWERABLE) for row in kept])
    for name, curve in curves.items():
        figures["scores"][name] = _areas(curve, confidence, seed)
    figures["classes"] = classes(kept, confidence, seed)
    return figures


def _counts(row: Row) -> bool:
    if row.attributability is None or row.abstained or row.predicted in WITHOUT_EVIDENCE:
        return False
    return row.response is not None


def _areas(curve: Curve, confidence: Floats, seed: int) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    ours = [curve(order) for order in orders(confidence, ORDERS, generator)]
    chance = [curve(generator.permutation(len(confidence))) for _ in range(max(ORDERS, DRAWS))]
    area = float(np.mean(ours))
    baseline = float(np.mean(chance[:ORDERS]))
    areas = np.array([order.mean() for order in chance])
    mean = np.mean(ours, axis=0)
    return {
        "auc": area,
        "random_auc": baseline,
        "advantage": area - baseline,
        "p": (int((areas >= area - 1e-12).sum()) + 1) / (len(areas) + 1),
        "curve": [[share, float(mean[_last(share, len(mean))])] for share in COVERAGES],
        "random_curve": [
            [share, float(np.mean([order[_last(share, len(order))] for order in chance[:ORDERS]]))]
            for share in COVERAGES
        ],
    }


def _last(share: float, count: int) -> int:
    """The last item that a share of the items holds."""
    return max(1, round(share * count)) - 1


def orders(confidence: Floats, count: int, generator: np.random.Generator) -> list[Order]:
    """Orders by falling confidence, equal ones shuffled in each."""
    return [np.lexsort((generator.random(len(confidence)), -confidence)) for _ in range(count)]


def by_mean(values: Sequence[float]) -> Curve:
    """The mean of the first one, two, ... items of an order."""
    array = np.asarray(values, dtype=float)
    steps = np.arange(1, len(array) + 1)
    return lambda order: np.asarray(array[order].cumsum() / steps)


def by_class(gold: Sequence[str], predicted: Sequence[str], *, macro: bool) -> Curve:
    """Macro F1 over the gold's classes, or micro F1, of the first one, two, ... items of an order."""
    names = sorted(set(gold))
    is_gold = np.array([[label == name for name in names] for label in gold], dtype=float)
    is_found = np.array([[label == name for name in names] for label in predicted], dtype=float)

    def curve(order: Order) -> Floats:
        golds, founds = is_gold[order].cumsum(axis=0), is_found[order].cumsum(axis=0)
        hits = (is_gold * is_found)[order].cumsum(axis=0)
        if not macro:
            golds, founds, hits = (values.sum(axis=1, keepdims=True) for values in (golds, founds, hits))
        total = golds + founds
        f1 = np.divide(2 * hits, total, out=np.zeros_like(total), where=total > 0)
        # A class that has not come up yet has no F1: it does not pull the mean down.
        return np.asarray(f1.sum(axis=1) / np.maximum((total > 0).sum(axis=1), 1))

    return curve


def classes(rows: Sequence[Row], confidence: Floats, seed: int = 0) -> dict[str, Any] | None:
    """The gold classes' shares by coverage (LAB, figure 4); None where items have no class."""
    if any(row.gold is None for row in rows):
        return None
    names = sorted({str(row.gold) for row in rows})
    drawn = orders(confidence, ORDERS, np.random.default_rng(seed))
    figures = {}
    for name in names:
        curve = by_mean([float(row.gold == name) for row in rows])
        mean = np.mean([curve(order) for order in drawn], axis=0)
        figures[name] = [[share, float(mean[_last(share, len(mean))])] for share in COVERAGES]
    return figures
