"""Training examples from the benchmark's tasks, in the project's own prompts.

A task of labels gives its label as the reply, a task of answers the answer that people judged or wrote; with citations
the numbers of the gold segments stand behind each statement, `[1] [3]`. No worked examples are shown: what a reply
looks like is what is trained. A document that is too long loses its last segments, as in LAB (section E.2); an item
whose gold evidence was among these is left out, because its reply could not be known from what the model reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from citewell.document import Document
from citewell.errors import BackendError, CitewellError, UsageError
from citewell.generators.prompted import templates
from citewell.generators.prompted.generator import Prompted
from citewell.protocols import Completion, Request
from citewell.text.spans import touched
from citewell.types import Passage, Segment, Span
from citewell_lab.bench.items import Broken, EvidenceItem, Item, QuestionItem, RankItem, SpanItem
from citewell_lab.bench.kinds.labelled import Labelled
from citewell_lab.bench.tasks import task
from citewell_lab.train.data import Example

Count = Callable[[str], int]

_RESERVE = 32  # tokens kept free for what a chat template adds


class Gold(NamedTuple):
    """One item in words.

    Attributes:
        question: what is asked; a statement where labels are.
        document: what is read.
        segments: its parts, as offsets.
        parts: the reply: each statement with the white space before it, and the positions of its segments.
        context: what is told beside the question.
    """

    question: str
    document: Document
    segments: Sequence[Span]
    parts: tuple[tuple[str, frozenset[int]], ...]
    context: str = ""


class _Counter:
    """Counts tokens for the prompt, where otherwise the language model that is asked would."""

    def __init__(self, count: Count) -> None:
        self.count_tokens = count

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:  # noqa: ARG002
        """Nobody is asked."""
        raise BackendError("examples are made, no model is asked")


def labels(name: str) -> Mapping[str, str]:
    """The labels of a task in the words of its prompt; none where it has no labels."""
    known = task(name)
    return known.labels if isinstance(known, Labelled) else {}


def prompt(name: str) -> str:
    """The prompt of a task: the name of one of those for asking, or the path of one that only training needs."""
    if name in templates.NAMES:
        return name
    return str(resources.files("citewell_lab.train").joinpath("prompts", f"{name}.txt")) if labels(name) else "question"


def asker(name: str, count: Count, room: int, *, citations: bool) -> Prompted:
    """What words the prompts of a task."""
    cite = "marks" if citations else "none"
    most = max(1, room - _RESERVE)  # of a longer document the first segments, as LAB reads it
    return Prompted(llm=_Counter(count), prompt=prompt(name), cite=cite, max_input=most, overlong="cut", examples=0)


def examples(
    name: str, data: Path, split: str, *, count: Count, room: int, citations: bool, limit: int | None = None
) -> tuple[list[Example], list[str]]:
    """The examples of a split, and why items have none.

    `count` gives a text's tokens by the model's tokenizer, `room` bounds those of a prompt; with `citations` replies
    name their evidence.

    Raises:
        UsageError: no such task, or it has no replies to learn.
        InputError: the data or the split is not there.
    """
    source = task(name).data
    prompted = asker(name, count, room, citations=citations)
    built: list[Example] = []
    failed: list[str] = []
    for item in itertools.islice(source.items(source.files(data, split), split), limit):
        try:
            built.append(example(prompted, gold_of(name, item, citations=citations)))
        except UsageError:
            raise
        except CitewellError as error:
            failed.append(f"{item.id}: {error}")
    return built, failed


class _UnusableError(CitewellError):
    """An item that gives no example."""


def example(prompted: Prompted, gold: Gold) -> Example:
    """The prompt and the reply for one item; the document is cut by whole segments to fit the room.

    Raises:
        CitewellError: what the reply names, or the whole document, does not fit.
    """
    text, unit = gold.document.text, prompted.unit
    filled = [n for n, (start, end) in enumerate(gold.segments) if text[start:end].strip()]
    passages = [
        Passage(0, Segment(f"p{n + 1}", unit, start, end, text[start:end]))
        for n, (start, end) in ((n, gold.segments[n]) for n in filled)
    ]
    try:
        request, kept, _ = replace(prompted, context=gold.context).request(gold.question, [gold.document], passages)
    except UsageError as error:
        raise _UnusableError(str(error)) from error
    if kept != tuple(passages[: len(kept)]):
        raise _UnusableError(
            f"none of its segments fits into the {prompted.max_input} tokens of a prompt: raise --max-input"
        )
    number = {n: place for place, n in enumerate(filled[: len(kept)], start=1)}
    if any(not numbers <= number.keys() for _, numbers in gold.parts):
        raise _UnusableError(f"its evidence lies beyond the {prompted.max_input} tokens of a prompt: raise --max-input")
    pieces = []
    for words, numbers in gold.parts:
        pieces.append(words)
        pieces.extend(f" [{number[n]}]" for n in sorted(numbers) if prompted.cite == "marks")
    return Example(request.messages, "".join(pieces).strip())


def gold_of(name: str, item: Item, *, citations: bool = True) -> Gold:
    """An item in words.

    Raises:
        UsageError: the task has no replies to learn, or with `citations` its data marks no evidence.
        CitewellError: this item has none.
    """
    if isinstance(item, Broken):
        raise _UnusableError(item.reason)
    if isinstance(item, EvidenceItem):
        if citations and not item.annotations[0].sets:
            raise UsageError(f"the data of {name} marks no evidence for {item.id}: train with --no-citations")
        return _labelled(name, item)
    if isinstance(item, QuestionItem):
        first = item.references[0]  # the first annotator's
        if citations and first.evidence is None:
            raise UsageError(f"the data of {name} marks no evidence for {item.id}: train with --no-citations")
        return Gold(item.prompt_text, item.document, item.segments, ((first.text, first.evidence or frozenset()),))
    if isinstance(item, SpanItem):
        ends = (*item.starts[1:], len(item.passages.text))
        passages = [Span(start, end) for start, end in zip(item.starts, ends, strict=True)]
        places = [frozenset({item.numbers.index(number)}) for number in item.gold]
        judged = [item.statements[number] for number in touched(item.statements, item.judged)]
        return _answered(item.question, item.text, judged, item.targets, places, item.passages, passages)
    if isinstance(item, RankItem):
        where = item.targets
        return _answered(item.question, item.text, where, where, item.gold, item.document, item.segments)
    raise UsageError(f"the task {name!r} judges claims: it has no replies to learn")


def _labelled(name: str, item: EvidenceItem) -> Gold:
    """The first annotator's label and smallest set of evidence."""
    first = item.annotations[0]
    numbers = min(
        first.sets, key=lambda numbers_of_set: (len(numbers_of_set), sorted(numbers_of_set)), default=frozenset()
    )
    question = next(iter(item.statements.values()))
    if name == "evidence-inference":  # its three labels are statements, one of which the report makes
        listed = "\n".join(f"- {label}: {statement}" for label, statement in item.statements.items())
        question = f"Which of these findings does the report state?\n{listed}"
    parts = ((labels(name)[first.label], numbers),)
    return Gold(question, item.document, item.segments, parts, item.context)


def _answered(
    question: str,
    text: str,
    statements: Sequence[Span],
    targets: Sequence[Span],
    gold: Sequence[frozenset[int]],
    document: Document,
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
    return Gold(question, document, segments, tuple(parts))
