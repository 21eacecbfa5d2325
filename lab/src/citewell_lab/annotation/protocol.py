"""The questions to annotators and the items to annotate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citewell.errors import InputError, UsageError
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import ClaimItem, EvidenceItem, QuestionItem, RankItem, SpanItem
from citewell_lab.bench.items import Item as TaskItem
from citewell_lab.bench.kinds.labelled import Labelled
from citewell_lab.bench.tasks import task as find_task

SUPPORT = ("supported", "partially_supported", "not_supported")
MOST_SEGMENTS = 2000


@dataclass(frozen=True, slots=True)
class Protocol:
    """What every annotator is asked about every item.

    Attributes:
        labels: the choices, in the order of a scale where they are one.
        ordered: whether they are a scale: alpha is then computed with steps too.
        annotators: how many people label an item.
        majority: whether a label of more than half of them decides; without it all of them, or an adjudicator.
        evidence: whether the segments that show the label are marked.
    """

    name: str
    question: str
    labels: tuple[str, ...]
    ordered: bool = False
    annotators: int = 2
    majority: bool = False
    evidence: bool = True


PRESETS = {
    "support": Protocol("support", "Do the segments support the claim?", SUPPORT, ordered=True),
    # Chen et al. 2023, section 5: three annotators a sentence, who name its support; the majority label counts.
    "salad": Protocol(
        "salad",
        "Is this sentence of the answer supported by the documents? Mark the sentences that support it.",
        SUPPORT,
        ordered=True,
        annotators=3,
        majority=True,
    ),
}


@dataclass(frozen=True, slots=True)
class Item:
    """A claim and the segments that it is judged against; `context` is the question that it answers, if any."""

    id: str
    claim: str
    segments: tuple[str, ...]
    context: str = ""


def of_lines(path: Path) -> tuple[Item, ...]:
    """Items from JSON lines with `id`, `claim`, `segments` and, if there is one, `context`.

    Raises:
        InputError: a line is none, or an id stands twice.
    """
    if not path.is_file():
        raise InputError(f"{path} is not a file")
    return _distinct(item(row, f"{path.name}, line {number + 1}") for number, row in files.parsed(path))


def item(row: Any, where: str) -> Item:
    """An item from its JSON object.

    Raises:
        InputError: it is none.
    """
    fields = row if isinstance(row, dict) else {}
    key, claim, segments, context = (fields.get(name) for name in ("id", "claim", "segments", "context"))
    texts = (key, claim, "" if context is None else context, *(segments if isinstance(segments, list) else (None,)))
    if not all(isinstance(text, str) for text in texts) or not key or not claim:
        raise InputError(f'{where} is no item: {{"id": "...", "claim": "...", "segments": ["..."], "context": "..."}}')
    return Item(str(key), str(claim), tuple(segments or ()), str(context or ""))


def of_task(name: str, data: Path, split: str, limit: int | None) -> tuple[Protocol, tuple[Item, ...]]:
    """The items of a split of a task without their gold labels, and the protocol with the task's labels.

    Of tasks of questions the gold answers are the claims; their evidence is not told.

    Raises:
        InputError: the data is not there.
        UsageError: the task has no item that can be labelled.
    """
    task = find_task(name)
    paths = task.data.files(data, split)
    picked = task.data.picked(paths, split, limit=limit)
    items = _distinct(entry for row in picked for entry in _items(row))
    if not items:
        raise UsageError(f"{name}, {split}, has no item that can be labelled")
    labels = tuple(task.labels) if isinstance(task, Labelled) else SUPPORT
    question = "Which label has the claim by the segments?"
    return Protocol(task.name, question, labels, ordered=labels == SUPPORT), items


def _items(row: TaskItem) -> Iterator[Item]:
    match row:
        case ClaimItem():
            yield Item(row.id, row.claim, tuple(document.text for document in row.documents))
        case EvidenceItem():
            yield Item(row.id, row.question, _texts(row.document.text, row.segments), row.context)
        case QuestionItem():
            for number, reference in enumerate(row.references):
                segments = _texts(row.document.text, row.segments)
                yield Item(f"{row.id}#{number}", reference.text, segments, row.prompt_text)
        case RankItem():
            for number, target in enumerate(row.targets):
                segments = _texts(row.document.text, row.segments)
                yield Item(f"{row.id}#{number}", row.text[target.start : target.end], segments, row.question)
        case SpanItem():
            segments = _texts(row.passages.text, tuple(row.places.values()))
            for number, target in enumerate(row.targets):
                yield Item(f"{row.id}#{number}", row.text[target.start : target.end], segments, row.question)
        case _:  # a broken row, or one whose pages are told by its gold evidence alone
            return


def _texts(text: str, spans: tuple[Span, ...]) -> tuple[str, ...]:
    return tuple(text[span.start : span.end] for span in spans[:MOST_SEGMENTS])


def _distinct(items: Iterator[Item]) -> tuple[Item, ...]:
    by_id: dict[str, Item] = {}
    for entry in items:
        if by_id.setdefault(entry.id, entry) is not entry:
            raise InputError(f"two items have the id {entry.id!r}")
    return tuple(by_id.values())
