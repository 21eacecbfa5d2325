"""Splits a text into windows if a model cannot read all of it at once."""

from __future__ import annotations

from typing import Any

from citewell.types import Span


def windows(tokenizer: Any, text: str, room: int, shared: int) -> list[Span]:
    """The parts, in order; the whole text where there is room for it.

    Args:
        tokenizer: of the model.
        text: what is read.
        room: most tokens of a part.
        shared: tokens that two neighbours have in common, so that what is no longer stands whole in one of them; at
            most half of a part.
    """
    encoding = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    offsets, room = encoding["offset_mapping"], max(1, room)
    if len(offsets) <= room:
        return [Span(0, len(text))]
    firsts = range(0, len(offsets) - min(shared, room // 2), room - min(shared, room // 2))
    cut = [(int(offsets[first][0]), int(offsets[min(first + room, len(offsets)) - 1][1])) for first in firsts]
    return [
        Span(0 if start == cut[0][0] else start, len(text) if number == len(cut) - 1 else end)
        for number, (start, end) in enumerate(cut)
    ]
