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
    """An answer before attribution: its text, its statements and, if the generator knows them, their sources.

    Attributes:
        targets: the spans to attribute, by default the statements; a target inside a statement is read with the whole
            statement around it.
        sources: the generator's own citations.
        computed: the statements whose figures were computed from cited cells.
        origin: `given` (an existing answer), `quoted` from the documents, or `written` by a model for the question.
        cites: whether the generator was asked to cite; if so, it left a statement without a source uncited.
        may_decline: whether the text may state that there is no answer.
        confidence: the probability that the text answers the question, None if the generator has no estimate.
        candidates: the evidence that the generator considered, best first, for the whole answer.
        nearest: the best candidates, each with what it lacks; an abstention shows them.
        value: the short answer, its citations positions in `sources`.
        withheld: with an abstention, the draft that was withheld.
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
        """An abstention in place of this draft, whose confidence is below `threshold`; it shows the nearest places."""
        message = "no sentence answers with enough confidence"
        nearest = self.nearest or tuple(Nearest(citation) for citation in self.candidates[:MAX_NEAREST])
        low = Abstention("low_confidence", self.confidence, threshold, message, nearest)
        return replace(
            self, text="", statements=(), targets=(), sources=(), computed=(), value=None, abstention=low, withheld=self
        )


class Partial(NamedTuple):
    """A statement that became final while the reply was still arriving.

    `before` is the text between the previous statement and this one. The statement's `citations` are positions in those
    of the answer; `citations` contains the citations themselves.
    """

    before: str
    statement: Statement
    citations: tuple[Citation, ...]

    @classmethod
    def each(cls, answer: Answer) -> Iterator[Partial]:
        """The statements of a finished answer, one by one."""
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
        """Create a document from the JSON form.

        Raises:
            AnswerFormatError: a field is missing or wrong.
        """
        fields = Field(data)
        return cls(
            fields["before"].text(), Statement.read(fields["statement"]), fields["citations"].each(Citation.read)
        )
