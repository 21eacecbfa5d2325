"""Fit the extractive reader's two models on public questions and write their weights; every figure is cross-validated.

    python lab/benchmarks/fit_extractive.py --data DIR [--write] [--without FEATURE ...]

The ranker maximises the probability (a softmax over a question's candidates) of the sentences that hold an answer.
The confidence is a logistic regression of whether the sentences given hold an answer, on questions with and without
one; the threshold is the one with the best mean of the unanswerable F1 of the sets that have both, chosen on the other
folds where it is reported. Folds are documents; each family of sets is left out whole too. Data sets whose licence
does not allow it (FinanceBench, Natural Questions pages, GovReport) are not used.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from questions_data import SETS, Item, fold, foreign
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from citewell.generators.extractive.candidates import CANDIDATES, Reading, read
from citewell.generators.extractive.features import NAMES
from citewell.generators.extractive.scoring import ODDS, Weights, scores, signals
from citewell.generators.extractive.selection import select

FOLDS = 5
TRAINED = ("squad2", "squad2_passages", "covidqa", "qasper", "clapnq", "nq_pooled", "policyqa")
RANKED = ("squad2", "covidqa", "qasper", "clapnq", "nq_pooled")  # documents with something to choose from
FAMILIES = ("squad2", "covidqa", "qasper", "clapnq", "nq", "policyqa")  # beginnings of the names of sets left out whole
BOTH = ("squad2_passages", "clapnq")  # published with and without answers: what the threshold is chosen by
THRESHOLDS = np.arange(0.1, 0.905, 0.01)
# None of the sets has tables, and few ask for the meaning of an expression, so these are set by hand, by reading
# answers about annual reports.
BY_HAND = {
    "row_label": 2.5,
    "row_figures": 0.5,
    "row_repeated": 1.0,
    "row_misfit": -2.5,
    "columns": 1.5,
    "opposite": -1.5,
    "defines": 4.0,
}
# What words of like meaning count, chosen on public sets, first-sight days and visitors' questions together.
ALIKE = {"alike": 4.0, "alike_around": 2.0}
BY_HAND_CONFIDENCE = {"best_row_label": 1.0, "best_defines": 2.0, "best_row_misfit": -2.0, "no_number": -1.5}
CELLS = 0.35  # no set here has grids: as it was chosen by risk and coverage before
TARGET = Path(__file__).resolve().parents[2] / "src/citewell/generators/extractive/weights.json"


class Row:
    """One question read: its candidates and which of them are right."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.reading: Reading = read(item.question, [item.document])
        self.right = np.array([self.holds(int(number)) for number in self.reading.candidates], dtype=bool)

    def holds(self, number: int) -> bool:
        segment = self.reading.sentences.segments[number]
        return any(span.start < segment.end and segment.start < span.end for span in self.item.gold)

    @property
    def answerable(self) -> bool:
        return bool(self.item.gold)


def weigh(rows: list[Row], power: float) -> np.ndarray:
    """Each data set counts with its size to the power of 1 - `power`: 1 makes all sets equal, 0 all questions."""
    names = [row.item.dataset for row in rows]
    sizes = {name: names.count(name) for name in set(names)}
    raw = np.array([sizes[name] ** -power for name in names])
    return raw / raw.mean()


def fit_rank(rows: list[Row], strength: float = 1e-3) -> np.ndarray:
    rows = [row for row in rows if row.right.any() and row.item.dataset in RANKED]
    x = np.zeros((len(rows), CANDIDATES, len(NAMES)), dtype=np.float32)
    mask = np.zeros((len(rows), CANDIDATES), dtype=bool)
    gold = np.zeros_like(mask)
    for number, row in enumerate(rows):
        count = len(row.right)
        x[number, :count], mask[number, :count], gold[number, :count] = row.reading.features, True, row.right
    weight = weigh(rows, 1.0)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = np.where(mask, x @ w.astype(np.float32), -np.inf)
        every, right = logsumexp(z, axis=1), logsumexp(np.where(gold, z, -np.inf), axis=1)
        p = np.exp(z - every[:, None])
        q = np.where(gold, np.exp(z - right[:, None]), 0)
        gradient = np.einsum("nc,ncf->f", ((p - q) * weight[:, None]).astype(np.float32), x) / len(rows)
        return float((weight * (every - right)).mean() + strength / 2 * w @ w), gradient + strength * w

    return minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B").x


def fit_confidence(x: np.ndarray, y: np.ndarray, weight: np.ndarray, strength: float = 4.0) -> np.ndarray:
    """The weights of the signals and, last, the constant, which is not held back.

    Signals are left in their own units (shares, and counts up to four): brought to one spread, rare ones would get
    weights that a table or a list of other documents turns into certainties.
    """
    model = LogisticRegression(C=1 / strength, max_iter=2000).fit(x, y, sample_weight=weight)
    return np.append(model.coef_[0], model.intercept_)


def judged(row: Row, ranked: np.ndarray) -> tuple[bool, bool, bool]:
    """Whether the best candidate, the three best, the sentences given hold an answer."""
    order = np.argsort(-ranked, kind="stable")
    picked = select(row.reading, ranked, 3)
    return bool(row.right[order[0]]), bool(row.right[order[:3]].any()), any(row.holds(number) for number in picked)


def unanswerable(answerable: np.ndarray, kept: np.ndarray) -> float:
    """The mean F1 of both classes: with and without an answer."""
    wrong = int((answerable != kept).sum())
    both = (2 * int((answerable & kept).sum()), 2 * int((~answerable & ~kept).sum()))
    return sum(twice / max(1, twice + wrong) for twice in both) / 2


def report(
    rows: list[Row],
    names: np.ndarray,
    ranked: list[np.ndarray],
    results: list[tuple[bool, bool, bool]],
    sure: np.ndarray,
    right: np.ndarray,
    weight: np.ndarray,
) -> None:
    """Print what the cross-validated models do."""
    answerable = np.array([row.answerable for row in rows])
    print("\n| set | questions | answerable | among candidates | hit@1 | hit@3 | hit given | sentences given |")
    print("|---|---|---|---|---|---|---|---|")
    for name in TRAINED:
        pick = (names == name) & answerable
        some = [(row, result) for row, result, use in zip(rows, results, pick, strict=True) if use]
        counts = [len(select(r.reading, s, 3)) for r, s, use in zip(rows, ranked, pick, strict=True) if use]
        print(
            f"| {name} | {(names == name).sum()} | {len(some)} | {np.mean([r.right.any() for r, _ in some]):.3f} | "
            + " | ".join(f"{np.mean([x[k] for _, x in some]):.3f}" for k in range(3))
            + f" | {np.mean(counts):.2f} |"
        )
    print(
        f"\nconfidence: AUROC of right {roc_auc_score(right, sure):.3f}, of answerable {roc_auc_score(answerable, sure):.3f}"
    )
    for name in np.unique(names):
        pick = names == name
        if right[pick].any() and not right[pick].all():
            line = f"  {name}: right {roc_auc_score(right[pick], sure[pick]):.3f}, mean confidence {sure[pick].mean():.3f}, share right {right[pick].mean():.3f}"
            if answerable[pick].any() and not answerable[pick].all():
                line += f", answerable {roc_auc_score(answerable[pick], sure[pick]):.3f}"
            print(line)
        else:
            print(f"  {name}: mean confidence {sure[pick].mean():.3f}, share right {right[pick].mean():.3f}")
    edges = np.linspace(0, 1, 11)
    bins = np.clip(np.digitize(sure, edges) - 1, 0, 9)
    gap = sum(
        weight[bins == b].sum() * abs(np.average(sure[bins == b] - right[bins == b], weights=weight[bins == b]))
        for b in range(10)
        if (bins == b).any()
    )
    print(f"expected calibration error {gap / weight.sum():.3f}")
    sets = [name for name in ("squad2", *BOTH) if (names == name).any()]
    print("\nunanswerable F1: macro mean of both classes")
    print(f"| threshold | answered of answerable | right of answered | answered of unanswerable | {' | '.join(sets)} |")
    print("|---" * (4 + len(sets)) + "|")
    for threshold in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7):
        kept = sure >= threshold
        a = np.average(kept[answerable], weights=weight[answerable])
        r = np.average(right[kept], weights=weight[kept]) if kept.any() else float("nan")
        u = np.average(kept[~answerable], weights=weight[~answerable])
        f1 = [unanswerable(answerable[names == name], kept[names == name]) for name in sets]
        print(f"| {threshold:.2f} | {a:.3f} | {r:.3f} | {u:.3f} | {' | '.join(f'{value:.3f}' for value in f1)} |")


def best_threshold(names: np.ndarray, answerable: np.ndarray, sure: np.ndarray, pick: np.ndarray) -> float:
    """The threshold with the best mean unanswerable F1 of the sets with and without answers, among the picked rows."""
    sets = [pick & (names == name) for name in BOTH if (pick & (names == name)).any()]
    scored = [np.mean([unanswerable(answerable[s], sure[s] >= t) for s in sets]) for t in THRESHOLDS]
    return float(THRESHOLDS[int(np.argmax(scored))])


def across(
    measured: np.ndarray, right: np.ndarray, weight: np.ndarray, parts: np.ndarray, values: Iterable[object]
) -> np.ndarray:
    """The confidence of each row by a fit without the rows of its part."""
    sure = np.zeros(len(right))
    for value in values:
        out = parts == value
        w = fit_confidence(measured[~out], right[~out], weight[~out])
        sure[out] = 1 / (1 + np.exp(-(measured[out] @ w[:-1] + w[-1])))
    return sure


def told_at(title: str, names: np.ndarray, answerable: np.ndarray, sure: np.ndarray, at: np.ndarray) -> None:
    """Print the unanswerable F1 of each set with both kinds, each row with its own threshold."""
    kept = sure >= at
    for name in ("squad2", *BOTH):
        s = names == name
        wrong = kept[s & ~answerable].mean()
        figures = f"{unanswerable(answerable[s], kept[s]):.3f}, AUROC {roc_auc_score(answerable[s], sure[s]):.3f}"
        print(f"{title} | {name}: UF1 {figures}, answered without an answer {wrong:.3f}, n {s.sum()}")


def loaded(data: Path, most: int) -> list[Item]:
    """At most `most` questions a set, evenly taken, and questions asked of other documents."""
    items = []
    for name in TRAINED:
        own = list(SETS[name](data))
        items += own[:: -(-len(own) // most)]
    return items + list(foreign(items, 4))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--without", nargs="*", default=[], help="features to leave out, to see what they are worth")
    parser.add_argument("--most", type=int, default=2000, help="questions a set, at most")
    parser.add_argument("--cache", type=Path, help="where to keep the signals and figures of each question")
    options = parser.parse_args()

    started = time.time()
    items = loaded(options.data, options.most)
    rows = [row for row in map(Row, items) if len(row.reading.candidates)]
    print(f"{len(items)} questions, {len(rows)} with candidates, read in {time.time() - started:.0f} s")
    for name in options.without:
        for row in rows:
            row.reading.features[:, NAMES.index(name)] = 0

    parts = np.array([fold(row.item, FOLDS) for row in rows])
    ranked: list[np.ndarray] = [np.zeros(0)] * len(rows)
    for part in range(FOLDS):
        weights = Weights(fit_rank([row for row, n in zip(rows, parts, strict=True) if n != part]), {}, {}, 0.0, 0.0)
        for number in np.flatnonzero(parts == part):
            ranked[number] = scores(rows[number].reading, weights)
    results = [judged(row, score) for row, score in zip(rows, ranked, strict=True)]
    told = [signals(row.reading, score) for row, score in zip(rows, ranked, strict=True)]
    known = sorted({name for signal in told for name in signal})
    measured = np.array([[signal.get(name, 0.0) for name in known] for signal in told])
    right = np.array([result[2] for result in results])
    answerable = np.array([row.answerable for row in rows])
    weight = weigh(rows, 0.5)
    names = np.array([row.item.dataset for row in rows])
    if options.cache:
        groups = np.array([row.item.group for row in rows])
        options.cache.write_bytes(pickle.dumps((names, groups, parts, known, measured, right, answerable, weight)))

    sure = across(measured, right, weight, parts, range(FOLDS))
    report(rows, names, ranked, results, sure, right, weight)
    print()
    by_fold = [best_threshold(names, answerable, sure, parts != part) for part in range(FOLDS)]
    print("threshold by fold", [round(t, 2) for t in by_fold])
    told_at("folds, threshold of the other folds", names, answerable, sure, np.array(by_fold)[parts])
    threshold = best_threshold(names, answerable, sure, parts >= 0)
    print(f"threshold of all {threshold:.2f}")
    families = np.array([next(f for f in FAMILIES if name.startswith(f)) for name in names])
    without = across(measured, right, weight, families, FAMILIES)
    for family in FAMILIES:
        s = families == family
        print(f"left out whole: {family}: right AUROC {roc_auc_score(right[s], without[s]):.3f}")
    at = {family: best_threshold(names, answerable, without, families != family) for family in FAMILIES}
    others = np.array([at[family] for family in families.tolist()])
    told_at("left out whole, threshold of the other sets", names, answerable, without, others)

    simple = [n for n, name in enumerate(known) if name not in ODDS]
    plain = across(measured[:, simple], right, weight, parts, range(FOLDS))
    told_at("without the odds, for rows and definitions", names, answerable, plain, np.full(len(rows), threshold))
    final = fit_rank(rows)
    conf = fit_confidence(measured, right, weight)
    fitted = 1 / (1 + np.exp(-(measured @ conf[:-1] + conf[-1])))
    told_at("in sample", names, answerable, fitted, np.full(len(rows), threshold))
    print("\nrank", {name: round(float(value), 2) for name, value in zip(NAMES, final, strict=True)})
    print("confidence", {n: round(float(v), 2) for n, v in zip((*known, "constant"), conf, strict=True)})
    if options.write:
        rowless = fit_confidence(measured[:, simple], right, weight)
        data = {
            "fitted_on": {name: int((names == name).sum()) for name in np.unique(names).tolist()},
            "threshold": round(threshold, 2),
            "threshold_cells": CELLS,
            "rank": {name: round(float(value), 4) for name, value in zip(NAMES, final, strict=True)} | BY_HAND | ALIKE,
            "confidence": _weights(known, conf) | BY_HAND_CONFIDENCE,
            "confidence_plain": _weights([known[n] for n in simple], rowless) | BY_HAND_CONFIDENCE,
        }
        TARGET.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(f"{time.time() - started:.0f} s")


def _weights(names: Sequence[str], values: np.ndarray) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip((*names, "constant"), values, strict=True)}


if __name__ == "__main__":
    main()
