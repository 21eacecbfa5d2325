"""The candidate sentences for an answer with their features, as judged by the extractive reader.

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
from citewell.generators.extractive.settings import settings
from citewell.generators.extractive.slots import Slots, likeness, presence, slots
from citewell.text.index import Floats, TermIndex, index

CANDIDATES = 64


class Reading(NamedTuple):
    """C candidates for a question, best first by the first step.

    Attributes:
        question: the question taken apart.
        slot: its words.
        sentences: the index of the documents' sentences.
        where: what surrounds each sentence.
        candidates: C positions of sentences.
        features: (C, F).
        soft, context: (U, C) presences of slots in the sentence, also by other words, and in it or around it.
        alike: (2, U, C): the same by words of like meaning too.
    """

    question: Question
    slot: Slots
    sentences: TermIndex
    where: Surroundings
    candidates: npt.NDArray[np.int64]
    features: Floats
    soft: Floats
    context: Floats
    alike: Floats


def read(question: str, documents: Sequence[Document]) -> Reading:
    """The candidates of a question."""
    position = index(documents, "sentence")
    others = tuple(document.id for document in documents[1:])
    where = documents[0].memo(("surroundings", *others), lambda: surroundings(position))
    vocabulary = documents[0].memo(("vocabulary", *others), lambda: sorted(position.term_ids))
    analysed = analyse(question)
    slot = slots(analysed, position)
    if not len(slot.terms) or not len(position.segments):
        empty = np.zeros((len(slot.terms), 0), dtype=np.float32)
        none = np.zeros((0, len(NAMES)), dtype=np.float32)
        nowhere = np.zeros(0, dtype=np.int64)
        return Reading(analysed, slot, position, where, nowhere, none, empty, empty, np.stack((empty, empty)))
    filled, s = presence(slot, analysed, position, vocabulary), settings()
    soft = filled.soft
    near = around(soft, where)
    near.headings[slot.subject] = 1  # as if the document's title named it
    for number, document in enumerate(documents):
        inside = position.documents == number
        if not where.titles[inside].any():  # a plain text: its title is a line like others, or stands nowhere in it
            named = np.isin(slot.ids, position.query(document.title or "").ids) & (slot.ids >= 0)
            near.headings[np.ix_(named, inside)] = 1
    alike = np.maximum(soft, likeness(slot, position))
    for part in (filled.exact, soft, alike):  # a row is read, and cited, with the row that names its columns
        part[:, where.rows] = np.maximum(part, s["columns"] * near.columns)[:, where.rows]
    beside = near.best
    alike_beside = np.maximum(around(alike, where).best, beside)
    lengths = np.diff(position.segment_ptr).astype(np.float32)
    norm = s["bm25_k1"] * (1 - s["bm25_b"] + s["bm25_b"] * lengths / max(1.0, float(lengths.mean())))
    ranked = (slot.weights @ soft) * (s["bm25_k1"] + 1) / (1 + norm)
    wide = np.maximum(alike_beside, alike)
    score = slot.weights @ (alike * (s["bm25_k1"] + 1) / (1 + norm) + s["around"] * wide) + 1e-6 * (lengths > 0)
    if analysed.kind in (*FIGURES, "date"):
        score[where.numbered] += s["numbered"]
    score += s["counted"] * counted(analysed, position, where)
    score[where.titles & (lengths < 12)] *= s["title"]
    subject = ~slot.subject if not slot.subject.all() else slot.subject
    score[~wide[subject].any(axis=0)] = 0
    order = np.argsort(-score, kind="stable")[:CANDIDATES]
    best = order[score[order] > 0].astype(np.int64)
    meant = np.stack((alike, wide))[:, :, best]
    these = Candidates(analysed, slot, position, where, best, filled.at(best), near.at(best), meant, ranked[best])
    both = np.maximum(soft, beside)[:, best]
    return Reading(analysed, slot, position, where, best, features(these), soft[:, best], both, meant)
