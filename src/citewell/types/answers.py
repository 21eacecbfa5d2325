"""Answers and their parts other than statements and citations: abstentions, short answers, removed statements.

All are frozen and have a JSON form; `from_dict` reads it back, checks every field, and names the path of a wrong one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

from citewell.errors import AnswerFormatError
from citewell.types.documents import DocumentInfo
from citewell.types.evidence import Citation
from citewell.types.fields import Field, plain
from citewell.types.labels import LABELS, Label
from citewell.types.marks import Unmarked, between
from citewell.types.showing import Renderable
from citewell.types.statements import Statement

SCHEMA_VERSION = 2
READ_VERSIONS = (1, SCHEMA_VERSION)  # in the first, what came later is missing

AbstentionReason = Literal["declined", "no_evidence", "unsupported", "low_confidence"]

_THEIRS = str.maketrans("[]", "［］")  # brackets of a document, shown unlike those of our citations
_SHORT = 300  # characters of the text in a repr
LOW_CONFIDENCE = "this may not answer the question: its confidence is low"  # a warning
SCORE_DIGITS = 6  # of the scores of an answer, rounded once when it is made


class Nearest(NamedTuple):
    """A citation that comes near an answer, and what it lacks. The JSON form is the citation's, with this addition."""

    citation: Citation
    lacks: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {**self.citation.to_dict(), "lacks": self.lacks}

    @classmethod
    def read(cls, data: Field) -> Nearest:
        """Create a document from the JSON form."""
        return cls(Citation.read(data), data["lacks"].text())


@dataclass(frozen=True, slots=True)
class Abstention:
    """An abstention: the reason, the score and the threshold that it missed.

    `nearest` contains up to three citations that come nearest to an answer, each with what it lacks.
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
        """Create a document from the JSON form."""
        reason = data["reason"].choice(get_args(AbstentionReason))
        reached, needed = (data[name].optional(Field.number) for name in ("score", "threshold"))
        return cls(reason, reached, needed, data["message"].text(), data.get("nearest", ()).each(Nearest.read))


@dataclass(frozen=True, slots=True)
class Value:
    """The short answer as a value.

    Attributes:
        text: the wording.
        kind: what it is ("money", "percent", "date", "name", ...).
        number: the number as written, or None.
        unit: its unit or currency.
        scale: the factor of the number: 1000 if a table is "in thousands".
        period: the time to which it refers.
        citations: positions in `Answer.citations`.
        formula: how it is computed from the cited figures; None if it is printed in the document.
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
        """Create a document from the JSON form."""
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


class Removed(NamedTuple):
    """A statement that was removed from an answer because nothing supports it, with its label and the reason."""

    text: str
    label: Label
    message: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return self._asdict()

    @classmethod
    def read(cls, data: Field) -> Removed:
        """Create a document from the JSON form."""
        return cls(data["text"].text(), data["label"].choice(LABELS), data["message"].text())


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Renderable):
    """The one result type: a text, its statements with their evidence, or an abstention.

    `confidence` is the calibrated probability that the text answers the question, None if there is no question or no
    estimate. `value` is the short answer, if there is one. `removed` contains statements that were removed because
    nothing supports them (`on_unsupported="drop"`). `rewritten` is the complete question that a follow-up was
    interpreted as, None if the question stood alone.
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
    removed: tuple[Removed, ...] = ()
    rewritten: str | None = None

    @property
    def abstained(self) -> bool:
        """Whether there is no answer."""
        return self.abstention is not None

    @property
    def digest(self) -> str:
        """A hash of the answer's content, evidence and record, which reveals any change."""
        return digest({**self.to_dict(), "usage": self.usage.get("pipeline")})

    def with_usage(self, **usage: Any) -> Answer:
        """The same answer with more figures in `usage`."""
        return replace(self, usage={**self.usage, **usage})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: what `--json` prints."""
        fields = plain(self)
        first = ["question", "text", "abstained", "abstention", "confidence", "value"]
        first += ["rewritten"] if self.rewritten is not None else []
        rest = ["statements", "citations", "documents", "method", "usage", "warnings"]
        rest += ["removed"] if self.removed else []
        fields["abstained"] = self.abstained
        return {"schema_version": SCHEMA_VERSION, **{name: fields[name] for name in (*first, *rest)}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """Create a document from the JSON form.

        Raises:
            AnswerFormatError: a field is missing or wrong, or the schema has another version; the message names the
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
            removed=top.get("removed", ()).each(Removed.read),
            rewritten=top.get("rewritten", None).optional(Field.text),
        )
        if data.get("abstained", answer.abstained) is not answer.abstained:
            raise AnswerFormatError("abstained does not fit abstention")
        answer.hold()
        return answer

    def hold(self) -> None:
        """Check that all offsets and citation numbers in the answer are valid.

        Raises:
            AnswerFormatError: an offset or a citation number is invalid; the message names its field.
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

    def pieces(self) -> Iterator[tuple[str, Statement | None]]:
        """The displayed text in parts: each statement, and with None the text between statements.

        Citation marks of others are left out. In a quotation they belong to the document and get different brackets, so
        that they are not mistaken for ours.
        """
        position = 0
        for statement in self.statements:
            yield between(self.text[position : statement.start]), None
            text = self.text[statement.start : statement.end]
            quoted = statement.label == "quoted"
            yield text.translate(_THEIRS) if quoted else Unmarked(text).text, statement
            position = statement.end
        yield between(self.text[position:]), None

    def cited(self, statement: Statement | int) -> tuple[Citation, ...]:
        """The evidence of a statement, passed as such or by its position, whatever its label."""
        chosen = self.statements[statement] if isinstance(statement, int) else statement
        return tuple(self.citations[number] for number in chosen.citations)

    @property
    def supporting(self) -> tuple[int, ...]:
        """The numbers of the citations that support their statements, in order; only these may be shown as such."""
        return tuple(sorted({number for statement in self.statements for number in statement.supporting}))

    @property
    def notice(self) -> str:
        """A note about removed statements, "" if there are none."""
        if not self.removed:
            return ""
        if len(self.removed) == 1:
            return "(1 statement that the documents do not support was removed.)"
        return f"({len(self.removed)} statements that the documents do not support were removed.)"

    @property
    def marked(self) -> str:
        """The text as a reader sees it: `[n]` after each supported statement, with citations numbered from 1.

        Any other claim is followed by its label with the reason, as in "(⊗ contradicted: the evidence says 5.9bn)", and
        carries no citation. An abstention states why there is no answer.
        """
        return self.with_marks(lambda number: number + 1)

    def with_marks(self, named: Callable[[int], int]) -> str:
        """As `marked`, with other numbers in the marks: `named` maps the position of a citation to its number."""
        if self.abstention is not None and not self.text:
            return f"No answer: {self.abstention.message or self.abstention.reason}"
        parts = list[str]()
        for text, statement in self.pieces():
            parts.append(text)
            if statement is not None:
                parts += [f" [{number}]" for number in dict.fromkeys(map(named, statement.supporting))]
                parts += [f" {statement.mark}"] if statement.mark else []
        visible = "".join(parts)
        return f"{visible}\n\n{self.notice}" if self.notice else visible

    def __str__(self) -> str:
        """The text as a reader sees it: see `marked`."""
        return self.marked

    def __repr__(self) -> str:
        """A few lines: the beginning of the text, and the number of statements for each label."""
        labels = [statement.label for statement in self.statements]
        counts = ", ".join(f"{labels.count(label)} {label}" for label in dict.fromkeys(labels))
        marked = self.marked if len(self.marked) <= _SHORT else f"{self.marked[: _SHORT - 1]}…"
        sure = "" if self.confidence is None else f", confidence {self.confidence:.2f}"
        return f"Answer({marked!r}, statements: {counts or 'none'}, citations: {len(self.citations)}{sure})"


def digest(payload: Mapping[str, Any]) -> str:
    """A hash of a JSON object, independent of the order of its fields."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()[:16]


def require_version(data: Mapping[str, Any]) -> None:
    """Reject an unsupported schema.

    Raises:
        AnswerFormatError: the schema is a different one, or none is named.
    """
    version = data.get("schema_version")
    if isinstance(version, bool) or version not in READ_VERSIONS:
        read = " and ".join(map(str, READ_VERSIONS))
        raise AnswerFormatError(f"schema_version is {str(version)[:40]!r}; this version reads {read}")
