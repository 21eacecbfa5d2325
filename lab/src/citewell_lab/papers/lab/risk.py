"""Risk and coverage of every run: the error rate of the answers as more questions are answered.

Risk is 1 - quality of the response; the order is the system's own confidence. `aurc` is the area below the curve,
`random` that of no order at all (the mean risk), `best` that of an order that knows the risk; `excess` is what lies
between ours and the best, as a share of what lies between random and best: 0 is perfect, 1 no better than chance.
Sources: El-Yaniv and Wiener 2010; Geifman et al. 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from citewell_lab.bench.metrics.risk import at, aurc, curve
from citewell_lab.papers.lab.rows import Row
from citewell_lab.papers.lab.selective import COVERAGES, DRAWS


def risk(rows: Sequence[Row], seed: int = 0) -> dict[str, Any] | None:
    """The curve and its area over the items that the system answered, and those whose withheld answer is known.

    None without confidence in two items.
    `p` is the share of random orders with so small an area.
    """
    kept = [row for row in rows if row.confidence is not None and _loss(row) is not None]
    if len(kept) < 2:
        return None
    losses = [float(_loss(row) or 0.0) for row in kept]
    points = curve([float(row.confidence or 0.0) for row in kept], losses)
    area = aurc(points)
    best = aurc(curve([-loss for loss in losses], losses))
    mean = sum(losses) / len(losses)
    generator, steps = np.random.default_rng(seed), np.arange(1, len(losses) + 1)
    drawn = generator.permuted(np.tile(losses, (DRAWS, 1)), axis=1)
    areas = (drawn.cumsum(axis=1) / steps).mean(axis=1)
    return {
        "n": len(kept),
        "left_out": len(rows) - len(kept),
        "aurc": area,
        "random": mean,
        "best": best,
        "excess": (area - best) / (mean - best) if mean - best > 1e-12 else None,
        "p": (int((areas <= area + 1e-12).sum()) + 1) / (DRAWS + 1),
        "curve": [[share, at(points, share)] for share in COVERAGES],
    }


def _loss(row: Row) -> float | None:
    if row.loss is not None:
        return row.loss
    return None if row.abstained or row.response is None else 1 - row.response
