"""Answers and verdicts, and what they are made of: statements, citations, labels, reasons, abstentions.

All are frozen and have a JSON form; `from_dict` reads it back, checks every field, and names the path of a wrong one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

from citewell.errors import AnswerFormatError
from citewell.types.documents import DocumentInfo, Span
from citewell.types.evidence import Citation, Place
from citewell.types.fields import Field, plain
from citewell.types.showing import Renderable, Saved

SCHEMA_VERSION = 2
READ_VERSIONS = (1, SCHEMA_VERSION)  # in the first, what came later is missing

Label = Literal["supported", "partially_supported", "not_supported", "contradicted", "quoted", "unverified", "no_claim"]
AbstentionReason = Literal["declined", "no_evidence", "unsupported", "low_confidence"]

LABELS: tuple[Label, ...] = get_args(Label)
HOLDS: tuple[Label, ...] = ("supported", "quoted")  # the labels of statements that can be relied on
SCORE_DIGITS = 6  # of the scores of an answer, rounded once when it is made


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a statement or claim is not simply supported: what it says, what its evidence says instead, in one sentence.

    Attributes:
        kind: what differs ("number", "date", "negation", "direction", "entity", ...), or "missing".
        start: where in the answer, or in the claim of a verdict, what differs stands.
        end: where that ends.
        evidence: what the evidence says there, None where it says nothing.
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
        """Read the JSON form back."""
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

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Statement:
        """Read the JSON form back."""
        judged = (data["label"].choice(LABELS), data["score"].number())
        citations = data["citations"].each(Field.whole)
        return cls(data["text"].text(), *data.span(), *judged, citations, data.get("reasons", ()).each(Reason.read))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Statement:
        """Read the JSON form back.

        Raises:
            AnswerFormatError: a field is missing or wrong.
        """
        return cls.read(Field(data))


class Nearest(NamedTuple):
    """A citation that comes near an answer, and what it lacks, in words. The JSON form is the citation's, with it."""

    citation: Citation
    lacks: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**self.citation.to_dict(), "lacks": self.lacks}

    @classmethod
    def read(cls, data: Field) -> Nearest:
        """Read the JSON form back."""
        return cls(Citation.read(data), data["lacks"].text())


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why there is no answer: the reason, the score that was reached and the threshold that it missed.

    `nearest` are up to three citations that come nearest to an answer, each with what it lacks.
    """

    reason: AbstentionReason
    score: float | None = None
    threshold: float | None = None
    message: str = ""
    nearest: tuple[Nearest, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Abstention:
        """Read the JSON form back."""
        reason = data["reason"].choice(get_args(AbstentionReason))
        reached, needed = (data[name].optional(Field.number) for name in ("score", "threshold"))
        return cls(reason, reached, needed, data["message"].text(), data.get("nearest", ()).each(Nearest.read))


@dataclass(frozen=True, slots=True)
class Value:
    """The short answer as a value.

    Attributes:
        text: as it is worded.
        kind: what it is ("money", "percent", "date", "name", ...).
        number: the number as written, None where there is none.
        unit: its unit or currency.
        scale: what the number is multiplied by: 1000 where a table is "in thousands".
        period: the time that it is about.
        citations: positions in `Answer.citations`.
        formula: how it is computed from the figures of the citations; None where it is printed.
    """

    text: str
    kind: str
    number: float | None = None
    unit: str | None = None
    scale: float | None = None
    period: str | None = None
    citations: tuple[int, ...] = ()
    formula: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Value:
        """Read the JSON form back."""
        return cls(
            data["text"].text(),
            data["kind"].text(),
            data["number"].optional(Field.number),
            data["unit"].optional(Field.text),
            data["scale"].optional(Field.number),
            data["period"].optional(Field.text),
            data["citations"].each(Field.whole),
            data.get("formula", None).optional(Field.text),
        )


@dataclass(frozen=True, slots=True)
class Verdict(Saved):
    """A claim judged against evidence. `score` is the probability that the evidence supports the whole claim.

    `uncovered` are the offsets of the claim's words that the evidence lacks, where the checker can tell; `reasons` say
    what differs, with offsets in the claim. `failed` says why there is no judgement of this one claim, whose label is
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
        """The verdict on a claim for which there is no evidence: it is not supported, unless nothing is claimed."""
        if not claims or self.label == "no_claim":
            return replace(self, label="no_claim", score=0.0)
        reason = Reason("missing", 0, len(self.claim), None, "there is no evidence for it")
        return replace(self, label="not_supported", score=0.0, reasons=(reason,))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)

    @classmethod
    def read(cls, data: Field) -> Verdict:
        """Read the JSON form back."""
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
        """Read the JSON form back.

        Raises:
            AnswerFormatError: a field is missing or wrong.
        """
        return cls.read(Field(data))


@dataclass(frozen=True, slots=True)
class Answer(Renderable):
    """The one result type: a text, its statements, and the evidence each of them points at, or an abstention.

    `confidence` is the calibrated probability that the text answers the question, None where there is no question or
    no means to tell. `value` is the short answer, where there is one.
    """

    text: str
    statements: tuple[Statement, ...] = ()
    citations: tuple[Citation, ...] = ()
    documents: tuple[DocumentInfo, ...] = ()
    question: str | None = None
    abstention: Abstention | None = None
    method: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    confidence: float | None = None
    value: Value | None = None

    @property
    def abstained(self) -> bool:
        """Whether there is no answer."""
        return self.abstention is not None

    @property
    def digest(self) -> str:
        """A hash of all that the answer says, rests on and says of how it was made, by which a change is noticed."""
        return digest({**self.to_dict(), "usage": self.usage.get("pipeline")})

    def with_usage(self, **usage: Any) -> Answer:
        """The same answer with more figures in `usage`."""
        return replace(self, usage={**self.usage, **usage})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: what `--json` prints."""
        fields = plain(self)
        first = ("question", "text", "abstained", "abstention", "confidence", "value")
        rest = ("statements", "citations", "documents", "method", "usage", "warnings")
        fields["abstained"] = self.abstained
        return {"schema_version": SCHEMA_VERSION, **{name: fields[name] for name in (*first, *rest)}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """Read the JSON form back.

        Raises:
            AnswerFormatError: a field is missing or wrong, or the schema is of another version; the text names the
                path of the field.
        """
        if not isinstance(data, Mapping):
            raise AnswerFormatError(f"an answer is a JSON object, not {type(data).__name__}")
        require_version(data)
        top = Field(data)
        answer = cls(
            text=top["text"].text(),
            statements=top["statements"].each(Statement.read),
            citations=top["citations"].each(Citation.read),
            documents=top["documents"].each(DocumentInfo.read),
            question=top["question"].optional(Field.text),
            abstention=top["abstention"].optional(Abstention.read),
            method=top["method"].text(),
            usage=dict(top["usage"].finite().fields()),
            warnings=top["warnings"].each(Field.text),
            confidence=top.get("confidence", None).optional(Field.number),
            value=top.get("value", None).optional(Value.read),
        )
        if data.get("abstained", answer.abstained) is not answer.abstained:
            raise AnswerFormatError("abstained does not fit abstention")
        answer.hold()
        return answer

    def hold(self) -> None:
        """Hold what points into the answer against what it has.

        Raises:
            AnswerFormatError: an offset or the number of a citation points at nothing; the text names its field.
        """
        size, have = len(self.text), len(self.citations)
        ends = [(f"statements[{n}].end", part.end) for n, part in enumerate(self.statements)]
        ends += [(f"citations[{n}].answer_end", part.answer_end) for n, part in enumerate(self.citations)]
        for path, end in ends:
            if end > size:
                raise AnswerFormatError(f"{path} is {end}, and the text has {size} characters")
        lists = [(f"statements[{n}]", part.citations) for n, part in enumerate(self.statements)]
        for path, numbers in [*lists, ("value", self.value.citations if self.value else ())]:
            for at, number in enumerate(numbers):
                if number >= have:
                    raise AnswerFormatError(
                        f"{path}.citations[{at}] is {number}, and there are {have} citations, from 0"
                    )

    def __str__(self) -> str:
        """The text with `[n]` marks after each statement, n counting citations from 1."""
        parts: list[str] = []
        position = 0
        for statement in self.statements:
            parts.append(self.text[position : statement.end])
            parts.extend(f" [{index + 1}]" for index in statement.citations)
            position = statement.end
        return "".join([*parts, self.text[position:]])


def digest(payload: Mapping[str, Any]) -> str:
    """A hash of a JSON object, whatever the order of its fields."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()[:16]


def require_version(data: Mapping[str, Any]) -> None:
    """Refuse a schema that is not read.

    Raises:
        AnswerFormatError: it is another one, or none is named.
    """
    version = data.get("schema_version")
    if isinstance(version, bool) or version not in READ_VERSIONS:
        read = " and ".join(map(str, READ_VERSIONS))
        raise AnswerFormatError(f"schema_version is {str(version)[:40]!r}; this version reads {read}")


def _span(data: Field) -> Span:
    start, end = data.each(Field.whole, 2)
    if start > end:
        raise AnswerFormatError(f"{data.path} ends at {end}, before it starts at {start}")
    return Span(start, end)
