"""Ranked sources: precision, recall and F1 of the first k sources of each answer sentence, k = 1, 2, 4.

The mean is taken over answer sentences; sentences copied whole from the document are left out.
Source: Sancheti et al. 2024, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from citewell.errors import notes
from citewell.protocols import Attributor, Checker
from citewell.types import Draft, Granularity
from citewell_lab.bench.items import Item, RankItem
from citewell_lab.bench.kinds.base import Backends, Scores, Task, by_target, mean, position, told_unread, unread
from citewell_lab.bench.metrics.declared import F1_AT, PRECISION, RECALL, Metric
from citewell_lab.bench.metrics.evidence import at_k
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import RankRecord

DEPTHS = (1, 2, 4)
_F1S = tuple(F1_AT(k) for k in DEPTHS)


@dataclass(frozen=True, kw_only=True)
class Ranked(Task[RankRecord]):
    """Ranked attribution of answer sentences."""

    predicted: ClassVar[tuple[str, ...]] = ("ranked",)
    needs: tuple[str, ...] = ("attributor",)
    main: Metric = _F1S[0]
    metrics: tuple[Metric, ...] = (PRECISION, RECALL, F1_AT)
    headline: tuple[Metric, ...] = _F1S[:2]

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[RankRecord]:
        """The positions of the predicted segments of every sentence, best first."""
        return (record(item, backends.attribute()) for item in items if isinstance(item, RankItem))

    def rescored(self, item: RankItem, predicted: Predicted, checker: Checker) -> RankRecord:  # noqa: ARG002
        """The ranked segments of every sentence beside the gold ones."""
        return _scored(item, predicted.rankings("ranked", len(item.targets), len(item.segments)))

    def score(self, records: Sequence[RankRecord]) -> Scores:
        """Means over all sentences together."""
        return score(records)


def record(item: RankItem, attributor: Attributor) -> RankRecord:
    """What an attributor finds for an answer's sentences."""
    ranked: list[list[int]] = []
    counts: dict[str, int] = {}
    if item.targets:
        draft = Draft(item.text, item.question, item.targets, item.targets)
        granularity = cast("Granularity", item.granularity)
        with notes.collect() as noted:
            citations = attributor.attribute(draft, [item.document], granularity, max(DEPTHS))
        counts = unread(noted)
        for citations_of_target in by_target(citations, item.targets):
            where = [position(item.segments, citation) for citation in citations_of_target]
            ranked.append(list(dict.fromkeys(place for place in where if place is not None)))
    record = _scored(item, ranked)
    if counts:
        record["unread"] = counts
    return record


def _scored(item: RankItem, ranked: list[list[int]]) -> RankRecord:
    gold = [sorted(places) for places in item.gold]
    f1s = [at_k(places, set(right), 1).f1 for places, right in zip(ranked, gold, strict=True)]
    return {
        "id": item.id,
        "gold": gold,
        "ranked": ranked,
        "verbatim": item.verbatim,
        "unmatched": item.unmatched,
        "value": mean(f1s) if f1s else None,
    }


def score(records: Sequence[RankRecord]) -> Scores:
    """Means over all sentences together."""
    pairs = [pair for record in records for pair in zip(record["ranked"], record["gold"], strict=True)]
    metrics = {}
    for k in DEPTHS:
        figures = [at_k(ranked, set(gold), k) for ranked, gold in pairs]
        metrics[str(PRECISION(k))] = mean([figure.precision for figure in figures])
        metrics[str(RECALL(k))] = mean([figure.recall for figure in figures])
        metrics[str(F1_AT(k))] = mean([figure.f1 for figure in figures])
    abstained = sum(not ranked for ranked, _ in pairs)
    verbatim = sum(record["verbatim"] for record in records)
    unmatched = sum(record["unmatched"] for record in records)
    groups = {"sentences": {"n": len(pairs), "abstained": abstained, "verbatim": verbatim, "unmatched": unmatched}}
    remarks = (
        f"{len(pairs)} sentences; left out: {verbatim} copied whole, {unmatched} whose evidence is not in the text",
    )
    return Scores(metrics, groups, abstained, notes=(*remarks, *told_unread(records)))
