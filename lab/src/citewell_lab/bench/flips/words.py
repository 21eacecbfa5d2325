"""The words used in changes and rewrites, and verb forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from citewell.text.data import read_json, words

# Halves of every list of opposites and synonyms, by a hash of the pair: what a checker is trained on is made with the
# one, what it is measured on with the other, so that knowing a pair by heart earns nothing.
Half = Literal["seen", "held", "all"]


TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Verb(NamedTuple):
    """The forms of a verb."""

    base: str
    third: str
    past: str
    participle: str
    ing: str


def table(name: str) -> Any:
    """One table of `words.json`."""
    return read_json(__package__, "words.json")[name]


def spoken(text: str) -> set[str]:
    """The words of a text in lower case."""
    return {token.lower() for token in TOKEN.findall(text)}


@cache
def listed(name: str) -> frozenset[str]:
    """One list of single words of `words.json`."""
    return words(__package__, "words.json", name)


def belongs(first: str, second: str, half: Half) -> bool:
    """Whether a pair of words, in either order, is in that half."""
    digest = blake2b("/".join(sorted((first, second))).encode(), digest_size=1).digest()
    return half == "all" or (digest[0] % 2 == 0) == (half == "seen")


def _regular(word: str) -> Verb:
    """A star behind the base says that its last letter is doubled."""
    base = word.rstrip("*")
    if word.endswith("*"):
        return Verb(base, base + "s", base + base[-1] + "ed", base + base[-1] + "ed", base + base[-1] + "ing")
    if base.endswith("y") and base[-2] not in "aeou":
        return Verb(base, base[:-1] + "ies", base[:-1] + "ied", base[:-1] + "ied", base + "ing")
    third = base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    if base.endswith("e"):
        return Verb(base, third, base + "d", base + "d", (base if base.endswith("ee") else base[:-1]) + "ing")
    return Verb(base, third, base + "ed", base + "ed", base + "ing")


@cache
def verbs() -> Mapping[str, Verb]:
    """Verbs by their base."""
    by_base = {word.rstrip("*"): _regular(word) for word in table("regular_verbs")}
    for base, third, past, participle in table("irregular_verbs"):
        stem = (
            base + base[-1]
            if base in listed("doubled")
            else base.removesuffix("e")
            if base[-2:] not in ("ie", "ee")
            else base
        )
        ing = base[:-2] + "ying" if base.endswith("ie") else stem + "ing"
        by_base[base] = Verb(base, third, past, participle, ing)
    return by_base


@cache
def finite() -> Mapping[str, tuple[str, str]]:
    """Past and third-person forms that cannot be the base: the auxiliary that stands for the ending, and the base."""
    forms: dict[str, tuple[str, str]] = {}
    for verb in verbs().values():
        forms[verb.third] = ("does", verb.base)
        if verb.past not in (verb.base, verb.third):
            forms[verb.past] = ("did", verb.base)
    return forms


@cache
def opposite_words(half: Half) -> Mapping[str, tuple[str, ...]]:
    """Adjectives, nouns, adverbs and prepositions: the words that stand for the opposite."""
    opposites: dict[str, tuple[str, ...]] = {}
    for first, second in table("opposite_words"):
        if belongs(first, second, half):
            opposites[first] = (*opposites.get(first, ()), second)
            opposites[second] = (*opposites.get(second, ()), first)
    for first, second in table("one_way"):
        if belongs(first, second, half):
            opposites[first] = (*opposites.get(first, ()), second)
    return opposites


@cache
def opposite_verbs(half: Half) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Forms of verbs: the name of the form and the same form of an opposite."""
    opposites: dict[str, tuple[tuple[str, str], ...]] = {}
    for pair in table("opposite_verbs"):
        if not belongs(pair[0], pair[1], half):
            continue
        first, second = (verbs()[base] for base in pair)
        for verb, other in ((first, second), (second, first)):
            for name, form, opposite in zip(Verb._fields, verb, other, strict=True):
                opposites[form] = (*opposites.get(form, ()), (name, opposite))
    return opposites


@cache
def synonyms(half: Half) -> Mapping[str, tuple[str, ...]]:
    """Words and phrases that can be said otherwise."""
    others: dict[str, tuple[str, ...]] = {}
    for first, second in table("synonyms"):
        if belongs(first, second, half):
            others[first] = (*others.get(first, ()), second)
    return others
