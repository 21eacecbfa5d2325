"""QASPER: questions about papers, several annotators each. Source: Dasigi et al. 2021; LAB appendix B.

Reads the published form (`qasper-dev-v0.3.json`, an object of papers), the same as columns (JSON objects one after
another), and papers with one plain text and gold paragraphs. Segments are the abstract and the paragraphs. As in LAB,
annotations whose evidence stands in a table or figure are left out, and questions that have no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.bench.datasets import files
from citewell.bench.datasets.structure import Built, Part, build, objects
from citewell.bench.items import Item, QuestionItem, Reference
from citewell.bench.metrics.answers import NO_ANSWER, unanswerable

_FLOAT = "FLOAT SELECTED"


def load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question, paper by paper."""
    for path in paths:
        for found in objects(path):
            whole = {"": found} if "full_text" in found else found
            for name, paper in whole.items():
                yield from _questions(str(paper.get("id") or paper.get("article_id") or name), paper)


def _questions(name: str, paper: Mapping[str, Any]) -> Iterator[Item]:
    built: list[Built] = []

    def item(key: str, row: Mapping[str, Any]) -> QuestionItem | None:
        if not built:
            built.append(_document(paper))
        if "answers" in row:
            marked: Sequence[Reference | None] = [
                _reference(built[0], one.get("answer", one)) for one in _answers(row["answers"])
            ]
        else:
            marked = _derived(built[0], row)
        references = tuple(one for one in marked if one)
        if not references:
            return None
        group = "unanswerable" if unanswerable([one.unanswerable for one in references]) else "answerable"
        return QuestionItem(key, row["question"], built[0].document, built[0].segments, references, group)

    for number, row in enumerate(_rows(paper["qas"])):
        made = files.attempt(f"{name}:{row.get('question_id', number)}", item, row)
        if made is not None:
            yield made


def _rows(table: Any) -> list[dict[str, Any]]:
    """Rows of a table that is written as rows or as columns."""
    if isinstance(table, list):
        return list(table)
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def _answers(found: Any) -> list[dict[str, Any]]:
    return list(found) if isinstance(found, list) else _rows({"answer": found["answer"]})


def _document(paper: Mapping[str, Any]) -> Built:
    title, text = paper.get("title") or "", paper["full_text"]
    parts = [Part(title, "heading", 1)]
    if isinstance(text, str):
        parts += [Part(line, _kind(line), 2) for line in text.split("\n")]
        return build(parts, title)
    if paper.get("abstract"):
        parts += [Part("Abstract", "heading", 2), Part(paper["abstract"])]
    for section in _rows(text):
        parts.append(Part((section["section_name"] or "").replace(" ::: ", ": "), "heading", 2))
        parts += [Part(paragraph) for paragraph in section["paragraphs"]]
    return build(parts, title)


def _kind(line: str) -> Any:
    """A heading is a short line that does not end like a sentence."""
    line = line.strip()
    return "heading" if len(line) <= 80 and line[-1:] not in ".:;,?!)" else "paragraph"


def _reference(built: Built, answer: Mapping[str, Any]) -> Reference | None:
    """An annotation, None for one whose evidence stands in a table or figure."""
    evidence = answer.get("evidence") or []
    if any(_FLOAT in one for one in evidence):
        return None
    if answer["unanswerable"]:
        return Reference(NO_ANSWER, unanswerable=True, evidence=frozenset())
    spans = answer.get("extractive_spans") or []
    text = ", ".join(spans) or answer.get("free_form_answer") or ("Yes" if answer.get("yes_no") else "No")
    return Reference(text, evidence=built.find(evidence))


def _derived(built: Built, row: Mapping[str, Any]) -> list[Reference]:
    """Questions with gold paragraphs, and the answers of a second copy beside the spans."""
    evidence = built.find(row["evidence"])
    texts = [*row.get("leval_answers", ()), ", ".join(row["extractive_spans"])]
    return [Reference(text, evidence=evidence) for text in dict.fromkeys(texts) if text]
