"""One Protocol with one verb per family of back ends. Any object with the verb is a back end; no inheritance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from citewell.document import Document
    from citewell.types import (
        Citation,
        Draft,
        Granularity,
        Hit,
        Passage,
        Segment,
        Span,
        Verdict,
    )


@runtime_checkable
class Retriever(Protocol):
    """Ranks segments by how well they match a query."""

    def rank(self, query: str, segments: Sequence[Segment]) -> tuple[Hit, ...]:
        """Hits, best first, ties by position; segments that share nothing with the query may be omitted."""
        ...


@runtime_checkable
class Attributor(Protocol):
    """Finds the evidence for an answer in documents."""

    def attribute(
        self, draft: Draft, documents: Sequence[Document], granularity: Granularity = "sentence", k: int | None = None
    ) -> tuple[Citation, ...]:
        """Citations for each target of the draft, grouped by target in order, best first; at most `k` per target.

        All attributors answer alike. A draft without targets has its statements attributed, one without statements
        those that are found in its text. A target inside a statement is read with that statement, and every citation's
        range in the answer touches its target. A draft without words or no documents at all give no citations.
        Scores do not increase within a target, at any granularity; `k` of None is the attributor's own number.
        """
        ...


@runtime_checkable
class TokenScorer(Protocol):
    """An attributor that splits the answer into its own tokens and treats those above a threshold as copied."""

    def least_copied(self) -> float:
        """The threshold that the score of a copied token exceeds."""
        ...

    def scored_tokens(self, draft: Draft, documents: Sequence[Document]) -> tuple[tuple[Span, float], ...]:
        """Every token of the draft with its score, in order, regardless of the threshold."""
        ...


class Pair(NamedTuple):
    """A claim and the documents it is judged against.

    `citations` is the evidence that was found for it in these documents; None leaves finding it to the checker.
    `question_length` is how many characters of the claim are the question that a short answer is judged with.
    """

    claim: str
    evidence: tuple[Document, ...]
    citations: tuple[Citation, ...] | None = None
    question_length: int = 0


@runtime_checkable
class Checker(Protocol):
    """Judges whether documents support claims."""

    def check(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict per pair, in order. The back end receives all pairs so that it can batch them."""
        ...


@runtime_checkable
class Generator(Protocol):
    """Answers a question from documents, or abstains."""

    def generate(
        self, question: str, documents: Sequence[Document], on_draft: Callable[[Draft], None] | None = None
    ) -> Draft:
        """A draft with its statements, its origin and, where the generator cites, its sources.

        `abstention` is set where there is no answer; with `withheld` where one is kept back for lack of confidence, so
        that a pipeline with another threshold can still give it. `on_draft` is told, while a reply arrives, what of it
        is final: each time a statement more. A generator that answers at once never calls it.
        """
        ...


@runtime_checkable
class Reviser(Protocol):
    """A generator that can rewrite its answer when it is told what is wrong with it."""

    def revise(self, draft: Draft, documents: Sequence[Document], faults: Sequence[tuple[str, str]]) -> Draft:
        """Another draft for the draft's question; `faults` are its faulty statements with what is wrong.

        Its usage has the figures of both drafts together.

        Raises:
            BackendError: the model failed.
        """
        ...


@runtime_checkable
class Reducer(Protocol):
    """Selects the parts of documents that are worth reading for a question."""

    def reduce(
        self, question: str, documents: Sequence[Document], unit: Granularity = "paragraph"
    ) -> tuple[Passage, ...]:
        """Paragraphs or sentences, in the order of the documents."""
        ...


class Unit(NamedTuple):
    """One piece of information in a statement: a self-contained text, and the ranges that it covers."""

    text: str
    spans: tuple[Span, ...]


@runtime_checkable
class Decomposer(Protocol):
    """Splits a statement into units that can be judged separately."""

    def decompose(self, statement: str) -> tuple[Unit, ...]:
        """Units in order; together they cover every relevant word and add none."""
        ...


class Message(NamedTuple):
    """One turn of a conversation; `role` is "system", "user" or "assistant"."""

    role: str
    content: str


class Parameter(NamedTuple):
    """A parameter of a tool; `type` is "string" or "integer"."""

    name: str
    type: str
    description: str


class Tool(NamedTuple):
    """A tool that a model may call. All parameters are required."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]


class ToolCall(NamedTuple):
    """A call of a tool in a reply: the service's id of the call, the tool's name, and its arguments as JSON."""

    id: str
    name: str
    arguments: str


class Step(NamedTuple):
    """A reply that called tools: its text, the calls, and the result of each call, in order."""

    text: str
    calls: tuple[ToolCall, ...]
    results: tuple[str, ...]


class Attachment(NamedTuple):
    """A document for models that cite by themselves: a single block is cited by characters, several as wholes."""

    title: str | None
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a language model. Greedy unless `temperature` is set; `max_tokens` limits the reply.

    `documents` go to services that cite them; other models read them as text before the first user turn. `options` are
    further settings of a service by its own names, such as `top_p`. `tools` is what the model may call, where it
    `may_call`; `steps` are the replies that called some, after the messages.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 1024
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    seed: int | None = 0
    documents: tuple[Attachment, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    tools: tuple[Tool, ...] = ()
    steps: tuple[Step, ...] = ()
    may_call: bool = True


@dataclass(frozen=True, slots=True)
class Completion:
    """A language model's reply. `finish` is "stop", "length" or "refused"; unknown figures are None.

    `calls` are those of the tools that the request offered; without any of these a call with an answer is the text.
    `cost` is in US dollars by the price table, None where the model's price is not known. `reasoning_tokens` are those
    of the output that the model thought with: what it thought is never in `text`.
    """

    text: str
    model: str = ""
    finish: str = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    annotations: tuple[Mapping[str, Any], ...] = ()
    reasoning_tokens: int | None = None
    calls: tuple[ToolCall, ...] = ()


@runtime_checkable
class LLM(Protocol):
    """A language model that completes conversations."""

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The reply. With `on_text` it is streamed: the function receives each new piece of text as it arrives.

        Raises:
            BackendError: the model or its service failed; the text says what to do.
        """
        ...
