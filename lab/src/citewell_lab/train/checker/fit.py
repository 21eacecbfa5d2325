"""Claims as features, and the fit of a line and boosted trees; calibration is cross-validated over groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from citewell.checkers.evidence import read
from citewell.document import Document
from citewell.facts.features import names, vector
from citewell.facts.model import CLIP, Blend, Floats, Ints
from citewell.protocols import Pair
from citewell.text.data import read_json, settings
from citewell_lab.train.checker.changed import ORIGINAL
from citewell_lab.train.checker.rows import Row

Flags = npt.NDArray[np.bool_]

FLIPS = "flips"  # the name under which changed claims weigh as a set of their own
_BATCH = 256  # claims whose documents are held at once


def chosen() -> Mapping[str, float]:
    """The settings of the fit."""
    return settings(__package__)


def _list(name: str) -> Any:
    return read_json(__package__, "settings.json")[name]


def features(rows: Sequence[Row]) -> Floats:
    """One row of features a claim, by the path that the checker takes; NaN where there is nothing to read."""
    documents: dict[tuple[str, ...], tuple[Document, ...]] = {}
    result = np.full((len(rows), len(names())), np.nan)
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        for row in batch:
            if row.evidence not in documents:
                documents[row.evidence] = (Document.from_passages(row.evidence),)
        for place, shown in enumerate(read([Pair(row.claim, documents[row.evidence]) for row in batch]), start):
            if shown.seen:
                result[place] = vector(shown.seen)
        documents.clear()
    return result


class Table:
    """The claims in which there is something to read, as arrays."""

    def __init__(self, rows: Sequence[Row]) -> None:
        x = features(rows)
        keep = ~np.isnan(x[:, 0])
        self.rows = [row for row, kept in zip(rows, keep, strict=True) if kept]
        self.x: Floats = x[keep]
        self.label = np.array([row.label for row in self.rows])
        self.set = np.array([FLIPS if row.kind else row.set for row in self.rows])
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
        return np.array([row.kind == ORIGINAL for row in self.rows], dtype=bool)

    @property
    def tells_contradiction(self) -> Flags:
        """The claims that are not supported, of sets that tell a contradiction from silence."""
        return np.isin(self.set, np.unique(self.set[self.contradicted])) & ~self.supported

    @property
    def people(self) -> Flags:
        """The claims that people wrote or judged as they are."""
        return np.asarray(self.set != FLIPS)

    def weights(self, here: Flags) -> Floats:
        """What each claim counts among those of `here`: sets weigh alike, and so do the kinds of false changes."""
        result = np.zeros(len(self.set))
        for name in np.unique(self.set[here]):
            own = here & (self.set == name)
            result[own] = _list("weights").get(name, 1.0) * 1000 / own.sum()
        false = here & (self.set == FLIPS) & ~self.supported
        kind = np.array([row.kind for row in self.rows])
        kinds, whole = np.unique(kind[false]), result[false].sum()
        for name in kinds:
            own = false & (kind == name)
            result[own] = whole / len(kinds) / own.sum()
        weights: Floats = result / result[here].mean()
        return weights


def _signs() -> list[int]:
    """Which way each feature may speak: 1 for a claim, -1 against it, 0 both."""
    pro, contra = tuple(_list("for")), tuple(_list("against"))
    return [1 if name.startswith(pro) else -1 if name.startswith(contra) else 0 for name in names()]


def fit(table: Table, good: Flags, here: Flags, *, signed: bool = True) -> Blend:
    """A logistic line and boosted trees on the claims of `here`; `signed` holds features to what they can speak for."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    x, target, weight = table.x[here], good[here], table.weights(here)[here]
    value = chosen()
    centre, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    line = LogisticRegression(C=value["line_c"], max_iter=int(value["line_steps"]))
    line.fit(np.clip((x - centre) / spread, -CLIP, CLIP), target, sample_weight=weight)
    trees = HistGradientBoostingClassifier(
        max_iter=int(value["trees"]),
        learning_rate=value["rate"],
        max_leaf_nodes=int(value["leaves"]),
        min_samples_leaf=int(value["leaf"]),
        l2_regularization=value["penalty"],
        early_stopping=False,
        random_state=0,
        monotonic_cst=_signs() if signed else None,
    )
    trees.fit(x, target, sample_weight=weight)
    nodes = [stage[0].nodes for stage in trees._predictors]  # noqa: SLF001  (the only way to the trees' arrays)
    base = float(np.ravel(trees._baseline_prediction)[0])  # noqa: SLF001  (the same)
    depth = int(max(tree["depth"].max() for tree in nodes))
    return Blend(*_arrays(nodes), centre, spread, line.coef_[0], float(line.intercept_[0]), base, depth)


def _arrays(trees: Sequence[Any]) -> tuple[Ints, Floats, Ints, Ints, Floats]:
    """Feature, threshold, left, right and value of every node; a leaf points at itself."""
    shape = (len(trees), max(map(len, trees)))
    feature, left, right = (np.zeros(shape, dtype=np.int32) for _ in range(3))
    threshold, value = np.full(shape, np.inf), np.zeros(shape)
    for number, nodes in enumerate(trees):
        own, leaf = np.arange(len(nodes)), nodes["is_leaf"].astype(bool)
        feature[number, : len(nodes)] = np.where(leaf, 0, nodes["feature_idx"])
        threshold[number, : len(nodes)] = np.where(leaf, np.inf, nodes["num_threshold"])
        left[number, : len(nodes)] = np.where(leaf, own, nodes["left"])
        right[number, : len(nodes)] = np.where(leaf, own, nodes["right"])
        value[number, : len(nodes)] = np.where(leaf, nodes["value"], 0)
    return feature, threshold, left, right, value


def crossed(table: Table, good: Flags, usable: Flags) -> Floats:
    """The log odds of every claim by a model that has seen nothing of its group."""
    from sklearn.model_selection import GroupKFold

    result = np.zeros(len(good))
    for train, test in GroupKFold(int(chosen()["folds"])).split(table.x, good, table.group):
        here = np.zeros(len(good), dtype=bool)
        here[train] = True
        result[test] = fit(table, good, here & usable).odds(table.x[test])
    return result


def calibrated(odds: Floats, good: Flags, weight: Floats) -> dict[str, float]:
    """Slope and shift that make log odds a probability."""
    from sklearn.linear_model import LogisticRegression

    line = LogisticRegression(C=1e6).fit(odds[:, None], good, sample_weight=weight)
    return {"slope": float(line.coef_[0, 0]), "shift": float(line.intercept_[0])}


def crossed_calibration(table: Table, odds: Floats, good: Flags, here: Flags) -> tuple[dict[str, float], float]:
    """The calibration on the claims of `here`, and the error of one that has not seen the claim's group."""
    from sklearn.model_selection import GroupKFold

    odds, good, weight, group = odds[here], good[here], table.weights(here)[here], table.group[here]
    chances = np.zeros(len(odds))
    for train, test in GroupKFold(int(chosen()["folds"])).split(odds, good, group):
        chances[test] = probability(odds[test], calibrated(odds[train], good[train], weight[train]))
    return calibrated(odds, good, weight), calibration_error(chances, good, weight)


BINS = 10


def calibration_error(chances: Floats, good: Flags, weight: Floats) -> float:
    """The expected calibration error: how far each tenth of the scale is from its share supported."""
    tenth = np.minimum((chances * BINS).astype(int), BINS - 1)
    gap = np.bincount(tenth, weights=weight * (chances - good), minlength=BINS)
    return float(np.abs(gap).sum() / weight.sum())


def probability(odds: Floats, calibration: Mapping[str, float]) -> Floats:
    """Log odds as calibrated probabilities."""
    result: Floats = 1 / (1 + np.exp(-(calibration["slope"] * odds + calibration["shift"])))
    return result


def thresholds(table: Table, support: Floats) -> dict[str, float]:
    """From which probability a claim counts as supported, and from which share of its words as supported in part.

    The first keeps the share `kept` of the claims that were changed, unchanged; the second has the best macro F1 of
    three labels on the graded sets.
    """
    own = support[table.changed_from]
    supported = round(float(np.quantile(own, 1 - chosen()["kept"])), 3) if len(own) else 0.5
    here = np.isin(table.set, _list("graded"))
    share = table.x[here][:, names().index("near")]
    gold = np.select([table.label[here] == "supported", table.label[here] == "partial"], [2, 1], 0)

    def quality(least: float) -> float:
        said = np.select([support[here] >= supported, share >= least], [2, 1], 0)
        scores = [
            2 * ((said == k) & (gold == k)).sum() / max(1, (said == k).sum() + (gold == k).sum()) for k in range(3)
        ]
        return float(np.mean(scores))

    least = max(np.arange(0.3, 0.9, 0.05), key=quality)
    return {"supported": supported, "partial": round(float(least), 2), "contradicted": 0.5}
