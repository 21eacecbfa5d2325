"""Word lists compiled to one pattern, and lower case that keeps offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

GAP = r"[\s\-]{1,3}"  # what may part the words of a phrase


def alternation(words: Iterable[str]) -> str:
    """A pattern that matches the longest of `words`, shared beginnings factored out so that it fails early.

    A space in a word matches a `GAP`: up to three spaces, line ends or hyphens.
    """
    trie: dict[str, Any] = {}
    for word in words:
        node = trie
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _pattern(trie)


def _pattern(node: dict[str, Any]) -> str:
    ends = "" in node
    branches = [
        (GAP if char == " " else re.escape(char)) + _pattern(rest) for char, rest in sorted(node.items()) if char
    ]
    if not branches:
        return ""
    if len(branches) == 1 and not ends:
        return branches[0]
    return "(?:" + "|".join(branches) + ")" + ("?" if ends else "")


_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255}")


def without_addresses(text: str) -> str:
    """`text` with blanks for web and mail addresses, whose digits and words say nothing."""
    if "://" not in text and "www." not in text and "@" not in text:
        return text
    return _ADDRESS.sub(lambda match: " " * len(match[0]), text)


def lowered(text: str) -> str:
    """`text` in lower case with every offset kept: the few letters that would grow stay as they are."""
    lower = text.lower()
    return (
        lower if len(lower) == len(text) else "".join(low if len(low := char.lower()) == 1 else char for char in text)
    )


_BETWEEN_WORDS = " \n\t\u00a0-–(["


def words_before(lower: str, start: int, reach: int = 26) -> list[str]:
    """The words, up to three, that stand in the `reach` characters before `start`; the first may be cut."""
    return lower[max(0, start - reach) : start].rstrip(_BETWEEN_WORDS).split()[-3:]


def word_before(lower: str, start: int) -> str:
    """The word before `start`, an article between skipped; empty where a sign or a number stands there."""
    words = words_before(lower, start)
    if not words:
        return ""
    word = words[-2] if words[-1] == "the" and len(words) > 1 else words[-1]
    word = word.lstrip("([\"'“‘").removesuffix(".")
    return word if word.isalpha() else word.rpartition("-")[2]
