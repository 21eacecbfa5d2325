"""Who did what to whom, as far as order, voice and "than" tell without a parser."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import ADJECTIVE, VERB
from citewell.facts.words_aligned import Aligned

_BE = frozenset("be is are was were been being am".split())


class Passive(NamedTuple):
    """A participle at `verb` after a form of "be" (or none, in "built by"); `by` is the position of "by"."""

    verb: int
    by: int


def passives(said: Tokens) -> tuple[Passive, ...]:
    """The passives with their doer: "was founded in 2001 by Ann"."""
    result: list[Passive] = []
    for by in (place for place, word in enumerate(said.lower) if word == "by" and place):
        verb = next((place for place in range(by - 1, max(-1, by - 7), -1) if _participle(said, place)), -1)
        if verb >= 0:
            result.append(Passive(verb, by))
    return tuple(result)


def _participle(said: Tokens, place: int) -> bool:
    lower, word = said.lower[place], said.known[place]
    return lower.endswith("ed") or (
        word.key != lower and said.lower[place - 1] in _BE and word.part in (VERB, ADJECTIVE)
    )


def inversions(aligned: Aligned) -> tuple[int, int, int, int]:
    """Neighbouring matched words in another order than in the claim, all such pairs, and both of names alone."""
    content = [n for n, place in enumerate(aligned.places) if place >= 0]
    names = [n for n in content if aligned.claim.names[n]]
    turned, total = _turned(aligned, content)
    return (turned, total, *_turned(aligned, names))


def _turned(aligned: Aligned, words: list[int]) -> tuple[int, int]:
    pairs = list(pairwise(words))
    return sum(aligned.places[a] > aligned.places[b] for a, b in pairs), len(pairs)


def swapped(aligned: Aligned) -> tuple[int, int, int] | None:
    """A comparison of the claim whose two sides have changed places: its word, and the words on both sides."""
    claim, shown, places = aligned.claim, aligned.shown, aligned.places
    claim_passive = {passive.verb for passive in passives(claim)}
    shown_passive = {passive.verb for passive in passives(shown)}
    for verb, place in enumerate(places):
        if place < 0 or not _compares(claim, verb):
            continue
        before = [n for n in range(verb - 1, max(-1, verb - SPAN), -1) if places[n] >= 0 and not _compares(claim, n)]
        after = [n for n in range(verb + 1, min(len(claim), verb + SPAN)) if places[n] >= 0 and not _compares(claim, n)]
        if not before or not after:
            continue
        first, second = before[0], after[0]
        turned = places[second] < place < places[first]
        if turned and places[first] - places[second] <= CLOSE and (verb in claim_passive) == (place in shown_passive):
            return verb, first, second
    return None


def _compares(claim: Tokens, place: int) -> bool:
    """A comparative before "than", or a verb of more and less."""
    sides = claim.known[place].sides
    if any(axis in ("level", "change") for axis, _ in sides) or claim.lower[place].endswith("er"):
        return "than" in claim.lower[place : place + 4] or claim.known[place].part == VERB
    return False


def _chunks(aligned: Aligned) -> list[int]:
    """The matched names, each by its rarest word."""
    claim = aligned.claim
    result: list[int] = []
    before = -2
    for n, place in enumerate(aligned.places):
        # What opens the claim may be a name: the sentence tells, where it stands in the middle there.
        if place < 0 or not (claim.names[n] or (aligned.shown.names[place] and not claim.numbers[n])):
            continue
        if n == before + 1:
            if claim.weights[n] > claim.weights[result[-1]]:
                result[-1] = n
        else:
            result.append(n)
        before = n
    return result


def reversed_pair(aligned: Aligned) -> tuple[int, int, int] | None:
    """A verb or comparison close between two names that stand round it the other way in the sentence: it and both."""
    claim, places = aligned.claim, aligned.places
    claim_passive = {passive.verb for passive in passives(claim)}
    shown_passive = {passive.verb for passive in passives(aligned.shown)}
    for first, second in pairwise(_chunks(aligned)):
        here, there = places[first], places[second]
        if second - first > CLOSE:
            continue
        for n in range(first + 1, second):
            place = places[n]
            if place < 0 or claim.names[n] or not (claim.known[n].part == VERB or _compares(claim, n)):
                continue
            turned = there < place < here and here - there <= CLOSE
            kept = here < place < there and there - here <= CLOSE
            same_voice = (n in claim_passive) == (place in shown_passive)
            if (turned and same_voice) or (kept and not same_voice):
                return n, first, second
    return None


CLOSE = 8  # words between two names that one verb relates
SPAN = 8  # words to either side of a comparison in which what it compares is sought
