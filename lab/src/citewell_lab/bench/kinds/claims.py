"""Claims: do the documents support them? Two classes, supported and not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell.protocols import Checker, Pair
from citewell.types import LABELS
from citewell_lab.bench.items import ClaimItem, Item
from citewell_lab.bench.kinds.base import DIGITS, Backends, Scores, Task, grouped, verdicts
from citewell_lab.bench.metrics import labels
from citewell_lab.bench.metrics.declared import ACCURACY, AUC, BALANCED_ACCURACY, MACRO_F1, Metric
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import Annotated, ClaimRecord, Failed, failed


@dataclass(frozen=True, kw_only=True)
class Claims(Task[ClaimRecord]):
    """Support of claims by their documents.

    Attributes:
        apart: a group without which the figures are also given.
    """

    predicted: ClassVar[tuple[str, ...]] = ("label", "score")
    needs: tuple[str, ...] = ("checker",)
    main: Metric = ACCURACY
    metrics: tuple[Metric, ...] = (MACRO_F1, BALANCED_ACCURACY, ACCURACY, AUC)
    headline: tuple[Metric, ...] = (MACRO_F1, BALANCED_ACCURACY)
    apart: str = ""

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[ClaimRecord | Failed]:
        """The checker's verdict on every claim; all claims of the batch are checked at once."""
        claims = [item for item in items if isinstance(item, ClaimItem)]
        judged = verdicts(backends, [Pair(item.claim, item.documents) for item in claims])
        for item, verdict in zip(claims, judged, strict=True):
            if verdict.failed:
                yield failed(item, verdict.failed)
                continue
            record = _record(item, verdict.label, verdict.score)
            if verdict.reasons:
                record["reasons"] = [reason.to_dict() for reason in verdict.reasons]
            yield record

    def rescored(self, item: ClaimItem, predicted: Predicted, checker: Checker) -> ClaimRecord:  # noqa: ARG002
        """The label and the score beside the gold one."""
        return _record(item, str(predicted.choice("label", LABELS)), predicted.number("score"))

    def score(self, records: Sequence[ClaimRecord]) -> Scores:
        """Figures over all claims together; groups are those of the items."""
        if not records:
            return Scores({})
        groups = {name: {"n": len(rows), **_figures(rows)} for name, rows in grouped(records).items()}
        rest = [record for record in records if record["group"] != self.apart]
        if self.apart and len(rest) < len(records):
            groups[f"without {self.apart}"] = {"n": len(rest), **(_figures(rest) if rest else {})}
        return Scores(_figures(records), groups, withheld(records))


def _record(item: ClaimItem, label: str, score: float) -> ClaimRecord:
    more: Annotated = {"annotations": list(item.annotations)} if item.annotations else {}
    return {
        "id": item.id,
        "group": item.group,
        "gold": item.supported,
        **more,
        "label": label,
        "score": round(score, DIGITS),
        "value": float((label == "supported") == item.supported),
    }


def gold(records: Sequence[ClaimRecord]) -> list[bool]:
    """Whether each claim is supported."""
    return [bool(record["gold"]) for record in records]


def predicted(records: Sequence[ClaimRecord]) -> list[bool]:
    """Whether the checker's label says so."""
    return [record["label"] == "supported" for record in records]


def withheld(records: Sequence[ClaimRecord]) -> int:
    """In how many claims the checker saw none."""
    return sum(record["label"] == "no_claim" for record in records)


def auc(right: Sequence[bool], scores: Sequence[float]) -> dict[str, float]:
    """The area under the ROC curve, where there are both classes."""
    area = labels.roc_auc(right, scores)
    return {} if area is None else {str(AUC): area}


def _figures(records: Sequence[ClaimRecord]) -> dict[str, float]:
    right, predictions = gold(records), predicted(records)
    return {
        str(MACRO_F1): labels.macro_f1(right, predictions, (True, False)),
        str(BALANCED_ACCURACY): labels.balanced_accuracy(right, predictions),
        str(ACCURACY): labels.accuracy(right, predictions),
        **auc(right, [record["score"] for record in records]),
    }
