"""Decides whether two texts are in different languages, so that their words cannot be compared."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from citewell.text.stopwords import shared
from citewell.text.words import words

FEW = 2  # function words that show a language in a text as short as a sentence
_ADDRESS = re.compile(r"\bhttps?://\S+")
READ = 4000  # characters that show the script and the language of a text


def differ(first: str, second: str) -> bool:
    """Whether two texts are in different scripts, or each clearly in a language that the other is not in.

    Where the function words of either are few, or shared by both languages, the texts are taken to be in one:
    names and numbers are everybody's, and a claim that is not judged helps nobody.
    """
    (script, mine), (other, theirs) = (
        _detect(_ADDRESS.sub(" ", first[:READ])),
        _detect(_ADDRESS.sub(" ", second[:READ])),
    )
    if script and other and script != other:
        return True
    here, there = _most(mine), _most(theirs)
    return mine[here] >= FEW and mine[here] > FEW * mine[there] and theirs[there] > FEW * theirs[here]


def _most(counts: Mapping[str, int]) -> str:
    """The language that has most of the function words; English where several have as many."""
    return max(counts, key=lambda code: (counts[code], code == "en"))


@lru_cache(maxsize=1024)
def _detect(text: str) -> tuple[str, Mapping[str, int]]:
    """The script of a text and how many function words of each language it has."""
    return _script(text), shared(words(text).spellings)


def _script(text: str) -> str:
    """The script of most letters; those of one writing system count together."""
    if text.isascii():
        return "LATIN" if any(map(str.isalpha, text)) else ""
    counts = Counter[str]()
    for char, count in Counter(text).items():
        if char.isalpha():
            counts[_of(char)] += count
    return counts.most_common(1)[0][0] if counts else ""


@lru_cache(maxsize=4096)
def _of(char: str) -> str:
    name = unicodedata.name(char, "").split(" ")[0].split("-")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA", "HANGUL") else name
