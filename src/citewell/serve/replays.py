"""Idempotency: of two requests with one key, the second gets the reply to the first.

Replies are held in memory, for a day at most, each for the caller that asked. A reply is only repeated while its caller
still sees every document that it quotes, and is erased when one of them is removed here. What survives the service
survives by itself, since a document is known by its bytes, and a job by its key.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citewell.serve import quoted
from citewell.serve.faults import Fault
from citewell.serve.owners import Caller

_DAY = 86_400.0
_MOST, _LARGEST = 64 << 20, 4 << 20  # bytes of replies that are held, and of one
_LONGEST_KEY = 200
_AGAIN = frozenset({408, 409, 429, 499})  # another try may end otherwise, as with what is our own fault
_Name = tuple[Caller, str]
Lacking = Callable[[Caller, frozenset[str]], Awaitable[frozenset[str]]]


@dataclass(slots=True)
class _Reply:
    """A stored or pending reply."""

    request: bytes  # the hash of what was asked
    # What was sent, None where there is nothing that could be sent again
    messages: asyncio.Future[list[Message] | None]
    sources: frozenset[str] = frozenset()  # the ids of documents that it quotes and that its caller saw
    began: float = field(default_factory=time.monotonic)
    size: int = 0


class Replays:
    """Stored replies by caller and idempotency key."""

    def __init__(self, lacking: Lacking) -> None:
        self._lacking = lacking
        self._replies: OrderedDict[_Name, _Reply] = OrderedDict()

    def before(self, app: ASGIApp) -> ASGIApp:
        """Wrap an application: a repeated request gets the stored reply. `state` must hold the caller."""

        async def once(scope: Scope, receive: Receive, send: Send) -> None:
            name = _named(scope) if scope["type"] == "http" else None
            if name is None:
                await app(scope, receive, send)
            else:
                await self._once(name, app, scope, receive, send)

        return once

    async def forget(self, document: str) -> None:
        """Erase the replies that quote a document their caller no longer sees."""
        for name, reply in list(self._replies.items()):
            if document in reply.sources and await self._lacking(name[0], frozenset({document})):
                self._replies.pop(name, None)

    async def _once(self, name: _Name, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        body, last = await _read(receive)
        parts = (scope["path"].encode(), scope.get("query_string", b""), body)
        request = (await asyncio.to_thread(hashlib.sha256, b"\0".join(parts))).digest()
        self._drop_old()
        while known := self._replies.get(name):
            if known.request != request:
                raise Fault(422, "UsageError", "this key came with another request before", "Idempotency-Key")
            messages = await asyncio.shield(known.messages)
            if messages is not None:
                if known.sources and await self._lacking(name[0], known.sources):
                    if self._replies.get(name) is known:
                        del self._replies[name]
                    continue
                for message in messages:
                    await send({**message, "headers": list(message["headers"])} if "headers" in message else message)
                return
        await self._work(name, request, app, scope, _again(body, last, receive), send)

    async def _work(
        self, name: _Name, request: bytes, app: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        reply = self._replies[name] = _Reply(request, asyncio.get_running_loop().create_future())
        messages, ended, status = list[Message](), False, 500

        async def sent(message: Message) -> None:
            nonlocal ended, status
            reply.size += len(message.get("body", b""))
            if message["type"] == "http.response.start":
                status = message["status"]
                replayed = (b"idempotent-replayed", b"true")
                messages.append({**message, "headers": [*message["headers"], replayed]})
            elif reply.size <= _LARGEST:
                messages.append(message)
                ended = not message.get("more_body", False)
            await send(message)

        good = False
        try:
            await app(scope, receive, sent)
            if ended and status < 500 and status not in _AGAIN and reply.size <= _LARGEST:
                reply.sources = await self._sources(name[0], messages)
                good = True
        finally:
            if not good and self._replies.get(name) is reply:
                del self._replies[name]
            reply.messages.set_result(messages if good else None)

    async def _sources(self, caller: Caller, messages: list[Message]) -> frozenset[str]:
        """The documents in a reply that its caller sees in the library."""
        body = b"".join(message.get("body", b"") for message in messages)
        ids = await asyncio.to_thread(quoted.documents, body)
        try:
            return ids - await self._lacking(caller, ids) if ids else ids
        except Fault:  # too much to do just now: the reply is repeated only if all of them are there then
            return ids

    def _drop_old(self) -> None:
        """Drop old replies, and the oldest ones if the store is full."""
        size, now = sum(reply.size for reply in self._replies.values()), time.monotonic()
        for name, reply in list(self._replies.items()):
            if size <= _MOST and now - reply.began < _DAY:
                return
            if reply.messages.done():
                size -= reply.size
                del self._replies[name]


def _named(scope: Scope) -> _Name | None:
    """The key of a request, None if its reply is not stored."""
    headers = Headers(scope=scope)
    key = headers.get("idempotency-key")
    kind = headers.get("content-type", "").lower()
    # A file is the same document however often it comes, and a job keeps its key itself.
    # A token is in one reply alone.
    itself = scope["path"] == "/v1/jobs" or scope["path"].startswith("/v1/users")
    if key is None or scope["method"] != "POST" or kind.startswith("multipart/") or itself:
        return None
    if not 0 < len(key) <= _LONGEST_KEY:
        raise Fault(422, "UsageError", f"a key has 1 to {_LONGEST_KEY} characters", "Idempotency-Key")
    return scope["state"]["caller"], key


async def _read(receive: Receive) -> tuple[bytes, Message | None]:
    """The body, and the message that ended it early if the client disconnected."""
    parts = list[bytes]()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts), message
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts), None


def _again(body: bytes, last: Message | None, receive: Receive) -> Receive:
    """The `receive` function of the application, which replays a body."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": last is not None}]
    waiting += [last] if last else []

    async def received() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return received
