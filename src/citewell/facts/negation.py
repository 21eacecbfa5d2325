"""What a sentence denies: cues of negation and the words in their scope.

Cue, scope and termination follow NegEx (Chapman et al., A simple algorithm for identifying negated findings, 2001);
two cues over the same word cancel each other ("did not fail to").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.tokens import Tokens
from citewell.facts.types import Fact

_LONGEST = 4  # words of a cue


@dataclass(frozen=True, slots=True)
class Negation(Fact):
    """A cue; `first` and `last` (exclusive) are the positions of the words that it denies.

    `kind` is "plain" ("not", "never") or "implicit" ("failed to", "lacks").
    """

    first: int
    last: int


class _Cues(NamedTuple):
    forward: frozenset[tuple[str, ...]]
    backward: frozenset[tuple[str, ...]]
    false: frozenset[tuple[str, ...]]
    implicit: frozenset[tuple[str, ...]]
    stops: frozenset[str]


@cache
def _cues() -> _Cues:
    data: Mapping[str, list[str]] = lists.read("negation")

    def listed(name: str) -> frozenset[tuple[str, ...]]:
        return frozenset(tuple(cue.split()) for cue in data[name])

    return _Cues(
        listed("forward"), listed("backward"), listed("false_cues"), listed("implicit"), frozenset(data["stops"])
    )


def negations(said: Tokens) -> tuple[Negation, ...]:
    """The cues of a sentence, in order."""
    cues, lower = _cues(), said.lower
    result: list[Negation] = []
    place = 0
    while place < len(lower):
        length = _longest(lower, place, cues.false)
        if length:
            place += length
            continue
        if lower[place].endswith("n't"):
            result.append(_ahead(said, place, 1, "plain", cues))
        elif length := _longest(lower, place, cues.forward):
            cue = lower[place : place + length]
            kind = "implicit" if cue in cues.implicit else "plain"
            backward = cue in cues.backward and _closes(said, place + length, cues)
            make = _behind if backward else _ahead
            result.append(make(said, place, length, kind, cues))
        place += max(1, length)
    return tuple(result)


def denied(count: int, found: tuple[Negation, ...]) -> tuple[bool, ...]:
    """Which of `count` words an odd number of cues denies."""
    flags = [False] * count
    for negation in found:
        for place in range(negation.first, negation.last):
            flags[place] = not flags[place]
    return tuple(flags)


def _longest(lower: tuple[str, ...], place: int, cues: frozenset[tuple[str, ...]]) -> int:
    for length in range(min(_LONGEST, len(lower) - place), 0, -1):
        if lower[place : place + length] in cues:
            return length
    return 0


def _ahead(said: Tokens, place: int, length: int, kind: str, cues: _Cues) -> Negation:
    first = last = place + length
    while last < len(said) and not _ends(said, last, cues):
        last += 1
    return Negation(kind, said.starts[place], said.ends[place + length - 1], first, last)


def _behind(said: Tokens, place: int, length: int, kind: str, cues: _Cues) -> Negation:
    first = place
    while first > 0 and not _ends(said, first, cues):
        first -= 1
    return Negation(kind, said.starts[place], said.ends[place + length - 1], first, place)


def _ends(said: Tokens, place: int, cues: _Cues) -> bool:
    """Whether a clause ends before that word: a word that opens another, or a mark that no list goes on after."""
    if said.lower[place] in cues.stops:
        return True
    between = said.text[said.ends[place - 1] : said.starts[place]] if place else ""
    return any(mark in between for mark in ";:.?!()—–") or ("," in between and said.lower[place] not in ("or", "nor"))


def _closes(said: Tokens, place: int, cues: _Cues) -> bool:
    return place >= len(said) or _ends(said, place, cues)
