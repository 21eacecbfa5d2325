"""The package's word lists, each read once."""

from __future__ import annotations

from functools import cache
from typing import Any

from citewell.text.data import read_json


def read(name: str) -> Any:
    """The JSON list of that name."""
    return read_json("citewell.facts", f"data/{name}.json")


@cache
def words(name: str, key: str) -> frozenset[str]:
    """Words that stand in such a list under a key, as a string with spaces between them."""
    return frozenset(read(name)[key].split())
