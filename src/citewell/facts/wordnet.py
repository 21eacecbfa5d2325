"""WordNet 3.1's senses, hypernyms, antonyms and derivations of single words, read on first use.

`data/wordnet.npz` is made by `benchmarks/build_wordnet.py`; WordNet's licence stands in `data/WORDNET-LICENSE`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np

from citewell.text.words import terms

NOUN, VERB, ADJECTIVE, ADVERB = range(4)

Links = Mapping[int, tuple[int, ...]]


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
    senses: tuple[tuple[int, ...], ...]
    part: tuple[int, ...]
    pos: tuple[int, ...]
    parents: Links
    depth: tuple[int, ...]
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
        counts, tagged = data["sense_counts"].tolist(), data["tagged"].astype(np.int64)
        flat, part, topic = data["senses"].tolist(), data["part"].tolist(), data["topic"]
        pairs = {name: data[name].T.tolist() for name in ("hypernyms", "antonyms", "opposed", "derived")}
    # The numbers of the lexicographers' files: 3 to 28 hold nouns, 29 to 43 verbs, 2 adverbs, the rest adjectives.
    pos = np.select([(topic >= 3) & (topic <= 28), (topic >= 29) & (topic <= 43), topic == 2], [NOUN, VERB, ADVERB], 2)
    stemmed, stems = terms(lemmas), dict[str, int]()
    for number in np.argsort(-tagged, kind="stable").tolist():
        stems.setdefault(stemmed[number], number)
    ends = np.cumsum(counts).tolist()
    parents = _links(pairs["hypernyms"])
    return WordNet(
        entries={lemma: number for number, lemma in enumerate(lemmas)},
        stems=stems,
        senses=tuple(tuple(flat[end - count : end]) for end, count in zip(ends, counts, strict=True)),
        part=tuple(part),
        pos=tuple(pos.tolist()),
        parents=parents,
        depth=_depths(parents, len(pos)),
        antonyms=_links(_both(pairs["antonyms"])),
        opposed=_links(_both(pairs["opposed"])),
        derived=_links(_both(pairs["derived"])),
    )


def _both(pairs: list[list[int]]) -> list[list[int]]:
    return pairs + [[second, first] for first, second in pairs]


def _links(pairs: Iterable[list[int]]) -> Links:
    result: dict[int, list[int]] = defaultdict(list)
    for first, second in pairs:
        result[first].append(second)
    return {first: tuple(others) for first, others in result.items()}


def _depths(parents: Links, count: int) -> tuple[int, ...]:
    depths = [-1] * count
    for sense in range(count):
        path, at = [], sense
        while depths[at] < 0 and at in parents and at not in path:
            path.append(at)
            at = parents[at][0]
        depths[at] = max(depths[at], 0)
        for step, passed in enumerate(reversed(path), 1):
            depths[passed] = depths[at] + step
    return tuple(depths)
