"""Signs that a claim says something else than its evidence, counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citewell.facts import figures
from citewell.facts.extract import Facts
from citewell.facts.figures import Stands
from citewell.facts.kinship import Kinship
from citewell.facts.quantifiers import ACTUAL, Quantifier
from citewell.facts.roles import inversions, reversed_pair, swapped
from citewell.facts.shares import count
from citewell.facts.tokens import Tokens
from citewell.facts.types import Period, Quantity
from citewell.facts.wordnet import ADJECTIVE, ADVERB, NOUN, VERB
from citewell.facts.words_aligned import Aligned, Substitution

HEAD = 4  # words behind a cue of negation in which the word stands that it denies first


def standing(stands: Sequence[Stands], close: Sequence[bool], claim: Tokens) -> dict[str, float]:
    """How many figures and times agree, conflict or are missing; those that evidence must state are told apart."""
    result: dict[str, float] = {}
    for name, kind in (("quantity", Quantity), ("period", Period)):
        own = [stand for stand in stands if isinstance(stand.fact, kind)]
        for standing in ("agrees", "elsewhere", "loose", "conflicts", "other", "missing"):
            here = [stand for stand in own if stand.standing == standing]
            result[f"{name}_{standing}"] = count(stand for stand in here if figures.firm(stand.fact))
            if standing in ("conflicts", "other", "missing"):
                result[f"{name}_{standing}_small"] = count(stand for stand in here if not figures.firm(stand.fact))
    lost = [stand for stand in stands if stand.standing in ("missing", "other") and figures.firm(stand.fact)]
    result["figure_nearby"] = count(stand for stand in lost if _nearby(stand, close, claim))
    conflicts = [stand for stand in stands if stand.standing in ("conflicts", "elsewhere")]
    result["conflict_local"] = max((stand.local for stand in conflicts), default=0.0)
    result["agree_local"] = min((stand.local for stand in stands if stand.standing == "agrees"), default=1.0)
    return result


def _nearby(stand: Stands, close: Sequence[bool], claim: Tokens) -> bool:
    """Whether the digits of a figure stand in the sentences read or next to them."""
    digits = [n for n in claim.between(stand.fact.start, stand.fact.end) if claim.numbers[n]]
    return bool(digits) and all(close[n] for n in digits)


_UNDER_NOT = {Kinship.BROADER: Kinship.NARROWER, Kinship.NARROWER: Kinship.BROADER}


def turned(
    facts: Facts,
    shown: Sequence[Facts],
    weights: Sequence[float],
    aligned: Sequence[Aligned],
    covered: Sequence[bool],
) -> dict[str, float]:
    """Words of the claim that are matched loosely, or have another word in their place, by how both are related."""
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
        f"is_{kind.name.lower()}": count(n for n in kinds if n == kind)
        for kind in (Kinship.DERIVED, Kinship.SYNONYM, Kinship.KIN, Kinship.BROADER)
    }
    result["is_broader_turned"] = count(turn for turn in turns if turn.kinship == Kinship.BROADER)
    result["is_narrower_matched"] = count(n for n in kinds if n == Kinship.NARROWER)
    for kind in (Kinship.OPPOSITE, Kinship.SIBLING, Kinship.NARROWER):
        of_kind = [turn for turn in open_turns if turn.kinship == kind]
        for sides, name in ((2, "between"), (1, "beside"), (0, "loose")):
            result[f"is_{kind.name.lower()}_{name}"] = count(turn for turn in of_kind if turn.sides == sides)
    plainly = [turn for turn in open_turns if turn.kinship == Kinship.OPPOSITE and turn.sides]
    result["opposite_directed"] = count(
        turn for turn in plainly if claim.known[turn.said].sides and shown[0].tokens.known[turn.shown].sides
    )
    swaps = [turn for turn in open_turns if turn.shown >= 0 and turn.sides]
    result["swap_name"] = count(turn for turn in swaps if claim.names[turn.said])
    result["swap_name_between"] = count(turn for turn in swaps if claim.names[turn.said] and turn.sides == 2)
    plain = [turn for turn in swaps if not claim.names[turn.said] and not claim.numbers[turn.said]]
    for name, parts in (("noun", (NOUN,)), ("verb", (VERB,)), ("adjective", (ADJECTIVE, ADVERB))):
        result[f"swap_{name}"] = count(t for t in plain if claim.known[t.said].part in parts)
    result["swap_both_sides"] = count(turn for turn in swaps if turn.sides == 2)
    result["swap_rarity"] = max((weights[turn.said] for turn in swaps), default=0.0)
    result["added"] = count(turn for turn in open_turns if turn.shown < 0 and turn.sides == 2)
    result["added_loose"] = count(turn for turn in open_turns if turn.shown < 0 and turn.sides < 2)
    return result


def denials(
    facts: Facts, shown: Sequence[Facts], weights: Sequence[float], aligned: Sequence[Aligned]
) -> dict[str, float]:
    """What one side denies and the other does not."""
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
    result["both_deny"] = count(n for n in heads(facts) if main.places[n] >= 0 and flags[n] and other[main.places[n]])
    return result


def denied_here(facts: Facts, shown: Sequence[Facts], aligned: Sequence[Aligned]) -> list[int]:
    """The words that the claim denies first and that no sentence denies, though the best has them."""
    return [
        n
        for n in heads(facts)
        if facts.denied[n]
        and aligned[0].places[n] >= 0
        and not any(
            one.places[n] >= 0 and there.denied[one.places[n]] for one, there in zip(aligned, shown, strict=True)
        )
    ]


def denied_there(facts: Facts, shown: Sequence[Facts], aligned: Sequence[Aligned]) -> list[tuple[int, int]]:
    """The sentences and the places of words that one denies first, that the claim states, and no other states."""
    return [
        (number, place)
        for number, (sentence, words) in enumerate(zip(shown, aligned, strict=True))
        for place in heads(sentence)
        if sentence.denied[place]
        and (n := words.taken[place]) >= 0
        and not facts.denied[n]
        and (not number or _all_there(sentence, words, place))
        and not any(
            one.places[n] >= 0
            and one.kinships[n] <= max(words.kinships[n], Kinship.FORM)
            and not there.denied[one.places[n]]
            for one, there in zip(aligned, shown, strict=True)
        )
    ]


def _all_there(sentence: Facts, words: Aligned, place: int) -> bool:
    """Whether what is denied with a word is the claim's, as it must be in a sentence other than the best."""
    cue = next(cue for cue in sentence.negations if cue.first <= place < cue.last)
    scope = [n for n in range(cue.first, cue.last) if sentence.tokens.content[n]]
    return len(scope) > 2 and sum(words.taken[n] < 0 for n in scope) <= len(scope) // 3


def heads(facts: Facts) -> list[int]:
    """The first content word that each cue of negation denies, where it stands close behind the cue."""
    content = facts.tokens.content
    result = []
    for cue in facts.negations:
        near = range(cue.first, min(cue.last, cue.first + HEAD))
        result += [n for n in near if content[n]][:1]
    return result


def denied_anywhere(
    facts: Facts, shown: Sequence[Facts], weights: Sequence[float], aligned: Sequence[Aligned]
) -> dict[str, float]:
    """What the claim denies and no sentence does: words that it denies first, whole cues, the share of its words."""
    denied = {n for one, there in zip(aligned, shown, strict=True) for n in _both_deny(one, there)}
    stated = {n for n in range(len(weights)) if any(one.places[n] >= 0 for one in aligned)} - denied
    cues = [cue for cue in facts.negations if not any(weights[n] and n in denied for n in range(cue.first, cue.last))]
    total = max(1e-9, sum(weights))
    return {
        "denies_any": count(n for n in heads(facts) if facts.denied[n] and n in stated),
        "denies_alone": count(cues),
        "denies_share": sum(weights[n] for n in stated if facts.denied[n]) / total,
    }


def _both_deny(one: Aligned, there: Facts) -> Iterator[int]:
    """The words of the claim whose match a sentence denies."""
    return (n for n, place in enumerate(one.places) if place >= 0 and there.denied[place])


def elsewhere(
    claim: Tokens, weights: Sequence[float], aligned: Sequence[Aligned], covered: Sequence[bool]
) -> dict[str, float]:
    """What sentences together tell: opposites in any of them, names that stand elsewhere, what lacks a direction."""
    turns = aligned[0].substitutions if aligned else ()
    opposite = {
        turn.said
        for one in aligned
        for turn in one.substitutions
        if turn.kinship == Kinship.OPPOSITE and not covered[turn.said]
    }
    lacking = [n for n, weight in enumerate(weights) if weight and not covered[n]]
    most = max((weights[n] for n in lacking), default=0.0)
    others = max(1e-9, sum(weights) - most)
    return {
        "slot_name": count(
            turn for turn in turns if turn.shown >= 0 and turn.sides and covered[turn.said] and claim.names[turn.said]
        ),
        "opposite_any": count(opposite),
        "directed_lacks": count(n for n in lacking if claim.known[n].sides or claim.known[n].antonyms),
        "rest": sum(weight for weight, have in zip(weights, covered, strict=True) if have) / others,
    }


def quantified(
    facts: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned], covered: Sequence[bool]
) -> dict[str, float]:
    """Amounts, modality and order words that are stronger, weaker or lacking."""
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
    result["order_lacks"] = count(fact for fact in order if fact.name != "only" and not covered[fact.place])
    result["only_lacks"] = float(any(fact.name == "only" for fact in order))
    mine_groups = {fact.name for fact in said if fact.kind == "order"}
    result["only_dropped"] = float("only" in groups and "only" not in mine_groups)
    lower = set(claim.lower)
    spoken = main.shown.lower
    inside = [place for place in main.places if place >= 0]
    first, last = (min(inside), max(inside)) if inside else (0, -1)
    here = set(spoken[max(0, first - 3) : last + 3])
    near = range(max(0, first - 3), min(last + 3, len(spoken)))
    result["conditional"] = float(_supposing(main.shown, near) and not _supposing(claim, range(len(claim))))
    result["or_dropped"] = float(bool(here & {"or", "either"}) and not lower & {"or", "either", "nor", "neither"})
    result["or_added"] = float(bool(lower & {"or", "either"}) and not here & {"or", "either"})
    return result


def _supposing(words: Tokens, places: range) -> bool:
    """Whether one of the words supposes; "May" with a capital that is not the sentence's is the month."""
    return any(words.lower[n] in _SUPPOSING and not (n and words.text[words.starts[n]].isupper()) for n in places)


_SUPPOSING = frozenset(("if", "unless", "would", "could", "might", "may"))
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


def orders(aligned: Sequence[Aligned]) -> dict[str, float]:
    """Matched words in another order than in the claim."""
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


def pooled(one: dict[str, float]) -> dict[str, float]:
    """Signs of the same weight together: each alone is too rare to be learned well.

    Each also as it counts where the evidence has all else: a changed fact of a copy is the surer sign.
    """
    figures_off = one["quantity_conflicts"] + one["period_conflicts"]
    roles = max(one["reversed"] + one["swapped"], float(one["exchange_names"] >= 1))
    denied = max(one["denies"], one["denies_alone"]) + one["affirms"]
    turned = max(one["is_opposite_between"], one["opposite_any"]) + denied + roles
    replaced = one["is_sibling_between"] + one["swap_name_between"] + one["is_opposite_beside"] + one["amount_turned"]
    unbacked = one["quantity_missing"] + one["quantity_other"] + one["period_missing"] + one["period_other"]
    stretched = one["order_lacks"] + one["only_lacks"] + (one["amount_up"] > 0) + (one["modal_up"] > 0)
    every = figures_off + turned + replaced + unbacked + stretched + one["nowhere_names"]
    copied = one["rest"] * one["plain_pair"]
    return {
        "pooled_conflicts": figures_off + turned,
        "pooled_replaced": replaced + one["quantity_conflicts_small"],
        "pooled_unbacked": unbacked + one["period_loose"] + one["quantity_loose"] - one["figure_nearby"],
        "pooled_stretched": stretched,
        "pooled": every,
        "pooled_in_copy": every * copied,
        "conflicts_in_copy": (figures_off + turned) * one["rest"],
        "names_in_copy": min(1.0, one["nowhere_names"]) * copied,
    }
