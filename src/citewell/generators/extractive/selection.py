"""Which of the ranked sentences an answer gives, and in which order candidates are named."""

from __future__ import annotations

import re

import numpy as np

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.context import NONE
from citewell.generators.extractive.kinds import FIGURES
from citewell.generators.extractive.lists import items, named_list
from citewell.generators.extractive.settings import settings
from citewell.text.index import Floats

_POOL = 12  # candidates that may be added to the first
_FOOTNOTE = re.compile(r"(?:\(\w{1,2}\)|\W)+$")


def select(reading: Reading, ranked: Floats, limit: int) -> dict[int, float]:
    """The sentences to give, by position in the index, with their odds against the best one.

    Further sentences are taken where they are nearly as likely, or cover words of the question that the ones before
    do not; a row of a table only where it is nearly as likely, has the words themselves that the best one has, and
    another label. A table row brings the row that names its columns (by words: where a figure is asked for), a best one
    that ends with a colon the items of the list below it. Where a list is asked for and a section of that name has one,
    the list is the answer.
    """
    order = best_first(ranked)[:_POOL]
    best = order[0]
    odds = np.exp(ranked - ranked[best])
    kind, s = reading.question.kind, settings()
    short = kind in (*FIGURES, "date", "person", "place")
    close = s["close_listed"] if kind == "list" else s["close"] if short else s["close_prose"]
    if kind == "list" and (listed := named_list(reading)):
        return dict.fromkeys(listed, 1.0)
    least = s["least_figure"] if kind in FIGURES else s["least"]
    covered = reading.soft[:, best].copy()
    picks = [best]
    for pick in order[1:]:
        gain = float(reading.slot.weights @ np.maximum(reading.soft[:, pick] - covered, 0))
        if len(picks) >= limit or odds[pick] < least:
            break
        if odds[pick] < close and (gain < s["gain"] or reading.where.rows[reading.candidates[pick]]):
            continue
        if any(_same(reading, pick, other, float(odds[pick])) for other in picks):
            continue
        picks.append(pick)
        covered = np.maximum(covered, reading.soft[:, pick])
    chosen = {int(reading.candidates[pick]): float(odds[pick]) for pick in picks}
    for number, score in list(chosen.items()):
        header = int(reading.where.header[number])
        heads = header != NONE and (kind in FIGURES or reading.where.numbered[header])
        if heads and header not in chosen and len(chosen) <= limit:
            chosen[header] = score
    first = int(reading.candidates[best])
    if reading.sentences.segments[first].text.rstrip().endswith(":"):
        chosen |= dict.fromkeys(items(reading, first + 1), 1.0)
    return chosen


def best_first(ranked: Floats) -> list[int]:
    """The places of the candidates, the best first."""
    order: list[int] = np.argsort(-ranked, kind="stable").tolist()
    return order


def by_paragraph(reading: Reading, ranked: Floats) -> list[int]:
    """The places of the candidates, those of the paragraph first that is likeliest to hold the answer."""
    paragraph = reading.where.paragraph[reading.candidates]
    chances = np.bincount(paragraph, np.exp((ranked - ranked.max()).astype(np.float64)))
    order: list[int] = np.lexsort((-ranked, -chances[paragraph])).tolist()
    return order


def _same(reading: Reading, first: int, second: int, odds: float) -> bool:
    """Whether a candidate with these odds has nearly the same words as a second, or is a row of the same name."""
    first_words, second_words = (
        set(reading.sentences.word_terms[reading.sentences.words_of(int(reading.candidates[pick]))].tolist())
        for pick in (first, second)
    )
    return len(first_words & second_words) >= settings()["same"] * max(1, len(first_words | second_words)) or _same_row(
        reading, first, second, first_words & second_words, odds
    )


def _same_row(reading: Reading, first: int, second: int, common: set[int], odds: float) -> bool:
    """Whether two candidates are rows of one name that have a figure in common, or of which one is less likely.

    A report tells its main figures in several tables, and figures of its parts by the same names.
    """
    segments, other = (reading.sentences.segments[int(reading.candidates[pick])] for pick in (first, second))
    rows = segments.kind == other.kind == "table_row"
    labels = (_FOOTNOTE.sub("", segment.text.split(" | ")[0]).lower() for segment in (segments, other))
    return (
        rows
        and len(set(labels)) == 1
        and (odds < settings()["equal"] or any(reading.where.figures[term] for term in common))
    )
