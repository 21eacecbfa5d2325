"""Attributability of labelled claims: does the predicted evidence alone support the claim of the predicted label?

Evidence is the predicted segments in the order of the document, one a line, the title first (LAB, D.2); the claim is
the statement of the predicted label, for a model in the frame of that label (LAB, D.1). Labels that need no evidence
have no attributability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from citewell import registry
from citewell.protocols import Pair
from citewell_lab.bench.items import EvidenceItem, Item
from citewell_lab.bench.kinds.base import reads_sentences
from citewell_lab.bench.kinds.questions import evidence_of
from citewell_lab.bench.records import Good


def attributability(
    found_records: Sequence[Good], items: Mapping[str, Item], checker: Any = "lexical"
) -> tuple[dict[str, float], list[str]]:
    """The probability of support for each record that needs evidence and does not say it itself, and what to tell.

    A prediction that needs evidence and has none gets 0.
    """
    pairs: list[tuple[str, Pair]] = []
    scores: dict[str, float] = {}
    framed = reads_sentences(checker)
    for record in found_records:
        item = items.get(record["id"])
        if not isinstance(item, EvidenceItem) or "annotated" not in record or "evidence" not in record:
            continue
        label = record["label"] or ""
        claim = (item.framed.get(label) if framed else None) or item.statements.get(label)
        if claim is None:
            continue
        evidence = evidence_of(item.document, [item.segments[number] for number in record["evidence"]])
        if evidence is None:
            scores[record["id"]] = 0.0
        else:
            pairs.append((record["id"], Pair(claim, (evidence,))))
    if not pairs:
        return scores, []
    judge = registry.build("checker", checker)
    verdicts = judge.check([pair for _, pair in pairs])
    broken = [key for (key, _), verdict in zip(pairs, verdicts, strict=True) if verdict.failed]
    scores |= {key: verdict.score for (key, _), verdict in zip(pairs, verdicts, strict=True) if not verdict.failed}
    name = registry.canonical("checker", checker) if isinstance(checker, str) else judge.name
    notes = [f"attributability of the predicted evidence is judged by the checker {name}"]
    if broken:
        notes.append(f"the checker failed on {len(broken)} items, which have no attributability")
    return scores, notes
