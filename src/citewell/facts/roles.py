"""Who did what to whom, as far as order, voice and "than" tell without a parser."""

from __future__ import annotations

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
    """Pairs of neighbouring matched words in another order than in the claim, and all pairs; the same of names alone."""
    content = [n for n, place in enumerate(aligned.places) if place >= 0]
    names = [n for n in content if aligned.claim.names[n]]
    turned, total = _turned(aligned, content)
    return (turned, total, *_turned(aligned, names))


def _turned(aligned: Aligned, words: list[int]) -> tuple[int, int]:
    pairs = list(zip(words, words[1:], strict=False))
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
        if turned and (verb in claim_passive) == (place in shown_passive):
            return verb, first, second
    return None


def _compares(claim: Tokens, place: int) -> bool:
    """A comparative before "than", or a verb of more and less."""
    sides = claim.known[place].sides
    if any(axis in ("level", "change") for axis, _ in sides) or claim.lower[place].endswith("er"):
        return "than" in claim.lower[place : place + 4] or claim.known[place].part == VERB
    return False


def exchanged(aligned: Aligned) -> tuple[int, int, int] | None:
    """Two names of the claim of which each stands by the words of the other: how many more words say so, and both.

    What stands between them, such as a verb, counts by its order, unless one sentence is passive and the other not.
    """
    claim, places = aligned.claim, aligned.places
    chunks = [n for n in range(len(claim)) if claim.names[n] and places[n] >= 0 and not (n and claim.names[n - 1])]
    claim_passive = {passive.verb for passive in passives(claim)}
    shown_passive = {passive.verb for passive in passives(aligned.shown)}
    worst: tuple[int, int, int] | None = None
    for first, second in zip(chunks, chunks[1:], strict=False):
        votes = 0
        here, there = places[first], places[second]
        for n in range(max(0, first - BESIDE), min(len(claim), second + BESIDE + 1)):
            place = places[n]
            if place < 0 or claim.names[n] or claim.numbers[n]:
                continue
            if first < n < second and claim.known[n].part == VERB:
                same_voice = (n in claim_passive) == (place in shown_passive)
                ordered = here < place < there
                turned = there < place < here
                votes += 2 * ((turned == same_voice) - (ordered == same_voice)) if ordered or turned else 0
            else:
                closer = abs(n - first) < abs(n - second)
                near, far = (here, there) if closer else (there, here)
                votes += (abs(place - near) > abs(place - far)) - (abs(place - near) < abs(place - far))
        if votes > 0 and (worst is None or votes > worst[0]):
            worst = votes, first, second
    return worst


SPAN = 8  # words to either side of a comparison in which what it compares is sought
BESIDE = 4  # words beside a name that belong to it
