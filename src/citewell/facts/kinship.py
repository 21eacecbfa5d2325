"""Relations between two English words: forms, synonyms, broader and narrower terms, siblings, opposites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property, lru_cache
from importlib import resources

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


@dataclass(frozen=True)
class Word:
    """What the lists know of a spelling; words and senses are WordNet's numbers.

    Two words are related only where `asks` of the claim's and `offers` of the evidence's share something: that is
    quicker to see than how. `key` is the stem of its base form, `part` what it is used as most (None where WordNet
    lacks it), `entries` the words that it may be a form of, `sides` where it stands on the axes of direction. What
    only comparing two words takes is looked up when it is asked for.
    """

    key: str
    part: int | None
    entries: tuple[int, ...]
    sides: frozenset[tuple[str, int]]

    @cached_property
    def senses(self) -> frozenset[int]:
        """The most frequent senses."""
        return frozenset(common(wordnet(), self.entries))

    @cached_property
    def above(self) -> Mapping[int, int]:
        """The broader senses, with the steps to them."""
        return _above(self.senses)

    @cached_property
    def near(self) -> frozenset[int]:
        """The broader senses to which its siblings belong too."""
        net = wordnet()
        # "Canadian" and "American" are no siblings, Canada and America are.
        adjective = any(net.pos[sense] == ADJECTIVE for sense in self.senses)
        roots = frozenset(common(net, tuple(self.derived))) if adjective else frozenset[int]()
        kinds = {**_above(roots), **self.above}
        return frozenset(sense for sense, steps in kinds.items() if steps <= NEAR and net.depth[sense] > SHALLOW)

    @cached_property
    def opposed(self) -> frozenset[int]:
        """The senses opposite to its own."""
        return frozenset(other for sense in self.senses for other in wordnet().opposed.get(sense))

    @cached_property
    def antonyms(self) -> frozenset[int]:
        """The words that are its antonyms."""
        return frozenset(other for entry in self.entries for other in wordnet().antonyms.get(entry))

    @cached_property
    def derived(self) -> frozenset[int]:
        """The words of the same root."""
        return frozenset(other for entry in self.entries for other in wordnet().derived.get(entry))

    @cached_property
    def _kin(self) -> frozenset[object]:
        return frozenset((self.key, *(axis for axis, _ in self.sides), *(_NEAR + sense * 4 for sense in self.near)))

    @cached_property
    def asks(self) -> frozenset[object]:
        """What a word of the evidence has to offer that may be related to this one."""
        return self._kin.union(
            [sense * 4 for sense in (*self.senses, *self.above, *self.opposed)],
            [_ABOVE + sense * 4 for sense in self.senses],
            [_WORD + entry * 4 for entry in (*self.antonyms, *self.derived)],
        )

    @cached_property
    def offers(self) -> frozenset[object]:
        """What a word of the claim has to ask for that may be related to this one."""
        return self._kin.union(
            [sense * 4 for sense in self.senses],
            [_ABOVE + sense * 4 for sense in self.above],
            [_WORD + entry * 4 for entry in self.entries],
        )


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


@cache
def irregular_pasts() -> frozenset[str]:
    """Irregular past forms and participles that are no base form."""
    bases = _bases()
    return frozenset(form for form in bases if form not in bases.values() and not form.endswith(("ing", "s")))


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
    part = net.part[entries[0]] if entries else None
    return Word(key, part, entries, direction.sides(lower, root, key))


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


def _above(senses: Iterable[int]) -> Mapping[int, int]:
    """The senses up to `CLIMB` steps above any of some, with the fewest steps to each."""
    result: dict[int, int] = {}
    for sense in senses:
        for broader, steps in _ancestors(sense):
            if steps < result.get(broader, CLIMB + 1):
                result[broader] = steps
    return result


@lru_cache(maxsize=65536)
def _ancestors(sense: int) -> tuple[tuple[int, int], ...]:
    parents = wordnet().parents.get(sense)
    steps = dict.fromkeys(parents, 1)
    for parent in parents:
        for broader, more in _ancestors(parent):
            if more < min(CLIMB, steps.get(broader, CLIMB + 1) - 1):
                steps[broader] = more + 1
    return tuple(steps.items())


@lru_cache(maxsize=262144)
def kinship(claim: str, evidence: str) -> Kinship:
    """What the claim's word `claim` is to the evidence's word `evidence`, both in lower case."""
    if claim == evidence:
        return Kinship.SAME
    first, second = look_up(claim), look_up(evidence)
    if first.key == second.key:
        return Kinship.FORM
    if direction.opposite(first.sides, second.sides) or not first.antonyms.isdisjoint(second.entries):
        return Kinship.OPPOSITE
    if not first.senses.isdisjoint(second.senses):
        return Kinship.SYNONYM
    if not first.derived.isdisjoint(second.entries):
        return Kinship.DERIVED
    return _by_sense(first, second)


def _by_sense(first: Word, second: Word) -> Kinship:
    if not first.senses.isdisjoint(second.above):
        return Kinship.BROADER
    if not first.opposed.isdisjoint(second.senses):
        return Kinship.OPPOSITE
    if not first.sides.isdisjoint(second.sides):
        return Kinship.KIN
    if not second.senses.isdisjoint(first.above):
        return Kinship.NARROWER
    return Kinship.NONE if first.near.isdisjoint(second.near) else Kinship.SIBLING
