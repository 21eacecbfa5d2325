"""The package's lists of words, each read once."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def read(name: str) -> Any:
    """The JSON list of that name."""
    return json.loads(resources.files("citewell.facts").joinpath(f"data/{name}.json").read_text(encoding="utf-8"))
