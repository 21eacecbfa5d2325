"""Fit the checker's weights on public claims with people's labels and on claims with one fact changed.

    python benchmarks/checking/fit.py --data DIR            # tables only
    python benchmarks/checking/fit.py --data DIR --write    # and write src/citewell/facts/data/checker.npz

The tables: every set by cross-validation over documents (groups that share a page, premise or claim stay together),
with the whole set left out, and the sets of human contrasts left out all at once. Changed claims are made from one
half of the word lists for training; `measure.py` measures with the other.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
from flipped import with_flips
from measure import table
from rows import CONTRASTS, MEASURE_ONLY, SETS, SOURCES, Row, load
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from citewell.check.facts_checker import read_all
from citewell.document import Document
from citewell.facts.features import names, vector
from citewell.facts.model import CLIP, Blend
from citewell.protocols import Pair

TARGET = Path(__file__).parents[2] / "src/citewell/facts/data/checker.npz"
LEFT_OUT = ("wice_cited", "fever_page", *MEASURE_ONLY)  # the same claims again, or not to be trained on
FLIPS = "flips"
KEPT = 0.75  # of the claims that are changed, so many are to be supported: there a probability of 1/2 is put
# Sets count as 1,000 claims each; captions and machine-made negation less, changed claims more.
COUNTS = {"snli": 0.5, "wanli_part": 0.5, "scone": 0.3, "expertqa": 0.3, "conjnli": 0.5, FLIPS: 3.0}
GRADED = ("salad", "wice", "factcheckbench")  # the sets that know "partially"
# What can only speak for a claim, and what can only speak against it.
FOR = (
    "exact_", "soft_", "plain_", "runs_", "all_", "pairs_", "triples_", "fives_", "order_main", "near",
    "quantity_agrees", "period_agrees",
)  # fmt: skip
AGAINST = (
    "missing", "lacks_", "nowhere", "swap", "added", "is_opposite", "opposite_", "is_sibling", "is_narrower_b",
    "is_narrower_l", "denial_e", "denies", "affirms", "amount_up", "amount_turned", "amount_unb", "modal_up",
    "modal_unb", "order_lacks", "only_lacks", "inverted", "reversed", "swapped", "or_dropped", "conflict", "pooled", "quantity_",
    "period_",
)  # fmt: skip


def direction(name: str) -> int:
    return 1 if name.startswith(FOR) else -1 if name.startswith(AGAINST) else 0


def features(rows: list[Row]) -> np.ndarray:
    """One row of features a claim, by the path that the checker takes; nothing read is nothing supported."""
    documents: dict[tuple[str, ...], tuple[Document, ...]] = {}
    result = np.full((len(rows), len(names())), np.nan)
    for start in range(0, len(rows), 256):
        part = rows[start : start + 256]
        for row in part:
            if row.evidence not in documents:
                documents[row.evidence] = (Document.from_passages(row.evidence),)
        read = read_all([Pair(row.claim, documents[row.evidence]) for row in part])
        for place, one in enumerate(read, start):
            if one.seen:
                result[place] = vector(one.seen)
        documents.clear()
    return result


class Rows:
    """The claims as arrays: features, labels, sets (changed claims are a set of their own), groups."""

    def __init__(self, rows: list[Row]) -> None:
        x = features(rows)
        keep = ~np.isnan(x[:, 0])
        self.rows = [row for row, kept in zip(rows, keep, strict=True) if kept]
        self.x = x[keep]
        self.label = np.array([row.label for row in self.rows])
        self.set = np.array([FLIPS if row.kind else row.set for row in self.rows])
        self.group = np.array([row.group for row in self.rows])
        self.kind = np.array([row.kind for row in self.rows])

    def weights(self, here: np.ndarray) -> np.ndarray:
        result = np.zeros(len(self.set))
        for name in set(self.set[here]):
            own = here & (self.set == name)
            result[own] = COUNTS.get(name, 1.0) * 1000 / own.sum()
        return result / result[here].mean()


def fit(x: np.ndarray, good: np.ndarray, weight: np.ndarray, *, monotone: bool = True) -> Blend:
    """A logistic line and boosted trees on the same rows."""
    centre, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    line = LogisticRegression(C=0.02, max_iter=400)
    line.fit(np.clip((x - centre) / spread, -CLIP, CLIP), good, sample_weight=weight)
    trees = HistGradientBoostingClassifier(
        max_iter=160, learning_rate=0.1, max_leaf_nodes=10, min_samples_leaf=30, l2_regularization=5.0,
        early_stopping=False, random_state=0, monotonic_cst=[direction(name) for name in names()] if monotone else None,
    )  # fmt: skip
    trees.fit(x, good, sample_weight=weight)
    predictors = [stage[0].nodes for stage in trees._predictors]
    size = max(map(len, predictors))
    shape = (len(predictors), size)
    feature, left, right = (np.zeros(shape, dtype=np.int32) for _ in range(3))
    threshold, value = np.full(shape, np.inf), np.zeros(shape)
    for number, nodes in enumerate(predictors):
        count, leaf = len(nodes), nodes["is_leaf"].astype(bool)
        own = np.arange(count)
        feature[number, :count] = np.where(leaf, 0, nodes["feature_idx"])
        threshold[number, :count] = np.where(leaf, np.inf, nodes["num_threshold"])
        left[number, :count] = np.where(leaf, own, nodes["left"])
        right[number, :count] = np.where(leaf, own, nodes["right"])
        value[number, :count] = np.where(leaf, nodes["value"], 0)
    depth = int(max(nodes["depth"].max() for nodes in predictors))
    base = float(np.ravel(trees._baseline_prediction)[0])
    return Blend(
        feature, threshold, left, right, value, centre, spread, line.coef_[0], float(line.intercept_[0]), base, depth
    )


def calibrated(odds: np.ndarray, good: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Slope and shift, both classes weighing the same."""
    weight = weight * np.where(good, 0.5 / weight[good].sum(), 0.5 / weight[~good].sum()) * len(good)
    line = LogisticRegression(C=1e6).fit(odds[:, None], good, sample_weight=weight)
    return float(line.coef_[0, 0]), float(line.intercept_[0])


def crossed(data: Rows, good: np.ndarray, usable: np.ndarray, folds: int = 5) -> np.ndarray:
    """The log odds of every row by a model that has not seen its group."""
    result = np.zeros(len(good))
    for train, test in GroupKFold(folds).split(data.x, good, data.group):
        here = np.zeros(len(good), dtype=bool)
        here[train] = True
        here &= usable
        result[test] = fit(data.x[here], good[here], data.weights(here)[here]).odds(data.x[test])
    return result


def thresholds(data: Rows, probability: np.ndarray) -> dict[str, float]:
    """From where a claim counts as supported at least in part: best macro F1 of three labels on the graded sets."""
    here = np.isin(data.set, GRADED)
    gold = np.select([data.label[here] == "supported", data.label[here] == "partial"], [2, 1], 0)

    def quality(low: float) -> float:
        said = np.select([probability[here] >= 0.5, probability[here] >= low], [2, 1], 0)
        scores = [
            2 * ((said == k) & (gold == k)).sum() / max(1, (said == k).sum() + (gold == k).sum()) for k in range(3)
        ]
        return float(np.mean(scores))

    low = max(np.arange(0.1, 0.5, 0.02), key=quality)
    return {"supported": 0.5, "partial": round(float(low), 2), "contradicted": 0.5}


def show(name: str, rows: list[Row], probability: np.ndarray) -> None:
    print(f"\n#### {name}")
    table(rows, {name: probability.tolist()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=1200, help="about how many claims a set, whole groups")
    parser.add_argument("--flips", type=int, default=100, help="changes of a kind a set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-tables", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()

    people = load(args.data, [name for name in SETS if name not in LEFT_OUT], sample=args.sample, seed=args.seed)
    made = with_flips(
        load(args.data, SOURCES, sample=args.sample, seed=args.seed), args.flips, half="seen", seed=args.seed
    )
    random.Random(args.seed).shuffle(made)
    data = Rows([*people, *made])
    print(f"{len(data.rows)} claims: {dict(Counter(data.set.tolist()))}")
    good, everything = data.label == "supported", np.ones(len(data.rows), dtype=bool)
    weight = data.weights(everything)

    odds = crossed(data, good, everything)
    slope, shift = calibrated(odds, good, weight)
    shift -= float(np.quantile(slope * odds[data.kind == "original"] + shift, 1 - KEPT))
    print(f"slope {slope:.2f}, shift {shift:.2f}")
    probability = 1 / (1 + np.exp(-(slope * odds + shift)))
    if not args.no_tables:
        show("cross-validated over documents", data.rows, probability)
        out = np.zeros(len(good))
        for left in [CONTRASTS, *((name,) for name in sorted(set(data.set)) if name not in CONTRASTS)]:
            test = np.isin(data.set, left)
            train = ~test & ~np.isin(data.group, data.group[test])
            out[test] = fit(data.x[train], good[train], data.weights(train)[train]).odds(data.x[test])
        show("the whole set left out; the contrasts all at once", data.rows, 1 / (1 + np.exp(-(slope * out + shift))))

    tells = np.isin(data.set, sorted(set(data.set[data.label == "contradicted"]))) & ~good
    against = data.label == "contradicted"
    turned = crossed(data, against, tells)
    other = calibrated(turned[tells], against[tells], data.weights(tells)[tells])
    labels = thresholds(data, probability)
    print(f"labels {labels}")

    support = fit(data.x, good, weight)
    opposed = fit(data.x[tells], against[tells], data.weights(tells)[tells], monotone=False)
    about = {
        "made_by": "benchmarks/checking/fit.py",
        "sets": dict(Counter(data.set.tolist())),
        "names": names(),
        "labels": labels,
        "support": {"start": support.start, "base": support.base, "depth": support.depth, "slope": slope, "shift": shift},
        "against": {
            "start": opposed.start, "base": opposed.base, "depth": opposed.depth, "slope": other[0], "shift": other[1]
        },
    }  # fmt: skip
    if args.write:
        write(support, opposed, about)


def write(support: Blend, against: Blend, about: dict[str, object]) -> None:
    """The weights as one small file: four bytes a number are enough."""
    arrays: dict[str, np.ndarray] = {"about": np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)}
    for name, blend in (("support", support), ("against", against)):
        for part in ("feature", "left", "right"):
            arrays[f"{name}_{part}"] = getattr(blend, part).astype(np.int16)
        for part in ("threshold", "value", "centre", "spread", "weights"):
            arrays[f"{name}_{part}"] = getattr(blend, part).astype(np.float32)
    np.savez_compressed(TARGET, **arrays)
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
