"""Text for the HTML report: escaping, and splitting a range where marks begin and end."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

_SLOT = re.compile(r"\{\{(\w+)\}\}")
# Not allowed in HTML, or able to hide text by turning its direction around.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """The text for an element's content; what HTML cannot hold becomes U+FFFD."""
    return html.escape(_CONTROL.sub("\ufffd", text), quote=False)


def attribute(text: str) -> str:
    """The text for an attribute in double quotes."""
    return html.escape(_CONTROL.sub("\ufffd", text), quote=True)


def fill(template: str, slots: Mapping[str, str]) -> str:
    """A template with its `{{slots}}` filled; one pass, so that what a document says is never taken for a slot."""
    return _SLOT.sub(lambda match: slots[match[1]], template)


def pieces(
    start: int, end: int, spans: Sequence[tuple[int, int, int]], cuts: Iterable[int] = ()
) -> Iterator[tuple[int, int, list[int]]]:
    """Cut `start` to `end` at every border of a span; each piece comes with the numbers of the spans around it.

    `spans` are (start, end, number); `cuts` are more places to cut at.
    """
    borders = {start, end, *(cut for cut in cuts if start < cut < end)}
    for left, right, _ in spans:
        borders |= {border for border in (left, right) if start < border < end}
    for left, right in pairwise(sorted(borders)):
        yield left, right, [number for first, last, number in spans if first <= left and right <= last]
