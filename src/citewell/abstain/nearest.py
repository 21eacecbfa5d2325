"""The content of an abstention: up to three places that come nearest to an answer, and what each of them lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from citewell.text.coverage import Matcher, highest
from citewell.text.index import Indexed, index
from citewell.text.languages import READ, differ
from citewell.types import MAX_NEAREST, Abstention, Citation, Nearest, Span

METHOD = "nearest"


def helped(abstention: Abstention, question: str | None, documents: Sequence[Indexed]) -> Abstention:
    """An abstention with what comes nearest to an answer, and with why nothing can where the languages differ."""
    if not question or not documents:
        return abstention
    if abstention.reason != "declined" and differ(question, " ".join(document.text[:READ] for document in documents)):
        why = "the question is in another language than the document, whose words cannot be compared"
        return replace(abstention, message=why, nearest=())
    return abstention if abstention.nearest else replace(abstention, nearest=nearest(question, documents))


def nearest(question: str, documents: Sequence[Indexed]) -> tuple[Nearest, ...]:
    """The sentences that have most of a question's words, by how rare they are, each with the words that it lacks."""
    segments = index(documents, "sentence")
    matcher = Matcher(segments, question)
    claim = matcher.claim(Span(0, len(question)))
    if not claim.content.any():
        return ()
    claim = claim._replace(weights=np.where(claim.content, claim.weights, np.float32(0)))
    scores = matcher.cover(claim).statement
    best = sorted(highest(scores, MAX_NEAREST).tolist(), key=lambda number: (-scores[number], number))
    result = []
    for number in best:
        has = matcher.present(claim, number, number + 1)
        absent = zip(claim.starts.tolist(), claim.ends.tolist(), has.tolist(), claim.content.tolist(), strict=True)
        words = dict.fromkeys(question[start:end] for start, end, here, content in absent if content and not here)
        home = documents[int(segments.documents[number])]
        citation = Citation.of(segments.segments[number], home.id, Span(0, 0), min(1.0, float(scores[number])), METHOD)
        result.append(Nearest(citation, ", ".join(f"“{word}”" for word in words)))
    return tuple(result)
