"""Settings of the extractive reader other than fitted weights; the values and their descriptions are data.

They stand in `settings.json`, the word lists in `words.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from citewell.text import data

PACKAGE = "citewell.generators.extractive"


def settings() -> Mapping[str, float]:
    """Shares and weights by name; `settings.json` says of each what it is."""
    return data.settings(PACKAGE)


def words(name: str) -> frozenset[str]:
    """A list of words of `words.json`."""
    return data.words(PACKAGE, "words.json", name)


@cache
def aliases() -> Mapping[str, tuple[str, ...]]:
    """Other names for the same thing, by the spelling in a question; each is a phrase."""
    return {word: tuple(names) for word, names in data.read_json(PACKAGE, "words.json")["aliases"].items()}


@cache
def irregular() -> Mapping[str, tuple[str, ...]]:
    """The other forms of verbs that no stemmer brings together."""
    groups = [group.split() for group in data.read_json(PACKAGE, "words.json")["irregular"]]
    return {form: tuple(other for other in group if other != form) for group in groups for form in group}


@cache
def answer_kinds() -> Mapping[str, str]:
    """What a kind of answer is called, for kinds that show in the form of words."""
    return dict(data.read_json(PACKAGE, "words.json")["answer_kinds"])
