"""The package's lists of words, each read once."""

from __future__ import annotations

from typing import Any

from citewell.text.data import read_json


def read(name: str) -> Any:
    """The JSON list of that name."""
    return read_json("citewell.facts", f"data/{name}.json")
