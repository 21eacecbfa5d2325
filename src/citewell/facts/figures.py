"""Compares the figures and times of a claim with the sentences of its evidence: the same, another, or none.

A figure conflicts only with one of the same thing: of a kind that can be compared, with the same words next to it, and
where no equal figure of that thing stands in the evidence. That an equal number stands somewhere is not agreement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from citewell.facts.bindings import is_compared, is_of_bracket, times
from citewell.facts.changes import alike, computed, role, way
from citewell.facts.clauses import SORTS, Cell, cells, clauses, sort
from citewell.facts.counted import of_other_noun
from citewell.facts.extract import Facts, extract
from citewell.facts.kinship import Kinship
from citewell.facts.pairing import partners
from citewell.facts.relations import compare, compare_lengths, compare_periods
from citewell.facts.types import Outcome, Period, Quantity, Relation
from citewell.facts.words_aligned import Aligned

Standing = Literal["agrees", "elsewhere", "loose", "conflicts", "other", "missing"]
BESIDE = 4  # words next to a figure in the claim that say what it is a figure of
# Figures of a claim and of a sentence that are compared; nobody writes as many but in lists.
MOST_CLAIMED, MOST_COMPARED = 40, 200
ROUND = 6  # words round a figure of the evidence in which those must stand
# What a figure of the claim's time makes of the claim's figure.
_BY_TIME: Mapping[Outcome, Standing] = {"agrees": "agrees", "contains": "agrees", "conflicts": "conflicts"}


class Stands(NamedTuple):
    """A figure of the claim and what the evidence has for it.

    `standing`: "agrees"; "elsewhere" (an equal figure, but of another thing, while this thing has another); "loose"
    (neither the same nor another: coarser, of a wider time); "conflicts" (another figure of the same thing); "other"
    (another figure, perhaps of the same thing); "missing". `local` is the share of the words beside it that stand by
    the figure of the evidence, `sentence` the position among the aligned ones (-1: none).
    """

    fact: Quantity | Period
    standing: Standing
    counterpart: Quantity | Period | None = None
    sentence: int = -1
    local: float = 0.0
    relation: Relation | None = None


def quantities(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> list[Stands]:
    """Where the quantities of the claim stand."""
    result = []
    for fact in claim.quantities[:MOST_CLAIMED]:
        if fact.kind != "identifier":
            falls = way(claim, fact) < 0
            stand = _stands(fact, [_figures(premise, fact) for premise in evidence], aligned, falls=falls)
            other = stand.counterpart if stand.standing in ("agrees", "elsewhere") else None
            if other and is_of_bracket(claim.text, fact.start, evidence[stand.sentence].text, other.start):
                stand = stand._replace(standing="agrees")
            else:
                stand = _of_another_time(claim, evidence, _of_another(claim, evidence, aligned, stand, quantity_cells))
                if isinstance(other, Quantity) and (of := of_other_noun(claim, fact, evidence, other, stand.sentence)):
                    stand = stand._replace(standing="conflicts", counterpart=of, relation=relate(fact, of))
            result.append(_in_its_role(claim, evidence, aligned, stand))
    return result


def periods(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> list[Stands]:
    """Where the times of the claim stand. What a part of a year has, says nothing of an amount of the whole year."""
    amounts = any(firm(fact) and fact.kind != "identifier" for fact in claim.quantities)
    result = []
    for fact in claim.periods[:MOST_CLAIMED]:
        stand = _stands(fact, [_figures(premise, fact) for premise in evidence], aligned)
        stand = _of_another(claim, evidence, aligned, stand, period_cells)
        part = isinstance(stand.counterpart, Period) and stand.counterpart.granularity in ("quarter", "half")
        if amounts and part and stand.standing == "agrees" and fact.granularity in ("year", "years"):
            stand = stand._replace(standing="other")
        if stand.standing == "conflicts" and is_compared(evidence[stand.sentence].text, fact, stand.counterpart):
            stand = stand._replace(standing="agrees")
        result.append(stand)
    return result


@lru_cache(maxsize=4096)
def quantity_cells(text: str) -> Mapping[int, Cell]:
    """The cells of a sentence's quantities that can be compared."""
    facts = extract(text)
    return cells(facts, [q for q in facts.quantities[:MOST_COMPARED] if q.kind not in ("identifier", "ordinal")], alike)


@lru_cache(maxsize=4096)
def period_cells(text: str) -> Mapping[int, Cell]:
    """The cells of a sentence's times that can be compared."""
    facts = extract(text)
    return cells(
        facts,
        [p for p in facts.periods[:MOST_COMPARED] if p.kind == "period"],
        lambda a, b: a.granularity == b.granularity,
    )


def _of_another(
    claim: Facts,
    evidence: Sequence[Facts],
    aligned: Sequence[Aligned],
    stand: Stands,
    known: Callable[[str], Mapping[int, Cell]],
) -> Stands:
    """An equal figure is another thing's where only the words of a different figure are the claim's.

    Those are told from words of their own sort: "control" from "amber", Bergen from Oslo, a year from a year.
    """
    if stand.standing not in ("agrees", "elsewhere") or stand.counterpart is None or not firm(stand.fact):
        return stand
    premise, words = evidence[stand.sentence], aligned[stand.sentence]
    paired = _paired(claim, premise, stand)
    if paired is not None:
        return paired
    rest = _elsewhere(claim, evidence, aligned, stand)
    if rest is not None:
        return rest
    row = known(premise.text)
    mine = row.get(stand.counterpart.start)
    if mine is None or not mine.exclusive:
        return stand
    number = clauses(claim.text)
    here = claim.tokens.between(stand.fact.start, stand.fact.end)
    if not here:
        return stand
    keys = {claim.tokens.keys[n] for n in range(len(claim.tokens)) if number[n] == number[here[0]]}
    near = {n for n in range(len(claim.tokens)) if number[n] == number[here[0]]}

    def is_aligned(place: int) -> bool:
        return premise.tokens.keys[place] in keys or words.taken[place] in near

    by_sort = {kind: [n for n in mine.exclusive if sort(premise.tokens, n) == kind] for kind in SORTS}
    here_said = any(is_aligned(n) for n in mine.exclusive)
    differing = {kind for kind in SORTS if by_sort[kind] and not any(map(is_aligned, by_sort[kind]))} - (
        {"plain"} if here_said else set()
    )
    for cell in row.values():
        if cell.first != mine.first and any(
            is_aligned(n) and sort(premise.tokens, n) in differing for n in cell.exclusive
        ):
            relation = relate(stand.fact, cell.figure)
            if relation.outcome == "conflicts" and not _is_of_another(claim, stand.fact, cell.figure):
                return stand._replace(standing="elsewhere", counterpart=cell.figure, relation=relation)
    return stand._replace(standing="agrees") if here_said else stand


def _of_another_time(claim: Facts, evidence: Sequence[Facts], stand: Stands) -> Stands:
    """A figure that agrees is of another time where its sentence says so: "31.9, up from 30.2 a year earlier"."""
    mine = times(claim.text).get(stand.fact.start)
    if stand.standing not in ("agrees", "elsewhere") or stand.counterpart is None or mine is None or mine.before:
        return stand
    premise = evidence[stand.sentence]
    bound = times(premise.text)
    theirs = bound.get(stand.counterpart.start)
    if theirs is None or not theirs.excludes(mine.period):
        return stand
    dated = [(figure, bound.get(figure.start)) for figure in premise.quantities[:MOST_COMPARED]]
    of_the_time = [figure for figure, time in dated if time is not None and not time.excludes(mine.period)]
    related = [(figure, relate(stand.fact, figure)) for figure in of_the_time]
    for outcome, standing in _BY_TIME.items():
        figure, relation = next((both for both in related if both[1].outcome == outcome), (None, None))
        if figure is not None:
            return stand._replace(standing=standing, counterpart=figure, relation=relation)
    return stand._replace(standing="other") if of_the_time else stand  # else its time is another, and is told so


def _paired(claim: Facts, premise: Facts, stand: Stands) -> Stands | None:
    """What a list says of a figure: it is of the item that the claim names, or that item has another; else None."""
    listed, tokens = partners(premise.text), claim.tokens
    if stand.counterpart is None or stand.counterpart.start not in listed:
        return None
    items = {start: {premise.tokens.keys[n] for n in places} for start, places in listed.items()}
    mine = items[stand.counterpart.start]
    item = partners(claim.text).get(stand.fact.start)
    here = list(item or ())
    if item is None:
        number, at = clauses(claim.text), tokens.between(stand.fact.start, stand.fact.end)
        several = len(claim.quantities if isinstance(stand.fact, Quantity) else claim.periods) > 1
        own = number[at[0]] if several and at else None
        here = [n for n in range(len(tokens)) if (own is None or number[n] == own) and n not in at]
    named = {tokens.keys[n] for n in here}
    figures = {figure.start: figure for figure in _figures(premise, stand.fact)}
    for start, keys in items.items():
        other = figures.get(start)
        if other is not None and named & (keys - mine) and not named & (mine - keys):
            relation = relate(stand.fact, other)
            if relation.outcome == "conflicts":
                return stand._replace(standing="conflicts", counterpart=other, relation=relation)
    named_alone = bool(named & mine) and not any(named & (keys - mine) for keys in items.values())
    return stand._replace(standing="agrees") if named_alone else None


def scoped(stands: Sequence[Stands], evidence: Sequence[Facts]) -> list[Stands]:
    """The same, where an amount of a claim's year stands in a sentence that tells a part of a year only: another's."""
    parts, years = ("quarter", "half", "month"), ("year", "years")
    if any(isinstance(stand.fact, Period) and stand.fact.granularity in parts for stand in stands):
        return list(stands)
    homes = {s.sentence for s in stands if isinstance(s.fact, Quantity) and s.standing == "agrees" and firm(s.fact)}
    granularities = [{period.granularity for period in evidence[home].periods} for home in homes]
    if not granularities or not all(kinds & {"quarter", "half"} and not kinds & set(years) for kinds in granularities):
        return list(stands)
    return [
        stand._replace(standing="other")
        if isinstance(stand.fact, Period) and stand.fact.granularity in years and stand.sentence not in homes
        else stand
        for stand in stands
    ]


def _is_of_another(claim: Facts, fact: Quantity | Period, figure: Quantity | Period) -> bool:
    """Whether another figure of the claim is that figure of the evidence."""
    others: tuple[Quantity | Period, ...] = (*claim.quantities, *claim.periods)
    return any(other is not fact and relate(other, figure).outcome == "agrees" for other in others)


def _elsewhere(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned], stand: Stands) -> Stands | None:
    """The other figure of a sentence that has all that the equal one's has of the claim, and more of it."""
    tokens = claim.tokens
    figure = set(tokens.between(stand.fact.start, stand.fact.end))

    def matched_here(sentence: int) -> set[int]:
        places = aligned[sentence].places
        return {n for n in range(len(tokens)) if tokens.content[n] and n not in figure and places[n] >= 0}

    mine = matched_here(stand.sentence)
    for sentence, facts in enumerate(evidence):
        theirs = matched_here(sentence)
        far_more = stand.local < SAME_THING and len(theirs) > 2 * len(mine)
        if sentence == stand.sentence or not (mine < theirs or far_more):
            continue
        fine = stand.fact.granularity if isinstance(stand.fact, Period) else None
        others = [o for o in _figures(facts, stand.fact) if fine in (None, getattr(o, "granularity", None))]
        related = [(other, relate(stand.fact, other)) for other in others]
        against = [(other, relation) for other, relation in related if relation.outcome == "conflicts"]
        if (
            against
            and not _is_of_another(claim, stand.fact, against[0][0])
            and all(relation.outcome in ("conflicts", "incomparable") for _, relation in related)
        ):
            other, relation = against[0]
            return stand._replace(standing="elsewhere", counterpart=other, sentence=sentence, relation=relation)
    return None


def _figures(facts: Facts, fact: Quantity | Period) -> Sequence[Quantity | Period]:
    """The figures of a sentence that are of the sort of a claim's: quantities, or times, or lengths of time."""
    if isinstance(fact, Period):
        return facts.periods[:MOST_COMPARED]
    lengths: list[Quantity | Period] = [p for p in facts.periods if p.distance and fact.family == "time"]
    return [*facts.quantities, *lengths][:MOST_COMPARED]


def relate(fact: Quantity | Period, figure: Quantity | Period) -> Relation:
    """How a figure of a claim stands to one of the evidence."""
    if isinstance(fact, Quantity) and isinstance(figure, Quantity):
        return compare(fact, figure)
    if isinstance(fact, Period) and isinstance(figure, Period):
        return compare_periods(fact, figure)
    if isinstance(fact, Quantity) and isinstance(figure, Period):
        return compare_lengths(fact, figure)
    return Relation("incomparable", "kind")


def _in_its_role(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned], stand: Stands) -> Stands:
    """What a change is from, to or by is not what it is in another of these places; one not written is computed."""
    fact = stand.fact
    if not isinstance(fact, Quantity) or not aligned:
        return stand
    if stand.standing == "elsewhere" and isinstance(stand.counterpart, Quantity):
        changed = stand.relation == Relation("agrees") and role(evidence[stand.sentence], stand.counterpart)
        stand = stand._replace(standing="agrees") if changed in ("from", "to") else stand
    if stand.standing == "agrees" and isinstance(stand.counterpart, Quantity):
        claim_role, evidence_role = role(claim, fact), role(evidence[stand.sentence], stand.counterpart)
        differs = bool(claim_role and evidence_role) and claim_role != evidence_role and firm(fact)
        if differs and way(claim, fact) and way(evidence[stand.sentence], stand.counterpart):
            return stand._replace(standing="conflicts", relation=Relation("conflicts", "number"))
        return stand
    for sentence, (facts, words) in enumerate(zip(evidence, aligned, strict=True)):
        change = computed(claim, fact, facts, words)
        if change is not None:
            standing: Standing = "agrees" if change[1].outcome == "agrees" else "conflicts"
            return Stands(fact, standing, change[0].together(), sentence, 1.0, change[1])
    return stand


def _stands(
    fact: Quantity | Period,
    evidence: Sequence[Sequence[Quantity | Period]],
    aligned: Sequence[Aligned],
    *,
    falls: bool = False,
) -> Stands:
    best: dict[str, Stands] = {}
    sides: dict[str, int] = {}
    for sentence, (figures, words) in enumerate(zip(evidence, aligned, strict=True)):
        for figure in figures:
            relation = relate(fact, figure)
            if falls and relation == Relation("conflicts", "sign") and isinstance(figure, Quantity) and figure.negative:
                relation = Relation("agrees", "sign")  # "fell 2%" and "-2%"
            outcome = _outcome(fact, figure, relation)
            if not outcome:
                continue
            near, side = _local(fact, figure, words) - 0.05 * sentence, _side(fact, figure, words)
            if outcome not in best or (near, side) > (best[outcome].local, sides[outcome]):
                best[outcome], sides[outcome] = Stands(fact, "other", figure, sentence, near, relation), side
    same, another, loose = (best.get(name) for name in ("agrees", "conflicts", "loose"))
    relative = isinstance(fact, Period) and fact.kind == "relative"  # "a year before" is of no other thing
    if same and (not another or relative or same.local >= another.local - CLEAR):
        return same._replace(standing="agrees")
    if same:
        return same._replace(standing="elsewhere")
    if loose and loose.relation and loose.relation.aspect == "unit":
        return loose._replace(standing="loose")  # the same number, a rate and what it is a rate of
    if another and another.local >= SAME_THING:
        return another._replace(standing="conflicts")
    if loose:
        return loose._replace(standing="loose")
    return another or Stands(fact, "missing")


def _outcome(fact: Quantity | Period, figure: Quantity | Period, relation: Relation) -> str:
    """What a relation says of the claim; nothing where the two tell nothing of each other."""
    if {fact.kind, figure.kind} in ({"ratio", "money"}, {"ratio", "cardinal"}):
        return ""  # half of something, and an amount or a count of it
    if relation.outcome == "incomparable":
        return "loose" if relation.aspect in ("precision", "fiscal") else ""
    if relation.outcome == "conflicts" and relation.aspect == "unit":
        # "8 hours a day" and "eight-hour": a rate and what it is a rate of.
        first, second = (figure_.unit if isinstance(figure_, Quantity) else "" for figure_ in (fact, figure))
        return "loose" if first.startswith(f"{second}/") or second.startswith(f"{first}/") else "conflicts"
    return {"agrees": "agrees", "contains": "agrees", "conflicts": "conflicts"}.get(relation.outcome, "loose")


SMALL = 12  # up to that number, words such as "two" often count what the evidence lists


def firm(fact: Quantity | Period) -> bool:
    """Whether a figure is one that evidence must state: no ordinal, no small number without a unit."""
    if isinstance(fact, Period):
        return fact.kind != "relative"
    return fact.kind != "ordinal" and (bool(fact.unit or fact.currency) or abs(fact.high) > SMALL)


CLEAR = 0.6  # how much better another figure must fit the words beside it than the equal one
SAME_THING = 0.5  # the share of the words beside a figure from which another one is of the same thing


def _local(fact: Quantity | Period, figure: Quantity | Period, words: Aligned) -> float:
    """The share of the words beside a figure of the claim that are matched near a figure of the sentence."""
    claim, evidence = words.claim, words.evidence
    mine, theirs = claim.between(fact.start, fact.end), evidence.between(figure.start, figure.end)
    if not mine or not theirs:
        return 0.0
    first, last, low, high = mine[0], mine[-1], theirs[0], theirs[-1]
    beside = [
        n
        for n in (*range(max(0, first - BESIDE), first), *range(last + 1, min(len(claim), last + 1 + BESIDE)))
        if claim.content[n] and not claim.numbers[n]
    ]
    near = sum(low - ROUND <= words.places[n] <= high + ROUND for n in beside if words.places[n] >= 0)
    return near / len(beside) if beside else 0.5


def _side(fact: Quantity | Period, figure: Quantity | Period, words: Aligned) -> int:
    """How many words before a figure of the claim stand before that of the sentence, and behind it behind."""
    mine = words.claim.between(fact.start, fact.end)
    theirs = words.evidence.between(figure.start, figure.end)
    if not mine or not theirs:
        return 0
    before = [words.places[n] for n in range(max(0, mine[0] - BESIDE), mine[0])]
    behind = [words.places[n] for n in range(mine[-1] + 1, min(len(words.claim), mine[-1] + 1 + BESIDE))]
    return sum(0 <= place < theirs[0] for place in before) + sum(place > theirs[-1] for place in behind)


def matched(aligned: Sequence[Aligned], stands: Sequence[Stands]) -> tuple[Aligned, ...]:
    """The alignments with the words of figures that agree as matches, however they are written."""
    result = list(aligned)
    for stand in stands:
        if stand.standing == "agrees" and stand.counterpart is not None:
            result[stand.sentence] = _joined(result[stand.sentence], stand.fact, stand.counterpart)
    return tuple(result)


def _joined(words: Aligned, fact: Quantity | Period, figure: Quantity | Period) -> Aligned:
    claim, evidence = words.claim, words.evidence
    places, kinships, taken = list(words.places), list(words.kinships), list(words.taken)
    mine, theirs = claim.between(fact.start, fact.end), evidence.between(figure.start, figure.end)
    open_places = [n for n in mine if places[n] < 0]
    if not open_places or not theirs:
        return words
    for open_place in open_places:
        place = theirs[min(len(theirs) - 1, open_place - mine[0])]
        places[open_place], kinships[open_place] = place, Kinship.SYNONYM
        taken[place] = open_place if taken[place] < 0 else taken[place]
    left = tuple(turn for turn in words.substitutions if places[turn.claim_place] < 0)
    return Aligned(claim, evidence, tuple(places), tuple(kinships), tuple(taken), left)
