"""A request of any protocol in one form: documents, the question, and the answering model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from citewell.serve import bodies
from citewell.serve.compatible import options
from citewell.serve.compatible.parts import Source, whole, wrong

DEFAULT_MODEL = "citewell"  # the name of the model that answers without a language model
_MOST = 100  # documents of a request
Model = Annotated[str, Field(min_length=1, max_length=200, description="citewell answers without a language model.")]


class Extension(bodies.Answered, bodies.Chosen):
    """What only citewell knows: the fields of `POST /v1/ask` that the protocol has no place for."""

    marks: Annotated[
        bool, Field(description="Write [1](link) behind each statement, for pages that show no notes.")
    ] = False


class Body(BaseModel):  # type: ignore[misc]  # the library's class is untyped here
    """A request of a protocol; what it says beyond this `options` passes on or refuses."""

    model_config = ConfigDict(extra="allow", strict=True)
    model: Model
    stream: bool | None = None
    citewell: Annotated[Extension | None, Field(description="Settings that the protocol has no place for.")] = None


class Question(NamedTuple):
    """What is asked."""

    model: str  # who answers
    question: str  # the text of the last message of the user
    sources: tuple[Source, ...]  # the documents of all messages, in order
    extension: Extension  # what only citewell knows
    stream: bool = False  # whether the reply comes in events
    keep: bool = True  # whether documents may be kept, so that links lead to them
    max_tokens: int | None = None  # of a language model's reply
    cited: bool = True  # whether citations are wanted
    history: tuple[tuple[str, str], ...] = ()  # role and text of the messages before the question, for a language model
    # `temperature`, `stop` and `options` with their values, where the request has them
    sampling: tuple[tuple[str, Any], ...] = ()
    previous: str | None = None  # the response that this one goes on from
    reply: str = ""  # the name of the response, by which another one can go on from it; empty where none can


def conversation(turns: Sequence[tuple[str, str]]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The question (the last user message with text) and the role and text of the messages before it."""
    last = max((n for n, (role, text) in enumerate(turns) if role == "user" and text.strip()), default=None)
    if last is None:
        return "", ()
    roles = {"developer": "system", "assistant": "assistant", "system": "system"}
    before = [
        (roles.get(role, "user"), f"What the tool replied:\n{text}" if role in ("tool", "function") else text)
        for n, (role, text) in enumerate(turns)
        if text.strip() and (n < last or role in ("system", "developer"))
    ]
    return turns[last][1], tuple(before)


def sampling(body: Body, temperature: float | None, stop: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """The sampling options for the language model that the request sets.

    Raises Fault: it says what is not done here.
    """
    others = options.passed(body.model_extra)
    settings = {"temperature": temperature, "stop": tuple(stop) or None, "options": others or None}
    return tuple((name, value) for name, value in settings.items() if value is not None)


def question_of(body: Body, question: str, sources: list[Source], **more: Any) -> Question:
    """The request as a question, with the documents that its extension names.

    Raises Fault: there is no question, or too much.
    """
    extension = body.citewell or Extension()
    sources = [*sources, *(Source("id", name) for name in extension.documents)]
    if len(sources) > _MOST:
        raise wrong(f"a request has at most {_MOST} documents")
    narrowing = (extension.collection, extension.where, extension.most)
    if sources and (extension.library is True or any(value is not None for value in narrowing)):
        raise wrong("library, collection, where and most go without other documents", "citewell")
    if not question.strip():
        raise wrong("the last message of the user has no text: it is the question", "messages")
    whole(question, "the text", "messages")
    if len(question) > 20_000:
        raise wrong("the question has more than 20000 characters: send documents as documents", "messages")
    return Question(body.model, question, tuple(sources), extension, bool(body.stream), **more)
