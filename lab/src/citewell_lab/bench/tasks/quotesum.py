"""QuoteSum: answers woven from spans of several sources. Source: Schuster et al. 2023; Phukan et al. 2024, section 5.1.

Rows: `question`, `summary` with marks `[ n text ]` where n is the number of `sourceN`, `titleN`, `sourceN`; sources
that are empty keep their number. A passage is the title and the source, as the papers' prompts show them.
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
    """One item an answer."""
    return files.rows(paths, _item)


def _item(key: str, row: dict[str, Any]) -> SpanItem:
    numbers = (n for n in range(1, 100) if str(row.get(f"source{n}") or "").strip())
    return marks.item(key, row, {n: f"{row.get(f'title{n}') or ''}\n{row[f'source{n}']}".strip() for n in numbers})


TASK = Spans(
    name="quotesum",
    summary="which source was a span of a woven answer copied from",
    tables=("hidden-states-1-quotesum", "hidden-states-2-quotesum"),
    data=Dataset("quotesum", ("v1/{split}.jsonl", *LINES), _load),
)
