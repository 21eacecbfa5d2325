"""A rise or fall of the claim, where its evidence tells the opposite one: "went down by 5%" against "increased by 5%".

Words of change, of up and down, and of more and less are one scale here; WordNet's opposites and the axes know words of
one sort alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from citewell.facts.clauses import clauses
from citewell.facts.extract import Facts
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens

_SCALE = ("change", "updown", "level")
_MOVING = frozenset("go come move be head turn".split())


def opposed(alignment: ClaimAlignment) -> Iterator[tuple[int, int]]:
    """The words of the claim that tell a move, each with the word of the best sentence that tells the other way.

    What is read is the clause that has most of the claim, the sentence where that one tells no move.
    """
    if not alignment.aligned:
        return
    main, claim, evidence = alignment.aligned[0], alignment.claim, alignment.premises[0].tokens
    number = clauses(evidence.text)
    home = Counter(number[n] for n in main.places if n >= 0).most_common(1)
    words = [n for n in range(len(evidence)) if _way(evidence, n)]
    here = [n for n in words if home and number[n] == home[0][0]] or words
    for place in _moves(claim):
        sign, there = _way(claim.tokens, place), main.places[place]
        if (
            here
            and not (there >= 0 and _way(evidence, there) != -sign)
            and all(_way(evidence, n) == -sign for n in here)
        ):
            yield place, here[0]


def _way(tokens: Tokens, place: int) -> int:
    """1 for a word of a rise or of more, -1 for one of a fall or of less, 0 for any other."""
    return next((1 - 2 * side for axis, side in tokens.known[place].sides if axis in _SCALE), 0)


def _moves(claim: Facts) -> Iterator[int]:
    tokens = claim.tokens
    for place, known in enumerate(tokens.known):
        axes = {axis for axis, _ in known.sides}
        moving = "updown" in axes and place and tokens.keys[place - 1] in _MOVING
        if (moving or ("change" in axes and not tokens.names[place])) and not claim.denied[place]:
            yield place
