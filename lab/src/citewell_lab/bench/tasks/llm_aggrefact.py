"""LLM-AggreFact: claims of language models and the documents that should support them, from eleven sets.

Source: Tang et al. 2024 (MiniCheck). Rows: `dataset`, `doc`, `claim`, `label` (1 where the document supports the
claim, else 0), in Parquet as the hub publishes them (`data/dev-*.parquet`), or as lines of JSON. The groups are the
eleven sets, and the figure of the leaderboard is the mean of their balanced accuracies, each set counted once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.items import ClaimItem, Item
from citewell_lab.bench.kinds.base import Scores
from citewell_lab.bench.kinds.claims import Claims
from citewell_lab.bench.metrics.declared import (
    ACCURACY,
    AUC,
    BALANCED_ACCURACY,
    MACRO_F1,
    MEAN_BALANCED_ACCURACY,
    Metric,
)
from citewell_lab.bench.records import ClaimRecord


@dataclass(frozen=True, kw_only=True)
class ClaimsOfSets(Claims):
    """Claims of several sets, each of which counts as much as another."""

    metrics: tuple[Metric, ...] = (MEAN_BALANCED_ACCURACY, MACRO_F1, BALANCED_ACCURACY, ACCURACY, AUC)
    headline: tuple[Metric, ...] = (MEAN_BALANCED_ACCURACY, BALANCED_ACCURACY)

    def score(self, records: Sequence[ClaimRecord]) -> Scores:
        """Figures over all claims and of each set, and the mean over the sets."""
        scores = super().score(records)
        values = [float(group[str(BALANCED_ACCURACY)]) for group in scores.by_group.values()]
        mean = {str(MEAN_BALANCED_ACCURACY): sum(values) / len(values)} if values else {}
        return replace(scores, metrics={**mean, **scores.metrics})


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a claim."""
    return files.rows(paths, _item)


def _item(key: str, row: dict[str, Any]) -> ClaimItem:
    if row["label"] not in (0, 1):
        raise ValueError(f"label {row['label']!r} is neither 0 nor 1")
    documents = (Document.from_text(row["doc"]),) if row["doc"].strip() else ()
    return ClaimItem(key, row["claim"], documents, row["label"] == 1, (), row["dataset"])


TASK = ClaimsOfSets(
    name="llm-aggrefact",
    summary="do documents support the claims of language models, over eleven sets",
    tables=("llm-aggrefact",),
    data=Dataset("llm_aggrefact", ("data/{split}-*.parquet", "{split}-*.parquet", *LINES), _load),
)
