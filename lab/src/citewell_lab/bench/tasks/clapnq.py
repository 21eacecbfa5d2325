"""CLAPNQ: long answers to questions over one passage, and questions that it does not answer. Rosenthal et al. 2024.

Rows: `input`, `passages` (one, with its sentences), `output` (one an annotator: `answer`, `selected_sentences`).
Segments are the passage's sentences. An annotation without an answer says that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.datasets.structure import UNANSWERED, Built, Part, build
from citewell_lab.bench.items import Item, QuestionItem, Reference
from citewell_lab.bench.kinds.questions import Questions
from citewell_lab.bench.metrics.declared import ANSWER_F1, EVIDENCE_F1, UNANSWERABLE_F1


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question."""
    return files.rows(paths, _item)


def _item(key: str, row: Mapping[str, Any]) -> QuestionItem:
    passage = row["passages"][0]
    built = build(map(Part, passage["sentences"]), passage.get("title"))
    references = tuple(_reference(built, output) for output in row["output"]) or (UNANSWERED,)
    return built.question(str(row.get("id", key)), row["input"], references)


def _reference(built: Built, output: Mapping[str, Any]) -> Reference:
    if not output["answer"].strip():
        return UNANSWERED
    return Reference(output["answer"], evidence=built.find(output["selected_sentences"]))


TASK = Questions(
    name="clapnq",
    summary="long answers from a passage, or none",
    quality=(ANSWER_F1, EVIDENCE_F1),
    headline=(ANSWER_F1, EVIDENCE_F1, UNANSWERABLE_F1),
    needs=("approach",),
    curve=True,
    data=Dataset(
        "clapnq",
        (
            "{split}_*answerable.jsonl",
            "clapnq_{split}_*answerable.jsonl",
            "annotated_data/{split}/clapnq_{split}_*answerable.jsonl",
            *LINES,
        ),
        _load,
    ),
)
