"""Training cases from tasks: queries with paragraphs and gold ones, answers with their documents."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from citewell.document import Document
from citewell.errors import InputError
from citewell.types import Draft, Span
from citewell_lab.bench import spec
from citewell_lab.bench.items import EvidenceItem, Item, QuestionItem, RankItem, SpanItem
from citewell_lab.bench.tasks import task as find_task


class Case(NamedTuple):
    """A query, the paragraphs that it is asked of, and which of them answer it."""

    id: str
    query: str
    texts: tuple[str, ...]
    gold: frozenset[int]


class AnswerCase(NamedTuple):
    """An answer and the documents that it was given from."""

    id: str
    draft: Draft
    documents: tuple[Document, ...]


def read(name: str, data: str | Path, split: str, limit: int | None, seed: int) -> tuple[list[Item], dict[str, Any]]:
    """Items of a task in an order drawn with the seed, and the record of where they come from.

    Raises:
        UsageError: no such task.
        InputError: the data is not there.
    """
    source = find_task(name).data
    paths = source.files(Path(data), split)
    items = list(source.items(paths, split))
    random.Random(seed).shuffle(items)  # noqa: S311  (a seeded draw)
    record = {"task": name, "split": split, "seed": seed, "checksums": source.checksums(Path(data), paths),
            "versions": dict(spec.versions()), "git": spec.revision()}  # fmt: skip
    return items[: limit if limit is None else 4 * limit], record


def cases(items: Iterable[Item]) -> Iterator[Case]:
    """The queries of items whose gold paragraphs are known, one an item: the first target, the claim, the question."""
    for item in items:
        if isinstance(item, SpanItem) and item.targets:
            places = list(item.places.values())
            gold = frozenset({item.numbers.index(item.gold[0])}) if item.gold[0] in item.numbers else frozenset()
            yield from _case(item.id, _text(item.text, item.targets[0]), item.passages, places, gold)
        elif isinstance(item, RankItem) and item.targets:
            yield from _case(item.id, _text(item.text, item.targets[0]), item.document, item.segments, item.gold[0])
        elif isinstance(item, QuestionItem):
            marked = [reference.evidence for reference in item.references if reference.evidence]
            if marked:
                yield from _case(item.id, item.prompt_text, item.document, item.segments, marked[0])
        elif isinstance(item, EvidenceItem):
            sets = [own for one in item.annotations for own in one.sets if own]
            if sets:
                yield from _case(item.id, item.question, item.document, item.segments, sets[0])


def answers(items: Iterable[Item]) -> Iterator[AnswerCase]:
    """The answers of items that hold any."""
    for item in items:
        if isinstance(item, SpanItem):
            yield AnswerCase(item.id, Draft(item.text, item.question, item.statements), (item.passages,))
        elif isinstance(item, RankItem):
            yield AnswerCase(item.id, Draft(item.text, item.question, item.targets), (item.document,))


def require(number: int, task: str, what: str) -> None:
    """Refuse a task that has nothing to learn from.

    Raises:
        InputError: there is nothing.
    """
    if not number:
        raise InputError(f"{task} has no {what} to learn from; name another --task")


def _case(key: str, query: str, document: Document, segments: Iterable[Span], gold: frozenset[int]) -> Iterator[Case]:
    texts = tuple(_text(document.text, span) for span in segments)
    if query.strip() and gold and len(texts) > len(gold):
        yield Case(key, query, texts, gold)


def _text(text: str, span: Span) -> str:
    return text[span.start : span.end]
