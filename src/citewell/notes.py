"""What a back end has to tell about its work beside its result: warnings and counts, gathered by whoever asks for them.

with collect() as notes:
    citations = attributor.attribute(draft, documents)
notes.warnings, notes.counts

A Protocol returns only what it is for, and back ends keep no state; so remarks travel through a context variable.
Without a collector they go nowhere and cost nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class Notes:
    """Warnings in the order in which they first came, each once, counts by name, and what each model's reply cost."""

    warnings: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    costs: list[tuple[str, float | None]] = field(default_factory=list)


_OPEN: ContextVar[tuple[Notes, ...]] = ContextVar("citewell_notes", default=())


@contextmanager
def collect() -> Iterator[Notes]:
    """Gather what is noted inside; an outer collector gets it too."""
    notes = Notes()
    token = _OPEN.set((*_OPEN.get(), notes))
    try:
        yield notes
    finally:
        _OPEN.reset(token)


def warn(text: str) -> None:
    """Say something that the reader of the result should know."""
    for notes in _OPEN.get():
        if text not in notes.warnings:
            notes.warnings.append(text)


def count(name: str, number: int = 1) -> None:
    """Add to a count, such as the pairs that a model judged."""
    for notes in _OPEN.get():
        notes.counts[name] += number


def pay(model: str, cost: float | None) -> None:
    """Tell what a reply of a model cost, in US dollars; None where its price is not known."""
    for notes in _OPEN.get():
        notes.costs.append((model, cost))
