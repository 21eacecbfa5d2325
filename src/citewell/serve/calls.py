"""Client requests to the service: what is sent, and how the reply is processed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar
from urllib.parse import quote, urlencode

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
)
from citewell.library.kept import Correction, Form, KeptResult, Summary
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
    def of(cls, fields: Mapping[str, Any]) -> Kept:
        """From its JSON form."""
        return cls(fields["id"], fields["title"], fields["pages"], tuple(fields["warnings"]))


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
    """Upload a file.

    Raises:
        DocumentError: there is no such file, or it cannot be read.
    """
    if isinstance(source, bytes):
        return Call("POST", "/v1/documents", _kept, file=(name or "document", source))
    try:
        return Call("POST", "/v1/documents", _kept, file=(name or Path(source).name, Path(source).read_bytes()))
    except OSError as error:
        raise DocumentError(f"{source} cannot be read: {error.strerror or error}") from error


def add_text(text: str, title: str | None) -> Call[Kept]:
    """Store a text."""
    return Call("POST", "/v1/documents", _kept, {"text": text, "title": title})


def documents() -> Call[list[Kept]]:
    """List documents."""
    return Call("GET", "/v1/documents", lambda reply: [Kept.of(fields) for fields in reply.json["documents"]])


def remove(document: Named) -> Call[None]:
    """Remove a document."""
    return Call("DELETE", f"/v1/documents/{_quoted(_id(document))}", _nothing)


def page(document: Named, number: int, scale: float) -> Call[bytes]:
    """Draw a page as PNG."""
    return Call("GET", f"/v1/documents/{_quoted(_id(document))}/pages/{number}.png?scale={scale}", _bytes)


def overview(document: Named) -> Call[dict[str, Any]]:
    """Summarise a document."""
    return Call("POST", "/v1/overview", _json, {"document": _id(document)})


def ask(documents: All, question: str, settings: Mapping[str, Any]) -> Call[Answer]:
    """Answer a question."""
    return _request("ask", documents, _answer, {"question": question, **settings})


def attribute(documents: All, answer: str, question: str | None, settings: Mapping[str, Any]) -> Call[Answer]:
    """Find evidence."""
    return _request("attribute", documents, _answer, {"answer": answer, "question": question, **settings})


def check(documents: All, claims: str | Iterable[str], settings: Mapping[str, Any]) -> Call[Verdicts]:
    """Judge claims."""
    texts = [claims] if isinstance(claims, str) else list(claims)
    return _request("check", documents, _verdicts, {"claims": texts, **settings})


def audit(documents: All, response: Any, question: str | None, settings: Mapping[str, Any]) -> Call[dict[str, Any]]:
    """Audit a response."""
    return _request("audit", documents, _audit, {"response": response, "question": question, **settings})


def verify(answer: Answer, documents: Sequence[Named]) -> Call[dict[str, Any]]:
    """Compare an answer with its documents."""
    named = [_id(document) for document in documents]
    return Call("POST", "/v1/verify", _json, {"answer": answer.to_dict(), "documents": named})


def history(query: str, limit: int, before: str | Summary | None) -> Call[list[Summary]]:
    """List saved results."""
    query_fields: dict[str, Any] = {"q": query, "limit": limit}
    if before is not None:
        query_fields["before"] = _entry(before)
    return Call("GET", f"/v1/history?{urlencode(query_fields)}", lambda reply: _each(reply, "entries", Summary.read))


def kept(entry: str | Summary) -> Call[KeptResult]:
    """Return a saved result."""
    return Call("GET", f"/v1/history/{_quoted(_entry(entry))}", lambda reply: KeptResult.read(Field(reply.json)))


def export(entry: str | Summary, form: Form, document: Named | None) -> Call[bytes]:
    """Export a saved result."""
    query = urlencode({"as": form} | ({} if document is None else {"document": _id(document)}))
    return Call("GET", f"/v1/history/{_quoted(_entry(entry))}/export?{query}", _bytes)


def forget(entry: str | Summary | None) -> Call[None]:
    """Remove a saved result, or all."""
    return Call("DELETE", "/v1/history" if entry is None else f"/v1/history/{_quoted(_entry(entry))}", _nothing)


def correct(entry: str | Summary, statement: int, right: Right) -> Call[Correction]:
    """Correct a statement."""
    citations = right.get("citations")
    places = None if citations is None else [_place(place) for place in citations]
    body = {**right, "history": _entry(entry), "statement": statement, "citations": places}
    return Call("POST", "/v1/corrections", lambda reply: Correction.read(Field(reply.json)), body)


def corrections(entry: str | Summary | None) -> Call[list[Correction]]:
    """List corrections."""
    query = "" if entry is None else f"?{urlencode({'history': _entry(entry)})}"
    return Call("GET", f"/v1/corrections{query}", lambda reply: _each(reply, "corrections", Correction.read))


def withdraw(correction: str | Correction) -> Call[None]:
    """Remove a correction."""
    name = correction if isinstance(correction, str) else correction.id
    return Call("DELETE", f"/v1/corrections/{_quoted(name)}", _nothing)


class Heard:
    """Parses a stream line by line: statements, then the answer.

    A stream that ends before that is an error, which a broken connection would not be by itself.
    """

    def __init__(self) -> None:
        self._kind, self._done = "", False

    def line(self, line: str) -> Partial | Answer | None:
        """The event that a line completes, or None.

        Raises:
            CitewellError: the service says that it failed.
        """
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
        """Check that the stream is complete.

        Raises:
            ReplyError: there is no answer yet.
        """
        if not self._done:
            raise ReplyError("the service's stream ended before the answer")


def http() -> Any:
    """The HTTP client.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import httpx2
    except ImportError as error:
        raise MissingExtraError("citewell.Client", "httpx2", "client") from error
    return httpx2


def settings(address: str, token: str | None, timeout: float) -> dict[str, Any]:
    """The settings of an HTTP client.

    Raises:
        UsageError: the address is none.
    """
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
    """Convert a reply.

    Raises:
        CitewellError: it is an error, or no result.
    """
    if not reply.is_success:
        raise failed(reply)
    try:
        return call.take(Reply(reply.content, reply.headers.get("x-citewell-history")))
    except (ValueError, KeyError, TypeError, InputError) as error:
        raise ReplyError(f"the service did not reply with a result: {error}") from error


def failed(reply: Any) -> CitewellError:
    """The error that the service reports, as the exception that the library would raise."""
    return _named(reply.status_code, reply.text)


def unreachable(error: Exception) -> UnreachableError:
    """An error of the connection as our exception."""
    return UnreachableError(f"the service cannot be reached: {safe.scrub(str(error)) or type(error).__name__}")


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


def _request(verb: str, documents: All, take: Callable[[Reply], _T], fields: Mapping[str, Any]) -> Call[_T]:
    if documents is None:
        named: dict[str, Any] = {"library": True}
    else:
        some = [documents] if isinstance(documents, str | Kept) else list(documents)
        named = {"documents": [_id(document) for document in some]}
    present = {name: value for name, value in fields.items() if value is not None}
    return Call("POST", f"/v1/{verb}", take, named | present)


def _quoted(name: str) -> str:
    return quote(name, safe="")


def _id(document: Named) -> str:
    return document if isinstance(document, str) else document.id


def _entry(entry: str | Summary) -> str:
    return entry if isinstance(entry, str) else entry.id


def _place(place: Place) -> dict[str, Any]:
    document, start, end = (place.document_id, place.start, place.end) if isinstance(place, Citation) else place
    return {"document_id": _id(document), "start": start, "end": end}


def _nothing(_: Reply) -> None:
    """Ignore the body."""


def _bytes(reply: Reply) -> bytes:
    return reply.data


def _json(reply: Reply) -> Any:
    return reply.json


def _each(reply: Reply, name: str, read: Callable[[Field], _T]) -> list[_T]:
    return list(Field(reply.json)[name].each(read))


def _kept(reply: Reply) -> Kept:
    return Kept.of(reply.json)


def _answer(reply: Reply) -> Answer:
    return _of(reply.json, reply.history)


def _of(fields: Mapping[str, Any], history: str | None) -> Answer:
    answer = Answer.from_dict(fields)
    return answer if history is None else replace(answer, usage={**answer.usage, "history": history})


def _verdicts(reply: Reply) -> Verdicts:
    verdicts = Verdicts(_each(reply, "verdicts", Verdict.read))
    verdicts.history = reply.history
    return verdicts


def _audit(reply: Reply) -> dict[str, Any]:
    return {**reply.json, **({} if reply.history is None else {"history": reply.history})}
