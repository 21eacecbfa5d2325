"""FEVER in the ERASER form (DeYoung et al. 2020): a claim, its Wikipedia page, two labels, sentences as evidence.

Rows: `query`, `classification`, `evidences` (alternative groups; a sentence is one line of the page), `docids`; the
pages are rows of `docs.jsonl` beside them, or files of a folder `docs`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.types import Span, Verdict
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.datasets.structure import lines
from citewell_lab.bench.items import Annotation, EvidenceItem, Item
from citewell_lab.bench.kinds.labelled import Labelled

LABELS = {"SUPPORTS": "supported", "REFUTES": "refuted"}


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a claim; a page that does not lie there makes a counted failure."""
    pages: dict[str, tuple[Document, tuple[Span, ...]]] = {}
    texts = _texts(paths[0].parent)

    def make(key: str, row: dict[str, Any]) -> EvidenceItem:
        names = {evidence["docid"] for group in row["evidences"] for evidence in group} or set(row.get("docids") or ())
        if len(names) != 1:
            raise ValueError(f"the evidence stands on {len(names)} pages, not on one")
        (name,) = names
        if name not in texts:
            raise ValueError(f"the page {name!r} does not lie in the data")
        if name not in pages:
            pages[name] = lines(texts[name])
        document, segments = pages[name]
        sets = tuple(
            frozenset(i for evidence in group for i in range(evidence["start_sentence"], evidence["end_sentence"]))
            for group in row["evidences"]
        )
        annotation = Annotation(files.known(row["classification"], LABELS), sets)
        return EvidenceItem(key, document, segments, {"SUPPORTS": row["query"]}, (annotation,), row["classification"])

    return files.rows(paths, make)


def _texts(folder: Path) -> dict[str, str]:
    """The text of every page that lies there."""
    if (folder / "docs").is_dir():
        return {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "docs").iterdir())}
    texts: dict[str, str] = {}
    with files.opened(folder / "docs.jsonl") as rows:
        for line in rows:
            row = json.loads(line)
            texts[row["docid"]] = row["text"]
    return texts


def _decide(judged: Mapping[str, Verdict]) -> str | None:
    """Two classes: what is not more probable than not is refuted."""
    verdict = judged["SUPPORTS"]
    return "SUPPORTS" if verdict.label != "contradicted" and verdict.score >= 0.5 else "REFUTES"


TASK = Labelled(
    name="fever",
    summary="does a Wikipedia page support a claim, and by which sentences",
    labels=LABELS,
    decide=_decide,
    evidence_of={"REFUTES": "SUPPORTS"},
    data=Dataset("fever", LINES, _load, companions=("docs.jsonl",), exclude=("docs.jsonl",)),
)
