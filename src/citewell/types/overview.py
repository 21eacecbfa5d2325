"""The parts of an overview as values: details, outline, quoted statements, key figures, questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from citewell.types.answers import Answer
from citewell.types.documents import DocumentInfo
from citewell.types.evidence import Citation
from citewell.types.fields import plain

DocumentKind = Literal[
    "annual report", "quarterly report", "current report", "paper", "specification", "contract", "bylaws", "law",
    "policy", "manual", "guideline", "minutes", "speech", "letter", "press release", "report", "article", "text",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Detail:
    """One detail of a document, such as its date; `citation` is None if it comes from the metadata."""

    text: str
    citation: Citation | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading: its text, its depth from 1, its offsets, and its page where the format has pages."""

    title: str
    level: int
    start: int
    end: int
    page: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A main figure or point of a document of its kind: its name, its value or sentence, and where it stands.

    `change` is the change against the period before, in words, with the citation of the earlier figure among
    `citations`; None where nothing tells.
    """

    name: str
    text: str
    citations: tuple[Citation, ...]
    period: str | None = None
    change: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return plain(self)


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A tested question with its answer."""

    question: str
    answer: Answer

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the answer's text, value and citations, without what is said of its making."""
        value = self.answer.value
        return {
            "question": self.question,
            "answer": self.answer.text,
            "value": value.text if value else None,
            "confidence": self.answer.confidence,
            "citations": [citation.to_dict() for citation in self.answer.citations],
        }


@dataclass(frozen=True, slots=True)
class Overview:
    """The overview of a document: its kind, author, date, parts and content, and questions to ask.

    Every statement is a quote of the document: `document.text[start:end] == quote` for each citation.

    Attributes:
        document: which document it is.
        kind: the kind of document, "text" if unknown.
        title: as the document or its metadata word it.
        author: who wrote or filed it.
        date: the date printed on it.
        period: the reporting period.
        language: the code of its language ("en"), None if unknown.
        outline: its headings in order.
        statements: quotes that say what it is about, in order, spread over its parts.
        figures: the main figures and points of a document of its kind.
        questions: questions that it answers.
        seconds: the time taken.
    """

    document: DocumentInfo
    kind: DocumentKind
    title: Detail | None = None
    author: Detail | None = None
    date: Detail | None = None
    period: Detail | None = None
    language: str | None = None
    outline: tuple[OutlineEntry, ...] = ()
    statements: tuple[Citation, ...] = ()
    figures: tuple[KeyFigure, ...] = ()
    questions: tuple[SuggestedQuestion, ...] = ()
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: what `--json` prints."""
        return {"schema_version": 1, **plain(self)}
