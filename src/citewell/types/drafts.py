"""Intermediate answers: a generator's output, and statements that are final while the reply is still arriving."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from citewell.types.answers import Abstention, Answer, Nearest, Value
from citewell.types.documents import Span
from citewell.types.evidence import Citation
from citewell.types.fields import Field
from citewell.types.statements import Statement

MAX_NEAREST = 3  # the most candidates that an abstention shows

Origin = Literal["given", "quoted", "written"]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before attribution: its text, its statements and, where the generator knows them, their sources.

    Attributes:
        targets: the spans to attribute, the statements where it is empty; a target inside a statement is read with the
            whole statement around it.
        sources: the citations that the generator made itself.
        computed: those of the statements whose figures were computed from the cells that they cite.
        origin: `given` by somebody, `quoted` from the documents, or `written` by a model for the question.
        cites: whether the generator was to cite: then a statement without a source is one that it left without.
        may_decline: whether the text may say, in words, that there is no answer.
        confidence: the probability that the text answers the question, None where the generator cannot tell.
        candidates: what the generator weighed as evidence, best first, for the whole answer.
        nearest: the best of them, each with what it lacks of an answer: what an abstention shows.
        value: the short answer, its citations positions in `sources`.
        withheld: with an abstention, the draft that would have been given.
    """

    text: str
    question: str | None = None
    statements: tuple[Span, ...] = ()
    targets: tuple[Span, ...] = ()
    sources: tuple[Citation, ...] = ()
    computed: tuple[Span, ...] = ()
    abstention: Abstention | None = None
    method: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    origin: Origin = "given"
    cites: bool = False
    may_decline: bool = False
    confidence: float | None = None
    candidates: tuple[Citation, ...] = ()
    nearest: tuple[Nearest, ...] = ()
    value: Value | None = None
    withheld: Draft | None = None

    def unsure(self, threshold: float) -> Draft:
        """The draft that withholds this one because its confidence is below `threshold`; it shows the nearest."""
        message = "no sentence answers with enough confidence"
        nearest = self.nearest or tuple(Nearest(citation) for citation in self.candidates[:MAX_NEAREST])
        low = Abstention("low_confidence", self.confidence, threshold, message, nearest)
        return replace(
            self, text="", statements=(), targets=(), sources=(), computed=(), value=None, abstention=low, withheld=self
        )


class Partial(NamedTuple):
    """A statement that became final while the reply was still arriving.

    `before` is the text between the statement before it and this one. The statement's `citations` are positions in
    the answer's, `citations` the same ones themselves.
    """

    before: str
    statement: Statement
    citations: tuple[Citation, ...]

    @classmethod
    def each(cls, answer: Answer) -> Iterator[Partial]:
        """The statements of an answer that is finished, one by one."""
        end = 0
        for statement in answer.statements:
            citations = tuple(answer.citations[number] for number in statement.citations)
            yield cls(answer.text[end : statement.start], statement, citations)
            end = statement.end

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        citations = [citation.to_dict() for citation in self.citations]
        return {"before": self.before, "statement": self.statement.to_dict(), "citations": citations}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Partial:
        """Read the JSON form back.

        Raises:
            AnswerFormatError: a field is missing or wrong.
        """
        fields = Field(data)
        return cls(
            fields["before"].text(), Statement.read(fields["statement"]), fields["citations"].each(Citation.read)
        )
