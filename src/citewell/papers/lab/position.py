"""Where evidence stands in the document, and whether quality depends on it. Source: LAB, section 5.2, figures 3, 5, 6.

The paper's Table 5 correlates the means of five bins; the same is given here (`bins_r`), and beside it the coefficient
over items (`items_r`), which does not hang on five figures. An item's position is the mean of its evidence's positions.
Bins are fifths of the document; the paper's fifths run from the first to the last position that occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from citewell.bench.metrics.labels import macro_f1
from citewell.papers.lab.rows import Row
from citewell.papers.lab.stats import BINS, binned, correlate, counted, same_distribution


def distribution(rows: Sequence[Row], bins: int = BINS) -> dict[str, Any] | None:
    """Shares of gold and predicted evidence in each part; `p` is small where the two differ. None without positions."""
    gold = counted([one for row in rows for one in row.gold_at], bins)
    predicted = counted([one for row in rows for one in row.predicted_at], bins)
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


def quality(rows: Sequence[Row], of: str, by: str, bins: int = BINS) -> dict[str, Any] | None:
    """Quality of responses or evidence by the position of gold or predicted evidence.

    Args:
        rows: of one run.
        of: `response` or `evidence`.
        by: `gold` or `predicted`.
        bins: into how many parts documents are divided.
    """
    where: Callable[[Row], tuple[float, ...]] = lambda row: getattr(row, f"{by}_at")  # noqa: E731
    kept = [row for row in rows if where(row) and getattr(row, of) is not None]
    if not kept:
        return None
    positions = [sum(where(row)) / len(where(row)) for row in kept]
    values = [float(getattr(row, of)) for row in kept]
    parts = binned(positions, values, bins)
    means = [(number, part.mean.mean) for number, part in enumerate(parts) if part.mean]
    over_bins = correlate([float(number) for number, _ in means], [value for _, value in means])
    ranks = correlate([float(number) for number, _ in means], [value for _, value in means], "spearman")
    over_items = correlate(positions, values, "spearman")
    found: dict[str, Any] = {
        "n": len(kept),
        "bins": [{"n": part.n, **(part.mean._asdict() if part.mean else {"mean": None})} for part in parts],
        "bins_r": over_bins.to_dict() if over_bins else None,
        "bins_rho": ranks.to_dict() if ranks else None,
        "items_r": over_items.to_dict() if over_items else None,
    }
    if of == "response" and all(row.classed for row in kept):
        found["macro_f1"] = _by_class(kept, positions, bins)
    return found


def _by_class(rows: Sequence[Row], positions: Sequence[float], bins: int) -> list[float | None]:
    """The paper's figure for tasks with classes: macro F1 of each part, over the classes of the whole run."""
    classes = sorted({str(row.gold) for row in rows})
    parts: list[list[Row]] = [[] for _ in range(bins)]
    for row, position in zip(rows, positions, strict=True):
        parts[min(int(position * bins), bins - 1)].append(row)
    return [
        macro_f1([row.gold for row in part], [row.predicted for row in part], classes) if part else None
        for part in parts
    ]
