"""From a job to a response: the whole result, a stream of events, or nothing if the client has gone away."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Protocol
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from citewell.serve.faults import Fault, inside
from citewell.serve.histories import Owned
from citewell.serve.pool import Job, Pool
from citewell.text import safe

JSON = "application/json"
EVENTS = "text/event-stream"
_BEFORE = 5.0  # seconds in which an error still has a status of its own
_BEAT = 15.0  # seconds after which a stream shows that it lives
_GONE = 499  # nobody reads it; it stands in the log


class Events(Protocol):
    """Writes the events of a stream."""

    def begin(self) -> Iterable[bytes]:
        """The first bytes."""

    def write(self, kind: str, value: Any) -> Iterable[bytes]:
        """The bytes for a `statement`, for the `answer` at the end, or for an `error` in its place.

        What is `known` before all of it comes first, and nothing is written for it.
        """


async def whole(request: Request, job: Coroutine[Any, Any, Any]) -> Any:
    """The result of a job, which is cancelled if the client disconnects. Raises Fault: it has none."""
    working = asyncio.ensure_future(job)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise Fault(_GONE, "GoneError", "the client went away")
    finally:
        for task in (working, gone):
            task.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def conditional(request: Request, body: bytes, media: str = JSON) -> Response:
    """A response with an ETag, or 304 if the client has it."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization, x-api-key"}
    known = {part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")}
    if known & {tag, "*"}:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media, headers=headers)


def attachment(data: bytes, name: str, media: str) -> Response:
    """A file to download; documents are never displayed as pages of this service."""
    plain = "".join(
        letter if letter.isascii() and letter.isprintable() and letter not in '"\\' else "_" for letter in name
    )
    headers = {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
    return Response(data, media_type=media, headers=headers)


def answered(result: bytes | Owned, media: str = JSON) -> Response:
    """The response for a result, with the id of the saved result."""
    if isinstance(result, Owned):
        return Response(result.body, media_type=media, headers={"x-citewell-history": result.history})
    return Response(result, media_type=media)


async def streamed(pool: Pool, job: Job, events: Events | None = None) -> Response:
    """A stream of events: `statement` for each final statement, then `answer` or `error`.

    Raises Fault: the job failed at once.
    """
    queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
    events = events or _Ours()

    def tell(fields: dict[str, Any]) -> None:
        if "statement" in fields:
            queue.put_nowait(("statement", fields))
        else:
            list(events.write("known", fields))

    async def work() -> None:
        try:
            queue.put_nowait(("answer", await pool.run(job, tell)))
        except Fault as fault:
            queue.put_nowait(("error", fault))
        except Exception:  # noqa: BLE001  (a stream that just ends would count as whole)
            queue.put_nowait(("error", inside()))

    working = asyncio.create_task(work())
    first = None
    try:
        with suppress(TimeoutError):
            first = await asyncio.wait_for(queue.get(), _BEFORE)
    except asyncio.CancelledError:
        working.cancel()
        raise
    if first and first[0] == "error":
        raise first[1]
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    written = _written(events, working, queue, first)
    return StreamingResponse(written, media_type=EVENTS, headers=headers)


async def _written(
    events: Events, working: asyncio.Task[None], queue: asyncio.Queue[tuple[str, Any]], first: tuple[str, Any] | None
) -> AsyncIterator[bytes]:
    try:
        for part in events.begin():
            yield part
        while True:
            if first is None:
                try:
                    first = await asyncio.wait_for(queue.get(), _BEAT)
                except TimeoutError:
                    yield b": still working\n\n"
                    continue
            (kind, value), first = first, None
            try:
                for part in events.write(kind, value):
                    yield part
            except Fault as fault:
                for part in events.write("error", fault):
                    yield part
                return
            if kind != "statement":
                return
    finally:
        working.cancel()


class _Ours:
    def begin(self) -> Iterable[bytes]:
        return ()

    def write(self, kind: str, value: Any) -> Iterable[bytes]:
        value = value.body if isinstance(value, Owned) else value
        yield event(kind, value.to_dict() if isinstance(value, Fault) else value)


def event(kind: str | None, value: Any) -> bytes:
    """A server-sent event; bytes are JSON already."""
    data = value if isinstance(value, bytes) else safe.dumps(value).encode()
    return (f"event: {kind}\n".encode() if kind else b"") + b"data: " + data + b"\n\n"
