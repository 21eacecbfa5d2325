"""The overlap of two runs' evidence, and the overlap expected by chance. Source: LAB, appendix A.3.

The paper compares citation and post-hoc evidence of one model; any two runs over the same data can be compared.
By chance means: the second run cites as many segments as it does, drawn from the document without looking.
"""

from __future__ import annotations

from typing import Any

from citewell.errors import UsageError
from citewell_lab.papers.lab.rows import Analysed, Row
from citewell_lab.report.correlation import scipy_stats
from citewell_lab.report.intervals import interval


def overlap(first: Analysed, second: Analysed) -> dict[str, Any] | None:
    """F1 of the two sets of segments, item by item, over items for which both cite something.

    `p` is the chance of so large an overlap if the second run cited without looking (Wilcoxon, one-sided); it and
    `chance` need the data. None where no item has evidence in both runs.

    Raises:
        UsageError: the runs are of different tasks or data.
    """
    if first.result.task != second.result.task or first.checksums != second.checksums:
        raise UsageError(f"{first.folder} and {second.folder} are not runs over the same data")
    other = {row.id: row for row in second.rows}
    pairs = [(row, other[row.id]) for row in first.rows if row.id in other and row.cited and other[row.id].cited]
    if not pairs:
        return None
    shared = [2 * len(a.cited & b.cited) / (len(a.cited) + len(b.cited)) for a, b in pairs]
    figures: dict[str, Any] = {
        "n": len(pairs),
        "only_first": sum(bool(row.cited) and not (other.get(row.id) or Row(row.id)).cited for row in first.rows),
        "only_second": sum(bool(row.cited) for row in second.rows) - len(pairs),
        "f1": interval(shared)._asdict(),
        "identical": sum(a.cited == b.cited for a, b in pairs) / len(pairs),
        "disjoint": sum(not a.cited & b.cited for a, b in pairs) / len(pairs),
        "chance": None,
        "p": None,
    }
    if all(a.segments for a, _ in pairs):
        chance = [2 * len(a.cited) * len(b.cited) / (a.segments or 1) / (len(a.cited) + len(b.cited)) for a, b in pairs]
        figures["chance"] = sum(chance) / len(chance)
        more = [share - by_chance for share, by_chance in zip(shared, chance, strict=True)]
        if len(more) >= 5 and any(more):
            figures["p"] = float(scipy_stats().wilcoxon(more, alternative="greater").pvalue)
    return figures
