"""The weighted share of a claim's words in its evidence, and which sentences are read for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from citewell.facts.kinship import Kinship
from citewell.facts.tokens import Tokens
from citewell.facts.words_aligned import Aligned

READ = 3  # sentences that are aligned word by word
FUNCTION_WEIGHT = 0.05  # what a function word weighs where copying is measured
COMMON_WEIGHT = 0.15  # what even the most common content word weighs
MOST = 4  # a count says no more beyond


def count(items: Iterable[object]) -> float:
    """How many, up to `MOST`."""
    return float(min(MOST, sum(1 for _ in items)))


def weigh(tokens: Tokens) -> list[float]:
    """The weight of each word: none for function words, else by its rarity."""
    return [
        COMMON_WEIGHT + rarity if content else 0.0
        for rarity, content in zip(tokens.weights, tokens.content, strict=True)
    ]


def choose(claim: Tokens, weights: Sequence[float], evidence: Sequence[Tokens]) -> list[int]:
    """The sentences to read: the one that has most of the claim, then those that have most of what is left."""
    places: dict[str, float] = {}
    for key, weight in zip(claim.keys, weights, strict=True):
        if weight:
            places[key] = places.get(key, 0.0) + weight
    pairs = set(pairwise(claim.keys))
    have = [premise.key_set & places.keys() for premise in evidence]
    runs = [
        len(pairs & premise.pair_set) / max(1, len(pairs)) if nearest else 0.0
        for premise, nearest in zip(evidence, have, strict=True)
    ]
    total = sum(places.values())
    result: list[int] = []
    left = dict(places)
    for _ in range(READ):
        gains = [
            (
                sum(left.get(key, 0.0) for key in nearest)
                + 0.1 * sum(places[key] for key in nearest)
                + 0.3 * total * run,
                -n,
            )
            for n, (nearest, run) in enumerate(zip(have, runs, strict=True))
            if nearest and n not in result
        ]
        if not gains:
            break
        best = -max(gains)[1]
        result.append(best)
        left = {key: weight for key, weight in left.items() if key not in have[best]}
    return result


_VALUE = {
    Kinship.SAME: 1.0,
    Kinship.FORM: 1.0,
    Kinship.DERIVED: 0.9,
    Kinship.SYNONYM: 0.9,
    Kinship.BROADER: 0.8,
    Kinship.KIN: 0.6,
    Kinship.OPPOSITE: 0.9,  # of a word that is denied
}  # what a matched word counts


def value(kind: Kinship) -> float:
    """What a word counts that is matched so, 0 to 1."""
    return _VALUE.get(kind, 0.0)


def worth(aligned: Aligned, weights: Sequence[float]) -> float:
    """The weight of the matched words, those that are matched loosely counting less."""
    return sum(weights[n] * _VALUE.get(kind, 0.0) for n, kind in enumerate(aligned.kinships) if kind)


def runs(aligned: Aligned, wanted: Sequence[int]) -> float:
    """The share of neighbouring content words that stand next to each other in the sentence too."""
    pairs = list(pairwise(wanted))
    near = sum(
        aligned.places[a] >= 0 and aligned.places[b] >= 0 and 0 < aligned.places[b] - aligned.places[a] <= b - a + 2
        for a, b in pairs
    )
    return near / max(1, len(pairs))


def copied(claim: Tokens, weights: Sequence[float], aligned: Sequence[Aligned]) -> float:
    """The share of the claim that stands in the sentences in the same words, function words included."""
    heavy = [max(weight, FUNCTION_WEIGHT) for weight in weights]
    here = {
        n
        for alignment in aligned
        for n, key in enumerate(claim.keys)
        if key in alignment.evidence.key_set or alignment.places[n] >= 0
    }
    return sum(heavy[n] for n in here) / max(1e-9, sum(heavy))
