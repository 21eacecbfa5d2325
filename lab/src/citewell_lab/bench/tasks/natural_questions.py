"""Natural Questions: questions over whole Wikipedia pages. Source: Kwiatkowski et al. 2019; LAB appendix B.

Reads the published simplified form (`document_tokens` or `document_text`, `annotations`) and pages with short answers
alone (`input`, `instructions`, `outputs`). Kept are annotations with short answers, yes or no, or no answer; left out
are those with a long answer alone, and those whose evidence is not a paragraph. Segments are paragraphs, list items
and table rows before the page's references. Questions without an annotation that is kept are left out, and those
whose kept annotations all say "no answer" while several others give a long answer alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citewell.pipeline.approaches import Retrieval
from citewell.types import BlockKind
from citewell_lab.bench.datasets import files
from citewell_lab.bench.datasets.dataset import LINES, Dataset
from citewell_lab.bench.datasets.itg import Graph
from citewell_lab.bench.datasets.structure import UNANSWERED, Built, Part, build
from citewell_lab.bench.items import Item, QuestionItem, Reference
from citewell_lab.bench.kinds.questions import Questions

_TAG = re.compile(r"<(/?)([A-Za-z]++\d?+)[^>]*+>")
_KINDS: dict[str, BlockKind] = {"li": "list_item", "dd": "list_item", "dt": "list_item", "tr": "table_row"}
_CELLS = ("td", "th")
_TAIL = ("see also", "references", "notes and references", "external links")


class Page(NamedTuple):
    """A page as a document, and the tokens of each segment: first, and one after the last."""

    built: Built
    tokens: tuple[tuple[int, int], ...]


def _load(paths: Sequence[Path]) -> Iterator[Item]:
    """One item a question."""
    return files.several(paths, _items)


def _items(key: str, row: Mapping[str, Any]) -> Iterator[Item | None]:
    if "instructions" not in row:
        yield files.attempt(str(row.get("example_id", key)), _item, row)
        return
    page = read(row["input"].split(" "))
    for number, (question, answer) in enumerate(zip(row["instructions"], row["outputs"], strict=True)):
        yield page.built.question(f"{key}:{number}", question, (Reference(answer),))


def _item(key: str, row: Mapping[str, Any]) -> QuestionItem | None:
    html = None
    if "document_tokens" in row:
        tokens = [token["token"] for token in row["document_tokens"]]
        html = [bool(token["html_token"]) for token in row["document_tokens"]]
    else:
        tokens = row["document_text"].split(" ")
    page = read(tokens, html, row.get("document_title"))
    references = tuple(reference for token in row["annotations"] if (reference := _reference(page, tokens, token)))
    silent = [token["long_answer"] for token in row["annotations"] if _answer(tokens, token) is None]
    long_only = sum(answer["start_token"] >= 0 for answer in silent)
    if not _kept(references, long_only):
        return None
    return page.built.question(key, row["question_text"], references)


def _kept(references: Sequence[Reference], long_only: int) -> bool:
    """Whether a question counts, given its annotations that count and how many have a long answer alone."""
    return bool(references) and not (long_only > 1 and all(reference.unanswerable for reference in references))


def _answer(tokens: Sequence[str], annotation: Mapping[str, Any]) -> str | None:
    """The words of an annotation's short answers, or yes or no; None of one without either."""
    if annotation["short_answers"]:
        spans = ((short["start_token"], short["end_token"]) for short in annotation["short_answers"])
        return " ".join(token for start, end in spans for token in tokens[start:end])
    return annotation["yes_no_answer"].lower() if annotation["yes_no_answer"] in ("YES", "NO") else None


def _reference(page: Page, tokens: Sequence[str], annotation: Mapping[str, Any]) -> Reference | None:
    """An annotation, None for one that is left out."""
    start, end = annotation["long_answer"]["start_token"], annotation["long_answer"]["end_token"]
    text = _answer(tokens, annotation)
    if text is None:
        return None if start >= 0 else UNANSWERED
    if start < 0 or tokens[start].lower() != "<p>":
        return None
    evidence = frozenset(i for i, (first, last) in enumerate(page.tokens) if first < end and start < last)
    return Reference(text, evidence=evidence) if evidence else None


def read(tokens: Sequence[str], html: Sequence[bool] | None = None, title: str | None = None) -> Page:
    """A page from its tokens, some of which are tags; `html` says which, else their look."""
    parts, places = [], []
    words: list[str] = []
    kind: BlockKind = "paragraph"
    level, first = 0, 0

    def close(position: int) -> bool:
        """End the block; True where the rest of the page is references."""
        nonlocal words
        text = " ".join(words).strip(" |").strip()
        words = []
        if kind == "heading" and text.removesuffix("( edit )").strip().lower() in _TAIL:
            return True
        if text:
            parts.append(Part(text, kind, level))
            if kind != "heading":
                places.append((first, position))
        return False

    for position, token in enumerate(tokens):
        tag = _TAG.fullmatch(token) if html is None or html[position] else None
        if tag is None:
            if token:
                if not words:
                    first = position
                words.append(token)
            continue
        name = tag[2].lower()
        if name in _CELLS:
            if tag[1]:
                words.append("|")
            continue
        if close(position):
            break
        opened = not tag[1]
        heading = opened and re.fullmatch(r"h\d", name) is not None
        level = int(name[1]) if heading else 0
        kind = "heading" if heading else _KINDS.get(name, "paragraph") if opened else "paragraph"
    else:
        close(len(tokens))
    named = title or next((part.text for part in parts if part.kind == "heading" and part.level == 1), None)
    return Page(build(parts, named), tuple(places))


def _graph(key: str, graph: Graph, _: Path) -> Iterator[Item]:
    """The question about a page; which annotations count is as in the published form."""
    meta = graph.meta
    tokens = meta["document_text"].split(" ")
    references, long_only = [], 0
    for annotation in meta["annotations"]:
        number = annotation["long_answer"]["candidate_index"]
        text = _answer(tokens, annotation)
        if text is None:
            long_only += number >= 0
            references += [UNANSWERED] if number < 0 else []
            continue
        name = str(meta["long_answer_candidates"][number].get("node_ix")) if number >= 0 else ""
        place = graph.places.get(name)
        if place is not None and graph.nodes[place]["ntype"] == "p":
            references.append(Reference(text, evidence=frozenset((place,))))
    if _kept(references, long_only):
        yield graph.built.question(str(meta.get("example_id", key)), meta["question_text"], references)


TASK = Questions(
    name="natural-questions",
    summary="questions over Wikipedia pages, some without an answer",
    tables=("lab-3-natural-questions",),
    prompt="natural-questions",
    retrieval=Retrieval("sbert", "dragon", "contriever"),
    paper_checker="true",
    short=True,
    data=Dataset(
        "natural_questions",
        (
            "*-{split}-*.jsonl*",
            "*-{split}.jsonl*",
            *LINES,
            "*_{split}.jsonl*",
            "leval_*.jsonl",
            "natural_questions_itg/{split}/*.json",
        ),
        _load,
        graph=_graph,
        whole=("*.jsonl*",),
    ),
)
