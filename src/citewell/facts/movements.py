"""Rises and falls that a claim words, and whose two figures the evidence gives: "30.2 in 2018 and 31.9 in 2019"."""

from __future__ import annotations

from citewell.facts.bindings import moves
from citewell.facts.changes import Change
from citewell.facts.features import ClaimAlignment


def moving(alignment: ClaimAlignment) -> tuple[int, int] | None:
    """The word of a claim without figures that says that something rises or falls, with 1 or -1."""
    claim = alignment.claim
    if claim.quantities or not alignment.aligned:
        return None
    for place, known in enumerate(claim.tokens.known):
        for axis, side in known.sides:
            if axis == "change" and not claim.denied[place]:
                return place, 1 - 2 * side
    return None


def moved(alignment: ClaimAlignment) -> Change | None:
    """The change that the two figures of the best sentence make in the claim's time; None where there are several."""
    wanted = [period for period in alignment.claim.periods if period.kind == "period" and period.year is not None]
    tokens, main = alignment.claim.tokens, alignment.aligned[0]
    times_there = {n for period in wanted for n in tokens.between(period.start, period.end)}
    word = moving(alignment)
    others = [n for n in range(len(tokens)) if tokens.content[n] and n not in times_there and word and n != word[0]]
    if not others or any(main.places[n] < 0 for n in others):
        return None
    pairs = {change.sign: change for change in moves(alignment.premises[0].text, wanted[-1] if wanted else None)}
    return next(iter(pairs.values())) if len(pairs) == 1 else None
