"""How the text of a page is set: its size, bold, italic, underlined; by names of elements and by their own styles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from citewell.readers.headlines import ITEM

_DECLARES = re.compile(
    r"(?:^|;)\s*(font-size|font-weight|font-style|font|text-decoration(?:-line)?)\s*:([^;]*)", re.IGNORECASE
)
BREAKS = re.compile(r"break-(?:before|after)\s*:\s*(?:always|page)", re.IGNORECASE)
"""Declarations that end a page before or after an element."""
_SIZE = re.compile(r"(?<![\w.#])(\d{1,3}(?:\.\d{1,9})?)(pt|px|em|rem|%)", re.IGNORECASE)
_BOLD = re.compile(r"\b(?:bold|bolder|[6-9]00)\b", re.IGNORECASE)
_POINTS = {"pt": 1.0, "px": 0.75, "rem": 12.0}
EMPHASIS = {"b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underlined", "ins": "underlined"}


class Look(NamedTuple):
    """How a text is set; its size is in points."""

    size: float = 12.0
    bold: bool = False
    italic: bool = False
    underlined: bool = False


PLAIN = Look()


@lru_cache(maxsize=4096)
def look(tag: str, declarations: str, above: Look) -> Look:
    """How an element sets its text inside one that sets it as `above`."""
    if tag in EMPHASIS:
        above = above._replace(**{EMPHASIS[tag]: True})
    for name, value in _DECLARES.findall(declarations):
        match name.lower():
            case "font-size":
                above = above._replace(size=_sized(value, above.size))
            case "font-weight":
                above = above._replace(bold=bool(_BOLD.search(value)))
            case "font-style":
                above = above._replace(italic="normal" not in value)
            case "font":
                bold, italic = bool(_BOLD.search(value)), "italic" in value
                above = above._replace(size=_sized(value, above.size), bold=bold, italic=italic)
            case _:
                above = above._replace(underlined="underline" in value or above.underlined)
    return above


def _sized(value: str, above: float) -> float:
    match = _SIZE.search(value)
    if match is None:
        return above
    number, unit = float(match[1]), match[2].lower()
    return number * _POINTS[unit] if unit in _POINTS else number * above / (100 if unit == "%" else 1)


def overall(runs: Sequence[tuple[str, Look]]) -> Look:
    """The look that all runs of a text share, for an item of a report any run; its size is that of the longest."""
    telling = [(text, set_as) for text, set_as in runs if any(map(str.isalnum, text))]
    if not telling:
        return PLAIN
    size = max(telling, key=lambda run: len(run[0]))[1].size
    shared = any if ITEM.match(telling[0][0].lstrip()) else all
    return Look(size, *(shared(set_as[place] for _, set_as in telling) for place in (1, 2, 3)))
