"""Searches in the passes over document and answer: nearest tokens, best segments, best windows.

A long document is shown in several passes. Each search is given them one by one and keeps what was best, so that the
states of a pass can be let go of before the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from citewell.attributors.hidden_states.match import (
    Best,
    Matrix,
    Positions,
    best_windows,
    nearest_by_segment,
    nearest_tokens,
)
from citewell.attributors.targets import statement_around
from citewell.models.offsets import Pairs, inside
from citewell.types import Draft, Span


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


class NearestTokens:
    """For each token of the answer its nearest token of the documents: `best[said]` is the cosine and the source."""

    def __init__(self) -> None:
        self.best: dict[Span, tuple[float, Span]] = {}

    def add(self, part: Pass) -> None:
        """Look through a pass."""
        values, where = nearest_tokens(part.answer_states, part.states)
        for offsets, value, token in zip(part.answer_offsets.tolist(), values.tolist(), where.tolist(), strict=True):
            token_span, source = Span(*offsets), Span(*part.offsets[token].tolist())
            if token_span not in self.best or value > self.best[token_span][0]:
                self.best[token_span] = value, source

    def copied(self, threshold: float) -> tuple[Span, ...]:
        """The runs of neighbouring tokens of the answer whose cosines exceed the threshold."""
        runs: list[Span] = []
        joins = False
        for token in sorted(self.best):
            if self.best[token][0] <= threshold:
                joins = False
            elif joins:
                runs[-1] = Span(runs[-1].start, max(runs[-1].end, token.end))
            else:
                runs.append(token)
                joins = True
        return tuple(runs)


class Windows:
    """(targets, segments) cosines of the best windows; windows of the statements around the targets count `context`.

    `starts` and `ends` are the offsets of each target's own best window, of the best pass that shows the segment.
    """

    def __init__(
        self, draft: Draft, targets: Sequence[Span], segments: int, *, most: int, anchors: int, context: float
    ) -> None:
        self.targets, self.most, self.anchors, self.context = targets, most, anchors, context
        self.around = [statement_around(draft, target) for target in targets]
        shape = (len(targets), segments)
        self.scores = np.full(shape, -np.inf, dtype=np.float32)
        self.target_scores = np.full(shape, -np.inf, dtype=np.float32)
        self.starts, self.ends = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)

    def add(self, part: Pass) -> None:
        """Look through a pass."""
        tokens = [inside(part.answer_offsets, *target) for target in self.targets]
        covered = [number for number, at in enumerate(tokens) if len(at)]
        if not covered:
            return
        best = self._best(part, [tokens[number] for number in covered])
        mixed = best.scores
        if self.context:
            wider = self._best(part, [inside(part.answer_offsets, *self.around[number]) for number in covered])
            mixed = (1 - self.context) * best.scores + self.context * wider.scores
        last = best.starts + np.maximum(best.lengths, 1) - 1
        starts, ends = part.offsets[best.starts, 0], np.maximum(part.offsets[best.starts, 1], part.offsets[last, 1])
        for column, owner in enumerate(part.owners.tolist()):
            self.scores[covered, owner] = np.maximum(self.scores[covered, owner], mixed[:, column])
            better = np.array(covered)[best.scores[:, column] > self.target_scores[covered, owner]]
            row = np.searchsorted(covered, better)
            self.target_scores[better, owner] = best.scores[row, column]
            self.starts[better, owner], self.ends[better, owner] = starts[row, column], ends[row, column]

    def at(self, target: int, segment: int) -> Span:
        """The target's own best window in a segment."""
        return Span(int(self.starts[target, segment]), int(self.ends[target, segment]))

    def _best(self, part: Pass, spans: Sequence[Positions]) -> Best:
        means = np.stack([part.answer_states[at].mean(axis=0) for at in spans])
        return best_windows(means, part.states, part.bounds, self.most, anchors=self.anchors)


class ByTokens:
    """(targets, segments) weighted means of the best cosines of the target's tokens, and of its statement's."""

    def __init__(self, draft: Draft, targets: Sequence[Span], segments: int, *, context: float) -> None:
        self.draft, self.targets, self.segments, self.context = draft, targets, segments, context
        self.nearest: dict[tuple[int, int], Matrix] = {}

    def add(self, part: Pass) -> None:
        """Look through a pass."""
        rows = nearest_by_segment(part.answer_states, part.states, part.bounds)
        for offsets, row in zip(map(tuple, part.answer_offsets.tolist()), rows, strict=True):
            best = self.nearest.setdefault(offsets, np.full(self.segments, -np.inf, dtype=np.float32))
            np.maximum.at(best, part.owners, row)

    @property
    def scores(self) -> Matrix:
        """Of all passes."""
        scores = np.full((len(self.targets), self.segments), -np.inf, dtype=np.float32)
        if not self.nearest:
            return scores
        tokens = np.array(list(self.nearest), dtype=np.int64)
        cosines = np.stack(list(self.nearest.values()))
        has_tokens = np.isfinite(cosines).all(axis=0)  # a segment without tokens is never shown
        if not has_tokens.any():
            return scores
        cosines = cosines[:, has_tokens]
        weights = np.maximum(cosines.max(axis=1, initial=-1) - cosines.mean(axis=1), 1e-6)
        for number, target in enumerate(self.targets):
            inner, around = inside(tokens, *target), inside(tokens, *statement_around(self.draft, target))
            if len(inner):
                row = (1 - self.context) * np.average(cosines[inner], axis=0, weights=weights[inner])
                wider = np.average(cosines[around], axis=0, weights=weights[around])
                scores[number, has_tokens] = row + self.context * wider
        return scores
