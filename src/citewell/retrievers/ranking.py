"""From scores to hits: what every retriever that scores all segments shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from citewell.types import Hit, Segment


def with_text(segments: Sequence[Segment]) -> list[int]:
    """Positions of the segments that hold more than white space."""
    return [position for position, segment in enumerate(segments) if segment.text.strip()]


def hits(scores: npt.NDArray[np.float32], positions: Sequence[int]) -> tuple[Hit, ...]:
    """Hits, best first, ties by position.

    Args:
        scores: (n,) of the segments at `positions`.
        positions: n positions, ascending.
    """
    order = np.argsort(-scores, kind="stable")
    return tuple(Hit(positions[i], float(scores[i])) for i in order.tolist())
