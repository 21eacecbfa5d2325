"""Whether names, numbers and nouns stand by the same words in the evidence: "5 dogs and 3 cats" against "5 cats"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import NOUN
from citewell.facts.words_aligned import Aligned

BY = 3  # words to either side of a participant that tell its role
NEAR = 4  # words of the evidence among which those must stand
BESIDE = 2  # words right beside a participant, among which small words count
MOST = 8  # participants that are compared; more stand in lists only
HEADING = 8  # words of a heading at most
_LINKS = frozenset("and or plus as well".split())
_ARTICLES = frozenset("the a an".split())


class Participant(NamedTuple):
    """A name, number or noun of a claim that the evidence has: its kind and its words there (`last` exclusive)."""

    kind: str
    first: int
    last: int


class Stand(NamedTuple):
    """A place of a participant in the sentence `sentence`: words `first` to `last` (exclusive)."""

    sentence: int
    first: int
    last: int


def bindings(aligned: Sequence[Aligned]) -> dict[str, float]:
    """How well participants stand by the words of the claim, and whether two of them would fit better exchanged."""
    result = {"unbound_names": 0.0, "bound": 1.0, "exchange": 0.0, "exchange_names": 0.0, "topic_late": 0.0}
    there = [(who, tuple(_stands(who, aligned))) for who in participants(aligned)][:MOST]
    if not there:
        return result
    fits = [max(_fit(who, stand, aligned) for stand in stands) for who, stands in there]
    result["unbound_names"] = sum(
        who.kind == "name" and most > 0 and not fit for (who, _), (fit, most) in zip(there, fits, strict=True)
    )
    result["bound"] = sum(fit for fit, _ in fits) / max(1.0, sum(most for _, most in fits))
    for ((one, ones), (own, _)), ((other, others), (its, _)) in combinations(zip(there, fits, strict=True), 2):
        if one.kind != other.kind or _listed(aligned[0].claim, one, other):
            continue
        turned = max(_fit(one, s, aligned)[0] for s in others) + max(_fit(other, s, aligned)[0] for s in ones)
        for name in ("exchange",) if one.kind == "noun" else ("exchange", "exchange_names"):
            result[name] = max(result[name], turned - own - its)
    result["topic_late"] = _topic_late([stands for _, stands in there], aligned)
    return result


def participants(aligned: Sequence[Aligned]) -> Iterator[Participant]:
    """The names, whole, the numbers and the nouns of the claim that some sentence has."""
    if not aligned:
        return
    claim = aligned[0].claim
    kinds = [_kind(claim, place, aligned) for place in range(len(claim))]
    first = 0
    while first < len(claim):
        last = first + 1
        while kinds[first] == "name" and last < len(claim) and kinds[last] == "name":
            last += 1
        if kinds[first]:
            yield Participant(kinds[first], first, last)
        first = last


def _kind(claim: Tokens, place: int, aligned: Sequence[Aligned]) -> str:
    matches = [words.shown.names[words.places[place]] for words in aligned if words.places[place] >= 0]
    if not matches:
        return ""
    if claim.numbers[place]:
        return "number"
    if claim.names[place] or any(matches):
        return "name"
    return "noun" if claim.content[place] and claim.known[place].part == NOUN else ""


def _stands(who: Participant, aligned: Sequence[Aligned]) -> Iterator[Stand]:
    for sentence, words in enumerate(aligned):
        places = [place for place in words.places[who.first : who.last] if place >= 0]
        if places:
            near = [place for place in places if place <= min(places) + 2 * NEAR]
            yield Stand(sentence, min(places), max(near) + 1)


def _fit(who: Participant, stand: Stand, aligned: Sequence[Aligned]) -> tuple[float, float]:
    """How many of the words beside a participant stand on the same side of a place, and how many could.

    A preposition or another small word counts half, and only right beside both.
    """
    words = aligned[stand.sentence]
    claim, shown = words.claim, words.shown
    before = range(max(0, who.first - BY), who.first), range(max(0, stand.first - NEAR), stand.first)
    after = range(who.last, min(len(claim), who.last + BY)), range(stand.last, min(len(shown), stand.last + NEAR))
    fit = most = 0.0
    for places, window, beside, close in (
        (*before, before[0][-BESIDE:], before[1][-BESIDE:]),
        (*after, after[0][:BESIDE], after[1][:BESIDE]),
    ):
        for n in places:
            if claim.content[n]:
                most += 1
                fit += words.places[n] in window
            elif n in beside and claim.lower[n] not in _ARTICLES:
                most += 0.5
                fit += 0.5 * any(shown.lower[place] == claim.lower[n] for place in close)
    return fit, most


def _listed(claim: Tokens, one: Participant, other: Participant) -> bool:
    """Whether two participants are only listed beside each other."""
    return all(word in _LINKS or word in _ARTICLES for word in claim.lower[one.last : other.first])


def _topic_late(there: Sequence[Sequence[Stand]], aligned: Sequence[Aligned]) -> float:
    """How far back in the claim stands what a heading alone names, where nothing before it does.

    Sentences speak of their heading, so that what it names is mostly what a claim begins with.
    """
    headings = {n for n, words in enumerate(aligned) if _heading(words.shown)}
    if not headings or len(there) == 1:
        return 0.0
    named = [n for n, stands in enumerate(there) if all(stand.sentence in headings for stand in stands)]
    return max(named) / (len(there) - 1) if named and named[0] else 0.0


def _heading(shown: Tokens) -> bool:
    return len(shown) <= HEADING and not shown.text.rstrip().endswith((".", "!", "?"))
