"""SQuAD 2.0: questions over a passage, answerable and not. Source: Rajpurkar et al. 2018.

Segments are the passage's sentences as we part them; the evidence of an answer is the sentences that it stands in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.document import Document
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.datasets.structure import UNANSWERED, Built
from citewell_lab.bench.items import Item, QuestionItem, Reference
from citewell_lab.bench.kinds.questions import Questions
from citewell_lab.bench.metrics.declared import ANSWER_F1, EXACT_MATCH, UNANSWERABLE_F1


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question."""
    for path in paths:
        for article in files.whole(path)["data"]:
            for paragraph in article["paragraphs"]:
                document = Document.from_text(paragraph["context"], article["title"].replace("_", " "))
                segments = tuple(Span(segment.start, segment.end) for segment in document.segments("sentence"))
                for row in paragraph["qas"]:
                    yield files.attempt(row["id"], _item, row, document, segments)


def _item(key: str, row: Mapping[str, Any], document: Document, segments: tuple[Span, ...]) -> QuestionItem:
    if row.get("is_impossible"):
        references: tuple[Reference, ...] = (UNANSWERED,)
    else:
        references = tuple(
            Reference(text, evidence=files.covering(segments, start, start + len(text)))
            for text, start in dict.fromkeys((answer["text"], answer["answer_start"]) for answer in row["answers"])
        )
        if not references:
            raise ValueError("an answerable question has no answers")
    return Built(document, segments).question(key, row["question"].strip(), references)


TASK = Questions(
    name="squad2",
    summary="short answers from a passage, or none",
    headline=(ANSWER_F1, EXACT_MATCH, UNANSWERABLE_F1),
    prompt="natural-questions",  # LAB's, whose answers are as short
    needs=("approach",),
    quality=None,
    curve=True,
    short=True,
    data=Dataset("squad2", ("{split}-v2.0.json", "{split}.json", "{split}[_.-]*.json"), _load),
)
