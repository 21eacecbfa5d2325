"""WiCE: claims of Wikipedia and the pages they cite. Source: Kamoi et al. 2023; LAB section B (full claims).

Rows: `claim`, `evidence` (the page's sentences, which are the segments), `label`, `supporting_sentences`
(alternative sets of positions in `evidence`), `meta.claim_context` (the words around the claim, which a language model
is told).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.pipeline.approaches import Retrieval
from citewell.types import Verdict
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.datasets.itg import Graph
from citewell_lab.bench.datasets.structure import Built
from citewell_lab.bench.items import Annotation, EvidenceItem, Item
from citewell_lab.bench.kinds.labelled import Labelled
from citewell_lab.bench.metrics.declared import EVIDENCE_F1_FIRST, EVIDENCE_F1_UNION

LABELS = {"supported": "supported", "partially_supported": "partially supported", "not_supported": "not supported"}


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a claim."""
    return files.rows(paths, _item)


def _item(key: str, row: dict[str, Any]) -> EvidenceItem:
    texts = row["evidence"]
    document, starts = files.passages(texts)
    sets = tuple(frozenset(map(int, numbers)) for numbers in row["supporting_sentences"])
    if any(not 0 <= position < len(texts) for numbers in sets for position in numbers):
        raise ValueError(f"supporting_sentences name positions beyond the {len(texts)} of evidence")
    return _evidence_item(key, row, Built(document, files.spans(texts, starts)), sets)


def _graph(key: str, graph: Graph, _: Path) -> Iterator[Item]:
    """A claim on a page; nodes name the set of evidence that they belong to."""
    sets = tuple(
        graph.evidence(lambda node, number=number: node.get("annotation_idx") == number)  # type: ignore[misc]
        for number in range(len(graph.meta["supporting_sentences"]))
    )
    yield _evidence_item(str(graph.meta.get("id", key)), graph.meta, graph.built, sets)


def _evidence_item(key: str, row: Mapping[str, Any], built: Built, sets: tuple[frozenset[int], ...]) -> EvidenceItem:
    # A page supports a claim in part or whole by the same sentences: one statement for both labels.
    claim = row["claim"]
    claims = {"supported": claim, "partially_supported": claim}
    annotations = (Annotation(files.known(row["label"], LABELS), sets or (frozenset(),)),)
    context = str(row.get("claim_context") or (row.get("meta") or {}).get("claim_context") or "").strip()
    framed = {"partially_supported": f'The claim "{claim}" is partially supported.'}
    return EvidenceItem(
        key,
        built.document,
        built.segments,
        claims,
        annotations,
        row["label"],
        claim,
        context=context,
        framed=framed,
        alternatives=True,
    )


def _decide(judged: Mapping[str, Verdict]) -> str | None:
    label = judged["supported"].label
    return None if label in ("no_claim", "unverified") else {"contradicted": "not_supported"}.get(label, label)


TASK = Labelled(
    name="wice",
    summary="is a claim supported by the page it cites, and by which sentences",
    tables=("lab-3-wice",),
    prompt="wice",
    retrieval=Retrieval("sbert", "bm25", "dragon", 5),
    labels=LABELS,
    decide=_decide,
    bare=frozenset(("not_supported",)),
    metrics=(*Labelled.metrics, EVIDENCE_F1_FIRST, EVIDENCE_F1_UNION),
    data=Dataset("wice", ("claim/{split}.jsonl", "wice_itg/claim-{split}.jsonl"), _load, graph=_graph),
)
