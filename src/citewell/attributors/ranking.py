"""Citations of the best segments of each target from a table of scores: what attributors that rank segments share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from citewell.document import Document
from citewell.types import Citation, Granularity, Segment, Span

Place = tuple[Document, Segment]


def located(documents: Sequence[Document], granularity: Granularity) -> list[Place]:
    """The segments of all documents, each with its document."""
    return [(document, segment) for document in documents for segment in document.segments(granularity)]


def cited(
    scores: npt.NDArray[np.float32], targets: Sequence[Span], places: Sequence[Place], k: int, method: str
) -> Iterator[Citation]:
    """The `k` best segments of each target, best first, of equals the first; a segment without a score is not cited.

    Args:
        scores: (targets, places), -inf or NaN where there is none.
        targets: the spans that are attributed.
        places: segments with their documents.
        k: most citations a target.
        method: what scored.
    """
    for target, row in zip(targets, scores, strict=True):
        known = np.where(np.isfinite(row), row, -np.inf)
        for position in np.argsort(-known, kind="stable")[:k].tolist():
            if known[position] > -np.inf:
                document, segment = places[position]
                yield Citation.of(segment, document.id, target, float(known[position]), method)
