"""How two English words stand to each other: forms, synonyms, broader and narrower terms, siblings, opposites."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from citewell.facts import direction
from citewell.facts.wordnet import ADJECTIVE, WordNet, wordnet
from citewell.text.words import terms

COMMON = 2  # senses of a part of speech, most frequent first, that relations between senses are read from
CLIMB = 4  # steps up to a broader term
NEAR = 2  # steps from each of two siblings to the term that both are kinds of
_ABOVE, _NEAR, _WORD = 1, 2, 3  # what a number is asked or offered as; plain senses are the multiples of four
SHALLOW = 4  # terms no deeper than this ("object", "state", "person") say too little to make siblings


class Kinship(IntEnum):
    """What the claim's word is to the evidence's."""

    NONE = 0
    SAME = 1
    FORM = 2
    DERIVED = 3
    SYNONYM = 4
    KIN = 5  # the same direction on one axis: "climb" and "increase"
    BROADER = 6  # the claim's word follows from the evidence's: "animal" of "dog"
    NARROWER = 7
    SIBLING = 8
    OPPOSITE = 9


class Word(NamedTuple):
    """What the lists know of a spelling; words and senses are WordNet's numbers.

    Two words are related only where `asks` of the claim's and `offers` of the evidence's share something: that is
    quicker to see than how. `key` is the stem of its base form, `part` what it is used as most (None where WordNet
    lacks it), `above` the broader senses with the steps to them, `near` those to which siblings belong too, `sides`
    where it stands on the axes of direction.
    """

    key: str
    part: int | None
    entries: frozenset[int]
    senses: frozenset[int]
    above: Mapping[int, int]
    near: frozenset[int]
    opposed: frozenset[int]
    antonyms: frozenset[int]
    derived: frozenset[int]
    sides: frozenset[tuple[str, int]]
    asks: frozenset[object]
    offers: frozenset[object]


@cache
def _bases() -> Mapping[str, str]:
    text = resources.files("citewell.facts").joinpath("data/irregular.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {form: base for base, forms in rows for form in forms.split()}


@cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    result: dict[str, list[str]] = {}
    for form, base in _bases().items():
        result.setdefault(base, [base]).append(form)
    return {base: tuple(forms) for base, forms in result.items()}


def forms(lower: str) -> tuple[str, ...]:
    """The irregular forms of a word and its base form; none for a regular word."""
    return _forms().get(_bases().get(lower, lower), ())


@lru_cache(maxsize=65536)
def look_up(lower: str) -> Word:
    """What the lists know of a spelling in lower case."""
    root = _bases().get(lower, lower)
    term, key = terms((lower, root))
    net = wordnet()
    entries = net.find(lower, root, key if root != lower else term)
    senses = common(net, entries)
    above = _above(net, senses)
    derived = frozenset(other for entry in entries for other in net.derived.get(entry))
    # "Canadian" and "American" are no siblings, Canada and America are.
    roots = common(net, tuple(sorted(derived))) if any(net.pos[sense] == ADJECTIVE for sense in senses) else ()
    kinds = {**_above(net, roots), **above}
    near = frozenset(sense for sense, steps in kinds.items() if steps <= NEAR and net.depth[sense] > SHALLOW)
    opposed = frozenset(other for sense in senses for other in net.opposed.get(sense))
    antonyms = frozenset(other for entry in entries for other in net.antonyms.get(entry))
    sides = direction.sides(lower, root, key)
    kin: set[object] = {_NEAR + sense * 4 for sense in near} | {axis for axis, _ in sides} | {key}
    return Word(
        key=key,
        part=net.part[entries[0]] if entries else None,
        entries=frozenset(entries),
        senses=frozenset(senses),
        above=above,
        near=near,
        opposed=opposed,
        antonyms=antonyms,
        derived=derived,
        sides=sides,
        asks=frozenset(
            kin
            | {sense * 4 for sense in (*senses, *above, *opposed)}
            | {_ABOVE + sense * 4 for sense in senses}
            | {_WORD + entry * 4 for entry in antonyms | derived}
        ),
        offers=frozenset(
            kin
            | {sense * 4 for sense in senses}
            | {_ABOVE + sense * 4 for sense in above}
            | {_WORD + entry * 4 for entry in entries}
        ),
    )


def common(net: WordNet, entries: tuple[int, ...]) -> tuple[int, ...]:
    """The most frequent senses of each part of speech."""
    result: list[int] = []
    for entry in entries:
        counts: dict[int, int] = {}
        for sense in net.senses.get(entry):
            pos = net.pos[sense]
            counts[pos] = counts.get(pos, 0) + 1
            if counts[pos] <= COMMON:
                result.append(sense)
    return tuple(result)


def _above(net: WordNet, senses: tuple[int, ...]) -> Mapping[int, int]:
    result: dict[int, int] = {}
    level = set(senses)
    for steps in range(1, CLIMB + 1):
        level = {parent for sense in level for parent in net.parents.get(sense)} - result.keys()
        result.update(dict.fromkeys(level, steps))
    return result


@lru_cache(maxsize=262144)
def kinship(said: str, shown: str) -> Kinship:
    """What the claim's word `said` is to the evidence's word `shown`, both in lower case."""
    if said == shown:
        return Kinship.SAME
    first, second = look_up(said), look_up(shown)
    if first.key == second.key:
        return Kinship.FORM
    if direction.opposite(first.sides, second.sides) or first.antonyms & second.entries:
        return Kinship.OPPOSITE
    if not first.senses.isdisjoint(second.senses):
        return Kinship.SYNONYM
    if first.derived & second.entries:
        return Kinship.DERIVED
    return _by_sense(first, second)


def _by_sense(first: Word, second: Word) -> Kinship:
    if not first.senses.isdisjoint(second.above):
        return Kinship.BROADER
    if first.opposed & second.senses:
        return Kinship.OPPOSITE
    if first.sides & second.sides:
        return Kinship.KIN
    if not second.senses.isdisjoint(first.above):
        return Kinship.NARROWER
    return Kinship.SIBLING if first.near & second.near else Kinship.NONE
