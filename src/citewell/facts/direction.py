"""Opposite words of direction: rose and fell, before and after, with and without, support and oppose.

The axes are data (`data/directions.json`): what WordNet's antonyms lack.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from citewell.facts import lists
from citewell.text.words import terms

Side = tuple[str, int]


@cache
def _axes() -> tuple[Mapping[str, frozenset[Side]], Mapping[str, frozenset[Side]]]:
    """Spelling -> its sides, and stem -> its sides."""
    words: dict[str, set[Side]] = defaultdict(set)
    stems: dict[str, set[Side]] = defaultdict(set)
    for axis, both in lists.read("directions")["axes"].items():
        for side, spelled in enumerate(both):
            listed = spelled.split()
            for word, stem in zip(listed, terms(listed), strict=True):
                words[word].add((axis, side))
                stems[stem].add((axis, side))
    return {word: frozenset(where) for word, where in words.items()}, {s: frozenset(w) for s, w in stems.items()}


def sides(lower: str, root: str, stem: str) -> frozenset[Side]:
    """Where a word stands on the axes: as it is spelled, else by its base form or stem, else as a comparative."""
    words, stems = _axes()
    return words.get(lower) or words.get(root) or stems.get(stem) or _compared(lower, words) or frozenset()


def _compared(lower: str, words: Mapping[str, frozenset[Side]]) -> frozenset[Side] | None:
    """Show that "slower", "largest", "easier" stand where "slow", "large", "easy" do."""
    for ending in ("est", "er"):
        if lower.endswith(ending) and len(lower) > len(ending) + 2:
            bare = lower.removesuffix(ending)
            for base in (bare, bare + "e", bare[:-1] if bare[-1] == bare[-2] else "", bare.removesuffix("i") + "y"):
                if base in words:
                    return words[base]
    return None


def opposite(first: frozenset[Side], second: frozenset[Side]) -> bool:
    """Whether two words stand on opposite sides of an axis, and on the same side of none."""
    return bool(first and second) and not first & second and any((axis, 1 - side) in second for axis, side in first)
