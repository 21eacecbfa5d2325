"""ContractNLI: statements about non-disclosure agreements. Source: Koreeda and Manning 2021; LAB sections B and D.

`{split}.json` has `documents` (text, sentence spans, `annotation_sets`) and `labels` (the statements). Segments are the
contract's lines, as in LAB; a sentence's evidence is every line it touches. The inverted statements, which are what
must hold for a contradiction, are written by us (`datasets/contract_nli.json`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from citewell.pipeline.approaches import Retrieval
from citewell.text.data import read_json
from citewell.types import Verdict
from citewell_lab.bench.datasets import files, itg
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.datasets.itg import Graph
from citewell_lab.bench.datasets.structure import Built, lines
from citewell_lab.bench.items import Annotation, Broken, EvidenceItem, Item
from citewell_lab.bench.kinds.labelled import Labelled

LABELS = {"Entailment": "entailment", "Contradiction": "contradiction", "NotMentioned": "not mentioned"}


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a contract and statement."""
    for path in paths:
        data = files.whole(path)
        for contract in data["documents"]:
            lined = lines(contract["text"])
            names = sorted(contract["annotation_sets"][0]["annotations"], key=lambda name: int(name.rpartition("-")[2]))
            for name in names:
                statement = data["labels"][name]["hypothesis"]
                key = f"{files.stem(path)}:{contract['id']}:{name}"
                yield files.attempt(key, _item, contract, name, statement, lined)


def _item(key: str, contract: dict[str, Any], name: str, statement: str, built: Built) -> EvidenceItem:
    text, spans = contract["text"], contract["spans"]
    annotations = []
    for annotation_set in contract["annotation_sets"]:
        annotation = annotation_set["annotations"][name]
        places = (files.trimmed(text, *spans[number]) for number in annotation["spans"])
        marked = frozenset[int]().union(*(files.covering(built.segments, *place) for place in places))
        annotations.append(_annotation(annotation["choice"], marked))
    return _evidence_item(key, name, statement, built, tuple(annotations))


def _graph(key: str, graph: Graph, path: Path) -> Iterator[Item]:
    """The statements about a contract, whose words ContractNLI's own file has."""
    statements = _hypotheses(path)
    for name, annotation in graph.meta["annotation_sets"][0]["annotations"].items():
        if name not in statements:
            why = "the statement is not there: put ContractNLI's own dev.json beside the graphs"
            yield Broken(f"{key}:{name}", why)
            continue
        marked = graph.evidence(lambda node, name=name: node.get("nda") == name)  # type: ignore[misc]
        yield _evidence_item(
            f"{key}:{name}", name, statements[name], graph.built, (_annotation(annotation["choice"], marked),)
        )


def _annotation(label: str, marked: frozenset[int]) -> Annotation:
    return Annotation(files.known(label, LABELS), (marked,))


def _evidence_item(
    key: str, name: str, statement: str, built: Built, annotations: tuple[Annotation, ...]
) -> EvidenceItem:
    inverted = read_json("citewell_lab.bench.datasets", "contract_nli.json")["inverted"]
    statements = {"Entailment": statement} | ({"Contradiction": inverted[name]} if name in inverted else {})
    return EvidenceItem(key, built.document, built.segments, statements, annotations, name, statement)


def _hypotheses(path: Path) -> Mapping[str, str]:
    """ContractNLI's statements, which its own files hold, from one beside the graphs or above them."""
    for folder in (path.parent, path.parent.parent):
        for other in sorted(folder.glob("*.json")):
            if other != path and not itg.is_graph(other) and (statements := _stated(other, other.stat().st_mtime_ns)):
                return statements
    return {}


@lru_cache(maxsize=8)
def _stated(path: Path, _: int) -> Mapping[str, str]:
    """The statements of a file as it is at a time; none where it is another's."""
    data = files.whole(path)
    labels = data.get("labels") if isinstance(data, dict) else None
    return {name: hypothesis["hypothesis"] for name, hypothesis in labels.items()} if isinstance(labels, dict) else {}


def _decide(judged: Mapping[str, Verdict]) -> str | None:
    """The statement where it is supported, else its inversion, else what the checker says of the statement."""
    best = next((name for name in ("Entailment", "Contradiction") if judged[name].label == "supported"), None)
    if best:
        return best
    return "Contradiction" if judged["Entailment"].label == "contradicted" else "NotMentioned"


TASK = Labelled(
    name="contract-nli",
    siblings=1,
    summary="does a contract entail a statement, and by which lines",
    tables=("lab-3-contract-nli",),
    prompt="contract-nli",
    retrieval=Retrieval("gtr", "dragon", "gtr"),
    labels=LABELS,
    decide=_decide,
    bare=frozenset(("NotMentioned",)),
    data=Dataset("contractnli", ("{split}.json", "contract_nli_itg/contract-{split}-nl*.jsonl"), _load, graph=_graph),
)
