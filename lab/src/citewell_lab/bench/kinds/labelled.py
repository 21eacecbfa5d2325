"""Labels and evidence: the label of a claim over one document, and the segments that justify it.

The label comes from the checker over the whole document, the evidence from the attributor, whose query is the claim
of the predicted label (LAB, section 4.4 and tables 16 and 24); labels that need no evidence get none. With several
annotators the gold label is the one that fits the prediction best, the evidence is scored against that annotation's.
`evidence_f1_gold_label` asks the attributor with the gold label instead: how good the evidence alone is.

A language model's label is the first of the task's labels that its reply names, in the prompt's words; a reply without
one counts as wrong for every class. Evidence is what the reply cites, whatever its label: "not mentioned [3]" has
evidence where there is none. Where the system chooses the evidence, post hoc for the claim of the label or before the
model reads, a reply whose label needs none gets none: there is nothing to show (LAB, section 3).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from citewell import registry
from citewell.protocols import Attributor, Checker, Pair
from citewell.text.claims import support_labels
from citewell.types import Citation, Draft, Span, Verdict
from citewell_lab.bench.answering import Query
from citewell_lab.bench.items import EvidenceItem, Item
from citewell_lab.bench.kinds.base import DIGITS, Backends, Scores, Task, answered, grouped, noted, positions, verdicts
from citewell_lab.bench.metrics import labels
from citewell_lab.bench.metrics.declared import (
    EVIDENCE_F1,
    EVIDENCE_F1_FIRST,
    EVIDENCE_F1_GOLD_LABEL,
    EVIDENCE_F1_UNION,
    LABEL_ACCURACY,
    LABEL_MACRO_F1,
    Metric,
    means,
)
from citewell_lab.bench.metrics.evidence import best_set_f1, set_f1
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import Failed, LabelRecord, failed

Decide = Callable[[Mapping[str, Verdict]], str | None]


@dataclass(frozen=True, kw_only=True)
class Labelled(Task[LabelRecord]):
    """A label and evidence for a claim over one document.

    Attributes:
        labels: the classes of the macro F1, each in the words of prompts.
        decide: the label from the verdicts on the item's statements; None where they name none.
        evidence_of: labels without a statement whose evidence speaks of the statement of another label.
        bare: labels that need no evidence.
    """

    predicted: ClassVar[tuple[str, ...]] = ("label", "answer", "evidence", "evidence_gold_label")
    promptable: ClassVar[bool] = True
    needs: tuple[str, ...] = ("checker", "attributor")
    main: Metric = LABEL_ACCURACY
    metrics: tuple[Metric, ...] = (LABEL_MACRO_F1, LABEL_ACCURACY, EVIDENCE_F1, EVIDENCE_F1_GOLD_LABEL)
    headline: tuple[Metric, ...] = (LABEL_MACRO_F1, EVIDENCE_F1)
    quality: tuple[Metric, Metric] | None = (LABEL_MACRO_F1, EVIDENCE_F1)
    labels: Mapping[str, str]
    decide: Decide
    evidence_of: Mapping[str, str] = field(default_factory=dict)
    bare: frozenset[str] = frozenset()

    @property
    def k(self) -> int:
        """How many segments are asked for."""
        return self.retrieval.k if self.retrieval else 2

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[LabelRecord | Failed]:
        """Labels of the whole batch at once, then evidence item by item; of an approach both as they come."""
        claims = [item for item in items if isinstance(item, EvidenceItem)]
        if backends.approach is not None:
            yield from self._replied(claims, backends)
            return
        claims_of_items = [(item, claim) for item in claims for claim in dict.fromkeys(item.statements.values())]
        judged = verdicts(backends, [Pair(claim, (item.document,)) for item, claim in claims_of_items])
        by_item: dict[str, dict[str, Verdict]] = {item.id: {} for item in claims}
        for (item, claim), verdict in zip(claims_of_items, judged, strict=True):
            by_item[item.id][claim] = verdict
        for item in claims:
            yield self._judged(item, by_item[item.id], backends.attribute())

    def _judged(
        self, item: EvidenceItem, by_claim: Mapping[str, Verdict], attributor: Attributor
    ) -> LabelRecord | Failed:
        judged = {label: by_claim[claim] for label, claim in item.statements.items()}
        broken = next((verdict.failed for verdict in judged.values() if verdict.failed), None)
        if broken:
            return failed(item, broken)
        label, by_query = self.decide(judged), dict[str, frozenset[int]]()

        def evidence(wanted: str | None) -> frozenset[int]:
            claim = item.statements.get(self.evidence_of.get(wanted or "", wanted or ""))
            if claim is None or not marked:
                return frozenset()
            if claim not in by_query:
                by_query[claim] = self._evidence(item, claim, attributor)
            return by_query[claim]

        marked = any(annotation.sets for annotation in item.annotations)
        scores = {name: round(verdict.score, DIGITS) for name, verdict in judged.items()}
        reasons = {
            name: [annotation.to_dict() for annotation in verdict.reasons]
            for name, verdict in judged.items()
            if verdict.reasons
        }
        record = _record(item, label, evidence(label), scores=scores)
        first = {claim: name for name, claim in reversed(tuple(item.statements.items()))}
        record["called"] = [first[claim] for claim in first if by_claim[claim].label == "supported"]
        if reasons:
            record["reasons"] = reasons
        if marked:
            _add_gold_label(record, item, evidence(_agreed(item)))
        record["value"] = float(label == record["gold"])
        return record

    def rescored(self, item: EvidenceItem, predicted: Predicted, checker: Checker) -> LabelRecord:  # noqa: ARG002
        """The label and the positions of the evidence beside the annotation that fits both best."""
        label = predicted.choice("label", (None, *self.labels))
        answer = predicted.reply("answer") if "answer" in predicted else None
        if answer is not None and named(answer, self.labels) != label:
            raise predicted.fault("label", f"is {label!r}, which the reply does not name")
        marked = any(annotation.sets for annotation in item.annotations)
        evidence = frozenset(predicted.places("evidence", len(item.segments)) if marked else ())
        record = _record(item, label, evidence, answer=answer)
        if "evidence_gold_label" in predicted and marked:
            cited = frozenset(predicted.places("evidence_gold_label", len(item.segments)))
            _add_gold_label(record, item, cited)
        record["value"] = float(label == record["gold"])
        return record

    def _evidence(self, item: EvidenceItem, claim: str, attributor: Attributor) -> frozenset[int]:
        return frozenset(positions(item.segments, self._cited(item, claim, attributor))[: self.k])

    def _cited(self, item: EvidenceItem, claim: str, attributor: Attributor) -> tuple[Citation, ...]:
        whole = (Span(0, len(claim)),)
        return tuple(attributor.attribute(Draft(claim, None, whole, whole), [item.document], "paragraph", self.k))

    def _replied(self, items: Sequence[EvidenceItem], backends: Backends) -> Iterator[LabelRecord | Failed]:
        """The labels that a language model's replies name, as they come."""
        system = backends.answer()
        queries = [(item, Query(item.document, item.question, item.context)) for item in items]
        for item, reply in answered(backends, queries):
            if isinstance(reply, dict):
                yield reply
                continue
            label = named(reply.answer.text, self.labels)
            cited: Sequence[Citation] = reply.answer.citations
            if system.post_hoc or not system.chooses:
                cited = self._attached(item, label, cited, system.post_hoc)
            evidence = frozenset(positions(item.segments, cited))
            record = _record(item, label, evidence, answer=reply.answer.text)
            record["value"] = float(label == record["gold"])
            yield noted(record, reply)

    def _attached(
        self, item: EvidenceItem, label: str | None, read: Sequence[Citation], post_hoc: Any
    ) -> Sequence[Citation]:
        """The evidence that the system adds to a reply; none where its label needs none or it names no label."""
        if label is None or label in self.bare:
            return ()
        return self._cited(item, item.statements[label], registry.build("attributor", post_hoc)) if post_hoc else read

    def score(self, records: Sequence[LabelRecord]) -> Scores:
        """Macro F1 and accuracy of labels, mean F1 of evidence; groups are the gold labels or the statements."""
        if not records:
            return Scores({})
        metrics, unscored = self._figures(records), {}
        if str(EVIDENCE_F1) not in metrics:
            absent = map(str, (EVIDENCE_F1, EVIDENCE_F1_GOLD_LABEL))
            unscored = dict.fromkeys(absent, "the data marks no evidence")
        groups: dict[str, dict[str, float]] = {}
        for name, rows in grouped(records).items():
            figures = self._figures(rows)
            if name in self.labels:
                del figures[str(LABEL_MACRO_F1)]  # there is one gold class in such a group
            groups[name] = {"n": len(rows), **figures}
        silent = sum(record["label"] is None for record in records)
        unread = sum(record["label"] is None and "answer" in record for record in records)
        notes = (f"{unread} of {len(records)} replies name no label: wrong for every class",) if unread else ()
        return Scores(metrics, groups, silent, unscored, notes=notes)

    def _figures(self, records: Sequence[LabelRecord]) -> dict[str, float]:
        gold, predicted = [record["gold"] for record in records], [record["label"] for record in records]
        return {
            str(LABEL_MACRO_F1): labels.macro_f1(gold, predicted, tuple(self.labels)),
            str(LABEL_ACCURACY): labels.accuracy(gold, predicted),
            **means((EVIDENCE_F1, EVIDENCE_F1_FIRST, EVIDENCE_F1_UNION, EVIDENCE_F1_GOLD_LABEL), records),
        }


def _record(
    item: EvidenceItem,
    label: str | None,
    evidence: frozenset[int],
    *,
    scores: dict[str, float] | None = None,
    answer: str | None = None,
) -> LabelRecord:
    """A label and its evidence beside the annotation that fits both best."""
    fit = max(
        item.annotations, key=lambda annotation: (annotation.label == label, best_set_f1(evidence, annotation.sets))
    )
    annotated = [annotation.label for annotation in item.annotations]
    record: LabelRecord = {
        "id": item.id,
        "group": item.group,
        "gold": fit.label,
        "annotated": annotated,
        "label": label,
    }
    if scores is not None:
        record["scores"] = scores
    if answer is not None:
        record["answer"] = answer
    if any(annotation.sets for annotation in item.annotations):
        record |= {"evidence": sorted(evidence), "evidence_f1": round(best_set_f1(evidence, fit.sets), DIGITS)}
        if item.alternatives:
            first, union = next(iter(fit.sets), frozenset[int]()), frozenset[int]().union(*fit.sets)
            record["evidence_f1_first"] = round(set_f1(evidence, first), DIGITS)
            record["evidence_f1_union"] = round(set_f1(evidence, union), DIGITS)
    return record


def _agreed(item: EvidenceItem) -> str:
    """The label that most annotators chose."""
    return Counter(annotation.label for annotation in item.annotations).most_common(1)[0][0]


def _add_gold_label(record: LabelRecord, item: EvidenceItem, cited: frozenset[int]) -> None:
    """Note the evidence that was asked for with the gold label, and how good it is."""
    fitting = [annotation for annotation in item.annotations if annotation.label == _agreed(item)]
    best = max(best_set_f1(cited, annotation.sets) for annotation in fitting)
    record |= {"evidence_gold_label": sorted(cited), "evidence_f1_gold_label": round(best, DIGITS)}


def named(text: str, labels: Mapping[str, str]) -> str | None:
    """The label that a reply names first, the longest where several begin there; None where it names none."""
    if "partially_supported" in labels:
        labels_in_text = [label for label in support_labels(text) if label in labels]
        return labels_in_text[0] if labels_in_text else None
    plain_text = " ".join(re.sub(r"[\W_]+", " ", text.lower()).split())
    best: tuple[int, int, str] | None = None
    for label, words in labels.items():
        match = re.search(rf"\b{re.escape(words)}\b", plain_text)
        if match and (best is None or (match.start(), -len(words)) < best[:2]):
            best = (match.start(), -len(words), label)
    return best[2] if best else None
