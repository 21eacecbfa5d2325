"""The papers' own figures as data: one file per paper, and one for the sets used for comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from citewell.text.data import read_json
from citewell_lab.bench.tasks import names, task

PAPERS = ("hidden_states", "adiosaa", "lfqa", "lab", "field")


def figures(paper: str) -> Mapping[str, Any]:
    """Everything that is known of a paper: its `tables`, and what its own analyses set beside theirs."""
    known: Mapping[str, Any] = read_json(f"citewell_lab.papers.{paper}", "published.json")
    return known


@cache
def published() -> tuple[Mapping[str, Any], ...]:
    """The tables of all papers, each with the `task` that names it, if one does."""
    owners = {table: name for name in names() for table in task(name).tables}
    tables = (table for paper in PAPERS for table in figures(paper)["tables"])
    return tuple({**table, "task": owners.get(table["id"])} for table in tables)
