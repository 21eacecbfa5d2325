"""Who did what to whom, as far as order, voice and "than" tell without a parser."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from citewell.facts.clauses import clauses
from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import ADJECTIVE, VERB
from citewell.facts.words_aligned import Aligned

_BE = frozenset("be is are was were been being am".split())


class Passive(NamedTuple):
    """A participle at `verb` after a form of "be" (or none, in "built by"); `by` is the position of "by"."""

    verb: int
    by: int


def passives(tokens: Tokens) -> tuple[Passive, ...]:
    """The passives with their doer: "was founded in 2001 by Ann"."""
    result: list[Passive] = []
    for by in (place for place, word in enumerate(tokens.lower) if word == "by" and place):
        verb = next((place for place in range(by - 1, max(-1, by - 7), -1) if _participle(tokens, place)), -1)
        if verb >= 0:
            result.append(Passive(verb, by))
    return tuple(result)


def _participle(tokens: Tokens, place: int) -> bool:
    lower, word = tokens.lower[place], tokens.known[place]
    return lower.endswith("ed") or (
        word.key != lower and tokens.lower[place - 1] in _BE and word.part in (VERB, ADJECTIVE)
    )


def swapped(aligned: Aligned) -> tuple[int, int, int] | None:
    """A comparison of the claim whose two sides have changed places: its word, and the words on both sides."""
    claim, evidence, places = aligned.claim, aligned.evidence, aligned.places
    claim_passive = {passive.verb for passive in passives(claim)}
    shown_passive = {passive.verb for passive in passives(evidence)}
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


def than_swapped(aligned: Aligned) -> tuple[int, int, int] | None:
    """A comparison whose sides round "than" have changed places: a word that only the one has, and one of the other."""
    claim, evidence, places = aligned.claim, aligned.evidence, aligned.places
    here, there = _than(claim), _than(evidence)
    if here is None or there is None or places[here[0]] != there[0]:
        return None
    left, right = _apart(claim, here[1])
    before, behind = _apart(evidence, there[1])
    first = next((n for n in left if claim.keys[n] in {evidence.keys[m] for m in behind}), -1)
    second = next((n for n in right if claim.keys[n] in {evidence.keys[m] for m in before}), -1)
    kept = {claim.keys[n] for n in left} & {evidence.keys[m] for m in before if m > there[0]}
    return (here[0], first, second) if first >= 0 and second >= 0 and not kept else None


def _than(tokens: Tokens) -> tuple[int, int] | None:
    """The places of the comparative and of the "than" of a sentence that has one of each."""
    if tokens.lower.count("than") != 1:
        return None
    than = tokens.lower.index("than")
    words = [n for n in range(max(0, than - SPAN), than) if tokens.lower[n] in _MORE or tokens.lower[n].endswith("er")]
    return (words[-1], than) if words else None


def _apart(tokens: Tokens, than: int) -> tuple[list[int], list[int]]:
    """The content words before and behind a "than" that stand on one side only."""
    left = {tokens.keys[n] for n in range(than) if tokens.content[n]}
    right = {tokens.keys[n] for n in range(than + 1, len(tokens)) if tokens.content[n]}
    sides = (
        [n for n in range(than) if tokens.content[n]],
        [n for n in range(than + 1, len(tokens)) if tokens.content[n]],
    )
    return [n for n in sides[0] if tokens.keys[n] not in right], [n for n in sides[1] if tokens.keys[n] not in left]


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
        if place < 0 or not (claim.names[n] or (aligned.evidence.names[place] and not claim.numbers[n])):
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
    shown_passive = {passive.verb for passive in passives(aligned.evidence)}
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


def turned_round(aligned: Aligned) -> tuple[int, int, int] | None:
    """What relates two words of the claim that the sentence relates the other way round, and both of them."""
    for change in (swapped, than_swapped, reversed_pair, beside_reversed, crossed):
        turned = change(aligned)
        if turned is not None:
            return turned
    return None


def beside_reversed(aligned: Aligned) -> tuple[int, int, int] | None:
    """A verb with the words right before and behind it, names or not, that stand round it the other way."""
    claim, evidence, places = aligned.claim, aligned.evidence, aligned.places
    claim_passive = {passive.verb for passive in passives(claim)}
    shown_passive = {passive.verb for passive in passives(evidence)}
    for verb, place in enumerate(places):
        if place < 0 or not _relates(claim, verb):
            continue
        before = _next(claim, range(verb - 1, max(-1, verb - NEAR), -1))
        after = _next(claim, range(verb + 1, min(len(claim), verb + NEAR)))
        if before < 0 or after < 0 or min(places[before], places[after]) < 0:
            continue
        behind = _next(evidence, range(place + 1, min(len(evidence), place + NEAR)))
        ahead = _next(evidence, range(place - 1, max(-1, place - NEAR), -1))
        turned = places[before] == behind and places[after] == ahead
        if turned and (verb in claim_passive) == (place in shown_passive):
            return verb, before, after
    return None


def _relates(tokens: Tokens, place: int) -> bool:
    """Whether a word is a verb between two different things, not one that says what something is or is called."""
    verb = tokens.known[place].part == VERB and tokens.content[place] and not tokens.names[place]
    return verb and tokens.known[place].key not in _NAMING


def _next(tokens: Tokens, places: range) -> int:
    """The first content word of some places; none where a word of relation stands before it."""
    for place in places:
        if tokens.content[place]:
            return place
        if tokens.lower[place] in _PLACES:
            break
    return -1


def crossed(aligned: Aligned) -> tuple[int, int, int] | None:
    """A verb whose doer or object is a name of another statement, while its own statement has another name there."""
    claim, evidence, places = aligned.claim, aligned.evidence, aligned.places
    here, there = clauses(claim.text), statements(evidence)
    if "(" in evidence.text or not there[-1:] or there[-1] == 0:
        return None
    for verb, place in enumerate(places):
        if place < 0 or not _relates(claim, verb) or not _relates(evidence, place):
            continue
        for step in (-1, 1):
            claim_name = _name(claim, here, verb, step)
            evidence_name = _name(evidence, there, place, step)
            if (
                claim_name < 0
                or evidence_name < 0
                or places[claim_name] < 0
                or there[places[claim_name]] == there[place]
            ):
                continue
            keys = {evidence.keys[n] for n in range(len(evidence)) if there[n] == there[place]}
            mine = {claim.keys[n] for n in range(len(claim)) if here[n] == here[verb]}
            if claim.keys[claim_name] not in keys and evidence.keys[evidence_name] not in mine:
                return verb, claim_name, verb
    return None


def statements(tokens: Tokens) -> tuple[int, ...]:
    """The number of the statement in which each word stands: parts of a sentence that have a verb of their own."""
    result, number = [], 0
    for place, word in enumerate(tokens.lower):
        between = tokens.text[tokens.ends[place - 1] : tokens.starts[place]] if place else ""
        number += bool(place) and (word in _CONTRASTS or ";" in between)
        result.append(number)
    return tuple(result)


def _name(tokens: Tokens, number: Sequence[int], verb: int, step: int) -> int:
    """The name nearest to a verb on one side of it in its clause."""
    place = verb + step
    while 0 <= place < len(tokens) and abs(place - verb) < NEAR and number[place] == number[verb]:
        if tokens.names[place]:
            return place
        place += step
    return -1


_MORE = frozenset("more less fewer".split())
_CONTRASTS = frozenset(("while", "whereas"))
_NAMING = frozenset("be becom know call name entitl titl dub refer".split())
CLOSE = 8  # words between two names that one verb relates
NEAR = 4  # words to either side of a verb in which its doer and its object stand without anything between
SPAN = 8  # words to either side of a comparison in which what it compares is sought
_PLACES = frozenset("in at with for from by of during under after before since until near as than to on".split())
