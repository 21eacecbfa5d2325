"""Rows for training and measuring a checker: claims over evidence, in groups that a split never divides.

    rows = load(Path("DIR"), ["fever", "snli"], sample=1000)

Groups reach across sets where sets share claims, premises or pages: FEVER, its symmetric twin and FM2; SNLI and its
counterfactual edits; AttributionBench and ExpertQA.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from citewell.errors import InputError
from citewell_lab.train.checker.sets import SETS, Label, Raw, key
from citewell_lab.train.corrections import Corrected

CORRECTIONS = "corrections"  # the name under which people's corrections count as a set
_LABELS: Mapping[str, Label] = {
    "supported": "supported",
    "quoted": "supported",
    "partially_supported": "partial",
    "contradicted": "contradicted",
}


class Row(NamedTuple):
    """A claim over its evidence.

    Attributes:
        group: rows of one group (a page, a premise, a contract, a question) stay on one side of any split.
        label: `not` also where a set does not tell a contradiction from silence.
        part: a setting or domain inside the set.
        kind: of a changed claim, what was changed.
        of: the claim that it was made from.
    """

    set: str
    group: str
    claim: str
    evidence: tuple[str, ...]
    label: Label
    part: str = ""
    kind: str = ""
    of: str = ""


def present(data: Path, names: Iterable[str] = SETS) -> tuple[str, ...]:
    """Those of the sets that lie in the folder."""
    return tuple(name for name in names if _read(name, data))


def load(
    data: Path | None,
    names: Iterable[str] = SETS,
    *,
    corrected: Sequence[Corrected] = (),
    sample: int | None = None,
    seed: int = 0,
) -> list[Row]:
    """The rows of those sets with their common groups; at most about `sample` a set, whole groups drawn at random.

    `corrected` are people's corrections, which count as one more set.
    """
    raws = {name: _read(name, data) for name in names} if data else {}
    if corrected:
        raws[CORRECTIONS] = tuple(map(_corrected, corrected))
    groups = _groups(raws)
    rows: list[Row] = []
    for name, listed in raws.items():
        members: dict[str, dict[Row, None]] = defaultdict(dict)
        for raw in listed:
            row = Row(name, groups[raw.keys[0]], raw.claim, tuple(raw.evidence), raw.label, raw.part)
            if row.claim.strip() and any(text.strip() for text in row.evidence):
                members[row.group][row] = None
        drawn = [list(group) for group in members.values()]
        # By a hash of the group and not by its place, so that what is drawn of one set does not depend on the others.
        drawn.sort(key=lambda group: random.Random(f"{seed}:{name}:{group[0][2:4]}").random())  # noqa: S311  (used at once)
        taken = 0
        for group in drawn:
            if sample is not None and taken >= sample:
                break
            rows += group
            taken += len(group)
    return rows


def _corrected(row: Corrected) -> Raw:
    """A correction: what rests on the same evidence, or was said in one answer, stays on one side of a split."""
    label = _LABELS.get(row.label, "not")
    return Raw(
        row.claim, row.evidence, label, [f"result:{row.result}", *(f"text:{key(text)}" for text in row.evidence)]
    )


@lru_cache(maxsize=len(SETS))
def _read(name: str, data: Path) -> tuple[Raw, ...]:
    """The rows of a set, none where it does not lie there; equal evidence is one object."""
    same: dict[tuple[str, ...], tuple[str, ...]] = {}

    def shared(evidence: Sequence[str]) -> tuple[str, ...]:
        return same.setdefault(tuple(evidence), tuple(evidence))

    try:
        return tuple(raw._replace(evidence=shared(raw.evidence)) for raw in SETS[name].read(data))
    except (FileNotFoundError, InputError):
        return ()


def _groups(raws: Mapping[str, Sequence[Raw]]) -> Mapping[str, str]:
    """The group of every key: keys that stand on one row are tied."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for listed in raws.values():
        for raw in listed:
            first = root(raw.keys[0])
            for other in raw.keys[1:]:
                parent[root(other)] = first
    return {name: root(name) for name in parent}
