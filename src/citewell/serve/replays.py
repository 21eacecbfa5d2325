"""Requests that come twice with one key are done once: the second one gets the reply to the first.

Replies are held in memory, for a day at most, and let go when a document is removed: what survives the service survives
by itself, since a document is known by its bytes, and a job by its key.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citewell.serve.faults import Fault

_DAY = 86_400.0
_MOST, _ONE = 64 << 20, 4 << 20  # bytes of replies that are held, and of one
_LONGEST_KEY = 200
_AGAIN = frozenset({408, 409, 429, 499})  # another try may end otherwise, as with what is our own fault


@dataclass(slots=True)
class _Kept:
    """A reply, or that one is on its way; `messages` is None where there is none to be told again."""

    request: bytes
    reply: asyncio.Future[list[Message] | None]
    began: float = field(default_factory=time.monotonic)
    size: int = 0


class Replays:
    """Stands before an application whose requests have their caller in `state`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: OrderedDict[tuple[Any, str], _Kept] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Do a request, or tell again what came of it.

        Raises:
            Fault: the key is of another request.
        """
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        key = headers.get("idempotency-key")
        kind = headers.get("content-type", "").lower()
        # A file is the same document however often it comes, and a job keeps its key itself.
        if key is None or scope["method"] != "POST" or kind.startswith("multipart/") or scope["path"] == "/v1/jobs":
            await self._app(scope, receive, send)
            if scope["method"] == "DELETE":
                self._kept.clear()  # what was told may have held words of it
            return
        if not 0 < len(key) <= _LONGEST_KEY:
            raise Fault(422, "UsageError", f"a key has 1 to {_LONGEST_KEY} characters", "Idempotency-Key")
        await self._once((scope["state"]["caller"], key), scope, receive, send)

    async def _once(self, name: tuple[Any, str], scope: Scope, receive: Receive, send: Send) -> None:
        body, last = await _read(receive)
        request = hashlib.sha256(b"\0".join((scope["path"].encode(), scope.get("query_string", b""), body))).digest()
        self._forget()
        while known := self._kept.get(name):
            if known.request != request:
                raise Fault(422, "UsageError", "this key came with another request before", "Idempotency-Key")
            messages = await asyncio.shield(known.reply)
            if messages is not None:
                for message in messages:
                    await send({**message, "headers": list(message["headers"])} if "headers" in message else message)
                return
        await self._done(name, request, scope, _again(body, last, receive), send)

    async def _done(self, name: tuple[Any, str], request: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        kept = self._kept[name] = _Kept(request, asyncio.get_running_loop().create_future())
        messages, ended, status = list[Message](), False, 500

        async def sent(message: Message) -> None:
            nonlocal ended, status
            kept.size += len(message.get("body", b""))
            if message["type"] == "http.response.start":
                status = message["status"]
                told = (b"idempotent-replayed", b"true")
                messages.append({**message, "headers": [*message["headers"], told]})
            elif kept.size <= _ONE:
                messages.append(message)
                ended = not message.get("more_body", False)
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            good = ended and status < 500 and status not in _AGAIN and kept.size <= _ONE
            if not good and self._kept.get(name) is kept:
                del self._kept[name]
            kept.reply.set_result(messages if good else None)

    def _forget(self) -> None:
        """Let go of what is old, and of the oldest where there is too much."""
        size, now = sum(kept.size for kept in self._kept.values()), time.monotonic()
        for name, kept in list(self._kept.items()):
            if size <= _MOST and now - kept.began < _DAY:
                return
            if kept.reply.done():
                size -= kept.size
                del self._kept[name]


async def _read(receive: Receive) -> tuple[bytes, Message | None]:
    """The body, and what came in its place where the client went away."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body, message
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body, None


def _again(body: bytes, last: Message | None, receive: Receive) -> Receive:
    """What the application receives in the place of what was read."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": last is not None}]
    waiting += [last] if last else []

    async def received() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return received
