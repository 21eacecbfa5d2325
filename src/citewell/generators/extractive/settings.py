"""What shapes the extractive reader beside its fitted weights; the values, each with what it is, are data.

They stand in `settings.json`, the word lists in `words.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from citewell.text import data

PACKAGE = "citewell.generators.extractive"


class Settings(NamedTuple):
    """Shares and weights; `settings.json` says of each what it is."""

    related: float
    alias: float
    subject_share: float
    subject_share_opening: float
    subject_weight: float
    pale_weight: float
    rare: float
    date_words: float
    count_words: float
    measure_bare: float
    money_bare: float
    percent_row: float
    percent_bare: float
    place_name: float
    place_word: float
    list_bare: float
    defining: float
    definition: float
    mentioned: float
    counted_far: float
    row_unnamed: float
    bm25_k1: float
    bm25_b: float
    numbered: float
    columns: float
    counted: float
    around: float
    title: float
    paragraph: float
    sentence_after: float
    heading_1: float
    heading_2: float
    heading_3: float
    heading_4: float
    columns_above: float
    close: float
    close_prose: float
    close_listed: float
    gain: float
    least: float
    least_figure: float
    equal: float
    same: float
    shown_sentence: float
    shown_thing: float
    hedged: float
    meaning: float


@cache
def settings() -> Settings:
    """The values that come with the package."""
    return Settings(**data.settings(PACKAGE))


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
