"""Does quality depend on the length of the document? Source: LAB, section 5.1, tables 7 and 8."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from citewell_lab.papers.lab.rows import Row
from citewell_lab.report.correlation import correlate
from citewell_lab.report.intervals import interval

PARTS = 4


def length(rows: Sequence[Row], of: str) -> dict[str, Any] | None:
    """Correlation of a document's words with the quality of `response` or `evidence`, and means by quarters of items.

    Documents are as they lie in the data; what a system cut off counts.
    """
    kept = sorted(
        ((row.words, float(getattr(row, of))) for row in rows if row.words and getattr(row, of) is not None),
        key=lambda row: row[0],
    )
    if not kept:
        return None
    words, values = [float(row) for row, _ in kept], [value for _, value in kept]
    pearson, spearman = correlate(words, values), correlate(words, values, "spearman")
    count = min(PARTS, len(kept))
    edges = [round(len(kept) * part / count) for part in range(count + 1)]
    quarters = [
        {
            "n": b - a,
            "words": [int(words[a]), int(words[(a + b) // 2]), int(words[b - 1])],
            **interval(values[a:b])._asdict(),
        }
        for a, b in itertools.pairwise(edges)
    ]
    return {
        "n": len(kept),
        "pearson": pearson.to_dict() if pearson else None,
        "spearman": spearman.to_dict() if spearman else None,
        "quarters": quarters,
    }
