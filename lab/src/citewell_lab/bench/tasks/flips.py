"""`flips`: does a checker detect one wrong fact in an otherwise supported claim? Derived from other sets.

Every data set that lies in the folder and has a split of that name gives up to `CLAIMS` claims over the evidence that
people marked (the whole documents where they marked none), in turn, those first in which rare kinds of change can be
made. A claim gives up to `CHANGES` changes, of the kinds that are rarest so far, and none of a kind that is far more
common than the others. Hashes decide which claims, changes and words: the same files give the same items. Opposites
are taken from the half that nothing is trained on.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from citewell_lab.bench.datasets.dataset import Dataset, Published
from citewell_lab.bench.flips import KINDS, Change, Pool, flips, supported
from citewell_lab.bench.flips.supported import Supported
from citewell_lab.bench.items import ClaimItem, Item
from citewell_lab.bench.kinds.base import Backends, Scores, grouped, mean
from citewell_lab.bench.kinds.claims import Claims, withheld
from citewell_lab.bench.metrics.declared import CAUGHT, CAUGHT_AT_KEPT_75, FALSE_PASS, FALSE_STRIP, KEPT, Metric
from citewell_lab.bench.metrics.kept import threshold_at_kept
from citewell_lab.bench.records import ClaimRecord, Failed

CLAIMS, CHANGES, REPEATS = 200, 3, 3  # of a set, of a claim, of one claim over other evidence
LOOKED_AT = 3  # times as many claims as are given, so that the rare kinds are not left to chance
ORIGINAL = "original"
_POOLED = 40  # segments of evidence whose names are put in the place of others

CAUGHT_KIND = {
    kind: Metric(f"caught_{kind}", f"claims with a wrong {kind} that the checker does not call supported", "", "pooled")
    for kind in KINDS
}


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """A claim and its changes, set by set in turn."""
    kinds: Counter[str] = Counter()
    turns = [_changeable(name, listed) for name, listed in supported.by_set(paths).items()]
    for turn in itertools.zip_longest(*turns):
        for items in turn:
            if items is not None:
                yield from items(kinds)


def _changeable(name: str, paths: Sequence[Path]) -> Iterator[Callable[[Counter[str]], Iterator[Item]]]:
    """The claims of one set that something can be changed in, each as a function that gives its items."""
    originals = sorted(
        supported.claims(name, paths), key=lambda original: blake2b(original.id.encode(), digest_size=8).digest()
    )
    pool = Pool.of(
        text for original in originals[: 4 * CLAIMS] for text in (original.claim, *original.sentences()[:_POOLED])
    )
    times: Counter[str] = Counter()
    changes: list[tuple[Supported, tuple[Change, ...]]] = []
    for original in originals:
        times[original.claim] += 1
        if times[original.claim] > REPEATS:
            continue
        if changed := flips(original.claim, original.sentences(), pool, half="held"):
            changes.append((original, changed))
        if len(changes) == LOOKED_AT * CLAIMS:
            break
    often = Counter(change.kind for _, changed in changes for change in changed)
    changes.sort(key=lambda pair: min(often[change.kind] for change in pair[1]))  # the rare kinds first
    for original, changed in changes[:CLAIMS]:
        yield partial(_items, f"{name}:{original.id}", original, changed)


def _items(key: str, original: Supported, changes: Sequence[Change], kinds: Counter[str]) -> Iterator[Item]:
    """A claim and its changes; `kinds` counts what all claims so far have given."""
    often = 10 + 2 * kinds.total() / len(KINDS)  # what nearly every claim allows must not stand for the whole
    rare = [change for change in changes if kinds[change.kind] <= often]
    if rare:
        yield ClaimItem(key, original.claim, original.documents, supported=True, group=ORIGINAL)
    for change in sorted(rare, key=lambda change: (kinds[change.kind], KINDS.index(change.kind)))[:CHANGES]:
        kinds[change.kind] += 1
        yield ClaimItem(f"{key}:{change.kind}", change.text, original.documents, supported=False, group=change.kind)


@dataclass(frozen=True, kw_only=True)
class Flips(Claims):
    """Claims that hold, and the same with one fact changed.

    `kept` and `caught` go by the checker's own labels, `false_strip` and `false_pass` are what is left of each.
    `caught_at_kept_75` sets the labels aside: it is what any threshold would give that keeps 75% of the originals.
    """

    metrics: tuple[Metric, ...] = (KEPT, CAUGHT, *CAUGHT_KIND.values(), CAUGHT_AT_KEPT_75, FALSE_PASS, FALSE_STRIP)
    headline: tuple[Metric, ...] = (KEPT, CAUGHT, CAUGHT_AT_KEPT_75)

    def source(self, record: Mapping[str, Any]) -> str:
        """The claim that was changed."""
        return str(record["id"]).removesuffix(f":{record['group']}")

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[ClaimRecord | Failed]:
        """Verdicts, with the claims, which stand in no file."""
        texts = {item.id: item.claim for item in items if isinstance(item, ClaimItem)}
        for record in Claims.predict(self, items, backends):
            if "label" in record:
                record["claim"] = texts[record["id"]]
            yield record

    def score(self, records: Sequence[ClaimRecord]) -> Scores:
        """The figures over all claims, by kind of change and by data set."""
        originals = [record for record in records if record["gold"]]
        changed = [record for record in records if not record["gold"]]
        if not originals or not changed:
            missing = "nothing was changed" if originals else "there are no originals"
            return Scores({}, unscored={str(CAUGHT_AT_KEPT_75): missing})
        threshold = threshold_at_kept([record["score"] for record in originals])
        by_kind = grouped(changed)
        kept, caught = _supported(originals), 1 - _supported(changed)
        metrics = {
            str(KEPT): kept,
            **_caught(changed, threshold),
            **{str(CAUGHT_KIND[kind]): 1 - _supported(by_kind[kind]) for kind in KINDS if kind in by_kind},
            str(FALSE_PASS): 1 - caught,
            str(FALSE_STRIP): 1 - kept,
        }
        groups: dict[str, dict[str, Any]] = {ORIGINAL: {"n": len(originals), str(KEPT): kept}}
        groups |= {
            kind: {"n": len(by_kind[kind]), **_caught(by_kind[kind], threshold)} for kind in KINDS if kind in by_kind
        }
        for name in dict.fromkeys(map(_set, records)):
            mine = [record for record in originals if _set(record) == name]
            theirs = [record for record in changed if _set(record) == name]
            groups[name] = {"n": len(theirs), str(KEPT): _supported(mine), **_caught(theirs, threshold)}
        unscored = {str(CAUGHT_KIND[kind]): "no claim was changed so" for kind in KINDS if kind not in by_kind}
        notes = (f"{len(originals)} originals, {len(changed)} changed; 75% are kept at a score of {threshold:.4f}",)
        return Scores(metrics, groups, withheld(records), unscored, notes=notes)


def _supported(records: Sequence[ClaimRecord]) -> float:
    """The share that the checker calls supported."""
    return mean([float(record["label"] == "supported") for record in records])


def _caught(records: Sequence[ClaimRecord], threshold: float) -> dict[str, float]:
    below = mean([float(record["score"] < threshold) for record in records])
    return {str(CAUGHT): 1 - _supported(records), str(CAUGHT_AT_KEPT_75): below}


def _set(record: ClaimRecord) -> str:
    """The data set that a claim is from."""
    return record["id"].partition(":")[0]


TASK = Flips(
    name="flips",
    summary="is one wrong fact seen in a claim that was supported",
    data=Dataset(
        "",
        (),
        _load,
        companions=supported.companions(),
        gather=supported.gather,
        published_as=Published("Claims with one fact changed", "", "that of each data set they are made from", {}),
    ),
)
