"""The scope of a sentence: a place, a product or a group that it names, or a part of a year.

part_of("Vale Island had 112,000 passengers in 2025.", plain, frozenset())   # Span of "Vale Island"
"""

from __future__ import annotations

import re
from collections.abc import Callable

from citewell.facts.dates import periods
from citewell.text.spans import cut
from citewell.text.stopwords import stopwords
from citewell.text.words import terms, words
from citewell.types import Span

_PROPER = r"[A-Z][\w’'&-]*(?:(?:\s[–-])?\s(?:(?:of|the|de|van)\s)?[A-Z][\w’'&-]*)*"
_SUBJECT = re.compile(rf"\W*(?:(?:[Tt]he|[Oo]ur|[Ii]ts|[Aa]t|[Ii]n|[Oo]n|[Ff]or|[Ff]rom)\s)?+(?P<name>{_PROPER})")
_NAMED = re.compile(rf"\b(?:in|at|on|for|of|from|to|by|within|across|between)\s(?:the\s|our\s)?(?P<name>{_PROPER})")
_GROUP = re.compile(
    r"(?:\b(?:the|our|its|each|one|per|this|that)\s)(?P<name>(?:[\w’'&-]+\s){1,3}?"
    r"(?:segment|division|business unit|subsidiary|branch|region|route|line|site|plant|department|product|brand))\b",
    re.IGNORECASE,
)
_AMONG = re.compile(
    r"\b(?P<name>of (?:whom|which|these|those|them)|(?:among|amongst) (?:them|these|those))\b", re.IGNORECASE
)
_PARTS_OF_YEAR = ("quarter", "half", "season", "month")


def part_of(text: str, named: Callable[[str], bool], known: frozenset[str]) -> Span | None:
    """The part of the whole that a sentence is about; None where it names none.

    `known` are the terms of the question and of the document's own names: what they name is no part. `named` tells
    whether a word that begins a sentence is a name.
    """
    times = periods(text)
    within = [time for time in times if time.granularity in _PARTS_OF_YEAR and time.kind != "relative"]
    if len(within) == 1 and not _named_terms(cut(text, within[0])) & known:  # two bound a longer time
        return within[0].span
    subject = _SUBJECT.match(text)
    several = subject is not None and subject["name"].partition(" ")[0].lower() not in stopwords()["en"]
    found = [subject] if subject and ((several and " " in subject["name"]) or named(subject["name"])) else []
    for match in (*found, *_NAMED.finditer(text), *_GROUP.finditer(text)):
        terms_of = _named_terms(match["name"])
        timed = any(time.start < match.end("name") and match.start("name") < time.end for time in times)
        if terms_of and not terms_of & known and not timed:
            return Span(*match.span("name"))
    among = _AMONG.search(text)
    return Span(*among.span("name")) if among else None


def _named_terms(text: str) -> frozenset[str]:
    """The terms of a name but for its numbers and little words."""
    return frozenset(term for term in terms(words(text).spellings) if len(term) > 2 and not term.isdigit())
