"""The items of a run for calibrating a promise: scores, errors, groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from citewell.errors import UsageError
from citewell_lab.bench import ERRORS
from citewell_lab.bench.kinds.base import Task
from citewell_lab.bench.kinds.claims import Claims
from citewell_lab.bench.kinds.labelled import Labelled
from citewell_lab.bench.kinds.pages import Pages
from citewell_lab.bench.kinds.questions import Questions
from citewell_lab.bench.records import AnswerRecord, ClaimRecord, Good, LabelRecord, PageRecord
from citewell_lab.report.correlation import scipy_stats

TASK = "task"  # what items of several tasks can be grouped by; else a field of their records
_FITTING = (
    "a promise needs a task of claims (attributionbench, salad, flips, wice, contract-nli, fever, scifact, "
    "evidence-inference) or of questions (squad2, clapnq, qasper, financebench)"
)
_HALF = 0.5  # an answer whose F1 with the gold answer is below is wrong

Scores = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Names = npt.NDArray[np.str_]


class Item(NamedTuple):
    """One thing that is given or not: its score, what is wrong with it (empty where nothing is), where it belongs."""

    score: float
    wrong: str
    group: str
    source: str


class Judged(NamedTuple):
    """Items that are given or not.

    Attributes:
        of: `answers` or `claims`.
        scores: of each, 0 to 1.
        wrong: of each, whether it is wrong to give it, in the way of `error`.
        error: what counts as wrong.
        groups: of each, the group; all the same where nothing groups them.
        sources: of each, the document or claim that it hangs together with others by.
    """

    of: str
    scores: Scores
    wrong: Flags
    error: str
    groups: Names
    sources: Names

    @property
    def names(self) -> tuple[str, ...]:
        """The groups, in the order of their first items; none where there is only one."""
        names = tuple(dict.fromkeys(self.groups.tolist()))
        return names if len(names) > 1 else ()

    def part(self, which: Flags | npt.NDArray[np.intp]) -> Judged:
        """Some of the items."""
        return self._replace(
            scores=self.scores[which], wrong=self.wrong[which], groups=self.groups[which], sources=self.sources[which]
        )


def hold(task: Task[Any], error: str = "any") -> None:
    """Refuse what could carry no promise, before anything is run.

    Raises:
        UsageError: the task has neither claims nor questions, or no such error.
        MissingExtraError: scipy is not installed.
    """
    scipy_stats()
    claims = isinstance(task, Claims | Labelled)
    if not claims and not isinstance(task, Pages) and not (isinstance(task, Questions) and task.curve):
        raise UsageError(_FITTING)
    kinds = _kinds(task)
    if error != "any" and error not in kinds:
        raise UsageError(f"an error of {task.name} is {' or '.join(('any', *kinds))}, not {error}")


def _kinds(task: Task[Any]) -> tuple[str, ...]:
    if isinstance(task, Questions):
        return ERRORS["answers"]
    return ERRORS["claims"] if isinstance(task, Labelled) else ()


def judged(task: Task[Any], records: Sequence[Good], error: str = "any", by: str = "") -> Judged:
    """The items of a run: claims that are called supported, or answers, those that were withheld too.

    Args:
        task: whose they are.
        records: of the run.
        error: what counts as wrong: `any`, which of an answer is an F1 with the gold answers below one half, or of
            pages a first one without evidence, or a kind of error.
        by: what groups the items: `task`, or a field of the records.

    Raises:
        UsageError: the records have no such field, or nothing that could be given.
    """
    if by not in ("", TASK) and not all(isinstance(record.get(by), str) for record in records):
        raise UsageError(f"items of {task.name} cannot be grouped by {by!r}: they have no such word")
    sources = (f"{task.name}:{task.source(record)}" for record in records)
    groups = (task.name if by == TASK else str(record.get(by, "")) for record in records)
    of = "claims" if isinstance(task, Claims | Labelled) else "answers"
    items = [
        Item(score, wrong, group, source)
        for record, group, source in zip(records, groups, sources, strict=True)
        for score, wrong in _judgements(task, record)
    ]
    if not items:
        raise UsageError(
            f"of the {len(records)} items of {task.name} none is called supported" if records else _FITTING
        )
    wrong = [item.wrong != "" if error == "any" else item.wrong == error for item in items]
    return Judged(
        of,
        np.array([item.score for item in items]),
        np.array(wrong, dtype=bool),
        error,
        np.array([item.group for item in items]),
        np.array([item.source for item in items]),
    )


def _judgements(task: Task[Any], record: Mapping[str, Any]) -> Iterator[tuple[float, str]]:
    """The score and the fault of what an item gives: none, one, or a claim of each label."""
    if isinstance(task, Claims):
        claim = cast("ClaimRecord", record)
        if claim["label"] == "supported":
            yield claim["score"], "" if claim["gold"] else "missing"
    elif isinstance(task, Labelled):
        yield from _called(task, cast("LabelRecord", record))
    elif isinstance(task, Pages):
        page = cast("PageRecord", record)
        yield page.get("confidence", 0.0), "" if page["page_recall@1"] else "poor"
    else:
        answer = cast("AnswerRecord", record)
        poor = "poor" if answer["loss"] > _HALF else ""
        yield answer["confidence"], "unanswerable" if answer["unanswerable"] else poor


def _called(task: Labelled, record: LabelRecord) -> Iterator[tuple[float, str]]:
    """The statements that are called supported; right is what most annotators say, without evidence is missing."""
    gold = Counter(record["annotated"]).most_common(1)[0][0]
    for label in record.get("called", ()):
        kind = "missing" if gold in task.bare else "partial" if gold == "partially_supported" else "contradicted"
        yield record["scores"][label], "" if label == gold else kind


def joined(parts: Iterable[Judged]) -> Judged:
    """Several tasks' items as one.

    Raises:
        UsageError: some are answers, others claims.
    """
    listed = list(parts)
    if len({(part.of, part.error) for part in listed}) != 1:
        raise UsageError("answers and claims have scores of their own: calibrate them apart")
    rows = zip(*((part.scores, part.wrong, part.groups, part.sources) for part in listed), strict=True)
    scores, wrong, groups, sources = (np.concatenate(columns) for columns in rows)
    return Judged(listed[0].of, scores, wrong, listed[0].error, groups, sources)
