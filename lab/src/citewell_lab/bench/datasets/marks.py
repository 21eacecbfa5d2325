"""Answers with marks `[ n text ]` around copied spans: the plain text, the spans and the numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from citewell.text import segments
from citewell.types import Span
from citewell_lab.bench.datasets import files
from citewell_lab.bench.items import SpanItem

_MARK = re.compile(r"\[ (\d+) (.*?) \]", re.DOTALL)


class Marked(NamedTuple):
    """An answer without its marks; `spans` and `numbers` belong together."""

    text: str
    spans: tuple[Span, ...]
    numbers: tuple[int, ...]


def parse(marked: str) -> Marked:
    """Take the marks out; a span is trimmed of white space, one without text is left out."""
    parts: list[str] = []
    spans: list[Span] = []
    numbers: list[int] = []
    position = length = 0
    for match in _MARK.finditer(marked):
        before, inside = marked[position : match.start()], match[2]
        parts += [before, inside]
        length += len(before)
        if inside.strip():
            start = length + len(inside) - len(inside.lstrip())
            spans.append(Span(start, start + len(inside.strip())))
            numbers.append(int(match[1]))
        length += len(inside)
        position = match.end()
    return Marked("".join([*parts, marked[position:]]), tuple(spans), tuple(numbers))


def item(key: str, row: Mapping[str, Any], texts: Mapping[int, str], known: str = "") -> SpanItem:
    """The item of a row with `question` and a marked `summary`.

    `texts` are the passages by the numbers that marks name; `known` is the statement that was annotated, if one was.

    Raises:
        ValueError: a mark names none of the passages.
    """
    marked = parse(row["summary"])
    unknown = sorted(set(marked.numbers) - texts.keys())
    if unknown:
        raise ValueError(f"a mark names passage {unknown[0]}, which is empty or beyond the {len(texts)} there are")
    sentences, judged = statements(marked.text, known)
    document, starts = files.passages([*texts.values()])
    return SpanItem(key, row["question"], marked.text, sentences, marked.spans, marked.numbers, document, starts,
                    tuple(texts), judged)  # fmt: skip


def statements(text: str, known: str = "") -> tuple[tuple[Span, ...], Span]:
    """The sentences of an answer, and the one that the data names, which is taken as it is; without one, the whole."""
    at = text.find(known) if known else -1
    if at < 0:
        return segments.statements(text), Span(0, len(text))
    judged = Span(at, at + len(known))
    before = segments.statements(text[:at])
    after = tuple(Span(a + judged.end, b + judged.end) for a, b in segments.statements(text[judged.end :]))
    return (*before, judged, *after), judged
