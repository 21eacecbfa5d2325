"""The two fitted models of the extractive reader: which candidate answers, and how likely the best one does.

Both are linear over the features of `features.py`; `benchmarks/fit_extractive.py` fits them and writes
`extractive.json`, which also says on how many questions and with what error.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.features import NAMES
from citewell.generators.extractive.questions import KINDS
from citewell.generators.extractive.settings import PACKAGE
from citewell.text.data import read_json
from citewell.text.index import Floats

_OF_BEST = (
    "own", "soft", "around", "neighbours", "paragraph", "headings", "context", "bm25", "pairs", "rarest", "full",
    "focus", "years_around", "names_around", "short", "row_label", "whole", "counted", "opening",
    "answer_kind", "defines", "row_misfit",
)  # fmt: skip
SIGNALS = (
    "score", "margin", "share", *(f"best_{name}" for name in _OF_BEST), "fits", "missing", "missing_anywhere",
    "few_words", "one_word", "no_number", "alternatives", *(f"asks_{kind}" for kind in KINDS),
)  # fmt: skip


class Weights(NamedTuple):
    """Fitted weights: `rank` of NAMES, `confidence` of SIGNALS plus a last constant."""

    rank: Floats
    confidence: Floats


@cache
def fitted() -> Weights:
    """The weights that come with the package."""
    data = read_json(PACKAGE, "weights.json")
    rank = np.array([data["rank"].get(name, 0.0) for name in NAMES], dtype=np.float32)
    confidence = np.array([data["confidence"].get(name, 0.0) for name in (*SIGNALS, "constant")], dtype=np.float32)
    return Weights(rank, confidence)


def scores(reading: Reading, weights: Weights) -> Floats:
    """The score of each candidate; differences are logarithms of odds."""
    return (reading.features @ weights.rank).astype(np.float32)


def signals(reading: Reading, ranked: Floats) -> Floats:
    """(len(SIGNALS),) what tells whether the best candidate answers: its features, its lead, what is missing."""
    best = int(np.argmax(ranked))
    others = np.delete(ranked, best)
    odds = np.exp(ranked - ranked[best])
    row = dict(zip(NAMES, reading.features[best].tolist(), strict=True))
    lacking = 1 - reading.context[:, best]
    anywhere = reading.soft.max(axis=1) if reading.soft.size else np.zeros(len(reading.slot.terms))
    count = len(reading.slot.terms)
    numbered = reading.asked.kind == "count" and bool(reading.asked.focus)  # "how often" may be told without a number
    found = {
        "score": float(ranked[best]) / 10,
        "margin": float(ranked[best] - others.max()) / 4 if len(others) else 1.0,
        "share": float(1 / odds.sum()),
        **{f"best_{name}": row[name] for name in _OF_BEST},
        "fits": max(value for name, value in row.items() if name.startswith("fits_")),
        "missing": float((reading.slot.rarity * lacking).max(initial=0)),
        "missing_anywhere": float((reading.slot.rarity * (1 - anywhere)).max(initial=0)),
        "few_words": 1 / max(1, count),
        "one_word": float(count == 1),
        "no_number": float(numbered and not row["fits_figure"] and not row["row_figures"]),
        "alternatives": min(1.0, float((odds > 0.5).sum()) / 8),
        f"asks_{reading.asked.kind}": 1.0,
    }
    return np.array([found.get(name, 0.0) for name in SIGNALS], dtype=np.float32)


def confidence(measured: Floats, weights: Weights) -> float:
    """The probability that the best candidate answers."""
    value = float(measured @ weights.confidence[:-1] + weights.confidence[-1])
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))
