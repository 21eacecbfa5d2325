"""Whether two answers give different figures for the same thing and time, as after a restatement.

Figures of tables are of what their rows say; those of prose only where both sentences, figures and times aside, say
nothing that the question or the other one does not: "revenue from tickets" and "revenue rose by" are other things.
"""

from __future__ import annotations

from citewell.facts.extract import extract
from citewell.facts.relations import compare_periods
from citewell.facts.types import Period
from citewell.text.data import words
from citewell.types import Draft, Value


def differ(question: str, left: Draft, other: Draft) -> bool:
    """Whether both print a figure of one time, and not the same, each as exact as it is printed."""
    first, second = left.value, other.value
    if first is None or second is None or not (_printed(first) and _printed(second)):
        return False
    at, there = _time(left, first), _time(other, second)
    if at is None or there is None or not _same_time(at, there):
        return False
    return _units(first, second) and _apart(first, second) and _one_thing(question, left, other)


def _printed(value: Value) -> bool:
    return value.number is not None and not value.formula


def _units(left: Value, other: Value) -> bool:
    """Whether two figures can be compared: of one unit, or money of a table that does not name its currency."""
    units = {left.unit, other.unit}
    return len(units) == 1 or (None in units and {left.kind, other.kind} <= {"money", "number"})


def _apart(left: Value, other: Value) -> bool:
    figures, exact = [], 0.0
    for value in (left, other):
        number, scale = value.number or 0.0, value.scale or 1.0
        places = len(f"{number}".rstrip("0").partition(".")[2])
        figures.append(number * scale)
        exact = max(exact, scale * 10.0**-places / 2)
    return abs(figures[0] - figures[1]) > exact


def _time(draft: Draft, value: Value) -> Period | None:
    """The time of a figure: that of its column, or the only one of its sentence."""
    period = value.period or _sentence(draft, value)
    times = {(time.begin, time.until): time for time in extract(period).periods if time.kind == "period"}
    return next(iter(times.values())) if len(times) == 1 else None


def _same_time(left: Period, other: Period) -> bool:
    """Whether two times are one, as a year and the day of a column that ends it."""
    ends = {left.granularity, other.granularity} == {"day", "year"} and left.year == other.year
    return ends or compare_periods(left, other).outcome == "agrees"


def _sentence(draft: Draft, value: Value) -> str:
    """The statement that a figure stands in."""
    at = draft.sources[value.citations[0]].answer_start if value.citations else 0
    return next((draft.text[span.start : span.end] for span in draft.statements if span.start <= at < span.end), "")


def _one_thing(question: str, left: Draft, other: Draft) -> bool:
    """Whether figures are of one thing, as far as words tell; rows of tables were chosen by theirs."""
    values = [(draft, draft.value) for draft in (left, other) if draft.value is not None]
    if all(value.period for _, value in values):
        return True
    subjects = [_about(_sentence(draft, value)) for draft, value in values]
    if None in subjects:
        return False
    restated = " ".join(words("citewell.generators.extractive", "naming.json", "restated"))
    known = frozenset(extract(f"{question} {restated}").tokens.keys)
    first, second = (keys or frozenset() for keys in subjects)
    return not (first ^ second) - known


def _about(text: str) -> frozenset[str] | None:
    """What a sentence is about beside its figures and times, by stems; None where something in it is denied."""
    facts = extract(text)
    if facts.negations:
        return None
    tokens = facts.tokens
    places = {place for fact in (*facts.quantities, *facts.periods) for place in tokens.between(fact.start, fact.end)}
    return frozenset(
        tokens.keys[place] for place in range(len(tokens)) if tokens.content[place] and place not in places
    )
