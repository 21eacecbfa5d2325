"""Chooses the short answer among the phrases of the answering sentences, with its probability.

A linear model scores all phrases; the phrase is chosen that shares most words with the likely ones. A second model
tells how likely that one is right. `lab/benchmarks/fit_phrases.py` fits both and writes `weights.json`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from citewell.facts.features import Floats
from citewell.facts.types import Period, Quantity
from citewell.generators.extractive.phrases.asking import Asking, Side, asking
from citewell.generators.extractive.phrases.candidates import FORMS, Ints, Phrases, phrases
from citewell.generators.extractive.phrases.dating import unfit
from citewell.generators.extractive.phrases.features import features, names, plain_names
from citewell.generators.extractive.phrases.words import NUMBER, PACKAGE
from citewell.generators.extractive.questions import Question
from citewell.text.data import read_json

_VERBAL = frozenset(NUMBER[name] for name in ("be", "aux", "verb"))
_OPENING = _VERBAL | {NUMBER["clause"]}
POOL = 60  # phrases among which one is chosen


class Sentence(NamedTuple):
    """A sentence of the answer with its odds against the best one, as a logarithm."""

    text: str
    odds: float


class Phrase(NamedTuple):
    """A phrase that may be the short answer.

    Attributes:
        sentence: the position of its sentence.
        start, end: offsets in it.
        form: what it is, of FORMS.
        fact: the figure or time that it is, if it is one.
        signals: what tells how likely it is right.
    """

    sentence: int
    start: int
    end: int
    form: str
    fact: Quantity | Period | None
    signals: Mapping[str, float]


class Weights(NamedTuple):
    """Fitted weights: of places and plain numbers, how much scores are spread, of the signals; the least confidence."""

    places: Floats
    plain: Floats
    spread: float
    confidence: Mapping[str, float]
    threshold: float


@cache
def fitted() -> Weights:
    """The weights that come with the package."""
    data = read_json(PACKAGE, "weights.json")
    places = np.array([data["places"].get(name, 0.0) for name in names()])
    plain = np.array([data["plain"].get(name, 0.0) for name in plain_names()])
    return Weights(places, plain, data["spread"], data["confidence"], data["threshold"])


def choose(question: Question, sentences: Sequence[Sentence], sure: float, weights: Weights) -> Phrase | None:
    """The phrase that answers best; None where the sentences have none. `sure` is the confidence of the answer."""
    wanted = asking(question)
    read = [phrases(sentence.text) for sentence in sentences]
    rows = [
        features(these, wanted, question.kind, sentence.odds) for these, sentence in zip(read, sentences, strict=True)
    ]
    scores = np.concatenate([weights.places[row.places].sum(axis=1) + row.plain @ weights.plain for row in rows])
    if not len(scores):
        return None
    spans = np.array(
        [(n, first, last) for n, these in enumerate(read) for first, last in zip(these.first, these.last, strict=True)]
    )
    scores = _without_unfit(question, wanted.side, [sentence.text for sentence in sentences], read, spans, scores)
    if not np.isfinite(scores).any():
        return None
    order, shares, agreed = likely(scores, spans, weights.spread)
    best = int(order[int(np.argmax(agreed))])
    number, first, last = spans[best].tolist()
    these = read[number]
    at = best - sum(len(other.first) for other in read[:number])
    fact = int(these.facts[at])
    return Phrase(
        number,
        these.words.starts[first],
        these.words.ends[last],
        FORMS[int(these.form[at])],
        these.typed[fact] if fact >= 0 else None,
        signals(shares, agreed, last - first + 1, FORMS[int(these.form[at])], wanted, sure),
    )


def _without_unfit(
    question: Question, side: Side, texts: Sequence[str], read: Sequence[Phrases], spans: Ints, scores: Floats
) -> Floats:
    """The scores without the phrases that cannot answer.

    They hold a figure that `unfit` excludes, or are sentences where a thing is asked for by "what is": their verb comes
    before any "that" or "which".
    """
    excluded = [unfit(question, text) for text in texts]
    thing = side == "copula" and question.kind in ("thing", "definition")
    result = scores.copy()
    for place, (number, first, last) in enumerate(spans.tolist()):
        words = read[number].words
        clause = thing and next(
            (kind in _VERBAL for kind in words.classes[first : last + 1] if kind in _OPENING), False
        )
        if clause or any(words.starts[first] < end and start < words.ends[last] for start, end in excluded[number]):
            result[place] = -np.inf
    return result


def likely(scores: Floats, spans: Ints, spread: float) -> tuple[Ints, Floats, Floats]:
    """The best phrases, the chance of each, and the words that each is likely to share with the right one (as F1)."""
    order = np.argsort(-scores, kind="stable")[:POOL]
    chances = np.exp(spread * (scores - scores.max()))
    shares = chances[order] / chances.sum()
    sentence, first, last = spans[order].T
    common = np.minimum(last[:, None], last[None]) - np.maximum(first[:, None], first[None]) + 1
    length = last - first + 1
    same = (sentence[:, None] == sentence[None]) & (common > 0)
    agreed = np.where(same, 2 * common / (length[:, None] + length[None]), 0.0) @ shares
    return order, shares, agreed


def signals(shares: Floats, agreed: Floats, length: int, form: str, wanted: Asking, sure: float) -> dict[str, float]:
    """What tells how likely the chosen phrase is right."""
    best = min(0.999, float(agreed.max()))
    return {
        "agreed": math.log(best / (1 - best)),
        "share": float(shares[int(np.argmax(agreed))]),
        "second": float(np.sort(shares)[-2]) if len(shares) > 1 else 0.0,
        "sure": math.log(max(1e-3, sure) / max(1e-3, 1 - sure)),
        "length": math.log(length),
        f"asks_{wanted.group}": 1.0,
        f"is_{form}": 1.0,
    }


def confidence(measured: Mapping[str, float], weights: Weights) -> float:
    """The probability that the phrase is right."""
    value = weights.confidence["constant"]
    value += sum(weights.confidence.get(name, 0.0) * signal for name, signal in measured.items())
    return 1 / (1 + math.exp(-min(30.0, max(-30.0, value))))
