"""ContractNLI: statements about non-disclosure agreements. Source: Koreeda and Manning 2021; LAB sections B and D.

`{split}.json` has `documents` (text, sentence spans, `annotation_sets`) and `labels` (the statements). Segments are the
contract's lines, as in LAB; a sentence's evidence is every line it touches. The inverted statements, which are what
must hold for a contradiction, are written by us.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citewell.bench.datasets import files
from citewell.bench.datasets.fever import lines
from citewell.bench.items import Annotation, EvidenceItem, Item

LABELS = ("Entailment", "Contradiction", "NotMentioned")

INVERTED = {
    "nda-1": "Confidential Information does not have to be expressly identified by the Disclosing Party.",
    "nda-2": "Confidential Information may also include non-technical information.",
    "nda-3": "Verbally conveyed information is not Confidential Information.",
    "nda-4": "Receiving Party may use Confidential Information for purposes that are not stated in Agreement.",
    "nda-5": "Receiving Party shall not share any Confidential Information with Receiving Party's employees.",
    "nda-7": "Receiving Party shall not share any Confidential Information with third parties, such as consultants, "
    "agents or professional advisors.",
    "nda-8": "Receiving Party does not have to notify Disclosing Party when law, regulation or judicial process "
    "requires it to disclose Confidential Information.",
    "nda-10": "Receiving Party may disclose the fact that Agreement was agreed or negotiated.",
    "nda-11": "Receiving Party may reverse engineer objects which embody Disclosing Party's Confidential Information.",
    "nda-12": "Receiving Party shall not independently develop information similar to Confidential Information.",
    "nda-13": "Receiving Party shall not acquire information similar to Confidential Information from a third party.",
    "nda-15": "Agreement grants Receiving Party a right to Confidential Information.",
    "nda-16": "Receiving Party does not have to destroy or return Confidential Information upon the termination of "
    "Agreement.",
    "nda-17": "Receiving Party shall not create a copy of Confidential Information in any circumstances.",
    "nda-18": "Receiving Party may solicit Disclosing Party's representatives.",
    "nda-19": "No obligation of Agreement survives termination of Agreement.",
    "nda-20": "Receiving Party shall not retain any Confidential Information after the return or destruction of "
    "Confidential Information.",
}


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a contract and statement."""
    for path in paths:
        data = files.whole(path)
        for contract in data["documents"]:
            lined = lines(contract["text"])
            names = sorted(contract["annotation_sets"][0]["annotations"], key=lambda name: int(name.rpartition("-")[2]))
            for name in names:
                statement = data["labels"][name]["hypothesis"]
                key = f"{files.stem(path)}:{contract['id']}:{name}"
                item = files.attempt(key, _item, contract, name, statement, lined)
                if item is not None:
                    yield item


def _item(key: str, contract: dict[str, Any], name: str, statement: str, lined: Any) -> EvidenceItem:
    document, segments = lined
    text, spans = contract["text"], contract["spans"]
    annotations = []
    for one in contract["annotation_sets"]:
        found = one["annotations"][name]
        if found["choice"] not in LABELS:
            raise ValueError(f"label {found['choice']!r} is none of {', '.join(LABELS)}")
        marked: set[int] = set()
        for number in found["spans"]:
            start, end = spans[number]
            inside = text[start:end]
            start += len(inside) - len(inside.lstrip())
            marked |= files.covering(segments, start, start + len(inside.strip()))
        annotations.append(Annotation(found["choice"], (frozenset(marked),)))
    statements = {"Entailment": statement}
    if name in INVERTED:
        statements["Contradiction"] = INVERTED[name]
    return EvidenceItem(key, document, segments, statements, tuple(annotations), name, statement)
