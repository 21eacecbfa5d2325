"""The words of a sentence for reading facts: spelling, key, weight, part of speech, function words."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from citewell.facts.kinship import Word, look_up
from citewell.text.index import background
from citewell.text.stopwords import stopwords
from citewell.text.words import words
from citewell.types import Span

_DENYING = frozenset("no not never none neither nor without cannot".split())


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sentence of N words. `keys` are stems of base forms, so that "rose" and "rise" share one.

    `content` are the words that say what the sentence is about, `names` those with a capital that is not the
    sentence's, `numbers` those of digits. `weights` are how rare a word is in English, 0 to 1.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    lower: tuple[str, ...]
    keys: tuple[str, ...]
    known: tuple[Word, ...]
    weights: tuple[float, ...]
    content: tuple[bool, ...]
    names: tuple[bool, ...]
    numbers: tuple[bool, ...]
    key_set: frozenset[str]
    pair_set: frozenset[tuple[str, str]]

    def __len__(self) -> int:
        """The number of words."""
        return len(self.lower)

    def between(self, start: int, end: int) -> range:
        """The positions of the words that overlap `text[start:end]`."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))

    def span(self, first: int, last: int | None = None) -> Span:
        """Where a word stands in the text, or all from one word to another."""
        return Span(self.starts[first], self.ends[first if last is None else last])

    def gap(self, place: int) -> str:
        """What stands between a word and the one before it."""
        return self.text[self.ends[place - 1] : self.starts[place]] if place else ""


class _Form(NamedTuple):
    """What a spelling says wherever it stands, in the order of the fields of `Tokens`."""

    lower: str
    key: str
    known: Word
    weight: float
    content: bool
    number: bool
    capital: bool


@lru_cache(maxsize=65536)
def _form(spelled: str) -> _Form:
    lower = _plain(spelled)
    known, denying = look_up(lower), lower.endswith("n't")
    key = "not" if denying else known.key
    content = not (denying or lower in stopwords()["en"] or lower in _DENYING)
    return _Form(lower, key, known, rarity(key), content, spelled[:1].isdigit(), spelled[:1].isupper())


@lru_cache(maxsize=8192)
def tokens(text: str) -> Tokens:
    """The words of a sentence of English."""
    vocabulary = words(text)
    starts, ends = vocabulary.starts.tolist(), vocabulary.ends.tolist()
    forms = [_form(spelled) for spelled in vocabulary.spellings]
    surface = [forms[number] for number in vocabulary.ids.tolist()]
    lower, keys, known, weights, content, numbers, _ = zip(*surface, strict=True) if surface else ((),) * 7
    return Tokens(
        text,
        tuple(starts),
        tuple(ends),
        lower,
        keys,
        known,
        weights,
        content,
        tuple(
            form.capital
            and form.content
            and (not form.known.entries or _joins(surface, place) or not _opens(text, starts[place]))
            for place, form in enumerate(surface)
        ),
        numbers,
        frozenset(keys),
        frozenset(pairwise(keys)),
    )


def _plain(word: str) -> str:
    lower = word.lower().replace("’", "'")
    return lower.removesuffix("'s").rstrip("'")


def _joins(words: Sequence[_Form], place: int) -> bool:
    """A capital that opens a sentence is a name's where the next word has one too; "Yes I do" is none."""
    return place + 1 < len(words) and words[place + 1].capital and words[place + 1].content


def _opens(text: str, start: int) -> bool:
    """Whether a word opens a sentence or a quotation: its capital says nothing."""
    before = text[max(0, start - 3) : start].rstrip(" \"'“‘”’([*_")
    return not before or before[-1] in ".!?:;\n•"


def rarity(key: str) -> float:
    """How rare a word is in English by the background's counts: 0 in every sentence, 1 not listed."""
    listed, rare = background("en")
    return max(0.0, math.log(max(rare, min(1.0, listed.get(key, rare)))) / math.log(rare))
