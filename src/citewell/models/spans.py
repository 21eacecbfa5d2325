"""Spans that a reader marks as the answer, and the probability that there is one: start and end logits.

What stands against an answer is the span of the first token, as models trained on SQuAD 2.0 have learned it. Source:
Devlin et al., BERT (2019), section 4.3.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.errors import BackendError, notes
from citewell.models import forward
from citewell.models.batches import batches
from citewell.models.loading import Loaded, context_length

Matrix = npt.NDArray[np.float32]


class Marked(NamedTuple):
    """The best span of a text, by offsets, and the log odds that it answers against that nothing there does."""

    start: int
    end: int
    odds: float


def marked(
    loaded: Loaded, question: str, texts: Sequence[str], *, size: int = 16, longest: int = 30, limit: int | None = None
) -> list[Marked | None]:
    """The best span of each text; None where the question leaves no room for any of it.

    Args:
        loaded: a reader.
        question: what is asked; cut where it takes more than half of what the model reads at once.
        texts: where the answer is sought, cut where they are too long.
        size: most texts in a batch.
        longest: most tokens of an answer.
        limit: most tokens that are read at once.

    Raises:
        BackendError: the tokenizer keeps no offsets.
    """
    tokenizer, most = loaded.tokenizer, context_length(loaded, limit)
    if not tokenizer.is_fast:
        raise BackendError(f"the tokenizer {type(tokenizer).__name__} keeps no offsets: a fast tokenizer is needed")
    question_tokens = len(tokenizer(question, add_special_tokens=False, verbose=False)["input_ids"])
    how = {"truncation": "only_second" if question_tokens <= most // 2 else "longest_first", "max_length": most}
    coded = [dict(tokenizer(question, text, return_offsets_mapping=True, verbose=False, **how)) for text in texts]
    offsets: list[Any] = [item.pop("offset_mapping") for item in coded]
    notes.count("model pairs", len(coded))
    result: list[Marked | None] = [None] * len(texts)
    for group in batches([len(item["input_ids"]) for item in coded], size):
        starts, ends = forward.spans(loaded, [coded[number] for number in group])
        for row, number in enumerate(group.tolist()):
            count = len(coded[number]["input_ids"])
            result[number] = best(starts[row, :count], ends[row, :count], offsets[number], longest)
    return result


def best(starts: Matrix, ends: Matrix, offsets: Sequence[tuple[int, int]], longest: int) -> Marked | None:
    """The best span among the tokens of the second text."""
    return stretch(starts, ends, offsets, range(*_second(offsets)), longest)


def stretch(
    starts: Matrix, ends: Matrix, offsets: Sequence[tuple[int, int]], within: range, longest: int
) -> Marked | None:
    """The best span among the tokens of a part; None where it has none."""
    first, last = within.start, within.stop
    if first >= last:
        return None
    sums = starts[first:last, None] + ends[None, first:last]
    place = np.arange(last - first)
    length = place[None, :] - place[:, None]
    sums = np.where((length >= 0) & (length < longest), sums, -np.inf)
    start, end = divmod(int(sums.argmax()), last - first)
    odds = float(sums[start, end] - starts[0] - ends[0])
    return Marked(int(offsets[first + start][0]), int(offsets[first + end][1]), odds)


def _second(offsets: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Where the tokens of the second text begin and end: special tokens, without offsets, part it from the first."""
    runs, place = [], 0
    for special, run in itertools.groupby(offsets, key=lambda pair: tuple(pair) == (0, 0)):
        count = len(list(run))
        if not special:
            runs.append((place, place + count))
        place += count
    return runs[-1] if len(runs) > 1 else (0, 0)
