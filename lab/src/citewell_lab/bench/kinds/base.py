"""The definition of a task: its data set, its back ends, and the way from items to records to figures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from citewell import registry
from citewell.attributors.llm import UNNUMBERED, UNREAD
from citewell.errors import (
    AuthenticationError,
    BackendError,
    MissingExtraError,
    RateLimitError,
    SpecError,
    UnknownModelError,
    UnreachableError,
    UsageError,
)
from citewell.errors.notes import Notes
from citewell.pipeline.approaches import Retrieval
from citewell.protocols import Attributor, Checker, Pair
from citewell.text.spans import most_shared
from citewell.types import Citation, Span, Verdict
from citewell_lab.bench.answering import Answering, Query, Reply
from citewell_lab.bench.datasets.dataset import Dataset
from citewell_lab.bench.items import Item
from citewell_lab.bench.metrics.declared import Metric, parse
from citewell_lab.bench.predicted import Predicted
from citewell_lab.bench.records import Failed, failed

AnyItem = TypeVar("AnyItem", bound=Item)
R = TypeVar("R")  # a kind's record
Rows = TypeVar("Rows", bound=Mapping[str, object])
Made = TypeVar("Made", bound=Any)
# What fails for one item fails for all and may be mended: the run ends and goes on later, no item is blamed.
EVERY_ITEM = (AuthenticationError, MissingExtraError, RateLimitError, SpecError, UnknownModelError, UnreachableError)
DIGITS = 6  # of scores in records: enough for every metric, and the same bytes on every run


@dataclass(frozen=True, slots=True)
class Backends:
    """The back ends of a run; the one that a task does not use is None.

    `framed` says that the checker is a model, which reads a claim as a sentence and not as words.
    `judge` says whether a response does what was asked, where a task takes one.
    """

    attributor: Attributor | None = None
    checker: Checker | None = None
    approach: Answering | None = None
    judge: Checker | None = None
    framed: bool = True

    def answer(self) -> Answering:
        """The system of a task that asks questions."""
        if self.approach is None:
            raise BackendError("this task needs an approach")
        return self.approach

    def attribute(self) -> Attributor:
        """The attributor of a task that needs one."""
        if self.attributor is None:
            raise BackendError("this task needs an attributor")
        return self.attributor

    def check(self) -> Checker:
        """The checker of a task that needs one."""
        if self.checker is None:
            raise BackendError("this task needs a checker")
        return self.checker


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of a run.

    Attributes:
        metrics: the task's metrics, fractions.
        by_group: the same for each group of items, each with its `n`.
        abstained: how many predictions were withheld; they count as wrong.
        unscored: metrics that could not be computed, and why.
        baselines: rows that need no system (human, majority, random), where the paper has them.
        notes: what the reader must know: what was left out, how a threshold was chosen.
        curves: points of curves by name, x and y as fractions.
    """

    metrics: dict[str, float]
    by_group: dict[str, dict[str, Any]] = field(default_factory=dict)
    abstained: int = 0
    unscored: dict[str, str] = field(default_factory=dict)
    baselines: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    curves: dict[str, list[tuple[float, float]]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Task(ABC, Generic[R]):
    """One benchmark: everything that is known of it.

    Attributes:
        name: on the command line.
        summary: what it measures, in one line.
        data: its data set.
        headline: the metrics of an overview.
        quality: the metrics of response and evidence, where it has both (LAB, table 3).
        tables: the ids of the published tables whose rows stand over ours.
        prompt: the name of the prompt with which a language model is asked.
        retrieval: the retrievers and numbers that the paper chose, where it asks a language model.
        paper_checker: the checker that the paper measures attributability with.
        needs: the families of back ends it runs: `approach`, `attributor`, `checker`.
        reader: what answers without a language model.
        takes_judge: whether it takes a judge of responses.
        main: the metric that a record's `value` belongs to.
        metrics: all that it can give.
        siblings: how many of the last parts of an item's id, between colons, tell it from others of the same document
            or answer.
    """

    predicted: ClassVar[tuple[str, ...]] = ()  # the fields of a record that a system predicts
    promptable: ClassVar[bool] = False  # an approach with a language model may take the place of what it needs
    packages: ClassVar[Mapping[str, str]] = {}  # modules that its metrics need beyond the base install, and their names
    name: str
    summary: str
    data: Dataset
    headline: tuple[Metric, ...] = ()
    quality: tuple[Metric, Metric] | None = None
    tables: tuple[str, ...] = ()
    prompt: str = "question"
    retrieval: Retrieval | None = None
    paper_checker: str | None = None
    needs: tuple[str, ...] = ()
    reader: str = "extractive"
    takes_judge: bool = False
    main: Metric
    metrics: tuple[Metric, ...]
    siblings: int = 0

    def source(self, record: Mapping[str, Any]) -> str:
        """What an item hangs together with others by: the document or answer that its id names, else itself."""
        return str(record["id"]).rsplit(":", self.siblings)[0]

    def metric(self, name: str) -> Metric:
        """One of its metrics by its printed name.

        Raises:
            UsageError: it has none of that name.
        """
        return parse(name, self.metrics)

    @abstractmethod
    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[R | Failed]:
        """One record an item, in order, each as soon as it is there. A checker gets the whole batch at once."""

    def rescored(self, item: Any, predicted: Predicted, checker: Checker) -> R:  # noqa: ARG002  (for the kinds)
        """The record of an item from its gold and from what a system predicted, for a leaderboard.

        Args:
            item: as the loader gives it.
            predicted: the fields `predicted` of the system's record.
            checker: judges attributability, where the task measures it.

        Raises:
            InputError: a field is none of what it may be.
            UsageError: the task has no such way.
        """
        raise UsageError(f"the task {self.name!r} cannot be scored again from predictions")

    @abstractmethod
    def score(self, records: Sequence[R]) -> Scores:
        """The metrics of records that did not fail."""


def by_target(citations: Sequence[Citation], targets: Sequence[Span]) -> list[list[Citation]]:
    """The citations of each target, best first.

    A citation belongs to the target that its answer offsets share most characters with; of equally good ones to the
    first. One that touches no target belongs to none.
    """
    grouped_citations: list[list[Citation]] = [[] for _ in targets]
    for citation in citations:
        number = most_shared(targets, Span(citation.answer_start, citation.answer_end))
        if number is not None:
            grouped_citations[number].append(citation)
    return grouped_citations


def position(segments: Sequence[Span], citation: Citation) -> int | None:
    """The segment that a citation shares most characters with, None where it touches none."""
    return most_shared(segments, citation)


def positions(segments: Sequence[Span], citations: Sequence[Citation]) -> list[int]:
    """The segments that citations stand in, each once, in the order of the citations."""
    places = dict.fromkeys(position(segments, citation) for citation in citations)
    return [place for place in places if place is not None]


def answered(backends: Backends, queries: Sequence[tuple[AnyItem, Query]]) -> Iterator[tuple[AnyItem, Reply | Failed]]:
    """The items in order with their replies, or their records where they failed.

    What fails for every item is raised; so is a batch in which nothing works, so that the run can see that it is
    hopeless.
    """
    waiting: list[tuple[AnyItem, Reply | Failed]] = []
    first, worked = None, False
    replies = backends.answer().ask_all([question for _, question in queries])
    for (item, _), reply in zip(queries, replies, strict=True):
        if isinstance(reply, EVERY_ITEM):
            raise reply
        if isinstance(reply, Exception):
            first = first or reply
            waiting.append((item, failed(item, reply)))
        else:
            worked = True
            waiting.append((item, reply))
        if worked:
            yield from waiting
            waiting = []
    if waiting and first:
        raise first


def noted(record: Made, reply: Reply) -> Made:
    """The record of a reply, marked where a limit of tokens cut the reply off."""
    if reply.answer.usage.get("finish") == "length" and "failed" not in record:
        record["cut"] = True
    return record


def grouped(records: Sequence[Rows]) -> Mapping[str, list[Rows]]:
    """The records of each group, in the order in which the groups first appear."""
    groups: dict[str, list[Rows]] = {}
    for record in records:
        groups.setdefault(str(record.get("group") or ""), []).append(record)
    return groups


def verdicts(backends: Backends, pairs: Sequence[Pair]) -> list[Verdict]:
    """A verdict a pair. What has no document is supported by nothing, whoever judges.

    Raises:
        BackendError: the checker returned more or fewer.
    """
    checker = backends.check()
    with_evidence = [pair for pair in pairs if pair.evidence]
    judged = checker.check(with_evidence) if with_evidence else []
    if len(judged) != len(with_evidence):
        raise BackendError(f"the checker gave {len(judged)} verdicts for {len(with_evidence)} claims")
    replies = iter(judged)
    return [
        next(replies) if pair.evidence else Verdict(pair.claim, "not_supported", 0.0).without_evidence()
        for pair in pairs
    ]


def reads_sentences(checker: Any) -> bool:
    """Whether a checker is a model, which reads a claim as a sentence; the lexical one reads words."""
    return not (isinstance(checker, str) and registry.parse(checker).name == "lexical")


def unread(noted: Notes) -> dict[str, int]:
    """What a language model's replies say that names no passage: by what it is, how often."""
    return {name: noted.counts[name] for name in (UNNUMBERED, UNREAD) if noted.counts[name]}


def told_unread(records: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What no system should be blamed for without being told: replies that cannot be read as they should be."""
    total = sum((Counter(record.get("unread") or {}) for record in records), Counter[str]())
    return tuple(f"of the model's replies: {number} {name}, counted as no evidence" for name, number in total.items())


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
