"""Statements of answers and verdicts on claims: the label that the evidence gives them, and the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from citewell.errors import AnswerFormatError
from citewell.types.documents import Span
from citewell.types.evidence import Citation, Place
from citewell.types.fields import Field, plain
from citewell.types.labels import HOLDS, LABELS, Label, mark
from citewell.types.showing import Saved


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why a statement or claim is not fully supported: what it says, and what the evidence says instead.

    Attributes:
        kind: what differs ("number", "date", "negation", "direction", "entity", ...), or "missing".
        start: the start of the difference in the answer, or in the claim of a verdict.
        end: the end of the difference.
        evidence: the corresponding place in the evidence, None if there is none.
        message: one plain sentence.
    """

    kind: str
    start: int
    end: int
    evidence: Place | None = None
    message: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Reason:
        """Create a document from the JSON form."""
        evidence = data["evidence"].optional(Place.read)
        return cls(data["kind"].text(), *data.span(), evidence, data["message"].text())


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer with its label; `citations` are positions in `Answer.citations`."""

    text: str
    start: int
    end: int
    label: Label = "not_supported"
    score: float = 0.0
    citations: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def supporting(self) -> tuple[int, ...]:
        """The citations that may be shown as such; none unless the evidence supports the statement."""
        return self.citations if self.label in HOLDS else ()

    @property
    def mark(self) -> str:
        """The mark after a statement that its evidence does not support: label and reasons, in brackets."""
        return mark(self.label, (reason.message for reason in self.reasons))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Statement:
        """Create a document from the JSON form."""
        judged = (data["label"].choice(LABELS), data["score"].number())
        citations = data["citations"].each(Field.whole)
        return cls(data["text"].text(), *data.span(), *judged, citations, data.get("reasons", ()).each(Reason.read))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Statement:
        """Create a document from the JSON form.

        Raises:
            AnswerFormatError: a field is missing or wrong.
        """
        return cls.read(Field(data))


@dataclass(frozen=True, slots=True)
class Verdict(Saved):
    """A claim judged against evidence. `score` is the probability that the evidence supports the whole claim.

    `uncovered` contains the offsets of the claim's words that the evidence lacks, if the checker knows them; `reasons`
    states what differs, with offsets in the claim. `failed` states why this claim could not be judged; its label is
    then `unverified`.
    """

    claim: str
    label: Label
    score: float
    citations: tuple[Citation, ...] = ()
    uncovered: tuple[Span, ...] = ()
    method: str = ""
    warnings: tuple[str, ...] = ()
    failed: str | None = None
    reasons: tuple[Reason, ...] = ()

    def without_evidence(self, claims: bool = True) -> Verdict:
        """The verdict on a claim without evidence: not supported, or no claim if nothing is claimed."""
        if not claims or self.label == "no_claim":
            return replace(self, label="no_claim", score=0.0)
        reason = Reason("missing", 0, len(self.claim), None, "there is no evidence for it")
        return replace(self, label="not_supported", score=0.0, reasons=(reason,))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Verdict:
        """Create a document from the JSON form."""
        return cls(
            data["claim"].text(),
            data["label"].choice(LABELS),
            data["score"].number(),
            data["citations"].each(Citation.read),
            data.get("uncovered", ()).each(_span),
            data.get("method", "").text(),
            data.get("warnings", ()).each(Field.text),
            data.get("failed", None).optional(Field.text),
            data.get("reasons", ()).each(Reason.read),
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verdict:
        """Create a document from the JSON form.

        Raises:
            AnswerFormatError: a field is missing or wrong.
        """
        return cls.read(Field(data))


def _span(data: Field) -> Span:
    start, end = data.each(Field.whole, 2)
    if start > end:
        raise AnswerFormatError(f"{data.path} ends at {end}, before it starts at {start}")
    return Span(start, end)
