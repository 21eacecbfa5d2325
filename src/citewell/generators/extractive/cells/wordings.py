"""The wording of items in reports: terms of a label, concepts behind a wording, expanded abbreviations."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.facts.tables.expressions import expressions
from citewell.text.data import read_json
from citewell.text.words import terms

PACKAGE = "citewell.generators.extractive.cells"
# An aside in brackets names nothing, unless it is an abbreviation.
# What stands in brackets, by what a figure is less: "net of accumulated depreciation of $13", and what it is as well:
# "Net income, representing total comprehensive income".
_ASIDE = re.compile(
    r"\((?![A-Z&]{2,6}s?\))[^()]*\)|\[[^\[\]]*\]"
    r"|(?:(?<=, net) of|, less) (?:an )?(?:accumulated|(?:\w+ )?allowances?|doubtful)\b.*"
    r"|,? (?i:representing|being)\b.*",
    re.DOTALL,
)
# A country is one term, however it is written.
_STATES = re.compile(r"\b(?:U\.\s?S\.(?:\s?A\.)?|USA?|United States(?: of America)?)(?!\w| ?(?:dollars?|GAAP|\$))")
# "Anti-dilutive" options are not diluted ones.
_OPPOSITE = re.compile(r"\b(anti|non)[- ](?=[a-z]{3})", re.IGNORECASE)
_BRITISH = re.compile(r"(?:(?<=amort)|(?<=al)|(?<=ogn))is(?=e[ds]?\b|ing\b)|(?<=[a-z]{3})is(?=ations?\b)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?(?:&[^\W\d_]+)?|(?:19|20)\d\d|\d+(?:\.\d+)?%?")
_PLAIN = frozenset(
    "a an the of and or in for to by on at from with its our their his her this that these those as per".split()
)
_INITIALS = 2  # letters that are too often something else
_LONGEST = 8  # terms of a wording that is looked for in a question


class Vocabulary(NamedTuple):
    """Wordings by their terms, each with the tags that it is filed under, and the statement of each tag."""

    wordings: Mapping[str, Sequence[int]]
    tags: Sequence[tuple[str, str]]


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary that comes with the package."""
    data, elsewhere = read_json(PACKAGE, "vocabulary.json"), read_json(PACKAGE, "international.json")["wordings"]
    number = {tag: place for place, (tag, _) in enumerate(data["tags"])}
    added = {" ".join(item_terms(label)): (number[tag], 1) for tag, labels in elsewhere.items() for label in labels}
    wordings: dict[str, Sequence[int]] = {}
    for wording, counts in data["wordings"].items():
        joined = _OPPOSITE.sub(r"\1", wording)
        wordings[joined] = (*wordings.get(joined, ()), *counts)
    return Vocabulary({**wordings, **added}, data["tags"])


def in_full(question: str) -> str:
    """A question with abbreviations and sayings as reports word them."""
    text = expressions().in_full(re.sub(r"['’](?=\s|$)|(?<=s)['’](?=\s)", "", question))
    for phrase, label in _rephrased():
        text = phrase.sub(label, text)
    return text


@cache
def _rephrased() -> tuple[tuple[re.Pattern[str], str], ...]:
    pairs = read_json(PACKAGE, "abbreviations.json")["rephrased"]
    return tuple((re.compile(pattern, re.IGNORECASE), text) for pattern, text in pairs)


@cache
def kin() -> Mapping[str, frozenset[str]]:
    """For terms of questions the terms of labels that say them as well."""
    groups = read_json(PACKAGE, "abbreviations.json")["kin"].items()
    return {term: frozenset(item_terms(others)) for words, others in groups for term in item_terms(words)}


@cache
def short_forms() -> Mapping[str, frozenset[str]]:
    """Terms of abbreviations that stand in labels as well, "EBIT", with those of what they are short for."""
    known = ((short, full) for short, full in expressions().known.items() if len(short) > _INITIALS)
    pairs = ((item_terms(short), item_terms(full)) for short, full in known)
    return {short[0]: frozenset(full) for short, full in pairs if len(short) == 1 < len(full)}


def item_terms(label: str) -> list[str]:
    """The terms of a label or question in order, without asides in brackets and the plainest words."""
    text = _BRITISH.sub("iz", one_word(_ASIDE.sub(" ", label)))
    match = [word for word in _WORD.findall(text) if word.lower() not in _PLAIN]
    return terms(match)


def one_word(text: str) -> str:
    """A text with names of several words, or of letters, as one word."""
    return _OPPOSITE.sub(r"\1", _STATES.sub("UnitedStates", text))


def aside_terms(label: str) -> list[str]:
    """The terms of a label's asides in brackets: "Staff (full-time equivalents)"."""
    asides = _ASIDE.findall(label)
    return item_terms(" ".join(aside.strip("()[]") for aside in asides)) if asides else []


def sayings(text: Sequence[str]) -> list[str]:
    """The longest runs of terms that are known wordings, none of which lies in another."""
    known = vocabulary().wordings
    runs: list[tuple[int, int]] = []
    for size in range(min(_LONGEST, len(text)), 0, -1):
        for start in range(len(text) - size + 1):
            inside = any(first <= start and start + size <= last for first, last in runs)
            if not inside and " ".join(text[start : start + size]) in known:
                runs.append((start, start + size))
    return [" ".join(text[first:last]) for first, last in sorted(runs)]


@cache
def _stands_for() -> Mapping[int, int]:
    """For each tag that another stands for, that one."""
    number = {tag: place for place, (tag, _) in enumerate(vocabulary().tags)}
    same = read_json(PACKAGE, "abbreviations.json")["same"]
    groups = [[number[tag] for tag in group if tag in number] for group in same]
    return {tag: group[0] for group in groups for tag in group}


@lru_cache(maxsize=4096)
def concepts(wording: str) -> Mapping[int, float]:
    """The tags that a wording is filed under, with their shares; empty for one that is not known."""
    flat = vocabulary().wordings.get(wording, ())
    counts: Counter[int] = Counter()
    for tag, count in zip(flat[::2], flat[1::2], strict=True):
        counts[_stands_for().get(tag, tag)] += count
    total = sum(counts.values())
    return {tag: count / total for tag, count in counts.items()}


def likeness(first: Mapping[int, float], second: Mapping[int, float]) -> float:
    """The cosine of two distributions over tags."""
    shared = sum(share * second.get(tag, 0.0) for tag, share in first.items())
    sizes = math.sqrt(sum(v * v for v in first.values()) * sum(v * v for v in second.values()))
    return shared / sizes if sizes else 0.0


def statements(tags: Mapping[int, float]) -> Mapping[str, float]:
    """The statements in which tags stand, with their shares."""
    kinds: Counter[str] = Counter()
    for tag, share in tags.items():
        kinds[vocabulary().tags[tag][1]] += share  # type: ignore[assignment]  # Counter holds shares as well
    return kinds
