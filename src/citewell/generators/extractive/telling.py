"""How sentences tell what a question asks: which of its words they say, by form and meaning, in them and around them.

A sentence that has the subject of a question without what is asked of it answers nothing, so nouns, verbs and the
rarest word that is lacking count by themselves. `lab/benchmarks/fit_telling.py` fits the weights, in `telling.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.context import NONE
from citewell.generators.extractive.settings import PACKAGE, words
from citewell.text.data import read_json
from citewell.text.index import Floats

MOST = 24  # candidates that are read word by word; the others stay behind them
FEW = 3  # of the best that are looked at together
_ALONE = 0.5  # what a word in a neighbour of another paragraph is worth
_OPENING = 3  # sentences at the beginning of a document that say what it is about
_FEW_NEW = 3  # words beyond the question's below which a sentence hardly says anything
_EARLY = 0.05
_UNKNOWN = 0.5  # for what a question does not have: names, a verb
_ENDS = (".", "!", "?", ":", ";", "”", '"', "。")
_VERBS = ("verb", "participle", "ing")
_NOUNS = ("noun", "adjective", "other")


class Asked(NamedTuple):
    """The words of a question, W of them.

    Attributes:
        weights: how much each counts, 0 for words that say nothing.
        verbs, nouns, names: the places of words of these kinds.
        cues: how answers to such a question are worded, by kind: ways, conditions, exceptions, purposes, reasons.
        says: W values, how far a text says each word.
        beyond: how many words a text has beyond the question's.
    """

    weights: Floats
    verbs: list[int]
    nouns: list[int]
    names: list[int]
    cues: Mapping[str, re.Pattern[str]]
    says: Callable[[str], Floats]
    beyond: Callable[[str], int]

    def most(self, lacking: Floats) -> float:
        """The weight of the word that is lacking most."""
        return float((self.weights * lacking).max(initial=0))


def asked(question: str) -> Asked:
    """Read a question as what a sentence should say."""
    from citewell.facts.shares import value, weigh  # rows of tables need none of it
    from citewell.facts.tokens import tokens
    from citewell.facts.words_aligned import Aligned, align
    from citewell.generators.extractive.phrases import words as classes
    from citewell.generators.extractive.phrases.polarity import claim

    statement = tokens(claim(question))
    classed = classes.words(statement.text)
    kinds = {start: classes.CLASSES[kind] for start, kind in zip(classed.starts, classed.classes, strict=True)}
    weights = np.array(
        [
            0.0 if word in words("asking") else weight
            for word, weight in zip(statement.lower, weigh(statement), strict=True)
        ],
        dtype=np.float32,
    )
    places = np.flatnonzero(weights).tolist()

    @cache
    def aligned(text: str) -> Aligned:
        return align(statement, tokens(text))

    @cache
    def says(text: str) -> Floats:
        pairs = zip(aligned(text).places, aligned(text).kinships, strict=True)
        return np.array([value(kind) if place >= 0 else 0.0 for place, kind in pairs], dtype=np.float32)

    def beyond(text: str) -> int:
        found = aligned(text)
        return sum(use and taken < 0 for use, taken in zip(found.evidence.content, found.taken, strict=True))

    return Asked(
        weights,
        [n for n in places if kinds.get(statement.starts[n]) in _VERBS],
        [n for n in places if kinds.get(statement.starts[n]) in _NOUNS],
        [n for n in places if statement.names[n]],
        {name: tells for name, (asks, tells) in _cues().items() if asks.search(question)},
        says,
        beyond,
    )


@cache
def weights() -> Mapping[str, Mapping[str, float]]:
    """The fitted weights: of what is measured of a sentence, and of the signals of the confidence."""
    found: Mapping[str, Mapping[str, float]] = read_json(PACKAGE, "telling.json")
    return found


@cache
def _cues() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    listed = read_json(PACKAGE, "telling.json")["cues"]
    return {
        name: (re.compile(asks, re.IGNORECASE), re.compile(tells, re.IGNORECASE))
        for name, (asks, tells) in listed.items()
    }


def measured(reading: Reading, places: npt.NDArray[np.int64]) -> list[dict[str, float]]:
    """What is told of a question by each of some candidates, and by what stands around them."""
    question, where, segments = asked(reading.question.text), reading.where, reading.sentences.segments
    owners = reading.sentences.documents
    numbers = [int(reading.candidates[place]) for place in places.tolist()]

    def beside(number: int, other: int) -> Floats:
        if other == NONE:
            return np.zeros_like(question.weights)
        same = where.paragraph[number] == where.paragraph[other]
        return question.says(segments[other].text) * (1.0 if same else _ALONE)

    rows = [question.says(segments[number].text) for number in numbers]
    often = (np.array(rows) > 0).mean(axis=0) if rows else np.zeros_like(question.weights)
    scarce = question.weights * (1.2 - often)  # what all candidates say tells none of them apart
    all_words, all_scarce = float(question.weights.sum()) or 1.0, float(scarce.sum()) or 1.0
    result = []
    for number, said in zip(numbers, rows, strict=True):
        first, last = np.searchsorted(owners, owners[number]), np.searchsorted(owners, owners[number], side="right")
        text = segments[number].text
        above = [question.says(segments[n].text) for n in where.headings[:, number].tolist() if n != NONE]
        opening = [question.says(segments[n].text) for n in range(int(first), min(int(last), int(first) + _OPENING))]
        before, after = (beside(number, int(side[number])) for side in (where.before, where.after))
        heading = np.max([np.zeros_like(said), *above], axis=0)
        near = np.max([before, after, heading], axis=0)
        both = np.maximum(said, near)
        extra = question.beyond(text)
        place = (number - int(first)) / max(1, int(last) - int(first))
        result.append(
            {
                "says": float(scarce @ said) / all_scarce,
                "says_or_near": float(scarce @ both) / all_scarce,
                "near": float(question.weights @ np.maximum(near - said, 0)) / all_words,
                "heading": float(question.weights @ np.maximum(heading - said, 0)) / all_words,
                "opening": float(question.weights @ np.maximum(np.max(opening, axis=0) - both, 0)) / all_words,
                "lacking": question.most(1 - both),
                "nouns": _share(said, question.nouns),
                "verb": float((said[question.verbs] > 0).any()) if question.verbs else _UNKNOWN,
                "unended": float(not text.rstrip().endswith(_ENDS)),
                "new": min(1.0, extra / 12),
                "few_new": float(extra < _FEW_NEW),
                "place": place,
                "early": float(place < _EARLY),
                **{f"cue_{name}": float(bool(tells.search(text))) for name, tells in question.cues.items()},
            }
        )
    return result


def _share(said: Floats, places: list[int]) -> float:
    return float((said[places] > 0).mean()) if places else _UNKNOWN


def reranked(reading: Reading, ranked: Floats) -> Floats:
    """The log odds of the candidates by what they tell too, where a sentence and no row of a table is the best one.

    The best one before stays where it was, so that rows and what was not read keep their distance.
    """
    order = np.argsort(-ranked, kind="stable")
    rows = reading.where.rows[reading.candidates]
    if reading.sentences.code != "en" or rows[order[0]] or reading.question.meaning:
        return ranked
    places = order[:MOST][~rows[order[:MOST]]]
    fits = weights()["sentence"]
    gains = np.array(
        [sum(fits.get(name, 0.0) * worth for name, worth in row.items()) for row in measured(reading, places)]
    )
    result = ranked - ranked[order[0]]
    result[places] = result[places] * fits["before"] + gains - gains[0]
    return np.asarray(result + ranked[order[0]] * fits["before"], dtype=np.float32)


def signals(reading: Reading, order: npt.NDArray[np.int64]) -> dict[str, float]:
    """What the best candidate, and the best few together, leave unsaid of a question."""
    question, segments = asked(reading.question.text), reading.sentences.segments
    texts = [segments[int(reading.candidates[place])].text for place in order[:FEW].tolist()]
    use = np.flatnonzero(question.weights)
    result = dict[str, float]()
    for name, some in (("best", texts[:1]), ("few", texts)):
        said = np.max([question.says(text) for text in some], axis=0)
        lacking = use[said[use] == 0]
        result |= {
            f"{name}_unsaid": float(question.weights @ (1 - said)) / (float(question.weights.sum()) or 1.0),
            f"{name}_unsaid_most": question.most(1 - said),
            f"{name}_unsaid_words": min(1.0, len(lacking) / 4),
            f"{name}_all_said": float(not len(lacking)),
            f"{name}_verb_unsaid": float(bool(question.verbs) and not (said[question.verbs] > 0).any()),
            f"{name}_nouns_unsaid": 1 - _share(said, question.nouns),
            f"{name}_first_unsaid": float(bool(len(use)) and said[use[0]] == 0),
            f"{name}_last_unsaid": float(bool(len(use)) and said[use[-1]] == 0),
        }
    return result | {"asked_words": len(use) / 10, "best_length": min(1.0, len(texts[0].split()) / 50)}
