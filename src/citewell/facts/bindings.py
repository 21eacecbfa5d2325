"""Assigns each figure of a sentence to its time: "41.3 in 2024 and 38.4 in 2023", "310, up from 295 a year earlier"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from citewell.facts.changes import Change, alike, changes, role
from citewell.facts.extract import Facts, extract
from citewell.facts.pairing import runs
from citewell.facts.relations import compare_periods
from citewell.facts.types import Period, Quantity

_FAR = 6  # words between a figure and the time behind it: "310 people at the end of 2024"
_MOST = 60  # figures and times of a sentence that are read: each is held against each
_PART = re.compile(r"[;.!?]\s")  # what a time at the head of a part holds for ends there
_APART = re.compile(r"[,;:(—–|]|\b(?:and|or|but|while|compared|versus|against|from|to|than)\b", re.IGNORECASE)
_NAMES = re.compile(r"[^\w:]*:\W*")  # "(2023: 38.4)"


class Bound(NamedTuple):
    """The time that a figure is of; `before` where it is of some time before that ("rose from 30 in 2024").

    `after` where it is of the time that follows, as what stands before a bracket: "£86 million (2021: £82 million)".
    """

    period: Period
    before: bool = False
    after: bool = False

    def excludes(self, wanted: Period) -> bool:
        """Whether the figure is of another time than the wanted one."""
        outcome = compare_periods(wanted, self.period).outcome
        if self.after:
            return outcome == "agrees"
        if not self.before:
            return outcome == "conflicts"
        if outcome != "conflicts" or wanted.begin is None or self.period.begin is None:
            return outcome in ("agrees", "contains", "within")
        return wanted.begin > self.period.begin


@lru_cache(maxsize=4096)
def times(text: str) -> Mapping[int, Bound]:
    """The time of each figure of a sentence by its start, among the first figures; those without any have none."""
    facts = extract(text)
    periods = [period for period in facts.periods if period.year is not None][:_MOST]
    figures = [
        quantity
        for quantity in facts.quantities
        if quantity.kind not in ("identifier", "ordinal")
        and not any(period.start <= quantity.start < period.end for period in periods)
    ][:_MOST]
    result = dict(_listed(facts, figures, periods))
    listed = {bound.period.start for bound in result.values()}
    behind = {
        figure.start: period
        for figure, period in _neighbours(text, figures, [p for p in periods if p.start not in listed])
        if figure.start not in result
    }
    result.update((start, Bound(period)) for start, period in behind.items())
    taken = {period.start for period in behind.values()} | listed
    heads = [period for period in periods if period.start not in taken]
    others = [period for period in behind.values() if not _in_bracket(text, period)]
    for figure in figures:
        if figure.start in result:
            continue
        if period := _around(text, figure, heads, others):
            result[figure.start] = Bound(period, role(facts, figure) == "from" and period.granularity != "years")
        elif period := _bracketed(text, figure, periods):
            result[figure.start] = Bound(period, after=True)
    return result


def _in_bracket(text: str, period: Period) -> bool:
    """Whether a time names what follows it in a bracket: "(2021: £82 million)", "(£86 million; 2021: £82 million)"."""
    return text[: period.start].rstrip().endswith(("(", "[", ";")) and _NAMES.match(text, period.end) is not None


def is_of_bracket(claim: str, figure: int, text: str, other: int) -> bool:
    """Whether the figure of a claim is of the time that names a bracket in which another figure stands."""
    mine, theirs = times(claim).get(figure), times(text).get(other)
    if mine is None or theirs is None or theirs.after or not _in_bracket(text, theirs.period):
        return False
    return not theirs.excludes(mine.period)


def is_compared(text: str, claimed: Period, other: Quantity | Period | None) -> bool:
    """Whether a text compares the claimed year with the one before: 2022 in "£86.6 million (2021: £82.7 million)"."""
    if not isinstance(other, Period) or claimed.year is None or other.year is None or not _in_bracket(text, other):
        return False
    return claimed.granularity == other.granularity and claimed.year == other.year + 1


def _bracketed(text: str, figure: Quantity, periods: Sequence[Period]) -> Period | None:
    """The time that names what stands in the bracket behind a figure."""
    after = next((period for period in periods if period.start >= figure.end), None)
    if after is None or not _in_bracket(text, after):
        return None
    between = text[figure.end : after.start].rstrip("([; ")
    return after if len(between.split()) <= _FAR and not _APART.search(between) else None


def moves(text: str, wanted: Period | None) -> Iterator[Change]:
    """What a figure of a sentence was and what it became, where it became so in the wanted time, or in any."""
    bound, facts = times(text), extract(text)
    dated = [figure for figure in facts.quantities if figure.start in bound and not bound[figure.start].before]
    following = (
        Change(first, last)
        for first in dated
        for last in dated
        if alike(first, last) and (bound[first.start].period.year or 0) + 1 == bound[last.start].period.year
    )
    for change in (*changes(facts), *following):
        time = bound.get(change.end.start)
        if time is not None and not time.before and change.start.value and not (wanted and time.excludes(wanted)):
            yield change


def _listed(facts: Facts, figures: Sequence[Quantity], periods: Sequence[Period]) -> Iterator[tuple[int, Bound]]:
    """As many figures one after another as times one after another: the first of the first."""
    tokens = facts.tokens
    figured = [[tokens.starts[item.start] for item in items] for items in runs(facts, figures)]
    for items in runs(facts, periods):
        starts = [tokens.starts[item.start] for item in items]
        same = [other for other in figured if len(other) == len(starts)]
        if not same:
            continue
        nearest = min(same, key=lambda other: abs(other[0] - starts[0]))
        figured.remove(nearest)
        by_place = {tokens.between(period.start, period.end).start: period for period in periods}
        shared = len(list(runs(facts, periods))) == 1 and "respectively" in facts.text  # one list of times for all
        for listed in same if shared else [nearest]:
            for start, item in zip(listed, items, strict=True):
                figure = next((f for f in figures if tokens.starts[tokens.between(*f.span).start] == start), None)
                if figure is not None and item.start in by_place:
                    yield figure.start, Bound(by_place[item.start])


def _neighbours(text: str, figures: Sequence[Quantity], periods: Sequence[Period]) -> Iterator[tuple[Quantity, Period]]:
    """Each figure with the time that stands right behind it, or that names it: "14 ships in 2024", "(2023: 38.4)"."""
    facts = sorted((*figures, *periods), key=lambda fact: fact.start)
    for first, second in pairwise(facts):
        between = text[first.end : second.start]
        if isinstance(first, Period) and isinstance(second, Quantity) and _NAMES.fullmatch(between):
            yield second, first
        behind = len(between.split()) <= _FAR and not _APART.search(between)
        if isinstance(first, Quantity) and isinstance(second, Period) and behind:
            yield first, second


def _around(text: str, figure: Quantity, heads: Sequence[Period], others: Sequence[Period]) -> Period | None:
    """The time that holds for a figure without one behind it: at the head of its part, else the next of its part."""
    before = [p for p in heads if p.end <= figure.start and not _PART.search(text[p.end : figure.start])]
    if before:
        return before[-1]
    behind = [p for p in (*heads, *others) if p.start >= figure.end and not _PART.search(text[figure.end : p.start])]
    if behind:
        return min(behind, key=lambda period: period.start)
    past = [p for p in others if p.end <= figure.start and not _PART.search(text[p.end : figure.start])]
    return past[-1] if past else None
