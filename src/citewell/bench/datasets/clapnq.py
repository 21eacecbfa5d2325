"""CLAPNQ: long answers to questions over one passage, and questions that it does not answer. Rosenthal et al. 2024.

Rows: `input`, `passages` (one, with its sentences), `output` (one an annotator: `answer`, `selected_sentences`).
Segments are the passage's sentences. An annotation without an answer says that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.bench.datasets import files
from citewell.bench.datasets.structure import Built, Part, build
from citewell.bench.items import Item, QuestionItem, Reference
from citewell.bench.metrics.answers import NO_ANSWER, unanswerable


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question."""
    return files.rows(paths, _item)


def _item(key: str, row: Mapping[str, Any]) -> QuestionItem:
    passage = row["passages"][0]
    built = build(map(Part, passage["sentences"]), passage.get("title"))
    references = tuple(_reference(built, one) for one in row["output"]) or (
        Reference(NO_ANSWER, unanswerable=True, evidence=frozenset()),
    )
    group = "unanswerable" if unanswerable([one.unanswerable for one in references]) else "answerable"
    return QuestionItem(str(row.get("id", key)), row["input"], built.document, built.segments, references, group)


def _reference(built: Built, one: Mapping[str, Any]) -> Reference:
    if not one["answer"].strip():
        return Reference(NO_ANSWER, unanswerable=True, evidence=frozenset())
    return Reference(one["answer"], evidence=built.find(one["selected_sentences"]))
