"""Probabilities of a sequence classifier for pairs of texts: repeated pairs once, batches by length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from citewell.errors import notes
from citewell.models import forward
from citewell.models.batches import batches
from citewell.models.loading import Loaded, context_length

Matrix = npt.NDArray[np.float32]
TextPair = tuple[str, str]


def logits(
    loaded: Loaded,
    pairs: Sequence[TextPair],
    *,
    size: int = 32,
    limit: int | None = None,
    swapped: bool = False,
) -> Matrix:
    """(pairs, labels) logits. What exceeds the model's context is cut from the first text of a pair.

    Args:
        loaded: a sequence classifier.
        pairs: first and second text; an empty second text makes a single one.
        size: most pairs in a batch.
        limit: most tokens of a pair.
        swapped: show the model the second text before the first; the first is still the one that is cut.
    """
    distinct = list(dict.fromkeys(pairs))
    notes.count("model pairs", len(distinct))
    most = context_length(loaded, limit)
    if not distinct:
        return np.zeros((0, int(loaded.model.config.num_labels)), dtype=np.float32)
    coded = [_encode(loaded, first, second, most, swapped) for first, second in distinct]
    lengths = [len(item["input_ids"]) for item in coded]
    result = np.zeros((len(distinct), int(loaded.model.config.num_labels)), dtype=np.float32)
    for group in batches(lengths, size):
        result[group] = forward.logits(loaded, [coded[i] for i in group])
    where = {pair: position for position, pair in enumerate(distinct)}
    chosen: Matrix = result[[where[pair] for pair in pairs]]
    return chosen


def _encode(loaded: Loaded, first: str, second: str, most: int, swapped: bool) -> dict[str, list[int]]:
    tokenizer = loaded.tokenizer
    if not second:
        return dict(tokenizer(first, truncation=True, max_length=most, verbose=False))
    room = most - len(tokenizer(second, add_special_tokens=False, verbose=False)["input_ids"]) - 8
    # A claim longer than the context is cut as well.
    strategy = "longest_first" if room <= 0 else "only_second" if swapped else "only_first"
    texts = (second, first) if swapped else (first, second)
    return dict(tokenizer(*texts, truncation=strategy, max_length=most, verbose=False))


def softmax(values: Matrix) -> Matrix:
    """Probabilities along the last axis."""
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    total: Matrix = shifted / shifted.sum(axis=-1, keepdims=True)
    return total


def sigmoid(values: Matrix) -> Matrix:
    """Probabilities of single logits."""
    return (1 / (1 + np.exp(-np.clip(values, -60, 60)))).astype(np.float32)
