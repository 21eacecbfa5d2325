"""Saved results and their corrections as values, with a JSON form that clients can read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from citewell.types import Answer, Verdict
from citewell.types.fields import Field

Form = Literal["json", "markdown", "html", "pdf", "bibtex", "csl"]  # in which a result is exported


class Summary(NamedTuple):
    """What is listed of a kept result: what was asked, of which documents, and how often each label was given.

    `documents` have an `id` and a `title` each; `who` keeps it, and `shared` says whether others see it;
    `thread` names the conversation that it is a turn of.
    """

    id: str
    kind: str
    title: str
    created: dt.datetime
    documents: Sequence[Mapping[str, Any]]
    labels: Mapping[str, int]
    who: str = "local"
    shared: bool = False
    thread: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        listed = {"documents": list(self.documents), "labels": dict(self.labels)}
        return {**self._asdict(), "created": self.created.isoformat(), **listed}

    @classmethod
    def read(cls, data: Field) -> Summary:
        """Read the JSON form back."""
        return cls(
            data["id"].text(),
            data["kind"].text(),
            data["title"].text(),
            _when(data["created"]),
            data["documents"].each(Field.fields),
            data["labels"].fields(),
            data.get("who", "local").text(),
            bool(data.get("shared", default=False).value),
            data.get("thread", None).optional(Field.text),
        )


class KeptResult(NamedTuple):
    """A kept result, with what was asked and what was told as they were."""

    summary: Summary
    request: Mapping[str, Any]
    result: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**self.summary.to_dict(), "request": dict(self.request), "result": dict(self.result)}

    @classmethod
    def read(cls, data: Field) -> KeptResult:
        """Read the JSON form back."""
        return cls(Summary.read(data), data["request"].fields(), data["result"].fields())

    @property
    def value(self) -> Answer | list[Verdict]:
        """The result as an answer or as verdicts; of an audit the answer with its citations mended.

        Raises AnswerFormatError: it is none.
        """
        if self.summary.kind == "check":
            return list(Field(self.result)["verdicts"].each(Verdict.read))
        return Answer.from_dict(self.result["fixed"] if self.summary.kind == "audit" else self.result)


class Correction(NamedTuple):
    """What a person says of a statement of a kept result.

    Attributes:
        id: its own.
        history: of the kept result.
        who: made it.
        created: when.
        statement: its position in the result.
        claim: its text.
        was: its label in the result.
        label: the right one, None where only citations or a note are given.
        citations: the evidence: that of the result, or the right one; with `document_id`, `start`, `end` and `quote`.
        moved: whether the evidence is the person's.
        note: in their words.
    """

    id: str
    history: str
    who: str
    created: dt.datetime
    statement: int
    claim: str
    was: str
    label: str | None
    citations: Sequence[Mapping[str, Any]]
    moved: bool
    note: str | None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**self._asdict(), "created": self.created.isoformat(), "citations": list(self.citations)}

    @classmethod
    def read(cls, data: Field) -> Correction:
        """Read the JSON form back."""
        return cls(
            data["id"].text(),
            data["history"].text(),
            data["who"].text(),
            _when(data["created"]),
            data["statement"].whole(),
            data["claim"].text(),
            data["was"].text(),
            data["label"].optional(Field.text),
            data["citations"].each(Field.fields),
            bool(data["moved"].value),
            data["note"].optional(Field.text),
        )


def _when(data: Field) -> dt.datetime:
    return dt.datetime.fromisoformat(data.text())
