"""Numerals in words: "one hundred and twenty", "two-thirds", "half a million"."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.facts.lexicon import alternation
from citewell.facts.lists import read
from citewell.facts.numbers import NAME, Numeral

_ZERO, _UNITY, _HALF, _DOZEN, _HUNDRED = Decimal(0), Decimal(1), Decimal("0.5"), Decimal(12), Decimal(100)
_ITEM = re.compile(r"[a-z]+")
_SKIPPED = frozenset({"and", "a", "an", "of"})


class _Lexicon(NamedTuple):
    """Number words by what they do in a number, and the pattern of a run of them in a lower-case text."""

    ones: dict[str, Decimal]
    tens: dict[str, Decimal]
    scales: dict[str, Decimal]
    ordinals: dict[str, Decimal]
    fractions: dict[str, Decimal]
    vague: dict[str, Decimal]
    multipliers: dict[str, Decimal]
    run: str


@cache
def lexicon() -> _Lexicon:
    """The number words, read once."""
    data = read(NAME)
    ones, tens, scales, ordinals, fractions, vague, multipliers = (
        {word: Decimal(value) for word, value in data[name].items()}
        for name in ("ones", "tens", "scales", "ordinals", "fractions", "vague", "multipliers")
    )
    lone = set(fractions) - {"half"} - set(ordinals)
    with_article = {
        f"{'an' if word == 'eighth' else 'a'} {word}" for word in {*scales, *fractions} - {"second", "score"}
    }
    first = {
        *ones,
        *tens,
        *ordinals,
        "half",
        *multipliers,
        *vague,
        *with_article,
        *(f"half a {word}" for word in scales),
    }
    following = {*ones, *tens, *scales, *ordinals, *lone, "half", "a half", "a quarter", "a third"} - {"score"}
    vague_of = {f"of {word}" for word in vague}
    joint = r"[\s\-]{1,2}(?:and[\s\-]{1,2})?"
    # Bounded, so that a text of nothing but number words is not read again and again to its end.
    run = rf"{alternation(first)}\b(?:{joint}{alternation({*following, *vague_of})}\b){{0,20}}+"
    return _Lexicon(ones, tens, scales, ordinals, fractions, vague, multipliers, run)


def words_at(lower: str, start: int, end: int) -> Numeral | None:
    """The first number of the run of number words at `start` to `end` of a lower-case text, None if it is none."""
    words = lexicon()
    items = [(match[0], match.start(), match.end()) for match in _ITEM.finditer(lower, start, end)]
    head = items[0][0]
    if head in words.multipliers:
        return Numeral(start, items[0][2], words.multipliers[head], _ZERO, "multiplier")
    if head in words.vague:
        return _vague(items, words)
    return _Reading(items, words, partitive=lower.startswith(" of", end)).numeral()


@lru_cache(maxsize=256)
def count_of(word: str) -> int:
    """A count in digits or as one lower-case number word, "fifty-two"; 0 for another word."""
    if word.isdecimal():
        return int(word)
    known = re.fullmatch(lexicon().run, word)
    number = words_at(word, 0, len(word)) if known else None
    return int(number.value) if number is not None and number.form == "words" else 0


def _vague(items: list[tuple[str, int, int]], words: _Lexicon) -> Numeral:
    """Hundreds; tens of thousands."""
    value = words.vague[items[0][0]]
    end = items[0][2]
    if len(items) > 2 and items[1][0] == "of" and items[2][0] in words.vague:
        value *= words.vague[items[2][0]]
        end = items[2][2]
    return Numeral(items[0][1], end, value, _ZERO, "vague", value)


class _Reading:
    """Reads items from the left until the next does not belong to the same number."""

    def __init__(self, items: list[tuple[str, int, int]], words: _Lexicon, *, partitive: bool) -> None:
        self.items = items
        self.partitive = partitive  # "of" follows
        self.words = words
        self.total = _ZERO  # what scales have closed
        self.current: Decimal | None = None  # below the next scale
        self.last = ""
        self.scale = _UNITY  # the last scale word
        self.end = items[0][1]
        self.form = "words"

    def numeral(self) -> Numeral | None:
        pending_and = False
        for place, (word, _, end) in enumerate(self.items):
            if word in _SKIPPED:
                if word == "of":
                    break
                pending_and |= word == "and"
                continue
            article = place > 0 and self.items[place - 1][0] in {"a", "an"}
            if not self._take(word, after_and=pending_and, article=article):
                break
            self.end = end
            pending_and = False
            if self.form != "words":
                break
        if not self.last:
            return None
        value = self.total + (self.current or _ZERO)
        if self.form == "fraction":
            return Numeral(self.items[0][1], self.end, value, Decimal("0.01"), self.form)
        place_value = self.scale if self.last == "scale" and self.scale != _DOZEN else _UNITY
        tolerance = _ZERO if self.form == "ordinal" else place_value / 2
        return Numeral(self.items[0][1], self.end, value, tolerance, self.form, place_value)

    def _take(self, word: str, *, after_and: bool, article: bool) -> bool:
        words = self.words
        if article and self.last and word in words.fractions and after_and:  # one and a half, a million and a half
            part = 1 / words.fractions[word]
            if self.current is None:
                self.total += part * self.scale
            else:
                self.current += part
            self.last = "mixed"
            return True
        counted = (self.last == "ones" and not after_and) or (article and not self.last and self.partitive)
        if word in words.fractions and (word not in words.ordinals or counted):
            return self._fraction(word)
        if after_and and self.last not in {"hundred", "scale"}:
            return False
        value = words.ones.get(word) or words.ordinals.get(word)
        if word in words.scales:
            return self._scaled(words.scales[word], article=article)
        if word in words.tens or (value is not None and value >= 10):
            if self.last not in {"", "hundred", "scale"}:
                return False
            value = words.tens.get(word) or value
            kind = "tens" if word in words.tens else "ones"
        else:
            value = words.ones[word] if word in words.ones else words.ordinals[word]
            if self.last not in {"", "hundred", "scale", "tens"} or (value == 0 and self.last):
                return False
            kind = "ones"
        if value is None:
            return False
        self.current = (self.current or _ZERO) + value
        self.last = kind
        if word in words.ordinals:
            self.form = "ordinal"
        return True

    def _scaled(self, scale: Decimal, *, article: bool) -> bool:
        if self.current is None:
            if self.last and not (self.last == "scale" and scale >= self.scale):
                return False
            if not self.last and not article:
                return False
            self.total, self.current = (_ZERO, self.total) if self.total else (_ZERO, _UNITY)
        if scale == _HUNDRED:
            if self.last == "hundred" or self.current >= _HUNDRED:
                return False
            self.current *= _HUNDRED
            self.last = "hundred"
            return True
        self.total += self.current * scale
        self.current, self.last, self.scale = None, "scale", scale
        return True

    def _fraction(self, word: str) -> bool:
        """Half, two thirds, three-quarters; a plural without a numerator is none."""
        bottom = self.words.fractions[word]
        if word == "half" and not self.last:
            self.current, self.last = _HALF, "mixed"
            following = [item[0] for item in self.items[1:3]]
            if not (following[:1] == ["a"] and following[1:] and following[1] in self.words.scales):
                self.form = "fraction"
            return True
        if not self.last:
            if self.items[0][0] not in {"a", "an"}:
                return False
            self.current = _UNITY
        if self.current is None or self.total or self.last not in {"", "ones"}:
            return False
        self.current /= bottom
        self.last, self.form = "mixed", "fraction"
        return True
