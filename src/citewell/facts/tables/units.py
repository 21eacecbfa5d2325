"""The unit that labels and headers give to the figures of a table: percent, amounts per share, counts, a currency."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from citewell.facts.tables.scales import without_exceptions
from citewell.facts.tables.wording import says
from citewell.facts.units import SCALE_BEHIND, currency_before, lexicon

CURRENCIES = (("US$", "USD"), ("$", "USD"), ("€", "EUR"), ("£", "GBP"), ("¥", "JPY"), ("₹", "INR"))


class Units(NamedTuple):
    """What labels or headers say of the unit of their figures; `signs` are those of currencies."""

    percent: bool
    per_share: bool
    shares: bool
    counted: bool
    counts_shares: bool  # "weighted-average shares used to compute net income per share"
    signs: str
    currency: str  # the code of the one that ends a label: "2023 £'000", "2023 (RM)", "US$ million"


@lru_cache(maxsize=4096)
def units_of(path: tuple[str, ...]) -> Units:
    """What a path of labels or headers says of the unit, without what its scale does not hold for."""
    lower = " ".join(map(without_exceptions, path)).lower()
    percent, per_share, shares, counted, counts_shares = (
        says(name).search(lower) is not None for name in ("percent", "per_share", "shares", "counted", "counts_shares")
    )
    shares &= not says("par").search(lower)  # the shares of a capital tell what it is, not its unit
    signs = " ".join(sign for sign, _ in CURRENCIES if sign in lower.upper())
    currency = next(filter(None, map(currency_at_end, reversed(path))), "")
    return Units(percent, per_share, shares, counted, counts_shares, signs, currency)


@lru_cache(maxsize=4096)
def currency_at_end(label: str) -> str:
    """The code of the currency in which a label ends, with a scale behind it or without; empty where in none."""
    match = currency_before(rf"(?:{SCALE_BEHIND})?\)?$").search(label)
    if match:
        return lexicon().before[match["sign"]]
    name = label.lower().strip("() ")
    word = lexicon().words.get(name) if " " in name or name.endswith("s") else None  # "Real" is no currency
    return word.currency if word and word.factor == 1 else ""
