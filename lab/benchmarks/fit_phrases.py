"""Fit the model of short answers on public questions and write its weights; every figure is cross-validated.

    python lab/benchmarks/fit_phrases.py --data DIR [--write] [--most N] [--penalty X] [--cache FILE]

The sentences are those that the extractive reader gives with the weights in the package, three at most. The chooser
maximises, over a question's phrases, the expected token F1 (squared, so that exact phrases count most) with the gold
answers. The confidence is a logistic regression of whether the chosen phrase shares half of its words with one
(token F1 of 0.5), on the questions that are answered, those without an answer among them. Folds are documents; each
set is left out whole too. Data sets whose licence does not allow it (Natural Questions pages, FinanceBench) are not
used.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse
from fit_extractive import Row
from questions_data import SHORT, Item, fold
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from citewell.generators.extractive.phrases.asking import Asking, asking
from citewell.generators.extractive.phrases.candidates import FORMS, phrases
from citewell.generators.extractive.phrases.chooser import likely, signals
from citewell.generators.extractive.phrases.features import PLAIN, features, names, plain_names
from citewell.generators.extractive.questions import Question
from citewell.generators.extractive.scoring import confidence, fitted, scores
from citewell.generators.extractive.scoring import signals as answered
from citewell.generators.extractive.selection import select
from citewell_lab.bench.metrics.answers import tokens

FOLDS = 5
POWER = 2.0  # of the F1 of a phrase in what is maximised
RIGHT = 0.5  # F1 from which a phrase counts as right
SPREADS = (0.6, 0.8, 1.0, 1.5, 2.0, 3.0)
WRONG = 80  # phrases of a question without any word of the answer that are used, drawn by a seed
STEPS = 80
POINT = 0.01
THRESHOLDS = np.arange(0.1, 0.705, 0.05)
TARGET = Path(__file__).resolve().parents[2] / "src/citewell/generators/extractive/phrases/weights.json"


class Asked(NamedTuple):
    """One question with the phrases of its sentences: features, where they stand, their F1; that of the sentences."""

    dataset: str
    part: int
    question: Question
    wanted: Asking
    places: np.ndarray
    plain: np.ndarray
    spans: np.ndarray
    forms: np.ndarray
    f1: np.ndarray
    whole: float
    exact: np.ndarray
    answerable: bool
    sure: float

    @property
    def numbers(self) -> np.ndarray:
        """The plain numbers, and once more where answers are long."""
        plain = self.plain.astype(np.float32)
        return np.concatenate((plain, plain * (self.wanted.group == "long")), axis=1)


def token_f1s(texts: Sequence[str], golds: Sequence[str]) -> np.ndarray:
    """The best token F1 of each text over the gold answers."""
    wanted = [Counter(tokens(gold)) for gold in dict.fromkeys(golds)]
    known: dict[str, float] = {}
    for text in texts:
        if text not in known:
            have = Counter(tokens(text))
            known[text] = max(
                (
                    2 * (have & want).total() / (have.total() + want.total()) if have and want else float(have == want)
                    for want in wanted
                ),
                default=0.0,
            )
    return np.array([known[text] for text in texts], dtype=np.float32)


def read(item: Item) -> Asked | None:
    """A question with its phrases; None where no sentence may answer."""
    row = Row(item)
    if not len(row.reading.candidates):
        return None
    ranked = scores(row.reading, fitted())
    sure = confidence(answered(row.reading, ranked), fitted())
    picked = select(row.reading, ranked, 3)
    numbers = [number for number in sorted(picked) if not row.reading.where.rows[number]]
    wanted = asking(row.reading.question)
    places, plain, spans, forms, texts = [], [], [], [], []
    for place, number in enumerate(numbers):
        text = row.reading.sentences.segments[number].text
        these = phrases(text)
        made = features(these, wanted, row.reading.question.kind, float(np.log(picked[number])))
        places.append(made.places)
        plain.append(made.plain)
        forms.append(these.form)
        spans += [(place, first, last) for first, last in zip(these.first.tolist(), these.last.tolist(), strict=True)]
        texts += [
            text[these.words.starts[first] : these.words.ends[last]]
            for first, last in zip(these.first.tolist(), these.last.tolist(), strict=True)
        ]
    if not texts or not (item.gold or sure >= fitted().threshold):
        return None
    golds = [item.document.text[span.start : span.end] for span in item.gold]
    f1 = token_f1s(texts, golds)
    passage = " ".join(row.reading.sentences.segments[number].text for number in sorted(picked))
    return Asked(
        item.dataset,
        fold(item, FOLDS),
        row.reading.question,
        wanted,
        np.concatenate(places).astype(np.int16),
        np.concatenate(plain)[:, : len(PLAIN)].astype(np.float16),
        np.array(spans, dtype=np.int16),
        np.concatenate(forms),
        f1,
        float(token_f1s([passage], golds)[0]),
        f1 == 1,
        bool(golds),
        sure,
    )


def fit(rows: Sequence[Asked], penalty: float) -> np.ndarray:
    """The weights of places and, after them, of plain numbers."""
    rng = np.random.default_rng(0)
    rows = [row for row in rows if row.f1.max() >= RIGHT]
    counts = Counter(row.dataset for row in rows)
    kept = [
        np.concatenate((np.flatnonzero(row.f1), rng.permutation(np.flatnonzero(row.f1 == 0))[:WRONG])) for row in rows
    ]
    places = np.concatenate([row.places[use] for row, use in zip(rows, kept, strict=True)])
    plain = np.concatenate([row.plain[use].astype(np.float32) for row, use in zip(rows, kept, strict=True)])
    gain = np.concatenate([row.f1[use] for row, use in zip(rows, kept, strict=True)]) ** np.float32(POWER)
    sizes = np.array([len(use) for use in kept])
    begins, owner = np.concatenate(([0], np.cumsum(sizes)[:-1])), np.repeat(np.arange(len(rows)), sizes)
    weight = np.array([counts[row.dataset] ** -0.5 for row in rows])
    weight = (weight / weight.sum()).astype(np.float32)
    long = np.concatenate([np.full(len(use), row.wanted.group == "long") for row, use in zip(rows, kept, strict=True)])
    pointers = np.arange(0, places.size + 1, places.shape[1])
    shape, count, plains = (len(places), len(names())), len(names()), plain.shape[1]
    once = scipy.sparse.csr_matrix((np.ones(places.size, np.float32), places.ravel().astype(np.int32), pointers), shape)
    turned, rest = once.T.tocsr(), plain[long]
    strength = penalty / len(rows)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        w = w.astype(np.float32)
        z = once @ w[:count] + plain @ w[count : count + plains]
        z[long] += rest @ w[count + plains :]
        e = np.exp(z - np.maximum.reduceat(z, begins)[owner])
        p = e / np.add.reduceat(e, begins)[owner]
        gained = np.add.reduceat(p * gain, begins) + 1e-9
        g = ((p - p * gain / gained[owner]) * weight[owner]).astype(np.float32)
        gradient = np.concatenate((turned @ g, g @ plain, g[long] @ rest)) + strength * w
        return float(-(weight * np.log(gained)).sum() + strength / 2 * w @ w), gradient.astype(np.float64)

    start = np.zeros(count + 2 * plains)
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x


def scored(row: Asked, w: np.ndarray) -> np.ndarray:
    return w[row.places].sum(axis=1) + row.numbers @ w[len(names()) :]


class Chosen(NamedTuple):
    """The phrase chosen for a question: its F1, whether it is the gold answer, what tells whether it is right."""

    f1: float
    exact: bool
    told: dict[str, float]


def chosen(row: Asked, z: np.ndarray, spread: float) -> Chosen:
    order, shares, agreed = likely(z, row.spans, spread)
    best = int(order[int(np.argmax(agreed))])
    _, first, last = row.spans[best].tolist()
    told = signals(shares, agreed, last - first + 1, FORMS[int(row.forms[best])], row.wanted, row.sure)
    return Chosen(float(row.f1[best]), bool(row.exact[best]), told)


def across(rows: Sequence[Asked], part: Callable[[Asked], object], penalty: float) -> list[np.ndarray]:
    """The scores of every question's phrases by a fit without the rows of its part."""
    result: list[np.ndarray] = [np.zeros(0)] * len(rows)
    for value in sorted({part(row) for row in rows}, key=str):
        w = fit([row for row in rows if part(row) != value and row.answerable], penalty)
        for number, row in enumerate(rows):
            if part(row) == value:
                result[number] = scored(row, w)
    return result


def table(title: str, rows: Sequence[Asked], picks: Sequence[Chosen]) -> None:
    """Print what the chosen phrases are worth on the questions that have an answer."""
    print(f"\n{title}\n| set | n | best possible | whole sentences | phrase F1 | exact |\n|---|---|---|---|---|---|")
    for name in sorted({row.dataset for row in rows}):
        of_dataset = [
            (row, pick) for row, pick in zip(rows, picks, strict=True) if row.dataset == name and row.answerable
        ]
        if of_dataset:
            figures = [
                np.mean([row.f1.max() for row, _ in of_dataset]),
                np.mean([row.whole for row, _ in of_dataset]),
                np.mean([pick.f1 for _, pick in of_dataset]),
                np.mean([pick.exact for _, pick in of_dataset]),
            ]
            print(f"| {name} | {len(of_dataset)} | {' | '.join(f'{100 * figure:.1f}' for figure in figures)} |")


def best_threshold(f1: np.ndarray, whole: np.ndarray, sure: np.ndarray, sets: Sequence[np.ndarray]) -> float:
    """The highest threshold within a point of the best mean F1 of the sets, with whole sentences where no phrase is."""
    worth = [np.mean([np.where(sure >= at, f1, whole)[use].mean() for use in sets]) for at in THRESHOLDS]
    return float(max(at for at, mean in zip(THRESHOLDS, worth, strict=True) if mean >= max(worth) - POINT))


def loaded(data: Path, most: int) -> list[Asked]:
    result = []
    for name in SHORT:
        items = list(SHORT[name](data))
        result += [row for row in map(read, items[:: -(-len(items) // most)]) if row]
        print(name, len(items), flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--most", type=int, default=3000, help="questions a set, at most")
    parser.add_argument("--penalty", type=float, default=0.1, help="how much large weights are held back")
    parser.add_argument("--cache", type=Path, help="where to keep the features of each question")
    options = parser.parse_args()

    started = time.time()
    if options.cache and options.cache.exists():
        rows = pickle.loads(options.cache.read_bytes())  # noqa: S301  (our own)
    else:
        rows = loaded(options.data, options.most)
        if options.cache:
            options.cache.write_bytes(pickle.dumps(rows))
    print(f"{len(rows)} questions, {sum(row.answerable for row in rows)} with answers, {time.time() - started:.0f} s")

    z = across(rows, lambda row: row.part, options.penalty)
    print(f"{time.time() - started:.0f} s")
    right = [row.answerable for row in rows]
    names_of = np.array([row.dataset for row in rows])
    sets = sorted({row.dataset for row in rows})

    def worth(spread: float) -> float:
        f1 = np.array([chosen(row, confidence, spread).f1 for row, confidence in zip(rows, z, strict=True)])
        return float(np.mean([f1[(names_of == name) & right].mean() for name in sets]))

    by_spread = {spread: worth(spread) for spread in SPREADS}
    print("mean F1 by spread", {spread: round(100 * value, 1) for spread, value in by_spread.items()})
    spread = max(by_spread, key=lambda key: by_spread[key])
    picks = [chosen(row, messages, spread) for row, messages in zip(rows, z, strict=True)]
    table("by folds", rows, picks)
    for part in range(FOLDS):
        messages = [
            f"{name} {100 * np.mean([p.f1 for r, p in zip(rows, picks, strict=True) if r.part == part and r.dataset == name and r.answerable]):.1f}"
            for name in sets
            if any(r.part == part and r.dataset == name and r.answerable for r in rows)
        ]
        print(f"fold {part}: {', '.join(messages)}")

    known = sorted({name for pick in picks for name in pick.told})
    measured = np.array([[pick.told.get(name, 0.0) for name in known] for pick in picks])
    good = np.array([pick.f1 >= RIGHT for pick in picks])
    is_shown = np.array([row.sure >= fitted().threshold for row in rows])
    counts = Counter(names_of[is_shown].tolist())
    weight = np.array([counts[name] ** -0.5 if counts[name] else 0.0 for name in names_of])
    parts = np.array([row.part for row in rows])

    def sure_of(use: np.ndarray) -> LogisticRegression:
        use = use & is_shown
        return LogisticRegression(C=0.5, max_iter=2000).fit(measured[use], good[use], sample_weight=weight[use])

    sure = np.zeros(len(rows))
    for part in range(FOLDS):
        out = parts == part
        sure[out] = sure_of(~out).predict_proba(measured[out])[:, 1]
    print(
        f"\nanswered {is_shown.sum()}, right {good[is_shown].mean():.3f}, AUROC {roc_auc_score(good[is_shown], sure[is_shown]):.3f}"
    )
    for low in np.arange(0, 1, 0.1):
        within = is_shown & (sure >= low) & (sure < low + 0.1)
        if within.any():
            print(f"  confidence {low:.1f}: {within.sum()} phrases, right {good[within].mean():.3f}")
    f1 = np.array([pick.f1 for pick in picks])
    whole = np.array([row.whole for row in rows])
    print("\n| least | given | right of given | F1 of given | " + " | ".join(sets) + " |")
    print("|---" * (4 + len(sets)) + "|")
    for least in THRESHOLDS:
        is_passed = is_shown & (sure >= least)
        mixed = np.where(sure >= least, f1, whole)
        has = np.array(right)
        figures = [100 * mixed[(names_of == name) & has].mean() for name in sets]
        print(
            f"| {least:.2f} | {is_passed.sum() / is_shown.sum():.3f} | {good[is_passed].mean():.3f} | {f1[is_passed].mean():.3f} | "
            + " | ".join(f"{figure:.1f}" for figure in figures)
            + " |"
        )
    groups = [(names_of == name) & np.array(right) for name in sets]
    by_fold = [best_threshold(f1, whole, sure, [use & (parts != part) for use in groups]) for part in range(FOLDS)]
    kept = [good[is_shown & (parts == part) & (sure >= at)] for part, at in enumerate(by_fold)]
    print("thresholds by fold", [round(at, 2) for at in by_fold], "right", [round(float(k.mean()), 3) for k in kept])
    threshold = best_threshold(f1, whole, sure, groups)
    print(f"threshold of all {threshold:.2f}")
    final = fit([row for row in rows if row.answerable], options.penalty)
    table("in sample", rows, [chosen(row, scored(row, final), spread) for row in rows])
    if options.write:
        model = sure_of(is_shown)
        conf = zip((*known, "constant"), (*model.coef_[0].tolist(), float(model.intercept_[0])), strict=True)
        count = len(names())
        data = {
            "about": "Weights of the phrases that answer questions in a few words: of what holds (places), of plain numbers, of the signals that one is right.",
            "provenance": f"lab/benchmarks/fit_phrases.py on {', '.join(f'{name} {n}' for name, n in sorted(Counter(names_of.tolist()).items()))} questions.",
            "licence": "Apache-2.0",
            "threshold": round(threshold, 2),
            "spread": spread,
            "places": _weights(names(), final[:count]),
            "plain": _weights(plain_names(), final[count:]),
            "confidence": {name: round(value, 4) for name, value in conf},
        }
        TARGET.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        print("written")
    left = across(rows, lambda row: row.dataset, options.penalty)
    table("left out whole", rows, [chosen(row, messages, spread) for row, messages in zip(rows, left, strict=True)])
    print(f"{time.time() - started:.0f} s")


def _weights(named: Sequence[str], values: np.ndarray) -> dict[str, float]:
    return {name: round(float(value), 3) for name, value in zip(named, values, strict=True) if abs(value) >= 0.0005}


if __name__ == "__main__":
    main()
