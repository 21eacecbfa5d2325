"""Converts offsets to and from the units of other programs: UTF-16 code units, UTF-8 bytes, lines and columns.

to_unit("a😀b", "utf-16", 2)     # 3
from_unit("a😀b", "utf-16", 3)   # 2
"""

from __future__ import annotations

from typing import Literal

from citewell.errors import UsageError

Unit = Literal["utf-16", "utf-8"]
_CODECS = {"utf-16": ("utf-16-le", 2), "utf-8": ("utf-8", 1)}  # and the bytes of a unit
_LOW_SURROGATES = range(0xDC00, 0xE000)


def to_unit(text: str, unit: Unit, offset: int) -> int:
    """The offset of a code point in code units of JavaScript, Java and C# ("utf-16"), or in bytes ("utf-8").

    Raises:
        UsageError: the unit is not known, or the text is shorter.
    """
    codec, size = _codec(unit)
    _hold(offset, len(text), "characters")
    return len(text[:offset].encode(codec, "surrogatepass")) // size


def from_unit(text: str, unit: Unit, offset: int) -> int:
    """The offset of the code point that begins at an offset in another unit.

    Raises:
        UsageError: the unit is not known, the text is shorter, or the offset lies inside of a character.
    """
    codec, size = _codec(unit)
    data = text.encode(codec, "surrogatepass")
    _hold(offset, len(data) // size, "bytes" if unit == "utf-8" else "UTF-16 units")
    before, at = data[: offset * size], data[offset * size : offset * size + size]
    if at and _continues(unit, at, before):
        raise UsageError(f"{unit} offset {offset} lies inside of a character")
    return len(before.decode(codec, "surrogatepass"))


def to_line(text: str, offset: int) -> tuple[int, int]:
    """The line of an offset and the character in it, both counted from 1, as editors show them.

    Raises:
        UsageError: the text is shorter.
    """
    _hold(offset, len(text), "characters")
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def from_line(text: str, line: int, column: int) -> int:
    """The offset of a character of a line, both counted from 1; the column behind the last is the line's end.

    Raises:
        UsageError: there is no such line, or it is shorter.
    """
    start = 0
    for number in range(1, line):
        start = text.find("\n", start) + 1
        if not start:
            raise UsageError(f"there is no line {line}: the text has {number}")
    end = text.find("\n", start)
    size = (len(text) if end < 0 else end) - start
    if line < 1 or not 1 <= column <= size + 1:
        raise UsageError(f"there is no column {column} in line {line}: lines and columns count from 1, it has {size}")
    return start + column - 1


def _codec(unit: str) -> tuple[str, int]:
    if unit not in _CODECS:
        raise UsageError(f"offsets are counted in {' or '.join(_CODECS)}, not {unit!r}")
    return _CODECS[unit]


def _hold(offset: int, size: int, named: str) -> None:
    if not 0 <= offset <= size:
        raise UsageError(f"offset {offset} is not in a text of {size} {named}")


def _continues(unit: str, at: bytes, before: bytes) -> bool:
    """Whether a unit is not the first of its character; a lone surrogate is a character of its own."""
    if unit == "utf-8":
        return at[0] & 0xC0 == 0x80
    high = int.from_bytes(before[-2:], "little") & 0xFC00 == 0xD800 if before else False
    return high and int.from_bytes(at, "little") in _LOW_SURROGATES
