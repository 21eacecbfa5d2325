"""Client requests to the service: what is sent, and how the reply is processed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar
from urllib.parse import quote

from citewell import errors
from citewell.errors import (
    AuthenticationError,
    BackendError,
    CitewellError,
    DocumentError,
    InputError,
    MissingExtraError,
    RateLimitError,
    ReplyError,
    UnreachableError,
    UsageError,
    needing,
    of_files,
)
from citewell.library.kept import Correction, Summary
from citewell.text import safe
from citewell.types import Answer, Citation, Field, Partial, Statement, Verdict

LOCAL = "http://127.0.0.1:8710"
TRIES = 4
_LONGEST_WAIT = 30.0  # seconds that a service may ask for before it is asked again
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Kept:
    """A document stored by the service; `pages` is None if it has no pages."""

    id: str
    title: str | None
    pages: int | None
    warnings: tuple[str, ...] = ()

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Kept:
        """From its JSON form."""
        return cls(fields["id"], fields["title"], fields["pages"], tuple(fields["warnings"]))

    @classmethod
    def of(cls, reply: Reply) -> Kept:
        """From a reply."""
        return cls.read(reply.json)


class Verdicts(list[Verdict]):
    """Verdicts on claims; `history` is the id of the saved result, None if it was not saved."""

    history: str | None = None


Named = str | Kept
All = Named | Iterable[Named] | None  # None asks the whole library
Place = Citation | tuple[Named, int, int]  # where evidence stands: a document, start and end


class Right(TypedDict, total=False):
    """A correction of a statement: its label, its evidence, a note."""

    label: str | None
    citations: Iterable[Place] | None
    note: str | None


class Reply(NamedTuple):
    """The body of a reply, and the id of the saved result."""

    data: bytes
    history: str | None = None

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return safe.loads(self.data.decode())

    def each(self, name: str, read: Callable[[Field], _T]) -> list[_T]:
        """The items of a list in the body."""
        return list(Field(self.json)[name].each(read))


class Call(NamedTuple, Generic[_T]):
    """A request, and the function that converts its reply."""

    method: str
    path: str
    take: Callable[[Reply], _T]
    body: Mapping[str, Any] | None = None
    file: tuple[str, bytes] | None = None

    def sent(self) -> dict[str, Any]:
        """The keyword arguments for an HTTP client."""
        return {"files": {"file": self.file}} if self.file else {"json": self.body} if self.body is not None else {}


def read(source: str | os.PathLike[str] | bytes, name: str | None) -> Call[Kept]:
    """Upload a file. Raises DocumentError: there is no such file, or it cannot be read."""
    if isinstance(source, bytes):
        return Call("POST", "/v1/documents", Kept.of, file=(name or "document", source))
    with of_files(f"{source} cannot be read", DocumentError):
        return Call("POST", "/v1/documents", Kept.of, file=(name or Path(source).name, Path(source).read_bytes()))


class Heard:
    """Parses a stream line by line: statements, then the answer.

    A stream that ends before that is an error, which a broken connection would not be by itself.
    """

    def __init__(self) -> None:
        self._kind, self._done = "", False

    def line(self, line: str) -> Partial | Answer | None:
        """The event that a line completes, or None. Raises CitewellError: the service says that it failed."""
        name, _, value = line.partition(":")
        if name == "event":
            self._kind = value.strip()
        if name != "data":
            return None
        if self._kind == "error":
            raise _named(500, value)
        try:
            data = Field(safe.loads(value))
            if self._kind == "statement":
                citations = data["citations"].each(Citation.read)
                return Partial(data["before"].text(), Statement.read(data["statement"]), citations)
            self._done = True
            return _of(data.fields(), data.get("history", None).optional(Field.text))
        except (ValueError, InputError) as error:
            raise ReplyError(f"the service did not reply with a result: {error}") from error

    def end(self) -> None:
        """Check that the stream is complete. Raises ReplyError: there is no answer yet."""
        if not self._done:
            raise ReplyError("the service's stream ended before the answer")


def http() -> Any:
    """The HTTP client. Raises MissingExtraError: it is not installed."""
    with needing("citewell.Client", "httpx2", "client"):
        import httpx2
    return httpx2


def settings(address: str, token: str | None, timeout: float) -> dict[str, Any]:
    """The settings of an HTTP client. Raises UsageError: the address is none."""
    if not address.startswith(("http://", "https://")):
        raise UsageError(f"the address of a service begins with http:// or https://, not {safe.redact_spec(address)!r}")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": address, "headers": headers, "timeout": timeout, "follow_redirects": False}


def wait(reply: Any) -> float | None:
    """The seconds to wait before the next try, None if the service is not busy."""
    after = reply.headers.get("retry-after", "")
    if reply.status_code not in (429, 503) or not after.isascii() or not after.isdigit():
        return None
    return float(after) if float(after) <= _LONGEST_WAIT else None


def taken(call: Call[_T], reply: Any) -> _T:
    """Convert a reply. Raises CitewellError: it is an error, or no result."""
    if not reply.is_success:
        raise failed(reply)
    try:
        return call.take(Reply(reply.content, reply.headers.get("x-citewell-history")))
    except (ValueError, KeyError, TypeError, InputError) as error:
        raise ReplyError(f"the service did not reply with a result: {error}") from error


def failed(reply: Any) -> CitewellError:
    """The error that the service reports, as the exception that the library would raise."""
    return _named(reply.status_code, reply.text)


@contextmanager
def reaching() -> Iterator[None]:
    """A block that talks to the service. Raises UnreachableError: the connection failed."""
    try:
        yield
    except http().HTTPError as error:
        reason = safe.scrub(str(error)) or type(error).__name__
        raise UnreachableError(f"the service cannot be reached: {reason}") from error


def _named(status: int, text: str) -> CitewellError:
    try:
        fields = safe.loads(text)["error"]
        kind, message = str(fields["type"]), str(fields["message"])
    except (ValueError, KeyError, TypeError):
        return BackendError(f"the service replied with status {status} and no reason")
    known: type[CitewellError] | None = {401: AuthenticationError, 403: AuthenticationError, 429: RateLimitError}.get(
        status
    )
    same = getattr(errors, kind, None)
    if isinstance(same, type) and issubclass(same, CitewellError) and not issubclass(same, MissingExtraError):
        known = same
    return (known or (InputError if status < 500 else BackendError))(message)


def request(verb: str, documents: All, take: Callable[[Reply], _T], fields: Mapping[str, Any]) -> Call[_T]:
    """A request to one of the verbs; fields that are None are left out."""
    if documents is None:
        named: dict[str, Any] = {"library": True}
    else:
        some = [documents] if isinstance(documents, str | Kept) else list(documents)
        named = {"documents": [identity(document) for document in some]}
    present = {name: value for name, value in fields.items() if value is not None}
    return Call("POST", f"/v1/{verb}", take, named | present)


def identity(thing: str | Kept | Summary | Correction) -> str:
    """The id of a document, a saved result or a correction."""
    return thing if isinstance(thing, str) else thing.id


def path(thing: str | Kept | Summary | Correction) -> str:
    """Its id as a part of a path."""
    return quote(identity(thing), safe="")


def place(evidence: Place) -> dict[str, Any]:
    """A place as the service takes it."""
    if isinstance(evidence, Citation):
        evidence = (evidence.document_id, evidence.start, evidence.end)
    document, start, end = evidence
    return {"document_id": identity(document), "start": start, "end": end}


def answer(reply: Reply) -> Answer:
    """The answer of a reply."""
    return _of(reply.json, reply.history)


def _of(fields: Mapping[str, Any], history: str | None) -> Answer:
    answer = Answer.from_dict(fields)
    return answer if history is None else replace(answer, usage={**answer.usage, "history": history})


def verdicts(reply: Reply) -> Verdicts:
    """The verdicts of a reply."""
    verdicts = Verdicts(reply.each("verdicts", Verdict.read))
    verdicts.history = reply.history
    return verdicts


def audited(reply: Reply) -> dict[str, Any]:
    """The audit of a reply."""
    return {**reply.json, **({} if reply.history is None else {"history": reply.history})}
