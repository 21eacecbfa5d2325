"""Overstatements: all for some, will for may, an added "only" or "first"."""

from __future__ import annotations

from collections.abc import Sequence

from citewell.facts.denials import HEAD
from citewell.facts.quantifiers import Quantifier
from citewell.facts.shares import count
from citewell.facts.words_aligned import Aligned

ALL, MOST = 5, 4  # the strength of these amounts
FEW = 1  # up to that strength an amount denies the larger ones


def strengthened(claimed: Sequence[Quantifier], evidence: Sequence[Quantifier], main: Aligned | None) -> float:
    """How many quantifiers of the claim are stronger than those of the best sentence, turned, or its own alone."""
    if main is None:
        return 0.0
    result = {fact.kind for fact in claimed if fact.kind != "order" and _stronger(fact, evidence, main)}
    groups = {fact.name for fact in evidence if fact.kind == "order"}
    lacking = [fact for fact in claimed if fact.kind == "order" and fact.name not in groups]
    only = any(fact.name == "only" for fact in lacking)
    return len(result) + only + count(f for f in lacking if f.name != "only" and main.places[f.place] < 0)


def _stronger(fact: Quantifier, evidence: Sequence[Quantifier], main: Aligned) -> bool:
    against = counterpart(fact, evidence, main)
    if against is None:
        return False
    turned = fact.kind == "amount" and (fact.strength <= FEW) != (against.strength <= FEW)
    return turned or fact.strength > against.strength


def hold_together(claimed: Sequence[Quantifier], evidence: Sequence[Quantifier]) -> bool:
    """Whether one side may deny what the other states: "some" of what both begin with, and "most" or "many"."""
    subjects = [
        fact.strength for side in (claimed, evidence) for fact in side if fact.kind == "amount" and not fact.place
    ]
    return len(subjects) == 2 and min(subjects) in range(FEW, MOST) and max(subjects) < ALL


def counterpart(fact: Quantifier, evidence: Sequence[Quantifier], main: Aligned) -> Quantifier | None:
    """The quantifier of the sentence that speaks of the same word; else the only one of its kind."""
    alike = [other for other in evidence if other.kind == fact.kind]
    place = main.places[fact.head]
    same = [other for other in alike if place >= 0 and (other.head == place or abs(other.place - place) <= HEAD)]
    if same:
        return max(same, key=lambda other: (other.head == place, other.name == fact.name))
    return alike[0] if len(alike) == 1 else None
