"""A question that names no part asks about the whole: sentences about a part answer it only with a hedge."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.document import Document
from citewell.facts.filer import filer_names
from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.companies import called
from citewell.generators.extractive.scoring import only
from citewell.generators.extractive.settings import settings
from citewell.text.index import Floats
from citewell.text.words import terms, words
from citewell.types import Draft

_AS_WELL = 0.95  # of the words that a sentence about a part has, which one about the whole has at least
_READ = 12  # candidates, the best first
_LESS = 0.01  # log odds by which a part is too unlikely to be shown beside the whole
_NEAR, _NEXT = 60, 2  # characters, words behind a number in which what it counts stands


class Whole(NamedTuple):
    """The scores with sentences about the whole first, and whether the best one is about a part all the same."""

    ranked: Floats
    partial: bool = False


def whole_first(reading: Reading, ranked: Floats, documents: Sequence[Document]) -> Whole:
    """Put a sentence about the whole before those about parts, where "how many" is asked without a scope."""
    question = reading.question
    if question.kind != "count" or question.names or len(documents) > 1:
        return Whole(ranked)
    from citewell.facts.scopes import part_of  # only where a number of prose is asked for

    if part_of(question.text, lambda _: False, frozenset()):
        return Whole(ranked)  # "that market segment"
    (document,) = documents
    order = np.argsort(-ranked, kind="stable")[:_READ].tolist()
    prose = [place for place in order if not reading.where.rows[reading.candidates[place]]]
    if not prose or prose[0] != order[0]:
        return Whole(ranked)
    own = " ".join((question.text, *called(document), *filer_names(document)))
    known = frozenset(terms(words(own).spellings))

    def is_name(word: str) -> bool:
        inside = re.search(rf"[a-z,;]\s{re.escape(word)}\b", document.text)
        return inside is not None and re.search(rf"\b{re.escape(word.lower())}\b", document.text) is None

    def partial(place: int) -> bool:
        return part_of(reading.sentences.segments[int(reading.candidates[place])].text, is_name, known) is not None

    counts = {place: count for place in prose if (count := _count(reading, place)) is not None}
    parts = {place: partial(place) for place in prose}
    weight = reading.slot.weights @ reading.context
    least = _AS_WELL * weight[prose[0]]
    wholes = {place: count for place, count in counts.items() if not parts[place] and weight[place] >= least}
    most = max(wholes.values(), default=0.0)
    if not wholes:
        return Whole(ranked, parts[prose[0]])
    if _is_bare(reading):
        return Whole(only(ranked, _without(ranked, [place for place in prose if wholes.get(place) != most])))
    beside = [place for place in prose if parts[place]]
    if parts[prose[0]]:
        return Whole(only(ranked, _without(ranked, beside)))
    least_shown = ranked[prose[0]] + math.log(settings()["close"]) - _LESS
    near = [place for place in beside if place in counts]
    return Whole(np.where(_without(ranked, near), ranked, np.minimum(ranked, least_shown)).astype(np.float32))


def _without(ranked: Floats, places: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Which candidates are not at some places."""
    return ~np.isin(np.arange(len(ranked)), places)


def _is_bare(reading: Reading) -> bool:
    """Whether a question says no more than what is counted and when: what counts most of it has the whole."""
    question = reading.question
    rest = set(reading.slot.terms) - set(terms(words(f"{question.focus} {' '.join(question.years)}").spellings))
    return bool(question.focus) and not rest


def _count(reading: Reading, place: int) -> float | None:
    """The greatest number of what is counted that a sentence has; any number where the question names nothing."""
    from citewell.facts.extract import extract  # with WordNet, which figures of tables do without

    text = reading.sentences.segments[int(reading.candidates[place])].text
    focus = terms(words(reading.question.focus).spellings)
    counts = [
        float(quantity.high)
        for quantity in extract(text).quantities
        if quantity.kind not in ("identifier", "ordinal")
        and (not focus or not set(focus).isdisjoint(terms(words(text[quantity.end :][:_NEAR]).spellings)[:_NEXT]))
    ]
    return max(counts, default=None)


def of_part(draft: Draft) -> Draft:
    """A draft that tells of a part, hedged; which part it is its sentence says."""
    return replace(draft, confidence=min(draft.confidence or 0.0, settings()["hedged"]))
