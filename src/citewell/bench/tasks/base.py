"""What a task is: a data set, the back ends it runs, how items become records and records become metrics.

A record is the JSON line of an item: everything its metrics need, so that a report never reads the data again.
`value` of a record is the item's own figure (the mean of the task's main metric over items), for comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from citewell.bench.answering import Answering
from citewell.bench.datasets import DATASETS, Dataset
from citewell.bench.items import Item
from citewell.errors import BackendError
from citewell.protocols import Attributor, Checker, Pair
from citewell.types import Citation, Span, Verdict

Record = dict[str, Any]
DIGITS = 6  # of scores in records: enough for every metric, and the same bytes on every run


@dataclass(frozen=True, slots=True)
class Backends:
    """The back ends of a run; the one that a task does not use is None.

    `framed` says that the checker is a model, which reads a claim as a sentence and not as words.
    """

    attributor: Attributor | None = None
    checker: Checker | None = None
    approach: Answering | None = None
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


class Task(Protocol):
    """One benchmark."""

    @property
    def name(self) -> str:
        """The name on the command line."""
        ...

    @property
    def summary(self) -> str:
        """What it measures, in one line."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """The families of back ends it runs: `approach`, `attributor`, `checker`."""
        ...

    @property
    def main(self) -> str:
        """The metric that a record's `value` belongs to."""
        ...

    def predict(self, items: Sequence[Item], backends: Backends) -> Iterator[Record]:
        """One record an item, in order, each as soon as it is there. A checker gets the whole batch at once."""
        ...

    def score(self, records: Sequence[Record]) -> Scores:
        """The metrics of records that did not fail."""
        ...


def dataset(task: Task) -> Dataset:
    """The data set of a task, which has its name."""
    return DATASETS[task.name]


def by_target(citations: Sequence[Citation], targets: Sequence[Span]) -> list[list[Citation]]:
    """The citations of each target, best first.

    A citation belongs to the target that its answer offsets share most characters with; of equally good ones to the
    first. One that touches no target belongs to none.
    """
    found: list[list[Citation]] = [[] for _ in targets]
    for citation in citations:
        shared = [min(end, citation.answer_end) - max(start, citation.answer_start) for start, end in targets]
        if shared and max(shared) > 0:
            found[shared.index(max(shared))].append(citation)
    return found


def position(starts: Sequence[Span], citation: Citation) -> int | None:
    """The segment that a citation shares most characters with, None where it touches none."""
    best, where = 0, None
    for i, (start, end) in enumerate(starts):
        shared = min(end, citation.end) - max(start, citation.start)
        if shared > best:
            best, where = shared, i
    return where


def grouped(records: Sequence[Record]) -> Mapping[str, list[Record]]:
    """The records of each group, in the order in which the groups first appear."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record.get("group") or "", []).append(record)
    return found


def verdicts(backends: Backends, pairs: Sequence[Pair]) -> list[Verdict]:
    """A verdict a pair.

    Raises:
        BackendError: the checker returned more or fewer.
    """
    found = backends.check().check(pairs) if pairs else []
    if len(found) != len(pairs):
        raise BackendError(f"the checker gave {len(found)} verdicts for {len(pairs)} claims")
    return found


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
