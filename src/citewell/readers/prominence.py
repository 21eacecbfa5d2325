"""Headings of pages that mark none as such: short lines that stand alone, bold, large, underlined, or in italics.

Filings are such pages: their headings differ from paragraphs by looks alone, and so do the levels of these.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from citewell.readers.builder import Builder
from citewell.readers.headlines import BEHIND, ITEM, Line, style_of
from citewell.readers.looks import Look
from citewell.text.headings import CAPTION

_NOTE = re.compile(r"note\s+(?:\d{1,2}|[A-Z])(?:\W+|\Z)", re.IGNORECASE)
_ITEMS = 3  # headings that are called items, as in the reports of companies
_LARGE, _SMALL = 1.1, 0.9  # of the size of most text: larger is set apart, smaller is a note
_PROSE = 200  # characters of a paragraph that a heading among the lines of a cover leads to
_OFTEN = 3  # times that a line stands at the top or foot of pages
_PASSES = 50  # by which a rank moves up at most
_NEAR = 3  # blocks from the end of a page at which it stands


class _Rank(NamedTuple):
    """How prominent a heading is beside others that are no items: greater is more prominent."""

    size: int
    bold: bool
    light_underlined: bool
    capitals: bool
    numbered: bool
    upright: bool
    bare: bool  # "Note 5", whose title stands below
    underlined: bool


@dataclass(slots=True)
class _Line(Line):
    """A line that may be a heading, and how it is set."""

    look: Look = field(kw_only=True)

    def rank(self) -> _Rank:
        """What its looks tell."""
        look, style = self.look, self.style
        note = _NOTE.match(self.text)
        numbered = self.numbered is not None or note is not None
        light = look.underlined and not look.bold
        bare = note is not None and note.end() == len(self.text)
        return _Rank(style.size, look.bold, light, style.capitals, numbered, not look.italic, bare, look.underlined)


def mark_headings(builder: Builder) -> None:
    """Make headings of the lines that are set apart, unless the page marks headings itself."""
    if builder.looks and all(block.kind != "heading" for block in builder.blocks):
        lines = _lines(builder)
        depths = _order(lines)
        lines = _without_cover(builder, _leading(builder, lines, depths))
        builder.make_headings(dict(zip((line.place for line in lines), _levels(lines, depths), strict=True)))


def _lines(builder: Builder) -> list[_Line]:
    """The lines that are set apart and read like headings; of those that stand on most pages the first."""
    text, blocks, sizes = builder.text, builder.blocks, Counter[float]()
    for place, look in builder.looks.items():
        sizes[look.size] += blocks[place].end - blocks[place].start
    body = sizes.most_common(1)[0][0] or 1.0
    running = _running(builder, text)
    lines = []
    for place, look in builder.looks.items():
        words = text[blocks[place].start : blocks[place].end].replace("\n", " ")
        if (
            running.get(words, place) != place
            or look.size < _SMALL * body
            or words[0].islower()
            or CAPTION.match(words)
        ):
            continue
        words = words.removesuffix(".") if ITEM.match(words) else words
        style = style_of(words, look.size / body, bold=look.bold, italic=look.italic)
        line = _Line(place, words, style, look=look)
        if line.reads_like_heading() and (look.bold or look.underlined or look.size > _LARGE * body or look.italic):
            lines.append(line)
    return lines


def _running(builder: Builder, text: str) -> dict[str, int]:
    """What stands at the top or foot of most pages, and the first block that says it."""
    near = {top + step for top in builder.page_tops for step in range(-_NEAR, _NEAR)}
    places: dict[str, list[int]] = defaultdict(list)
    for place in builder.looks:
        block = builder.blocks[place]
        places[text[block.start : block.end].replace("\n", " ")].append(place)
    return {
        line: at[0] for line, at in places.items() if len(at) >= _OFTEN and 2 * len(near.intersection(at)) > len(at)
    }


def _leading(builder: Builder, lines: Sequence[_Line], depths: Mapping[_Rank, int]) -> list[_Line]:
    """The lines that lead to something: of several below each other the last of each rank; light italics to a text."""
    kept: list[_Line] = []
    below = len(builder.blocks)
    for line in reversed(lines):
        after = kept[-1] if kept and kept[-1].place == line.place + 1 else None
        idle = after is not None and (after.item or depths[line.rank()] >= depths[after.rank()])
        light = line.look.italic and not (line.look.bold or line.look.underlined)
        if (idle and not line.item) or line.place + 1 == below:
            continue
        if not (light and builder.blocks[line.place + 1].kind == "table_row"):
            kept.append(line)
    return kept[::-1]


def _order(lines: Sequence[_Line]) -> dict[_Rank, int]:
    """How deep each rank stands: the less prominent below, unless headings of it stand right above the other's.

    An underline below bold letters is decoration, as long as no heading without stands right below.
    """
    above = Counter(
        (line.rank(), after.rank())
        for line, after in pairwise(lines)
        if after.place == line.place + 1 and not line.item
    )
    order = sorted({line.rank() for line in lines}, reverse=True)
    for _ in order[:_PASSES]:
        for place in range(len(order) - 1):
            high, low = order[place : place + 2]
            if above[low, high] > above[high, low]:
                order[place : place + 2] = low, high
    depth, depths = 0, dict[_Rank, int]()
    for before, rank in zip([None, *order], order, strict=False):
        if before is None or not (before.bold and before == rank._replace(underlined=True)) or above[before, rank]:
            depth += 1
        depths[rank] = depth
    return depths


def _without_cover(builder: Builder, lines: list[_Line]) -> list[_Line]:
    """The lines without those of a report's cover, which stand before its first item or statement."""
    if sum(line.item is not None for line in lines) < _ITEMS:
        return lines
    begins = next(line.place for line in lines if line.item or BEHIND.match(line.text))
    following = (builder.blocks[line.place + 1] for line in lines)
    return [
        line
        for line, block in zip(lines, following, strict=True)
        if line.place >= begins or (block.kind == "paragraph" and block.end - block.start >= _PROSE)
    ]


def _levels(lines: Sequence[_Line], depths: Mapping[_Rank, int]) -> list[int]:
    """How deep each heading stands: a report's parts and items above all others, which follow by prominence."""
    items = [line.place for line in lines if line.item]
    open_: list[int] = []
    levels = []
    for line in lines:
        step = 2 + depths[line.rank()]
        if len(items) >= _ITEMS:
            if line.item:
                step = 0 if line.item["part"] else 1
            elif line.place > items[-1] and BEHIND.match(line.text):
                step = 0
        open_ = [other for other in open_ if other < step]
        open_.append(step)
        levels.append(len(open_))
    return levels
