"""The facts of a text: frozen values with code-point offsets, and the relations between two facts.

Every fact says where it stands: `text[fact.start:fact.end]` is how the text words it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple

from citewell.types import Span

Modifier = Literal["", "about", "more_than", "at_least", "less_than", "at_most", "range"]
Granularity = Literal[
    "time",
    "day",
    "weekday",
    "week",
    "month",
    "season",
    "quarter",
    "half",
    "year",
    "years",
    "decade",
    "century",
    "millennium",
]
Outcome = Literal["agrees", "contains", "within", "conflicts", "incomparable"]
Aspect = Literal["", "number", "magnitude", "unit", "sign", "modifier", "precision", "kind", "period", "fiscal"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact stated by a text, and its position; each kind of fact adds its own fields.

    `kind` tells facts of one class apart ("money", "percent"; "year", "quarter"), `start` and `end` are the offsets of
    the whole expression, its sign, scale, currency and unit included, words that modify it ("about") not.
    """

    kind: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Its position."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Quantity(Fact):
    """A number with what it counts or measures.

    `kind` is "cardinal", "ordinal", "percent", "points", "ratio", "money", "measure", "multiplier", or "identifier" for
    a number that names something ("Boeing 747", "[12]", "Section 4.2").

    `low` and `high` bound the value, sign, scale and unit applied: 11,700,000,000 for "€11.7 billion", 5 and 7 for
    "5 to 7", both equal unless it is a range. They are in the unit as written, not converted to a base unit.
    `tolerance` is half of the last place that is written: 50,000,000 for "11.7 billion", 0 for words such as "half".
    `scale` is what the digits were multiplied by: 1,000,000,000 for "billion", 1 where none is written.
    `numeral` are the offsets of the digits or number words alone, without sign, currency, scale word and unit.
    `unit` is the unit's canonical name ("kilometre", "percent"), `family` what it measures ("length", "money"),
    `factor` converts to the family's base unit. A counted noun is no unit. All are empty where there is no unit.
    `currency` is the ISO 4217 code, or the sign itself where it may be several ("$" stays "USD" unless it says more).
    `modifier` says how the value bounds the fact, `modifier_span` where that is written.
    """

    numeral: Span
    low: Decimal
    high: Decimal
    tolerance: Decimal
    scale: Decimal = Decimal(1)
    unit: str = ""
    family: str = ""
    factor: Decimal = Decimal(1)
    currency: str = ""
    modifier: Modifier = ""
    modifier_span: Span | None = None

    @property
    def value(self) -> Decimal:
        """The value; the middle of a range."""
        return self.low if self.low == self.high else (self.low + self.high) / 2

    @property
    def negative(self) -> bool:
        """Whether a minus, parentheses or a word make it less than zero."""
        return self.high < 0


@dataclass(frozen=True, slots=True)
class Period(Fact):
    """A time: a year, a quarter, a date, a decade, a weekday, or a time told by another ("the year before").

    `kind` is "period" for a time with a place in the calendar, "recurring" where the text leaves that open ("in March",
    "on Monday", "at 5 pm"), "relative" where it is told from an anchor.
    `begin` and `until` bound it as a half-open interval of days, numbered as `datetime.date.toordinal` does (days
    before the year 1 are negative); None where the text and the anchor do not tell.
    `granularity` is the finest thing that is told. `year`, `quarter` (or half), `month`, `day`, `weekday` (Monday is 0)
    and `minute` (of the day) are the parts that are written or resolved; a range of years has its first year.
    `fiscal` marks a company's own year, whose place in the calendar may differ from that of its name.
    `direction` of a relative time is -1 (before), 0 (the same) or 1 (after), `distance` how many of `granularity`.
    `modifier`: "before", "after", "since", "until", "by", "about", "early", "mid", "late", or nothing.
    """

    granularity: Granularity
    begin: int | None = None
    until: int | None = None
    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    minute: int | None = None
    fiscal: bool = False
    direction: int | None = None
    distance: int = 0
    modifier: str = ""


class Relation(NamedTuple):
    """The relation of a fact in a claim to a fact in the evidence.

    `outcome`: "agrees"; "conflicts"; "contains" and "within" for a claim's period that is wider or narrower than the
    evidence's; "incomparable" where the one says nothing about the other. `aspect` is what conflicts, or why nothing
    can be said.
    """

    outcome: Outcome
    aspect: Aspect = ""
