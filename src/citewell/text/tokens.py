"""Estimates how many tokens a text has, without a model's tokenizer."""

from __future__ import annotations

import re
from functools import cache


@cache
def _pieces() -> re.Pattern[str]:
    """A word of a Latin script, a run of digits, a character of a script without spaces, a mark, a line break."""
    return re.compile(r"[A-Za-z]+|[^\W\d_A-Za-z⺀-鿿가-힯豈-﫿]+|\d+|[⺀-鿿가-힯豈-﫿]|[^\w\s]|\n")


def estimate(text: str) -> int:
    """About how many tokens a text has, rather too many than too few; 0 for the empty text.

    Byte-pair vocabularies hold most English words of up to about seven letters; longer words take a token for every
    five further letters, other alphabets one for two letters, digits one for three, Chinese, Japanese and Korean
    about one a character.
    """
    count = 0
    for piece in _pieces().findall(text):
        first = piece[0]
        if first.isascii() and first.isalpha():
            count += 1 if len(piece) <= 7 else 2 + (len(piece) - 8) // 5
        elif first.isdigit():
            count += (len(piece) + 2) // 3
        else:
            count += (len(piece) + 1) // 2
    return count
