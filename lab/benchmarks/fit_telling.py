"""Fit how sentences tell what a question asks: the order of sentences, and how likely the best ones answer.

    python lab/benchmarks/fit_telling.py --data DIR [--write]

Questions of the first-sight days and of public sets. Texts that are here to measure by alone (FinanceBench, whole pages of
Natural Questions, GovReport, the tables of ICDAR) are not fitted on, nor are the questions about them. Every figure is of
a day, or of a kind of document, that was left out whole.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import first_sight
import numpy as np
from fit_extractive import fit_confidence
from questions_data import SETS, foreign
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.metrics import roc_auc_score

from citewell.generators.extractive import scoring, telling
from citewell.generators.extractive.candidates import Reading, read
from citewell.generators.extractive.generator import select

SEED = 20261126
DAYS = Path(__file__).parents[1] / "first_sight"
TRAINED = ("contractnli", "evidence_inference", "covidqa", "qasper", "policyqa", "squad2")
PUBLIC = {"squad2": 240, "clapnq": 240, "covidqa": 200, "qasper": 110, "nq_pooled": 200, "policyqa": 150}
PUBLIC_WEIGHT = {"sentence": 0.5, "confidence": 0.2}  # of a public question against one of a day
STRENGTH = 0.02  # of the order's weights, held back in units of their spread
CONFIDENCE_STRENGTH = 1 / 0.03
MOST_RIGHT = 12  # candidates that hold an accepted string, from which it is too common to tell the right ones
KINDS = "asks_"  # signals of the kind of question: writers ask prices where there are none, which says nothing of other texts
TARGET = Path(telling.__file__).with_name("telling.json")


class Row(NamedTuple):
    """A question read. `places` are the candidates that were measured, `right` which of all candidates answer."""

    group: str
    family: str
    document: str
    reading: Reading
    ranked: np.ndarray
    places: np.ndarray
    measured: list[dict[str, float]]
    right: np.ndarray
    holds: Callable[[list[int]], bool]
    answerable: bool


def _row(
    group: str, family: str, document: str, reading: Reading, holds: Callable[[list[int]], bool], answerable: bool
) -> Row | None:
    if not len(reading.candidates) or reading.question.meaning:
        return None
    ranked = scoring.scores(reading, scoring.fitted())
    order = np.argsort(-ranked, kind="stable")
    rows = reading.where.rows[reading.candidates]
    if rows[order[0]]:
        return None
    places = order[: telling.MOST][~rows[order[: telling.MOST]]]
    right = np.array([answerable and holds([int(number)]) for number in reading.candidates])
    return Row(
        group, family, document, reading, ranked, places, telling.measured(reading, places), right, holds, answerable
    )


def of_days(data: Path) -> Iterator[Row]:
    """The questions of all days that are put to one document that may be fitted on."""
    for day in sorted(path.name for path in DAYS.iterdir() if path.is_dir()):
        documents = first_sight.Documents(data, DAYS / day)
        for question in documents.rows("questions"):
            family = question["documents"][0].split("/")[0]
            if (question.get("turn") or 1) > 1 or len(question["documents"]) > 1 or family not in TRAINED:
                continue
            document = documents.load(question["documents"][0], question["names"][0] or "")
            reading = read(question["question"], [document])

            def holds(numbers: list[int], reading: Reading = reading, question: Any = question) -> bool:
                text = " ".join(reading.sentences.segments[number].text for number in sorted(numbers))
                return first_sight._says(text, question)

            name = f"{question['documents'][0]} {question['names'][0]}"
            if row := _row(day, family, name, reading, holds, not question["unanswerable"]):
                yield row


def of_sets(data: Path) -> Iterator[Row]:
    """Samples of the public sets, and some of their questions put to another document."""
    for name, most in PUBLIC.items():
        items = list(SETS[name](data))
        random.Random(SEED).shuffle(items)
        for item in (*items[:most], *foreign(items[: most * 2], 8)):
            reading = read(item.question, [item.document])

            def holds(numbers: list[int], reading: Reading = reading, gold: Any = item.gold) -> bool:
                some = [reading.sentences.segments[number] for number in numbers]
                return any(span.start < part.end and part.start < span.end for span in gold for part in some)

            if row := _row("public", name, item.group, reading, holds, bool(item.gold)):
                yield row


def fit_order(rows: list[Row], names: list[str]) -> dict[str, float]:
    """The weights that make the sentences that answer likeliest, a softmax over the candidates that were measured."""
    rows = [
        row
        for row in rows
        if row.right.sum() > 0
        and row.right[row.places].any()
        and (row.group == "public" or row.right.sum() <= MOST_RIGHT)
    ]
    x = np.zeros((len(rows), telling.MOST, len(names) + 1))
    mask = np.zeros(x.shape[:2], dtype=bool)
    gold = mask.copy()
    for number, row in enumerate(rows):
        count = len(row.places)
        x[number, :count] = _matrix(row, names)
        mask[number, :count], gold[number, :count] = True, row.right[row.places]
    weight = np.array([PUBLIC_WEIGHT["sentence"] if row.group == "public" else 1.0 for row in rows])
    weight /= weight.sum()
    spread = x[mask].std(axis=0) + 1e-3
    x /= spread

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = np.where(mask, x @ w, -np.inf)
        every, right = logsumexp(z, axis=1), logsumexp(np.where(gold, z, -np.inf), axis=1)
        p, q = np.exp(z - every[:, None]), np.where(gold, np.exp(z - right[:, None]), 0)
        return float(weight @ (every - right) + STRENGTH / 2 * w @ w), np.einsum(
            "nc,ncf->f", (p - q) * weight[:, None], x
        ) + STRENGTH * w

    found = minimize(loss, np.zeros(x.shape[2]), jac=True, method="L-BFGS-B").x / spread
    return dict(zip(("before", *names), found.tolist(), strict=True))


def _matrix(row: Row, names: list[str]) -> np.ndarray:
    before = row.ranked[row.places][:, None]
    return np.hstack([before, [[sentence.get(name, 0.0) for name in names] for sentence in row.measured]])


def ordered(row: Row, fits: dict[str, float], names: list[str]) -> np.ndarray:
    """The candidates' log odds, as `telling.reranked` has them."""
    gains = _matrix(row, names)[:, 1:] @ np.array([fits[name] for name in names])
    result = row.ranked * fits["before"]
    result[row.places] += gains - gains[0]
    return result.astype(np.float32)


def crossed(
    rows: list[Row], names: list[str], key: Callable[[Row], str]
) -> tuple[list[np.ndarray], list[dict[str, float]], np.ndarray, np.ndarray]:
    """By fits without the rows of each part and without its documents: the order, signals, what is right, confidence."""
    parts = np.array([key(row) for row in rows])
    order: list[np.ndarray] = [np.zeros(0)] * len(rows)
    for part in sorted(set(parts)):
        kept = _others(rows, parts, part)
        fits = fit_order([row for row, use in zip(rows, kept, strict=True) if use], names)
        for number in np.flatnonzero(parts == part):
            order[number] = ordered(rows[number], fits, names)
    signals = [_signals(row.reading, ranked) for row, ranked in zip(rows, order, strict=True)]
    right = np.array(
        [
            row.answerable and row.holds(list(select(row.reading, ranked, 3)))
            for row, ranked in zip(rows, order, strict=True)
        ]
    )
    x, _ = tabled(signals)
    sure = np.zeros(len(rows))
    for part in sorted(set(parts)):
        w = fit_sure(x, right, rows, _others(rows, parts, part))
        out = parts == part
        sure[out] = 1 / (1 + np.exp(-(x[out] @ w[:-1] + w[-1])))
    return order, signals, right, sure


def _signals(reading: Reading, ranked: np.ndarray) -> dict[str, float]:
    return scoring.signals(reading, ranked) | telling.signals(reading, np.argsort(-ranked, kind="stable"))


def tabled(signals: list[dict[str, float]]) -> tuple[np.ndarray, list[str]]:
    """The signals as a table, and their names, without the kind of question."""
    known = sorted({name for signal in signals for name in signal if not name.startswith(KINDS)})
    return np.array([[signal.get(name, 0.0) for name in known] for signal in signals]), known


def fit_sure(x: np.ndarray, right: np.ndarray, rows: list[Row], use: np.ndarray) -> np.ndarray:
    """The confidence's weights, held back in units of the signals' spread."""
    weight = np.array([PUBLIC_WEIGHT["confidence"] if row.group == "public" else 1.0 for row in rows])[use]
    spread, centre = x[use].std(axis=0) + 1e-3, x[use].mean(axis=0)
    w = fit_confidence((x[use] - centre) / spread, right[use], weight, CONFIDENCE_STRENGTH)
    return np.append(w[:-1] / spread, w[-1] - w[:-1] @ (centre / spread))


def _others(rows: list[Row], parts: np.ndarray, part: str) -> np.ndarray:
    documents = {row.document for row, own in zip(rows, parts == part, strict=True) if own}
    return np.array([own != part and row.document not in documents for row, own in zip(rows, parts, strict=True)])


def report(
    title: str, rows: list[Row], order: list[np.ndarray], right: np.ndarray, sure: np.ndarray, parts: list[str]
) -> None:
    """Print a line for each part of the days, and for all of them."""
    print(
        f"\n| {title} | n | first right before | now | AUROC | at 0.4: right, wrong, unanswerable | at 0.5 |\n|---|---|---|---|---|---|---|"
    )
    days = np.array([row.group != "public" for row in rows])
    answerable = np.array([row.answerable for row in rows])
    first = [
        np.array([row.right[int(np.argmax(some))] for row, some in zip(rows, these, strict=True)])
        for these in ([row.ranked for row in rows], order)
    ]
    for name in ("all", *sorted(set(np.array(parts)[days]))):
        use = days & ((np.array(parts) == name) | (name == "all"))
        some = use & answerable
        counts = []
        for least in (0.4, 0.5):
            kept = use & (sure >= least)
            counts.append(f"{(kept & right).sum()}, {(kept & ~right & answerable).sum()}, {(kept & ~answerable).sum()}")
        auroc = roc_auc_score(right[use], sure[use]) if 0 < right[use].sum() < use.sum() else float("nan")
        print(
            f"| {name} | {use.sum()} | {first[0][some].mean():.3f} | {first[1][some].mean():.3f} | {auroc:.3f} | {' | '.join(counts)} |"
        )
    print(
        "confidence and share right by tenths:",
        ", ".join(
            f"{sure[use].mean():.2f} {right[use].mean():.2f} ({use.sum()})"
            for low in np.arange(0, 1, 0.1)
            if (use := days & (sure >= low) & (sure < low + 0.1)).any()
        ),
    )


def main() -> None:
    """Fit, print what the fits do on parts that they have not seen, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    rows = [*of_days(options.data), *of_sets(options.data)]
    names = sorted({name for row in rows for sentence in row.measured for name in sentence})
    print(Counter(row.family for row in rows if row.group != "public"), len(rows))
    for title, key in (("left out day", lambda row: row.group), ("left out kind", lambda row: row.family)):
        order, signals, right, sure = crossed(rows, names, key)
        report(title, rows, order, right, sure, [key(row) for row in rows])
    fits = fit_order(rows, names)
    x, known = tabled(signals)
    w = fit_sure(x, right, rows, np.ones(len(rows), dtype=bool))
    found = {
        "sentence": {name: round(value, 4) for name, value in fits.items()},
        "confidence": {name: round(float(value), 4) for name, value in zip((*known, "constant"), w, strict=True)},
    }
    print(json.dumps(found))
    if options.write:
        data = json.loads(TARGET.read_text(encoding="utf-8"))
        TARGET.write_text(json.dumps(data | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
