"""Subscribers to events of the shelf, and the server-sent events they receive."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from citewell.serve import replies
from citewell.serve.faults import busy
from citewell.serve.jobs.folders import Folders
from citewell.serve.jobs.runner import Runner
from citewell.serve.looking import Eye, Run
from citewell.serve.owners import Caller, Owned
from citewell.serve.shelf import Event, Shelf, Thing

_TICK = 0.5  # seconds after which a listener looks again
_BEAT = 15.0  # seconds after which a stream shows that it lives
_AGAIN = b"retry: 2000\n\n"
_SHARE = 8  # the part of all listeners that one caller may be


class Hearing:
    """The listeners of all libraries.

    Attributes:
        closing: whether the service is about to stop, so that all streams end.
    """

    def __init__(self, run: Run, folders: Folders, runner: Runner, most: int) -> None:
        self._parts, self._most = (run, folders, runner), most
        self._eyes: dict[str, Eye] = {}
        self._listeners: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self.closing = False

    @property
    def listeners(self) -> int:
        """The number of listeners."""
        return self._listeners.total()

    def eye(self, library: str) -> Eye:
        """The observer of a library."""
        if library not in self._eyes:
            self._eyes[library] = Eye(library, *self._parts)
        return self._eyes[library]

    @contextmanager
    def upload(self, library: str, caller: Caller, fields: dict[str, Any]) -> Iterator[Callable[[Any], None]]:
        """Publish a file while it is read; calling the yielded function updates its progress."""
        shelf, name = self.eye(library).shelf, secrets.token_hex(16)
        known = {**fields, "id": name, "owner": caller.name, "pages": None, "of": None}
        owned = (Owned(caller.name, caller.labels),)
        shelf.put("upload", name, Thing(owned, 0, known))

        def told(progress: Any) -> None:
            if name not in shelf.known("upload"):
                return  # who sent it is gone, and its worker goes on for a moment
            pages = {"pages": progress["pages"], "of": progress["of"]}
            shelf.put("upload", name, Thing(owned, progress["pages"], {**known, **pages}))

        try:
            yield told
        finally:
            shelf.put("upload", name, None)

    async def notice(self, library: str, document: str) -> None:
        """Observe a new document before it is removed, so that listeners receive both events."""
        eye = self.eye(library)
        if self.listeners and document not in eye.shelf.known("document"):
            await eye.look(now=True)

    def room(self, caller: Caller) -> None:
        """Check that the caller may listen. Raises Fault: too many do."""
        if self.listeners >= self._most or self._listeners[caller.name, caller.labels] >= self._most // _SHARE:
            raise busy()

    @contextmanager
    def counted(self, caller: Caller) -> Iterator[None]:
        """Count a listener for the duration of the block."""
        key = Counter([(caller.name, caller.labels)])
        self._listeners += key
        try:
            yield
        finally:
            self._listeners -= key

    async def told(
        self, eye: Eye, caller: Caller, since: str | None, seconds: float, same: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[bytes]:
        """The events for a caller, until time is up or the caller's access changes."""
        await eye.look()
        shelf, until, beat = eye.shelf, time.monotonic() + seconds, time.monotonic() + _BEAT
        yield _AGAIN
        place = shelf.place(since)
        if place is None:
            place = shelf.end
            yield b"".join(_begin(shelf, caller))
        while True:
            events, place = shelf.behind(place), shelf.end
            if events is None or (events and not await same()):
                return  # too slow to be told of everything; or let in in another way from now on
            parts = _told(events, caller)
            if not parts and time.monotonic() >= beat:
                parts = [b": still listening\n\n"]
            if parts:
                beat = time.monotonic() + _BEAT
                yield b"".join(parts)
            if time.monotonic() >= until or self.closing:
                return
            await asyncio.sleep(min(_TICK, max(0.0, until - time.monotonic())))
            await eye.look()


def _begin(shelf: Shelf, caller: Caller) -> list[bytes]:
    """The first events if the earlier ones are unknown: a reset, and the uploads, which no list contains."""
    uploads = [
        Event(shelf.last, "upload", key, each.fields, (), each.owned) for key, each in shelf.known("upload").items()
    ]
    return [_event(shelf.last, "reset", {}), *_told(uploads, caller)]


def _told(events: Iterable[Event], caller: Caller) -> list[bytes]:
    return [_event(event.name, *told) for event in events if (told := event.told(caller)) is not None]


def _event(name: str, kind: str, fields: dict[str, Any]) -> bytes:
    return f"id: {name}\n".encode() + replies.event(kind, fields)
