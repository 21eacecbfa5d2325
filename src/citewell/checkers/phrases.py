"""Phrases of a claim as a reader is shown them: whole, without a word of another clause, and whole names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from citewell.facts import lists
from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens, rarity
from citewell.facts.wordnet import ADJECTIVE, ADVERB, NOUN, VERB, wordnet
from citewell.types import Span

_IN_NAMES = frozenset(("", "-", "&", "'s", "’s", "."))  # between the words of one name
_REST = 4  # words by which a phrase is completed
_SURNAME = 0.9  # how rare a word is that names one person or family
_STOPS = frozenset((".", "!", "?"))  # behind a sentence, where a space follows
_BREAKS = frozenset(("[", "]", "\n", "*"))  # between phrases that are none together
_SPACES = frozenset((" ", "\n"))
_MARKER = re.compile(r"\s*(?:\[[\d, ]+\]?|\.?<.*)$")  # a citation or a tag behind a phrase
_SHORT = re.compile(r"(?:\b\w\.)+\w$")  # "U.S", whose last point belongs to it
_NOMINAL = re.compile(r"(?:ment|tion|sion|ness|ity|er|or|ist|ance|ence)s?$")
_PAIRS = {"“": "”", "(": ")", "[": "]", '"': '"'}


def content_keys(reason: Finding, alignment: ClaimAlignment) -> set[str]:
    """The stems of the words of content that a reason is about."""
    tokens = alignment.claim.tokens
    return {tokens.keys[n] for n in words_of(reason, alignment) if tokens.content[n]}


def words_of(reason: Finding, alignment: ClaimAlignment) -> range:
    """The places of the words of the claim that a reason is about."""
    return alignment.claim.tokens.between(*reason.claim_span)


def not_there(finding: Finding, span: Span, alignment: ClaimAlignment) -> Finding:
    """The finding as that of words of the claim that the evidence does not have."""
    text, (start, end) = alignment.claim.text, span
    if text[end : end + 1] == "." and _SHORT.search(text[start:end]):
        span = Span(start, end + 1)
    quoted = inner_marks(text[slice(*span)])
    message = f"“{quoted}” is not in the evidence"
    return replace(finding, claim_span=span, message=message, sentence=-1, evidence_span=None)


def inner_marks(text: str) -> str:
    """Quotation marks inside a quotation."""
    return text.replace("“", "‘").replace("”", "’")


def missing_phrase(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """A phrase that is missing, whole: no bracket or quotation mark of it stands alone."""
    if not finding.message.startswith("“"):
        return finding  # it says more than that words are missing
    text, (start, end) = alignment.claim.text, _without_ends(finding.claim_span, alignment)
    if text[end : end + 1] in (")", "]", "”", '"') and _lone(text[start:end]) >= 0:
        end += 1
    while (at := _lone(text[start:end])) >= 0:
        before, after = text[start : start + at], text[start + at + 1 : end]
        if len(before.split()) >= len(after.split()):
            end = start + at
        else:
            start += at + 1
    while start < end and text[start] in " ,;:.)-–":
        start += 1
    while start < end and text[end - 1] in " ,;:(-–":
        end -= 1
    end = start + len(_MARKER.sub("", text[start:end]))
    return not_there(finding, Span(start, end) if start < end else finding.claim_span, alignment)


def _without_ends(span: Span, alignment: ClaimAlignment) -> Span:
    """A phrase of one sentence, without a lone word of another clause at its ends nor words that join it to others.

    Of "prices, the client decides" the client decides; of two lone words the rarer one.
    """
    claim, text = alignment.claim.tokens, alignment.claim.text
    words = claim.between(*span)
    marks = {n: set(text[claim.ends[n - 1] : claim.starts[n]]) for n in words[1:]}
    stops = [n for n in marks if (marks[n] & _STOPS and marks[n] & _SPACES) or marks[n] & _BREAKS]
    bounds = [words[0], *stops, words[-1] + 1] if words else []
    parts = [range(first, last) for first, last in pairwise(bounds)]
    words = max(parts, key=lambda part: sum(claim.content[n] for n in part), default=words)
    commas = [n for n in words[1:] if marks[n] & {",", ";"}]
    for first, last in ((words[0], commas[0]), (commas[-1], words[-1] + 1)) if commas else ():
        lone = [n for n in range(first, last) if claim.content[n]]
        rest = [n for n in words if claim.content[n] and n not in lone]
        if len(lone) <= 1 and (len(rest) > 1 or _rarest(claim, lone) < _rarest(claim, rest)):
            words = range(last, words[-1] + 1) if first == words[0] else range(words[0], first)
            break
    telling = [n for n in words if claim.content[n] or claim.lower[n] in denials()]
    return span_of(claim, _completed(claim, range(telling[0], telling[-1] + 1))) if telling else span


def _completed(claim: Tokens, words: range) -> range:
    """These words with the rest of their first compound and of their last noun phrase: "ex-wife", "immune system".

    Of "helps that the patient" before "receives" it takes "helps": the patient belongs to the other verb.
    """
    first, last = words[0], words[-1]
    while first and (_gap(claim, first - 1) == "-" or _in_one_name(claim, first - 1)):
        first -= 1
    if first and _gap(claim, first - 1) == " " and _is(claim, first - 1, ADJECTIVE) and not claim.names[first - 1]:
        first -= 1
    while last + 1 < len(claim) and last - words[-1] < _REST and _goes_on(claim, last):
        last += 1
    if last + 1 == len(claim) or _gap(claim, last) != " " or not _is(claim, last + 1, VERB):
        return range(first, last + 1)
    if _is(claim, last, ADVERB):
        return range(first, last + 2)
    joining = [n for n in range(first, last) if not claim.content[n]]
    before = [n for n in range(first, joining[-1]) if claim.content[n]] if joining else []
    return range(first, before[-1] + 1 if before and last == words[-1] else last + 1)


def _goes_on(claim: Tokens, place: int) -> bool:
    """Whether the next word is of the same compound or noun phrase."""
    gap, other = _gap(claim, place), place + 1
    if gap == "-":
        return True
    if gap != " " or not claim.content[other] or claim.numbers[other]:
        return False
    return claim.names[place] if claim.names[other] else not _is(claim, other, VERB)


def _is(claim: Tokens, place: int, part: int) -> bool:
    """Whether a word of content is mostly of this part of speech; a bare form that may be a noun is no verb."""
    word, lower = claim.known[place], claim.lower[place]
    if not claim.content[place] or word.part != part or (part == VERB and _NOMINAL.search(lower)):
        return False
    bare = not lower.endswith(("s", "ed", "ing"))
    return part != VERB or not bare or all(wordnet().pos[sense] != NOUN for sense in word.senses)


def _in_one_name(claim: Tokens, place: int) -> bool:
    return claim.names[place] and claim.names[place + 1] and _one_name(claim, place)


def _gap(claim: Tokens, place: int) -> str:
    return claim.text[claim.ends[place] : claim.starts[place + 1]]


@cache
def denials() -> frozenset[str]:
    """The words that deny a clause."""
    return frozenset(lists.read("reporting")["denials"].split())


def _rarest(tokens: Tokens, words: Sequence[int]) -> float:
    return max((rarity(tokens.keys[n]) for n in words), default=0.0)


def _lone(text: str) -> int:
    """Where a mark stands whose partner is not there, -1: nowhere."""
    opened: list[int] = []
    for place, mark in enumerate(text):
        if opened and mark == _PAIRS[text[opened[-1]]]:
            opened.pop()
        elif mark in _PAIRS:
            opened.append(place)
        elif mark in _PAIRS.values():
            return place
    return opened[0] if opened else -1


def span_of(tokens: Tokens, words: range) -> Span:
    """Where these words stand in their text."""
    return Span(tokens.starts[words[0]], tokens.ends[words[-1]])


def is_first_name(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether only the first words of a name are missing, whose last is rare and stands in the evidence: a surname."""
    claim, words = alignment.claim.tokens, words_of(finding, alignment)
    if not words or not all(claim.names[n] for n in words):
        return False
    last = name_around(claim, words)[-1]
    return last > words[-1] and alignment.covered[last] and rarity(claim.keys[last]) >= _SURNAME


def name_around(tokens: Tokens, words: range) -> range:
    """The whole name of which these words are a part."""
    first, last = words[0], words[-1]
    while first and tokens.names[first - 1] and _one_name(tokens, first - 1):
        first -= 1
    while last + 1 < len(tokens) and tokens.names[last + 1] and _one_name(tokens, last):
        last += 1
    return range(first, last + 1)


def _one_name(tokens: Tokens, place: int) -> bool:
    """Whether a word and the next one are of one name."""
    return tokens.text[tokens.ends[place] : tokens.starts[place + 1]].strip() in _IN_NAMES
