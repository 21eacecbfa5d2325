"""What the learned checker looks at: how the words and facts of a claim stand in the evidence, as numbers.

Nothing here depends on how long the document is: weights come from the background, and only the sentences that are
cited (or that the checker chose itself) and those next to them are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.facts import figures, signs
from citewell.facts.bindings import bindings
from citewell.facts.extract import Facts, extract
from citewell.facts.figures import Stands
from citewell.facts.names import Aliases
from citewell.facts.shares import choose, copied, count, runs, shares, sizes, weigh, worth
from citewell.facts.tokens import Tokens, tokens
from citewell.facts.words_aligned import NO_ALIASES, Aligned, align

Floats = npt.NDArray[np.float64]

NEXT = 2  # sentences before and after those that may explain what they leave out


class Seen(NamedTuple):
    """A claim against its evidence: the alignments, best first, with their positions in the evidence, and features.

    `figures` are how its quantities and times stand; `covered` which of its words the sentences have.
    """

    claim: Facts
    shown: tuple[Facts, ...]
    figures: tuple[Stands, ...]
    aligned: tuple[Aligned, ...]
    chosen: tuple[int, ...]
    covered: tuple[bool, ...]
    features: dict[str, float]


def look(
    text: str, evidence: Sequence[Tokens], near: Sequence[bool] | None = None, known: Aliases = NO_ALIASES
) -> Seen:
    """The claim against sentences of evidence; `near` are the words of the claim that stand in those or by them."""
    facts = extract(text)
    claim = facts.tokens
    weights = weigh(claim)
    total = max(1e-9, sum(weights))
    wanted = [place for place, weight in enumerate(weights) if weight]
    read = [(align(claim, evidence[n], known), n) for n in choose(claim, weights, evidence)]
    read.sort(key=lambda item: (-worth(item[0], weights) * (1 + 0.2 * runs(item[0], wanted)), item[1]))
    chosen = tuple(n for _, n in read)
    shown = tuple(extract(evidence[n].text) for n in chosen)
    aligned = tuple(one for one, _ in read)
    stands = (*figures.quantities(facts, shown, aligned), *figures.periods(facts, shown, aligned))
    aligned = figures.matched(aligned, stands)
    covered = [any(a.places[n] >= 0 for a in aligned) for n in range(len(claim))]
    close = [have or (near is not None and near[n]) for n, have in enumerate(covered)]
    result: dict[str, float] = {}
    result.update(copied(claim, weights, aligned))
    result.update(shares(claim, weights, total, wanted, aligned, covered))
    result["near"] = sum(weight for weight, have in zip(weights, close, strict=True) if have) / total
    result["nowhere_names"] = count(n for n in wanted if claim.names[n] and not close[n])
    result.update(signs.standing(stands, close, claim))
    result.update(signs.turned(facts, shown, weights, aligned, covered))
    result.update(signs.denials(facts, shown, weights, aligned))
    result.update(signs.denied_anywhere(facts, shown, weights, aligned))
    result.update(signs.elsewhere(claim, weights, aligned, covered))
    result.update(signs.quantified(facts, shown, aligned, covered))
    result.update(signs.orders(aligned))
    result.update(bindings(aligned))
    result.update(sizes(wanted, aligned))
    result.update(signs.pooled(result))
    return Seen(facts, shown, stands, aligned, chosen, tuple(covered), result)


@cache
def names() -> tuple[str, ...]:
    """The names of the features, in order."""
    return tuple(look("A word.", [tokens("A word.")]).features)


def vector(seen: Seen) -> Floats:
    """The features as a row."""
    return np.fromiter(seen.features.values(), dtype=np.float64, count=len(seen.features))
