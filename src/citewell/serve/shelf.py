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
    """The current state of a thing."""

    owned: tuple[Owned, ...]  # whose it is; a document that several sources have is owned several times
    mark: Any  # what is another one when the thing has changed
    fields: Mapping[str, Any] | None = None  # what is told of it, None where nobody has to be told


class Event(NamedTuple):
    """A change of one thing, or of many things of a kind if `key` is None."""

    name: str  # its id, which says nothing of how many others there were
    kind: Kind  # of the thing
    key: str | None  # the thing's id
    fields: Mapping[str, Any] | None  # what is told of it now
    before: tuple[Owned, ...]  # whose it was
    after: tuple[Owned, ...]  # whose it is; nobody's where it is gone

    def told(self, caller: Caller) -> tuple[str, dict[str, Any]] | None:
        """The event's name and data for a caller, None if the caller must not see it."""
        was, now = (any(owners.sees(caller, owned) for owned in side) for side in (self.before, self.after))
        if not was and not now:
            return None
        if self.key is None:
            return "reset", {}
        change = "removed" if not now else "changed" if was else "added"
        return self.kind, {"change": change, "id": self.key, self.kind: self.fields if now else None}


class Differing(NamedTuple):
    """The current things of a kind, and the events since the last look."""

    kind: Kind
    now: Mapping[str, Thing]
    events: list[Event]


class Shelf:
    """The things of one library at the last look, and the latest events."""

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        self._events: deque[Event] = deque(maxlen=remembered)
        self.end = 0
        self._known: dict[Kind, Mapping[str, Thing]] = {"upload": {}}
        # The names of the last event, and of the one before all that are remembered, or of the beginning.
        self.last = self._forgotten = secrets.token_hex(8)

    def known(self, kind: Kind) -> Mapping[str, Thing]:
        """The things of a kind at the last look."""
        return self._known.get(kind, {})

    def place(self, name: str | None) -> int | None:
        """The position after an event, None if it is no longer stored."""
        names = [self._forgotten, *(event.name for event in self._events)]
        return self.end - len(self._events) + names.index(name) if name in names else None

    def behind(self, place: int) -> Sequence[Event] | None:
        """The events after a position, None if some are no longer stored."""
        first = self.end - len(self._events)
        return None if place < first else [self._events[number] for number in range(place - first, len(self._events))]

    def put(self, kind: Kind, key: str, thing: Thing | None) -> None:
        """Update one thing, None if it is gone."""
        now = {**self.known(kind)}
        now.pop(key, None)
        if thing is not None:
            now[key] = thing
        self.take(self.differing(kind, now))

    def differing(self, kind: Kind, now: Mapping[str, Thing]) -> Differing:
        """Compare all current things of a kind with the last look; the first look yields no events."""
        before = self._known.get(kind)
        return Differing(kind, now, [] if before is None else list(_changes(kind, before, now)))

    def take(self, differing: Differing) -> None:
        """Store the current things, and append their events."""
        self._known[differing.kind] = differing.now
        for event in differing.events:
            if len(self._events) == self._events.maxlen:
                self._forgotten = self._events[0].name
            self._events.append(event)
            self.end += 1
            self.last = event.name


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
