"""Quantifiers, modality and order: all, most, some; must, may; first, last, only, largest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.tokens import Tokens
from citewell.facts.types import Fact


@dataclass(frozen=True, slots=True)
class Quantifier(Fact):
    """`kind` is "amount", "modality" or "order"; `name` is the group ("all", "possible", "first").

    `strength` orders what follows from what inside a kind. `place` is the word's position, `head` that of the next
    content word, which it speaks of (its own where there is none).
    """

    name: str
    strength: int
    place: int
    head: int


class _Entry(NamedTuple):
    kind: str
    name: str
    strength: int


@cache
def _words() -> Mapping[str, tuple[_Entry, ...]]:
    data = lists.read("quantifiers")
    result: dict[str, tuple[_Entry, ...]] = {}
    for kind in ("amount", "modality"):
        for name, group in data[kind].items():
            for word in group["words"]:
                result[word] = (*result.get(word, ()), _Entry(kind, name, group["strength"]))
    for name, listed in data["order"].items():
        for word in listed:
            result[word] = (*result.get(word, ()), _Entry("order", name, 0))
    return result


def quantifiers(tokens: Tokens) -> tuple[Quantifier, ...]:
    """The quantifiers of a sentence, in order."""
    known = _words()
    return tuple(
        Quantifier(entry.kind, *tokens.span(place), entry.name, entry.strength, place, head)
        for place, word in enumerate(tokens.lower)
        if word in known and not _bounds(tokens, place)
        for head in [_head(tokens, place)]
        for entry in known[word]
    )


def _bounds(tokens: Tokens, place: int) -> bool:
    """Whether a word belongs to the bound of a figure, or to none at all: "at most", "just under", "not only"."""
    word, after = tokens.lower[place], place + 1 < len(tokens)
    if word == "just":
        return after and not tokens.content[place + 1]
    than = tokens.lower[place + 2] if place + 2 < len(tokens) else ""
    before = tokens.lower[place - 1] if place else ""
    return before == "at" or (before, word) == ("not", "only") or (word == "no" and than == "than")


def _head(tokens: Tokens, place: int) -> int:
    return next((after for after in range(place + 1, min(place + 5, len(tokens))) if tokens.content[after]), place)
