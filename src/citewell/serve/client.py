"""Clients of the service, synchronous and asynchronous: the library's verbs and types, executed remotely.

with citewell.Client("http://127.0.0.1:8710") as client:
    report = client.read("report.pdf")
    answer = client.ask(report, "What was revenue in 2022?")
"""

from __future__ import annotations

import asyncio
import functools
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, Unpack, cast
from urllib.parse import urlencode

from citewell.library.kept import Correction, Form, KeptResult, Summary
from citewell.serve import calls
from citewell.serve.calls import LOCAL, TRIES, All, Call, Heard, Kept, Named, Reply, Right, Verdicts, identity, path
from citewell.types import Answer, Field, Partial

_T = TypeVar("_T")
_DATA: attrgetter[bytes] = attrgetter("data")
_JSON = attrgetter("json")


class Client:
    """A client of a service; its methods are those of the library, on documents stored by the service.

    Args:
        address: the address of the service, as printed by `citewell serve`.
        token: a token, if the service requires one.
        timeout: maximum seconds for one request.

    Raises:
        MissingExtraError: the HTTP client is not installed.
    """

    def __init__(self, address: str = LOCAL, token: str | None = None, *, timeout: float = 330.0) -> None:
        self._http = calls.http().Client(**calls.settings(address, token, timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close connections."""
        self._http.close()

    def read(self, source: str | os.PathLike[str] | bytes, name: str | None = None) -> Kept:
        """Upload a file: a path, or bytes with their file name."""
        return self._done(calls.read(source, name))

    def add_text(self, text: str, title: str | None = None) -> Kept:
        """Store a text as a document."""
        return self._done(Call("POST", "/v1/documents", Kept.of, {"text": text, "title": title}))

    def documents(self) -> list[Kept]:
        """The documents that the service stores for this token."""
        return self._done(Call("GET", "/v1/documents", lambda reply: list(map(Kept.read, reply.json["documents"]))))

    def remove(self, document: Named) -> None:
        """Remove a document."""
        return self._done(Call("DELETE", f"/v1/documents/{path(document)}", _nothing))

    def page(self, document: Named, number: int, scale: float = 2.0) -> bytes:
        """A page of a PDF as a PNG picture."""
        return self._done(Call("GET", f"/v1/documents/{path(document)}/pages/{number}.png?scale={scale}", _DATA))

    def overview(self, document: Named) -> dict[str, Any]:
        """The overview of a document, as printed by `citewell overview --json`."""
        return self._done(Call("POST", "/v1/overview", _JSON, {"document": identity(document)}))

    def ask(self, /, documents: All, question: str, **settings: Any) -> Answer:
        """Answer a question, or abstain; `settings` are those of `POST /v1/ask`.

        With `keep=True` the id of the saved result is `usage["history"]`.
        """
        return self._done(calls.request("ask", documents, calls.answer, {"question": question, **settings}))

    def stream(self, documents: All, question: str, **settings: Any) -> Iterator[Partial | Answer]:
        """Answer a question: yields each statement as soon as it is final, and finally the whole answer."""
        return self._heard(_streamed(documents, question, settings))

    def attribute(self, /, documents: All, answer: str, question: str | None = None, **settings: Any) -> Answer:
        """Find the evidence for an existing answer."""
        fields = {"answer": answer, "question": question, **settings}
        return self._done(calls.request("attribute", documents, calls.answer, fields))

    def check(self, /, documents: All, claims: str | Iterable[str], **settings: Any) -> Verdicts:
        """Judge claims; with `keep=True` the id of the saved result is `history` of the list."""
        texts = [claims] if isinstance(claims, str) else list(claims)
        return self._done(calls.request("check", documents, calls.verdicts, {"claims": texts, **settings}))

    def audit(self, /, documents: All, response: Any, question: str | None = None, **settings: Any) -> dict[str, Any]:
        """Audit the citations of a response, as `citewell audit --json` prints it, with `history` if it is saved."""
        fields = {"response": response, "question": question, **settings}
        return self._done(calls.request("audit", documents, calls.audited, fields))

    def verify(self, answer: Answer, documents: Sequence[Named] = ()) -> dict[str, Any]:
        """Compare an answer with its documents; returns what `citewell verify --json` prints."""
        named = [identity(document) for document in documents]
        return self._done(Call("POST", "/v1/verify", _JSON, {"answer": answer.to_dict(), "documents": named}))

    def history(self, query: str = "", limit: int = 50, before: str | Summary | None = None) -> list[Summary]:
        """The newest saved results that contain all words of the query, optionally older than a given one."""
        fields = {"q": query, "limit": limit} | ({} if before is None else {"before": identity(before)})
        return self._done(
            Call("GET", f"/v1/history?{urlencode(fields)}", lambda reply: reply.each("entries", Summary.read))
        )

    def kept(self, entry: str | Summary) -> KeptResult:
        """A saved result with its request; its `told` is the answer or the verdicts."""
        return self._done(Call("GET", f"/v1/history/{path(entry)}", lambda reply: KeptResult.read(Field(reply.json))))

    def export(self, entry: str | Summary, form: Form = "json", document: Named | None = None) -> bytes:
        """A saved result as a file; `document` selects which of the cited PDFs is marked."""
        fields = {"as": form} | ({} if document is None else {"document": identity(document)})
        return self._done(Call("GET", f"/v1/history/{path(entry)}/export?{urlencode(fields)}", _DATA))

    def forget(self, entry: str | Summary | None = None) -> None:
        """Remove a saved result, or all that this token may remove."""
        return self._done(Call("DELETE", "/v1/history" if entry is None else f"/v1/history/{path(entry)}", _nothing))

    def correct(self, /, entry: str | Summary, statement: int, **right: Unpack[Right]) -> Correction:
        """Correct a statement of a saved result: its label, its evidence, a note."""
        citations = right.get("citations")
        places = None if citations is None else [calls.place(evidence) for evidence in citations]
        body = {**right, "history": identity(entry), "statement": statement, "citations": places}
        return self._done(Call("POST", "/v1/corrections", lambda reply: Correction.read(Field(reply.json)), body))

    def corrections(self, entry: str | Summary | None = None) -> list[Correction]:
        """The corrections visible to this token, of one saved result or all."""
        query = "" if entry is None else f"?{urlencode({'history': identity(entry)})}"
        return self._done(
            Call("GET", f"/v1/corrections{query}", lambda reply: reply.each("corrections", Correction.read))
        )

    def withdraw(self, correction: str | Correction) -> None:
        """Remove a correction."""
        return self._done(Call("DELETE", f"/v1/corrections/{path(correction)}", _nothing))

    def _done(self, call: Call[_T]) -> _T:
        for again in reversed(range(TRIES)):
            with calls.reaching():
                reply = self._http.request(call.method, call.path, **call.sent())
            if again and (wait := calls.wait(reply)) is not None:
                time.sleep(wait)
                continue
            return calls.taken(call, reply)
        raise AssertionError  # the last try ends above

    def _heard(self, call: Call[Answer]) -> Iterator[Partial | Answer]:
        for again in reversed(range(TRIES)):
            heard = Heard()
            with calls.reaching(), self._http.stream(call.method, call.path, **call.sent()) as reply:
                if again and (wait := calls.wait(reply)) is not None:
                    time.sleep(wait)
                    continue
                if not reply.is_success:
                    reply.read()
                    raise calls.failed(reply)
                for line in reply.iter_lines():
                    if (event := heard.line(line)) is not None:
                        yield event
            heard.end()
            return


def _nothing(_: Reply) -> None:
    """Ignore the body."""


def _streamed(documents: All, question: str, settings: Mapping[str, Any]) -> Call[Answer]:
    return calls.request("ask", documents, calls.answer, {"question": question, **settings, "stream": True})


_P = ParamSpec("_P")


def _awaited(
    verb: Callable[Concatenate[Client, _P], _T],
) -> Callable[Concatenate[AsyncClient, _P], Coroutine[Any, Any, _T]]:
    """A method of `Client` for `AsyncClient`, whose `_done` returns an awaitable."""

    @functools.wraps(verb)
    async def awaited(self: AsyncClient, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        reply: Any = verb(cast("Client", self), *args, **kwargs)
        return cast("_T", await reply)

    return awaited


class AsyncClient:
    """The same for `async` code."""

    def __init__(self, address: str = LOCAL, token: str | None = None, *, timeout: float = 330.0) -> None:
        self._http = calls.http().AsyncClient(**calls.settings(address, token, timeout))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close connections."""
        await self._http.aclose()

    async def read(self, source: str | os.PathLike[str] | bytes, name: str | None = None) -> Kept:
        """Upload a file: a path, or bytes with their file name."""
        return await self._done(await asyncio.to_thread(calls.read, source, name))

    def stream(self, documents: All, question: str, **settings: Any) -> AsyncIterator[Partial | Answer]:
        """Answer a question: yields each statement as soon as it is final, and finally the whole answer."""
        return self._heard(_streamed(documents, question, settings))

    add_text = _awaited(Client.add_text)
    documents = _awaited(Client.documents)
    remove = _awaited(Client.remove)
    page = _awaited(Client.page)
    overview = _awaited(Client.overview)
    ask = _awaited(Client.ask)
    attribute = _awaited(Client.attribute)
    check = _awaited(Client.check)
    audit = _awaited(Client.audit)
    verify = _awaited(Client.verify)
    history = _awaited(Client.history)
    kept = _awaited(Client.kept)
    export = _awaited(Client.export)
    forget = _awaited(Client.forget)
    correct = _awaited(Client.correct)
    corrections = _awaited(Client.corrections)
    withdraw = _awaited(Client.withdraw)

    async def _done(self, call: Call[_T]) -> _T:
        for again in reversed(range(TRIES)):
            with calls.reaching():
                reply = await self._http.request(call.method, call.path, **call.sent())
            if again and (wait := calls.wait(reply)) is not None:
                await asyncio.sleep(wait)
                continue
            return calls.taken(call, reply)
        raise AssertionError  # the last try ends above

    async def _heard(self, call: Call[Answer]) -> AsyncIterator[Partial | Answer]:
        for again in reversed(range(TRIES)):
            heard = Heard()
            with calls.reaching():
                async with self._http.stream(call.method, call.path, **call.sent()) as reply:
                    if again and (wait := calls.wait(reply)) is not None:
                        await asyncio.sleep(wait)
                        continue
                    if not reply.is_success:
                        await reply.aread()
                        raise calls.failed(reply)
                    async for line in reply.aiter_lines():
                        if (event := heard.line(line)) is not None:
                            yield event
            heard.end()
            return
