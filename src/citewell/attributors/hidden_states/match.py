"""Matching for the hidden-states attributor: from arrays of token states to the best tokens and windows.

Source: Phukan et al., Peering into the Mind of Language Models (2024), sections 4.2.1 and 4.2.2. Windows are compared
through sums of dot products, so that no window's mean is ever formed: the dot product of a span with a window is a
difference of prefix sums, and the length of a window's sum follows from the band of the tokens' dot products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]
Positions = npt.NDArray[np.intp]
TINY = 1e-12


class Best(NamedTuple):
    """For S spans and N segments: the best window's cosine, first token and length; -inf where there is no window."""

    scores: Matrix
    starts: Positions
    lengths: Positions


def unit(states: Matrix) -> Matrix:
    """States scaled to length 1."""
    scaled: Matrix = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), TINY)
    return scaled


def nearest_tokens(answer: Matrix, document: Matrix, block: int = 1024) -> tuple[Matrix, Positions]:
    """The best cosine of each answer token to a document token, and that token; the first of equals.

    Args:
        answer: (m, d) states.
        document: (n, d) states, n at least 1.
        block: document tokens compared at once, which bounds the memory to m times this.
    """
    best = np.full(len(answer), -np.inf, dtype=np.float32)
    where = np.zeros(len(answer), dtype=np.intp)
    left, right = unit(answer), unit(document)
    for start in range(0, len(document), block):
        cosines = left @ right[start : start + block].T
        column = cosines.argmax(axis=1)
        value = cosines[np.arange(len(answer)), column]
        better = value > best
        best[better], where[better] = value[better], column[better] + start
    return best, where


def nearest_by_segment(answer: Matrix, states: Matrix, bounds: Positions, block: int = 1024) -> Matrix:
    """(m, N) the best cosine of each answer token to a token of each segment.

    Args:
        answer: (m, d) states.
        states: (n, d) states of the document's tokens.
        bounds: (N + 1,) as for `best_windows`.
        block: about how many document tokens are compared at once; a longer segment is compared whole.
    """
    left = unit(answer)
    result = np.zeros((len(answer), len(bounds) - 1), dtype=np.float32)
    first = 0
    while first < len(bounds) - 1:
        last = max(first + 1, int(np.searchsorted(bounds, bounds[first] + block, side="right")) - 1)
        cosines = left @ unit(states[bounds[first] : bounds[last]]).T
        result[:, first:last] = np.maximum.reduceat(cosines, bounds[first:last] - bounds[first], axis=1)
        first = last
    return result


def window_norms(states: Matrix, limit: int) -> Matrix:
    """(limit, n): entry [l, i] is the length of the sum of the states i to i + l; 0 beyond the end.

    The squared length of a window's sum is that of the window one shorter, plus the new token's own, plus twice its
    dot products with the others, of which one row of the band is new and the rest was summed before.
    """
    n = len(states)
    band = _band(states, limit)
    result = np.zeros((limit, n), dtype=np.float32)
    with_earlier = np.zeros(n, dtype=np.float64)  # [i]: dot products of token i + l with the tokens i to i + l - 1
    square = band[0].copy()
    result[0] = np.sqrt(np.maximum(square, 0))
    for length in range(1, min(limit, n)):
        rows = n - length
        with_earlier = band[length, :rows] + (with_earlier[1 : rows + 1] if length > 1 else 0)
        square = square[:rows] + 2 * with_earlier + band[0, length:]
        result[length, :rows] = np.sqrt(np.maximum(square, 0))
    return result


def _band(states: Matrix, limit: int) -> npt.NDArray[np.float64]:
    """(limit, n): entry [l, i] is the dot product of the states i and i + l, 0 beyond the end."""
    n = len(states)
    block = max(128, limit)
    result = np.zeros((limit, n), dtype=np.float64)
    for start in range(0, n, block):
        rows = states[start : start + block]
        products = rows @ states[start : start + len(rows) + limit - 1].T
        count = len(rows)
        for length in range(min(limit, n - start)):
            diagonal = products.diagonal(length)[:count]
            result[length, start : start + len(diagonal)] = diagonal
    return result


def best_windows(
    spans: Matrix, states: Matrix, bounds: Positions, limit: int, *, anchors: int = 0, block: int = 32
) -> Best:
    """The best window of each segment for each span.

    Args:
        spans: (S, d) mean states of the spans.
        states: (n, d) states of the document's tokens.
        bounds: (N + 1,) ascending positions: segment k has the tokens `bounds[k]:bounds[k + 1]`; none may be empty.
        limit: most tokens of a window. A window never leaves its segment.
        anchors: only windows that hold one of this many tokens that are most like the span; 0 takes every window.
        block: spans at once, which bounds the memory to this times n.
    """
    count, n = len(bounds) - 1, len(states)
    limit = max(1, min(limit, int(np.diff(bounds).max(initial=1))))
    norms = np.maximum(window_norms(states, limit), TINY)
    room = np.repeat(bounds[1:], np.diff(bounds)) - np.arange(n)  # tokens from each one to its segment's end
    shape = (len(spans), count)
    result = Best(np.full(shape, -np.inf, dtype=np.float32), np.zeros(shape, np.intp), np.zeros(shape, np.intp))
    unit_spans = unit(spans)
    for first in range(0, len(spans), block):
        part = unit_spans[first : first + block]
        dots = (part @ states.T).astype(np.float64)
        sums = np.concatenate([np.zeros((len(part), 1)), np.cumsum(dots, axis=1)], axis=1)
        anchor_counts = _anchored(dots, states, anchors) if anchors else None
        best, lengths = _best_from_each_start(sums, norms, room, limit, anchor_counts)
        starts = bounds[:-1]
        scores = np.maximum.reduceat(best, starts, axis=1)
        # The first start that reaches the segment's best score.
        segment = np.repeat(np.arange(count), np.diff(bounds))
        reached = np.where(best == scores[:, segment], np.arange(n), n)
        where = np.minimum.reduceat(reached, starts, axis=1)
        rows = slice(first, first + len(part))
        result.scores[rows] = scores
        result.starts[rows] = where
        result.lengths[rows] = np.take_along_axis(lengths, where, axis=1)
    return result


def _anchored(dots: npt.NDArray[np.float64], states: Matrix, anchors: int) -> Positions:
    """(S, n + 1) running counts of the anchor tokens."""
    cosines = dots / np.maximum(np.linalg.norm(states, axis=1), TINY)
    chosen = np.argsort(-cosines, axis=1, kind="stable")[:, :anchors]
    flags = np.zeros((len(dots), dots.shape[1] + 1), dtype=np.intp)
    np.put_along_axis(flags, chosen + 1, 1, axis=1)
    running: Positions = np.cumsum(flags, axis=1)
    return running


def _best_from_each_start(
    sums: npt.NDArray[np.float64], norms: Matrix, room: Positions, limit: int, anchor_counts: Positions | None
) -> tuple[Matrix, Positions]:
    """(S, n) the best cosine of the windows that start at each token, and the length of that window."""
    n = norms.shape[1]
    best = np.full((len(sums), n), -np.inf, dtype=np.float32)
    lengths = np.zeros((len(sums), n), dtype=np.intp)
    for length in range(1, min(limit, n) + 1):
        starts = np.flatnonzero(room >= length)
        if not len(starts):
            break
        cosines = ((sums[:, starts + length] - sums[:, starts]) / norms[length - 1, starts]).astype(np.float32)
        if anchor_counts is not None:
            cosines[anchor_counts[:, starts + length] == anchor_counts[:, starts]] = -np.inf
        current = best[:, starts]
        better = cosines > current
        best[:, starts] = np.where(better, cosines, current)
        lengths[:, starts] = np.where(better, length, lengths[:, starts])
    return best, lengths
