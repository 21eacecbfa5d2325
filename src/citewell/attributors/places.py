"""Segments of documents that are read together: their positions in the joined text, and citations of the best."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.attributors.targets import targets, unit_of
from citewell.document import Document
from citewell.models.offsets import Pairs
from citewell.text.spans import last_before
from citewell.types import Citation, Draft, Granularity, Segment, Span

Positions = npt.NDArray[np.intp]
GAP = "\n\n"  # between documents that are read together


class Place(NamedTuple):
    """A segment, the document it is of, and its range in the joined text."""

    document: int
    segment: Segment
    start: int
    end: int

    def in_document(self, at: Span) -> Span:
        """A range of the joined text as one of the segment's document."""
        moved = self.segment.start - self.start
        return Span(at.start + moved, at.end + moved)


def join(documents: Sequence[Document], granularity: Granularity) -> list[Place]:
    """The segments of all documents with their ranges in the documents' texts joined."""
    places: list[Place] = []
    base = 0
    for number, document in enumerate(documents):
        segments = document.segments(granularity)
        places.extend(Place(number, segment, base + segment.start, base + segment.end) for segment in segments)
        base += len(document.text) + len(GAP)
    return places


def runs(offsets: Pairs, places: Sequence[Place]) -> tuple[Positions, Positions, Positions]:
    """Bounds of the runs of tokens that stand in one segment, the segments, and which tokens stand in one at all."""
    starts = np.array([place.start for place in places], dtype=np.int64)
    ends = np.array([place.end for place in places], dtype=np.int64)
    # A token that straddles two segments belongs to the one where it ends.
    owner = np.searchsorted(starts, offsets[:, 1] - 1, side="right") - 1
    kept = np.flatnonzero((owner >= 0) & (offsets[:, 0] < ends[owner]))
    owner = owner[kept]
    if not len(owner):
        return np.zeros(1, dtype=np.intp), owner, kept
    change = np.flatnonzero(np.diff(owner)) + 1
    bounds = np.concatenate([[0], change, [len(owner)]]).astype(np.intp)
    return bounds, owner[bounds[:-1]], kept


def standing(places: Sequence[Place], at: Span) -> Place | None:
    """The segment in which a token of the joined text ends; None where it stands in none."""
    place = places[last_before([candidate.start for candidate in places], at.end - 1)]
    return place if at.start < place.end and place.start < at.end else None


class RanksPlaces(ABC):
    """An attributor that scores all segments for each target and cites the best."""

    k: int
    name: ClassVar[str]
    whole_segments: ClassVar[bool] = True  # it scores no tokens, and need not be asked for any

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """The segments of the highest scores for each target; the scores are no probabilities.

        The method scores whole segments: the granularities `token` and `window` give sentences.

        Raises:
            InputError: a file of weights cannot be read.
            BackendError: the model cannot be loaded, a pass failed, or the model's context is too small.
        """
        wanted = targets(draft)
        places = join(documents, unit_of(granularity))
        if not wanted or not places:
            return ()
        scores = self.place_scores(draft, documents, places, wanted).astype(np.float32)
        return tuple(best(scores, wanted, documents, places, self.k if k is None else k, self.name))

    @abstractmethod
    def place_scores(
        self, draft: Draft, documents: Sequence[Document], places: Sequence[Place], wanted: Sequence[Span]
    ) -> npt.NDArray[np.floating[Any]]:
        """(targets, segments) scores; -inf where there is none."""


def best(
    scores: npt.NDArray[np.float32],
    wanted: Sequence[Span],
    documents: Sequence[Document],
    places: Sequence[Place],
    k: int,
    method: str,
) -> Iterator[Citation]:
    """The `k` best segments of each target, best first, of equals the first; one without a score is not cited.

    Args:
        scores: (targets, places), -inf or NaN where there is none.
        wanted: the spans that are attributed.
        documents: all of them.
        places: their segments.
        k: most citations a target.
        method: what scored.
    """
    for target, row in zip(wanted, scores, strict=True):
        known = np.where(np.isfinite(row), row, -np.inf)
        for position in np.argsort(-known, kind="stable")[:k].tolist():
            if known[position] > -np.inf:
                place = places[position]
                score = float(known[position])
                yield Citation.of(place.segment, documents[place.document].id, target, score, method)
