"""QASPER: questions about papers, several annotators each. Source: Dasigi et al. 2021; LAB appendix B.

Reads the published form (`qasper-dev-v0.3.json`, an object of papers), the same as columns (JSON objects one after
another), and papers with one plain text and gold paragraphs. Segments are the abstract and the paragraphs. As in LAB,
annotations whose evidence stands in a table or figure are left out, and questions that have no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.bench.datasets import files
from citewell.bench.datasets.dataset import LINES, Dataset
from citewell.bench.datasets.itg import Graph
from citewell.bench.datasets.structure import UNANSWERED, Built, Part, build, objects
from citewell.bench.items import Item, QuestionItem, Reference
from citewell.bench.kinds.questions import Questions
from citewell.generators.approaches import Retrieval

_FLOAT = "FLOAT SELECTED"


def _load(paths: Sequence[Path]) -> Iterator[Item]:
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
            marked = [_reference(one.get("answer", one), built[0].find) for one in _answers(row["answers"])]
        else:
            marked = [*_derived(built[0], row)]
        references = tuple(reference for reference in marked if reference)
        return built[0].question(key, row["question"], references) if references else None

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


def _reference(answer: Mapping[str, Any], find: Callable[[Sequence[str]], frozenset[int] | None]) -> Reference | None:
    """An annotation, its evidence found in the document; None where that stands in a table or figure."""
    evidence = answer.get("evidence") or []
    if any(_FLOAT in text for text in evidence):
        return None
    if answer["unanswerable"]:
        return UNANSWERED
    spans = answer.get("extractive_spans") or []
    text = ", ".join(spans) or answer.get("free_form_answer") or ("Yes" if answer.get("yes_no") else "No")
    return Reference(text, evidence=find(evidence))


def _derived(built: Built, row: Mapping[str, Any]) -> list[Reference]:
    """Questions with gold paragraphs, and the answers of a second copy beside the spans."""
    evidence = built.find(row["evidence"])
    texts = [*row.get("leval_answers", ()), ", ".join(row["extractive_spans"])]
    return [Reference(text, evidence=evidence) for text in dict.fromkeys(texts) if text]


def _graph(_: str, graph: Graph, __: Path) -> Iterator[Item]:
    """The questions about a paper; nodes name the annotation that they are evidence for."""

    def reference(one: Mapping[str, Any]) -> Reference | None:
        return _reference(
            one.get("answer", one),
            lambda _: graph.evidence(lambda node: node.get("annotation_id") == one["annotation_id"]) or None,
        )

    for row in graph.meta["qas"]:
        references = [made for one in row["answers"] if (made := reference(one))]
        if references:
            yield graph.built.question(str(row["question_id"]), row["question"], references)


TASK = Questions(
    name="qasper",
    summary="questions over papers, some without an answer",
    tables=("lab-3-qasper",),
    prompt="qasper",
    retrieval=Retrieval("dragon", "contriever", "dragon"),
    paper_checker="minicheck",
    data=Dataset(
        "qasper",
        (
            "qasper-{split}-*.json",
            "{split}.json",
            *LINES,
            "*_{split}_*.json*",
            "*_{split}.json*",
            "QASPER-ITG/deep-{split}.jsonl",
        ),
        _load,
        graph=_graph,
        whole=("*.json*",),
    ),
)
