"""What a claim says that no sentence of its evidence does, though its words stand there: how many, why, who to whom.

"Most employees" of employees, "because" of two things side by side, a payment to who made it. Such a claim is not
supported; nothing need contradict it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from citewell.facts.align import Finding, phrase
from citewell.facts.clauses import clauses
from citewell.facts.extract import Facts
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import VERB
from citewell.types import Span

_ALL = frozenset("all every each any everyone everything always entire entirely whole full both no none never".split())
_MOST = frozenset("most mostly mainly majority chiefly primarily largely predominantly usually typically".split())
_SHARES = {  # words of a claim, and those of its evidence that bear them out
    **dict.fromkeys("all every everyone everything always entire whole".split(), _ALL),
    **dict.fromkeys("most mostly mainly majority chiefly primarily largely predominantly".split(), _MOST | _ALL),
}
_NO_SHARE_AFTER = frozenset("at the after above not in of".split())  # "at all", "the most"
_SUPERLATIVE = ("ly", "ed", "ing", "ive", "nt", "al", "le")  # "most important"
_HEAD = 5  # words behind a share in which what it is of stands
_CAUSES = frozenset("because causing caused causes due driven thanks".split())
_GIVES_CAUSE = tuple(
    "because due caus result lead led driv drove thank owing reflect attribut reason therefor thus consequ since so "
    "enabl contribut".split()
)
_BEFORE_PARTY = frozenset("to from by with for of against into over".split())
_INSIDE_PARTY = frozenset("the a an its s".split())
_BE = frozenset("be is are was were been being".split())
_NEAR = 6  # words from a party to its verb


def open_slots(alignment: ClaimAlignment) -> Iterator[Finding]:
    """What the claim says beyond the sentences that have its words, in plain words."""
    if alignment.aligned:
        yield from _shares(alignment)
        yield from _causes(alignment)
        yield from _denied(alignment)
        yield from _exchanged(alignment)


def _shares(alignment: ClaimAlignment) -> Iterator[Finding]:
    """All or most of something, where the sentence that has it says of no such share."""
    claim = alignment.claim.tokens
    for place, word in enumerate(claim.lower):
        if word not in _SHARES or (place and claim.lower[place - 1] in _NO_SHARE_AFTER):
            continue
        if word == "most" and any(following.endswith(_SUPERLATIVE) for following in claim.lower[place + 1 : place + 2]):
            continue
        heads = [n for n in range(place + 1, min(len(claim), place + _HEAD)) if claim.content[n]]
        homes = [
            facts
            for facts, words in zip(alignment.premises, alignment.aligned, strict=True)
            if any(words.places[n] >= 0 for n in heads)
        ]
        if homes and not any(_has_share(facts, word) for facts in homes):
            span = Span(claim.starts[place], claim.ends[place])
            yield Finding(
                "quantifier", span, f"says “{claim.text[span.start : span.end]}”, which the evidence does not"
            )


def _has_share(facts: Facts, word: str) -> bool:
    """Whether a sentence says of such a share, in words or by a figure."""
    if not _SHARES[word].isdisjoint(facts.tokens.lower):
        return True
    shares = [q for q in facts.quantities if q.kind in ("percent", "ratio")]
    return any(q.kind == "percent" and q.high >= 100 for q in shares) or (
        word in _MOST and any(q.kind == "ratio" or q.high > 50 for q in shares)
    )


def _causes(alignment: ClaimAlignment) -> Iterator[Finding]:
    """A cause, where the sentence with most of the claim gives none."""
    claim = alignment.claim.tokens
    if any(word.startswith(_GIVES_CAUSE) for word in alignment.premises[0].tokens.lower):
        return
    for place, word in enumerate(claim.lower):
        if word in _CAUSES:
            span = Span(claim.starts[place], len(claim.text.rstrip(" .!")))
            yield Finding("missing", span, "the evidence gives no such cause")
            return


def _denied(alignment: ClaimAlignment) -> Iterator[Finding]:
    """What the claim states, where half of its words or more stand behind a denial of one clause."""
    claim, evidence = alignment.claim, alignment.premises[0]
    if claim.negations or not evidence.negations:
        return
    number, tokens = clauses(evidence.text), evidence.tokens
    matched = [place for n, place in enumerate(alignment.aligned[0].places) if place >= 0 and claim.tokens.content[n]]
    for cue in evidence.negations:
        at = tokens.between(cue.start, cue.end)
        behind = [place for place in matched if at and place > at[0] and number[place] == number[at[0]]]
        if behind and 2 * len(behind) >= sum(claim.tokens.content):
            there = Span(cue.start, tokens.ends[max(behind)])
            quoted = evidence.text[there.start : there.end]
            span = Span(0, len(claim.text))
            yield Finding("negation", span, f"states what the evidence denies: “{quoted}”", 0, there)
            return


def _exchanged(alignment: ClaimAlignment) -> Iterator[Finding]:
    """Two parties that stand in each other's place: who makes a payment, and to whom."""
    main = alignment.aligned[0]
    claim, evidence, places = main.claim, main.evidence, main.places
    dates = {n for period in alignment.claim.periods for n in claim.between(period.start, period.end)}
    parties = {
        n: (_role(claim, n), _role(evidence, place))
        for n, place in enumerate(places)
        if place >= 0
        and claim.content[n]
        and n not in dates
        and (claim.names[n] or evidence.names[place])
        and claim.keys[n] == evidence.keys[place]
        and claim.keys.count(claim.keys[n]) == evidence.keys.count(claim.keys[n]) == 1
    }
    for first, second in combinations(parties, 2):
        roles = parties[first]
        if roles[0] != roles[1] and roles == parties[second][::-1]:
            span = Span(claim.starts[first], claim.ends[second])
            at = sorted((places[first], places[second]))
            there = Span(evidence.starts[at[0]], evidence.ends[at[1]])
            quoted = phrase(alignment.premises[0], there)
            yield Finding("roles", span, f"the evidence has them the other way round: “{quoted}”", 0, there)
            return


def _role(tokens: Tokens, place: int) -> str:
    """What a party is to its verb: "doer", "object", or the word before it ("to", "from")."""
    first = place
    while first and (tokens.names[first - 1] or tokens.lower[first - 1] in _INSIDE_PARTY):
        first -= 1
    before = tokens.lower[first - 1] if first else ""
    if before in _BEFORE_PARTY:
        return "doer" if before == "by" else before
    number = clauses(tokens.text)
    verbs = [n for n in range(len(tokens)) if tokens.known[n].part == VERB and not tokens.names[n]]
    verbs = [n for n in verbs if abs(n - place) <= _NEAR and number[n] == number[place]]
    if any(n < first and not tokens.lower[n].endswith("ing") for n in verbs):
        return "object"
    after = next((n for n in verbs if n > place), -1)
    passive = after >= 0 and not _BE.isdisjoint(tokens.lower[max(place + 1, after - 2) : after])
    return "object" if passive and not tokens.lower[after].endswith("ing") else "doer"
