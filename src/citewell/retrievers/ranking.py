"""From scores to hits: shared by all retrievers that score all segments."""

from __future__ import annotations

from abc import ABC, abstractmethod
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


class ScoresAll(ABC):
    """A retriever that gives every segment a score, for many queries at once."""

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        """All segments that have text, best first, ties by position.

        Raises:
            BackendError: the model cannot be loaded.
        """
        return self.rank_many([query], segments)[0]

    def rank_many(self, queries: Sequence[str], segments: Sequence[Segment]) -> list[tuple[Hit, ...]]:
        """The ranking for each query; what a model reads for all of them is batched together."""
        positions = with_text(segments)
        if not positions or not queries:
            return [() for _ in queries]
        scores = self._scores(queries, [segments[position].text for position in positions])
        return [hits(row, positions) for row in scores]

    @abstractmethod
    def _scores(self, queries: Sequence[str], texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(queries, texts) scores."""
