"""The names in a claim, their types, and replacements of the same type."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from citewell_lab.bench.flips.words import listed, table

_WORD = r"(?:(?:[A-Z]\.)+(?:[A-Z]\b)?|[A-ZÀ-Þ][\w’'&-]*)"
_NAME = re.compile(
    rf"\b{_WORD}(?:(?: (?:of|for|the|de|van|von|der|la|los|las|el|le|du|des|dos|del|di|da|y)){{0,2}} {_WORD})*"
)
_ACRONYM = re.compile(r"(?=[^a-z]*[A-Z][^a-z]*[A-Z0-9])[A-Z0-9-]{2,8}")
# What follows a word of nationality where it is part of another name.
_BOUND = re.compile(
    r" (?:football|fries|Revolution|Civil|War|Idol|dream|Open|Empire|language|Language|Ocean|Sea|Pie)\b"
)


_CLOSED = re.compile(r"[\"“”-]|['’](?!s\b)|\.\s[a-z]")


class Name(NamedTuple):
    """A name in a text."""

    start: int
    end: int
    text: str


@cache
def _listed() -> Mapping[str, str]:
    kinds = {
        "country": (*table("countries"), *table("only_replaced")["country"]),
        "demonym": (*table("countries").values(), *table("only_replaced")["demonym"]),
        "city": table("cities"),
        "state": table("states"),
    }
    return {name: kind for kind, names in kinds.items() for name in names}


@cache
def _aliases() -> frozenset[str]:
    """Names that may say the same as others of their type, or hold them: never put in the place of one."""
    return frozenset(name for listed in table("only_replaced").values() for name in listed)


@cache
def _common(kind: str) -> tuple[str, ...]:
    """Names of a listed type that never stand inside another of that type."""
    if kind == "country":
        return tuple(table("countries"))
    if kind == "demonym":
        return tuple(table("countries").values())
    return tuple(table({"city": "cities", "state": "states"}[kind])) if kind in ("city", "state") else ()


def type_of(name: str) -> str:
    """Country, demonym, city, state, person, organisation, acronym, or nothing where that cannot be told."""
    if name in _listed():
        return _listed()[name]
    words = name.split()
    if len(words) > 1 and words[0] in _given_names():
        return "person" if len(words) <= 3 else ""
    if len(words) > 1 and (words[-1].rstrip(".") in _organisations() or words[0] in _organisations()):
        return f"organisation, {words[-1] if words[-1].rstrip('.') in _organisations() else words[0]}"
    return "acronym" if _ACRONYM.fullmatch(name) else ""


@cache
def _given_names() -> frozenset[str]:
    return frozenset(table("given_names"))


@cache
def _organisations() -> frozenset[str]:
    return frozenset(table("organisations"))


def names(text: str, evidence: str = "") -> list[Name]:
    """The names of a text. A word that opens it counts where the evidence has it in capitals only."""
    result = []
    for begin, whole in _runs(text):
        start, words = begin, whole.split()
        if not (len(words) > 1 and whole in evidence):  # a title may begin with any word
            while words and words[0].lower() in listed("openers"):
                start += len(words[0]) + 1
                words = words[1:]
            while words and words[-1].lower() in listed("openers"):
                words = words[:-1]
        name = re.sub(r"['’]s?\Z|(?<=\w\w)\.\Z", "", " ".join(words))
        if (
            len(name) < 2
            or listed("times").intersection(words)
            or words[-1] in ("Jr", "Sr")
            or text[start : start + len(name)] != name
        ):
            continue
        if (
            len(words) == 1
            and text[:start].strip(" \"'(").lower() in ("", "a", "an")
            and not _only_capital(name, evidence)
        ):
            continue
        result.append(Name(start, start + len(name), name))
    return result


@lru_cache(maxsize=50_000)
def _runs(text: str) -> tuple[tuple[int, str], ...]:
    """Runs of words with capitals."""
    return tuple((match.start(), match.group()) for match in _NAME.finditer(text))


def _only_capital(name: str, evidence: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", evidence) is not None and not re.search(
        rf"\b{re.escape(name.lower())}\b", evidence
    )


@dataclass(frozen=True)
class Pool:
    """The names of many texts by type; names of no known type by the word before them and their number of words."""

    by_type: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Pool:
        """The names that stand in those texts, in the order in which they first appear."""
        by_type: dict[str, dict[str, None]] = {}
        for text in texts:
            for name in names(text):
                if name.start and "." not in name.text:
                    by_type.setdefault(slot(text, name), {})[name.text] = None
        return cls({kind: tuple(listed) for kind, listed in by_type.items()})

    def others(self, text: str, name: Name, evidence: Sequence[str], chance: random.Random) -> Iterator[str]:
        """Names to put in its place, those of the evidence first: of its type, and standing for something else there.

        A name that shares a sentence of the evidence with the original may be true in its place too, and is left out.
        """
        kind = slot(text, name)
        if not kind:
            return
        near = []
        for sentence in evidence:
            if not _shared(name.text, sentence):
                near += [
                    other.text
                    for other in names(sentence)
                    if other.start and other.text not in _aliases() and slot(sentence, other) == kind
                ]
        common = list(_common(kind.partition(":")[0]))
        far = common or list(self.by_type.get(kind, ()))
        groups = [dict.fromkeys(near), far]
        for group in groups:
            listed = list(group)
            chance.shuffle(listed)
            yield from (other for other in listed[:20] if not _shared(other, name.text))


def slot(text: str, name: Name) -> str:
    """What a name can be exchanged within: its type, or the words before it; nothing where they tell little."""
    kind = type_of(name.text)
    if kind and kind != "acronym":
        return kind
    before = re.findall(r"[\w’'-]+", text[max(0, name.start - 80) : name.start].lower())[-3:]
    if listed("openers").issuperset(before) or before[-1] in ("the", "this", "a", "an", "is", "are", "was", "were"):
        return ""
    if not listed("openers").issuperset(before[-2:]):
        before = before[-2:]
    return f"{kind}:{' '.join(before)}:{len(name.text.split()) > 1}"


def bound(text: str, name: Name) -> bool:
    """Whether a name is part of something longer, so that another one makes no sense there."""
    before, after = text[: name.start], text[name.end :]
    return bool(_BOUND.match(after)) or before.endswith(("-", '"', "'")) or bool(_CLOSED.match(after))


def _shared(first: str, second: str) -> bool:
    """Whether two texts share a word of a name."""
    words = {word for word in re.findall(r"\w{3,}", first) if word[0].isupper() or word.isupper()}
    return any(re.search(rf"\b{re.escape(word)}\b", second) for word in words)
