"""The share of wrong claims caught at the threshold that keeps a given share of the right ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

KEPT = 0.75


def threshold_at_kept(right: Sequence[float], kept: float = KEPT, weights: Sequence[float] | None = None) -> float:
    """The highest threshold that at least the share `kept` of these scores reaches.

    Raises:
        ValueError: there are no scores.
    """
    if not len(right):
        raise ValueError("a threshold needs at least one score")
    scores = np.asarray(right, dtype=float)
    order = np.argsort(-scores, kind="stable")
    share = np.cumsum((np.ones(len(scores)) if weights is None else np.asarray(weights, dtype=float))[order])
    return float(scores[order][min(len(scores) - 1, int(np.searchsorted(share, kept * share[-1] - 1e-9)))])
