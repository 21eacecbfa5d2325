"""Who did what to whom, as far as order, voice and "than" tell without a parser."""

from __future__ import annotations

from typing import NamedTuple

from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import ADJECTIVE, VERB
from citewell.facts.words_aligned import Aligned

_BE = frozenset("be is are was were been being am".split())
_LINKS = frozenset("is are was were be being been and or".split())


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
    return lower.endswith("ed") or (word.key != lower and said.lower[place - 1] in _BE and word.part in (VERB, ADJECTIVE))


def inversions(aligned: Aligned) -> tuple[int, int, int, int]:
    """Pairs of neighbouring matched words in another order than in the claim, and all pairs; the same of names alone."""
    content = [n for n, place in enumerate(aligned.places) if place >= 0]
    names = [n for n in content if aligned.claim.names[n]]
    turned, total = _turned(aligned, content)
    return (turned, total, *_turned(aligned, names))


def _turned(aligned: Aligned, words: list[int]) -> tuple[int, int]:
    pairs = list(zip(words, words[1:], strict=False))
    return sum(aligned.places[a] > aligned.places[b] for a, b in pairs), len(pairs)


def swapped(aligned: Aligned) -> tuple[int, int, int] | None:
    """A verb or comparison of the claim whose two sides have changed places, and the words on both sides.

    The sides have changed where they stand round the verb the other way about, unless one of both sentences is
    passive and the other is not.
    """
    claim, shown, places = aligned.claim, aligned.shown, aligned.places
    claim_passive = {passive.verb for passive in passives(claim)}
    shown_passive = {passive.verb for passive in passives(shown)}
    for verb, place in enumerate(places):
        if place < 0 or not _relates(claim, verb):
            continue
        before = [n for n in range(verb - 1, max(-1, verb - 8), -1) if _side(aligned, n)]
        after = [n for n in range(verb + 1, min(len(claim), verb + 9)) if _side(aligned, n)]
        if not before or not after:
            continue
        first, second = before[0], after[0]
        turned = places[second] < place < places[first]
        kept = places[first] < place < places[second]
        if turned or kept:
            same_voice = (verb in claim_passive) == (place in shown_passive)
            if turned == same_voice:
                return verb, first, second
    return None


def _relates(claim: Tokens, place: int) -> bool:
    word = claim.known[place]
    lower = claim.lower[place]
    return not claim.names[place] and (word.part == VERB or lower.endswith(("ed", "er")) or bool(word.sides))


def _side(aligned: Aligned, place: int) -> bool:
    return aligned.places[place] >= 0 and (aligned.claim.names[place] or not _relates(aligned.claim, place))
