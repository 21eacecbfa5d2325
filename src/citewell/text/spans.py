"""Relations of spans: which span contains an offset, which span contains another, what two share.

owns(Span(6, 9), 7)                           # True
around([Span(0, 5), Span(6, 9)], Span(4, 8))  # Span(0, 9)

Spans are whatever has a `start` and an exclusive `end`: statements, targets, segments, pages, citations' ranges.
An empty span owns the place at which it stands.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Protocol

from citewell.types import Span


class Ranged(Protocol):
    """Anything with offsets."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        ...


def cut(text: str, span: Ranged) -> str:
    """The text at a span."""
    return text[span.start : span.end]


def on_one_line(text: str, span: Ranged) -> str:
    """The text at a span, with one space between its words."""
    return " ".join(cut(text, span).split())


def overlap(first: Ranged, second: Ranged) -> int:
    """How many characters two spans share."""
    return max(0, min(first.end, second.end) - max(first.start, second.start))


def owns(span: Ranged, offset: int) -> bool:
    """Whether an offset lies in a span."""
    return span.start <= offset < max(span.end, span.start + 1)


def inside(spans: Iterable[Ranged], offsets: Sequence[int]) -> list[tuple[int, ...]]:
    """For each span the positions of the offsets that lie in it, in their order; neither need be sorted."""
    order = sorted(range(len(offsets)), key=offsets.__getitem__)
    places = [offsets[number] for number in order]
    bounds = ((bisect_left(places, span.start), bisect_left(places, max(span.end, span.start + 1))) for span in spans)
    return [tuple(sorted(order[first:last])) for first, last in bounds]


def last_before(starts: Sequence[int], offset: int) -> int:
    """The position of the last of the sorted starts that is not behind an offset; the first where all are."""
    return max(0, bisect_right(starts, offset) - 1)


def most_shared(spans: Sequence[Ranged], part: Ranged) -> int | None:
    """The position of the span that shares most with another, the first of equals; None where none shares anything."""
    shared = [overlap(span, part) for span in spans]
    best = max(shared, default=0)
    return shared.index(best) if best else None


def home(spans: Sequence[Ranged], part: Ranged) -> int | None:
    """The position of the span that shares most with a part, else of the last before it; None without spans.

    The spans are in order and do not overlap.
    """
    if not spans:
        return None
    near = touched(spans, part)
    best = most_shared(spans[near.start : near.stop], part)
    if best is not None:
        return near.start + best
    return max(0, bisect_right(spans, max(part.start - 1, 0), key=lambda span: span.start) - 1)


def touched(spans: Sequence[Ranged], part: Ranged) -> range:
    """The positions of the spans that share something with a part; they are in order and do not overlap."""
    first = bisect_right(spans, part.start, key=lambda span: span.end)
    return range(first, bisect_left(spans, part.end, lo=first, key=lambda span: span.start))


def around(spans: Sequence[Ranged], part: Span) -> Span:
    """A span with all spans that it touches, as one: a target with the statements that it lies in."""
    both = [part, *(spans[number] for number in touched(spans, part))]
    return Span(min(span.start for span in both), max(span.end for span in both))


def within(span: Ranged, part: Ranged) -> Span:
    """What of a part lies in a span; the whole span where nothing does."""
    start, end = max(span.start, part.start), min(span.end, part.end)
    return Span(start, end) if start < end else Span(span.start, span.end)


def without(spans: Iterable[Span], offsets: Iterable[int]) -> tuple[Span, ...]:
    """The spans in which none of the offsets lies."""
    places = sorted(offsets)
    return tuple(span for span in spans if bisect_left(places, span.start) == bisect_left(places, span.end))
