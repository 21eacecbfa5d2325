"""Which word of a sentence says what each word of a claim says, and what stands in the place of a word that is lacking.

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
from citewell.facts.names import Aliases, acronyms
from citewell.facts.tokens import Tokens

MATCHES = {Kinship.SAME: 5, Kinship.FORM: 4, Kinship.DERIVED: 3, Kinship.SYNONYM: 3, Kinship.BROADER: 2, Kinship.KIN: 1}
TURNS = (Kinship.OPPOSITE, Kinship.SIBLING, Kinship.NARROWER)
REACH = 4  # words from a matched neighbour in which another word may stand in for the one that is lacking
CANDIDATES = 24  # related words, the nearest first, from which the match of a word is chosen
BETWEEN = 12  # words between two matched neighbours among which one may stand in for the one that is lacking
NO_ALIASES: Aliases = frozenset()
PREFIX = 5  # letters from which a common beginning makes two names one name


class Substitution(NamedTuple):
    """The claim's word `said` has no match; the sentence's word `shown` stands where it should (-1: nothing does).

    `sides` counts the matched neighbours, 0 to 2, between which both stand.
    """

    said: int
    shown: int
    kinship: Kinship
    sides: int


@dataclass(frozen=True, slots=True)
class Aligned:
    """A claim of N words against a sentence of M.

    `places` are the positions of the matches in the sentence (-1: none), `kinships` what they are; `taken` the
    positions in the claim of the sentence's words (-1: none).
    """

    claim: Tokens
    shown: Tokens
    places: tuple[int, ...]
    kinships: tuple[Kinship, ...]
    taken: tuple[int, ...]
    substitutions: tuple[Substitution, ...]


def align(claim: Tokens, shown: Tokens, known: Aliases = NO_ALIASES) -> Aligned:
    """Match the content words of a claim with those of a sentence, the same words first, in order where they repeat."""
    places = [-1] * len(claim)
    kinships = [Kinship.NONE] * len(claim)
    taken = [-1] * len(shown)
    positions: dict[str, list[int]] = defaultdict(list)
    for place, key in enumerate(shown.keys):
        positions[key].append(place)

    def match(said: int, place: int, kind: Kinship) -> None:
        places[said], kinships[said], taken[place] = place, kind, said

    expected = 0
    for said in _content(claim):
        free = positions.get(claim.keys[said])
        if free:
            place = free.pop(_nearest(free, expected))
            match(said, place, Kinship.SAME if claim.lower[said] == shown.lower[place] else Kinship.FORM)
            expected = place + 1
    for said, place in acronyms(claim, shown):
        if places[said] < 0:
            match(said, place, Kinship.SYNONYM)
    left = {place for place in _content(shown) if taken[place] < 0}
    if known:
        for said in _content(claim):
            defined = [place for place in left if (claim.keys[said], shown.keys[place]) in known]
            if places[said] < 0 and defined:
                match(said, min(defined, key=lambda place: abs(place - _expected(places, said))), Kinship.SYNONYM)
                left.discard(places[said])
    turned: list[tuple[int, int, Kinship]] = []
    for said in _content(claim):
        if places[said] >= 0 or not left or claim.numbers[said]:
            continue
        best = (0, 0, -1, Kinship.NONE)
        near = _expected(places, said)
        for place in nsmallest(
            CANDIDATES, _akin(claim, said, shown, left), key=lambda place: (abs(place - near), place)
        ):
            kind = _kind(claim, said, shown, place)
            if kind in MATCHES:
                best = max(best, (MATCHES[kind], -abs(place - near), place, kind))
            elif kind in TURNS:
                turned.append((said, place, kind))
        if best[2] >= 0:
            match(said, best[2], best[3])
            left.remove(best[2])
    substitutions = _substitutions(claim, shown, places, taken, turned)
    return Aligned(claim, shown, tuple(places), tuple(kinships), tuple(taken), tuple(substitutions))


def _nearest(places: Sequence[int], expected: int) -> int:
    """The position of the place nearest to the expected one, the first of two."""
    at = bisect_left(places, expected)
    if at == len(places) or (at and expected - places[at - 1] <= places[at] - expected):
        return at - 1
    return at


def _akin(claim: Tokens, said: int, shown: Tokens, left: set[int]) -> list[int]:
    """Those of the words `left` in a sentence that may be related to a word of the claim."""
    word = claim.known[said]
    akin = [place for place in left if not word.asks.isdisjoint(shown.known[place].offers)]
    if not word.entries and len(claim.lower[said]) >= PREFIX:
        beginning = claim.lower[said][:PREFIX]
        akin += [place for place in left.difference(akin) if shown.lower[place].startswith(beginning)]
    return akin


def _content(text: Tokens) -> Iterable[int]:
    return (place for place, content in enumerate(text.content) if content)


def _expected(places: Sequence[int], said: int) -> int:
    before = next((places[n] for n in range(said - 1, -1, -1) if places[n] >= 0), None)
    if before is not None:
        return before + 1
    return next((places[n] - 1 for n in range(said + 1, len(places)) if places[n] >= 0), 0)


def _kind(claim: Tokens, said: int, shown: Tokens, place: int) -> Kinship:
    if shown.numbers[place]:
        return Kinship.NONE
    first, second = claim.lower[said], shown.lower[place]
    kind = kinship(first, second)
    if kind == Kinship.NONE and not claim.known[said].entries and min(len(first), len(second)) >= PREFIX:
        return Kinship.DERIVED if first[:PREFIX] == second[:PREFIX] else kind
    return kind


def _substitutions(
    claim: Tokens,
    shown: Tokens,
    places: Sequence[int],
    taken: Sequence[int],
    turned: Sequence[tuple[int, int, Kinship]],
) -> list[Substitution]:
    result: list[Substitution] = []
    by_word: dict[int, dict[int, Kinship]] = defaultdict(dict)
    for said, place, kind in turned:
        if places[said] < 0 and taken[place] < 0:
            by_word[said][place] = kind
    lacking = [n for n in range(len(claim)) if places[n] < 0 and claim.content[n]]
    windows = {said: _window(said, shown, places) for said in lacking}
    free = {place for place in range(len(shown)) if taken[place] < 0 and shown.content[place]}
    chosen: dict[int, Substitution] = {}
    # Words that are opposite or kinds of the same thing first, then whatever else stands in the place.
    for said, kin in by_word.items():
        window, near = windows[said], _slot(said, places)
        options = [
            (kind == Kinship.OPPOSITE, window.get(place, 0), -abs(place - near), -place)
            for place, kind in kin.items()
            if place in free
        ]
        if options:
            place = -max(options)[3]
            free.discard(place)
            chosen[said] = Substitution(said, place, kin[place], window.get(place, 0))
    for said in lacking:
        window = windows[said]
        here = free & window.keys() if said not in chosen else set[int]()
        fitting = [place for place in here if _fits(claim, said, shown, place)]
        if fitting:
            near = _slot(said, places)
            _, _, place = max((window[place], -abs(place - near), -place) for place in fitting)
            free.discard(-place)
            chosen[said] = Substitution(said, -place, Kinship.NONE, window[-place])
    for said in range(len(claim)):
        if said in chosen:
            result.append(chosen[said])
        elif said in windows:
            result.append(Substitution(said, -1, Kinship.NONE, _held(said, places)))
        elif places[said] < 0 and claim.known[said].sides:
            turn = _turned_function_word(claim, said, shown, places, taken)
            if turn:
                result.append(turn)
    return result


def _fits(claim: Tokens, said: int, shown: Tokens, place: int) -> bool:
    """Whether a word may stand in for another: a number for a number, a name for a name, a word for a word."""
    if claim.numbers[said] or shown.numbers[place]:
        return claim.numbers[said] and shown.numbers[place]
    return claim.names[said] == shown.names[place]


def _slot(said: int, places: Sequence[int]) -> int:
    """Where a word would stand, counted from the nearer of its matched neighbours."""
    count = len(places)
    for step in range(1, REACH + 1):
        other = said + step
        if other < count and places[other] >= 0:
            return places[other] - step
        other = said - step
        if other >= 0 and places[other] >= 0:
            return places[other] + step
    return said


def _neighbours(said: int, places: Sequence[int]) -> tuple[int, int]:
    """The places of the nearest matched words before and after, -1 where none is near."""
    before = after = -1
    for n in range(said - 1, max(-1, said - 1 - REACH), -1):
        if places[n] >= 0:
            before = places[n]
            break
    for n in range(said + 1, min(len(places), said + 1 + REACH)):
        if places[n] >= 0:
            after = places[n]
            break
    return before, after


def _held(said: int, places: Sequence[int]) -> int:
    before, after = _neighbours(said, places)
    return (before >= 0) + (after >= 0) if before < 0 or after < 0 or before < after <= before + BETWEEN else 1


def _window(said: int, shown: Tokens, places: Sequence[int]) -> dict[int, int]:
    """The places where a word in the stead of `said` would stand, and between how many matched neighbours that is."""
    before, after = _neighbours(said, places)
    if 0 <= before < after <= before + BETWEEN:
        return dict.fromkeys(range(before + 1, after), 2)
    window: dict[int, int] = {}
    if before >= 0:
        window.update(dict.fromkeys(range(before + 1, min(len(shown), before + 1 + REACH)), 1))
    if after >= 0:
        window.update(dict.fromkeys(range(max(0, after - REACH), after), 1))
    return window


def _turned_function_word(
    claim: Tokens, said: int, shown: Tokens, places: Sequence[int], taken: Sequence[int]
) -> Substitution | None:
    """Give "before" where the sentence has "after" between the same neighbours."""
    window = _window(said, shown, places)
    if any(shown.lower[place] == claim.lower[said] for place in window):
        return None
    for place, sides in window.items():
        sided = taken[place] < 0 and shown.known[place].sides
        if sided and kinship(claim.lower[said], shown.lower[place]) == Kinship.OPPOSITE:
            return Substitution(said, place, Kinship.OPPOSITE, sides)
    return None
