"""The unit that labels and headers give to the figures of a table: percent, amounts per share, counts, a currency."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from citewell.facts.tables.scales import without_exceptions
from citewell.facts.tables.wording import says
from citewell.facts.units import SCALE_BEHIND, currency_before, lexicon
from citewell.text.figures import is_measured
from citewell.text.spans import cut
from citewell.types import Cell, Slot, Table

_AMOUNTS = re.compile(
    r"\([^()]{0,40}[$€£¥] ?\d[^()]{0,80}\)|(?:[$€£¥] ?)?\d[\d,.]{0,12} per \w+"
)  # that labels state: "($4.45 per share)"
CURRENCIES = (("US$", "USD"), ("$", "USD"), ("€", "EUR"), ("£", "GBP"), ("¥", "JPY"), ("₹", "INR"))


_DOLLARS = {"Canadian": "CAD", "Australian": "AUD", "New Zealand": "NZD", "Hong Kong": "HKD", "Singapore": "SGD"}
_REPORTED = re.compile(  # in which dollars a document reports
    r"\b(?:(?:presentation|reporting) currency|(?:amounts|figures|statements|report)\b[^.|\n]{0,80}?"
    r"\b(?:are|expressed|presented|stated|reported|prepared)|\((?:expressed|stated|presented|in))\b"
    rf"[^.|\n]{{0,60}}?\b({'|'.join(_DOLLARS)}) dollars?\b",
    re.IGNORECASE,
)


_LAST_ASIDE = re.compile(r"\s*\([^()]*\)\W*$")
_AMERICAN = re.compile(r"\bUSD?\b(?! [A-Z])|\bUS ?\$|\bU\.S\. (?:dollars?\b|\$)")
_BESIDE = 30  # characters around a stated scale: "(in thousands of U.S. dollars)"


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
    lower = _AMOUNTS.sub(" ", "; ".join(map(without_exceptions, path)).lower())
    percent, per_share, shares, counted, counts_shares = (
        says(name).search(lower) is not None for name in ("percent", "per_share", "shares", "counted", "counts_shares")
    )
    shares &= not says("par").search(lower)  # the shares of a capital tell what it is, not its unit
    signs = " ".join(sign for sign, _ in CURRENCIES if sign in lower.upper())
    currency = next(filter(None, map(_currency_of, reversed(path))), "")
    return Units(percent, per_share, shares, counted, counts_shares, signs, currency)


@lru_cache(maxsize=4096)
def _currency_of(label: str) -> str:
    """The currency that ends a label, if an aside stands behind it: "RMB (Unaudited)"."""
    return currency_at_end(label) or currency_at_end(_LAST_ASIDE.sub("", label))


def currency_at_end(label: str) -> str:
    """The code of the currency in which a label ends, with a scale behind it or without; empty where in none."""
    match = currency_before(rf"(?:{SCALE_BEHIND})?\)?$").search(label)
    if match:
        return lexicon().before[match["sign"]]
    name = label.lower().strip("() ")
    word = lexicon().words.get(name) if " " in name or name.endswith("s") else None  # "Real" is no currency
    return word.currency if word and word.factor == 1 else ""


def percents(filled: Mapping[tuple[int, int], Slot], text: str, labels: int) -> frozenset[tuple[int, int]]:
    """The places of figures between two with a sign of percent in a column, none of which has another sign."""
    columns: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for (row, column), slot in sorted(filled.items()):
        if column >= labels and is_measured(figure := cut(text, slot)):
            columns[column].append((row, figure))
    result: set[tuple[int, int]] = set()
    for column, figures in columns.items():
        signed = [place for place, (_, figure) in enumerate(figures) if "%" in figure]
        for first, last in pairwise(signed):
            between = figures[first + 1 : last]
            if not any(sign in figure for _, figure in between for sign, _ in CURRENCIES):
                result |= {(row, column) for row, _ in between}
    return frozenset(result)


def in_dollars_of(text: str, tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables, with "$" as the currency in which the document says that it reports."""
    reported = _REPORTED.search(text) if any(cell.unit == "USD" for table in tables for cell in table.cells) else None
    if reported is None:
        return tuple(tables)
    code = _DOLLARS[reported[1].title()]

    def bare(cell: Cell) -> bool:
        stated = text[max(0, cell.scale_at.start - _BESIDE) : cell.scale_at.end + _BESIDE] if cell.scale_at else ""
        parts = (cell.text, *cell.row_path, *cell.column_path, stated)
        return cell.unit == "USD" and not any(map(_AMERICAN.search, parts))

    return tuple(
        replace(table, cells=tuple(replace(cell, unit=code) if bare(cell) else cell for cell in table.cells))
        for table in tables
    )
