"""Sections, paragraphs and sentences of a text, by offsets; nothing is rewritten, nothing is downloaded.

segments(text, blocks(text), "sentence")
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.types import Block, Granularity, Segment, Span

VERSION = "1"  # changes whenever the same text would be segmented differently


def blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs of a text that has no layout but blank lines."""
    return tuple(Block(match.start(), match.end()) for match in re.finditer(r"\S(?:.|\n(?![^\S\n]*\n))*(?<=\S)", text))


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of `text[start:end]`, trimmed of white space, in order."""
    end = len(text) if end is None else end
    return [
        Span(m.start(), m.end()) for m in re.compile(r"\S.*?(?:[.!?](?=\s)|\Z|$)", re.DOTALL).finditer(text, start, end)
    ]


def statements(text: str) -> tuple[Span, ...]:
    """The statements of an answer: its sentences, list items taken one by one."""
    return tuple(span for block in blocks(text) for span in sentences(text, block.start, block.end))


def segments(text: str, layout: Sequence[Block], granularity: Granularity) -> tuple[Segment, ...]:
    """Segments of one granularity: they do not overlap, and together they hold every character that is not white space."""
    result: list[Segment] = []
    path: list[tuple[int, str]] = []
    section_start, section_number = 0, 0
    section_path: tuple[str, ...] = ()
    for number, block in enumerate(layout):
        if block.kind == "heading":
            if granularity == "section" and number > 0:
                end = layout[number - 1].end
                result.append(
                    Segment(f"s{section_number}", "section", section_start, end, text[section_start:end], section_path)
                )
                section_number += 1
            path = [item for item in path if item[0] < block.level]
            path.append((block.level, text[block.start : block.end]))
            section_start, section_path = block.start, tuple(title for _, title in path)
        titles = tuple(title for _, title in path)
        if granularity == "paragraph":
            result.append(
                Segment(
                    f"p{number}", "paragraph", block.start, block.end, text[block.start : block.end], titles, block.kind
                )
            )
        elif granularity == "sentence":
            for index, (start, end) in enumerate(sentences(text, block.start, block.end)):
                result.append(
                    Segment(f"p{number}.{index}", "sentence", start, end, text[start:end], titles, block.kind)
                )
    if granularity == "section" and layout:
        end = layout[-1].end
        result.append(
            Segment(f"s{section_number}", "section", section_start, end, text[section_start:end], section_path)
        )
    return tuple(result)
