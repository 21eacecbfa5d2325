"""The change that two figures of a sentence describe: from, to, by how much, and in which direction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal, NamedTuple

from citewell.facts.clauses import cells, clauses
from citewell.facts.extract import Facts
from citewell.facts.types import Quantity, Relation
from citewell.facts.words_aligned import Aligned

Role = Literal["", "from", "to", "by"]
_ROLES: dict[str, Role] = {"from": "from", "to": "to", "by": "by"}
_AGAINST: dict[str, Role] = {"against": "from", "versus": "from"}
_SKIPPED = frozenset("about nearly almost around only some just roughly approximately over the a an as much".split())
_AXES = ("change", "level")
_PERCENT = Decimal(100)


class Change(NamedTuple):
    """Two figures of one thing, what it was and what it became."""

    start: Quantity
    end: Quantity

    @property
    def sign(self) -> int:
        """1 for a rise, -1 for a fall, 0 for neither."""
        return (self.end.value > self.start.value) - (self.end.value < self.start.value)

    def together(self) -> Quantity:
        """Both as one place in the sentence."""
        first, last = min(self.start.start, self.end.start), max(self.start.end, self.end.end)
        return replace(self.end, start=first, end=last)

    def amount(self, kind: str) -> Decimal | None:
        """How much the change is, told as a multiple, in percent, or in the unit of the figures."""
        start, end = self.start.value * self.start.factor, self.end.value * self.end.factor
        if kind == "multiplier":
            return end / start if start > 0 else None
        if kind == "percent" and self.start.kind != "percent":
            return abs(end - start) / abs(start) * _PERCENT if start else None
        if kind == "percent":
            return None  # of percent, or percentage points: the words do not tell
        if kind == "points":
            return abs(self.end.value - self.start.value)
        return abs(end - start)


def alike(first: Quantity, second: Quantity) -> bool:
    """Whether two figures of a sentence are of one kind, so that a difference of both says something."""
    if "cardinal" in (first.kind, second.kind) and "money" in (first.kind, second.kind):
        return first.scale > 1 < second.scale  # "5 million euros and 6 million"
    same = first.family == second.family or first.kind == "money"  # "$3 a barrel to nearly $12"
    return same and (first.kind, first.currency) == (second.kind, second.currency)


def role(facts: Facts, figure: Quantity) -> Role:
    """What the word before a figure makes of it: where a change begins, where it ends, how large it is."""
    tokens = facts.tokens
    here = tokens.between(figure.start, figure.end)
    place = here[0] - 1 if here else -1
    while place >= 0 and tokens.lower[place] in _SKIPPED:
        place -= 1
    if place < 0 or any(mark in tokens.text[tokens.ends[place] : figure.start] for mark in ",;:|"):
        return ""
    word = tokens.lower[place]
    if place and word in ("to", "with") and tokens.lower[place - 1].startswith("compar"):
        return "from"
    if word == "of" and "after" in tokens.lower[max(0, place - 3) : place]:
        return "from"  # "a loss of 5, after a loss of 6"
    return _ROLES.get(word) or _AGAINST.get(word, "")


def changes(facts: Facts) -> Iterator[Change]:
    """From A to B; B, up from A; in 2019 A, in 2020 B."""
    figures = [q for q in facts.quantities if q.kind not in ("identifier", "ordinal", "multiplier")]
    if len(figures) < 2:
        return
    roles = [role(facts, figure) for figure in figures]
    for place, figure in enumerate(figures):
        if roles[place] != "from":
            continue
        after = [n for n in range(place + 1, min(place + 3, len(figures))) if roles[n] == "to"]
        before = [n for n in range(place - 1, max(-1, place - 3), -1) if roles[n] in ("", "to")]
        other = next((figures[n] for n in (*after, *before) if alike(figure, figures[n])), None)
        if other is not None:
            yield Change(figure, other)
    if "from" not in roles:
        yield from _by_year(facts, figures)


def _by_year(facts: Facts, figures: Sequence[Quantity]) -> Iterator[Change]:
    """Two figures in cells that only their years tell apart from each other."""
    years = {facts.tokens.between(p.start, p.end)[-1]: p for p in facts.periods if p.granularity == "year" and p.year}
    row = cells(facts, figures, alike)
    dated = []
    for figure in figures:
        figure_years = (
            [years[n].year or 0 for n in row[figure.start].exclusive if n in years] if figure.start in row else []
        )
        if len(figure_years) == 1:
            dated.append((figure_years[0], figure))
    if len(dated) == 2 and dated[0][0] != dated[1][0] and alike(dated[0][1], dated[1][1]):
        first, last = sorted(dated, key=lambda item: item[0])
        yield Change(first[1], last[1])


def way(facts: Facts, figure: Quantity) -> int:
    """1 where the words of a figure's clause say that something rises, -1 where it falls, 0 where they say neither."""
    tokens, number = facts.tokens, clauses(facts.text)
    here = tokens.between(figure.start, figure.end)
    if not here:
        return 0
    near = [n for n in range(len(tokens)) if number[n] == number[here[0]] and not facts.denied[n]]
    ways = {1 - 2 * side for n in near for axis, side in tokens.known[n].sides if axis == _AXES[0]}
    ways |= {1 for n in near if tokens.lower[n] == "up"} | {-1 for n in near if tokens.lower[n] == "down"}
    return ways.pop() if len(ways) == 1 else 0


def computed(claim: Facts, fact: Quantity, evidence: Facts, aligned: Aligned) -> tuple[Change, Relation] | None:
    """How "by 5", "by a tenth" or "doubled" stands to a change that the sentence tells by both of its figures."""
    multiple = fact.kind == "multiplier"
    if not multiple and role(claim, fact) != "by":
        return None
    best: tuple[int, Change] | None = None
    candidates = [change for change in changes(evidence) if multiple or _same_measure(fact, change)]
    for change in candidates:
        fits = sum(aligned.taken[n] >= 0 for n in _words(evidence, change))
        if fits and (best is None or fits > best[0]):
            best = fits, change
    amount = best[1].amount(fact.kind) if best else None
    if best is None or amount is None:
        return None
    change = best[1]
    if not multiple and way(claim, fact) == -change.sign:
        return change, Relation("conflicts", "sign")
    claimed = fact.low * (1 if multiple or fact.kind in ("percent", "points") else fact.factor)
    slack = fact.tolerance * fact.factor if not multiple else claimed / 20
    if fact.modifier:
        slack = max(slack, claimed / 10)
    off = abs(amount - claimed)
    if off <= slack:
        return change, Relation("agrees")
    settled = off > claimed / 10 and (multiple or way(claim, fact) != 0)  # "by 22 patients" is no change
    return (change, Relation("conflicts", "number")) if settled else None


def _same_measure(fact: Quantity, change: Change) -> bool:
    if fact.kind == "points":
        return change.start.kind == "percent"
    return alike(fact, change.start) or fact.kind == "percent"


def _words(evidence: Facts, change: Change) -> list[int]:
    """The content words of the clauses in which a change is told."""
    tokens, number = evidence.tokens, clauses(evidence.text)
    both = {number[n] for q in change for n in tokens.between(q.start, q.end)}
    return [n for n in range(len(tokens)) if number[n] in both and tokens.content[n] and not tokens.numbers[n]]
