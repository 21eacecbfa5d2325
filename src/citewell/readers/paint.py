"""Colours of text and background in Office files: text in the colour of its background cannot be seen."""

from __future__ import annotations

import re

Colour = tuple[int, ...]
"""Red, green and blue; without them a colour that is there but not known."""
UNKNOWN: Colour = ()
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
_CONTRAST = 24  # of 255, in one of the three at least


def colour(digits: str | None) -> Colour | None:
    """A colour of six hexadecimal digits, with `#` or without; None for anything else."""
    plain = (digits or "").removeprefix("#")
    return tuple(bytes.fromhex(plain)) if re.fullmatch("[0-9A-Fa-f]{6}", plain) else None


def alike(text: Colour | None, ground: Colour | None) -> bool:
    """Whether both are known and hardly differ."""
    pairs = zip(text or UNKNOWN, ground or UNKNOWN, strict=False)
    return bool(text and ground) and all(abs(level - other) < _CONTRAST for level, other in pairs)


def shaded(base: Colour, shade: str | None, tint: str | None) -> Colour:
    """A colour of a theme made darker, then lighter, by shares of 255 in two hexadecimal digits."""
    dark, light = (int(part, 16) if part and re.fullmatch("[0-9A-Fa-f]{2}", part) else 255 for part in (shade, tint))
    darker = [part * dark // 255 for part in base]
    return tuple(255 - (255 - part) * light // 255 for part in darker)
