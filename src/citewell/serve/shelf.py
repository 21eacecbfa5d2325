"""Events of one library's shelf: documents, failures, jobs and uploads that come, change and go.

Somebody looks at the library and at the jobs when a listener is there, and what differs from the last look is an event.
So it does not matter who made a change: this service, another one on the same database, or the command line. The last
events are remembered, so many and no more; each listener has its own place in them and no copy.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from citewell.serve import owners
from citewell.serve.owners import Caller, Owned

Kind = Literal["document", "failure", "job", "upload"]
MANY = 200  # changes at one look, beyond which listeners are sent to the lists instead
_REMEMBERED = 1000  # events


class Thing(NamedTuple):
    """Something as it is now.

    Attributes:
        owned: whose it is; a document that several sources have is owned several times.
        mark: what is another one when the thing has changed.
        fields: what is told of it, None where nobody has to be told.
    """

    owned: tuple[Owned, ...]
    mark: Any
    fields: Mapping[str, Any] | None = None


class Event(NamedTuple):
    """What became of one thing; of all things of a kind, where `key` is None: look at the lists.

    Attributes:
        name: its id, which says nothing of how many others there were.
        kind: of the thing.
        key: the thing's id.
        fields: what is told of it now.
        before: whose it was.
        after: whose it is; nobody's where it is gone.
    """

    name: str
    kind: Kind
    key: str | None
    fields: Mapping[str, Any] | None
    before: tuple[Owned, ...]
    after: tuple[Owned, ...]

    def told(self, caller: Caller) -> tuple[str, dict[str, Any]] | None:
        """The event as a caller is told of it: its name and data; None where it is not for them."""
        was, now = (any(owners.sees(caller, owned) for owned in side) for side in (self.before, self.after))
        if not was and not now:
            return None
        if self.key is None:
            return "reset", {}
        change = "removed" if not now else "changed" if was else "added"
        return self.kind, {"change": change, "id": self.key, self.kind: self.fields if now else None}


class Differing(NamedTuple):
    """All things of a kind as they are now, and what happened since the last look."""

    kind: Kind
    now: Mapping[str, Thing]
    events: list[Event]


class Shelf:
    """The things of one library as they were at the last look, and the last events."""

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        self._events: deque[Event] = deque(maxlen=remembered)
        self._count = 0
        self._known: dict[Kind, Mapping[str, Thing]] = {"upload": {}}
        # The names of the last event, and of the one before all that are remembered, or of the beginning.
        self._last = self._forgotten = secrets.token_hex(8)

    @property
    def end(self) -> int:
        """The place behind the last event."""
        return self._count

    @property
    def last(self) -> str:
        """The id of the last event."""
        return self._last

    def known(self, kind: Kind) -> Mapping[str, Thing]:
        """The things of a kind at the last look."""
        return self._known.get(kind, {})

    def place(self, name: str | None) -> int | None:
        """The place behind an event, None where it is not remembered."""
        names = [self._forgotten, *(event.name for event in self._events)]
        return self._count - len(self._events) + names.index(name) if name in names else None

    def behind(self, place: int) -> Sequence[Event] | None:
        """The events behind a place, None where some of them are not remembered any more."""
        first = self._count - len(self._events)
        return None if place < first else [self._events[number] for number in range(place - first, len(self._events))]

    def put(self, kind: Kind, key: str, thing: Thing | None) -> None:
        """Say how one thing is now, None where it is gone."""
        now = {**self.known(kind)}
        now.pop(key, None)
        if thing is not None:
            now[key] = thing
        self.take(self.differing(kind, now))

    def differing(self, kind: Kind, now: Mapping[str, Thing]) -> Differing:
        """What it means that all things of a kind are so now; at the first look nothing has happened yet."""
        before = self._known.get(kind)
        return Differing(kind, now, [] if before is None else list(_changes(kind, before, now)))

    def take(self, differing: Differing) -> None:
        """Let things be as they are now, and remember what happened."""
        self._known[differing.kind] = differing.now
        for event in differing.events:
            if len(self._events) == self._events.maxlen:
                self._forgotten = self._events[0].name
            self._events.append(event)
            self._count += 1
            self._last = event.name


def _changes(kind: Kind, before: Mapping[str, Thing], now: Mapping[str, Thing]) -> Iterator[Event]:
    changed = [key for key in {**before, **now} if _mark(before, key) != _mark(now, key)]
    if len(changed) > MANY:
        sides = (
            tuple({owned for key in changed if key in side for owned in side[key].owned}) for side in (before, now)
        )
        yield Event(secrets.token_hex(8), kind, None, None, *sides)
        return
    for key in changed:
        old, new = before.get(key), now.get(key)
        owned = (old.owned if old else (), new.owned if new else ())
        yield Event(secrets.token_hex(8), kind, key, new.fields if new else None, *owned)


def _mark(things: Mapping[str, Thing], key: str) -> Any:
    return things[key].mark if key in things else None
