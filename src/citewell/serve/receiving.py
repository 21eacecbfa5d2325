"""Receives request bodies: completely, to disk, before anything else begins.

What a client sends is limited by the route, never by what the client calls it. Up to 64 kB of a body are in memory,
the rest lies in a file without a name, so that half a body costs no memory and leaves nothing behind. A body has a
deadline and a least rate; where too many come at once, the one that stands still longest makes room.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from citewell.serve.compatible import errors
from citewell.serve.faults import Fault, busy
from citewell.serve.settings import Settings

_ENVELOPE = 1 << 20  # bytes of a multipart body beside its file
_IN_MEMORY = 1 << 16
_BLOCK = 1 << 18
_GONE = 499  # nobody reads it; it stands in the log
_STANDS = 1.0  # seconds without a byte after which a body may have to make room
_FORM, _JSON = "multipart/form-data", "application/json"
LINES = frozenset(
    {"application/jsonl", "application/x-ndjson", "application/json-lines", "application/x-jsonlines", "text/plain"}
)


class Limit(NamedTuple):
    """The limit of a route."""

    most: int  # bytes
    kinds: frozenset[str]  # types of content
    counts_memory: bool = True  # whether the body is held in memory behind the door


@dataclass(eq=False)
class _Body:
    """A body that is being received or was received."""

    owner: tuple[str, tuple[str, ...]]
    limit: Limit
    began: float = field(default_factory=time.monotonic)
    last: float = field(default_factory=time.monotonic)
    size: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)  # it has to make room
    file: IO[bytes] | None = None
    parts: list[bytes] = field(default_factory=list)


class Door:
    """Receives the bodies of one service."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._coming: set[_Body] = set()
        self._there: set[_Body] = set()

    @property
    def memory(self) -> int:
        """The bytes of received bodies that are held in memory."""
        return sum(body.size for body in self._there if body.limit.counts_memory)

    @property
    def coming(self) -> int:
        """The number of bodies that are being received."""
        return len(self._coming)

    def limit(self, scope: Scope) -> Limit:
        """The limit of a route by its path; the content type only chooses among what the path allows.

        Raises Fault: the route does not take this type of content.
        """
        path, settings = scope["path"], self._settings
        kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
        upload = Limit(settings.upload + _ENVELOPE, frozenset({_FORM}), counts_memory=False)
        limit = Limit(
            settings.messages if errors.protocol(scope) or path == "/mcp" else settings.body, frozenset({_JSON})
        )
        if path == "/v1/files" or (path == "/v1/documents" and kind == _FORM):
            limit = upload
        elif path == "/v1/jobs":
            limit = Limit(settings.upload, LINES, counts_memory=False)
        if kind and kind not in limit.kinds and not (kind.startswith("application/") and kind.endswith("+json")):
            wanted = "multipart/form-data with a file, or application/json" if path == "/v1/documents" else None
            raise Fault(415, "UnsupportedFormatError", f"send {wanted or min(limit.kinds)}, not {kind[:64]}")
        return limit

    @asynccontextmanager
    async def received(
        self, scope: Scope, receive: Receive, owner: tuple[str, tuple[str, ...]]
    ) -> AsyncIterator[Receive]:
        """Receive the whole body, then let the application read it.

        Raises Fault: it is too long or too slow, of another type, or there is no room.
        """
        if scope["method"] in ("GET", "HEAD", "OPTIONS", "DELETE"):
            yield receive
            return
        length, limit = Headers(scope=scope).get("content-length", "0"), self.limit(scope)
        if not length.isascii() or not length.isdigit() or int(length) > limit.most:
            raise _too_long(limit.most)
        body = _Body(owner, limit)
        self._let_in(body)
        try:
            await self._take(body, receive)
            self._coming.discard(body)
            if limit.counts_memory and self.memory + body.size > self._settings.memory:
                raise busy()
            self._there.add(body)
            yield _again(body, receive)
        finally:
            self._coming.discard(body)
            self._there.discard(body)
            if body.file is not None:
                body.file.close()

    def _let_in(self, body: _Body) -> None:
        """Make room for a body, if necessary by aborting the one that has stalled longest."""
        mine = [other for other in self._coming if other.owner == body.owner]
        for bodies, most in ((mine, self._settings.receiving // 2), (self._coming, self._settings.receiving)):
            if len(bodies) >= most:
                slowest = min(bodies, key=lambda other: other.last, default=None)
                if slowest is None or time.monotonic() - slowest.last < _STANDS:
                    raise busy()
                slowest.ended.set()
                self._coming.discard(slowest)
        self._coming.add(body)

    async def _take(self, body: _Body, receive: Receive) -> None:
        """Receive a body completely."""
        ended = asyncio.create_task(body.ended.wait())
        try:
            while True:
                message = await self._next(body, receive, ended)
                if message["type"] != "http.request":
                    raise Fault(_GONE, "GoneError", "the client went away")
                data = message.get("body", b"")
                body.size += len(data)
                if body.size > body.limit.most:
                    raise _too_long(body.limit.most)
                if data:
                    body.last = time.monotonic()
                    await self._keep(body, data)
                if not message.get("more_body", False):
                    return
        finally:
            ended.cancel()

    async def _next(self, body: _Body, receive: Receive, ended: asyncio.Task[Any]) -> Message:
        """The next part of a body, within its deadline."""
        settings, now = self._settings, time.monotonic()
        # At the least rate since it began, never silent for long, and within the time for a whole body.
        slowest = body.began + settings.patience + body.size / settings.rate
        until = min(slowest, body.last + settings.patience, body.began + settings.receive)
        coming: asyncio.Future[Message] = asyncio.ensure_future(receive())
        waiting: set[asyncio.Future[Any]] = {coming, ended}
        await asyncio.wait(waiting, timeout=max(0.0, until - now), return_when=asyncio.FIRST_COMPLETED)
        if coming.done() and not body.ended.is_set():
            return coming.result()
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
        stood = "others needed the room of a body that stood still"
        what = stood if body.ended.is_set() else "the body came too slowly"
        raise Fault(408, "TimedOutError", f"{what}: send it again", more={"Connection": "close"})

    async def _keep(self, body: _Body, data: bytes) -> None:
        """Store a part of a body, on disk if the body is large."""
        body.parts.append(data)
        if body.file is None and body.size <= _IN_MEMORY:
            return
        bodies = self._coming | self._there
        mine = sum(other.size for other in bodies if other.owner == body.owner)
        most = self._settings.spooled
        if mine > most // 2 or sum(other.size for other in bodies) > most:
            raise busy()
        file = body.file
        if file is None:
            file = body.file = await asyncio.to_thread(_spooled, self._settings.spool)
        parts, body.parts = body.parts, []
        await asyncio.to_thread(file.writelines, parts)


def _again(body: _Body, receive: Receive) -> Receive:
    """The `receive` function of the application, which replays a body."""
    rewound = over = False

    async def received() -> Message:
        nonlocal rewound, over
        if over:
            return await receive()
        if body.file is None:
            over = True
            return {"type": "http.request", "body": b"".join(body.parts), "more_body": False}
        if not rewound:
            await asyncio.to_thread(body.file.seek, 0)
            rewound = True
        data = await asyncio.to_thread(body.file.read, _BLOCK)
        over = len(data) < _BLOCK
        return {"type": "http.request", "body": data, "more_body": not over}

    return received


def _spooled(spool: Path) -> IO[bytes]:
    """An unnamed temporary file."""
    return tempfile.TemporaryFile(dir=spool if spool.is_dir() else None)


def _too_long(most: int) -> Fault:
    return Fault(413, "TooLargeDocumentError", f"the body has more than {most >> 20} MB, or does not say its length")
