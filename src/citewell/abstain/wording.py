"""Decides whether a sentence is worded as a refusal, by the elements that refusals have in every language.

declines("Der Bericht sagt darüber nichts.")   # a document, "not", and what documents do, side by side

A document that does not tell; an answer or information that a document lacks or that nobody can give; what cannot be
found out from a document; a document that is silent. One that tells of somebody else's silence is no refusal.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from citewell.text.data import read_json

LONGEST = 300  # characters of a sentence that only declines
BEFORE, AFTER, SHORT = 45, 45, 10  # characters from a negation to what it denies, and back; SHORT as in "says nothing"
_JOINED = frozenset(("zh", "ja", "ko", "ar"))  # words stand without blanks, or with others joined to them
_HOWEVER = re.compile(r", (?:however|though|unfortunately|allerdings|jedoch|leider|cependant|toutefois|sin embargo),")


class _Language(NamedTuple):
    """The parts of refusals in one language, as patterns, and where its negations stand."""

    documents: re.Pattern[str]
    negations: re.Pattern[str]
    tells: re.Pattern[str]
    answers: re.Pattern[str]
    finds: re.Pattern[str]
    able: re.Pattern[str]
    silent: re.Pattern[str]
    by: re.Pattern[str]
    breaks: re.Pattern[str]
    order: str

    def declines(self, text: str) -> bool:
        """Whether a sentence declines in this language."""
        named = bool(self.documents.search(text)) and not self.by.search(text)
        if named and self.silent.search(text):
            return True
        denials = [match.start() for match in self.negations.finditer(text)]
        if not denials:
            return False
        if named:
            denied = [self._denied(match.start(), denials, text, self.order) for match in self.tells.finditer(text)]
            if denied and all(denied):  # who tells that somebody did not tell, tells
                return True
            if not all(denied):
                return False
        elif not self.able.search(text):
            return False
        patterns = (self.answers, self.finds) if named else (self.answers,)
        return any(
            self._denied(match.start(), denials, text, "both") for part in patterns for match in part.finditer(text)
        )

    def _denied(self, place: int, denials: list[int], text: str, order: str) -> bool:
        """Whether a negation stands near enough, on the side where the language has it, in the same clause."""
        number = bisect_left(denials, place)
        if number < len(denials) and order != "strict":
            after = denials[number]
            most = SHORT if order == "before" else AFTER
            if after - place <= most and not self.breaks.search(text, place, after):
                return True
        if not number or order == "after":
            return False
        before = denials[number - 1]
        return place - before <= BEFORE and not self.breaks.search(text, before, place)


def declines(sentence: str) -> bool:
    """Whether a sentence is worded as a refusal in some language."""
    text = _HOWEVER.sub("", sentence.lower().replace("’", "'"))
    return len(text) <= LONGEST and any(language.declines(text) for language in _languages())


@cache
def _languages() -> tuple[_Language, ...]:
    words = read_json("citewell.abstain", "parts.json")["words"]
    return tuple(_language(parts, joined=name in _JOINED) for name, parts in words.items())


def _language(parts: Mapping[str, str], *, joined: bool) -> _Language:
    start, end = ("", "") if joined else (r"(?<!\w)", r"(?!\w)")

    def pattern(name: str, *, whole: bool = False) -> re.Pattern[str]:
        return re.compile(rf"{start}(?:{parts[name]}){end if whole else ''}")

    that = f"|{start}(?:{parts['that']}){end}" if parts["that"] else ""
    return _Language(
        pattern("documents"),
        pattern("not", whole=True),
        pattern("tells"),
        pattern("answers"),
        pattern("finds"),
        pattern("able", whole=True),
        pattern("silent"),
        pattern("by", whole=True),
        re.compile(rf"[,;:，；：—–]{that}"),
        parts["order"],
    )
