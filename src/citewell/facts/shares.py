"""How much of a claim its evidence has: shares of its words by weight, in runs, by part of speech; which to read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from citewell.facts.kinship import Kinship
from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import ADJECTIVE, ADVERB, NOUN, VERB
from citewell.facts.words_aligned import Aligned

READ = 3  # sentences that are aligned word by word
FUNCTION_WEIGHT = 0.05  # what a function word weighs where copying is measured
COMMON_WEIGHT = 0.15  # what even the most common content word weighs
MOST = 4  # a count says no more beyond


def count(items: Iterable[object]) -> float:
    """How many, up to `MOST`."""
    return float(min(MOST, sum(1 for _ in items)))


def weigh(said: Tokens) -> list[float]:
    """The weight of each word: none for function words, else by its rarity."""
    return [
        COMMON_WEIGHT + rarity if content else 0.0 for rarity, content in zip(said.weights, said.content, strict=True)
    ]


def choose(claim: Tokens, weights: Sequence[float], evidence: Sequence[Tokens]) -> list[int]:
    """The sentences to read: the one that has most of the claim, then those that have most of what is left."""
    places: dict[str, float] = {}
    for key, weight in zip(claim.keys, weights, strict=True):
        if weight:
            places[key] = places.get(key, 0.0) + weight
    pairs = set(pairwise(claim.keys))
    have = [shown.key_set & places.keys() for shown in evidence]
    runs = [
        len(pairs & shown.pair_set) / max(1, len(pairs)) if own else 0.0
        for shown, own in zip(evidence, have, strict=True)
    ]
    total = sum(places.values())
    result: list[int] = []
    left = dict(places)
    for _ in range(READ):
        gains = [
            (sum(left.get(key, 0.0) for key in own) + 0.1 * sum(places[key] for key in own) + 0.3 * total * run, -n)
            for n, (own, run) in enumerate(zip(have, runs, strict=True))
            if own and n not in result
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
}  # what a matched word counts


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


def copied(claim: Tokens, weights: Sequence[float], aligned: Sequence[Aligned]) -> dict[str, float]:
    """How much of the claim stands in the sentences in the same words, function words included."""
    heavy = [max(weight, FUNCTION_WEIGHT) for weight in weights]
    total, length = max(1e-9, sum(heavy)), len(claim)
    result = dict.fromkeys(
        ("all_main", "all_union", "pairs_main", "triples_main", "pairs_union", "fives_union", "order_main"), 0.0
    )
    union, pairs_union, fives_union = set[int](), set[int](), set[int]()
    for rank, one in enumerate(aligned):
        keys = one.shown.key_set
        own = {n for n, key in enumerate(claim.keys) if key in keys or one.places[n] >= 0}
        pairs, triples, fives = (_in_runs(claim, one.shown, width) for width in (2, 3, 5))
        union |= own
        pairs_union |= pairs
        fives_union |= fives
        if not rank:
            result["all_main"] = sum(heavy[n] for n in own) / total
            result["pairs_main"] = sum(heavy[n] for n in pairs) / total
            result["triples_main"] = sum(heavy[n] for n in triples) / total
            result["order_main"] = len(pairs) / max(1, length)
    result["all_union"] = sum(heavy[n] for n in union) / total
    result["pairs_union"] = sum(heavy[n] for n in pairs_union) / total
    result["fives_union"] = sum(heavy[n] for n in fives_union) / total
    return result


def _in_runs(claim: Tokens, shown: Tokens, width: int) -> set[int]:
    """The words of a claim that stand in runs of `width` words which the sentence has too."""
    runs = {shown.keys[n : n + width] for n in range(len(shown) - width + 1)}
    return {
        place
        for n in range(len(claim) - width + 1)
        if claim.keys[n : n + width] in runs
        for place in range(n, n + width)
    }


def shares(
    claim: Tokens,
    weights: Sequence[float],
    total: float,
    wanted: Sequence[int],
    aligned: Sequence[Aligned],
    covered: Sequence[bool],
) -> dict[str, float]:
    """Shares of the claim's words that the best sentence, the best two and all have, and what they lack."""
    main = aligned[0] if aligned else None
    pair = aligned[:2]
    same = (Kinship.SAME, Kinship.FORM)
    missing = sorted((weights[n] for n in wanted if not covered[n]), reverse=True)
    lacking = [n for n in wanted if not covered[n]]
    lacking_main = [n for n in wanted if not main or main.places[n] < 0]
    part = [claim.known[n].part for n in range(len(claim))]
    result = {
        "exact_main": sum(weights[n] for n in wanted if main and main.kinships[n] in same) / total,
        "soft_main": worth(main, weights) / total if main else 0.0,
        "soft_union": sum(
            weights[n] * max((_VALUE.get(a.kinships[n], 0.0) for a in aligned), default=0.0) for n in wanted
        )
        / total,
        "plain_pair": sum(any(a.places[n] >= 0 for a in pair) for n in wanted) / max(1, len(wanted)),
        "plain_main": sum(main is not None and main.places[n] >= 0 for n in wanted) / max(1, len(wanted)),
        "runs_main": runs(main, wanted) if main else 0.0,
        "runs_union": max((runs(a, wanted) for a in aligned), default=0.0),
        "missing_most": missing[0] if missing else 0.0,
        "missing_second": missing[1] if len(missing) > 1 else 0.0,
        "missing": float(min(8, len(missing))),
        "missing_main": float(min(8, len(lacking_main))),
    }
    for name, rows in (("union", lacking), ("main", lacking_main)):
        result[f"lacks_name_{name}"] = count(n for n in rows if claim.names[n])
        plain = [n for n in rows if not claim.names[n] and not claim.numbers[n]]
        result[f"lacks_noun_{name}"] = count(n for n in plain if part[n] == NOUN)
        result[f"lacks_verb_{name}"] = count(n for n in plain if part[n] == VERB)
        result[f"lacks_adjective_{name}"] = count(n for n in plain if part[n] in (ADJECTIVE, ADVERB))
    return result


def sizes(wanted: Sequence[int], aligned: Sequence[Aligned]) -> dict[str, float]:
    """How long claim and sentence are, and how much of the sentence between its matches the claim leaves out."""
    main = aligned[0].shown if aligned else None
    content = sum(main.content) if main else 0
    inside = [place for place in aligned[0].places if place >= 0] if aligned else []
    first, last = (min(inside), max(inside)) if inside else (0, -1)
    left = sum(main.content[place] and aligned[0].taken[place] < 0 for place in range(first, last + 1)) if main else 0
    return {
        "words": math.log1p(len(wanted)),
        "main_words": math.log1p(content),
        "ratio": len(wanted) / max(1, content),
        "dense": left / max(1, last - first + 1),
    }
