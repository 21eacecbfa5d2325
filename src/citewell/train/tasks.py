"""Training examples of the benchmark's tasks: the document with numbered segments, what is asked, the gold reply.

A task of labels gives its label as the reply, a task of answers the answer that people judged or wrote; with citations
the numbers of the gold segments stand behind each statement, `[1] [3]`. A document that is too long loses its last
segments, as in LAB (section E.2); an item whose gold evidence was among these is left out, because its reply could not
be known from what the model reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from citewell.bench.datasets import DATASETS
from citewell.bench.items import Broken, EvidenceItem, Item, RankItem, SpanItem
from citewell.errors import CitewellError, UsageError
from citewell.llm import prompts
from citewell.train.data import Example
from citewell.types import Span

Count = Callable[[str], int]

_RESERVE = 32  # tokens kept free for what a chat template adds


class Gold(NamedTuple):
    """One item in words: what is asked, the segments, and the reply as parts with the segments that each names."""

    question: str
    segments: tuple[str, ...]
    parts: tuple[tuple[str, frozenset[int]], ...]


def examples(
    name: str, data: Path, split: str, *, count: Count, room: int, citations: bool, limit: int | None = None
) -> tuple[list[Example], list[str]]:
    """The examples of a split, and why items have none.

    Args:
        name: the task.
        data: the folder of the data sets.
        split: `train`, `dev`, ...
        count: tokens of a text by the model's tokenizer.
        room: most tokens of a prompt.
        citations: whether replies name their evidence.
        limit: only the first so many items.

    Raises:
        UsageError: no such task, or it has no replies to learn.
        InputError: the data or the split is not there.
    """
    if name not in DATASETS:
        raise UsageError(f"no task {name!r}; there are: {', '.join(DATASETS)}")
    source = DATASETS[name]
    made: list[Example] = []
    failed: list[str] = []
    for number, item in enumerate(source.items(source.files(data, split))):
        if limit is not None and number >= limit:
            break
        try:
            gold = gold_of(name, item)
            made.append(example(name, gold, count=count, room=room, citations=citations))
        except UsageError:
            raise
        except CitewellError as error:
            failed.append(f"{item.id}: {error}")
    return made, failed


class _UnusableError(CitewellError):
    """An item that gives no example."""


def example(name: str, gold: Gold, *, count: Count, room: int, citations: bool) -> Example:
    """The prompt and the reply for one item; the document is cut by whole segments to fit the room."""
    kind = "labels" if name in LABELS else "answers"
    prompt = prompts.builtin("citewell.train", f"{kind}_{'citations' if citations else 'plain'}")
    values = {"question": gold.question, "document": ""}
    if kind == "labels":
        values["labels"] = "\n".join(f"- {label}: {meaning}" for label, meaning in LABELS[name].items())
    left = room - _RESERVE - sum(count(message.content) for message in prompt.messages(**values))
    shown: list[str] = []
    for number, text in enumerate(gold.segments, start=1):
        line = f"[{number}] {text}" if citations else text
        left -= count(line) + 1
        if left < 0:
            break
        shown.append(line)
    wanted = frozenset[int]().union(*(numbers for _, numbers in gold.parts))
    if any(number >= len(shown) for number in wanted):
        raise _UnusableError(f"its evidence lies beyond the {room} tokens of a prompt")
    if not shown:
        raise _UnusableError(f"none of its document fits {room} tokens")
    messages = prompt.messages(**{**values, "document": "\n".join(shown)})
    return Example(messages, reply(gold, citations=citations))


def reply(gold: Gold, *, citations: bool) -> str:
    """The text that the model should write."""
    pieces = []
    for text, numbers in gold.parts:
        marks = " ".join(f"[{number + 1}]" for number in sorted(numbers)) if citations else ""
        pieces.append(f"{text} {marks}".strip())
    return " ".join(pieces)


def gold_of(name: str, item: Item) -> Gold:
    """An item in words.

    Raises:
        UsageError: the task has no replies to learn.
        CitewellError: this item has none.
    """
    if isinstance(item, Broken):
        raise _UnusableError(item.reason)
    if isinstance(item, EvidenceItem) and name in LABELS:
        return _labelled(name, item)
    if isinstance(item, SpanItem):
        ends = (*item.starts[1:], len(item.passages.text))
        passages = [Span(start, end) for start, end in zip(item.starts, ends, strict=True)]
        places = [frozenset({item.numbers.index(number)}) for number in item.gold]
        return _answered(item.question, item.text, item.statements, item.targets, places, item.passages.text, passages)
    if isinstance(item, RankItem):
        where = item.targets
        return _answered(item.question, item.text, where, where, item.gold, item.document.text, item.segments)
    raise UsageError(f"the task {name!r} judges claims: it has no replies to learn")


def _labelled(name: str, item: EvidenceItem) -> Gold:
    """The first annotator's label and smallest set of evidence."""
    first = item.annotations[0]
    numbers = min(first.sets, key=lambda one: (len(one), sorted(one)), default=frozenset())
    texts = tuple(_line(item.document.text, span) for span in item.segments)
    return Gold(QUESTIONS[name](item), texts, ((first.label, numbers),))


def _answered(
    question: str,
    text: str,
    statements: Sequence[Span],
    targets: Sequence[Span],
    gold: Sequence[frozenset[int]],
    document: str,
    segments: Sequence[Span],
) -> Gold:
    """Statements with the evidence of every target in them."""
    parts = []
    for start, end in statements:
        inside = (numbers for span, numbers in zip(targets, gold, strict=True) if span.start < end and start < span.end)
        parts.append((" ".join(text[start:end].split()), frozenset[int]().union(*inside)))
    if not parts:
        raise _UnusableError("its answer has no statements")
    return Gold(question, tuple(_line(document, span) for span in segments), tuple(parts))


def _line(text: str, span: Span) -> str:
    return " ".join(text[span.start : span.end].split())


def _claim(item: EvidenceItem) -> str:
    return next(iter(item.statements.values()))


def _trial(item: EvidenceItem) -> str:
    """The three possible findings: which of them holds is asked."""
    return "Which of these does the report find?\n" + "\n".join(f"{k}: {v}" for k, v in item.statements.items())


QUESTIONS: dict[str, Callable[[EvidenceItem], str]] = {
    "wice": _claim,
    "contract-nli": _claim,
    "evidence-inference": _trial,
    "scifact": _claim,
    "fever": _claim,
}

LABELS: dict[str, dict[str, str]] = {
    "wice": {
        "supported": "the document says all of the statement",
        "partially_supported": "the document says a part of it, and the rest is missing",
        "not_supported": "the document says none of it, or the opposite",
    },
    "contract-nli": {
        "Entailment": "the contract makes the statement true",
        "Contradiction": "the contract makes the statement false",
        "NotMentioned": "the contract does neither",
    },
    "evidence-inference": {
        "significantly increased": "the outcome rose, and the report calls the difference significant",
        "significantly decreased": "the outcome fell, and the report calls the difference significant",
        "no significant difference": "the report finds no significant difference",
    },
    "scifact": {
        "SUPPORTS": "the abstract supports the statement",
        "REFUTES": "the abstract contradicts the statement",
        "NOT_ENOUGH_INFO": "the abstract does not tell",
    },
    "fever": {
        "SUPPORTS": "the page supports the statement",
        "REFUTES": "the page contradicts the statement",
    },
}
