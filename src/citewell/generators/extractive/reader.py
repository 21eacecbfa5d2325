"""A small model that reads the best candidates: it moves their odds, and says how surely one of them answers.

    Extractive(reader="mini")

Each of the best candidates is read with its neighbours; what the model offers as an answer counts for the sentence
that it stands in. The log odds of words and model are averaged, those of the confidence as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from citewell import registry
from citewell.document import Document
from citewell.generators.extractive.candidates import Reading
from citewell.models import mini
from citewell.text.index import Floats
from citewell.text.spans import owns

READ = 8  # candidates that the model reads
_SURE = 1e-6  # confidences are held within this of 0 and 1, so that their log odds are finite


def find(spec: str) -> mini.Mini:
    """The reader that a spec names.

    Raises:
        ValueError: it is neither `mini` nor `mini(model=FOLDER)`.
        MissingExtraError: no folder is named, and the package citewell-mini is not installed.
        UsageError: there is no such model, or it was not trained to read.
        BackendError: its settings are damaged.
    """
    parsed = registry.parse(spec)
    params = dict(parsed.params)
    if parsed.name != "mini" or params.keys() - {"model"}:
        raise ValueError(f"reader is mini or mini(model=FOLDER), not {spec!r}")
    return mini.find(params.get("model"), "reader")


def moved(model: mini.Mini, reading: Reading, ranked: Floats, documents: Sequence[Document]) -> tuple[Floats, float]:
    """The candidates' log odds with the model's, and its own log odds that the best passage answers at all."""
    best = np.argsort(-ranked, kind="stable")[:READ].tolist()
    windows = [_around(reading, int(reading.candidates[place])) for place in best]
    read = model.answers([(_text(reading, window, documents), reading.asked.text) for window in windows])
    place_of = {int(number): place for place, number in enumerate(reading.candidates.tolist())}
    odds: dict[int, float] = {}
    for window, answer in zip(windows, read, strict=True):
        if answer is None:
            continue
        at = reading.found.segments[window[0]].start + answer.start
        number = next((n for n in window if owns(reading.found.segments[n], at)), -1)
        if number in place_of:
            place = place_of[number]
            odds[place] = max(answer.odds, odds.get(place, -math.inf))
    if not odds:
        return ranked, -math.inf
    told = np.full(len(ranked), min(odds.values()))
    told[list(odds)] = list(odds.values())
    return np.asarray((ranked + told) / 2, dtype=ranked.dtype), max(odds.values())


def together(words: float, odds: float) -> float:
    """A confidence with the model's log odds beside those of the words."""
    smallest = min(max(words, _SURE), 1 - _SURE)
    total = (math.log(smallest / (1 - smallest)) + min(max(odds, -60.0), 60.0)) / 2
    return 1 / (1 + math.exp(-total))


def _around(reading: Reading, number: int) -> list[int]:
    """A sentence with the one before it and the one after it in its document."""
    index = reading.found
    near = [n for n in (number - 1, number, number + 1) if 0 <= n < len(index.segments)]
    return [n for n in near if index.documents[n] == index.documents[number]]


def _text(reading: Reading, own: Sequence[int], documents: Sequence[Document]) -> str:
    """The text of sentences that follow each other."""
    first, last = (reading.found.segments[n] for n in (own[0], own[-1]))
    return documents[int(reading.found.documents[own[0]])].text[first.start : last.end]
