"""Clients of the service, plain and async: the library's verbs and types, done elsewhere.

with citewell.Client("http://127.0.0.1:8710") as client:
    report = client.read("report.pdf")
    answer = client.ask(report, "What was revenue in 2022?")
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, Self, TypeVar
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
)
from citewell.text import safe
from citewell.types import Answer, Field, Verdict

LOCAL = "http://127.0.0.1:8710"
_TRIES = 4
_T = TypeVar("_T")
_LONGEST_WAIT = 30.0  # seconds that a service may ask for before it is asked again


@dataclass(frozen=True, slots=True)
class Kept:
    """A document that the service keeps; `pages` is None where it has none."""

    id: str
    title: str | None
    pages: int | None
    warnings: tuple[str, ...] = ()


Named = str | Kept
All = Named | Iterable[Named] | None  # None asks the whole library


class _Call(NamedTuple, Generic[_T]):
    """A request, and what becomes of its reply."""

    method: str
    path: str
    take: Callable[[bytes], _T]
    body: Mapping[str, Any] | None = None
    file: tuple[str, bytes] | None = None

    def sent(self) -> dict[str, Any]:
        """As an HTTP client takes it."""
        return {"files": {"file": self.file}} if self.file else {"json": self.body} if self.body is not None else {}


def _read(source: str | os.PathLike[str] | bytes, name: str | None) -> _Call[Kept]:
    if isinstance(source, bytes):
        return _Call("POST", "/v1/documents", _kept, file=(name or "document", source))
    try:
        return _Call("POST", "/v1/documents", _kept, file=(name or Path(source).name, Path(source).read_bytes()))
    except OSError as error:
        raise DocumentError(f"{source} cannot be read: {error.strerror or error}") from error


def _add_text(text: str, title: str | None) -> _Call[Kept]:
    return _Call("POST", "/v1/documents", _kept, {"text": text, "title": title})


def _documents() -> _Call[list[Kept]]:
    return _Call("GET", "/v1/documents", lambda data: [_as_kept(told) for told in _json(data)["documents"]])


def _remove(document: Named) -> _Call[None]:
    return _Call("DELETE", f"/v1/documents/{quote(_id(document), safe='')}", _nothing)


def _page(document: Named, number: int, scale: float) -> _Call[bytes]:
    return _Call("GET", f"/v1/documents/{quote(_id(document), safe='')}/pages/{number}.png?scale={scale}", bytes)


def _asked(verb: str, documents: All, take: Callable[[bytes], _T], given: Mapping[str, Any]) -> _Call[_T]:
    if documents is None:
        named: dict[str, Any] = {"library": True}
    else:
        some = [documents] if isinstance(documents, str | Kept) else list(documents)
        named = {"documents": [_id(document) for document in some]}
    told = {name: value for name, value in given.items() if value is not None}
    return _Call("POST", f"/v1/{verb}", take, named | told)


def _check(documents: All, claims: str | Iterable[str], settings: Mapping[str, Any]) -> _Call[list[Verdict]]:
    texts = [claims] if isinstance(claims, str) else list(claims)
    return _asked("check", documents, _verdicts, {"claims": texts, **settings})


def _verify(answer: Answer, documents: Sequence[Named]) -> _Call[dict[str, Any]]:
    named = [_id(document) for document in documents]
    return _Call("POST", "/v1/verify", _json, {"answer": answer.to_dict(), "documents": named})


class Client:
    """Asks a service; its methods are those of the library, on documents that the service keeps.

    Args:
        address: of the service, as `citewell serve` prints it.
        token: for services that want one.
        timeout: seconds that one request may take.

    Raises:
        MissingExtraError: the HTTP client is not installed.
    """

    def __init__(self, address: str = LOCAL, token: str | None = None, *, timeout: float = 330.0) -> None:
        self._http = _http().Client(**_settings(address, token, timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of connections."""
        self._http.close()

    def read(self, source: str | os.PathLike[str] | bytes, name: str | None = None) -> Kept:
        """Have a file read and kept: a path, or bytes with what they are called."""
        return self._done(_read(source, name))

    def add_text(self, text: str, title: str | None = None) -> Kept:
        """Have a text kept as a document."""
        return self._done(_add_text(text, title))

    def documents(self) -> list[Kept]:
        """The documents that the service keeps for this token."""
        return self._done(_documents())

    def remove(self, document: Named) -> None:
        """Take a document out."""
        self._done(_remove(document))

    def page(self, document: Named, number: int, scale: float = 2.0) -> bytes:
        """A page of a PDF as it looks, as PNG."""
        return self._done(_page(document, number, scale))

    def ask(self, documents: All, question: str, **settings: Any) -> Answer:
        """Answer a question, or abstain; `settings` are those of `POST /v1/ask`."""
        return self._done(_asked("ask", documents, _answer, {"question": question, **settings}))

    def attribute(self, documents: All, answer: str, question: str | None = None, **settings: Any) -> Answer:
        """Find the evidence for somebody else's answer."""
        return self._done(_asked("attribute", documents, _answer, {"answer": answer, "question": question, **settings}))

    def check(self, documents: All, claims: str | Iterable[str], **settings: Any) -> list[Verdict]:
        """Judge claims."""
        return self._done(_check(documents, claims, settings))

    def audit(self, documents: All, response: Any, question: str | None = None, **settings: Any) -> dict[str, Any]:
        """Audit the citations of a response; what `citewell audit --json` prints."""
        return self._done(_asked("audit", documents, _json, {"response": response, "question": question, **settings}))

    def verify(self, answer: Answer, documents: Sequence[Named] = ()) -> dict[str, Any]:
        """Hold an answer against its documents; what `citewell verify --json` prints."""
        return self._done(_verify(answer, documents))

    def _done(self, call: _Call[_T]) -> _T:
        for again in reversed(range(_TRIES)):
            try:
                reply = self._http.request(call.method, call.path, **call.sent())
            except _http().HTTPError as error:
                raise _unreachable(error) from error
            if again and (wait := _wait(reply)) is not None:
                time.sleep(wait)
                continue
            return _taken(call, reply)
        raise AssertionError  # the last try ends above


class AsyncClient:
    """The same for `async` code."""

    def __init__(self, address: str = LOCAL, token: str | None = None, *, timeout: float = 330.0) -> None:
        self._http = _http().AsyncClient(**_settings(address, token, timeout))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    async def read(self, source: str | os.PathLike[str] | bytes, name: str | None = None) -> Kept:
        """Have a file read and kept: a path, or bytes with what they are called."""
        return await self._done(await asyncio.to_thread(_read, source, name))

    async def add_text(self, text: str, title: str | None = None) -> Kept:
        """Have a text kept as a document."""
        return await self._done(_add_text(text, title))

    async def documents(self) -> list[Kept]:
        """The documents that the service keeps for this token."""
        return await self._done(_documents())

    async def remove(self, document: Named) -> None:
        """Take a document out."""
        await self._done(_remove(document))

    async def page(self, document: Named, number: int, scale: float = 2.0) -> bytes:
        """A page of a PDF as it looks, as PNG."""
        return await self._done(_page(document, number, scale))

    async def ask(self, documents: All, question: str, **settings: Any) -> Answer:
        """Answer a question, or abstain; `settings` are those of `POST /v1/ask`."""
        return await self._done(_asked("ask", documents, _answer, {"question": question, **settings}))

    async def attribute(self, documents: All, answer: str, question: str | None = None, **settings: Any) -> Answer:
        """Find the evidence for somebody else's answer."""
        given = {"answer": answer, "question": question, **settings}
        return await self._done(_asked("attribute", documents, _answer, given))

    async def check(self, documents: All, claims: str | Iterable[str], **settings: Any) -> list[Verdict]:
        """Judge claims."""
        return await self._done(_check(documents, claims, settings))

    async def audit(
        self, documents: All, response: Any, question: str | None = None, **settings: Any
    ) -> dict[str, Any]:
        """Audit the citations of a response; what `citewell audit --json` prints."""
        given = {"response": response, "question": question, **settings}
        return await self._done(_asked("audit", documents, _json, given))

    async def verify(self, answer: Answer, documents: Sequence[Named] = ()) -> dict[str, Any]:
        """Hold an answer against its documents; what `citewell verify --json` prints."""
        return await self._done(_verify(answer, documents))

    async def _done(self, call: _Call[_T]) -> _T:
        for again in reversed(range(_TRIES)):
            try:
                reply = await self._http.request(call.method, call.path, **call.sent())
            except _http().HTTPError as error:
                raise _unreachable(error) from error
            if again and (wait := _wait(reply)) is not None:
                await asyncio.sleep(wait)
                continue
            return _taken(call, reply)
        raise AssertionError  # the last try ends above


def _http() -> Any:
    try:
        import httpx2
    except ImportError as error:
        raise MissingExtraError("citewell.Client", "httpx2", "client") from error
    return httpx2


def _settings(address: str, token: str | None, timeout: float) -> dict[str, Any]:
    if not address.startswith(("http://", "https://")):
        raise UsageError(f"the address of a service begins with http:// or https://, not {safe.told(address)!r}")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": address, "headers": headers, "timeout": timeout, "follow_redirects": False}


def _wait(reply: Any) -> float | None:
    """Seconds after which a busy service may be asked again, None where it is not busy."""
    after = reply.headers.get("retry-after", "")
    if reply.status_code not in (429, 503) or not after.isascii() or not after.isdigit():
        return None
    return float(after) if float(after) <= _LONGEST_WAIT else None


def _taken(call: _Call[_T], reply: Any) -> _T:
    if reply.is_success:
        try:
            return call.take(reply.content)
        except (ValueError, KeyError, TypeError) as error:
            raise ReplyError(f"the service replied what is no result: {error}") from error
    raise _error(reply)


def _error(reply: Any) -> CitewellError:
    """The error that the service names, as the library would have raised it."""
    try:
        told = safe.loads(reply.text)["error"]
        kind, message = str(told["type"]), str(told["message"])
    except (ValueError, KeyError, TypeError):
        return BackendError(f"the service replied with status {reply.status_code} and no reason")
    known: type[CitewellError] | None = {401: AuthenticationError, 403: AuthenticationError, 429: RateLimitError}.get(
        reply.status_code
    )
    same = getattr(errors, kind, None)
    if isinstance(same, type) and issubclass(same, CitewellError) and not issubclass(same, MissingExtraError):
        known = same
    return (known or (InputError if reply.status_code < 500 else BackendError))(message)


def _unreachable(error: Exception) -> UnreachableError:
    return UnreachableError(f"the service cannot be reached: {safe.scrub(str(error)) or type(error).__name__}")


def _id(document: Named) -> str:
    return document if isinstance(document, str) else document.id


def _nothing(_: bytes) -> None:
    """Of a reply without a body."""


def _json(data: bytes) -> Any:
    return safe.loads(data.decode())


def _as_kept(told: Mapping[str, Any]) -> Kept:
    return Kept(told["id"], told["title"], told["pages"], tuple(told["warnings"]))


def _kept(data: bytes) -> Kept:
    return _as_kept(_json(data))


def _answer(data: bytes) -> Answer:
    return Answer.from_dict(_json(data))


def _verdicts(data: bytes) -> list[Verdict]:
    return list(Field(_json(data))["verdicts"].each(Verdict.read))
