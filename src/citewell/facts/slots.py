"""Assertions of a claim that the evidence does not make although it contains the words: "most employees", negations.

Such a claim is not supported; nothing need contradict it. Rules for causes and for parties that stand in each other's
place were tried beside these: on sets left out they held back more true claims than false ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from citewell.facts import lists
from citewell.facts.align import Finding
from citewell.facts.denials import denies
from citewell.facts.extract import Facts
from citewell.facts.features import ClaimAlignment
from citewell.facts.negation import denies_need_alone
from citewell.facts.words_aligned import Aligned
from citewell.types import Span

_HEAD = 5  # words behind a share in which what it is of stands


@cache
def _borne_out_by() -> Mapping[str, frozenset[str]]:
    """The words of a claim that tell a share, and those of its evidence that bear them out."""
    whole, most = lists.words("shares", "all"), lists.words("shares", "most")
    return {
        **dict.fromkeys(whole - lists.words("shares", "all of evidence only"), whole),
        **dict.fromkeys(most, most | whole),
    }


def open_slots(alignment: ClaimAlignment) -> Iterator[Finding]:
    """What the claim says beyond the sentences that have its words, in plain words."""
    if alignment.aligned:
        yield from _shares(alignment)
        yield from _denied(alignment)


def _shares(alignment: ClaimAlignment) -> Iterator[Finding]:
    """All or most of something, where the sentence that has it says of no such share."""
    claim = alignment.claim.tokens
    for place, word in enumerate(claim.lower):
        if word not in _borne_out_by() or (place and claim.lower[place - 1] in lists.words("shares", "no share after")):
            continue
        superlative = tuple(lists.read("shares")["superlative"])  # "most important"
        if word == "most" and any(after.endswith(superlative) for after in claim.lower[place + 1 : place + 2]):
            continue
        heads = [n for n in range(place + 1, min(len(claim), place + _HEAD)) if claim.content[n]]
        homes = [
            facts
            for facts, words in zip(alignment.premises, alignment.aligned, strict=True)
            if any(words.places[n] >= 0 for n in heads)
        ]
        if homes and not any(_has_share(facts, word) for facts in homes):
            span = claim.span(place)
            yield Finding("quantifier", span, f"says “{claim.text[slice(*span)]}”, which the evidence does not")


def _has_share(facts: Facts, word: str) -> bool:
    """Whether a sentence says of such a share, in words or by a figure."""
    if not _borne_out_by()[word].isdisjoint(facts.tokens.lower):
        return True
    shares = [q for q in facts.quantities if q.kind in ("percent", "ratio")]
    return any(q.kind == "percent" and q.high >= 100 for q in shares) or (
        word in lists.words("shares", "most") and any(q.kind == "ratio" or q.high > 50 for q in shares)
    )


def _denied(alignment: ClaimAlignment) -> Iterator[Finding]:
    """What the claim states, where half of its words or more stand behind a denial that no other sentence lifts."""
    claim = alignment.claim
    if claim.negations:
        return
    for number, (evidence, words) in enumerate(zip(alignment.premises, alignment.aligned, strict=True)):
        for cue in evidence.negations:
            behind = [
                n
                for n in words.taken[cue.first : cue.last]
                if n >= 0 and claim.tokens.content[n] and denies(words, evidence, n)
            ]
            if 2 * len(behind) < max(1, sum(claim.tokens.content)) or denies_need_alone(
                evidence.tokens, cue, claim.tokens
            ):
                continue
            both = enumerate(zip(alignment.premises, alignment.aligned, strict=True))
            if not any(_states(facts, other, behind) for n, (facts, other) in both if n != number):
                there = Span(cue.start, evidence.tokens.ends[max(words.places[n] for n in behind)])
                message = f"states what the evidence denies: “{evidence.text[slice(*there)]}”"
                yield Finding("negation", Span(0, len(claim.text)), message, number, there)
                return


def _states(facts: Facts, words: Aligned, places: Sequence[int]) -> bool:
    """Whether a sentence states most of some words of the claim."""
    return 3 * sum(words.places[n] >= 0 and not facts.denied[words.places[n]] for n in places) > 2 * len(places)
