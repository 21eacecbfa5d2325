"""Passes of a model over document and answer, with the segment of each document token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from citewell.attributors.hidden_states.match import Positions
from citewell.attributors.hidden_states.search import Pass
from citewell.attributors.places import GAP, Place, join, runs
from citewell.attributors.prompts import alone, prompts
from citewell.attributors.targets import statements
from citewell.document import Document
from citewell.models.loading import Loaded
from citewell.models.offsets import Pairs
from citewell.models.states import token_states
from citewell.types import Draft

CHUNK = 8192  # document tokens matched at once, which bounds the memory


class Reader(NamedTuple):
    """A model that reads, at one layer.

    Attributes:
        loaded: the model.
        layer: whose states are wanted.
        apart: read paragraph by paragraph, and the answer by itself.
        limit: most tokens of a prompt, None for what the model takes.
        batch: most texts at once.
        wording: of the prompt, with the gaps {document} and {question}; None for ours.
    """

    loaded: Loaded
    layer: int
    apart: bool
    limit: int | None
    batch: int
    wording: str | None = None

    def passes(self, draft: Draft, documents: Sequence[Document], places: Sequence[Place]) -> Iterator[Pass]:
        """Passes that together show all documents; their tokens belong to the segments `places`.

        Raises:
            BackendError: the model's context is too small, or a pass failed.
        """
        if self.apart:
            return self._apart(draft, join(documents, "paragraph"), places)
        return self._together(draft, GAP.join(document.text for document in documents), places)

    def _together(self, draft: Draft, text: str, places: Sequence[Place]) -> Iterator[Pass]:
        chunks = prompts(self.loaded, text, draft.text, question=draft.question, statements=statements(draft),
                        limit=self.limit, wording=self.wording)  # fmt: skip
        for prompt in chunks:
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
