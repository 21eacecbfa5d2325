"""The sentences of documents that may answer a question, with their features: what the extractive reader judges.

Two steps. All sentences are scored at once by their words and by what surrounds them; of the best few dozen the
features are measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.document import Document
from citewell.generators.extractive.context import Surroundings, around, surroundings
from citewell.generators.extractive.features import NAMES, Candidates, features
from citewell.generators.extractive.kinds import FIGURES, counted
from citewell.generators.extractive.questions import Question, analyse
from citewell.generators.extractive.slots import Slots, presence, slots
from citewell.text.index import Floats, TermIndex, index

CANDIDATES = 64
_K1, _B = 1.2, 0.4  # of BM25; sentences are short, so length is held against them only a little
_NUMBERED = 0.2  # what a number is worth where one is asked for
_COLUMNS = 0.9  # what a word in the row that names the columns is worth
_COUNTED = 0.4  # what one is worth beside the word that is counted
_AROUND = 0.4  # what a word around a sentence is worth against one in it


class Reading(NamedTuple):
    """C candidates for a question, best first by the first step.

    Attributes:
        asked: the question taken apart.
        slot: its words.
        found: the index of the documents' sentences.
        where: what surrounds each sentence.
        candidates: C positions of sentences.
        features: (C, F).
        exact, soft, context: (U, C) presences of slots in the sentence, also by other words, and in it or around it.
    """

    asked: Question
    slot: Slots
    found: TermIndex
    where: Surroundings
    candidates: npt.NDArray[np.int64]
    features: Floats
    exact: Floats
    soft: Floats
    context: Floats


def read(question: str, documents: Sequence[Document], limit: int = CANDIDATES) -> Reading:
    """The candidates of a question."""
    found = index(documents, "sentence")
    others = tuple(document.id for document in documents[1:])
    where = documents[0].memo(("surroundings", *others), lambda: surroundings(found))
    vocabulary = documents[0].memo(("vocabulary", *others), lambda: sorted(found.term_ids))
    asked = analyse(question)
    slot = slots(asked, found)
    if not len(slot.terms) or not len(found.segments):
        empty = np.zeros((len(slot.terms), 0), dtype=np.float32)
        none = np.zeros((0, len(NAMES)), dtype=np.float32)
        return Reading(asked, slot, found, where, np.zeros(0, dtype=np.int64), none, empty, empty, empty)
    filled = presence(slot, asked, found, vocabulary)
    soft = filled.soft
    near = around(soft, where)
    near.headings[slot.subject] = 1  # as if the document's title named it
    for part in (filled.exact, soft):  # a row is read, and cited, with the row that names its columns
        part[:, where.rows] = np.maximum(part, _COLUMNS * near.columns)[:, where.rows]
    beside = near.best
    lengths = np.diff(found.segment_ptr).astype(np.float32)
    norm = _K1 * (1 - _B + _B * lengths / max(1.0, float(lengths.mean())))
    ranked = (slot.weights @ soft) * (_K1 + 1) / (1 + norm)
    score = ranked + _AROUND * (slot.weights @ np.maximum(beside, soft)) + 1e-6 * (lengths > 0)
    if asked.kind in (*FIGURES, "date"):
        score[where.numbered] += _NUMBERED
    score += _COUNTED * counted(asked, found, where)
    score[where.titles & (lengths < 12)] *= 0.5
    told = ~slot.subject if not slot.subject.all() else slot.subject
    score[~(soft[told].any(axis=0) | beside[told].any(axis=0))] = 0
    order = np.argsort(-score, kind="stable")[:limit]
    best = order[score[order] > 0].astype(np.int64)
    measured = features(Candidates(asked, slot, found, where, best, filled.at(best), near.at(best), ranked[best]))
    held = filled.exact[:, best], soft[:, best], np.maximum(soft, beside)[:, best]
    return Reading(asked, slot, found, where, best, measured, *held)
