"""`flips`: does a checker see one wrong fact in a claim that the evidence supports otherwise?

`kept` is the share of the original claims that the checker calls supported, `caught` the share of the changed ones that
it does not, `false_strip` and `false_pass` are what is left of each. `caught_at_kept_75` sets the checker's own labels
aside: the share of changed claims below the highest score that 75% of the originals reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from citewell.bench.datasets.flips import ORIGINAL
from citewell.bench.flips import KINDS
from citewell.bench.items import ClaimItem, Item
from citewell.bench.metrics.kept import threshold_at_kept
from citewell.bench.tasks import claims
from citewell.bench.tasks.base import Backends, Record, Scores, mean


@dataclass(frozen=True)
class Flips:
    """One-fact changes of supported claims."""

    name: str = "flips"
    summary: str = "is one wrong fact in a claim that was supported seen"
    needs: ClassVar[tuple[str, ...]] = ("checker",)
    main: ClassVar[str] = "accuracy"

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """Verdicts, with the claims for who reads the records."""
        texts = {item.id: item.claim for item in items if isinstance(item, ClaimItem)}
        for record in claims.records(items, backends):
            yield {**record, "claim": texts[record["id"]]}

    def score(self, found: Sequence[Record]) -> Scores:
        """The figures over all, by kind of change and by data set."""
        originals = [record for record in found if record["group"] == ORIGINAL]
        changed = [record for record in found if record["group"] != ORIGINAL]
        if not originals or not changed:
            missing = "there are no originals" if not originals else "nothing was changed"
            return Scores({}, unscored={"caught_at_kept_75": missing})
        threshold = threshold_at_kept([record["score"] for record in originals])
        kept, caught = _share(originals, supported=True), _share(changed, supported=False)
        by_kind = {kind: [record for record in changed if record["group"] == kind] for kind in KINDS}
        groups: dict[str, dict[str, Any]] = {ORIGINAL: {"n": len(originals), "kept": kept}}
        groups |= {kind: _caught(records, threshold) for kind, records in by_kind.items() if records}
        for name in dict.fromkeys(_set(record) for record in found):
            mine = [record for record in originals if _set(record) == name]
            theirs = [record for record in changed if _set(record) == name]
            groups[name] = {"n": len(theirs), "kept": _share(mine, supported=True), **_caught(theirs, threshold)}
        metrics = {
            "kept": kept,
            "caught": caught,
            **{f"caught_{kind}": _share(records, supported=False) for kind, records in by_kind.items() if records},
            "caught_at_kept_75": _caught(changed, threshold)["caught_at_kept_75"],
            "false_pass": 1 - caught,
            "false_strip": 1 - kept,
        }
        unscored = {f"caught_{kind}": "no claim was changed so" for kind, records in by_kind.items() if not records}
        notes = (f"{len(originals)} originals, {len(changed)} changed; 75% are kept at a score of {threshold:.4f}",)
        return Scores(metrics, groups, sum(record["label"] == "no_claim" for record in found), unscored, notes=notes)


def _share(records: Sequence[Record], *, supported: bool) -> float:
    return mean([float((record["label"] == "supported") == supported) for record in records])


def _caught(records: Sequence[Record], threshold: float) -> dict[str, Any]:
    below = mean([float(record["score"] < threshold) for record in records])
    return {"n": len(records), "caught": _share(records, supported=False), "caught_at_kept_75": below}


def _set(record: Record) -> str:
    return str(record["id"]).partition(":")[0]
