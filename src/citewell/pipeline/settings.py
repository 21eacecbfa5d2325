"""The requests and settings that a pipeline accepts; anything else is rejected before any work is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from citewell.abstain.declining import POLICIES
from citewell.errors import UsageError
from citewell.errors.arguments import hold, listed
from citewell.pipeline.unsupported import POLICIES as ON_UNSUPPORTED
from citewell.types import Span

_KNOWN = {
    "granularity": ("sentence", "paragraph", "window", "token"),
    "uncited": ("attribute", "leave"),
    "declining": POLICIES,
    "on_unsupported": ON_UNSUPPORTED,
}


def refuse(chosen: Any) -> None:
    """Reject invalid settings of a pipeline. Raises UsageError: a setting has the wrong type, or is out of range."""
    hold(int | None, k=chosen.k)
    hold(float | None, abstain=chosen.abstain, timeout=chosen.timeout)
    hold(bool, minimal=chosen.minimal, verify=chosen.verify)
    for setting, known in _KNOWN.items():
        if (value := getattr(chosen, setting)) not in known:
            raise UsageError(f"{setting} is one of {', '.join(known)}, not {value!r}")
    if chosen.k is not None and chosen.k < 1:
        raise UsageError(f"k is at least 1, not {chosen.k}")
    if chosen.abstain is not None and not 0 <= chosen.abstain <= 1:
        raise UsageError(f"abstain is a score between 0 and 1, not {chosen.abstain}")
    if chosen.timeout is not None and not chosen.timeout > 0:
        raise UsageError(f"timeout is above 0 seconds, not {chosen.timeout}")


def refuse_empty(what: str, text: Any) -> None:
    """Reject a value that is not a text, or is empty. Raises UsageError: so it is."""
    if not isinstance(text, str):
        raise UsageError(f"{what} is text, not {text!r:.60}")
    if not text.strip():
        raise UsageError(f"{what} is empty")


def spans_of(parts: Any) -> tuple[Span, ...]:
    """Parts of an answer, by their offsets. Raises UsageError: they are none."""
    spans = []
    for span in listed("spans", parts):
        if not isinstance(span, Sequence) or len(span) != 2:
            raise UsageError(f"a span is a start and an end, not {span!r:.60}")
        hold(int, start=span[0], end=span[1])
        spans.append(Span(*span))
    return tuple(spans)
