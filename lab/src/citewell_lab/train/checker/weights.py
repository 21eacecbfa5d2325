"""The checker's weights, fitted on the public sets in a folder, and the file that ships."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from citewell.errors import InputError, MissingExtraError
from citewell.facts.features import names
from citewell.facts.model import Line
from citewell.text import files
from citewell_lab.train.checker.changed import with_originals
from citewell_lab.train.checker.fit import FLIPS, Table, calibration_error, chosen, crossed, fit, thresholds
from citewell_lab.train.checker.rows import CORRECTIONS, Row, load, present
from citewell_lab.train.checker.sets import CHANGED, NOT_TRAINED_ON, SETS
from citewell_lab.train.corrections import Corrected

_LEAST = 2  # supported claims and others that a fit needs of each


class Weights(NamedTuple):
    """Two lines, the probabilities from which labels hold, and what the file says of what they were fitted on."""

    support: Line
    against: Line
    labels: Mapping[str, float]
    about: Mapping[str, Any]


def training_rows(data: Path | None, seed: int = 0, corrected: Sequence[Corrected] = ()) -> list[Row]:
    """People's claims, and those with one fact changed by the half of the word lists that nothing is measured with.

    Raises:
        InputError: none of the sets lies in the folder.
    """
    value = chosen()
    wanted = [name for name in SETS if name not in NOT_TRAINED_ON]
    if data is None:
        return load(None, corrected=corrected)
    there = present(data, wanted)
    if not there:
        raise InputError(f"{data} has none of the sets that the checker is trained on: {', '.join(wanted)}")
    sample, changes = int(value["sample"]), int(value["changes"])
    people = load(data, there, corrected=corrected, sample=sample, seed=seed)
    sources = load(data, present(data, CHANGED), sample=sample, seed=seed)
    originals = with_originals(sources, changes, half="seen", seed=seed)
    random.Random(seed).shuffle(originals)  # noqa: S311  (seeded, so that the same data gives the same weights)
    return [*people, *originals]


def train(
    data: Path | None,
    *,
    corrected: Sequence[Corrected] = (),
    without: Collection[str] = (),
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Weights:
    """Fit the weights; the same data and seed give the same ones. `tell` gets a line a step.

    `corrected` are people's corrections, which count as one more set, or alone where there is no folder. Nothing is
    learnt from the sets of `without`, nor from what shares a page, premise or claim with them.

    Raises:
        MissingExtraError: scikit-learn is not installed.
        InputError: the folder has too little to fit on.
    """
    if find_spec("sklearn") is None:  # said before the data is read, which takes long
        raise MissingExtraError("citewell train checker", "scikit-learn", "train", "citewell-lab")
    rows = training_rows(data, seed, corrected)
    apart = {row.group for row in rows if row.set in without}
    rows = [row for row in rows if row.group not in apart]
    tell(f"{len(rows):,} claims of {len({row.set for row in rows})} sets")
    table = Table(rows)
    supported, contradicted, tells = table.supported, table.contradicted, table.tells_contradiction
    everything = np.ones(len(supported), dtype=bool)
    groups = len(set(table.group))
    if min(supported.sum(), contradicted.sum(), (tells & ~contradicted).sum()) < _LEAST or groups < chosen()["folds"]:
        where = "there are" if data is None else f"{data} has"
        raise InputError(
            f"{where} too few claims to fit on: supported, contradicted and neither are needed, {_LEAST} of each, "
            f"on {int(chosen()['folds'])} evidences"
        )
    tell("features are read; fitting across folds")
    chances = crossed(table, supported, everything)
    error = calibration_error(chances[table.people], supported[table.people], table.weights(table.people)[table.people])
    tell(f"expected calibration error on people's claims, across folds: {error:.3f}")
    tell("fitting on everything")
    about = {
        "made_by": "citewell train checker",
        "seed": seed,
        "sets": _sets(table),
        "changed": dict(Counter(row.kind for row in table.rows if row.kind)),
        "calibration_error": round(error, 4),
    }
    return Weights(
        fit(table, supported, everything),
        fit(table, contradicted, tells, against=True),
        thresholds(table, chances),
        about,
    )


def _sets(table: Table) -> dict[str, dict[str, Any]]:
    """The claims and the licence of each set; changed claims count in the set that they were made from."""
    people = Counter(row.set for row in table.rows if not row.kind)
    counts = Counter(row.set for row in table.rows if row.kind)
    return {
        name: {"claims": people[name], FLIPS: counts[name], "licence": SETS[name].permits() if name in SETS else "own"}
        for name in (*SETS, CORRECTIONS)
        if people[name] or counts[name]
    }


def text(weights: Weights) -> str:
    """The file's text: one weight a feature, in the order of the features."""
    lines = {
        name: {"constant": line.constant, "weights": dict(zip(names(), line.weights.tolist(), strict=True))}
        for name, line in (("support", weights.support), ("against", weights.against))
    }
    return json.dumps({"about": weights.about, "labels": weights.labels, **lines}, indent=1) + "\n"


def write(weights: Weights, path: Path) -> None:
    """Write the file.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with files.replacing(path) as file:
            file.write(text(weights).encode())
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
