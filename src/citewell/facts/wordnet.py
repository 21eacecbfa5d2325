"""WordNet 3.1's senses, hypernyms, antonyms and derivations of single words, read on first use.

`data/wordnet.npz` is made by `benchmarks/build_wordnet.py`; WordNet's licence stands in `data/WORDNET-LICENSE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.text.words import terms

NOUN, VERB, ADJECTIVE, ADVERB = range(4)


class Links(NamedTuple):
    """For each of N numbers those that it is linked to: `others[ends[n]:ends[n + 1]]`."""

    ends: list[int]
    others: list[int]

    @classmethod
    def of(cls, pairs: npt.NDArray[np.uint32], count: int, *, both: bool = False) -> Links:
        """From columns of pairs."""
        first, second = (np.concatenate((pairs[0], pairs[1])), np.concatenate((pairs[1], pairs[0]))) if both else pairs
        order = np.argsort(first, kind="stable")
        return cls(np.searchsorted(first[order], np.arange(count + 1)).tolist(), second[order].tolist())

    def get(self, number: int) -> list[int]:
        """What a number is linked to."""
        return self.others[self.ends[number] : self.ends[number + 1]]


class WordNet(NamedTuple):
    """Words and senses are numbers.

    Attributes:
        entries: word -> its number.
        stems: stem -> the word with that stem that is used most.
        senses: for each word its senses, the most frequent of each part of speech first.
        part: for each word the part of speech that it is used as most.
        pos: for each sense its part of speech.
        parents: sense -> the senses that it is a kind or an instance of.
        depth: for each sense the steps to the most general one above it.
        antonyms: word -> words that are its antonyms in some sense.
        opposed: sense -> opposite senses, those of similar adjectives included.
        derived: word -> words of the same root.
    """

    entries: Mapping[str, int]
    stems: Mapping[str, int]
    senses: Links
    part: list[int]
    pos: list[int]
    parents: Links
    depth: list[int]
    antonyms: Links
    opposed: Links
    derived: Links

    def find(self, lower: str, base: str, term: str) -> tuple[int, ...]:
        """The words that a spelling may be a form of: itself, its irregular base form, what shares its stem."""
        found = {self.entries[name] for name in (lower, base) if name in self.entries}
        if term in self.stems:
            found.add(self.stems[term])
        return tuple(sorted(found))


@cache
def wordnet() -> WordNet:
    """The lists, read once."""
    path = resources.files("citewell.facts").joinpath("data/wordnet.npz")
    with path.open("rb") as file, np.load(file) as data:
        lemmas = data["lemmas"].tobytes().decode("ascii").split("\n")
        counts, tagged = data["sense_counts"], data["tagged"].astype(np.int64)
        flat, part, topic, depth = (data[name] for name in ("senses", "part", "topic", "depth"))
        pairs = {name: data[name] for name in ("hypernyms", "antonyms", "opposed", "derived")}
    # The numbers of the lexicographers' files: 3 to 28 hold nouns, 29 to 43 verbs, 2 adverbs, the rest adjectives.
    pos = np.select([(topic >= 3) & (topic <= 28), (topic >= 29) & (topic <= 43), topic == 2], [NOUN, VERB, ADVERB], 2)
    stemmed, stems = terms(lemmas), dict[str, int]()
    for number in np.argsort(-tagged, kind="stable").tolist():
        stems.setdefault(stemmed[number], number)
    words, senses = len(lemmas), len(topic)
    return WordNet(
        entries={lemma: number for number, lemma in enumerate(lemmas)},
        stems=stems,
        senses=Links(np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).tolist(), flat.tolist()),
        part=part.tolist(),
        pos=pos.tolist(),
        parents=Links.of(pairs["hypernyms"], senses),
        depth=depth.tolist(),
        antonyms=Links.of(pairs["antonyms"], words, both=True),
        opposed=Links.of(pairs["opposed"], senses, both=True),
        derived=Links.of(pairs["derived"], words, both=True),
    )
