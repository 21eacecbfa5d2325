"""A request of any protocol in one form: documents, the question, and who answers; and what its parts decode to."""

from __future__ import annotations

import binascii
import mimetypes
import re
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from citewell.serve import bodies, keeping
from citewell.serve.compatible.sources import Source
from citewell.serve.faults import Fault

OWN = "citewell"  # the name of the model that answers without a language model
_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),", re.IGNORECASE)
_HALF = re.compile("[\ud800-\udfff]")  # of a pair of surrogates, which no reply could say again
_MOST = 100  # documents of a request
Model = Annotated[str, Field(min_length=1, max_length=200, description="citewell answers without a language model.")]


class Extension(bodies.Answered, bodies.Chosen):
    """What only citewell knows: the fields of `POST /v1/ask` that the protocol has no place for."""

    marks: Annotated[
        bool, Field(description="Write [1](link) behind each statement, for pages that show no notes.")
    ] = False


class Body(BaseModel):  # type: ignore[misc]  # the library's class is untyped here
    """A request of a protocol; what it says beyond this is left alone."""

    model_config = ConfigDict(extra="ignore", strict=True)
    model: Model
    stream: bool | None = None
    citewell: Annotated[Extension | None, Field(description="Settings that the protocol has no place for.")] = None


class Asked(NamedTuple):
    """What is asked.

    Attributes:
        model: who answers.
        question: the text of the last message of the user.
        sources: the documents of all messages, in order.
        extension: what only citewell knows.
        stream: whether the reply comes in events.
        keep: whether documents may be kept, so that links lead to them.
        max_tokens: of a language model's reply.
        cited: whether citations are wanted.
    """

    model: str
    question: str
    sources: tuple[Source, ...]
    extension: Extension
    stream: bool = False
    keep: bool = True
    max_tokens: int | None = None
    cited: bool = True


def asked(body: Body, question: str, sources: list[Source], **more: Any) -> Asked:
    """The request that a body is, with the documents that its extension names.

    Raises:
        Fault: there is no question, or too much.
    """
    extension = body.citewell or Extension()
    sources = [*sources, *(Source("id", name) for name in extension.documents)]
    if len(sources) > _MOST:
        raise wrong(f"a request has at most {_MOST} documents")
    if sources and (extension.library is True or extension.where is not None or extension.most is not None):
        raise wrong("library, where and most go without other documents", "citewell")
    if not question.strip():
        raise wrong("the last message of the user has no text: it is the question", "messages")
    if _HALF.search(question):
        raise wrong("the text has half of a surrogate pair", "messages")
    if len(question) > 20_000:
        raise wrong("the question has more than 20000 characters: send documents as documents", "messages")
    return Asked(body.model, question, tuple(sources), extension, bool(body.stream), **more)


def wrong(message: str, field: str | None = None) -> Fault:
    """A request that cannot be used."""
    return Fault(422, "UsageError", message, field)


def text_of(part: Mapping[str, Any], name: str, field: str) -> str:
    """A text of a part.

    Raises:
        Fault: it has none.
    """
    value = part.get(name)
    if not isinstance(value, str):
        raise wrong(f"{name} is a text", field)
    if _HALF.search(value):
        raise wrong(f"{name} has half of a surrogate pair", field)
    return value


def optional(part: Mapping[str, Any], name: str, field: str) -> str | None:
    """A text of a part, where it has one."""
    return None if part.get(name) is None else text_of(part, name, field)


def parts(content: Any, field: str) -> list[tuple[str, dict[str, Any]]]:
    """The parts of a message, each with where it stands.

    Raises:
        Fault: one is no part.
    """
    if content is None or isinstance(content, str):
        return [(field, {"type": "text", "text": content or ""})]
    result = []
    for number, part in enumerate(content):
        where = f"{field}[{number}]"
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            raise wrong("a part is an object with a type", where)
        result.append((where, part))
    return result


def known(name: str, field: str) -> Source:
    """A document by its id."""
    if not 0 < len(name) <= 64:
        raise wrong("the id of a document has 1 to 64 characters", field)
    return Source("id", name)


def file(encoded: str, name: str | None, field: str, media: str = "", title: str | None = None) -> Source:
    """A file from its base64, bare or in a data URL.

    Raises:
        Fault: it is neither.
    """
    head = _DATA_URL.match(encoded[:1000])
    if head:
        if ";base64" not in head[2].lower():
            raise wrong("a data URL is in base64: data:application/pdf;base64,…", field)
        media, encoded = head[1].strip().lower() or media, encoded[head.end() :]
    elif "://" in encoded[:100]:
        raise fetched(field)
    try:
        data = binascii.a2b_base64("".join(encoded.split()), strict_mode=True)
    except (ValueError, binascii.Error) as error:
        raise wrong("the file is not in base64", field) from error
    ending = mimetypes.guess_extension(media) or ""
    return Source("file", keeping.file_name(name or f"document{ending}"), title, data)


def fetched(field: str) -> Fault:
    """A document by its address, which is not fetched."""
    return wrong("this service fetches nothing: send the file itself, in base64 or by its id", field)


def unread(kind: str, field: str) -> Fault:
    """A part that is no document."""
    return wrong(f"{kind} is not read here: send documents as files or texts", field)
