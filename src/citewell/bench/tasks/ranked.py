"""`verifiability` and `hagrid`: precision, recall and F1 of the first k sources of each answer sentence, k = 1, 2, 4.

The mean is taken over answer sentences; sentences copied whole from the document are left out.
Source: Sancheti et al. 2024, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from citewell.bench.items import Item, RankItem
from citewell.bench.metrics.evidence import at_k
from citewell.bench.tasks.base import Backends, Record, Scores, by_target, mean, position
from citewell.types import Draft, Granularity

DEPTHS = (1, 2, 4)


@dataclass(frozen=True)
class Ranked:
    """Ranked attribution of answer sentences."""

    name: str
    summary: str
    needs: ClassVar[tuple[str, ...]] = ("attributor",)
    main: ClassVar[str] = "f1@1"

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """The positions of the predicted segments of every sentence, best first."""
        attributor = backends.attribute()
        for item in items:
            if not isinstance(item, RankItem):
                continue
            ranked: list[list[int]] = []
            if item.targets:
                draft = Draft(item.text, item.question, item.targets, item.targets)
                granularity = cast("Granularity", item.granularity)
                citations = attributor.attribute(draft, [item.document], granularity, max(DEPTHS))
                for found in by_target(citations, item.targets):
                    where = [position(item.segments, citation) for citation in found]
                    ranked.append(list(dict.fromkeys(one for one in where if one is not None)))
            gold = [sorted(one) for one in item.gold]
            f1s = [at_k(found, set(one), 1).f1 for found, one in zip(ranked, gold, strict=True)]
            yield {
                "id": item.id,
                "gold": gold,
                "ranked": ranked,
                "verbatim": item.verbatim,
                "unmatched": item.unmatched,
                "value": mean(f1s) if f1s else None,
            }

    def score(self, records: Sequence[Record]) -> Scores:
        """Means over all sentences together."""
        pairs = [pair for record in records for pair in zip(record["ranked"], record["gold"], strict=True)]
        metrics = {}
        for k in DEPTHS:
            found = [at_k(ranked, set(gold), k) for ranked, gold in pairs]
            metrics[f"precision@{k}"] = mean([one.precision for one in found])
            metrics[f"recall@{k}"] = mean([one.recall for one in found])
            metrics[f"f1@{k}"] = mean([one.f1 for one in found])
        abstained = sum(not ranked for ranked, _ in pairs)
        verbatim = sum(record["verbatim"] for record in records)
        unmatched = sum(record["unmatched"] for record in records)
        groups = {"sentences": {"n": len(pairs), "abstained": abstained, "verbatim": verbatim, "unmatched": unmatched}}
        notes = (
            f"{len(pairs)} sentences; left out: {verbatim} copied whole, {unmatched} whose evidence is not in the text",
        )
        return Scores(metrics, groups, abstained, notes=notes)
