"""One-fact changes of supported claims, and rewrites with the same meaning. Seeded, with offsets.

    pool = Pool.of(texts)                        # names of the data set, to put in the place of others
    flips(claim, evidence, pool, seed=0)         # at most one Change of each kind; none of them holds
    rewrites(claim, seed=0)                      # the same, all of them hold

A change is kept only where the evidence does not say it too, as far as words tell: a number, a name or an opposite that
stands there for the same thing is not put in. Opposites and synonyms come in two halves, so that what a checker was
trained on and what it is measured on need not share a word.

Nothing here comes from `citewell.facts`, on purpose: a fact that the checker overlooks must not be one that is never
changed. Names, numbers and negations are told by other rules and lists than those that the checker detects them with.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from citewell_lab.bench.flips import figures, paraphrases, participants, wording
from citewell_lab.bench.flips.edits import Change, Edit, applied
from citewell_lab.bench.flips.names import Pool
from citewell_lab.bench.flips.words import Half

KINDS = ("number", "year", "magnitude", "negation", "direction", "entity", "roles", "quantifier")
REWRITES = ("form", "words", "rounded", "date", "contraction", "synonym", "voice", "order")
_LONGEST = 600  # characters; more is no single claim


def flips(
    claim: str,
    evidence: Sequence[str],
    pool: Pool,
    *,
    seed: int = 0,
    half: Half = "all",
    kinds: Sequence[str] = KINDS,
) -> tuple[Change, ...]:
    """At most one change of each kind that can be made of a claim that the sentences of its evidence support.

    A claim that denies something is only affirmed: with a "not" in it, another year or name might be true.
    """
    if len(claim) > _LONGEST or claim.rstrip().endswith("?"):
        return ()
    whole = " ".join(evidence)
    denied = wording.NEGATION.search(claim) is not None
    ways: dict[str, Callable[[random.Random], Iterator[list[Edit]]]] = {
        "number": lambda chance: figures.number(claim, whole, chance),
        "year": lambda chance: figures.year(claim, whole, chance),
        "magnitude": lambda chance: figures.magnitude(claim, whole, chance),
        "negation": lambda chance: wording.negation(claim, chance),
        "direction": lambda chance: wording.direction(claim, whole, chance, half),
        "entity": lambda chance: participants.entity(claim, evidence, pool, chance),
        "roles": lambda chance: participants.roles(claim, evidence, chance),
        "quantifier": lambda chance: wording.quantifier(claim, whole, chance),
    }
    allowed = [kind for kind in kinds if kind == "negation" or not denied]
    first = (_first(kind, claim, ways[kind], seed, whole, holds=False) for kind in allowed)
    return tuple(change for change in first if change)


def rewrites(claim: str, *, seed: int = 0, half: Half = "all", kinds: Sequence[str] = REWRITES) -> tuple[Change, ...]:
    """At most one rewrite of each kind, none of which changes what the claim says."""
    if len(claim) > _LONGEST:
        return ()
    ways: dict[str, Callable[[random.Random], Iterator[list[Edit]]]] = {
        "form": lambda chance: paraphrases.form(claim, chance),
        "words": lambda chance: paraphrases.words(claim, chance),
        "rounded": lambda chance: paraphrases.rounded(claim, chance),
        "date": lambda chance: paraphrases.date(claim, chance),
        "contraction": lambda chance: paraphrases.contraction(claim, chance),
        "synonym": lambda chance: paraphrases.synonym(claim, chance, half),
        "voice": lambda chance: paraphrases.voice(claim, chance),
        "order": lambda chance: paraphrases.order(claim, chance),
    }
    first = (_first(kind, claim, ways[kind], seed, "", holds=True) for kind in kinds)
    return tuple(change for change in first if change)


def _first(
    kind: str,
    claim: str,
    way: Callable[[random.Random], Iterator[list[Edit]]],
    seed: int,
    evidence: str,
    *,
    holds: bool,
) -> Change | None:
    """The first change of a kind that the evidence does not word just so."""
    chance = random.Random(f"{seed}:{kind}:{claim}")  # noqa: S311  (the same for a claim wherever it stands)
    letters = _letters(evidence)
    for edits in way(chance):
        change = applied(kind, claim, edits, holds=holds)
        if change.text != claim and (holds or _letters(change.text) not in letters):
            return change
    return None


def _letters(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


__all__ = ["KINDS", "REWRITES", "Change", "Half", "Pool", "flips", "rewrites"]
