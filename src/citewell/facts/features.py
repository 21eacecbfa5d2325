"""What the learned checker looks at: how the words and facts of a claim stand in the evidence, as numbers.

Nothing here depends on how long the document is: weights come from the background, and only the sentences that are
cited (or that the checker chose itself) and those next to them are read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.facts import figures
from citewell.facts.extract import Facts, extract
from citewell.facts.figures import Stands
from citewell.facts.kinship import Kinship
from citewell.facts.quantifiers import ACTUAL, Quantifier
from citewell.facts.roles import inversions, reversed_pair, swapped
from citewell.facts.tokens import Tokens, tokens
from citewell.facts.types import Period, Quantity
from citewell.facts.wordnet import ADJECTIVE, ADVERB, NOUN, VERB
from citewell.facts.words_aligned import Aligned, Substitution, align

Floats = npt.NDArray[np.float64]

READ = 3  # sentences that are aligned word by word
HEAD = 4  # words behind a cue of negation in which the word stands that it denies first
NEXT = 2  # sentences before and after those that may explain what they leave out
FUNCTION_WEIGHT = 0.05  # what a function word weighs where copying is measured
COMMON_WEIGHT = 0.15  # what even the most common content word weighs


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


def weigh(said: Tokens) -> list[float]:
    """The weight of each word: none for function words, else by its rarity."""
    return [
        COMMON_WEIGHT + rarity if content else 0.0 for rarity, content in zip(said.weights, said.content, strict=True)
    ]


def look(text: str, evidence: Sequence[Tokens], near: Sequence[bool] | None = None) -> Seen:
    """The claim against sentences of evidence; `near` are the words of the claim that stand in those or next to them."""
    facts = extract(text)
    claim = facts.tokens
    weights = weigh(claim)
    total = max(1e-9, sum(weights))
    wanted = [place for place, weight in enumerate(weights) if weight]
    read = [(align(claim, evidence[n]), n) for n in choose(claim, weights, evidence)]
    read.sort(key=lambda item: (-_worth(item[0], weights) * (1 + 0.2 * _runs(item[0], wanted)), item[1]))
    chosen = tuple(n for _, n in read)
    shown = tuple(extract(evidence[n].text) for n in chosen)
    aligned = tuple(one for one, _ in read)
    stands = (*figures.quantities(facts, shown, aligned), *figures.periods(facts, shown, aligned))
    aligned = figures.matched(aligned, stands)
    covered = [any(a.places[n] >= 0 for a in aligned) for n in range(len(claim))]
    close = [have or (near is not None and near[n]) for n, have in enumerate(covered)]
    result: dict[str, float] = {}
    result.update(_copied(claim, weights, aligned))
    result.update(_coverage(claim, weights, total, wanted, aligned, covered))
    result["near"] = sum(weight for weight, have in zip(weights, close, strict=True) if have) / total
    result["nowhere_names"] = _count(n for n in wanted if claim.names[n] and not close[n])
    result.update(_stand(stands, close, claim))
    result.update(_turns(facts, shown, weights, aligned, covered))
    result.update(_denials(facts, shown, weights, aligned))
    result.update(_quantities_of_words(facts, shown, aligned, covered))
    result.update(_orders(aligned))
    result.update(_sizes(claim, wanted, aligned))
    result.update(_pooled(result))
    return Seen(facts, shown, stands, aligned, chosen, tuple(covered), result)


def _stand(stands: Sequence[Stands], close: Sequence[bool], claim: Tokens) -> dict[str, float]:
    """How many figures and times agree, conflict or are missing; those that evidence must state are told apart."""
    result: dict[str, float] = {}
    for name, kind in (("quantity", Quantity), ("period", Period)):
        own = [stand for stand in stands if isinstance(stand.fact, kind)]
        for standing in ("agrees", "elsewhere", "loose", "conflicts", "other", "missing"):
            here = [stand for stand in own if stand.standing == standing]
            result[f"{name}_{standing}"] = _count(stand for stand in here if figures.firm(stand.fact))
            if standing in ("conflicts", "other", "missing"):
                result[f"{name}_{standing}_small"] = _count(stand for stand in here if not figures.firm(stand.fact))
    lost = [stand for stand in stands if stand.standing in ("missing", "other") and figures.firm(stand.fact)]
    result["figure_nearby"] = _count(stand for stand in lost if _nearby(stand, close, claim))
    conflicts = [stand for stand in stands if stand.standing in ("conflicts", "elsewhere")]
    result["conflict_local"] = max((stand.local for stand in conflicts), default=0.0)
    result["agree_local"] = min((stand.local for stand in stands if stand.standing == "agrees"), default=1.0)
    return result


def _nearby(stand: Stands, close: Sequence[bool], claim: Tokens) -> bool:
    """Whether the digits of a figure stand in the sentences read or next to them."""
    own = [n for n in range(len(claim)) if claim.starts[n] < stand.fact.end and claim.ends[n] > stand.fact.start]
    digits = [n for n in own if claim.numbers[n]]
    return bool(digits) and all(close[n] for n in digits)


def _pooled(one: dict[str, float]) -> dict[str, float]:
    """Signs of the same weight together: each alone is too rare to be learned well."""
    figures_off = one["quantity_conflicts"] + one["period_conflicts"]
    turned = one["is_opposite_between"] + one["denies"] + one["affirms"] + one["reversed"] + one["swapped"]
    replaced = one["is_sibling_between"] + one["swap_name_between"] + one["is_opposite_beside"] + one["amount_turned"]
    unbacked = one["quantity_missing"] + one["quantity_other"] + one["period_missing"] + one["period_other"]
    stretched = one["order_lacks"] + one["only_lacks"] + (one["amount_up"] > 0) + (one["modal_up"] > 0)
    return {
        "pooled_conflicts": figures_off + turned,
        "pooled_replaced": replaced + one["quantity_conflicts_small"],
        "pooled_unbacked": unbacked + one["period_loose"] + one["quantity_loose"] - one["figure_nearby"],
        "pooled_stretched": stretched,
        "pooled": figures_off + turned + replaced + unbacked + stretched + one["nowhere_names"],
    }


def _count(items: object) -> float:
    return float(min(4, sum(1 for _ in items)))  # type: ignore[attr-defined]


def choose(claim: Tokens, weights: Sequence[float], evidence: Sequence[Tokens]) -> list[int]:
    """The sentences to read: the one that has most of the claim, then those that have most of what is left."""
    places: dict[str, float] = {}
    for key, weight in zip(claim.keys, weights, strict=True):
        if weight:
            places[key] = places.get(key, 0.0) + weight
    pairs = set(zip(claim.keys, claim.keys[1:], strict=False))
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
    Kinship.SAME: 1.0, Kinship.FORM: 1.0, Kinship.DERIVED: 0.9, Kinship.SYNONYM: 0.9, Kinship.BROADER: 0.8, Kinship.KIN: 0.6,
}  # fmt: skip


def _worth(aligned: Aligned, weights: Sequence[float]) -> float:
    return sum(weights[n] * _VALUE.get(kind, 0.0) for n, kind in enumerate(aligned.kinships) if kind)


def _runs(aligned: Aligned, wanted: Sequence[int]) -> float:
    """The share of neighbouring content words that stand next to each other in the sentence too."""
    pairs = list(zip(wanted, wanted[1:], strict=False))
    near = sum(
        aligned.places[a] >= 0 and aligned.places[b] >= 0 and 0 < aligned.places[b] - aligned.places[a] <= b - a + 2
        for a, b in pairs
    )
    return near / max(1, len(pairs))


def _copied(claim: Tokens, weights: Sequence[float], aligned: Sequence[Aligned]) -> dict[str, float]:
    """How much of the claim stands in the sentences in the same words, function words included."""
    heavy = [max(weight, FUNCTION_WEIGHT) for weight in weights]
    total, length = max(1e-9, sum(heavy)), len(claim)
    result = dict.fromkeys(("all_main", "all_union", "pairs_main", "triples_main", "pairs_union", "fives_union"), 0.0)
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
    result.setdefault("order_main", 0.0)
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


def _coverage(
    claim: Tokens,
    weights: Sequence[float],
    total: float,
    wanted: Sequence[int],
    aligned: Sequence[Aligned],
    covered: Sequence[bool],
) -> dict[str, float]:
    main = aligned[0] if aligned else None
    pair = aligned[:2]
    same = (Kinship.SAME, Kinship.FORM)
    missing = sorted((weights[n] for n in wanted if not covered[n]), reverse=True)
    lacking = [n for n in wanted if not covered[n]]
    lacking_main = [n for n in wanted if not main or main.places[n] < 0]
    part = [claim.known[n].part for n in range(len(claim))]
    result = {
        "exact_main": sum(weights[n] for n in wanted if main and main.kinships[n] in same) / total,
        "soft_main": _worth(main, weights) / total if main else 0.0,
        "soft_union": sum(
            weights[n] * max((_VALUE.get(a.kinships[n], 0.0) for a in aligned), default=0.0) for n in wanted
        )
        / total,
        "plain_pair": sum(any(a.places[n] >= 0 for a in pair) for n in wanted) / max(1, len(wanted)),
        "plain_main": sum(bool(main) and main.places[n] >= 0 for n in wanted) / max(1, len(wanted)),
        "runs_main": _runs(main, wanted) if main else 0.0,
        "runs_union": max((_runs(a, wanted) for a in aligned), default=0.0),
        "missing_most": missing[0] if missing else 0.0,
        "missing_second": missing[1] if len(missing) > 1 else 0.0,
        "missing": float(min(8, len(missing))),
        "missing_main": float(min(8, len(lacking_main))),
    }
    for name, rows in (("union", lacking), ("main", lacking_main)):
        result[f"lacks_name_{name}"] = _count(n for n in rows if claim.names[n])
        plain = [n for n in rows if not claim.names[n] and not claim.numbers[n]]
        result[f"lacks_noun_{name}"] = _count(n for n in plain if part[n] == NOUN)
        result[f"lacks_verb_{name}"] = _count(n for n in plain if part[n] == VERB)
        result[f"lacks_adjective_{name}"] = _count(n for n in plain if part[n] in (ADJECTIVE, ADVERB))
    return result


_UNDER_NOT = {Kinship.BROADER: Kinship.NARROWER, Kinship.NARROWER: Kinship.BROADER}


def _turns(
    facts: Facts,
    shown: Sequence[Facts],
    weights: Sequence[float],
    aligned: Sequence[Aligned],
    covered: Sequence[bool],
) -> dict[str, float]:
    claim, main = facts.tokens, aligned[0] if aligned else None
    kinds: list[Kinship] = []
    turns: list[Substitution] = []
    if main:
        # What is denied of the broader term is denied of the narrower one, not the other way round.
        under = [
            denied and place >= 0 and shown[0].denied[place]
            for denied, place in zip(facts.denied, main.places, strict=True)
        ]
        kinds = [_UNDER_NOT.get(kind, kind) if flag else kind for kind, flag in zip(main.kinships, under, strict=True)]
        turns = [
            turn._replace(kinship=_UNDER_NOT.get(turn.kinship, turn.kinship))
            if turn.shown >= 0 and facts.denied[turn.said] and shown[0].denied[turn.shown]
            else turn
            for turn in main.substitutions
        ]
    open_turns = [turn for turn in turns if not covered[turn.said]]
    result = {
        f"is_{kind.name.lower()}": _count(n for n in kinds if n == kind)
        for kind in (Kinship.DERIVED, Kinship.SYNONYM, Kinship.KIN, Kinship.BROADER)
    }
    result["is_broader_turned"] = _count(turn for turn in turns if turn.kinship == Kinship.BROADER)
    result["is_narrower_matched"] = _count(n for n in kinds if n == Kinship.NARROWER)
    for kind in (Kinship.OPPOSITE, Kinship.SIBLING, Kinship.NARROWER):
        of_kind = [turn for turn in open_turns if turn.kinship == kind]
        for sides, name in ((2, "between"), (1, "beside"), (0, "loose")):
            result[f"is_{kind.name.lower()}_{name}"] = _count(turn for turn in of_kind if turn.sides == sides)
    plainly = [turn for turn in open_turns if turn.kinship == Kinship.OPPOSITE and turn.sides]
    result["opposite_directed"] = _count(
        turn for turn in plainly if claim.known[turn.said].sides and shown[0].tokens.known[turn.shown].sides
    )
    swaps = [turn for turn in open_turns if turn.shown >= 0 and turn.sides]
    result["swap_name"] = _count(turn for turn in swaps if claim.names[turn.said])
    result["swap_name_between"] = _count(turn for turn in swaps if claim.names[turn.said] and turn.sides == 2)
    plain = [turn for turn in swaps if not claim.names[turn.said] and not claim.numbers[turn.said]]
    for name, parts in (("noun", (NOUN,)), ("verb", (VERB,)), ("adjective", (ADJECTIVE, ADVERB))):
        result[f"swap_{name}"] = _count(t for t in plain if claim.known[t.said].part in parts)
    result["swap_both_sides"] = _count(turn for turn in swaps if turn.sides == 2)
    result["swap_rarity"] = max((weights[turn.said] for turn in swaps), default=0.0)
    result["added"] = _count(turn for turn in open_turns if turn.shown < 0 and turn.sides == 2)
    result["added_loose"] = _count(turn for turn in open_turns if turn.shown < 0 and turn.sides < 2)
    return result


def _denials(
    facts: Facts, shown: Sequence[Facts], weights: Sequence[float], aligned: Sequence[Aligned]
) -> dict[str, float]:
    names = ("denial", "denial_claim_only", "denial_evidence_only", "denial_both", "denies", "affirms", "both_deny")
    result = dict.fromkeys(names, 0.0)
    if not aligned:
        return result
    main, flags, other = aligned[0], facts.denied, shown[0].denied
    matched = [n for n, place in enumerate(main.places) if place >= 0]
    weight = sum(weights[n] for n in matched)
    differs = [n for n in matched if flags[n] != other[main.places[n]]]
    result["denial"] = sum(weights[n] for n in differs) / max(1e-9, weight)
    result["denial_claim_only"] = float(bool(facts.negations) and not shown[0].negations)
    result["denial_evidence_only"] = float(any(other[main.places[n]] for n in differs))
    result["denial_both"] = float(bool(facts.negations) and bool(shown[0].negations))
    result["denies"] = float(min(4, len(denied_here(facts, shown, aligned))))
    result["affirms"] = float(min(4, len(denied_there(facts, shown, aligned))))
    result["both_deny"] = _count(
        n for n in heads(facts) if main.places[n] >= 0 and flags[n] and other[main.places[n]]
    )
    return result


def denied_here(facts: Facts, shown: Sequence[Facts], aligned: Sequence[Aligned]) -> list[int]:
    """The words that the claim denies first and that no sentence denies, though the best has them."""
    return [
        n
        for n in heads(facts)
        if facts.denied[n]
        and aligned[0].places[n] >= 0
        and not any(one.places[n] >= 0 and there.denied[one.places[n]] for one, there in zip(aligned, shown, strict=True))
    ]


def denied_there(facts: Facts, shown: Sequence[Facts], aligned: Sequence[Aligned]) -> list[int]:
    """The places of words that the best sentence denies first, that the claim states, and no other sentence states."""
    main = aligned[0]
    return [
        place
        for place in heads(shown[0])
        if shown[0].denied[place]
        and (n := main.taken[place]) >= 0
        and not facts.denied[n]
        and not any(
            one.places[n] >= 0 and not there.denied[one.places[n]]
            for one, there in zip(aligned[1:], shown[1:], strict=True)
        )
    ]


def heads(facts: Facts) -> list[int]:
    """The first content word that each cue of negation denies, where it stands close behind the cue."""
    content = facts.tokens.content
    result = []
    for cue in facts.negations:
        near = range(cue.first, min(cue.last, cue.first + HEAD))
        result += [n for n in near if content[n]][:1]
    return result


def _quantities_of_words(
    facts: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned], covered: Sequence[bool]
) -> dict[str, float]:
    names = (
        "amount_up",
        "amount_down",
        "amount_turned",
        "amount_unbacked",
        "amount_dropped",
        "modal_up",
        "modal_down",
        "modal_unbacked",
        "modal_dropped",
        "order_lacks",
        "only_lacks",
        "only_dropped",
        "conditional",
        "or_dropped",
        "or_added",
    )
    result = dict.fromkeys(names, 0.0)
    if not aligned:
        return result
    claim, main = facts.tokens, aligned[0]
    said, shown = facts.quantifiers, evidence[0].quantifiers
    for kind in ("amount", "modality"):
        short = "amount" if kind == "amount" else "modal"
        for fact in (fact for fact in said if fact.kind == kind):
            against = _counterpart(fact, shown, main)
            if against is None:
                result[f"{short}_unbacked"] = max(result[f"{short}_unbacked"], float(abs(fact.strength - _PLAIN[kind])))
            elif (fact.strength <= FEW) != (against.strength <= FEW) and kind == "amount":
                result["amount_turned"] = 1.0
            else:
                change = fact.strength - against.strength
                result[f"{short}_up"] = max(result[f"{short}_up"], float(change))
                result[f"{short}_down"] = max(result[f"{short}_down"], float(-change))
        mine = {fact.strength for fact in said if fact.kind == kind}
        lost = [fact.strength for fact in shown if fact.kind == kind and main.taken[fact.head] >= 0]
        if lost and not mine:
            result[f"{short}_dropped"] = float(max(0, _PLAIN[kind] - min(lost)))
    groups = {fact.name for fact in shown if fact.kind == "order"}
    order = [fact for fact in said if fact.kind == "order" and fact.name not in groups]
    result["order_lacks"] = _count(fact for fact in order if fact.name != "only" and not covered[fact.place])
    result["only_lacks"] = float(any(fact.name == "only" for fact in order))
    mine_groups = {fact.name for fact in said if fact.kind == "order"}
    result["only_dropped"] = float("only" in groups and "only" not in mine_groups)
    lower = set(claim.lower)
    spoken = main.shown.lower
    inside = [place for place in main.places if place >= 0]
    first, last = (min(inside), max(inside)) if inside else (0, -1)
    here = set(spoken[max(0, first - 3) : last + 3])
    result["conditional"] = float(
        bool(here & {"if", "unless", "would", "could", "might", "may"})
        and not lower & {"if", "unless", "would", "could", "might", "may"}
    )
    result["or_dropped"] = float(bool(here & {"or", "either"}) and not lower & {"or", "either", "nor", "neither"})
    result["or_added"] = float(bool(lower & {"or", "either"}) and not here & {"or", "either"})
    return result


_PLAIN = {"amount": 3, "modality": ACTUAL}  # the strength of a sentence that says neither
FEW = 1  # up to that strength an amount denies the larger ones


def _counterpart(fact: Quantifier, shown: Sequence[Quantifier], main: Aligned) -> Quantifier | None:
    """The quantifier of the sentence that speaks of the same word; else the only one of its kind."""
    own = [other for other in shown if other.kind == fact.kind]
    place = main.places[fact.head]
    same = [other for other in own if place >= 0 and (other.head == place or abs(other.place - place) <= HEAD)]
    if same:
        return max(same, key=lambda other: (other.head == place, other.name == fact.name))
    return own[0] if len(own) == 1 else None


def _orders(aligned: Sequence[Aligned]) -> dict[str, float]:
    if not aligned:
        return {"inverted": 0.0, "inverted_names": 0.0, "swapped": 0.0, "reversed": 0.0}
    turned, total, names, _ = inversions(aligned[0])
    change = swapped(aligned[0])
    return {
        "inverted": turned / max(1, total),
        "inverted_names": float(min(3, names)),
        "swapped": float(change is not None),
        "reversed": float(reversed_pair(aligned[0]) is not None),
    }


def _sizes(claim: Tokens, wanted: Sequence[int], aligned: Sequence[Aligned]) -> dict[str, float]:
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


@cache
def names() -> tuple[str, ...]:
    """The names of the features, in order."""
    return tuple(look("A word.", [tokens("A word.")]).features)


def vector(seen: Seen) -> Floats:
    """The features as a row."""
    return np.fromiter(seen.features.values(), dtype=np.float64, count=len(seen.features))
