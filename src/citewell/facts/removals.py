"""Effects of taking something away: "blocking the valve prevented corrosion" says the reverse of the valve.

No parser tells the subject of a verb: it is what stands before the first verb behind the word for taking away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.extract import Facts
from citewell.facts.kinship import irregular_pasts
from citewell.facts.tokens import Tokens
from citewell.facts.whole import acts, may_act
from citewell.facts.words_aligned import Aligned

_SUBJECT = 8  # words of a subject at most


class Removal(NamedTuple):
    """Places of words: the one for taking away, what it takes, and the verb of what follows from that."""

    cue: int
    removed: int
    verb: int


def removals(tokens: Tokens) -> Iterator[Removal]:
    """What a sentence says to follow from taking something away."""
    for cue, word in enumerate(tokens.lower):
        before, after = tokens.lower[max(0, cue - 1) : cue], tokens.lower[cue + 1 : cue + 2]
        acting = word in lists.words("removals", "acting") and not (cue and acts(tokens, cue - 1))
        if word in lists.words("removals", "joined") and before and tokens.content[cue - 1] and after != ("of",):
            verb, removed = _verb(tokens, cue + 1), cue - 1
        elif acting or (word in lists.words("removals", "of") and after == ("of",)):
            taken = next((n for n in range(cue + 1, len(tokens)) if tokens.content[n]), len(tokens))
            verb = _verb(tokens, taken + 1)
            removed = next((n for n in range(verb - 1, cue, -1) if tokens.content[n]), -1)
        else:
            continue
        if verb >= 0 and removed >= 0:
            yield Removal(cue, removed, verb)


def _verb(tokens: Tokens, start: int) -> int:
    """The first verb from a place on, in the same clause; -1 where none is near."""
    for n in range(start, min(len(tokens), start + _SUBJECT)):
        if any(mark in tokens.gap(n) for mark in ",;:()"):
            return -1
        word = tokens.lower[n]
        finite = word.endswith(("ed", "s")) or word in irregular_pasts()  # no "filter" in "removing the old filter"
        if finite and may_act(tokens, n):
            return n
    return -1


def left_in(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> Iterator[tuple[int, Removal]]:
    """Sentences and removals of what a claim says to act itself: it has that, and no word for taking it away."""
    for number, (sentence, words) in enumerate(zip(evidence, aligned, strict=True)):
        for removal in removals(sentence.tokens):
            place = words.taken[removal.removed]
            if place >= 0 and words.taken[removal.cue] < 0 and not claim.denied[place] and _is_subject(claim, place):
                yield number, removal


def _is_subject(claim: Facts, place: int) -> bool:
    """Whether no verb stands before a word, and its claim takes nothing away itself and tells of no passive."""
    tokens = claim.tokens
    free = "by" not in tokens.lower and not any(acts(tokens, n) for n in range(place))
    return free and not any(removal.removed == place for removal in removals(tokens))
