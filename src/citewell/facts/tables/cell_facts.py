"""The fact that a cell states: its amount with the table's scale, the meaning of its sign, its part of a year."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.calendar.period import read_period
from citewell.facts.dates import periods
from citewell.facts.tokens import tokens
from citewell.facts.types import Period, Quantity
from citewell.types import Cell, Span

_SCALES = {1: "", 1_000: "in thousands", 1_000_000: "in millions", 1_000_000_000: "in billions"}
_DECIMALS = re.compile(r"[.,](\d+)\D*$")
_THOUSANDS = 3  # digits behind a mark that parts thousands
_HALF = Decimal("0.5")


def amount(cell: Cell) -> Quantity:
    """A cell's figure without its sign, scale applied, with the precision that it is printed with."""
    value, scale = abs(Decimal(repr(cell.value or 0.0))), Decimal(cell.scale)
    behind = _DECIMALS.search(cell.text)
    decimals = len(behind[1]) if behind and value != value.to_integral_value() else 0
    if behind and not decimals and (len(behind[1]) != _THOUSANDS or cell.text[behind.start()] == "."):
        decimals = len(behind[1])  # "844.0"
    place = Decimal(1).scaleb(-decimals) * scale
    kind, unit, family, currency = "cardinal", "", "", ""
    if cell.unit == "percent":
        kind, unit, family = "percent", "percent", "ratio"
    elif len(cell.unit) == 3 and cell.unit.isupper():
        kind, unit, family, currency = "money", cell.unit, "money", cell.unit
    span = Span(cell.start, cell.end)
    return Quantity(
        kind, *span, span, value * scale, value * scale, place * _HALF, scale, unit, family, currency=currency
    )


class Sense(NamedTuple):
    """Whether words name a gain, a loss, both or neither."""

    gain: bool
    loss: bool

    def sign(self, *, negative: bool) -> int:
        """Which way an amount of that name counts: -1 for a loss however it is printed, 0 where nothing says."""
        if self.loss and not self.gain:
            return -1
        if self.gain or negative:
            return -1 if negative else 1
        return 0


@lru_cache(maxsize=4096)
def sense(text: str) -> Sense:
    """What the words of a label or claim say of gain and loss; an income tax is neither."""
    lower = tokens(text).lower
    pairs = list(zip(lower, (*lower[1:], ""), strict=True))
    gain = any(word in lists.words("reporting", "gain") and not after.startswith("tax") for word, after in pairs)
    return Sense(gain, not lists.words("reporting", "loss").isdisjoint(lower))


def part(text: str) -> tuple[int, int]:
    """The months of the part of a year that a claim or header tells, and which one; noughts where it tells none."""
    period = read_period(text)
    return (period.months, period.number) if period.is_part else (0, 0)


@lru_cache(maxsize=4096)
def times(text: str) -> tuple[Period, ...]:
    """The times of a header or label."""
    return periods(text)


def name(cell: Cell) -> str:
    """A cell by its row and column: "Net sales, 2022"."""
    return ", ".join(part for part in (cell.row_path[-1] if cell.row_path else "", " ".join(cell.column_path)) if part)


def printed(cell: Cell) -> str:
    """A cell's figure as a sentence tells it: "844.4 (in millions)"."""
    scale = _SCALES.get(cell.scale, f"times {cell.scale:,}")
    text = " ".join(cell.text.split())
    text = text + "%" if cell.unit == "percent" and "%" not in text else text
    return f"{text} ({scale})" if scale else text
