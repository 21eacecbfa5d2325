"""Reading document and answer: passes of a model over both, with the segment that each document token stands in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from citewell.attributors.hidden_states.match import Positions
from citewell.attributors.hidden_states.prompt import alone, prompts
from citewell.attributors.hidden_states.search import Pass
from citewell.attributors.targets import statements
from citewell.document import Document
from citewell.models.loading import Loaded
from citewell.models.offsets import Pairs
from citewell.models.states import token_states
from citewell.types import Draft, Granularity, Segment, Span

GAP = "\n\n"  # between documents that are read together
CHUNK = 8192  # document tokens matched at once, which bounds the memory


class Place(NamedTuple):
    """A segment, the document it is of, and its range in the joined text."""

    document: int
    segment: Segment
    start: int
    end: int

    def own(self, at: Span) -> Span:
        """A range of the joined text as one of the segment's document."""
        moved = self.segment.start - self.start
        return Span(at.start + moved, at.end + moved)


class Reader(NamedTuple):
    """A model that reads, at one layer.

    Attributes:
        loaded: the model.
        layer: whose states are wanted.
        apart: read paragraph by paragraph, and the answer by itself.
        limit: most tokens of a prompt, None for what the model takes.
        batch: most texts at once.
    """

    loaded: Loaded
    layer: int
    apart: bool
    limit: int | None
    batch: int

    def passes(self, draft: Draft, documents: Sequence[Document], places: Sequence[Place]) -> Iterator[Pass]:
        """Passes that together show all documents; their tokens belong to the segments `places`.

        Raises:
            BackendError: the model's context is too small, or a pass failed.
        """
        if self.apart:
            return self._apart(draft, join(documents, "paragraph"), places)
        return self._together(draft, GAP.join(document.text for document in documents), places)

    def _together(self, draft: Draft, text: str, places: Sequence[Place]) -> Iterator[Pass]:
        shown = prompts(self.loaded, text, draft.text, question=draft.question, statements=statements(draft),
                        limit=self.limit)  # fmt: skip
        for prompt in shown:
            states = token_states(self.loaded, [prompt.ids], self.layer)[0]
            bounds, owners, kept = runs(prompt.document, places)
            if len(kept):
                yield Pass(
                    states[prompt.document_at[kept]],
                    prompt.document[kept],
                    bounds,
                    owners,
                    states[prompt.answer_at],
                    prompt.answer,
                )

    def _apart(self, draft: Draft, paragraphs: Sequence[Place], places: Sequence[Place]) -> Iterator[Pass]:
        answers = list(alone(self.loaded, draft.text, self.limit))
        states = token_states(self.loaded, [ids for ids, _, _ in answers], self.layer, size=self.batch)
        answer_states = np.concatenate([state[at] for state, (_, _, at) in zip(states, answers, strict=True)])
        answer_offsets = np.concatenate([offsets for _, offsets, _ in answers])
        waiting: list[tuple[list[int], Pairs, Positions]] = []
        for number, paragraph in enumerate(paragraphs):
            for ids, offsets, at in alone(self.loaded, paragraph.segment.text, self.limit):
                if len(at):
                    waiting.append((ids, offsets + paragraph.start, at))
            if waiting and (sum(len(at) for _, _, at in waiting) > CHUNK or number == len(paragraphs) - 1):
                read = token_states(self.loaded, [ids for ids, _, _ in waiting], self.layer, size=self.batch)
                cut = [runs(offsets, places) for _, offsets, _ in waiting]
                parts = list(zip(read, waiting, cut, strict=True))
                yield Pass(
                    np.concatenate([state[at[kept]] for state, (_, _, at), (_, _, kept) in parts]),
                    np.concatenate([offsets[kept] for _, (_, offsets, _), (_, _, kept) in parts]),
                    np.cumsum([0, *(size for bounds, _, _ in cut for size in np.diff(bounds))]).astype(np.intp),
                    np.concatenate([owners for _, owners, _ in cut]),
                    answer_states,
                    answer_offsets,
                )
                waiting = []


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
