"""The time limit of a whole call, stored in a context variable so that threads share it.

with within(30.0):
    pipeline.run(documents, question)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from citewell.errors import TimedOutError, notes


class _Limit(NamedTuple):
    """The end of the time limit, and its length."""

    end: float
    seconds: float


_LIMIT: ContextVar[_Limit | None] = ContextVar("citewell_deadline", default=None)

_STOPPED: ContextVar[tuple[threading.Event, ...]] = ContextVar("citewell_stopped", default=())


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Limit the enclosed work to `seconds`, or to the rest of an outer limit; None adds no limit."""
    outer = _LIMIT.get()
    limit = outer if seconds is None else _Limit(time.monotonic() + seconds, seconds)
    if limit is not None and outer is not None and outer.end < limit.end:
        limit = outer
    token = _LIMIT.set(limit)
    try:
        yield
    finally:
        _LIMIT.reset(token)


@contextmanager
def stoppable() -> Iterator[Callable[[], None]]:
    """A function that stops the enclosed work, in any thread, at its next check of the time."""
    stopped = threading.Event()
    token = _STOPPED.set((*_STOPPED.get(), stopped))
    try:
        yield stopped.set
    finally:
        _STOPPED.reset(token)


def left() -> float | None:
    """The remaining seconds, 0 if time is up; None without a limit."""
    limit = _LIMIT.get()
    return None if limit is None else max(0.0, limit.end - time.monotonic())


def check(pause: float = 0.0, why: str = "") -> None:
    """Raise an error if time is up, or would be after a pause; `why` is the last error.

    Raises TimedOutError: time is up, or nobody waits for the result any more.
    """
    if any(stopped.is_set() for stopped in _STOPPED.get()):
        raise TimedOutError("nobody waits for this call any more")
    limit = _LIMIT.get()
    if limit is not None and time.monotonic() + pause >= limit.end:
        last = f"; the last failure: {why}" if why else ""
        raise TimedOutError(f"the {limit.seconds:g} seconds of this call are over: raise timeout{last}")


def stage(name: str, **about: Any) -> AbstractContextManager[dict[str, Any]]:
    """A stage of the work, as in `notes`, which does not begin if time is up. Raises TimedOutError: time is up."""
    check()
    return notes.stage(name, **about)
