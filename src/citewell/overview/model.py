"""The parts of an overview as values: details, outline, quoted statements, key figures, questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from citewell.generators.extractive.prose.sorts import DocumentKind
from citewell.types import Answer, Citation, DocumentInfo
from citewell.types.fields import plain


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing that is known of a document, such as its date; `citation` is None where its metadata tell it."""

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
    """A question that was tried, with the answer that it got."""

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
    """What a document is: its kind, who made it when, its parts, what it says, and what can be asked.

    Every statement is a quote of the document: `document.text[start:end] == quote` for each citation.

    Attributes:
        document: which document it is.
        kind: what sort of document, "text" where nothing tells.
        title: as the document or its metadata word it.
        author: who wrote or filed it.
        date: the day that stands on it.
        period: the time that it reports on.
        language: the code of its language ("en"), None where nothing tells.
        outline: its headings in order.
        statements: quotes that say what it is about, in order, spread over its parts.
        figures: the main figures and points of a document of its kind.
        questions: questions that it answers.
        seconds: that it took.
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
