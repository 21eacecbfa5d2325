"""Words of a sentence that are used as verbs, by their form and their neighbours, without a parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.kinship import forms, irregular_pasts
from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import ADJECTIVE, ADVERB, NOUN, VERB, wordnet

BE = frozenset("be is are was were been being am get got gets".split())
HELPING = frozenset("have has had having do does did don't doesn't didn't".split())
MODALS = frozenset("will would shall should can could may might must cannot to".split())
DETERMINERS = frozenset(
    "the a an this that these those its their his her our my your each every some most no any all another".split()
)
PREPOSITIONS = frozenset(
    "in at with for from by during under after before since until near as than to on over about into between "
    "against among through per via within without across toward towards upon except onto versus out off".split()
)
WHO = frozenset("who whom which that".split())
PRONOUNS = frozenset("it they he she we i you who which that them him".split())
OPENS = frozenset("and or but while whereas because although though if when unless where whether".split())
_OTHERS = frozenset("it them him her us more less about half both".split())  # that begin what something is done to
_UNCHANGED = frozenset("beat put set cut let hit hurt cost shut spread split quit cast burst".split())  # in the past
_BY = 5  # words behind a participle in which its "by" stands
_FAR = 16  # words before a verb in which another one of its clause is looked for


class Verb(NamedTuple):
    """How a verb is used: `passive`, behind "to" (`bound`), or with nothing but its form to tell it (`bare`)."""

    passive: bool = False
    bound: bool = False
    bare: bool = False


def verbs(words: Tokens, clause: Sequence[int]) -> Mapping[int, Verb]:
    """The verbs of a sentence by their places; `clause` numbers the clause of each word."""
    result: dict[int, Verb] = {}
    for n in range(len(words)):
        verb = _verb(words, n)
        if verb and not (verb.bare and _has_one(words, clause, result, n)):
            result[n] = verb
    return result


def owns(words: Tokens, n: int) -> bool:
    """Whether a word is a possessive: "Ann's"."""
    spelled = words.text[words.starts[n] : words.ends[n] + 2] if n >= 0 else ""
    return spelled.replace("’", "'").rstrip().endswith(("'s", "s'"))


def skip(words: Tokens, n: int, helping: frozenset[str] = frozenset()) -> int:
    """The last place up to a word that has neither an adverb nor one of some helping words."""
    while n >= 0 and words.lower[n] not in DETERMINERS and not words.names[n]:
        adverb = words.known[n].part == ADVERB or words.lower[n].endswith("ly") or words.lower[n] in ("not", "also")
        if not (words.lower[n] in helping or (adverb and words.lower[n] not in BE)):
            break
        n -= 1
    return n


@lru_cache(maxsize=16384)
def can_be(lower: str, part: int) -> bool:
    """Whether a spelling is a form of a word of that part of speech; its stem alone makes no verb of "retirement"."""
    net = wordnet()
    entries = {entry for base in _bases(lower) for entry in net.find(base, base, "")}
    return any(net.pos[sense] == part for entry in entries for sense in net.senses.get(entry))


def _bases(lower: str) -> Iterator[str]:
    yield from (lower, *forms(lower)[:1])
    for ending, *others in (("ies", "y"), ("es", "", "e"), ("s", ""), ("ied", "y"), ("ed", "", "e"), ("ing", "", "e")):
        if lower.endswith(ending):
            bare = lower.removesuffix(ending)
            yield from (bare + other for other in others)
            yield bare[:-1] if bare[-1:] == bare[-2:-1] else bare


def _verb(words: Tokens, n: int) -> Verb | None:
    lower, part = words.lower[n], words.known[n].part
    if words.numbers[n] or words.names[n] or not words.content[n] or not (can_be(lower, VERB) or lower.endswith("ed")):
        return None
    before = skip(words, n - 1)
    previous = words.lower[before] if before >= 0 else ""
    following = words.lower[n + 1] if n + 1 < len(words) and not words.gap(n + 1).strip() else ""
    if previous in DETERMINERS - {"that"} or owns(words, before) or words.text[: words.starts[n]].endswith("-"):
        return None
    if before > 0 and words.known[before].part == ADJECTIVE and words.lower[before - 1] in DETERMINERS:
        return None  # "the extreme left of the line"
    opens_noun = _opens_noun(words, n + 1)
    if lower.endswith("ing"):
        return Verb() if opens_noun or previous in BE else None
    past = lower.endswith("ed") or lower in irregular_pasts()
    if past or (previous in BE and following == "by"):
        helped = previous in BE | HELPING
        describes = not helped and not opens_noun and part == ADJECTIVE and following not in PREPOSITIONS
        in_noun = previous in PREPOSITIONS - {"to"} and not opens_noun  # "of increased sales"
        passive = previous in BE or following == "by" or _built_by(words, n)
        return None if describes or in_noun else Verb(passive)
    if previous in MODALS or previous in HELPING:
        return Verb(bound=previous == "to")
    if before < 0 or previous in BE or not (words.content[before] or previous in PRONOUNS):
        return None
    third = lower.endswith("s") and not lower.endswith("ss")
    plural = previous.endswith("s") and not words.names[before]
    agrees = lower in _UNCHANGED or previous in WHO or words.names[before] or third != plural
    certain = opens_noun or not can_be(lower, NOUN) or previous in PRONOUNS
    ends = following in PREPOSITIONS or n + 1 == len(words)
    return Verb(bare=True) if agrees and (certain or (part == VERB and ends)) else None


def _has_one(words: Tokens, clause: Sequence[int], verbs: Mapping[int, Verb], n: int) -> bool:
    """Whether the clause of a word has a verb before it, and nothing between them that begins another."""
    before = max((m for m in range(max(0, n - _FAR), n) if m in verbs and clause[m] == clause[n]), default=-1)
    return before >= 0 and all(words.lower[m] not in WHO | OPENS for m in range(before + 1, n))


def _built_by(words: Tokens, n: int) -> bool:
    """A participle without "was" whose doer stands behind "by": "the tower, built in 1901 by Ann"."""
    apart = n == 0 or not words.content[n - 1] or words.gap(n).strip() == ","
    return apart and words.lower[n - 1] not in PRONOUNS and "by" in words.lower[n + 1 : n + _BY]


def _opens_noun(words: Tokens, n: int) -> bool:
    """Whether an expression for a thing begins at a word."""
    if n >= len(words):
        return False
    listed = words.lower[n] in DETERMINERS | _OTHERS | lists.words("speakers", "selves")
    return listed or words.names[n] or words.numbers[n]
