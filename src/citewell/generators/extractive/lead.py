"""A summary without a language model: the first sentences of the document, word for word.

Reports say first what they are about, which is why this baseline is hard to beat: on reports of United States agencies
it is nearer to their summaries than sentences chosen by how much the rest of the text resembles them.

Lead().generate("", [document]).text
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from citewell.document import Document
from citewell.types import Abstention, Citation, Draft, Span


@dataclass(frozen=True)
class Lead:
    """Give the first sentences of paragraphs.

    Attributes:
        words: the summary's length; the last sentence may go beyond it.
    """

    words: int = 400
    name: ClassVar[str] = "lead"

    def __post_init__(self) -> None:
        if self.words < 1:
            raise ValueError(f"words is at least 1, not {self.words}")

    def generate(
        self,
        question: str,
        documents: Sequence[Document],
        on_draft: Callable[[Draft], None] | None = None,  # noqa: ARG002  (the Protocol's: nothing arrives bit by bit)
    ) -> Draft:
        """The sentences, each with its exact source. The question is not read."""
        text, statements, sources, used = "", list[Span](), list[Citation](), 0
        for document in documents:
            for sentence in document.segments("sentence"):
                if sentence.kind != "paragraph" or used >= self.words:
                    continue
                line = " ".join(sentence.text.split())
                start = len(text) + bool(text)
                text = f"{text} {line}" if text else line
                used += len(line.split())
                statements.append(Span(start, len(text)))
                sources.append(Citation.of(sentence, document.id, Span(start, len(text)), method=self.name))
        if not statements:
            message = "the documents have no paragraphs to take sentences from"
            abstention = Abstention("no_evidence", message=message)
            return Draft("", question, abstention=abstention, method=self.name, origin="quoted", cites=True)
        return Draft(
            text,
            question,
            tuple(statements),
            sources=tuple(sources),
            method=self.name,
            origin="quoted",
            cites=True,
        )
