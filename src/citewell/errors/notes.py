"""Warnings and counts that back ends report in addition to their result, collected by the caller.

with collect() as notes:
    citations = attributor.attribute(draft, documents)
notes.warnings, notes.counts

A Protocol returns only what it is for, and back ends keep no state; so remarks travel through a context variable.
Without a collector they go nowhere and cost nothing. Warnings go to the logger `citewell` too, stages with their time
at the level DEBUG; who wants to follow the stages otherwise gives an observer.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

LOG = logging.getLogger("citewell")
LOG.addHandler(logging.NullHandler())  # a library that is not asked for its log prints none

Observer = Callable[[str, dict[str, Any]], AbstractContextManager[Any]]
"""Makes what is entered with a stage and left with it, of its name and of what is told about it: figures and names of
back ends, never a text; more is there when it is left."""

_observers: tuple[Observer, ...] = ()
_FAILED = "the observer %r failed at the stage %r"


@dataclass
class Notes:
    """Warnings in order of first occurrence, each once; counts by name; and the cost of each model's reply."""

    warnings: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    costs: list[tuple[str, float | None]] = field(default_factory=list)

    def spent(self, usage: Mapping[str, Any]) -> dict[str, Any]:
        """The cost of an answer: its own reply, with the given usage, and the requests of judges and attributors.

        `cost` is None if a model's price is unknown, and `unpriced` names the model; there is no entry if no model was
        used.
        """
        reply = [(str(usage.get("model") or "unknown"), usage["cost"])] if "cost" in usage else []
        paid = [*reply, *self.costs]
        known = round(sum(price for _, price in paid if price is not None), 9)
        if unpriced := sorted({model for model, price in paid if price is None}):
            return {"cost": None, "cost_known": known, "unpriced": unpriced}
        return {"cost": known} if paid else {}


_OPEN: ContextVar[tuple[Notes, ...]] = ContextVar("citewell_notes", default=())


@contextmanager
def collect() -> Iterator[Notes]:
    """Collect the notes of the enclosed work; an outer collector receives them too."""
    notes = Notes()
    token = _OPEN.set((*_OPEN.get(), notes))
    try:
        yield notes
    finally:
        _OPEN.reset(token)


def observe(observer: Observer) -> Callable[[], None]:
    """Observe the stages of all work in this process; call the returned function to stop."""
    global _observers  # noqa: PLW0603  (one process, one list)
    _observers = (*_observers, observer)

    def end() -> None:
        global _observers  # noqa: PLW0603  (the same)
        _observers = tuple(other for other in _observers if other is not observer)

    return end


def stage(name: str, **about: Any) -> AbstractContextManager[dict[str, Any]]:
    """A stage of the work for observers; the work can add what it learns to the stage's description."""
    if _observers or LOG.isEnabledFor(logging.DEBUG):
        return _followed(name, about)
    return nullcontext(about)


@contextmanager
def _followed(name: str, about: dict[str, Any]) -> Iterator[dict[str, Any]]:
    started = time.perf_counter()
    with ExitStack() as entered:
        for observer in _observers:
            entered.enter_context(_Harmless(observer, name, about))
        yield about
    LOG.debug("%s took %.3f s: %s", name, time.perf_counter() - started, about)


class _Harmless:
    """An observer of a stage: its own errors are logged, and it cannot suppress errors of the stage."""

    def __init__(self, observer: Observer, name: str, about: dict[str, Any]) -> None:
        self._observer, self._name, self._about = observer, name, about
        self._within: AbstractContextManager[Any] | None = None

    def __enter__(self) -> None:
        try:
            within = self._observer(self._name, self._about)
            within.__enter__()
        except Exception:
            LOG.exception(_FAILED, self._observer, self._name)
        else:
            self._within = within

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._within is not None:
                self._within.__exit__(kind, raised, trace)
        except Exception as error:
            if error is not raised:  # one that lets the stage's own fault through has not failed
                LOG.exception(_FAILED, self._observer, self._name)


def warn(text: str) -> None:
    """Add a warning for the reader of the result."""
    LOG.warning("%s", text)
    for notes in _OPEN.get():
        if text not in notes.warnings:
            notes.warnings.append(text)


def count(name: str, number: int = 1) -> None:
    """Add to a count, such as the pairs that a model judged."""
    for notes in _OPEN.get():
        notes.counts[name] += number


def pay(model: str, cost: float | None) -> None:
    """Record the cost of a model's reply in US dollars; None if its price is unknown."""
    for notes in _OPEN.get():
        notes.costs.append((model, cost))
