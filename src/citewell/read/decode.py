"""Bytes to text: byte-order mark, declared charset, UTF-8, then detection; whatever was guessed is stated.

text, warnings = decode(data)
"""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
_DETECT = 1 << 18

# Browsers read these labels as Windows-1252 (WHATWG Encoding Standard, section 4.2), and files mean that too.
_LATIN = {"ascii", "iso8859-1"}


def charset(data: bytes) -> tuple[str, int] | None:
    """The encoding that a byte-order mark or the places of zero bytes tell, and the length of the mark."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, len(mark)
    sample = data[: _SAMPLE - _SAMPLE % 4]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    # Latin text has its zero bytes in fixed places: 3 of 4 in UTF-32, 1 of 2 in UTF-16.
    quarter = [sample[place::4].count(0) / len(sample[place::4]) for place in range(4)]
    for name, full in (("utf-32-le", (2, 3)), ("utf-32-be", (0, 1))):
        if all(quarter[place] > 0.95 for place in full) and max(quarter[p] for p in range(4) if p not in full) < 1:
            return name, 0
    even, odd = sample[0::2].count(0) / len(sample[0::2]), sample[1::2].count(0) / len(sample[1::2])
    if odd > 0.4 and even < 0.05:
        return "utf-16-le", 0
    if even > 0.4 and odd < 0.05:
        return "utf-16-be", 0
    return None


def decode(data: bytes, declared: str | None = None) -> tuple[str, list[str]]:
    """The text of `data`, without byte-order mark, line endings as they are, and warnings about what was guessed.

    `declared` is what the document says of itself; it is used where the bytes do not contradict it.
    """
    known = charset(data)
    if known:
        name, skip = known
        text = data[skip:].decode(name, "replace")
        return _tidy(text, _replaced(text, name) if skip else [f"no byte-order mark: read as {name.upper()}"])
    if declared and (codec := _codec(declared)):
        try:
            return _tidy(data.decode(codec), [])
        except UnicodeDecodeError:
            pass
    try:
        return _tidy(data.decode("utf-8"), [])
    except UnicodeDecodeError as error:
        position = error.start
    # A file in UTF-8 with a few damaged bytes is still UTF-8; a single-byte charset makes no valid sequences by chance.
    lenient = data.decode("utf-8", "replace")
    bad = lenient.count("\ufffd")
    good = len(re.findall(r"[^\x00-\x7f\ufffd]", lenient))
    if good > 4 * bad:
        return _tidy(lenient, _replaced(lenient, "utf-8"))
    name = _detect(data)
    text = data.decode(name, "replace")
    warnings = [f"not valid UTF-8 (byte {position}): read as {name}, as detected"]
    return _tidy(text, warnings + _replaced(text, name))


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label.strip().strip("\"'")).name
    except (LookupError, ValueError):
        return None
    if name.startswith(("utf-16", "utf-32")):
        return None  # the bytes have shown that it is not
    try:
        "".encode(name)
    except (LookupError, UnicodeError):
        return None  # a codec between bytes and bytes
    return "cp1252" if name in _LATIN else name


def _detect(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_DETECT]).best()
    return best.encoding if best else "cp1252"


def _replaced(text: str, name: str) -> list[str]:
    count = text.count("\ufffd")
    return [f"{count} damaged characters in {name} text are shown as \ufffd"] if count else []


def _tidy(text: str, warnings: list[str]) -> tuple[str, list[str]]:
    zeros = text.count("\0")
    if zeros:
        warnings = [*warnings, f"{zeros} NUL characters were left out"]
        text = text.replace("\0", "")
    return text.removeprefix("\ufeff"), warnings
