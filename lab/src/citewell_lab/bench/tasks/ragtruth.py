"""RAGTruth: responses of language models to given sources, with spans that the sources do not support.

Source: Niu et al. 2024. `response.jsonl` has `id`, `source_id`, `response`, `labels` (marked spans), `split`, and
`source_info.jsonl` has `source_id`, `task_type` (QA, Summary, Data2txt) and `source_info`: a text, the passages of a
question, or the data of a business. A response with any marked span is hallucinated, which is the class whose
precision, recall and F1 count (the paper's detection of responses); the groups are the three kinds of source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.errors import InputError
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.items import Broken, ClaimItem, Item
from citewell_lab.bench.kinds.base import Scores, grouped
from citewell_lab.bench.kinds.claims import Claims, gold, predicted
from citewell_lab.bench.metrics import labels
from citewell_lab.bench.metrics.declared import (
    ACCURACY,
    AUC,
    BALANCED_ACCURACY,
    HALLUCINATION_F1,
    HALLUCINATION_PRECISION,
    HALLUCINATION_RECALL,
    MACRO_F1,
    Metric,
)
from citewell_lab.bench.records import ClaimRecord


@dataclass(frozen=True, kw_only=True)
class Responses(Claims):
    """Responses as claims, where what is sought is the unsupported ones."""

    metrics: tuple[Metric, ...] = (
        HALLUCINATION_F1,
        HALLUCINATION_PRECISION,
        HALLUCINATION_RECALL,
        MACRO_F1,
        BALANCED_ACCURACY,
        ACCURACY,
        AUC,
    )
    headline: tuple[Metric, ...] = (HALLUCINATION_F1, BALANCED_ACCURACY)

    def score(self, records: Sequence[ClaimRecord]) -> Scores:
        """Figures over all responses together and of each kind of source."""
        scores = super().score(records)
        groups = {name: {**scores.by_group[name], **_hallucinated(rows)} for name, rows in grouped(records).items()}
        metrics = {**_hallucinated(records), **scores.metrics} if records else {}
        return replace(scores, metrics=metrics, by_group=groups)


def _hallucinated(records: Sequence[ClaimRecord]) -> dict[str, float]:
    """Precision, recall and F1 of the class that is not supported."""
    unsupported = labels.counts(gold(records), predicted(records), label=False)
    return {
        str(HALLUCINATION_F1): unsupported.f1,
        str(HALLUCINATION_PRECISION): unsupported.precision,
        str(HALLUCINATION_RECALL): unsupported.recall,
    }


def _load(paths: Sequence[Path], split: str = "all") -> Iterator[Item]:
    """One item a response of a split, which each row names.

    Raises:
        InputError: no row is of the split; the text names the splits that there are.
    """
    (path,) = paths
    sources = {
        str(row["source_id"]): row
        for _, row in files.parsed(path.with_name("source_info.jsonl"))
        if not isinstance(row, Broken)
    }

    there = set[str]()

    def make(key: str, row: dict[str, Any]) -> ClaimItem | None:
        there.add(row["split"])
        if split not in ("all", row["split"]):
            return None
        source = sources.get(str(row["source_id"]))
        if source is None:
            raise ValueError(f"source {row['source_id']!r} does not lie in source_info.jsonl")
        document = Document.from_text(_text(source["source_info"]))
        return ClaimItem(key, row["response"], (document,), not row["labels"], (), source["task_type"])

    yield from files.rows(paths, make)
    if split != "all" and split not in there:
        raise InputError(f"no split {split!r} in {path}; it has {', '.join(sorted(there))}")


def _text(information: str | dict[str, Any]) -> str:
    """What the response was to keep to: a text, the passages of a question, or data as JSON."""
    if isinstance(information, str):
        return information
    return str(information["passages"]) if "passages" in information else json.dumps(information, indent=1)


TASK = Responses(
    name="ragtruth",
    summary="are responses to given sources free of hallucination",
    tables=("ragtruth-5",),
    data=Dataset("ragtruth", ("response.jsonl",), _load, companions=("source_info.jsonl",), part=_load),
)
