"""WiCE: claims of Wikipedia and the pages they cite. Source: Kamoi et al. 2023; LAB section B (full claims).

Rows: `claim`, `evidence` (the page's sentences, which are the segments), `label`, `supporting_sentences`
(alternative sets of positions in `evidence`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citewell.bench.datasets import files
from citewell.bench.items import Annotation, EvidenceItem, Item

LABELS = ("supported", "partially_supported", "not_supported")


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a claim."""
    return files.rows(paths, _item)


def _item(key: str, row: dict[str, Any]) -> EvidenceItem:
    texts = row["evidence"]
    document, starts = files.passages(texts)
    sets = tuple(frozenset(map(int, one)) for one in row["supporting_sentences"])
    if row["label"] not in LABELS:
        raise ValueError(f"label {row['label']!r} is none of {', '.join(LABELS)}")
    if any(not 0 <= position < len(texts) for one in sets for position in one):
        raise ValueError(f"supporting_sentences name positions beyond the {len(texts)} of evidence")
    return EvidenceItem(
        key,
        document,
        files.spans(texts, starts),
        # A page supports a claim in part or whole by the same sentences: one statement for both labels.
        {"supported": row["claim"], "partially_supported": row["claim"]},
        (Annotation(row["label"], sets or (frozenset(),)),),
        row["label"],
        row["claim"],
    )
