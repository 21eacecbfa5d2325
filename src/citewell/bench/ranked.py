"""The extractive reader as a ranking: its answer, and beside it every sentence that it considered, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from citewell.document import Document
from citewell.generators.extractive.candidates import read
from citewell.generators.extractive.scoring import fitted, scores
from citewell.pipeline import Pipeline
from citewell.types import Answer, Citation, Span

_KEPT = 200  # sentences: enough for five pages


@dataclass(frozen=True)
class RankedReader:
    """Answers like the extractive reader, with the evidence in the order in which it prefers sentences.

    The scores are odds against the best sentence.
    """

    reader: Pipeline = field(default_factory=Pipeline)

    def run(self, documents: Sequence[Document], question: str) -> Answer:
        """The reader's answer, its citations replaced by the ranking; they belong to the whole answer."""
        answer = self.reader.run(documents, question)
        reading = read(question, documents)
        if not len(reading.candidates):
            return answer
        ranked = scores(reading, fitted())
        odds = np.exp(ranked - ranked.max())
        citations = []
        for place in np.argsort(-ranked, kind="stable")[:_KEPT].tolist():
            number = int(reading.candidates[place])
            segment, document = reading.found.segments[number], documents[int(reading.found.documents[number])]
            citations.append(
                Citation.of(segment, document.id, Span(0, len(answer.text)), float(odds[place]), "extractive")
            )
        return replace(answer, statements=(), citations=tuple(citations))
