"""Words that distinguish statements, shares, percentages and totals, from `statements.json`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from citewell.text.data import read_json

_PACKAGE, _NAME = "citewell.facts.tables", "statements.json"


@cache
def titles() -> dict[str, re.Pattern[str]]:
    """What a statement of each kind is called, the more special first."""
    return {kind: re.compile(pattern) for kind, pattern in read_json(_PACKAGE, _NAME)["titles"].items()}


@cache
def rows() -> dict[str, tuple[re.Pattern[str], ...]]:
    """Labels of which a statement of each kind has all."""
    return {kind: tuple(map(re.compile, patterns)) for kind, patterns in read_json(_PACKAGE, _NAME)["rows"].items()}


@cache
def says(name: str) -> re.Pattern[str]:
    """One of the file's word lists, by its name: "per_share", "shares", "percent", "total"."""
    return re.compile(read_json(_PACKAGE, _NAME)["lists"][name])


def called(texts: Sequence[str]) -> str:
    """The kind of a statement that is called by its name."""
    return next((kind for part in texts for kind, name in titles().items() if name.search(part.lower())), "")


def kind_of(named: Sequence[str], labels: str) -> str:
    """The kind of a statement: by its rows where they tell, else by its name."""
    by_rows = next((kind for kind, signs in rows().items() if all(sign.search(labels) for sign in signs)), "")
    by_name = called(named)
    if by_name == "comprehensive" and by_rows == "income":
        return by_rows  # one statement of both
    return by_name if by_name in ("equity", "comprehensive") and by_rows != "balance" else by_rows or by_name
