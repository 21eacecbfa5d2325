"""The output of loaders: frozen items with documents, question and gold, one class per kind of task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from citewell.document import Document
from citewell.types import Span

SUMMARY = "Write a summary of the document."


@dataclass(frozen=True, slots=True)
class Broken:
    """A row that cannot be read or scored; it is a counted failure of the run."""

    id: str
    reason: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class SpanItem:
    """An answer with marked spans, each copied from one passage.

    Attributes:
        text: the answer without its marks.
        statements: the sentences of the answer.
        targets: the marked spans.
        gold: the number of each span's passage.
        passages: the passages as one document, a paragraph each.
        starts: where each passage begins in the document, with `numbers` beside it.
        numbers: how the marks name the passages.
        judged: the part of the answer whose tokens were annotated.
    """

    id: str
    question: str
    text: str
    statements: tuple[Span, ...]
    targets: tuple[Span, ...]
    gold: tuple[int, ...]
    passages: Document
    starts: tuple[int, ...]
    numbers: tuple[int, ...]
    judged: Span
    group: str = ""

    @property
    def places(self) -> dict[int, Span]:
        """Where each passage stands in the document, by its number; an empty line parts them."""
        ends = (*(start - 2 for start in self.starts[1:]), len(self.passages.text))
        return {n: Span(start, end) for n, start, end in zip(self.numbers, self.starts, ends, strict=True)}


@dataclass(frozen=True, slots=True)
class RankItem:
    """An answer whose sentences are attributed to segments of one document.

    Attributes:
        targets: the sentences that are scored, as offsets into `text`.
        gold: the positions of each one's segments.
        segments: the segments' offsets in the document, in order.
        granularity: what the attributor is asked for, `sentence` or `paragraph`.
        verbatim: how many sentences were left out because they were copied whole.
        unmatched: how many were left out because no segment holds their evidence.
    """

    id: str
    question: str
    text: str
    targets: tuple[Span, ...]
    gold: tuple[frozenset[int], ...]
    document: Document
    segments: tuple[Span, ...]
    granularity: str = "sentence"
    verbatim: int = 0
    unmatched: int = 0
    group: str = ""


@dataclass(frozen=True, slots=True)
class ClaimItem:
    """A claim, its documents and whether they support it. `annotations` are the labels that people gave, if several."""

    id: str
    claim: str
    documents: tuple[Document, ...]
    supported: bool
    annotations: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's label and the alternative sets of evidence, as positions of segments."""

    label: str
    sets: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A claim (or a prompt) over one document with segments: its label is sought, and the segments that show it.

    Attributes:
        statements: the claim to check for each label; labels without one are what is left when none holds.
        annotations: one or several annotators; empty `sets` mean that the data has no evidence marks.
        segments: the segments' offsets in the document, in order.
        question: what a language model is asked: the claim, or a question.
        context: what it is told beside that: where the claim stands.
        framed: the sentence for a label whose statement alone does not say what the label says; a model that judges
            attributability reads it (LAB, table 16), retrievers and checkers of words read the statement.
        alternatives: whether one annotation may have several sets, each of which shows the label by itself.
    """

    id: str
    document: Document
    segments: tuple[Span, ...]
    statements: Mapping[str, str]
    annotations: tuple[Annotation, ...]
    group: str = ""
    question: str = ""
    context: str = ""
    framed: Mapping[str, str] = field(default_factory=dict)
    alternatives: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """One annotator's answer to a question.

    Attributes:
        text: the answer; "unanswerable" where the annotator says that there is none.
        evidence: positions of the segments that show it; None where the data does not mark them.
    """

    text: str
    unanswerable: bool = False
    evidence: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class QuestionItem:
    """A question (or the wish for a summary, where it is empty) over one document with segments.

    Attributes:
        references: one annotator's answer each.
        segments: the segments' offsets in the document, in order.
        wanted: the short answers that a right answer names, each in all its wordings.
        claims: what a right answer entails.
    """

    id: str
    question: str
    document: Document
    segments: tuple[Span, ...]
    references: tuple[Reference, ...]
    group: str = ""
    wanted: tuple[tuple[str, ...], ...] = ()
    claims: tuple[str, ...] = ()

    @property
    def prompt_text(self) -> str:
        """What a system is asked."""
        return self.question or SUMMARY


@dataclass(frozen=True, slots=True)
class PageItem:
    """A question over a file with pages: the pages that hold the evidence are sought.

    Attributes:
        answer: the gold answer, for the reader of the record.
        pages: the gold pages, from 1.
        evidence: the texts of the gold evidence.
    """

    id: str
    question: str
    document: Document
    answer: str
    pages: frozenset[int]
    evidence: tuple[str, ...]
    group: str = ""


Item = SpanItem | RankItem | ClaimItem | EvidenceItem | QuestionItem | PageItem | Broken
