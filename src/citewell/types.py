"""The values that travel between the stages: frozen, without I/O, every position a code-point offset.

Offsets are 0-based and end-exclusive, pages 1-based, rectangles in PDF points from the top left of the page.
`Document` has its own module because it segments itself; everything else that a stage takes or returns is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol

from citewell.errors import AnswerFormatError

SCHEMA_VERSION = 1

Granularity = Literal["section", "paragraph", "sentence", "token"]
Label = Literal["supported", "partially_supported", "not_supported", "contradicted", "no_claim"]
Origin = Literal["given", "quoted", "written"]
Reason = Literal["declined", "no_evidence", "unsupported", "low_confidence"]
BlockKind = Literal["heading", "paragraph", "list_item", "table_row", "caption", "code"]

NEAREST = 160  # characters of the nearest candidate that an abstention's message shows

LABELS: tuple[Label, ...] = ("supported", "partially_supported", "not_supported", "contradicted", "no_claim")


class Span(NamedTuple):
    """Offsets into a text."""

    start: int
    end: int


class Rect(NamedTuple):
    """One line of text on a page, in PDF points, origin at the top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Locator(Protocol):
    """Finds where a range of a document's text stands on its pages. A reader gives its document one, or none."""

    def locate(self, start: int, end: int) -> tuple[Rect, ...]:
        """The rectangles of `text[start:end]`, one a line of text, in reading order."""
        ...


class Page(NamedTuple):
    """A page: the range of the document's text that stands on it, its size in points.

    `furniture` holds the running headers, footers and page numbers that were kept out of the text.
    """

    number: int
    start: int
    end: int
    width: float
    height: float
    furniture: tuple[str, ...] = ()


class Block(NamedTuple):
    """What a reader knows of the layout: a heading, paragraph, list item or table row; `level` is a heading's depth."""

    start: int
    end: int
    kind: BlockKind = "paragraph"
    level: int = 0


class Segment(NamedTuple):
    """A section, paragraph or sentence of one document. `path` holds the titles of the headings above it.

    Ids are stable for the same text and version: `s3` a section, `p12` a paragraph, `p12.2` its second sentence.
    """

    id: str
    granularity: Granularity
    start: int
    end: int
    text: str
    path: tuple[str, ...] = ()
    kind: BlockKind = "paragraph"


class Hit(NamedTuple):
    """A retrieved segment: its position in the sequence that was ranked, and its score (higher is better)."""

    position: int
    score: float


class Passage(NamedTuple):
    """A segment that a model is given to read, and the position of its document among those given."""

    document: int
    segment: Segment


def _fields(value: Any) -> dict[str, Any]:
    """The fields of a frozen value by name, tuples as lists, scores rounded: what its JSON form has."""
    plain = {name: getattr(value, name) for name in value.__slots__}
    lists = {name: list(held) for name, held in plain.items() if isinstance(held, tuple)}
    score = {"score": round(plain["score"], 6)} if plain.get("score") is not None else {}
    return {**plain, **lists, **score}


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence for the answer's text from `answer_start` to `answer_end`.

    `document.text[start:end] == quote` always holds.
    """

    document_id: str
    segment_id: str
    granularity: Granularity
    quote: str
    start: int
    end: int
    answer_start: int
    answer_end: int
    page: int | None = None
    rects: tuple[Rect, ...] = ()
    score: float = 0.0
    method: str = ""

    @classmethod
    def of(cls, segment: Segment, document_id: str, said: Span, score: float = 0.0, method: str = "") -> Citation:
        """A whole segment as the evidence for the answer's text at `said`."""
        place = (segment.id, segment.granularity, segment.text, segment.start, segment.end)
        return cls(document_id, *place, said.start, said.end, score=score, method=method)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form (design: result schema)."""
        return {**_fields(self), "rects": [list(rect) for rect in self.rects]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Citation:
        """Read the JSON form back."""
        fields = {name: data[name] for name in cls.__slots__ if name != "rects"}
        return cls(**fields, rects=tuple(Rect(int(rect[0]), *map(float, rect[1:])) for rect in data["rects"]))


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer with its label; `citations` are positions in `Answer.citations`."""

    text: str
    start: int
    end: int
    label: Label = "not_supported"
    score: float = 0.0
    citations: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return _fields(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Statement:
        """Read the JSON form back."""
        citations = tuple(int(index) for index in data["citations"])
        return cls(data["text"], data["start"], data["end"], data["label"], data["score"], citations)


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why there is no answer: the reason, the score that was reached and the threshold that it missed."""

    reason: Reason
    score: float | None = None
    threshold: float | None = None
    message: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"reason": self.reason, "score": self.score, "threshold": self.threshold, "message": self.message}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim judged against evidence. `score` is the probability that the evidence supports the whole claim.

    `uncovered` are the offsets of the claim's words that the evidence lacks, where the checker can tell. `failed` says
    why there is no judgement of this one claim; the label is then `not_supported` and means nothing.
    """

    claim: str
    label: Label
    score: float
    citations: tuple[Citation, ...] = ()
    uncovered: tuple[Span, ...] = ()
    method: str = ""
    warnings: tuple[str, ...] = ()
    failed: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        cited = [citation.to_dict() for citation in self.citations]
        return {**_fields(self), "citations": cited, "uncovered": [list(span) for span in self.uncovered]}


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before attribution: its text, its statements and, where the generator knows them, their sources.

    Attributes:
        targets: the spans to attribute, the statements where it is empty; a target inside a statement is read with the
            whole statement around it.
        sources: the citations that the generator made itself.
        origin: `given` by somebody, `quoted` from the documents, or `written` by a model for the question.
        cites: whether the generator was to cite: then a statement without a source is one that it left without.
        may_decline: whether the text may say, in words, that there is no answer.
        confidence: the probability that the text answers the question, None where the generator cannot tell.
        candidates: what the generator weighed as evidence, best first, for the whole answer.
        withheld: with an abstention, the draft that would have been given.
    """

    text: str
    question: str | None = None
    statements: tuple[Span, ...] = ()
    targets: tuple[Span, ...] = ()
    sources: tuple[Citation, ...] = ()
    abstention: Abstention | None = None
    method: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    origin: Origin = "given"
    cites: bool = False
    may_decline: bool = False
    confidence: float | None = None
    candidates: tuple[Citation, ...] = ()
    withheld: Draft | None = None

    def unsure(self, threshold: float) -> Draft:
        """The draft that withholds this one because its confidence is below `threshold`; it shows the nearest."""
        nearest = " ".join(self.candidates[0].quote.split()) if self.candidates else ""
        nearest = nearest if len(nearest) <= NEAREST else nearest[:NEAREST].rsplit(" ", 1)[0] + " ..."
        message = "no sentence answers with enough confidence" + (f"; the nearest is: {nearest}" if nearest else "")
        low = Abstention("low_confidence", self.confidence, threshold, message)
        return replace(self, text="", statements=(), targets=(), sources=(), abstention=low, withheld=self)


class Partial(NamedTuple):
    """A statement that became final while the reply was still arriving.

    `before` is the text between the statement before it and this one. The statement's `citations` are positions in
    the answer's, `citations` the same ones themselves.
    """

    before: str
    statement: Statement
    citations: tuple[Citation, ...]


class Message(NamedTuple):
    """One turn of a conversation; `role` is "system", "user" or "assistant"."""

    role: str
    content: str


class Attachment(NamedTuple):
    """A document for models that cite documents themselves: one block is cited by characters, several whole."""

    title: str | None
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What a language model is asked. Greedy unless `temperature` says otherwise; `max_tokens` bounds the reply.

    `documents` go to services that cite them; other models read them as text before the first user turn.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 1024
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    seed: int | None = 0
    documents: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model replied. `finish` is "stop", "length" or "refused"; unknown figures are None.

    `cost` is in US dollars by the price table, None where the model's price is not known.
    """

    text: str
    model: str = ""
    finish: str = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    annotations: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What an answer says about a document it was made from. `sha256` is the hash of the document's text in UTF-8."""

    id: str
    title: str | None
    sha256: str
    source: str | None
    pages: int | None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return _fields(self)


@dataclass(frozen=True, slots=True)
class Answer:
    """The one result type: a text, its statements, and the evidence each of them points at, or an abstention."""

    text: str
    statements: tuple[Statement, ...] = ()
    citations: tuple[Citation, ...] = ()
    documents: tuple[DocumentInfo, ...] = ()
    question: str | None = None
    abstention: Abstention | None = None
    method: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def abstained(self) -> bool:
        """Whether there is no answer."""
        return self.abstention is not None

    def with_usage(self, **usage: Any) -> Answer:
        """The same answer with more figures in `usage`."""
        return replace(self, usage={**self.usage, **usage})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: what `--json` prints."""
        return {
            "schema_version": SCHEMA_VERSION,
            "question": self.question,
            "text": self.text,
            "abstained": self.abstained,
            "abstention": self.abstention.to_dict() if self.abstention else None,
            "statements": [statement.to_dict() for statement in self.statements],
            "citations": [citation.to_dict() for citation in self.citations],
            "documents": [document.to_dict() for document in self.documents],
            "method": self.method,
            "usage": dict(self.usage),
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """Read the JSON form back.

        Raises:
            AnswerFormatError: a field is missing or of the wrong type, or the schema is of another version.
        """
        if not isinstance(data, Mapping):
            raise AnswerFormatError(f"an answer is a JSON object, not {type(data).__name__}")
        if data.get("schema_version") != SCHEMA_VERSION:
            version = data.get("schema_version")
            raise AnswerFormatError(f"schema_version is {version!r}; this version reads {SCHEMA_VERSION}")
        try:
            return cls(
                text=data["text"],
                statements=tuple(Statement.from_dict(item) for item in data["statements"]),
                citations=tuple(Citation.from_dict(item) for item in data["citations"]),
                documents=tuple(DocumentInfo(**item) for item in data["documents"]),
                question=data["question"],
                abstention=Abstention(**data["abstention"]) if data["abstention"] else None,
                method=data["method"],
                usage=dict(data["usage"]),
                warnings=tuple(data["warnings"]),
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            what = f"{type(error).__name__} {error}"
            raise AnswerFormatError(f"not an answer of schema {SCHEMA_VERSION}: {what}") from error

    def __str__(self) -> str:
        """The text with `[n]` marks after each statement, n counting citations from 1."""
        parts: list[str] = []
        position = 0
        for statement in self.statements:
            parts.append(self.text[position : statement.end])
            parts.extend(f" [{index + 1}]" for index in statement.citations)
            position = statement.end
        return "".join([*parts, self.text[position:]])
