"""What a figure counts, by the noun behind it: "310 and 295 boats" counts boats, also its first figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from citewell.facts.extract import Facts, extract
from citewell.facts.types import Quantity
from citewell.facts.verbs import can_be
from citewell.facts.wordnet import NOUN

_JOINS = ("and", "or")


@lru_cache(maxsize=4096)
def counted(text: str) -> Mapping[int, str]:
    """For figures of a sentence, by their offsets, the key of the plural right behind, or behind those they join."""
    facts = extract(text)
    tokens, nouns = facts.tokens, dict[int, str]()
    following, begins = "", -1  # what the figure after this one counts, and where that stands
    for figure in reversed(facts.quantities):
        places = tokens.between(*figure.span)
        place = places.stop
        if place + 1 == begins and tokens.lower[place] in _JOINS:
            noun = following
        else:
            # A plural, else it may be what they did: "of 60 ships, 41 sailed".
            word = tokens.lower[place] if place < len(tokens) and not tokens.gap(place).strip() else ""
            noun = tokens.keys[place] if word.endswith("s") and tokens.content[place] and can_be(word, NOUN) else ""
        if noun:
            nouns[figure.start] = noun
        following, begins = noun, places.start
    return nouns


def of_other_noun(
    claim: Facts, figure: Quantity, premises: Sequence[Facts], equal: Quantity, at: int
) -> Quantity | None:
    """The figure that a sentence gives for what the claim counts, where the equal one counts something else there.

    "41 boats" against "310 boats and 41 rafts": 310. None where a sentence has the equal figure for the same noun.
    """
    noun = counted(claim.text).get(figure.start)
    if noun is None or equal.start not in counted(premises[at].text):
        return None
    same = [
        (place, other)
        for place, premise in enumerate(premises)
        for other in premise.quantities
        if counted(premise.text).get(other.start) == noun
    ]
    if any(other.value == equal.value for _, other in same):
        return None
    return next((other for place, other in same if place == at), None)
