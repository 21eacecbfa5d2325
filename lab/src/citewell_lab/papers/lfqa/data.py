"""The data of a study: questions with document sets, model answers, and human labels of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from citewell.document import Document
from citewell.types import Label

SUPPORT: tuple[Label, ...] = ("supported", "partially_supported", "not_supported")


SHUFFLED = "-shuffled"  # the end of the name of a document set in another order


class Setting(NamedTuple):
    """A model and the document set that it was given, None where it answered without documents."""

    model: str
    evidence: str | None = None

    def __str__(self) -> str:
        return self.model if self.evidence is None else f"{self.model}+{self.evidence}"


class Response(NamedTuple):
    """The answers of one model to one question in one setting; several where it was sampled."""

    setting: Setting
    samples: tuple[str, ...]


class Labelled(NamedTuple):
    """A sentence of an answer with one label an annotator.

    `support` are (document, sentence) positions in the document set, None where they were not asked for; `errors` are
    the categories of what is wrong with the sentence, in the annotators' words.
    """

    text: str
    labels: tuple[Label, ...]
    support: tuple[tuple[int, int], ...] | None = None
    errors: tuple[str, ...] = ()

    @property
    def majority(self) -> Label | None:
        """The label that more than half of the annotators gave, None without one."""
        label, votes = Counter(self.labels).most_common(1)[0]
        return label if 2 * votes > len(self.labels) else None


class Annotated(NamedTuple):
    """An answer whose sentences people judged against the document set `against`."""

    setting: Setting
    against: str
    sentences: tuple[Labelled, ...]


class Question(NamedTuple):
    """A question with its document sets by name, the answers to it and their annotations.

    `sufficient` says of document sets that people judged whether they hold enough to answer the question.
    """

    id: str
    text: str
    documents: Mapping[str, tuple[Document, ...]]
    responses: tuple[Response, ...]
    annotated: tuple[Annotated, ...] = ()
    sufficient: Mapping[str, bool] = {}  # never changed


@dataclass(frozen=True)
class Study:
    """Everything that was read. `layout` is `salad` or `lines`; `warnings` say what was left out."""

    questions: tuple[Question, ...]
    layout: str = "lines"
    warnings: tuple[str, ...] = ()

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that have answers, model by model in order of appearance."""
        settings = list(
            dict.fromkeys(response.setting for question in self.questions for response in question.responses)
        )
        models = list(dict.fromkeys(response.model for response in settings))
        return tuple(sorted(settings, key=lambda response: models.index(response.model)))

    @property
    def annotated_settings(self) -> tuple[Setting, ...]:
        """The settings that have annotations, in order of appearance."""
        return tuple(dict.fromkeys(answer.setting for question in self.questions for answer in question.annotated))

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the document sets, in order of appearance."""
        return tuple(dict.fromkeys(name for question in self.questions for name in question.documents))
