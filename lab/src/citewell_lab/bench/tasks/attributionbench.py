"""AttributionBench: claims and references with people's verdicts, gathered from four sources. Source: Li et al. 2024.

Rows: `claim`, `references`, `attribution_label` (`attributable` or `not attributable`), `src_dataset`. Its LFQA part
is SALAD; the groups keep it apart. A claim whose references are empty is judged as unsupported, whoever judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.items import ClaimItem, Item
from citewell_lab.bench.kinds.claims import Claims

LABELS = ("not attributable", "attributable")


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a claim."""
    return files.rows(paths, _item)


def _item(key: str, row: dict[str, Any]) -> ClaimItem:
    documents = tuple(Document.from_text(text) for text in row["references"] if text.strip())
    supported = files.known(row["attribution_label"], LABELS) == LABELS[1]
    return ClaimItem(key, row["claim"], documents, supported, (), row["src_dataset"])


TASK = Claims(
    name="attributionbench",
    summary="are claims attributable to their references",
    apart="LFQA",
    data=Dataset("attributionbench", LINES, _load),
)
