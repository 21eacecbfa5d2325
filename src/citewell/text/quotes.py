"""Locates a quotation in a text: exactly, otherwise ignoring blanks, case and punctuation marks."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple


class Letters(NamedTuple):
    """Letters and digits of a text alone, folded, and the offset of each."""

    text: str
    offsets: Sequence[int]


def letters(text: str) -> Letters:
    """A text's letters and digits alone, folded, each with its offset."""
    kept: list[str] = []
    offsets: list[int] = []
    for place, char in enumerate(text):
        for folded in unicodedata.normalize("NFKC", char).casefold():
            if folded.isalnum():
                kept.append(folded)
                offsets.append(place)
    return Letters("".join(kept), offsets)


def find(text: str, compact: Letters, quote: str, near: int = 0) -> tuple[int, int] | None:
    """The place of a quotation that is nearest to an offset; None where its letters stand nowhere.

    Args:
        text: where it is looked for.
        compact: the letters of that text.
        quote: what is looked for.
        near: the offset.
    """
    wanted = quote.strip()
    if not wanted:
        return None
    places = [match.start() for match in re.finditer(re.escape(wanted), text)]
    if places:
        best = min(places, key=lambda place: abs(place - near))
        return best, best + len(wanted)
    bare = letters(wanted).text
    if not bare:
        return None
    at = bisect_left(compact.offsets, near)
    index = max(compact.text.rfind(bare, 0, at), compact.text.find(bare, max(0, at - 1)))
    index = index if index >= 0 else compact.text.find(bare)
    return (compact.offsets[index], compact.offsets[index + len(bare) - 1] + 1) if index >= 0 else None
