"""`salad` and `attributionbench`: do the documents support the claim?

SALAD follows the paper's protocol: six settings scored apart, one threshold for all of them that maximises the mean
F1. The paper's Table 7 has the F1 of the minority class (supported in the two settings without documents, unsupported
elsewhere) for systems, chance and the commonest label; its human row matches the F1 of "unsupported" in all settings.
Both are reported. Source: Chen et al. 2023, section 7.1 and appendix B.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from citewell.bench.items import ClaimItem, Item
from citewell.bench.metrics import agreement, labels
from citewell.bench.tasks.base import DIGITS, Backends, Record, Scores, grouped, mean, verdicts
from citewell.protocols import Pair

# Where "supported" is the rarer label: the answers that were written without documents.
SUPPORT_IS_RARE = frozenset(("gpt3", "alpaca"))


def records(items: Sequence[Item], backends: Backends) -> Iterator[Record]:
    """The checker's verdict on every claim; all claims of the batch are checked at once."""
    claims = [item for item in items if isinstance(item, ClaimItem)]
    found = verdicts(backends, [Pair(item.claim, item.documents) for item in claims])
    for item, verdict in zip(claims, found, strict=True):
        if verdict.failed:
            yield {"id": item.id, "group": item.group, "failed": verdict.failed}
            continue
        yield {
            "id": item.id,
            "group": item.group,
            "gold": item.supported,
            **({"annotations": list(item.annotations)} if item.annotations else {}),
            "label": verdict.label,
            "score": round(verdict.score, DIGITS),
            "value": float((verdict.label == "supported") == item.supported),
        }


def _gold(found: Sequence[Record]) -> list[bool]:
    return [bool(record["gold"]) for record in found]


def _predicted(found: Sequence[Record]) -> list[bool]:
    return [record["label"] == "supported" for record in found]


@dataclass(frozen=True)
class Salad:
    """Support of the sentences of long answers."""

    name: str = "salad"
    summary: str = "are the sentences of long answers supported by the documents"
    needs: ClassVar[tuple[str, ...]] = ("checker",)
    main: ClassVar[str] = "accuracy"

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """Verdicts."""
        return records(items, backends)

    def score(self, found: Sequence[Record]) -> Scores:
        """Means over settings; groups are settings; baselines are computed from the annotations."""
        groups: dict[str, dict[str, Any]] = {}
        by_setting = grouped(found)
        settings = {name: (_gold(rows), [row["score"] for row in rows]) for name, rows in by_setting.items()}
        if not settings:
            return Scores({})
        rare = [(gold, scores, name in SUPPORT_IS_RARE) for name, (gold, scores) in settings.items()]
        tuned = labels.tune(rare)
        unsupported = labels.tune([(gold, scores, False) for gold, scores in settings.values()])
        baselines: dict[str, dict[str, Any]] = {"human": {}, "majority": {}, "random": {}}
        for name, rows in by_setting.items():
            gold, scores = settings[name]
            own, target = _predicted(rows), name in SUPPORT_IS_RARE
            at = [score >= tuned.threshold for score in scores]
            auc = labels.roc_auc(gold, scores)
            groups[name] = {
                "n": len(rows),
                "f1": labels.f1(gold, own, label=False),
                "f1_minority": labels.f1(gold, own, target),
                "accuracy": labels.accuracy(gold, own),
                "f1_tuned": labels.f1(gold, at, target),
                "accuracy_tuned": labels.accuracy(gold, at),
                "f1_unsupported_tuned": labels.f1(gold, [s >= unsupported.threshold for s in scores], label=False),
                **({} if auc is None else {"auc": auc}),
            }
            votes = [[label == "supported" for label in row["annotations"]] for row in rows if "annotations" in row]
            row_of = {
                "human": (*agreement.human(votes, target), agreement.human(votes, target=False)[0]),
                "majority": (*agreement.majority(gold, target), agreement.majority(gold, target=False)[0]),
                "random": (*agreement.chance(gold, target), agreement.chance(gold, target=False)[0]),
            }
            for kind, values in row_of.items():
                baselines[kind][name] = dict(zip(("f1", "accuracy", "f1_unsupported"), values, strict=True))
        for rows_of in baselines.values():
            names = ("f1", "accuracy", "f1_unsupported")
            rows_of["mean"] = {key: mean([one[key] for one in rows_of.values()]) for key in names}
        pooled = [
            (gold, score) for golds, scores in settings.values() for gold, score in zip(golds, scores, strict=True)
        ]
        auc = labels.roc_auc([gold for gold, _ in pooled], [score for _, score in pooled])
        metrics = {
            "f1": mean([one["f1"] for one in groups.values()]),
            "f1_minority": mean([one["f1_minority"] for one in groups.values()]),
            "accuracy": mean([one["accuracy"] for one in groups.values()]),
            "f1_tuned": tuned.f1,
            "accuracy_tuned": tuned.accuracy,
            "f1_unsupported_tuned": unsupported.f1,
            **({} if auc is None else {"auc": auc}),
        }
        chosen = f"{tuned.threshold:.4f} for f1_tuned, {unsupported.threshold:.4f} for f1_unsupported_tuned"
        notes = (
            f"one threshold for all settings, chosen on the data itself as the paper does: {chosen}",
            "f1 is of the class unsupported at the checker's own labels; f1_tuned is of each setting's rarer class",
        )
        missing = {"auc": "one of the classes is empty"} if auc is None else {}
        withheld = sum(record["label"] == "no_claim" for record in found)
        return Scores(metrics, groups, withheld, missing, baselines, notes)


@dataclass(frozen=True)
class Claims:
    """Support of claims by references, two classes."""

    name: str = "attributionbench"
    summary: str = "are claims attributable to their references"
    needs: ClassVar[tuple[str, ...]] = ("checker",)
    main: ClassVar[str] = "accuracy"

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """Verdicts."""
        return records(items, backends)

    def score(self, found: Sequence[Record]) -> Scores:
        """Macro F1 and balanced accuracy over all claims; groups are the sources, and all but SALAD's answers."""
        if not found:
            return Scores({})
        groups = {name: {"n": len(rows), **_figures(rows)} for name, rows in grouped(found).items()}
        rest = [record for record in found if record["group"] != "LFQA"]
        if len(rest) < len(found):
            groups["without LFQA"] = {"n": len(rest), **(_figures(rest) if rest else {})}
        return Scores(_figures(found), groups, sum(record["label"] == "no_claim" for record in found))


def _figures(rows: Sequence[Record]) -> dict[str, float]:
    gold, predicted = _gold(rows), _predicted(rows)
    auc = labels.roc_auc(gold, [row["score"] for row in rows])
    return {
        "macro_f1": labels.macro_f1(gold, predicted, (True, False)),
        "balanced_accuracy": labels.balanced_accuracy(gold, predicted),
        "accuracy": labels.accuracy(gold, predicted),
        **({} if auc is None else {"auc": auc}),
    }
