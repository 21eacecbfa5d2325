"""QASPER: questions about papers, several annotators each. Source: Dasigi et al. 2021; LAB appendix B.

Reads the published form (`qasper-dev-v0.3.json`, an object of papers), the same as columns (JSON objects one after
another), and papers with one plain text and gold paragraphs. Segments are the abstract and the paragraphs. As in LAB,
questions are left out of which an annotator's evidence stands in a table or figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from citewell.pipeline.approaches import Retrieval
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.datasets.itg import Graph
from citewell_lab.bench.datasets.structure import UNANSWERED, Built, Part, build, objects
from citewell_lab.bench.items import Item, QuestionItem, Reference
from citewell_lab.bench.kinds.questions import Questions

_FLOAT = "FLOAT SELECTED"


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question, paper by paper."""
    for path in paths:
        for row in objects(path):
            whole = {"": row} if "full_text" in row else row
            for name, paper in whole.items():
                yield from _questions(str(paper.get("id") or paper.get("article_id") or name), paper)


def _questions(name: str, paper: Mapping[str, Any]) -> Iterator[Item]:
    built: list[Built] = []

    def item(key: str, row: Mapping[str, Any]) -> QuestionItem | None:
        if not built:
            built.append(_document(paper))
        if "answers" not in row:
            references = _derived(built[0], row)
        else:
            answers = [answer.get("answer", answer) for answer in _answers(row["answers"])]
            if any(map(_in_float, answers)):
                return None
            references = [_reference(answer, built[0].find) for answer in answers]
        return built[0].question(key, row["question"], references) if references else None

    for number, row in enumerate(_rows(paper["qas"])):
        item_or_broken = files.attempt(f"{name}:{row.get('question_id', number)}", item, row)
        if item_or_broken is not None:
            yield item_or_broken


def _rows(table: Any) -> list[dict[str, Any]]:
    """Rows of a table that is written as rows or as columns."""
    if isinstance(table, list):
        return list(table)
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def _answers(answers: Any) -> list[dict[str, Any]]:
    return list(answers) if isinstance(answers, list) else _rows({"answer": answers["answer"]})


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


def _in_float(answer: Mapping[str, Any]) -> bool:
    """Whether an annotation's evidence stands in a table or figure."""
    return any(_FLOAT in text for text in answer.get("evidence") or ())


def _reference(answer: Mapping[str, Any], find: Callable[[Sequence[str]], frozenset[int] | None]) -> Reference:
    """An annotation, its evidence found in the document."""
    if answer["unanswerable"]:
        return UNANSWERED
    spans = answer.get("extractive_spans") or []
    text = ", ".join(spans) or answer.get("free_form_answer") or ("Yes" if answer.get("yes_no") else "No")
    return Reference(text, evidence=find(answer.get("evidence") or []))


def _derived(built: Built, row: Mapping[str, Any]) -> list[Reference]:
    """Questions with gold paragraphs, and the answers of a second copy beside the spans."""
    evidence = built.find(row["evidence"])
    texts = [*row.get("leval_answers", ()), ", ".join(row["extractive_spans"])]
    return [Reference(text, evidence=evidence) for text in dict.fromkeys(texts) if text]


def _graph(_: str, graph: Graph, __: Path) -> Iterator[Item]:
    """The questions about a paper; nodes name the annotation that they are evidence for."""

    def reference(annotation: Mapping[str, Any]) -> Reference:
        return _reference(
            annotation.get("answer", annotation),
            lambda _: graph.evidence(lambda node: node.get("annotation_id") == annotation["annotation_id"]) or None,
        )

    for row in graph.meta["qas"]:
        answers = row["answers"]
        if answers and not any(_in_float(answer.get("answer", answer)) for answer in answers):
            yield graph.built.question(str(row["question_id"]), row["question"], list(map(reference, answers)))


TASK = Questions(
    name="qasper",
    siblings=1,
    summary="questions over papers, some without an answer",
    tables=("lab-3-qasper",),
    prompt="qasper",
    retrieval=Retrieval("dragon", "contriever", "dragon"),
    paper_checker="minicheck",
    short=True,
    curve=True,
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
