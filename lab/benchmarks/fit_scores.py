"""Fit the scale that makes the lexical checker's scores probabilities, and say what it and others are worth.

    python lab/benchmarks/fit_scores.py DATA --out RUNS [--limit 1000] [--write]

Raw scores are those of the same weights given as a user's file, which have no scale. Every set weighs alike. The scale
is fitted on all claims, on the other four fifths of the documents, and on the other sets whole; the error that is left
is told of each set and of all together, beside that of a scale which knows how many of the set's claims are right.
The last sets are never fitted on. One table of each way, as Markdown.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from citewell.facts import model
from citewell.text import files
from citewell_lab.bench import records
from citewell_lab.bench.metrics.reliability import ece
from citewell_lab.bench.run import run
from citewell_lab.bench.tasks import task as find_task
from citewell_lab.papers.reliability import scored

PACKAGE = Path(__file__).resolve().parents[2] / "src/citewell"
WEIGHTS, TARGET = PACKAGE / "facts/data/checker.npz", PACKAGE / "checkers/scale.json"
FITTED = {"attributionbench": "dev", "salad": "test", "wice": "dev", "contract-nli": "dev", "fever": "val"}
ELSEWHERE = {"scifact": "dev", "flips": "dev", "evidence-inference": "validation"}
FEWER = {"evidence-inference": 200}  # claims over whole articles
FOLDS, FREE, LEAST = 5, 1e4, 0.01  # `FREE` leaves a line to the data; `LEAST` holds scores off 0 and 1
KNOT = model.shipped().supported

Told = Callable[[np.ndarray], np.ndarray]


def two_lines(raw: np.ndarray) -> np.ndarray:
    """The columns of the scale that ships: below and above where claims begin to count as supported."""
    return np.c_[np.minimum(raw, KNOT), np.maximum(raw - KNOT, 0)]


def log_odds(raw: np.ndarray) -> np.ndarray:
    """Platt's only column."""
    held = raw.clip(LEAST, 1 - LEAST)
    return np.log(held / (1 - held))[:, None]


def by_columns(columns: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray, np.ndarray, np.ndarray], Told]:
    """A logistic fit on columns of the raw scores."""

    def fit(raw: np.ndarray, right: np.ndarray, weight: np.ndarray) -> Told:
        line = LogisticRegression(C=FREE, max_iter=1000).fit(columns(raw), right, sample_weight=weight)
        return lambda other: line.predict_proba(columns(other))[:, 1]

    return fit


def isotonic(raw: np.ndarray, right: np.ndarray, weight: np.ndarray) -> Told:
    """Shares that never fall."""
    return IsotonicRegression(out_of_bounds="clip").fit(raw, right, sample_weight=weight).predict


WAYS = {
    "as they come": lambda *_: lambda other: other,
    "Platt": by_columns(log_odds),
    "isotonic": isotonic,
    "two lines": by_columns(two_lines),
}


class Items:
    """The claims of all sets: raw score, whether it is right, its set and the part of the documents it is in."""

    def __init__(self, sets: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]) -> None:
        self.raw = np.concatenate([scores for scores, _, _ in sets.values()])
        self.right = np.concatenate([right for _, right, _ in sets.values()])
        self.set = np.repeat(list(sets), [len(scores) for scores, _, _ in sets.values()])
        sources = [f"{name}:{source}" for name, own in sets.items() for source in own[2].tolist()]
        names, where = np.unique(sources, return_inverse=True)
        self.fold = (np.random.default_rng(0).permutation(len(names)) % FOLDS)[where]

    def weight(self, here: np.ndarray) -> np.ndarray:
        """Sets weigh alike."""
        names, where, counts = np.unique(self.set[here], return_inverse=True, return_counts=True)
        return (here.sum() / len(names) / counts)[where]


def scores(data: Path, out: Path, sets: dict[str, str], limit: int) -> Iterator[tuple[str, tuple]]:
    """The raw scores of each set."""
    for name, split in sets.items():
        task, checker = find_task(name), f"lexical(weights={WEIGHTS})"
        if not (out / name / "summary.json").exists():
            run(name, data, split, out=out / name, sample=FEWER.get(name, limit), checker=checker)
        told = scored(task, records.good(records.counted(out / name)[1]))
        yield name, (told.scores, told.right, told.sources)
        print(f"{name}: {len(told.scores)} scores", file=sys.stderr)


def together(chances: np.ndarray, right: np.ndarray, weight: np.ndarray) -> float:
    """The calibration error of all sets as one, each weighing alike."""
    step = np.minimum((chances * 10).astype(int), 9)
    return float(np.abs(np.bincount(step, weight * (chances - right), minlength=10)).sum() / weight.sum())


def loss(chances: np.ndarray, right: np.ndarray, weight: np.ndarray) -> float:
    """The mean log loss."""
    held = chances.clip(LEAST, 1 - LEAST)
    return float(-np.average(np.where(right, np.log(held), np.log(1 - held)), weights=weight))


def at_rate(chances: np.ndarray, rate: float) -> np.ndarray:
    """The chances, their log odds moved together until their mean is the rate."""
    held = chances.clip(1e-4, 1 - 1e-4)
    odds, low, high = np.log(held / (1 - held)), -10.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (1 + np.exp(-(odds + middle)))).mean() < rate else (low, middle)
    return 1 / (1 + np.exp(-(odds + low)))


def told(items: Items, elsewhere: dict[str, tuple]) -> Iterator[str]:
    """The lines of the table."""
    names = list(dict.fromkeys(items.set.tolist()))
    every = np.ones(len(items.raw), dtype=bool)
    weight = items.weight(every)
    yield f"| way | fitted on | all together | log loss | {' | '.join((*names, *elsewhere))} |"
    yield "|---" * (4 + len(names) + len(elsewhere)) + "|"

    def row(way: str, fitted: str, chances: np.ndarray, more: list[float] | None = None) -> str:
        by_set = [ece(chances[items.set == name], items.right[items.set == name]) for name in names] + (more or [])
        cells = [f"{100 * value:.1f}" for value in by_set] + ["" for _ in elsewhere if not more]
        whole = f"{100 * together(chances, items.right, weight):.1f} | {loss(chances, items.right, weight):.3f}"
        return f"| {way} | {fitted} | {whole} | {' | '.join(cells)} |"

    for way, fit in WAYS.items():
        whole = fit(items.raw, items.right, weight)
        there = [ece(whole(raw), right) for raw, right, _ in elsewhere.values()]
        yield row(way, "all, in sample", whole(items.raw), there)
        if way == "as they come":
            continue
        for fitted, part in (("other documents", items.fold), ("other sets", items.set)):
            chances = np.zeros(len(items.raw))
            for value in np.unique(part):
                rest, held = part != value, part == value
                chances[held] = fit(items.raw[rest], items.right[rest], items.weight(rest))(items.raw[held])
            yield row(way, fitted, chances)
        known = np.zeros(len(items.raw))
        for name in names:
            own = items.set == name
            known[own] = at_rate(chances[own], float(items.right[own].mean()))
        yield row(way, "other sets, the share right known", known)


def main() -> None:
    """Print the table; write the scale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    sets = dict(scores(args.data, args.out, FITTED, args.limit))
    items = Items(sets)
    for line in told(items, dict(scores(args.data, args.out, ELSEWHERE, args.limit))):
        print(line)
    line = LogisticRegression(C=FREE, max_iter=1000)
    line.fit(two_lines(items.raw), items.right, sample_weight=items.weight(np.ones(len(items.raw), dtype=bool)))
    below, above = line.coef_[0].tolist()
    values = {
        "knot": [KNOT, "the raw score from which claims count as supported by the weights that ship"],
        "constant": [round(float(line.intercept_[0]), 4), "log odds of the raw score 0"],
        "below": [round(below, 4), "how fast they rise up to the knot"],
        "above": [round(above, 4), "how fast they rise above it"],
    }
    about = {
        "about": "How raw scores of the lexical checker become probabilities.",
        "provenance": "lab/benchmarks/fit_scores.py --write, on " + ", ".join(f"{n} {s}" for n, s in FITTED.items()),
        "licence": "Apache-2.0",
        "claims": {name: len(own[0]) for name, own in sets.items()},
        "weights": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        "values": values,
    }
    print(json.dumps(values))
    if args.write:
        files.write(TARGET, json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
