"""Whether a short answer has the requested type: a person for "who", a time for "when", a figure for a quantity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from citewell.generators.extractive.patterns import any_of
from citewell.generators.extractive.questions import Question

if TYPE_CHECKING:
    from citewell.facts.tokens import Tokens

_WHEN = re.compile(r"^\W*when\b|\b(?:what|which) (?:year|date|day|month|century|decade)\b", re.IGNORECASE)
_OF_A_YEAR = re.compile(
    r"^\W*what (?:is|are|was|were) (?P<what>[^?]{1,60}?) (?:in|for|during|as of|at the end of) "
    r"(?:fiscal |FY ?)?(?:19|20)\d\d\W*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLE = re.compile(r"(?:the|a|an|its|their|our|total)\s+", re.IGNORECASE)
_SOMEBODY = ("person", "people", "group", "organization")
_SOMEWHERE = ("location", "structure", "organization", "land", "landmass", "water", "road", "organ", "tissue")
_INSIDE = re.compile(r"^(?:primarily |mainly )?(?:in|at|from|near|to|on) ", re.IGNORECASE)
COUNTED = re.compile(r"\bhow many (?!of\b)((?:[\w-]++\W++){1,3})", re.IGNORECASE)  # with a word or two of the verb
_NUMBER = re.compile(r"\d[\d,.]*")
_ADDED = re.compile(r",|\b(?:of|for|in|from|at|with|who|that|and)\b")
_END = re.compile(r"[.;:!?]\s")
_PLURAL = re.compile(r"(?<![sui])s$")
_TOWN = re.compile(r"\b(?:what|which) (?:city|cities|towns?|states?|provinces?|countr(?:y|ies))\b", re.IGNORECASE)
_NAME = re.compile(r"\b[^\W\d_a-z][^\W\d_]+(?:[ -][^\W\d_a-z][^\W\d_]+)*")
_IN = re.compile(r"\b(?:in|at|near|from|of)\s+(?:the\s+)?$", re.IGNORECASE)
_MOST = 10  # words from a number to what it counts


def of_kind(question: Question, text: str) -> bool:
    """Whether a phrase may be the short answer."""
    if question.kind == "person":
        return _is_somebody(text)
    if question.kind == "place":
        return _is_somewhere(text)
    if _WHEN.search(question.text):
        from citewell.facts.extract import extract  # only where a time is asked for

        return bool(any_of("times").search(text) or extract(text).periods)
    asked_for = _OF_A_YEAR.match(question.text)
    if asked_for is None or question.kind not in ("thing", "open", "definition"):
        return True
    what = _ARTICLE.sub("", asked_for["what"], count=1).lower()
    return bool(_NUMBER.search(text)) or not _ARTICLE.sub("", text, count=1).lower().startswith(what)


def counts(question: str, text: str) -> bool:
    """Whether a text has a number of what "how many" asks for: "how many tests" is not answered by 89 laboratories.

    Of what is counted, or a broader or narrower word, one stands behind a number, or is not asked for by a noun at all.
    """
    match = COUNTED.search(question)
    if match is None:
        return True
    from citewell.facts.kinship import Kinship, kinship  # only where things are counted
    from citewell.facts.tokens import tokens

    asked, said = tokens(match[1]), tokens(text)
    ends = next((n for n in range(1, len(asked)) if not asked.content[n]), len(asked))
    wanted = [asked.lower[n] for n in range(ends) if asked.content[n]]
    wanted = [word for word in wanted if _PLURAL.search(word)][:1] or wanted  # employee benefits
    places = [n for n in range(len(said)) if said.numbers[n] or any_of("number_words").fullmatch(said.lower[n])]
    near = {word for place in places for word in _behind(said, place)}
    apart = (Kinship.NONE, Kinship.SIBLING, Kinship.OPPOSITE)
    return not wanted or any(kinship(word, other) not in apart for word in wanted for other in near)


def _behind(said: Tokens, place: int) -> Iterator[str]:
    """The words behind a number up to the verb of what it counts: "89 state laboratories ran"."""
    from citewell.facts.wordnet import NOUN, VERB

    thing = False
    for n in range(place + 1, min(place + _MOST, len(said))):
        if _END.search(said.text, said.ends[n - 1], said.starts[n]):
            return
        yield said.lower[n]
        part = said.known[n].part if said.content[n] else None
        if thing and part == VERB:
            return
        thing = thing or part == NOUN


def _is_somebody(text: str) -> bool:
    """Whether a phrase ends with a name, or a noun for people or a body of them; what "of" and commas add left out."""
    words = _WORD.findall(_ADDED.split(text)[0])
    if not words:
        return False
    return words[-1][0].isupper() or not _kinds(*_SOMEBODY).isdisjoint(_above(_noun(words[-1].lower())))


def _is_somewhere(text: str) -> bool:
    """Whether a phrase ends with a name, or a noun for a place or a building; the end of a known other noun is none."""
    words = _WORD.findall(_ADDED.split(_INSIDE.sub("", text, count=1))[0])
    if not words:
        return False
    senses = _noun(words[-1].lower())
    new = len(words) > 1 and words[-2].lower() == "new"  # "New York": lists of words have York alone
    return new or not senses or not _kinds(*_SOMEWHERE).isdisjoint(_above(senses))


def has_place(question: Question, text: str) -> bool:
    """Whether a text names a place, where a town, state or country is asked for, that the question does not name.

    It is one by the lists of words, or a name that they do not know behind "in" or "of".
    """
    if not _TOWN.search(question.text):
        return True
    asked_words = set(_WORD.findall(question.text.lower()))
    for name in _NAME.finditer(text):
        parts = [word.lower() for word in _WORD.findall(name[0])]
        senses = _noun(parts[-1])
        known = "new" in parts[:-1] or not _kinds("location", "river").isdisjoint(_above(senses))
        if (known or (not senses and _IN.search(text[: name.start()]))) and not set(parts) <= asked_words:
            return True
    return text.islower()


def is_person(noun: str) -> bool:
    """Whether the most frequent sense of a common noun is a person: a landlord, no team and no flat."""
    return not _above(_noun(noun.lower())[:1]).isdisjoint(_noun("person")[:1])


def are_common_nouns(words: Sequence[str]) -> bool:
    """Whether all words are known nouns and the last is of no person: "Employee Acknowledgement Form"."""
    return all(_noun(word.lower()) for word in words) and not is_person(words[-1])


@cache
def _kinds(*nouns: str) -> frozenset[int]:
    return frozenset(sense for noun in nouns for sense in _noun(noun))


@lru_cache(maxsize=4096)
def _noun(word: str) -> tuple[int, ...]:
    """The two most frequent senses of a word as a noun."""
    from citewell.facts.kinship import COMMON, look_up
    from citewell.facts.wordnet import NOUN, wordnet

    net = wordnet()
    senses = [sense for entry in look_up(word).entries for sense in net.senses.get(entry) if net.pos[sense] == NOUN]
    return tuple(senses[:COMMON])


def _above(senses: tuple[int, ...]) -> frozenset[int]:
    """Senses and all that they are kinds of."""
    from citewell.facts.wordnet import wordnet

    collected, left = set(senses), list(senses)
    while left:
        new = set(wordnet().parents.get(left.pop())) - collected
        collected |= new
        left += new
    return frozenset(collected)
