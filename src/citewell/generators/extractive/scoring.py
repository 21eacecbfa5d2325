"""The two fitted models of the extractive reader: which candidate answers, and with what probability.

Both are linear; `lab/benchmarks/fit_extractive.py` fits them and writes
`weights.json`, which also says on how many questions and with what error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.features import NAMES
from citewell.generators.extractive.offers import offers
from citewell.generators.extractive.settings import PACKAGE
from citewell.generators.extractive.slots import without_subject
from citewell.text.data import read_json
from citewell.text.index import Floats

_OF_BEST = (
    "own", "soft", "around", "neighbours", "paragraph", "headings", "context", "bm25", "pairs", "rarest", "full",
    "focus", "years_around", "names_around", "short", "row_label", "whole", "counted", "opening",
    "answer_kind", "defines", "row_misfit",
)  # fmt: skip
ODDS = ("best_says", "few_say", "best_denies", "few_deny")
APART = 30.0  # the logarithm of odds at which a candidate is none
_READ = 3  # candidates that are judged together
_ENDS = (".", "!", "?", ":", ";", "”", '"', "。")
_LEAST = 1e-4  # of a chance, so that none is a certainty


class Weights(NamedTuple):
    """Fitted weights: `rank` of the candidates' NAMES, `confidence` of the signals by name and "constant".

    `plain` are those of the signals without the checker's odds, for rows of tables and definitions: none of the data
    that the odds were weighed on has tables, and a row says little of what a question says. `threshold` is the
    confidence from which an answer is given, `threshold_cells` that of a table's cell, which has a model of its own.
    """

    rank: Floats
    confidence: Mapping[str, float]
    plain: Mapping[str, float]
    threshold: float
    threshold_cells: float


@cache
def fitted() -> Weights:
    """The weights that come with the package."""
    data = read_json(PACKAGE, "weights.json")
    rank = np.array([data["rank"].get(name, 0.0) for name in NAMES], dtype=np.float32)
    return Weights(rank, data["confidence"], data["confidence_plain"], data["threshold"], data["threshold_cells"])


def scores(reading: Reading, weights: Weights) -> Floats:
    """The score of each candidate; differences are logarithms of odds. A line of the question's words alone is last."""
    ranked = (reading.features @ weights.rank).astype(np.float32)
    says = np.array([not _repeats(reading, number) for number in reading.candidates.tolist()], dtype=bool)
    return ranked if says.all() or not says.any() else only(ranked, says)


def _repeats(reading: Reading, number: int) -> bool:
    """Whether a sentence is a line without a mark at its end that has no word but the question's, as titles are."""
    index = reading.sentences
    if index.segments[number].text.rstrip().endswith(_ENDS):
        return False
    return set(index.word_terms[index.words_of(number)].tolist()) <= set(reading.slot.ids.tolist())


def only(ranked: Floats, use: npt.NDArray[np.bool_]) -> Floats:
    """The scores where only some candidates count: the others lie so far below that they are none."""
    return np.where(use, ranked, ranked.min() - APART).astype(np.float32)


def signals(reading: Reading, ranked: Floats) -> dict[str, float]:
    """What tells whether the best candidate answers: its features, its lead, what is missing, what it offers, the odds.

    A question that turns a fact round (another name, year or number, a denial, the opposite) has most words of the
    sentence that it was made from; so the question is judged as a claim would be.
    """
    best = int(np.argmax(ranked))
    others = np.delete(ranked, best)
    others = others[others > ranked[best] - APART]
    odds = np.exp(ranked - ranked[best])
    row = dict(zip(NAMES, reading.features[best].tolist(), strict=True))
    lacking = 1 - reading.context[:, best]
    anywhere = reading.soft.max(axis=1) if reading.soft.size else np.zeros(len(reading.slot.terms))
    count = len(reading.slot.terms)
    numbered = reading.question.kind == "count" and bool(
        reading.question.focus
    )  # "how often" may be told without a number
    return {
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
        f"asks_{reading.question.kind}": 1.0,
        **offers(reading, best),
        **_odds(reading, ranked),
    }


def _odds(reading: Reading, ranked: Floats) -> dict[str, float]:
    """The checker's log odds that the best candidate, and the best few together, say or turn round the question."""
    order = np.argsort(-ranked, kind="stable")[:_READ].tolist()
    if reading.question.meaning or reading.sentences.segments[int(reading.candidates[order[0]])].kind == "table_row":
        return {}
    from citewell.facts.features import look, vector  # a row of a table needs none of it
    from citewell.facts.model import shipped
    from citewell.facts.tokens import tokens

    evidence = [tokens(reading.sentences.segments[int(reading.candidates[place])].text) for place in order]
    plain = without_subject(reading.question, reading.slot, reading.sentences)
    rows = np.array([vector(look(plain, part)) for part in (evidence[:1], evidence)])
    chances = np.concatenate([shipped().support.probability(rows), shipped().against.probability(rows)])
    chances = chances.clip(_LEAST, 1 - _LEAST)
    return dict(zip(ODDS, np.log(chances / (1 - chances)).tolist(), strict=True))


def confidence(measured: Mapping[str, float], weights: Weights) -> float:
    """The probability that the best candidate answers."""
    fits = weights.confidence if "best_says" in measured else weights.plain
    value = fits["constant"] + sum(fits.get(name, 0.0) * signal for name, signal in measured.items())
    return 1 / (1 + math.exp(-min(30.0, max(-30.0, value))))
