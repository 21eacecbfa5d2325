"""SciFact: claims and abstracts, three labels. Source: Wadden et al. 2020; rows `claim`, `evidence`, `label`.

The copy that is read pairs each claim with the text of its abstract and marks no sentences, so evidence is not scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.types import Span, Verdict
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.items import Annotation, EvidenceItem, Item
from citewell_lab.bench.kinds.labelled import Labelled

LABELS = {"SUPPORTS": "supported", "REFUTES": "refuted", "NOT_ENOUGH_INFO": "not enough information"}


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a claim."""
    return files.rows(paths, _item)


def _item(key: str, row: dict[str, Any]) -> EvidenceItem:
    label = str(row["label"]).replace(" ", "_").upper()
    if label not in LABELS:
        raise ValueError(f"label {row['label']!r} is none of {', '.join(LABELS)}")
    document = Document.from_text(row["evidence"])
    segments = tuple(Span(segment.start, segment.end) for segment in document.segments("sentence"))
    return EvidenceItem(key, document, segments, {"SUPPORTS": row["claim"]}, (Annotation(label, ()),), label)


def _decide(judged: Mapping[str, Verdict]) -> str | None:
    label = judged["SUPPORTS"].label
    if label in ("no_claim", "unverified"):
        return None
    return {"supported": "SUPPORTS", "contradicted": "REFUTES"}.get(label, "NOT_ENOUGH_INFO")


TASK = Labelled(
    name="scifact",
    summary="does an abstract support a scientific claim",
    labels=LABELS,
    decide=_decide,
    evidence_of={"REFUTES": "SUPPORTS"},
    bare=frozenset(("NOT_ENOUGH_INFO",)),
    data=Dataset("scifact", LINES, _load),
)
