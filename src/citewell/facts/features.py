"""The seventeen features of the checker: how the words and facts of a claim compare with the evidence.

Nothing here depends on how long the document is: rarity comes from the background, and only the sentences that are
cited (or that the checker chose itself) and those next to them are read. A feature stands here because the checker
judges sets of claims better with it that its fit has not seen (docs/checking.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.facts import denials, figures
from citewell.facts.assignments import assigned
from citewell.facts.exchanges import with_converses
from citewell.facts.extract import Facts, extract
from citewell.facts.figures import Stands
from citewell.facts.kinship import Kinship
from citewell.facts.names import writer
from citewell.facts.shares import choose, copied, count, runs, value, weigh, worth
from citewell.facts.strength import strengthened
from citewell.facts.tokens import Tokens, tokens
from citewell.facts.types import Period, Quantity
from citewell.facts.words_aligned import Aligned, align

Floats = npt.NDArray[np.float64]

NEXT = 2  # sentences before and after those that may explain what they leave out
SUPPORTING = ("covered", "copied", "quantity_agrees", "period_agrees")  # the other features speak against a claim


class ClaimAlignment(NamedTuple):
    """A claim against its evidence: the alignments, best first, with their positions in the evidence, and features.

    `figures` are how its quantities and times stand; `covered` which of its words the sentences have, `close`
    which those or the sentences next to them have; `near` is the share of its words, by weight, that are close.
    """

    claim: Facts
    premises: tuple[Facts, ...]
    figures: tuple[Stands, ...]
    aligned: tuple[Aligned, ...]
    chosen: tuple[int, ...]
    covered: tuple[bool, ...]
    close: tuple[bool, ...]
    near: float
    features: dict[str, float]


def look(
    text: str,
    evidence: Sequence[Tokens],
    near: Sequence[bool] | None = None,
    speakers: Sequence[frozenset[str]] | None = None,
) -> ClaimAlignment:
    """The claim against sentences of evidence; `near` are the words of the claim that stand in those or by them.

    `speakers` are the keys of the names of who writes each sentence: what it says is of them unless it names another.
    """
    facts = extract(text)
    claim = facts.tokens
    weights, writers = weigh(claim), speakers or [frozenset[str]()] * len(evidence)
    chosen_here = choose(claim, weights, evidence)
    read = [(with_converses(align(claim, evidence[n], writers[n])), n) for n in chosen_here]
    implied = _implied(claim, [(alignment, writers[n]) for alignment, n in read])
    weights = [0.0 if n in implied else weight for n, weight in enumerate(weights)]
    total = max(1e-9, sum(weights))
    wanted = [place for place, weight in enumerate(weights) if weight]
    read.sort(key=lambda item: (-worth(item[0], weights) * (1 + 0.2 * runs(item[0], wanted)), item[1]))
    chosen = tuple(n for _, n in read)
    told = tuple(extract(evidence[n].text) for n in chosen)
    premise = tuple(denials.without_idle(sentence, [facts]) for sentence in told)
    facts = denials.without_idle(facts, told)
    aligned = tuple(
        denials.with_denied_opposites(alignment, facts, there)
        for (alignment, _), there in zip(read, premise, strict=True)
    )
    stands = (*figures.quantities(facts, premise, aligned), *figures.periods(facts, premise, aligned))
    stands = tuple(assigned(facts, figures.scoped(stands, premise), premise, aligned))
    aligned = figures.matched(aligned, stands)
    covered = tuple(n in implied or any(a.places[n] >= 0 for a in aligned) for n in range(len(claim)))
    close = [have or (near is not None and near[n]) for n, have in enumerate(covered)]
    missing = [weights[n] for n in wanted if not covered[n]]
    covering = (weights[n] * max((value(a.kinships[n]) for a in aligned), default=0.0) for n in wanted)
    result = {
        "covered": sum(covering) / total,
        "copied": copied(claim, weights, aligned),
        "missing_most": max(missing, default=0.0),
        **_standing(stands),
        **_turned(facts, premise, aligned, covered),
        **denials.measures(facts, premise, weights, aligned),
    }
    slips = _replaced(claim, aligned, covered) + count(n for n in wanted if claim.names[n] and not close[n])
    slips += strengthened(facts.quantifiers, premise[0].quantifiers if premise else (), aligned[0] if aligned else None)
    denied = (
        result["denies"]
        + denials.alone(facts, premise, weights, aligned)
        + count(denials.denied_there(facts, premise, aligned))
    )
    pair = sum(any(a.places[n] >= 0 for a in aligned[:2]) for n in wanted) / max(1, len(wanted))
    rest = (total - sum(missing)) / max(1e-9, total - max(missing, default=0.0))
    result["slips_in_copy"] = slips * pair * rest
    result["denials_in_copy"] = denied * pair * rest
    shared = sum(weight for weight, have in zip(weights, close, strict=True) if have) / total
    return ClaimAlignment(facts, premise, stands, aligned, chosen, covered, tuple(close), shared, result)


def _implied(claim: Tokens, read: Sequence[tuple[Aligned, frozenset[str]]]) -> set[int]:
    """Where a claim names who writes its evidence, and no sentence has that name, nor another in its place."""
    return {
        n
        for n in range(len(claim) if read else 0)
        if claim.content[n]
        and all(writer(claim, n, speaker) and alignment.places[n] < 0 for alignment, speaker in read)
        and not any(
            turn.claim_place == n and turn.evidence_place >= 0 and turn.sides and claim.names[n]
            for alignment, _ in read[:1]
            for turn in alignment.substitutions
        )
    }


def _standing(stands: Sequence[Stands]) -> dict[str, float]:
    """How many figures and times, that evidence must state, agree, are others or conflict; how surely one conflicts."""
    firm = [stand for stand in stands if figures.firm(stand.fact)]
    quantities, periods = (
        [stand.standing for stand in firm if isinstance(stand.fact, kind)] for kind in (Quantity, Period)
    )
    conflicts = [stand.local for stand in stands if stand.standing in ("conflicts", "elsewhere")]
    return {
        "quantity_agrees": count(name for name in quantities if name == "agrees"),
        "quantity_other": count(name for name in quantities if name == "other"),
        "quantity_conflicts": count(name for name in quantities if name == "conflicts"),
        "period_agrees": count(name for name in periods if name == "agrees"),
        "period_other": count(name for name in periods if name == "other"),
        "conflict_local": max(conflicts, default=0.0),
    }


def _turned(
    facts: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned], covered: Sequence[bool]
) -> dict[str, float]:
    """Words of the claim that have their opposite, or another of their kind, in their place."""
    claim = facts.tokens
    turns = [turn for turn in (aligned[0].substitutions if aligned else ()) if not covered[turn.claim_place]]
    opposite = [turn for turn in turns if turn.kinship == Kinship.OPPOSITE]
    anywhere = {
        turn.claim_place
        for alignment in aligned
        for turn in alignment.substitutions
        if turn.kinship == Kinship.OPPOSITE and not covered[turn.claim_place]
    }
    return {
        "opposite_between": count(turn for turn in opposite if turn.sides == 2),
        "opposite_directed": count(
            turn
            for turn in opposite
            if turn.sides
            and claim.known[turn.claim_place].sides
            and evidence[0].tokens.known[turn.evidence_place].sides
        ),
        "opposite_any": count(anywhere),
        "sibling_beside": count(turn for turn in turns if turn.kinship == Kinship.SIBLING and turn.sides == 1),
    }


def _replaced(claim: Tokens, aligned: Sequence[Aligned], covered: Sequence[bool]) -> float:
    """How many words have one of their kind, or names another name, between the same neighbours."""
    turns = [turn for turn in (aligned[0].substitutions if aligned else ()) if not covered[turn.claim_place]]
    siblings = count(turn for turn in turns if turn.kinship == Kinship.SIBLING and turn.sides == 2)
    beside = count(turn for turn in turns if turn.kinship == Kinship.OPPOSITE and turn.sides == 1)
    return (
        siblings
        + beside
        + count(t for t in turns if t.evidence_place >= 0 and t.sides == 2 and claim.names[t.claim_place])
    )


@cache
def names() -> tuple[str, ...]:
    """The names of the features, in order."""
    return tuple(look("A word.", [tokens("A word.")]).features)


def vector(alignment: ClaimAlignment) -> Floats:
    """The features as a row."""
    return np.fromiter(alignment.features.values(), dtype=np.float64, count=len(alignment.features))
