"""Whether two texts are in different languages, so that the words of one tell nothing of the other."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache, lru_cache

from citewell.text.stopwords import shared
from citewell.text.words import language, words

FEW = 2  # function words that show a language in a text as short as a sentence
READ = 4000  # characters that show the script and the language of a text


def differ(first: str, second: str) -> bool:
    """Whether two texts are in different scripts, or in different languages as their function words tell.

    Short texts without function words are taken to be in one language: names and numbers are everybody's.
    """
    script, (other, shown) = _script(first[:READ]), _seen(second[:READ])
    if script and other and script != other:
        return True
    counts = shared(words(first[:READ]).spellings)
    own = counts.get(shown, 0)
    return any(count >= FEW and count > FEW * own for count in counts.values())


@lru_cache(maxsize=64)
def _seen(text: str) -> tuple[str, str]:
    """The script and the language of a text that many others are held against."""
    return _script(text), language(words(text).spellings)


def _script(text: str) -> str:
    """The script of most letters; those of one writing system count together."""
    if text.isascii():
        return "LATIN" if any(map(str.isalpha, text)) else ""
    counts = Counter[str]()
    for char, count in Counter(text).items():
        if char.isalpha():
            counts[_of(char)] += count
    return counts.most_common(1)[0][0] if counts else ""


@cache
def _of(char: str) -> str:
    name = unicodedata.name(char, "").split(" ")[0].split("-")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA", "HANGUL") else name
