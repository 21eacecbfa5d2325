"""The time that an amount is a rate of: "$2,150 a month", "monthly rent of $2,150"."""

from __future__ import annotations

from citewell.facts.clauses import clauses
from citewell.facts.extract import Facts
from citewell.facts.types import Quantity

_WORDS = {
    "hour": {"hourly"},
    "day": {"daily"},
    "week": {"weekly"},
    "month": {"monthly"},
    "quarter": {"quarterly"},
    "year": {"annual", "annually", "yearly"},
}


def rates(facts: Facts, figure: Quantity) -> set[str]:
    """The times of which a figure is a rate, by its unit or by words of its clause: "monthly"."""
    if "/" in figure.unit:
        return {figure.unit.rpartition("/")[2]} & _WORDS.keys()
    tokens, number = facts.tokens, clauses(facts.text)
    here = tokens.between(figure.start, figure.end)
    near = {tokens.lower[n] for n in range(len(tokens)) if here and number[n] == number[here[0]]}
    return {rate for rate, words in _WORDS.items() if near & words}
