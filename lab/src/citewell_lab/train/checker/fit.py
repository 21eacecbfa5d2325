"""Fits the checker's lines to claims as features: sets and kinds weigh alike, signs are constrained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.checkers.evidence import read
from citewell.document import Document
from citewell.facts.features import SUPPORTING, names, vector
from citewell.facts.model import Floats, Line
from citewell.protocols import Pair
from citewell.text.data import read_json, settings
from citewell_lab.train.checker.changed import ORIGINAL
from citewell_lab.train.checker.rows import Row

Flags = npt.NDArray[np.bool_]

FLIPS = "flips"  # the name under which changed claims weigh as a set of their own
BINS = 10
_BATCH = 256  # claims whose documents are in memory at once


def chosen() -> Mapping[str, float]:
    """The settings of the fit."""
    return settings(__package__)


def _list(name: str) -> Any:
    return read_json(__package__, "settings.json")[name]


def features(rows: Sequence[Row]) -> Floats:
    """(n, F) features of n claims, by the path that the checker takes; NaN where there is nothing to read."""
    return measured(rows)[:, :-1]


def measured(rows: Sequence[Row]) -> Floats:
    """(n, F + 1) the same, and last the share of each claim's words that stands in the evidence or next to it."""
    documents: dict[tuple[str, ...], tuple[Document, ...]] = {}
    result = np.full((len(rows), len(names()) + 1), np.nan)
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        for row in batch:
            if row.evidence not in documents:
                documents[row.evidence] = (Document.from_passages(row.evidence),)
        for place, document in enumerate(read([Pair(row.claim, documents[row.evidence]) for row in batch]), start):
            if document.alignment:
                result[place] = [*vector(document.alignment), document.alignment.near]
        documents.clear()
    return result


class Table:
    """The claims in which there is something to read, as arrays."""

    def __init__(self, rows: Sequence[Row], values: Floats | None = None) -> None:
        """`values` are what `measured` gave for the rows, where that was kept."""
        values = measured(rows) if values is None else values
        keep = ~np.isnan(values[:, 0])
        self.rows = [row for row, kept in zip(rows, keep, strict=True) if kept]
        self.x: Floats = values[keep, :-1]
        self.near: Floats = values[keep, -1]
        self.label = np.array([row.label for row in self.rows])
        self.kind = np.array([row.kind for row in self.rows])
        self.set = np.array([FLIPS if row.kind else row.set for row in self.rows])
        self.source = np.array([row.set for row in self.rows])
        self.group = np.array([row.group for row in self.rows])

    @property
    def supported(self) -> Flags:
        """Whether people found each claim supported."""
        return np.asarray(self.label == "supported")

    @property
    def contradicted(self) -> Flags:
        """Whether the evidence says otherwise."""
        return np.asarray(self.label == "contradicted")

    @property
    def changed_from(self) -> Flags:
        """The unchanged claims among those that were made for the fit: what a change of one fact is told from."""
        return np.asarray(self.kind == ORIGINAL)

    @property
    def tells_contradiction(self) -> Flags:
        """The claims that are not supported, of sets that tell a contradiction from silence."""
        return np.isin(self.set, np.unique(self.set[self.contradicted])) & ~self.supported

    @property
    def people(self) -> Flags:
        """The claims that people wrote or judged as they are."""
        return np.asarray(self.set != FLIPS)

    def weights(self, here: Flags) -> Floats:
        """What each claim counts among those of `here`.

        People's contrasts, natural statements and changed claims count alike, and so do the sets of each.
        """
        result = np.zeros(len(self.set))
        contrasts = np.isin(self.source, _list("contrasts"))
        for members in (here & self.people & contrasts, here & self.people & ~contrasts, here & ~self.people):
            sets = np.unique(self.source[members])
            for name in sets:
                part = members & (self.source == name)
                result[part] = 1 / len(sets) / part.sum()
        weights: Floats = result / result[here].mean()
        return weights


def fit(table: Table, good: Flags, here: Flags, *, against: bool = False) -> Line:
    """The line on the claims of `here` that gives the most likely probabilities of `good`.

    What speaks for a claim never counts against it, nor the other way round; what does not help gets no weight.
    """
    from scipy.optimize import minimize

    x, target, weight = table.x[here], good[here], table.weights(here)[here] / here.sum()
    spread = x.std(axis=0) + 1e-6
    z = x / spread
    sign = np.array([1.0 if name in SUPPORTING else -1.0 for name in names()]) * (-1 if against else 1)
    turn = np.where(target, 1.0, -1.0)
    value = chosen()
    square, plain = value["square"], value["plain"]

    def loss(line: Floats) -> tuple[float, Floats]:
        rates = line[:-1]
        odds = turn * (z @ rates + line[-1])
        slope = -turn * weight / (1 + np.exp(odds))
        total = float((np.logaddexp(0, -odds) * weight).sum() + square * (rates**2).sum() / 2 + plain * (sign @ rates))
        return total, np.append(z.T @ slope + square * rates + plain * sign, slope.sum())

    bounds = [(0, None) if sign_item > 0 else (None, 0) for sign_item in sign]
    matches = minimize(loss, np.zeros(len(sign) + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)])
    return Line(np.round(matches.x[:-1] / spread, 4), round(float(matches.x[-1]), 4))


def crossed(table: Table, good: Flags, usable: Flags, *, against: bool = False) -> Floats:
    """The probability of every claim by a line that has seen nothing of its group."""
    from sklearn.model_selection import GroupKFold

    result = np.zeros(len(good))
    for train, test in GroupKFold(int(chosen()["folds"])).split(table.x, good, table.group):
        here = np.zeros(len(good), dtype=bool)
        here[train] = True
        result[test] = fit(table, good, here & usable, against=against).probability(table.x[test])
    return result


def calibration_error(chances: Floats, good: Flags, weight: Floats) -> float:
    """The expected calibration error: how far each tenth of the scale is from its share supported."""
    tenth = np.minimum((chances * BINS).astype(int), BINS - 1)
    gap = np.bincount(tenth, weights=weight * (chances - good), minlength=BINS)
    return float(np.abs(gap).sum() / weight.sum())


def thresholds(table: Table, support: Floats) -> dict[str, float]:
    """The probabilities from which labels hold, and the share of a claim's words from which it is supported in part.

    The share has the best macro F1 of three labels on the sets that know claims which are supported in part.
    """
    value = chosen()
    supported = value["supported"]
    here = np.isin(table.set, _list("graded"))
    share = table.near[here]
    gold = np.select([table.label[here] == "supported", table.label[here] == "partial"], [2, 1], 0)

    def quality(least: float) -> float:
        labels = np.select([support[here] >= supported, share >= least], [2, 1], 0)
        scores = [
            2 * ((labels == k) & (gold == k)).sum() / max(1, (labels == k).sum() + (gold == k).sum()) for k in range(3)
        ]
        return float(np.mean(scores))

    least = max(np.arange(0.3, 0.9, 0.05), key=quality)
    return {"supported": supported, "partial": round(float(least), 2), "contradicted": value["contradicted"]}
