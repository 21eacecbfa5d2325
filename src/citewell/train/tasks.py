"""Training examples of the benchmark's tasks: the document with numbered segments, what is asked, the gold reply.

A task of labels gives its label as the reply, a task of answers the answer that people judged or wrote; with citations
the numbers of the gold segments stand behind each statement, `[1] [3]`. A document that is too long loses its last
segments, as in LAB (section E.2); an item whose gold evidence was among these is left out, because its reply could not
be known from what the model reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
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
    """One item in words.

    Attributes:
        question: what is asked; a statement where labels are.
        segments: of the document, some may be blank.
        parts: the reply: each statement with the white space before it, and the positions of its segments.
        labels: what may be replied and what each means; empty where the reply is free.
    """

    question: str
    segments: tuple[str, ...]
    parts: tuple[tuple[str, frozenset[int]], ...]
    labels: Mapping[str, str] = MappingProxyType({})


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
            gold = gold_of(name, item, citations=citations)
            made.append(example(gold, count=count, room=room, citations=citations))
        except UsageError:
            raise
        except CitewellError as error:
            failed.append(f"{item.id}: {error}")
    return made, failed


class _UnusableError(CitewellError):
    """An item that gives no example."""


def example(gold: Gold, *, count: Count, room: int, citations: bool) -> Example:
    """The prompt and the reply for one item; the document is cut by whole segments to fit the room.

    Raises:
        CitewellError: what the reply names, or the whole document, does not fit.
    """
    kind = "labels" if gold.labels else "answers"
    prompt = prompts.builtin("citewell.train", f"{kind}_{'citations' if citations else 'plain'}")
    values = {"question": gold.question, "document": ""}
    if gold.labels:
        values["labels"] = "\n".join(f"- {label}: {meaning}" for label, meaning in gold.labels.items())
    left = room - _RESERVE - sum(count(message.content) for message in prompt.messages(**values))
    shown: dict[int, str] = {}
    for position, text in enumerate(gold.segments):
        if not text:
            continue
        line = f"[{position + 1}] {text}" if citations else text
        left -= count(line) + 1
        if left < 0:
            break
        shown[position] = line
    if not shown:
        raise _UnusableError(f"none of its document fits {room} tokens")
    if any(not numbers <= shown.keys() for _, numbers in gold.parts):
        raise _UnusableError(f"its evidence lies beyond the {room} tokens of a prompt")
    return Example(
        prompt.messages(**{**values, "document": "\n".join(shown.values())}), reply(gold, citations=citations)
    )


def reply(gold: Gold, *, citations: bool) -> str:
    """The text that the model should write."""
    pieces = []
    for text, numbers in gold.parts:
        pieces.append(text)
        pieces.extend(f" [{position + 1}]" for position in sorted(numbers) if citations)
    return "".join(pieces).strip()


def gold_of(name: str, item: Item, *, citations: bool = True) -> Gold:
    """An item in words.

    Raises:
        UsageError: the task has no replies to learn, or with `citations` its data marks no evidence.
        CitewellError: this item has none.
    """
    if isinstance(item, Broken):
        raise _UnusableError(item.reason)
    if isinstance(item, EvidenceItem) and name in LABELS:
        if citations and not item.annotations[0].sets:
            raise UsageError(f"the data of {name} marks no evidence for {item.id}: train with --no-citations")
        return _labelled(name, item)
    if isinstance(item, SpanItem):
        ends = (*item.starts[1:], len(item.passages.text))
        passages = [Span(start, end) for start, end in zip(item.starts, ends, strict=True)]
        places = [frozenset({item.numbers.index(number)}) for number in item.gold]
        judged = [span for span in item.statements if span.start < item.judged.end and item.judged.start < span.end]
        return _answered(item.question, item.text, judged, item.targets, places, item.passages.text, passages)
    if isinstance(item, RankItem):
        where = item.targets
        return _answered(item.question, item.text, where, where, item.gold, item.document.text, item.segments)
    raise UsageError(f"the task {name!r} judges claims: it has no replies to learn")


def _labelled(name: str, item: EvidenceItem) -> Gold:
    """The first annotator's label and smallest set of evidence."""
    first = item.annotations[0]
    numbers = min(first.sets, key=lambda one: (len(one), sorted(one)), default=frozenset())
    texts = tuple(_line(item.document.text, span) for span in item.segments)
    if name == "evidence-inference":  # the statements of its three labels say what is asked
        return Gold("Which of these findings does the report state?", texts, ((first.label, numbers),), item.statements)
    return Gold(next(iter(item.statements.values())), texts, ((first.label, numbers),), LABELS[name])


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
    parts: list[tuple[str, frozenset[int]]] = []
    last = 0
    for start, end in statements:
        inside = (numbers for span, numbers in zip(targets, gold, strict=True) if span.start < end and start < span.end)
        between = text[last:start] if parts else ""
        # White space stays as it was; where other statements stood there is a blank.
        parts.append(((" " if between.strip() else between) + text[start:end], frozenset[int]().union(*inside)))
        last = end
    if not parts:
        raise _UnusableError("its answer has no statements")
    return Gold(question, tuple(_line(document, span) for span in segments), tuple(parts))


def _line(text: str, span: Span) -> str:
    return " ".join(text[span.start : span.end].split())


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
    "evidence-inference": {},
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
