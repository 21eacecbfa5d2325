"""The papers' own figures, as data: one file a paper."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

PAPERS = ("hidden_states", "adiosaa", "lfqa", "lab")


@cache
def figures(paper: str) -> Mapping[str, Any]:
    """Everything that is known of a paper: its `tables`, and what its own analyses set beside theirs."""
    text = resources.files(f"citewell.papers.{paper}").joinpath("published.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data


def published() -> tuple[Mapping[str, Any], ...]:
    """The tables of all papers."""
    return tuple(table for paper in PAPERS for table in figures(paper)["tables"])
