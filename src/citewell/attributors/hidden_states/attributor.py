"""Attribution by the likeness of token states: what was copied has states like those of where it was copied from.

Source: Phukan, Somasundaram, Saxena, Goswami and Srinivasan, Peering into the Mind of Language Models (2024).
One forward pass over document, question and answer; no training, no retrieval. Sub-task 1 (which answer tokens were
copied) is the granularity `token`, sub-task 2 (where a span was copied from) the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from citewell.attributors.hidden_states.match import Matrix, Positions, best_windows, nearest_by_segment, nearest_tokens
from citewell.attributors.hidden_states.prompt import alone, prompts
from citewell.attributors.targets import statement_around, statements, targets
from citewell.document import Document
from citewell.models.loading import Loaded, bidirectional
from citewell.models.local import BatchedModel
from citewell.models.offsets import Pairs, inside
from citewell.models.states import token_states
from citewell.text.spans import last_before
from citewell.types import Citation, Draft, Granularity, Segment, Span

GAP = "\n\n"  # between documents that are read together
CHUNK = 8192  # document tokens matched at once, which bounds the memory


class Pass(NamedTuple):
    """States of document tokens and of the answer tokens they are compared with.

    `offsets` are positions in the joined text of all documents; bound k of `bounds` to the next one holds the tokens
    of the segment `owners[k]`.
    """

    states: Matrix
    offsets: Pairs
    bounds: Positions
    owners: Positions
    answer_states: Matrix
    answer_offsets: Pairs


class Place(NamedTuple):
    """A segment, the document it is of, and its range in the joined text."""

    document: int
    segment: Segment
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class HiddenStates(BatchedModel):
    """Cite the segments, or the tokens, whose states are most like those of the answer.

    Attributes:
        model: any base model, causal or encoder; hub id or path.
        layer: 0 the embeddings, -1 the last. The middle layers of large models tell equal passages apart best;
            layer 0 of models with rotary positions only sees the token itself.
        threshold: for tokens, the cosine that a copied token exceeds; -1 cites all, for a precision-recall curve.
        least: for segments, the cosine below which nothing is cited.
        window: most tokens of a window.
        anchors: only windows around this many tokens that are most like the span, as published; 0 takes every
            window, which finds the same or better ones.
        passages: encode segment by segment, without the question, which suits encoders with a short context; None
            does so for encoders and not for causal models.
        match: `windows`, the published way: the mean state of the span against the means of windows; `tokens`: the
            mean over the span's tokens of the best cosine in a segment, as late-interaction retrieval does (Khattab
            and Zaharia, ColBERT, 2020), each token weighted by how far its best segment is above the average one;
            None takes `tokens` where passages are encoded alone.
        context: how much the statement around a target counts beside the target itself, 0 to 1.
        limit: most tokens of a prompt, for less than the model takes.
    """

    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    layer: int = -2
    threshold: float = 0.82
    least: float = 0.0
    window: int = 64
    anchors: int = 0
    passages: bool | None = None
    match: str | None = None
    context: float = 0.3
    limit: int | None = None
    name: ClassVar[str] = "hidden-states"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window < 1 or self.anchors < 0:
            raise ValueError("window is at least 1 and anchors at least 0")
        if self.match not in (None, "windows", "tokens"):
            raise ValueError(f"match is windows or tokens, not {self.match!r}")
        if not 0 <= self.context <= 1:
            raise ValueError("context lies between 0 and 1")

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target, grouped by target, best first; without `k` one segment a target, or all tokens.

        The score of a segment is the cosine of its best window with the target's mean state, that of a token the
        cosine of its nearest token in the documents.

        Raises:
            BackendError: the model cannot be loaded or does not hold what it must.
        """
        wanted = targets(draft)
        if not wanted or not documents:
            return ()
        loaded = self.load("encoder")
        places, text = join(documents, "sentence" if granularity == "token" else granularity)
        apart = bidirectional(loaded) if self.passages is None else self.passages
        passes = self._alone(loaded, draft, places) if apart else self._together(loaded, draft, places, text)
        if granularity == "token":
            return self._tokens(documents, places, passes, wanted, k)
        match = self.match or ("tokens" if apart else "windows")
        return self._segments(draft, documents, places, passes, wanted=wanted, match=match, k=k)

    def _together(self, loaded: Loaded, draft: Draft, places: Sequence[Place], text: str) -> Iterator[Pass]:
        spans = statements(draft)
        shown = prompts(loaded, text, draft.text, question=draft.question, statements=spans, limit=self.limit)
        for prompt in shown:
            states = token_states(loaded, [prompt.ids], self.layer)[0]
            bounds, owners, kept = _bounds(prompt.document, places)
            if len(kept):
                yield Pass(
                    states[prompt.document_at[kept]],
                    prompt.document[kept],
                    bounds,
                    owners,
                    states[prompt.answer_at],
                    prompt.answer,
                )

    def _alone(self, loaded: Loaded, draft: Draft, places: Sequence[Place]) -> Iterator[Pass]:
        answers = list(alone(loaded, draft.text, self.limit))
        states = token_states(loaded, [ids for ids, _, _ in answers], self.layer, size=self.batch)
        answer_states = np.concatenate([state[at] for state, (_, _, at) in zip(states, answers, strict=True)])
        answer_offsets = np.concatenate([offsets for _, offsets, _ in answers])
        waiting: list[tuple[int, list[int], Pairs, Positions]] = []
        for number, place in enumerate(places):
            for ids, offsets, at in alone(loaded, place.segment.text, self.limit):
                if len(at):
                    waiting.append((number, ids, offsets + place.start, at))
            if sum(len(at) for _, _, _, at in waiting) > CHUNK or number == len(places) - 1:
                if waiting:
                    states = token_states(loaded, [ids for _, ids, _, _ in waiting], self.layer, size=self.batch)
                    yield Pass(
                        np.concatenate([state[at] for state, (_, _, _, at) in zip(states, waiting, strict=True)]),
                        np.concatenate([offsets for _, _, offsets, _ in waiting]),
                        np.cumsum([0, *(len(at) for _, _, _, at in waiting)]).astype(np.intp),
                        np.array([number for number, _, _, _ in waiting], dtype=np.intp),
                        answer_states,
                        answer_offsets,
                    )
                waiting = []

    def _segments(
        self,
        draft: Draft,
        documents: Sequence[Document],
        places: Sequence[Place],
        passes: Iterator[Pass],
        *,
        wanted: Sequence[Span],
        match: str,
        k: int | None,
    ) -> tuple[Citation, ...]:
        scored = self._by_tokens if match == "tokens" else self._by_windows
        scores = scored(draft, wanted, passes, len(places))
        result: list[Citation] = []
        # Equal passages differ in the last digits when they were padded differently: the first of them is meant.
        for target, row in zip(wanted, scores.round(5), strict=True):
            order = np.argsort(-row, kind="stable")[: 1 if k is None else k]
            for position in order.tolist():
                if np.isfinite(row[position]) and row[position] >= self.least:
                    place = places[position]
                    result.append(
                        Citation.of(
                            place.segment,
                            documents[place.document].id,
                            target,
                            float(min(1.0, row[position])),
                            self.name,
                        )
                    )
        return tuple(result)

    def _by_windows(self, draft: Draft, wanted: Sequence[Span], passes: Iterator[Pass], count: int) -> Matrix:
        """(targets, segments) cosines of the best windows, of the best pass where several show a segment."""
        scores = np.full((len(wanted), count), -np.inf, dtype=np.float32)
        for part in passes:
            own = [inside(part.answer_offsets, *target) for target in wanted]
            shown = [number for number, at in enumerate(own) if len(at)]
            if not shown:
                continue
            cosines = self._windows(part, [own[number] for number in shown])
            if self.context:
                around = [statement_around(draft, wanted[number]) for number in shown]
                wider = self._windows(part, [inside(part.answer_offsets, *span) for span in around])
                cosines = (1 - self.context) * cosines + self.context * wider
            for column, owner in enumerate(part.owners.tolist()):
                scores[shown, owner] = np.maximum(scores[shown, owner], cosines[:, column])
        return scores

    def _windows(self, part: Pass, spans: Sequence[Positions]) -> Matrix:
        means = np.stack([part.answer_states[at].mean(axis=0) for at in spans])
        return best_windows(means, part.states, part.bounds, self.window, anchors=self.anchors).scores

    def _by_tokens(self, draft: Draft, wanted: Sequence[Span], passes: Iterator[Pass], count: int) -> Matrix:
        """(targets, segments) weighted means of the best cosines of the target's tokens."""
        nearest: dict[tuple[int, int], Matrix] = {}
        for part in passes:
            rows = nearest_by_segment(part.answer_states, part.states, part.bounds)
            for offsets, row in zip(map(tuple, part.answer_offsets.tolist()), rows, strict=True):
                best = nearest.setdefault(offsets, np.full(count, -np.inf, dtype=np.float32))
                np.maximum.at(best, part.owners, row)
        scores = np.full((len(wanted), count), -np.inf, dtype=np.float32)
        if not nearest:
            return scores
        tokens = np.array(list(nearest), dtype=np.int64)
        cosines = np.stack(list(nearest.values()))
        seen = np.isfinite(cosines).all(axis=0)  # a segment without tokens is never shown
        if not seen.any():
            return scores
        cosines = cosines[:, seen]
        weights = np.maximum(cosines.max(axis=1, initial=-1) - cosines.mean(axis=1), 1e-6)
        for number, target in enumerate(wanted):
            own, around = inside(tokens, *target), inside(tokens, *statement_around(draft, target))
            if len(own):
                row = (1 - self.context) * np.average(cosines[own], axis=0, weights=weights[own])
                scores[number, seen] = row + self.context * np.average(cosines[around], axis=0, weights=weights[around])
        return scores

    def _tokens(
        self,
        documents: Sequence[Document],
        places: Sequence[Place],
        passes: Iterator[Pass],
        wanted: Sequence[Span],
        k: int | None,
    ) -> tuple[Citation, ...]:
        best: dict[Span, tuple[float, Span]] = {}
        for part in passes:
            values, where = nearest_tokens(part.answer_states, part.states)
            for offsets, value, token in zip(
                part.answer_offsets.tolist(), values.tolist(), where.tolist(), strict=True
            ):
                said, source = Span(*offsets), Span(*part.offsets[token].tolist())
                if said not in best or value > best[said][0]:
                    best[said] = value, source
        starts = [place.start for place in places]
        result: list[Citation] = []
        for target in wanted:
            cited: list[Citation] = []
            for said, (value, source) in best.items():
                if value > self.threshold and said.start < target.end and said.end > target.start:
                    place = places[last_before(starts, source.start)]
                    document = documents[place.document]
                    moved = place.segment.start - place.start
                    at = Span(source.start + moved, source.end + moved)
                    score = float(min(1.0, max(0.0, value)))
                    cited.append(document.cite(at, place.segment.id, said, score=score, method=self.name))
            cited.sort(key=lambda citation: (-citation.score, citation.answer_start))
            result.extend(cited[:k])
        return tuple(result)


def join(documents: Sequence[Document], granularity: Granularity) -> tuple[list[Place], str]:
    """The segments of all documents with their ranges in the documents' texts joined."""
    places: list[Place] = []
    base = 0
    for number, document in enumerate(documents):
        segments = document.segments(granularity)
        places.extend(Place(number, segment, base + segment.start, base + segment.end) for segment in segments)
        base += len(document.text) + len(GAP)
    return places, GAP.join(document.text for document in documents)


def _bounds(offsets: Pairs, places: Sequence[Place]) -> tuple[Positions, Positions, Positions]:
    """Bounds of the runs of tokens that stand in one segment, the segments, and which tokens stand in one at all."""
    starts = np.array([place.start for place in places], dtype=np.int64)
    ends = np.array([place.end for place in places], dtype=np.int64)
    # A token that straddles two segments belongs to the one where it ends.
    owner = np.searchsorted(starts, offsets[:, 1] - 1, side="right") - 1
    kept = np.flatnonzero((owner >= 0) & (offsets[:, 0] < ends[owner]))
    owner = owner[kept]
    change = np.flatnonzero(np.diff(owner)) + 1
    bounds = np.concatenate([[0], change, [len(owner)]]).astype(np.intp)
    return bounds, owner[bounds[:-1]] if len(owner) else owner, kept
