"""Calls to a service that may fail temporarily: retries with growing pauses, limits on requests and tokens.

Time is injected, so that tests wait for nothing.
"""

from __future__ import annotations

import email.utils
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from citewell.errors import BackendError, deadline, notes

T = TypeVar("T")
FIRST, LONGEST = 1.0, 60.0  # seconds of the first pause and of the longest that we choose ourselves
PATIENCE = 300.0  # seconds that a service may ask us to wait


class Clock(NamedTuple):
    """What tells the time in seconds, and what waits."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Again(Exception):  # noqa: N818  (no error for the user: a message between the seam and the loop)
    """A failure that may pass: what to raise if it does not, and how long the service asked to wait."""

    def __init__(self, error: BackendError, after: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.after = error, after


@dataclass
class Bucket:
    """A limit a minute: it fills evenly and holds a minute's worth; what is overdrawn is waited for."""

    limit: float
    level: float | None = None
    at: float = 0.0

    def take(self, amount: float, now: float) -> float:
        """Take `amount` out; the seconds to wait before it may be used."""
        level = self.limit if self.level is None else self.level + (now - self.at) * self.limit / 60
        self.level, self.at = min(self.limit, level) - amount, now
        return max(0.0, -self.level) * 60 / self.limit


@dataclass
class Caller:
    """Makes calls within limits, again where they fail for a while.

    Attributes:
        retries: further tries after the first.
        requests_per_minute: most calls a minute; None for no limit.
        tokens_per_minute: most tokens a minute, those of the request (estimated) and the most that a reply may have.
        clock: the time.
        draw: a random number below 1 for each pause, so that many clients do not come back at once.
    """

    retries: int = 5
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    clock: Clock = field(default_factory=Clock)
    draw: Callable[[], float] = random.random
    _buckets: list[tuple[Bucket, bool]] = field(default_factory=list, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        for limit, counts_tokens in ((self.requests_per_minute, False), (self.tokens_per_minute, True)):
            if limit is not None and limit <= 0:
                raise ValueError("a limit a minute is above 0")
            if limit is not None:
                self._buckets.append((Bucket(float(limit)), counts_tokens))
        if self.retries < 0:
            raise ValueError("retries is at least 0")

    def run(self, do: Callable[[], T], tokens: int = 0) -> T:
        """The result of `do`, which raises `Again` for what may pass.

        Raises BackendError: what the last try failed with; TimedOutError: the whole call has no time left for a further
        try.
        """
        for tried in range(self.retries + 1):
            self._wait(tokens)
            try:
                return do()
            except Again as again:
                if tried == self.retries:
                    raise _failure(again, tried + 1) from None
                pause = min(LONGEST, FIRST * 2**tried) * (0.5 + self.draw() / 2)
                if again.after is not None and again.after > PATIENCE:
                    raise _failure(again, tried + 1) from None
                notes.count("llm retries")
                pause = max(pause, again.after or 0.0)
                deadline.check(pause, str(again.error))
                self.clock.sleep(pause)
        raise AssertionError  # the loop returns or raises

    def _wait(self, tokens: int) -> None:
        with self._lock:
            now = self.clock.now()
            pause = max((bucket.take(tokens if counted else 1, now) for bucket, counted in self._buckets), default=0.0)
        deadline.check(pause)
        if pause > 0:
            self.clock.sleep(pause)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """The seconds that a service asks to wait, from its headers; None where it names none or nonsense."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after")
        if value is None:
            return None
        if value.strip().replace(".", "", 1).isdigit():
            return float(value)
        then = email.utils.parsedate_to_datetime(value)
        return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())
    except (TypeError, ValueError):
        return None


def _failure(again: Again, tries: int) -> BackendError:
    """The error of the last try, with how often it was tried."""
    error = again.error
    advice = f"; it asks to wait {again.after:.0f} seconds" if again.after else ""
    error.args = (f"{error.args[0]} ({tries} {'tries' if tries > 1 else 'try'}{advice})", *error.args[1:])
    return error
