"""Differences in negation between a claim and its evidence: numbers for the weights, places for the reasons."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from citewell.facts.extract import Facts
from citewell.facts.kinship import Kinship
from citewell.facts.negation import PREFIXES, Negation, denied, forbids, is_limited, never_before, permits
from citewell.facts.shares import count
from citewell.facts.words_aligned import Aligned, Substitution

HEAD = 4  # words behind a cue of negation in which the word stands that it denies first


def with_denied_opposites(words: Aligned, facts: Facts, sentence: Facts) -> Aligned:
    """The alignment with words matched whose opposite the other side denies: "not available" is "unavailable".

    Evidence of one end ("cold") bears out that the other is denied ("not hot"). That the evidence denies an end says so
    much of the other only where nothing lies between. Only the word that a cue denies first is turned: "did not hold
    cold water" says nothing of hot water. What is matched so keeps the kinship of opposites.
    """
    places, kinships, taken = list(words.places), list(words.kinships), list(words.taken)
    left: list[Substitution] = []
    first_here, first_there = set(heads(facts)), set(heads(sentence))
    for turn in words.substitutions:
        here, there = turn.claim_place, turn.evidence_place
        free = turn.kinship == Kinship.OPPOSITE and there >= 0 and places[here] < 0 and taken[there] < 0
        claim_denies = facts.denied[here] and not sentence.denied[there] and here in first_here
        evidence_denies = sentence.denied[there] and not facts.denied[here] and there in first_there
        complementary = _prefixed(words.claim.lower[here], words.evidence.lower[there])
        if free and (claim_denies or (evidence_denies and complementary)):
            places[here], kinships[here], taken[there] = there, Kinship.OPPOSITE, here
        else:
            left.append(turn)
    if len(left) == len(words.substitutions):
        return words
    return replace(words, places=tuple(places), kinships=tuple(kinships), taken=tuple(taken), substitutions=tuple(left))


def without_idle(facts: Facts, others: Sequence[Facts]) -> Facts:
    """A sentence without its denials that no other sentence is held against.

    That something never happened before denies nothing of a first time. What is forbidden may have happened all the
    same: it is denied only where others say that it may be done, always, and deny nothing in words of their own, as
    "not permitted" does.
    """
    first = any(("first", "time") in pairwise(other.tokens.lower) for other in others)
    permitted = any(permits(other.tokens) for other in others) and not any(other.negations for other in others)
    tokens = facts.tokens

    def idle(cue: Negation) -> bool:
        if forbids(tokens, cue):
            return not permitted or is_limited(tokens, cue)
        return first and never_before(tokens, cue)

    cues = tuple(cue for cue in facts.negations if not idle(cue))
    if len(cues) == len(facts.negations):
        return facts
    return replace(facts, negations=cues, denied=denied(len(tokens), cues))


def _prefixed(first: str, second: str) -> bool:
    """Whether one word is the other with a prefix that denies it."""
    short, long = sorted((first, second), key=len)
    return any(long == prefix + short for prefix in PREFIXES)


def denies(words: Aligned, there: Facts, word: int) -> bool:
    """Whether a sentence denies its match of a word of the claim, as an opposite does that is not denied itself."""
    return there.denied[words.places[word]] != (words.kinships[word] == Kinship.OPPOSITE)


def measures(
    facts: Facts, evidence: Sequence[Facts], weights: Sequence[float], aligned: Sequence[Aligned]
) -> dict[str, float]:
    """How many words the claim denies first that no sentence denies, and the share of its words that it so denies."""
    denied = _both_deny(evidence, aligned)
    stated = {n for n in range(len(weights)) if any(alignment.places[n] >= 0 for alignment in aligned)} - denied
    total = max(1e-9, sum(weights))
    return {
        "denies": count(n for n in heads(facts) if facts.denied[n] and n in stated),
        "denies_share": sum(weights[n] for n in stated if facts.denied[n]) / total,
    }


def _both_deny(evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> set[int]:
    """The words of the claim whose match a sentence denies."""
    pairs = zip(aligned, evidence, strict=True)
    return {
        n for words, there in pairs for n, place in enumerate(words.places) if place >= 0 and denies(words, there, n)
    }


def alone(facts: Facts, evidence: Sequence[Facts], weights: Sequence[float], aligned: Sequence[Aligned]) -> float:
    """How many cues of the claim deny nothing that a sentence denies."""
    denied = {n for n in _both_deny(evidence, aligned) if weights[n]}
    return count(cue for cue in facts.negations if denied.isdisjoint(range(cue.first, cue.last)))


def denied_here(facts: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> list[int]:
    """The words that the claim denies first and that the best sentence has, where none denies a word of that cue."""
    denied = _both_deny(evidence, aligned)
    return [
        n
        for n, cue in _heads(facts)
        if facts.denied[n] and aligned[0].places[n] >= 0 and denied.isdisjoint(range(cue.first, cue.last))
    ]


def denied_there(facts: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> list[tuple[int, int]]:
    """The sentences and the places of words that one denies first, that the claim states, and no other states.

    A cue denies nothing of a claim that denies a word behind it too: "none of the crew is paid", "it is not paid".
    """
    return [
        (number, place)
        for number, (sentence, words) in enumerate(zip(evidence, aligned, strict=True))
        for place, cue in _heads(sentence)
        if (n := words.taken[place]) >= 0
        and denies(words, sentence, n)
        and not facts.denied[n]
        and not any(facts.denied[n] for n in words.taken[cue.first : cue.last] if n >= 0)
        and (not number or _all_there(sentence, words, cue))
        and not any(
            alignment.places[n] >= 0
            and alignment.kinships[n] <= max(words.kinships[n], Kinship.FORM)
            and not denies(alignment, there, n)
            for alignment, there in zip(aligned, evidence, strict=True)
        )
    ]


def _all_there(sentence: Facts, words: Aligned, cue: Negation) -> bool:
    """Whether what a cue denies is the claim's, as it must be in a sentence other than the best."""
    scope = [n for n in range(cue.first, cue.last) if sentence.tokens.content[n]]
    return len(scope) > 2 and sum(words.taken[n] < 0 for n in scope) <= len(scope) // 3


def heads(facts: Facts) -> list[int]:
    """The first content word that each cue of negation denies, where it stands close behind the cue."""
    return [place for place, _ in _heads(facts)]


def _heads(facts: Facts) -> Iterator[tuple[int, Negation]]:
    content = facts.tokens.content
    for cue in facts.negations:
        first = next((n for n in range(cue.first, min(cue.last, cue.first + HEAD)) if content[n]), -1)
        if first >= 0:
            yield first, cue


def cue_of(facts: Facts, place: int) -> Negation:
    """The first cue that denies a word."""
    last = bisect_right(facts.negations, place, key=lambda cue: cue.first)
    before = [cue for cue in facts.negations[max(0, last - HEAD) : last] if cue.last > place]
    return before[0] if before else next(cue for cue in facts.negations if cue.first <= place < cue.last)
