"""The roles of the words of a sentence: where phrases can begin and end, without a parser.

Closed classes are lists (`words.json`); other words are told by their form, by WordNet and by the word before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.facts.kinship import look_up
from citewell.facts.tokens import rarity
from citewell.facts.wordnet import ADJECTIVE, ADVERB, NOUN, VERB, wordnet
from citewell.text.data import read_json
from citewell.text.data import words as listed_words

PACKAGE = "citewell.generators.extractive.phrases"
CLASSES = (
    "end", "mark", "comma", "open", "close", "quote", "dash", "article", "of", "in", "by", "to", "from", "preposition",
    "such", "and", "clause", "be", "aux", "pronoun", "possessive", "not", "'s", "number", "month", "adverb", "name",
    "noun", "verb", "ing", "participle", "adjective", "other",
)  # fmt: skip
NUMBER = {name: place for place, name in enumerate(CLASSES)}
CONTENT = frozenset(
    NUMBER[name] for name in ("number", "month", "name", "noun", "verb", "ing", "participle", "adjective", "other")
)
_TOKEN = re.compile(
    r"['’][sS]\b"
    r"|(?:[^\W\d_]\.){2,}"
    r"|\b(?:[A-Z]|Drs?|Mrs?|Ms|St|Jr|Sr|Prof|Gen|Col|Capt|Lt|Sgt|Rev|Inc|Ltd|Co|Corp|No|vs|[cC]a?|al)\."
    r"(?=[\s,)]*[\w(“\"])"
    r"|[$€£¥₹]?\s?\d[\d,.]*(?<=\d)(?:[-–—/]\s?[$€£¥₹]?\d[\d,.]*(?<=\d)){0,2}(?:[^\W\d_]+(?![^\W_]))?(?:\s?[%°‰](?:[CF]\b)?)?"
    r"|[^\W_]+(?:[-‐&/+’'][^\W_]+(?<!['’][sS]))*"
    r"|[^\w\s]"
)
_MARKS: Mapping[str, str] = {
    **dict.fromkeys(".;:!?|•…", "mark"), ",": "comma", **dict.fromkeys("([{", "open"), **dict.fromkeys(")]}", "close"),
    **dict.fromkeys("\"“”„«»‘’'", "quote"), **dict.fromkeys("—–-", "dash"),
}  # fmt: skip
_NOMINAL = frozenset((
    "article", "possessive", "adjective", "'s", "number"
))  # what a noun follows  # fmt: skip


class Words(NamedTuple):
    """N words and marks of a sentence.

    Attributes:
        starts, ends: their offsets.
        lower, keys: in lower case, and the stems by which words are compared.
        classes: what each does, a number of CLASSES.
        weights: how rare each is in English, 0 to 1; 0 for function words and marks.
        names: whether it has a capital that is not the sentence's.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    lower: tuple[str, ...]
    keys: tuple[str, ...]
    classes: tuple[int, ...]
    weights: tuple[float, ...]
    names: tuple[bool, ...]


@cache
def _listed() -> Mapping[str, str]:
    lists = read_json(PACKAGE, "words.json")["lists"]
    return {word: name for name, listed in reversed(lists.items()) for word in listed.split()}


@lru_cache(maxsize=4096)
def words(text: str) -> Words:
    """The words of a sentence."""
    match = [match.span() for match in _TOKEN.finditer(text)]
    spelled = [text[start:end].strip() for start, end in match]
    starts = [end - len(word) for (_, end), word in zip(match, spelled, strict=True)]
    classes = list[str]()
    for word in spelled:
        classes.append(_class(word, classes[-1] if classes else "end", first=_opens(classes)))
    for place, name in enumerate(classes):  # the capital of the first word is a name's where the next has one too
        if _opens(classes[:place]) and name in ("noun", "adjective", "other", "verb", "ing", "participle"):
            follows = place + 1 < len(classes) and classes[place + 1] == "name"
            known = look_up(spelled[place].lower()).entries
            if spelled[place][:1].isupper() and (follows or not known):
                classes[place] = "name"
    lower = [word.lower().replace("’", "'") for word in spelled]
    content = [NUMBER[name] in CONTENT for name in classes]
    keys = [look_up(word).key if use else word for word, use in zip(lower, content, strict=True)]
    return Words(
        tuple(starts),
        tuple(end for _, end in match),
        tuple(lower),
        tuple(keys),
        tuple(NUMBER[name] for name in classes),
        tuple(rarity(key) if use else 0.0 for key, use in zip(keys, content, strict=True)),
        tuple(name == "name" for name in classes),
    )


def _opens(classes: list[str]) -> bool:
    return all(name in ("quote", "open", "mark") for name in classes[-1:]) if classes else True


def _class(word: str, before: str, *, first: bool) -> str:
    """What a word does after one of a class."""
    lower = word.lower().replace("’", "'")
    if word in _MARKS:
        return _MARKS[word]
    if lower == "'s":
        return "'s"
    listed = _listed().get(lower)
    if lower in listed_words(PACKAGE, "words.json", "month"):
        listed = "month" if word[:1].isupper() and not (first and lower == "may") else None if lower != "may" else "aux"
    if listed and not (word[:1].isupper() and not first and len(word) > 1 and before == "name" and listed == "number"):
        return listed
    if any(char.isdigit() for char in word):
        return "number" if word[0].isdigit() or word[0] in "$€£¥₹" else "name"
    if word[:1].isupper() and not first:
        return "name"
    if not word[:1].isalpha():
        return "other"
    return _by_form(lower, before)


def _by_form(lower: str, before: str) -> str:
    """A word in small letters by its ending, by WordNet, and by what it follows."""
    part, entry = _part(lower)
    nominal = before in _NOMINAL
    if lower.endswith("ing") and len(lower) > 4 and not (entry and part != VERB) and look_up(lower).key != lower:
        return "ing"  # "making", but not "bring"
    if lower.endswith("ed") and len(lower) > 3 and not (entry and part in (NOUN, ADVERB)):
        return "adjective" if nominal else "participle"
    if lower.endswith("ly") and part in (ADVERB, None):
        return "adverb"
    if part == VERB:
        return "noun" if nominal else "verb"
    if part == ADJECTIVE:
        return "adjective"
    if part == ADVERB:
        return "adverb"
    if part == NOUN:
        return "verb" if before in ("to", "pronoun", "not") and not lower.endswith("s") else "noun"
    return "noun" if nominal else "other"


def _part(lower: str) -> tuple[int | None, bool]:
    """What a word is used as most, and whether WordNet lists it in this form."""
    known, net = look_up(lower), wordnet()
    entry = next((entry for entry in known.entries if net.lemmas[entry] == lower), None)
    return (net.part[entry], True) if entry is not None else (known.part, False)
