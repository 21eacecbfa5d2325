"""Selects the method for a question: what a document is about, what a company does, its seat or staff, a term.

asking("What is this paper about?").way      # "about"
asking("Summarize the risks").topic          # "risks"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from citewell.generators.extractive.questions import analyse
from citewell.text.data import read_json, words

PACKAGE = "citewell.generators.extractive.prose"
Way = Literal[
    "about", "business", "seat", "headcount", "enrolled", "definition", "theme",
    "title", "author", "publisher", "dated", "length", "sort", "parties", "term", "law", "signed", "contact", "price",
    "in_force", "audience",
]  # fmt: skip
OF_ITSELF: tuple[Way, ...] = (  # of the document itself
    "title", "author", "publisher", "dated", "length", "sort", "in_force", "audience",
)  # fmt: skip


POINTS: Mapping[Way, str] = {"parties": "Parties", "term": "Term", "law": "Governing law"}  # of a contract


_NAMES_OF_THINGS = ("definition", "thing", "list", "person", "open")  # what a question may ask the meaning of
_QUOTES = ("'", '"', "“", "‘")
_LONGEST = 400  # characters of a question that a way answers


class Asking(NamedTuple):
    """The way of a question and its topic: the term, the theme, the company's name; empty where the way needs none.

    `alone` is whether nothing but a meaning can be asked for: "What is caseum?", not "What is the caseum?".
    """

    way: Way
    topic: str = ""
    alone: bool = False


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of `words.json`, with the expressions that it names in braces put in."""
    data = read_json(PACKAGE, "words.json")
    text: str = data["patterns"][name]
    parts: Mapping[str, str] = data["parts"]
    for _ in range(2):  # a part may name another part
        for key, part in parts.items():
            text = text.replace(f"{{{key}}}", part)
    return re.compile(text, re.IGNORECASE)


@lru_cache(maxsize=256)
def asking(question: str) -> Asking | None:
    """The way that answers a question; None where it is for the general reader."""
    text = " ".join(question.split())
    if len(text) > _LONGEST:
        return None
    ways: tuple[Way, ...] = (*OF_ITSELF, *POINTS, "signed", "contact", "price", "about", "business", "seat")
    for way in ways:
        if pattern(way).search(text):
            return Asking(way)
    if (names := _staffed(text)) is not None:
        return Asking("headcount", " ".join(names))
    if taking := pattern("taking_part").match(text):
        return Asking("enrolled", taking["who"].lower())
    if (theme := pattern("theme").match(text)) and (topic := _topic(theme)):
        return Asking("theme", topic)
    if analyse(text).kind not in _NAMES_OF_THINGS:
        return None
    if (defined := pattern("definition").match(text)) and (topic := _topic(defined)):
        return Asking("definition", topic, alone=pattern("meaning").search(text) is not None)
    return None


def _staffed(question: str) -> list[str] | None:
    """Names in a question that asks for nothing but how many people there are in all; None for another question."""
    spellings = re.findall(r"[^\W_]+(?:['’&.-][^\W_]+)*", question)
    lowered = [word.lower() for word in spellings]
    asked = words(PACKAGE, "words.json", "staff_asked")
    other = [
        word
        for word, lower in zip(spellings, lowered, strict=True)
        if not (lower.replace("’", "'") in asked or lower in words(PACKAGE, "words.json", "staff") or lower.isdigit())
    ]
    counted = re.match(r"\W*(?:(?:about |roughly )?how (?:many|large|big)|what (?:is|was))\b", question, re.IGNORECASE)
    staffed = any(lower in words(PACKAGE, "words.json", "staff") for lower in lowered)
    if not counted or not staffed or any(not any(map(str.isupper, word)) for word in other):
        return None
    return other


def _topic(match: re.Match[str]) -> str:
    """The expression that a pattern words, without quotation marks; without an article where it has none of them."""
    words = next(filter(None, match.groups()), "").strip(" ?.!")
    topic = words.strip(" \"'“”‘’?.!")
    return topic if words[:1] in _QUOTES else pattern("article").sub("", topic)
