"""Batching by length: texts are sorted by length so that little padding is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt


def batches(lengths: Sequence[int], size: int = 32, tokens: int = 16384) -> Iterator[npt.NDArray[np.intp]]:
    """Positions of the items, longest first, in batches.

    Args:
        lengths: of the items, in tokens.
        size: most items in a batch.
        tokens: most tokens in a batch, padding included; one longer item makes a batch alone.

    The longest come first, so that a batch that does not fit the memory fails at once and not after an hour.
    """
    order = np.argsort(-np.asarray(lengths, dtype=np.int64), kind="stable")
    start = 0
    while start < len(order):
        longest = max(1, int(lengths[order[start]]))
        end = min(len(order), start + max(1, min(size, tokens // longest)))
        yield order[start:end]
        start = end
