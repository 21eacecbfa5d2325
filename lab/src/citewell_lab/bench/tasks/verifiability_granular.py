"""VERIFIABILITY-GRANULAR: spans of search engines' answers that were copied from web pages.

Rows: `question`, `summary` with marks `[ n text ]` (n is the 1-based position in `passages`), `chunk` (the one
statement of the answer that was annotated), `passages`. Source: Phukan et al. 2024, section 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citewell_lab.bench.datasets import files, marks
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.items import Item, SpanItem
from citewell_lab.bench.kinds.spans import Spans


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a statement."""
    return files.rows(paths, _item)


def _item(key: str, row: dict[str, Any]) -> SpanItem:
    return marks.item(key, row, dict(enumerate(row["passages"], start=1)), row["chunk"])


TASK = Spans(
    name="verifiability-granular",
    summary="which passage was a span of a search engine's answer copied from",
    tables=("hidden-states-1-verifiability-granular", "hidden-states-2-verifiability-granular"),
    data=Dataset("verifiability_granular", (*LINES, "verifiability_granular_{split}.jsonl"), _load),
)
