"""What is to be attributed in a draft: its targets, or its statements, or the statements found in its text."""

from __future__ import annotations

from citewell.text import segments
from citewell.types import Draft, Span


def statements(draft: Draft) -> tuple[Span, ...]:
    """The statements of a draft, found in its text where it brings none."""
    return draft.statements or segments.statements(draft.text)


def targets(draft: Draft) -> tuple[Span, ...]:
    """The spans to attribute."""
    return draft.targets or statements(draft)


def statement_around(draft: Draft, target: Span) -> Span:
    """The statement that shares most with a target, the first of equals; the target itself where none does."""
    best, shared = target, 0
    for span in statements(draft):
        common = min(span.end, target.end) - max(span.start, target.start)
        if common > shared:
            best, shared = span, common
    return best
