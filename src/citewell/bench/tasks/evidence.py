"""LAB's classification tasks and fact checking: which label, and which segments show it.

The label comes from the checker over the whole document, the evidence from the attributor, whose query is the claim
of the predicted label (LAB, section 4.4 and tables 16 and 24); labels that need no evidence get none. With several
annotators the gold label is the one that fits the prediction best, the evidence is scored against that annotation's.
`evidence_f1_gold_label` asks the attributor with the gold label instead: how good the evidence alone is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell.bench.datasets import contract_nli, evidence_inference, fever, scifact, wice
from citewell.bench.items import Annotation, EvidenceItem, Item
from citewell.bench.metrics import labels
from citewell.bench.metrics.evidence import best_set_f1
from citewell.bench.tasks import labelled
from citewell.bench.tasks.base import DIGITS, Backends, Record, Scores, grouped, mean, position, verdicts
from citewell.protocols import Attributor, Pair
from citewell.types import Draft, Span, Verdict

Decide = Callable[[Mapping[str, Verdict]], str | None]


@dataclass(frozen=True)
class Evidence:
    """A label and evidence for a claim over one document.

    Attributes:
        labels: the classes of the macro F1.
        decide: the label from the verdicts on the item's statements; None where they name none.
        k: how many segments are asked for.
    """

    name: str
    summary: str
    labels: tuple[str, ...]
    decide: Decide
    k: int = 2
    needs: ClassVar[tuple[str, ...]] = ("checker", "attributor")
    asked: ClassVar[bool] = True  # an approach with a language model may take the place of both
    main: ClassVar[str] = "label_accuracy"

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """Labels of the whole batch at once, then evidence item by item; of an approach both as they come."""
        found = [item for item in items if isinstance(item, EvidenceItem)]
        if backends.approach is not None:
            yield from labelled.predict(found, backends, self.name, self.labels, self.k)
            return
        asked = [(item, claim) for item in found for claim in dict.fromkeys(item.statements.values())]
        judged = verdicts(backends, [Pair(claim, (item.document,)) for item, claim in asked])
        by_item: dict[str, dict[str, Verdict]] = {item.id: {} for item in found}
        for (item, claim), verdict in zip(asked, judged, strict=True):
            by_item[item.id][claim] = verdict
        for item in found:
            yield self._record(item, by_item[item.id], backends.attribute())

    def _record(self, item: EvidenceItem, by_claim: Mapping[str, Verdict], attributor: Attributor) -> Record:
        judged = {label: by_claim[claim] for label, claim in item.statements.items()}
        failed = next((verdict.failed for verdict in judged.values() if verdict.failed), None)
        if failed:
            return {"id": item.id, "group": item.group, "failed": failed}
        label = self.decide(judged)
        asked: dict[str, frozenset[int]] = {}

        def evidence(wanted: str | None) -> frozenset[int]:
            claim = self._query(item, wanted)
            if claim is None:
                return frozenset()
            if claim not in asked:
                asked[claim] = self._evidence(item, claim, attributor)
            return asked[claim]

        marked = any(one.sets for one in item.annotations)
        predicted = evidence(label) if marked else frozenset()
        fit = max(item.annotations, key=lambda one: (one.label == label, best_set_f1(predicted, one.sets)))
        agreed = Counter(one.label for one in item.annotations).most_common(1)[0][0]
        given = evidence(agreed) if marked else frozenset()
        record: Record = {
            "id": item.id,
            "group": item.group,
            "gold": fit.label,
            "annotated": [one.label for one in item.annotations],
            "label": label,
            "scores": {name: round(verdict.score, DIGITS) for name, verdict in judged.items()},
        }
        if marked:
            record |= {
                "evidence": sorted(predicted),
                "evidence_f1": round(best_set_f1(predicted, fit.sets), DIGITS),
                "evidence_gold_label": sorted(given),
                "evidence_f1_gold_label": round(_best(given, agreed, item.annotations), DIGITS),
            }
        return {**record, "value": float(label == fit.label)}

    def _query(self, item: EvidenceItem, label: str | None) -> str | None:
        """The claim whose evidence is sought for a label, None where the label needs none."""
        if label is None or label in item.statements:
            return item.statements.get(label or "")
        # FEVER's and SciFact's refuted claims have evidence too: the sentences that speak of the claim.
        return item.statements["SUPPORTS"] if label == "REFUTES" else None

    def _evidence(self, item: EvidenceItem, claim: str, attributor: Attributor) -> frozenset[int]:
        whole = (Span(0, len(claim)),)
        citations = attributor.attribute(Draft(claim, None, whole, whole), [item.document], "paragraph", self.k)
        where = dict.fromkeys(position(item.segments, citation) for citation in citations)
        return frozenset([one for one in where if one is not None][: self.k])

    def score(self, records: Sequence[Record]) -> Scores:
        """Macro F1 and accuracy of labels, mean F1 of evidence; groups are the gold labels or the statements."""
        if not records:
            return Scores({})
        metrics, unscored = self._figures(records), {}
        if not any("evidence_f1" in record for record in records):
            unscored = dict.fromkeys(("evidence_f1", "evidence_f1_gold_label"), "the data marks no evidence")
        groups: dict[str, dict[str, float]] = {}
        for name, rows in grouped(records).items():
            figures = self._figures(rows)
            if name in self.labels:
                del figures["label_macro_f1"]  # there is one gold class in such a group
            groups[name] = {"n": len(rows), **figures}
        return Scores(metrics, groups, sum(record["label"] is None for record in records), unscored)

    def _figures(self, records: Sequence[Record]) -> dict[str, float]:
        gold, predicted = [one["gold"] for one in records], [one["label"] for one in records]
        figures = {
            "label_macro_f1": labels.macro_f1(gold, predicted, self.labels),
            "label_accuracy": labels.accuracy(gold, predicted),
        }
        marked = [record for record in records if "evidence_f1" in record]
        if marked:
            figures["evidence_f1"] = mean([one["evidence_f1"] for one in marked])
            if "evidence_f1_gold_label" in marked[0]:  # a language model is asked once, without the gold label
                figures["evidence_f1_gold_label"] = mean([one["evidence_f1_gold_label"] for one in marked])
        return figures


def _best(predicted: frozenset[int], label: str, annotations: Sequence[Annotation]) -> float:
    return max(best_set_f1(predicted, one.sets) for one in annotations if one.label == label)


def _wice(judged: Mapping[str, Verdict]) -> str | None:
    label = judged["supported"].label
    return None if label == "no_claim" else {"contradicted": "not_supported"}.get(label, label)


def _contract(judged: Mapping[str, Verdict]) -> str | None:
    """The statement or its inversion, whichever is the more probable, where one is more probable than not."""
    best = max(judged, key=lambda name: judged[name].score)
    if judged[best].score >= 0.5:
        return best
    return "Contradiction" if judged["Entailment"].label == "contradicted" else "NotMentioned"


def _trial(judged: Mapping[str, Verdict]) -> str | None:
    """The most probable of the three claims: a prompt always has an answer."""
    return max(judged, key=lambda name: judged[name].score)


def _scifact(judged: Mapping[str, Verdict]) -> str | None:
    label = judged["SUPPORTS"].label
    return {"supported": "SUPPORTS", "contradicted": "REFUTES", "no_claim": None}.get(label, "NOT_ENOUGH_INFO")


def _fever(judged: Mapping[str, Verdict]) -> str | None:
    """Two classes: what is not more probable than not is refuted."""
    verdict = judged["SUPPORTS"]
    return "SUPPORTS" if verdict.label != "contradicted" and verdict.score >= 0.5 else "REFUTES"


TASKS = (
    Evidence("wice", "is a claim supported by the page it cites, and by which sentences", wice.LABELS, _wice, k=5),
    Evidence("contract-nli", "does a contract entail a statement, and by which lines", contract_nli.LABELS, _contract),
    Evidence(
        "evidence-inference",
        "what does a trial say of an intervention, and in which paragraph",
        evidence_inference.LABELS,
        _trial,
    ),
    Evidence("scifact", "does an abstract support a scientific claim", scifact.LABELS, _scifact),
    Evidence("fever", "does a Wikipedia page support a claim, and by which sentences", fever.LABELS, _fever),
)
