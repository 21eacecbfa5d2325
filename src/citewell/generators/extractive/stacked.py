"""Several answers as one: their texts one below the other, with their statements and sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from citewell.types import Draft, Span


def stacked(drafts: Sequence[Draft]) -> Draft:
    """The first draft with the texts, statements and sources of all of them, and without a value."""
    starts = [0, *accumulate(len(draft.text) + 1 for draft in drafts)]
    pairs = list(zip(drafts, starts, strict=False))
    return replace(
        drafts[0],
        text="\n".join(draft.text for draft in drafts),
        statements=tuple(_moved(span, by) for draft, by in pairs for span in draft.statements),
        computed=tuple(_moved(span, by) for draft, by in pairs for span in draft.computed),
        sources=tuple(
            replace(source, answer_start=source.answer_start + by, answer_end=source.answer_end + by)
            for draft, by in pairs
            for source in draft.sources
        ),
        value=None,
    )


def first_sources(drafts: Sequence[Draft]) -> list[int]:
    """The position of each draft's first source among those of all."""
    return [0, *accumulate(len(draft.sources) for draft in drafts[:-1])]


def narrowed(draft: Draft, span: Span) -> Draft:
    """The draft with one of its statements alone."""
    sources = (s for s in draft.sources if span.start <= s.answer_start and s.answer_end <= span.end)
    return replace(
        draft,
        text=draft.text[span.start : span.end],
        statements=(_moved(span, -span.start),),
        computed=(_moved(span, -span.start),) if span in draft.computed else (),
        sources=tuple(
            replace(source, answer_start=source.answer_start - span.start, answer_end=source.answer_end - span.start)
            for source in sources
        ),
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
