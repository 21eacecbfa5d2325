"""Where evidence stands in the document, and whether quality depends on it. Source: LAB, section 5.2, figures 3, 5, 6.

The quality of responses of tasks with classes is CF1, the macro F1 of all items in a part of the document, of others
the mean. An item's position is the mean of its evidence's positions, parts are of equal width: fifths in the figures.
The paper's Table 5 is called Pearson's r in its caption and Spearman's in section 5.2. Its 60 figures can all be
Spearman's of ten parts without ties (83 of 100 numbers of two digits can), and its stars are where ten pairs give
p < 0.05; so it is that here (`parts_r`). Beside it stands the coefficient over items (`items_r`), where a response with
a class counts 1 if it is right and 0 if it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from citewell_lab.papers.lab.rows import Row
from citewell_lab.report.correlation import correlate, scipy_stats
from citewell_lab.report.intervals import Floats, Statistic, grouped, ratio

BINS = 5
PARTS = 10  # of Table 5
T = TypeVar("T")


def distribution(rows: Sequence[Row], bins: int = BINS) -> dict[str, Any] | None:
    """Shares of gold and predicted evidence in each part; `p` is small where the two differ. None without positions."""
    gold = counted([place for row in rows for place in row.gold_at], bins)
    predicted = counted([place for row in rows for place in row.predicted_at], bins)
    if not sum(gold) or not sum(predicted):
        return None
    return {
        "gold": _shares(gold),
        "predicted": _shares(predicted),
        "n_gold": sum(gold),
        "n_predicted": sum(predicted),
        "p": same_distribution(gold, predicted),
    }


def _shares(counts: Sequence[int]) -> list[float]:
    return [count / sum(counts) for count in counts]


def same_distribution(first: Sequence[int], second: Sequence[int]) -> float | None:
    """The p-value of two rows of counts coming from one distribution (chi-square); None where that has no answer."""
    kept = [(a, b) for a, b in zip(first, second, strict=True) if a + b]
    if len(kept) < 2 or not sum(first) or not sum(second):
        return None
    return float(scipy_stats().chi2_contingency(np.array(kept).T).pvalue)


def parted(positions: Sequence[float], values: Sequence[T], bins: int = BINS) -> list[list[T]]:
    """The values by the part of the document in which they lie."""
    parts: list[list[T]] = [[] for _ in range(bins)]
    for position, value in zip(positions, values, strict=True):
        parts[min(int(position * bins), bins - 1)].append(value)
    return parts


def counted(positions: Sequence[float], bins: int = BINS) -> list[int]:
    """How many positions lie in each part."""
    return [len(part) for part in parted(positions, positions, bins)]


def quality(rows: Sequence[Row], of: str, by: str, bins: int = BINS) -> dict[str, Any] | None:
    """Quality of responses or evidence by the position of gold or predicted evidence; None without positions.

    `of` is `response` or `evidence`, `by` is `gold` or `predicted`.
    """
    kept = [(row, getattr(row, f"{by}_at")) for row in rows if getattr(row, of) is not None]
    kept = [(row, places) for row, places in kept if places]
    if not kept:
        return None
    positions = [sum(places) / len(places) for _, places in kept]
    values = [float(getattr(row, of)) for row, _ in kept]
    counts, statistic = _measure(of, [row for row, _ in kept], values)
    fifths = parted(positions, counts, bins)
    tenths = [part for part in enumerate(parted(positions, counts, PARTS)) if part[1]]
    means = [float(statistic(np.sum(part, axis=0))) for _, part in tenths]
    over_parts = correlate([float(number) for number, _ in tenths], means, "spearman")
    over_items = correlate(positions, values, "spearman")
    return {
        "n": len(kept),
        "measure": "CF1" if len(counts[0]) > 2 else "mean",
        "bins": [{"n": len(part), **_figure(part, statistic)} for part in fifths],
        "parts_r": over_parts.to_dict() if over_parts else None,
        "items_r": over_items.to_dict() if over_items else None,
    }


def _measure(of: str, rows: Sequence[Row], values: Sequence[float]) -> tuple[list[Floats], Statistic]:
    """What each item adds to sums, and the figure of the sums: CF1 for responses with classes, else the mean."""
    if of != "response" or not all(row.classed for row in rows):
        return [np.array([value, 1.0]) for value in values], ratio
    classes = sorted({str(row.gold) for row in rows})
    return [_contribution(row, classes) for row in rows], _macro_f1


def _contribution(row: Row, classes: Sequence[str]) -> Floats:
    """Of each class whether the item is a hit, is of it, is called so: summed over items these are the F1's counts."""
    gold, predicted = ([float(label == name) for name in classes] for label in (row.gold, row.predicted))
    return np.array([*(a * b for a, b in zip(gold, predicted, strict=True)), *gold, *predicted])


def _macro_f1(sums: Floats) -> Floats:
    """The mean F1 of the classes that occur, from the sums of contributions."""
    hits, golds, predictions = np.split(np.asarray(sums, dtype=float), 3, axis=-1)
    total = golds + predictions
    f1 = np.divide(2 * hits, total, out=np.zeros_like(total), where=total > 0)
    return np.asarray(f1.sum(axis=-1) / np.maximum((total > 0).sum(axis=-1), 1))


def _figure(part: Sequence[Floats], statistic: Statistic) -> dict[str, float | None]:
    figure = grouped(enumerate(part), statistic)  # type: ignore[arg-type]  # arrays are sequences of floats
    return figure._asdict() if figure else {"mean": None}
