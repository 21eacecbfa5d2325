"""Chooses a checker's threshold on human corrections, and estimates the choice on held-out ones.

Scores are taken once, from the checker with the threshold 0; what a threshold is worth is what the checker says with
it. Each choice is also made without a fold of the answers and measured on that fold.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell import registry
from citewell.document import Document
from citewell.errors import InputError, UsageError
from citewell.protocols import Checker, Pair
from citewell.types import HOLDS
from citewell_lab.report.intervals import share
from citewell_lab.report.table import Table
from citewell_lab.report.values import Interval
from citewell_lab.train.corrections import Corrected

_CLEARLY = 2  # standard errors
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Chosen:
    """What was chosen.

    Attributes:
        spec: of the checker with the threshold.
        threshold: that is chosen.
        claims: how many were judged, of how many answers.
        answers: see `claims`.
        before: share of claims that the checker judges as people do, as it is.
        after: the same with a threshold that was chosen on other answers.
    """

    spec: str
    threshold: float
    claims: int
    answers: int
    before: Interval
    after: Interval

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        payload = dataclasses.asdict(self)
        return payload | {"before": self.before._asdict(), "after": self.after._asdict()}

    def table(self) -> Table:
        """What it is worth."""
        note = (
            f"{self.claims} claims of {self.answers} answers; supported claims and others weigh alike; "
            "the second row is measured on answers that the threshold was not chosen on"
        )
        rows = (("as it is", self.before), ("with a chosen threshold", self.after))
        return Table("threshold", "The checker on the corrections", ("", "judged as by people"), rows, notes=(note,))


def choose(spec: str, corrections: Sequence[Corrected], *, folds: int = 5, seed: int = 0) -> Chosen:
    """Choose the threshold from which a claim counts as supported.

    Raises:
        UsageError: the checker has none.
        InputError: there are too few corrections: both kinds are needed, in two answers at least.
    """
    base = registry.build("checker", spec)
    if "threshold" not in {field.name for field in dataclasses.fields(base)}:
        raise UsageError(f"{spec} has no threshold to choose")
    rows = list(dict.fromkeys(corrections))
    gold = np.array([row.label in HOLDS for row in rows], dtype=bool)
    names = [row.result for row in rows]
    if len(set(names)) < 2 or gold.all() or not gold.any():
        raise InputError(
            f"{len(rows)} corrections of {len(set(names))} answers are too few: supported claims and others are needed"
        )
    pairs = [Pair(row.claim, (Document.from_passages(row.evidence),)) for row in rows]
    members = _threshold_of(base)
    scores = np.array(
        [
            verdict.score if verdict.label in HOLDS else -1.0
            for verdict in dataclasses.replace(base, threshold=0.0).check(pairs)
        ]
    )
    fold = _folds(names, folds, seed)
    after = np.zeros(len(rows), dtype=bool)
    for number in range(fold.max() + 1):
        here = fold == number
        least = _best(scores[~here], gold[~here], members)
        after[here] = _holds(base, least, [pair for pair, kept in zip(pairs, here, strict=True) if kept])
    threshold = _best(scores, gold, members)
    parsed = registry.parse(spec)
    params = {**dict(parsed.params), "threshold": threshold}
    built = registry.canonical("checker", str(registry.Spec(parsed.name, tuple(params.items()))))
    before = _holds(base, members, pairs)
    figures = (_balanced(statement, gold, names, seed) for statement in (before, after))
    return Chosen(built, threshold, len(rows), len(set(names)), *figures)


def _threshold_of(base: Any) -> float:
    """The threshold that a checker has now."""
    return float(base.least if base.threshold is None else base.threshold)


def _holds(base: Checker, threshold: float, pairs: Sequence[Pair]) -> Flags:
    changed: Checker = dataclasses.replace(base, threshold=threshold)  # type: ignore[type-var]
    return np.array([verdict.label in HOLDS for verdict in changed.check(pairs)], dtype=bool)


def _best(scores: npt.NDArray[np.float64], gold: Flags, members: float) -> float:
    """The threshold that parts the claims best, or the checker's own where that is not clearly worse.

    Of few claims the best one is mostly chance: taken as it is, it was worse on others than the checker's own
    (docs/decisions/archive). So it has to be better by two standard errors.
    """
    if gold.all() or not gold.any():
        return members
    known = np.unique(scores[scores >= 0])
    between = (known[1:] + known[:-1]) / 2
    candidates = np.unique(np.round([members, *between, *(known[:1] / 2), *((known[-1:] + 1) / 2)], 3))
    kept = np.array([(scores[gold] >= least).mean() + (scores[~gold] < least).mean() for least in candidates])
    near = candidates[np.isclose(kept, kept.max())]
    best = float(near[np.abs(near - members).argmin()])
    right = [((part >= best) == good).astype(float) - ((part >= members) == good)
             for part, good in ((scores[gold], True), (scores[~gold], False))]  # fmt: skip
    error = float(np.sqrt(sum(part.var() / len(part) for part in right)))
    return best if sum(part.mean() for part in right) > _CLEARLY * error else members


def _folds(names: Sequence[str], folds: int, seed: int) -> npt.NDArray[np.int64]:
    """The fold of each row: answers are drawn, as their claims are not independent."""
    answers = sorted(set(names))
    order = np.random.default_rng(seed).permutation(len(answers))
    place = {answers[index]: number % min(folds, len(answers)) for number, index in enumerate(order)}
    return np.array([place[name] for name in names])


def _balanced(statement: Flags, gold: Flags, names: Sequence[str], seed: int) -> Interval:
    """How often the checker is right, supported claims and others weighing alike; by answers."""
    weight = np.where(gold, 0.5 / gold.mean(), 0.5 / (~gold).mean())
    right = share((weight * (statement == gold)).tolist(), weight.tolist(), names, seed=seed)
    if right is None:
        raise AssertionError  # there are claims
    return right
