"""Names that stand for each other: short forms that a document defines, and acronyms of names that are spelled out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citewell.facts.kinship import look_up
from citewell.facts.tokens import Tokens

Aliases = frozenset[tuple[str, str]]  # keys of words, either of which may stand for the other

_SMALL = r"(?:of|the|and|for|de|van|von|la)"
_DEFINED = re.compile(
    rf"((?:[A-Z][\w&.'’-]*,?\s+(?:{_SMALL}\s+)*){{0,6}}[A-Z][\w&.'’-]*)\s+"
    r"\((?:(?:hereinafter|hereafter|collectively|together|or|in short|the)[, ]+)*[\"“'‘]?(?:the\s+)?"
    r"([A-Z][\w&.-]*(?:\s[A-Z][\w&.-]*){0,2})[,.]?[\"”'’]?(?:\s+or\s+[^()]{1,40})?\)"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FORM = frozenset("inc corp corporation ltd limited llc plc co company gmbh ag sa nv bv the of and for".split())
LONGEST = 6  # letters of an acronym


def aliases(text: str) -> Aliases:
    """What a document says that it calls its names: "Netflix, Inc. (the “Company”)"."""
    pairs: set[tuple[str, str]] = set()
    for match in _DEFINED.finditer(text):
        full = [word.lower() for word in _WORD.findall(match[1])]
        short = [look_up(word.lower()).key for word in _WORD.findall(match[2])]
        telling = [look_up(word).key for word in full if word not in _FORM]
        pairs.update((first, second) for first in telling for second in short if first != second)
    return frozenset(pairs | {(second, first) for first, second in pairs})


def acronyms(claim: Tokens, evidence: Tokens) -> Iterator[tuple[int, int]]:
    """Places of an acronym in the one text and of the name with those initials in the other, word by word."""
    for short, full, turned in ((claim, evidence, False), (evidence, claim, True)):
        for place, word in enumerate(short.lower):
            if 2 <= len(word) <= LONGEST and short.text[short.starts[place] : short.ends[place]].isupper():
                for other in _spelled(word, full):
                    yield (other, place) if turned else (place, other)


def _spelled(letters: str, text: Tokens) -> tuple[int, ...]:
    """The places of a name with those initials, small words left out."""
    named = [n for n in range(len(text)) if text.names[n]]
    initials = "".join(text.lower[n][:1] for n in named)
    at = initials.find(letters)
    if at < 0 or named[at + len(letters) - 1] - named[at] > 2 * len(letters):
        return ()
    return tuple(named[at : at + len(letters)])
