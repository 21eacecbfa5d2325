"""The sentences of answers that each document set supports, by a checker (section 7.2, Figure 3b)."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from citewell import registry
from citewell.document import Document
from citewell.errors.arguments import parameters
from citewell.library.batch.rows import LOST, Row, Shard, failure, raised
from citewell.library.batch.schedule import Lines
from citewell.library.batch.workers import ALONE, Crew
from citewell.protocols import Checker, Pair
from citewell.text.segments import statements
from citewell.types import Label, Segment, Verdict
from citewell_lab.papers.lfqa.data import Question, Setting, Study
from citewell_lab.report.intervals import grouped, ratio
from citewell_lab.report.values import Interval


class Judged(NamedTuple):
    """A sentence judged against one document set of its question.

    Attributes:
        answer: tells the answers of one setting to one question apart.
        position, total: which sentence of how many; 0-based.
        support: (document, sentence) positions in the set of the best evidence, also where it does not suffice.
        lengths: the number of sentences of each document of the set.
    """

    question: str
    setting: Setting
    against: str
    answer: int
    position: int
    total: int
    label: Label
    support: tuple[tuple[int, int], ...]
    lengths: tuple[int, ...]


class Judgements(NamedTuple):
    """What a checker said, and why it could not say anything of some sentences: those are in no figure."""

    sentences: list[Judged]
    failed: list[str]


class Share(NamedTuple):
    """The share of a setting's sentences that a document set supports. `no_claim` counts those that claim nothing."""

    setting: str
    against: str
    sentences: int
    supported: Interval
    partially: float
    no_claim: int


Task = tuple[Question, tuple[tuple[Setting, str, int, tuple[str, ...]], ...]]  # (setting, set, answer, sentences)


def tasks(study: Study) -> list[Task]:
    """Every answer against every document set of its question, question by question."""
    return [
        (
            question,
            tuple(
                (response.setting, against, number, _sentences(text))
                for response in question.responses
                for number, text in enumerate(response.samples)
                for against in question.documents
            ),
        )
        for question in study.questions
    ]


def annotated_tasks(study: Study) -> list[Task]:
    """The annotated answers, in the sentences that people saw, against the set that they judged them by."""
    return [
        (
            question,
            tuple(
                (answer.setting, answer.against, 0, tuple(sentence.text for sentence in answer.sentences))
                for answer in question.annotated
                if answer.against in question.documents
            ),
        )
        for question in study.questions
        if question.annotated
    ]


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[span.start : span.end] for span in statements(text))


def by_sentence(checker: str | Checker) -> str | Checker:
    """A checker that can read documents sentence by sentence told to, where its spec does not say how it reads.

    The paper takes the maximum over sentences for every model but the one that was trained on whole documents.
    """
    if not isinstance(checker, str):
        return checker
    spec = registry.parse(checker)
    known = parameters(registry.factory("checker", spec.name))
    if "premise" not in known or "premise" in dict(spec.params) or spec.name == "docnli":
        return checker
    return str(registry.Spec(spec.name, (*spec.params, ("premise", "sentences"))))


def judge(
    tasks: Sequence[Task],
    checker: str | Checker,
    *,
    crew: Crew = ALONE,
    on_done: Callable[[int], None] | None = None,
) -> Judgements:
    """Ask the checker about every sentence; `on_done` is told how many questions are done.

    Raises:
        SpecError: no such checker.
        BackendError: the checker failed.
    """
    result = Judgements([], [])
    built = registry.build("checker", checker)  # a wrong spec is told here, not by a worker
    judged = (_judge(task, built) for task in tasks) if crew.alone else _elsewhere(tasks, checker, crew)
    for judgement in judged:
        result.sentences.extend(judgement.sentences)
        result.failed.extend(judgement.failed)
        if on_done:
            on_done(1)
    return result


def _elsewhere(tasks: Sequence[Task], checker: str | Checker, crew: Crew) -> Iterator[Judgements]:
    """What a crew's checkers say, question by question in their order."""
    shards = (Shard(number, (Row(number, {"id": number + 1, "task": task}),)) for number, task in enumerate(tasks))
    with closing(crew.in_order(_Judging(checker), shards)) as finished:
        for shard in finished:
            ((line, good),) = shard.lines
            if good:
                yield pickle.loads(line)  # noqa: S301  (of a worker of ours)
                continue
            error = raised(line)
            if type(error).__name__ != LOST:
                raise error
            yield Judgements([], [f"question {tasks[shard.number][0].id}: {error}"])


@dataclass(frozen=True)
class _Judging:
    """The judging of questions as work for others, each of whom builds the checker for itself."""

    checker: str | Checker

    def worker(self, files: Mapping[str, bytes] | None = None) -> _Judge:  # noqa: ARG002  (questions hold their documents)
        return _Judge(registry.build("checker", self.checker))


class _Judge:
    def __init__(self, checker: Checker) -> None:
        self._checker = checker

    def lines(self, rows: Sequence[Row]) -> Lines:
        return [self._line(row) for row in rows]

    def _line(self, row: Row) -> tuple[bytes, bool]:
        try:
            return pickle.dumps(_judge(row.data["task"], self._checker)), True
        except Exception as error:  # noqa: BLE001  (raised again where the question was given)
            return failure(row, type(error).__name__, str(error)), False


def _judge(task: Task, checker: Checker) -> Judgements:
    question, answers = task
    pairs = [Pair(text, question.documents[against]) for _, against, _, texts in answers for text in texts]
    verdicts = iter(checker.check(pairs) if pairs else [])
    places = {name: _places(documents) for name, documents in question.documents.items()}
    lengths = {
        name: tuple(len(document.segments("sentence")) for document in documents)
        for name, documents in question.documents.items()
    }
    result = Judgements([], [])
    for setting, against, number, texts in answers:
        for position in range(len(texts)):
            verdict = next(verdicts)
            if verdict.failed:
                result.failed.append(f"{setting}, question {question.id}, sentence {position}: {verdict.failed}")
                continue
            support = _support(verdict, places[against])
            place = (question.id, setting, against, number, position, len(texts))
            result.sentences.append(Judged(*place, verdict.label, support, lengths[against]))
    return result


def _places(documents: Sequence[Document]) -> dict[str, tuple[int, tuple[Segment, ...]]]:
    """The number and the sentences of each document, by its id; of equal documents the first counts."""
    segments_of: dict[str, tuple[int, tuple[Segment, ...]]] = {}
    for number, document in enumerate(documents):
        segments_of.setdefault(document.id, (number, tuple(document.segments("sentence"))))
    return segments_of


def _support(verdict: Verdict, places: Mapping[str, tuple[int, tuple[Segment, ...]]]) -> tuple[tuple[int, int], ...]:
    """The sentences that the evidence touches, whatever its label: a checker may name more than one at once."""
    return tuple(
        dict.fromkeys(
            (number, place)
            for cited in verdict.citations
            for number, sentences in [places.get(cited.document_id, (0, ()))]
            for place, sentence in enumerate(sentences)
            if sentence.start < cited.end and cited.start < sentence.end
        )
    )


def shares(judged: Iterable[Judged], *, seed: int = 0) -> list[Share]:
    """One row a setting and document set, model by model in order of appearance; intervals over questions."""
    groups: dict[tuple[Setting, str], list[Judged]] = {}
    for judgement in judged:
        groups.setdefault((judgement.setting, judgement.against), []).append(judgement)
    rows = []
    models = list(dict.fromkeys(setting.model for setting, _ in groups))
    for (setting, against), group in sorted(groups.items(), key=lambda item: models.index(item[0][0].model)):
        share = grouped(
            ((judgement.question, (judgement.label == "supported", 1)) for judgement in group), ratio, seed=seed
        )
        if share is not None:
            partially = sum(judgement.label == "partially_supported" for judgement in group) / len(group)
            empty = sum(judgement.label == "no_claim" for judgement in group)
            rows.append(Share(str(setting), against, len(group), share, partially, empty))
    return rows
