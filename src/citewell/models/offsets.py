"""Tokens of a text with the code points of each, for any fast tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError

Pairs = npt.NDArray[np.int64]


def trimmed(text: str, offsets: Sequence[tuple[int, int]]) -> Pairs:
    """(n, 2) offsets without the white space that some tokenizers count to a token; empty ones become (0, 0).

    A character that a byte-level tokenizer cuts into several tokens belongs to each of them.
    """
    result = np.zeros((len(offsets), 2), dtype=np.int64)
    for row, (first, last) in enumerate(offsets):
        start, end = max(0, first), min(last, len(text))
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if end > start:
            result[row] = start, end
    return result


def encode(tokenizer: Any, text: str, *, special: bool) -> tuple[list[int], Pairs]:
    """Token ids of a text and their (n, 2) offsets; special tokens have (0, 0).

    Raises BackendError: the tokenizer keeps no offsets.
    """
    if not tokenizer.is_fast:
        raise BackendError(f"the tokenizer {type(tokenizer).__name__} keeps no offsets: a fast tokenizer is needed")
    coded = tokenizer(text, add_special_tokens=special, return_offsets_mapping=True, truncation=False, verbose=False)
    ids: list[int] = coded["input_ids"]
    return ids, trimmed(text, coded["offset_mapping"])


def count_tokens(tokenizer: Any, text: str, *, special: bool) -> int:
    """How many tokens a text has. Raises BackendError: the tokenizer keeps no offsets."""
    return len(encode(tokenizer, text, special=special)[0])


def inside(offsets: Pairs, start: int, end: int) -> npt.NDArray[np.intp]:
    """Positions of the tokens that hold something of `text[start:end]`."""
    overlaps = (offsets[:, 1] > offsets[:, 0]) & (offsets[:, 0] < end) & (offsets[:, 1] > start)
    return np.flatnonzero(overlaps)
