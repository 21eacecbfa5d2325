"""Where evidence stands in the document, and whether quality depends on it. Source: LAB, section 5.2, figures 3, 5, 6.

The paper's Table 5 correlates the means of five bins; the same is given here (`bins_r`), and beside it the coefficient
over items (`items_r`), which does not hang on five figures. An item's position is the mean of its evidence's positions.
Bins are fifths of the document; the paper's fifths run from the first to the last position that occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from citewell.bench.metrics.labels import macro_f1
from citewell.papers.lab.rows import Row
from citewell.report.correlation import correlate, scipy_stats
from citewell.report.intervals import interval

BINS = 5
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
    """Quality of responses or evidence by the position of gold or predicted evidence.

    `of` is `response` or `evidence`, `by` is `gold` or `predicted`.
    """
    kept = [(row, getattr(row, f"{by}_at")) for row in rows if getattr(row, of) is not None]
    kept = [(row, places) for row, places in kept if places]
    if not kept:
        return None
    positions = [sum(places) / len(places) for _, places in kept]
    values = [float(getattr(row, of)) for row, _ in kept]
    parts = [{"n": len(part), **_mean(part)} for part in parted(positions, values, bins)]
    numbers = [float(number) for number, part in enumerate(parts) if part["n"]]
    means = [float(part["mean"] or 0) for part in parts if part["n"]]
    over_bins = correlate(numbers, means)
    ranks = correlate(numbers, means, "spearman")
    over_items = correlate(positions, values, "spearman")
    figures: dict[str, Any] = {
        "n": len(kept),
        "bins": parts,
        "bins_r": over_bins.to_dict() if over_bins else None,
        "bins_rho": ranks.to_dict() if ranks else None,
        "items_r": over_items.to_dict() if over_items else None,
    }
    if of == "response" and all(row.classed for row, _ in kept):
        # The paper's figure for tasks with classes: macro F1 of each part, over the classes of the whole run.
        classes = sorted({str(row.gold) for row, _ in kept})
        figures["macro_f1"] = [
            macro_f1([row.gold for row in part], [row.predicted for row in part], classes) if part else None
            for part in parted(positions, [row for row, _ in kept], bins)
        ]
    return figures


def _mean(values: Sequence[float]) -> dict[str, float | None]:
    return interval(values)._asdict() if values else {"mean": None}
