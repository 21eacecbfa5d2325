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

READ = 8  # candidates that the model reads
_SURE = 1e-6  # confidences are held within this of 0 and 1, so that their log odds are finite


def find(spec: str) -> mini.Mini:
    """The reader that a spec names.

    Raises:
        ValueError: it is neither `mini` nor `mini(model=FOLDER)`.
        MissingExtraError: no folder is named, and the package citewell-mini is not installed.
        UsageError: there is no such model.
        BackendError: the model was not trained to read.
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
    texts = [documents[document].text[start:end] for document, start, end in windows]
    read = model.answers([(text, reading.asked.text) for text in texts])
    place_of = {int(number): place for place, number in enumerate(reading.candidates.tolist())}
    odds: dict[int, float] = {}
    for (document, start, _), answer in zip(windows, read, strict=True):
        if answer is None:
            continue
        number = _sentence(reading, document, start + answer.start)
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
    held = min(max(words, _SURE), 1 - _SURE)
    total = (math.log(held / (1 - held)) + min(max(odds, -60.0), 60.0)) / 2
    return 1 / (1 + math.exp(-total))


def _around(reading: Reading, number: int) -> tuple[int, int, int]:
    """A sentence's document, and where it begins and ends with the one before it and the one after it."""
    index = reading.found
    document = int(index.documents[number])
    near = [n for n in (number - 1, number, number + 1) if 0 <= n < len(index.segments)]
    own = [index.segments[n] for n in near if int(index.documents[n]) == document]
    return document, own[0].start, own[-1].end


def _sentence(reading: Reading, document: int, at: int) -> int:
    """The sentence in which a place of a document stands; -1 for none."""
    index = reading.found
    within = (
        n
        for n, segment in enumerate(index.segments)
        if segment.start <= at < segment.end and int(index.documents[n]) == document
    )
    return next(within, -1)
