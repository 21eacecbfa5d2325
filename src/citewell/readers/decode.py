"""Bytes to text: byte-order mark, declared charset, UTF-8, then detection; guesses are reported."""

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
_WESTERN = ["cp1252", "cp1250", "cp1254", "cp1257", "mac_roman", "cp437", "cp850"]
_LATIN = {"ascii", "iso8859-1"}
# The charsets that files are written in. Python knows other codecs, which run escapes or take quadratic time; UTF-16
# and UTF-32 are not among them because the bytes have shown it where it is one of the two.
_CHARSETS = re.compile(
    r"utf-8|utf-8-sig|iso8859-\d+|koi8-[rtu]|kz1048|cp\d{3,4}|mac-(?:arabic|cyrillic|greek|iceland|latin2|roman|turkish)|"
    r"tis-620|big5|big5hkscs|gbk?|gb2312|gb18030|hz|johab|euc_(?:jp|kr|jis_2004|jisx0213)|"
    r"shift_jis|shift_jis_2004|shift_jisx0213|iso2022_(?:jp(?:_(?:1|2|2004|3|ext))?|kr)"
)


def charset(data: bytes) -> tuple[str, int] | None:
    """The encoding that a byte-order mark or the places of zero bytes tell, and the length of the mark."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, len(mark)
    sample = data[: _SAMPLE - _SAMPLE % 4]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    # Latin text has its zero bytes in fixed places: 3 of 4 in UTF-32, 1 of 2 in UTF-16.
    zeros = [sample[place::4].count(0) / len(sample[place::4]) for place in range(4)]
    guesses = [
        ("utf-32-le", zeros[2:] == [1, 1]),
        ("utf-32-be", zeros[:2] == [1, 1]),
        ("utf-16-le", zeros[1] + zeros[3] > 0.8 and zeros[0] + zeros[2] < 0.1),
        ("utf-16-be", zeros[0] + zeros[2] > 0.8 and zeros[1] + zeros[3] < 0.1),
    ]
    return next(((name, 0) for name, fits in guesses if fits and _readable(sample, name)), None)


def _readable(sample: bytes, name: str) -> bool:
    """Programs and pictures have zero bytes in places, too."""
    text = sample.decode(name, "replace")
    good = sum(char != "\ufffd" and (char.isprintable() or char.isspace()) for char in text)
    return good > 0.95 * len(text)


def decode(data: bytes, declared: str | None = None) -> tuple[str, list[str]]:
    """The text of `data`, without byte-order mark, line endings as they are, and warnings about what was guessed.

    `declared` is what the document says of itself; it is used where the bytes do not contradict it.
    """
    known = charset(data)
    if known:
        name, skip = known
        text = data[skip:].decode(name, "replace")
        return _tidy(text, _replaced(text, name) if skip else [f"no byte-order mark: read as {name.upper()}"])
    codec = _codec(declared or "")
    try:
        text = data.decode("utf-8")
        # Valid UTF-8 that is more than ASCII is no accident, whatever the document says of itself.
        return _tidy(data.decode(codec) if codec and text.isascii() else text, [])
    except UnicodeDecodeError as error:
        position = error.start
    if codec:
        try:
            return _tidy(data.decode(codec), [])
        except UnicodeDecodeError:
            pass
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
    return "cp1252" if name in _LATIN else name if _CHARSETS.fullmatch(name) else None


def _detect(data: bytes) -> str:
    from charset_normalizer import from_bytes

    sample = data[:_DETECT]
    # Accented letters stand alone between ASCII ones; few of them in much markup are taken for Chinese otherwise.
    alone = len(re.findall(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])", sample))
    many = len(re.findall(rb"[\x80-\xff]", sample))
    guesses = list(from_bytes(sample, cp_isolation=_WESTERN if alone > many / 2 else None))
    if not guesses:
        return "cp1252"
    # Among encodings that fit as well as the best, the commonest by far.
    equal = [match for match in guesses if (match.chaos, match.coherence) == (guesses[0].chaos, guesses[0].coherence)]
    return "cp1252" if any("cp1252" in match.could_be_from_charset for match in equal) else guesses[0].encoding


def _replaced(text: str, name: str) -> list[str]:
    count = text.count("\ufffd")
    return [f"{count} damaged characters in {name} text are shown as \ufffd"] if count else []


def _tidy(text: str, warnings: list[str]) -> tuple[str, list[str]]:
    zeros = text.count("\0")
    if zeros:
        warnings = [*warnings, f"{zeros} NUL characters were left out"]
        text = text.replace("\0", "")
    return text.removeprefix("\ufeff"), warnings
