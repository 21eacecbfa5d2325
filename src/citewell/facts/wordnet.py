"""WordNet 3.1's senses, hypernyms, antonyms and derivations of single words, read on first use.

`data/wordnet.npz` is made by `lab/benchmarks/build_wordnet.py`; WordNet's licence stands in `data/WORDNET-LICENSE`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

NOUN, VERB, ADJECTIVE, ADVERB = range(4)


class Links(NamedTuple):
    """For each of N numbers those that it is linked to: `others[ends[n]:ends[n + 1]]`."""

    ends: memoryview
    others: memoryview

    @classmethod
    def counted(cls, counts: npt.NDArray[np.integer], others: npt.NDArray[np.uint32]) -> Links:
        """From what all are linked to, one after the other, and how many of it are each one's."""
        return cls(np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).data, others.data)

    @classmethod
    def paired(cls, pairs: npt.NDArray[np.uint32], count: int) -> Links:
        """From columns of pairs, each of which links both ways."""
        first, second = np.concatenate((pairs[0], pairs[1])), np.concatenate((pairs[1], pairs[0]))
        return cls.counted(np.bincount(first, minlength=count), second[np.argsort(first, kind="stable")])

    def turned(self) -> Links:
        """The same links the other way."""
        counts, others = np.diff(np.asarray(self.ends)), np.asarray(self.others)
        owners = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
        return self.counted(np.bincount(others, minlength=len(counts)), owners[np.argsort(others, kind="stable")])

    def get(self, number: int) -> list[int]:
        """What a number is linked to."""
        linked: list[int] = self.others[self.ends[number] : self.ends[number + 1]].tolist()
        return linked


@dataclass(frozen=True, slots=True)
class WordNet:
    """Words and senses are numbers; lists in order are searched, which costs less than tables of all words.

    Attributes:
        lemmas: the words in alphabetical order.
        stems: all stems of words in alphabetical order.
        stemmed: for each stem the word with that stem that is used most.
        senses: for each word its senses, the most frequent of each part of speech first.
        part: for each word the part of speech that it is used as most.
        pos: for each sense its part of speech.
        parents: sense -> the senses that it is a kind or an instance of.
        depth: for each sense the steps to the most general one above it.
        antonyms: word -> words that are its antonyms in some sense.
        opposed: sense -> opposite senses, those of similar adjectives included.
        derived: word -> words of the same root.
    """

    lemmas: Sequence[str]
    stems: Sequence[str]
    stemmed: memoryview
    senses: Links
    part: bytes
    pos: bytes
    parents: Links
    depth: bytes
    antonyms: Links
    opposed: Links
    derived: Links

    def find(self, lower: str, base: str, term: str) -> tuple[int, ...]:
        """The words that a spelling may be a form of: itself, its irregular base form, what shares its stem."""
        places = [_place(self.lemmas, name) for name in {lower, base}]
        stem = _place(self.stems, term)
        entries = {place for place in places if place >= 0}
        return tuple(sorted(entries if stem < 0 else entries | {self.stemmed[stem]}))


def _place(names: Sequence[str], name: str) -> int:
    """Where a name stands in a list in order, -1 where it does not."""
    place = bisect_left(names, name)
    return place if place < len(names) and names[place] == name else -1


@cache
def wordnet() -> WordNet:
    """The lists, read once."""
    path = resources.files("citewell.facts").joinpath("data/wordnet.npz")
    with path.open("rb") as file, np.load(file) as stored:
        data: Mapping[str, npt.NDArray[np.uint32]] = dict(stored)
    lemmas, stems = (data[name].tobytes().decode("ascii").split("\n") for name in ("lemmas", "stems"))
    part, pos, depth = (data[name].tobytes() for name in ("part", "pos", "depth"))
    words, senses = len(lemmas), len(pos)
    return WordNet(
        lemmas=lemmas,
        stems=stems,
        stemmed=data["stemmed"].data,
        senses=Links.counted(data["sense_counts"], data["senses"]),
        part=part,
        pos=pos,
        parents=Links.counted(data["parent_counts"], data["parents"]),
        depth=depth,
        antonyms=Links.paired(data["antonyms"], words),
        opposed=Links.paired(data["opposed"], senses),
        derived=Links.paired(data["derived"], words),
    )
