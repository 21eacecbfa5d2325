"""Aligns each word of a claim with a word of the evidence, and finds what replaces a missing word.

A claim's word that no word of the sentence matches, between neighbours that are matched, with a word of the sentence
left over between the same neighbours, is the strongest general sign of a changed fact.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from citewell.facts.kinship import Kinship, kinship
from citewell.facts.names import acronyms, spoken
from citewell.facts.tokens import Tokens

MATCHES = {Kinship.SAME: 5, Kinship.FORM: 4, Kinship.DERIVED: 3, Kinship.SYNONYM: 3, Kinship.BROADER: 2, Kinship.KIN: 1}
TURNS = (Kinship.OPPOSITE, Kinship.SIBLING, Kinship.NARROWER)
REACH = 4  # words from a matched neighbour in which another word may stand in for the one that is lacking
CANDIDATES = 24  # related words, the nearest first, from which the match of a word is chosen
BETWEEN = 12  # words between two matched neighbours among which one may stand in for the one that is lacking
PREFIX = 5  # letters from which a common beginning makes two names one name


class Substitution(NamedTuple):
    """A word of the claim that has no match, and the word of the sentence where its match should stand (-1: none).

    `sides` counts the matched neighbours, 0 to 2, between which both stand.
    """

    claim_place: int
    evidence_place: int
    kinship: Kinship
    sides: int


@dataclass(frozen=True, slots=True)
class Aligned:
    """A claim of N words against a sentence of M.

    `places` are the positions of the matches in the sentence (-1: none), `kinships` what they are; `taken` the
    positions in the claim of the sentence's words (-1: none).
    """

    claim: Tokens
    evidence: Tokens
    places: tuple[int, ...]
    kinships: tuple[Kinship, ...]
    taken: tuple[int, ...]
    substitutions: tuple[Substitution, ...]


def align(claim: Tokens, evidence: Tokens, speaker: frozenset[str] = frozenset()) -> Aligned:
    """Match the content words of a claim with those of a sentence, the same words first, in order where they repeat."""
    places = [-1] * len(claim)
    kinships = [Kinship.NONE] * len(claim)
    taken = [-1] * len(evidence)
    positions: dict[str, list[int]] = defaultdict(list)
    for place, key in enumerate(evidence.keys):
        positions[key].append(place)

    def match(word: int, place: int, kind: Kinship) -> None:
        places[word], kinships[word], taken[place] = place, kind, word

    expected = 0
    for claim_word in _content(claim):
        free = positions.get(claim.keys[claim_word])
        if free:
            place = free.pop(_nearest(free, expected))
            match(claim_word, place, Kinship.SAME if claim.lower[claim_word] == evidence.lower[place] else Kinship.FORM)
            expected = place + 1
    for claim_word, place in acronyms(claim, evidence):
        if places[claim_word] < 0:
            match(claim_word, place, Kinship.SYNONYM)
    for claim_word, place in spoken(claim, evidence, speaker):
        if places[claim_word] < 0 and claim.content[claim_word]:
            match(claim_word, place, Kinship.SYNONYM)
    left = {place for place in _content(evidence) if taken[place] < 0}
    turned: list[tuple[int, int, Kinship]] = []
    for claim_word in _content(claim):
        if places[claim_word] >= 0 or not left or claim.numbers[claim_word]:
            continue
        best = (0, 0, -1, Kinship.NONE)
        near = _expected(places, claim_word)
        for place in nsmallest(
            CANDIDATES, _akin(claim, claim_word, evidence, left), key=lambda place: (abs(place - near), place)
        ):
            kind = _kind(claim, claim_word, evidence, place)
            if kind in MATCHES:
                best = max(best, (MATCHES[kind], -abs(place - near), place, kind))
            elif kind in TURNS:
                turned.append((claim_word, place, kind))
        if best[2] >= 0:
            match(claim_word, best[2], best[3])
            left.remove(best[2])
    substitutions = _substitutions(claim, evidence, places, taken, turned)
    return Aligned(claim, evidence, tuple(places), tuple(kinships), tuple(taken), tuple(substitutions))


def _nearest(places: Sequence[int], expected: int) -> int:
    """The position of the place nearest to the expected one, the first of two."""
    at = bisect_left(places, expected)
    if at == len(places) or (at and expected - places[at - 1] <= places[at] - expected):
        return at - 1
    return at


def _akin(claim: Tokens, claim_word: int, evidence: Tokens, left: set[int]) -> list[int]:
    """Those of the words `left` in a sentence that may be related to a word of the claim."""
    word = claim.known[claim_word]
    akin = [place for place in left if not word.asks.isdisjoint(evidence.known[place].offers)]
    if not word.entries and len(claim.lower[claim_word]) >= PREFIX:
        beginning = claim.lower[claim_word][:PREFIX]
        akin += [place for place in left.difference(akin) if evidence.lower[place].startswith(beginning)]
    return akin


def _content(text: Tokens) -> Iterable[int]:
    return (place for place, content in enumerate(text.content) if content)


def _expected(places: Sequence[int], word: int) -> int:
    before = next((places[n] for n in range(word - 1, -1, -1) if places[n] >= 0), None)
    if before is not None:
        return before + 1
    return next((places[n] - 1 for n in range(word + 1, len(places)) if places[n] >= 0), 0)


def _kind(claim: Tokens, word: int, evidence: Tokens, place: int) -> Kinship:
    if evidence.numbers[place]:
        return Kinship.NONE
    first, second = claim.lower[word], evidence.lower[place]
    kind = kinship(first, second)
    if kind == Kinship.NONE and not claim.known[word].entries and min(len(first), len(second)) >= PREFIX:
        return Kinship.DERIVED if first[:PREFIX] == second[:PREFIX] else kind
    return kind


def _substitutions(
    claim: Tokens,
    evidence: Tokens,
    places: Sequence[int],
    taken: Sequence[int],
    turned: Sequence[tuple[int, int, Kinship]],
) -> list[Substitution]:
    result: list[Substitution] = []
    by_word: dict[int, dict[int, Kinship]] = defaultdict(dict)
    for word, place, kind in turned:
        if places[word] < 0 and taken[place] < 0:
            by_word[word][place] = kind
    lacking = [n for n in range(len(claim)) if places[n] < 0 and claim.content[n]]
    windows = {word: _window(word, evidence, places) for word in lacking}
    free = {place for place in range(len(evidence)) if taken[place] < 0 and evidence.content[place]}
    chosen: dict[int, Substitution] = {}
    # Words that are opposite or kinds of the same thing first, then whatever else stands in the place.
    for word, kin in by_word.items():
        window, near = windows[word], _slot(word, places)
        options = [
            (kind == Kinship.OPPOSITE, window.get(place, 0), -abs(place - near), -place)
            for place, kind in kin.items()
            if place in free
        ]
        if options:
            place = -max(options)[3]
            free.discard(place)
            chosen[word] = Substitution(word, place, kin[place], window.get(place, 0))
    for word in lacking:
        window = windows[word]
        here = free & window.keys() if word not in chosen else set[int]()
        fitting = [place for place in here if _fits(claim, word, evidence, place)]
        if fitting:
            near = _slot(word, places)
            _, _, place = max((window[place], -abs(place - near), -place) for place in fitting)
            free.discard(-place)
            chosen[word] = Substitution(word, -place, Kinship.NONE, window[-place])
    for word in range(len(claim)):
        if word in chosen:
            result.append(chosen[word])
        elif word in windows:
            result.append(Substitution(word, -1, Kinship.NONE, _matched_sides(word, places)))
        elif places[word] < 0 and claim.known[word].sides:
            turn = _turned_function_word(claim, word, evidence, places, taken)
            if turn:
                result.append(turn)
    return result


def _fits(claim: Tokens, word: int, evidence: Tokens, place: int) -> bool:
    """Whether a word may stand in for another: a number for a number, a name for a name, a word for a word."""
    if claim.numbers[word] or evidence.numbers[place]:
        return claim.numbers[word] and evidence.numbers[place]
    return claim.names[word] == evidence.names[place]


def _slot(word: int, places: Sequence[int]) -> int:
    """Where a word would stand, counted from the nearer of its matched neighbours."""
    count = len(places)
    for step in range(1, REACH + 1):
        other = word + step
        if other < count and places[other] >= 0:
            return places[other] - step
        other = word - step
        if other >= 0 and places[other] >= 0:
            return places[other] + step
    return word


def _neighbours(word: int, places: Sequence[int]) -> tuple[int, int]:
    """The places of the nearest matched words before and after, -1 where none is near."""
    before = after = -1
    for n in range(word - 1, max(-1, word - 1 - REACH), -1):
        if places[n] >= 0:
            before = places[n]
            break
    for n in range(word + 1, min(len(places), word + 1 + REACH)):
        if places[n] >= 0:
            after = places[n]
            break
    return before, after


def _matched_sides(word: int, places: Sequence[int]) -> int:
    before, after = _neighbours(word, places)
    return (before >= 0) + (after >= 0) if before < 0 or after < 0 or before < after <= before + BETWEEN else 1


def _window(word: int, evidence: Tokens, places: Sequence[int]) -> dict[int, int]:
    """The places where a word in the stead of `word` would stand, and between how many matched neighbours that is."""
    before, after = _neighbours(word, places)
    if 0 <= before < after <= before + BETWEEN:
        return dict.fromkeys(range(before + 1, after), 2)
    window: dict[int, int] = {}
    if before >= 0:
        window.update(dict.fromkeys(range(before + 1, min(len(evidence), before + 1 + REACH)), 1))
    if after >= 0:
        window.update(dict.fromkeys(range(max(0, after - REACH), after), 1))
    return window


def _turned_function_word(
    claim: Tokens, word: int, evidence: Tokens, places: Sequence[int], taken: Sequence[int]
) -> Substitution | None:
    """Give "before" where the sentence has "after" between the same neighbours."""
    window = _window(word, evidence, places)
    if any(evidence.lower[place] == claim.lower[word] for place in window):
        return None
    for place, sides in window.items():
        beside = evidence.lower[place] in claim.lower[max(0, word - 2) : word + 3]  # "out in" for "in"
        sided = taken[place] < 0 and not beside and evidence.known[place].sides
        if sided and kinship(claim.lower[word], evidence.lower[place]) == Kinship.OPPOSITE:
            return Substitution(word, place, Kinship.OPPOSITE, sides)
    return None
