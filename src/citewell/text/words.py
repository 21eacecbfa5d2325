"""Words of a text with their offsets, and the normalised term of each for comparisons.

A word is a run of letters and marks, a number with its separators ("5,932", "3.14") or a sign that is read as a word
("%"); scripts that put no spaces between words (Chinese, Japanese, Thai, ...) give overlapping pairs of characters.
Its term is what is left when case, accents, inflection (Snowball stemmer of the text's language) and ways to write a
number are taken away.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.text.stopwords import shared, stopwords

Ints = npt.NDArray[np.int32]

# What a character is: the last three are told by what stands around it, and by looking it up.
_OTHER, _LETTER, _DIGIT, _UNSPACED, _SIGN, _IN_NUMBERS, _IN_WORDS, _UNSEEN = 0, 1, 2, 3, 4, 5, 6, 255
_SEPARATORS = {",": _IN_NUMBERS, ".": _IN_NUMBERS, "'": _IN_WORDS, "\u2019": _IN_WORDS, "\u00ad": _IN_WORDS}
_SHORT = 1000  # characters of what is still a sentence
_MANY = 500  # words from which they are cut out all at once

# Scripts written without spaces between words, by block.
_UNSPACED_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # ideographic iteration marks
    (0x3040, 0x30FF),  # kana
    (0x3400, 0x4DBF),  # ideographs
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9D),  # half-width kana
    (0x20000, 0x3FFFF),
)

_HALVES = re.compile("[\ud800-\udfff]")  # of pairs of surrogates
_SIGNS = {"%": "percent", "‰": "permille", "€": "euro", "£": "pound", "¥": "yen"}  # not "$": many currencies
_SCALES = {"bn": "billion", "mn": "million", "tn": "trillion", "mio": "million", "mrd": "milliard"}
_SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_OTHER_NAMES = {  # not "one", which is a pronoun more often than a number
    **_SCALES,
    **{word: str(value) for value, word in enumerate(_SMALL, 2)},
    **{word: str(value * 10) for value, word in enumerate(_TENS, 2)},
}


class Words(NamedTuple):
    """The words of one text: offsets, and for each word the position of its spelling in `spellings`."""

    starts: Ints
    ends: Ints
    ids: Ints
    spellings: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.starts)


def _classes(block: int) -> npt.NDArray[np.uint8]:
    """Character classes of 256 code points."""
    result = np.zeros(256, dtype=np.uint8)
    for offset in range(256):
        code = block * 256 + offset
        char = chr(code)
        category = unicodedata.category(char)
        if any(first <= code <= last for first, last in _UNSPACED_RANGES):
            result[offset] = _UNSPACED if category[0] in "LM" or char == "々" else _OTHER
        elif char in _SIGNS:
            result[offset] = _SIGN
        elif category == "Nd":
            result[offset] = _DIGIT
        elif category[0] in "LM" or category in ("Nl", "No"):
            result[offset] = _LETTER
        else:
            result[offset] = _SEPARATORS.get(char, _OTHER)
    return result


@cache
def _table() -> npt.NDArray[np.uint8]:
    """The class of every code point, filled in by blocks as texts have them."""
    return np.full(sys.maxunicode + 1, _UNSEEN, dtype=np.uint8)


@cache
def _ascii() -> bytes:
    return _classes(0).tobytes()


def _classify(text: str) -> npt.NDArray[np.uint8]:
    """The class of each character; one of no word stands before the first and one behind the last."""
    if text.isascii():
        return np.frombuffer(bytearray(b"\0%b\0" % text.encode()).translate(_ascii()), dtype=np.uint8)
    codes, table = _codes(f"\0{text}\0"), _table()
    kinds = table.take(codes)
    if kinds.max() == _UNSEEN:
        for block in sorted(set((codes[kinds == _UNSEEN] >> 8).tolist())):
            table[block * 256 : block * 256 + 256] = _classes(block)
        kinds = table.take(codes)
    return kinds


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def words(text: str) -> Words:
    """The words of `text`, in order. Pairs of unspaced characters overlap by one; nothing else overlaps."""
    return _of_sentence(text) if len(text) <= _SHORT else _cut(text)


@lru_cache(maxsize=1024)
def _of_sentence(text: str) -> Words:
    """A claim's words are wanted several times: to find evidence, to tell its language, to read its facts."""
    return _cut(text)


def _cut(text: str) -> Words:
    kinds = _classify(text)
    _join_inside(kinds)
    edges = np.flatnonzero(kinds[1:] != kinds[:-1])
    starts, ends = edges[:-1], edges[1:]
    run = kinds[starts + 1]
    keep = run != _OTHER
    # A letter run that goes on with digits is one word ("A4"); digits that go on with letters are two ("5.9bn").
    joined = np.flatnonzero((run[1:] == _DIGIT) & (run[:-1] == _LETTER))
    if len(joined):
        ends = ends.copy()
        ends[joined], keep[joined + 1] = ends[joined + 1], False
    starts, ends, run = starts[keep], ends[keep], run[keep]
    if (run == _UNSPACED).any():
        starts, ends = _pairs(starts, ends, run == _UNSPACED)
        spelled = _slices(text, starts, ends)
    else:
        spelled = (_slices if len(starts) < _MANY else _split)(text, starts, ends)
    position = numbering()
    ids = np.fromiter(map(position.__getitem__, spelled), dtype=np.int32, count=len(spelled))
    return Words(starts.astype(np.int32), ends.astype(np.int32), ids, tuple(position))


def numbering() -> defaultdict[str, int]:
    """Gives each name that it is asked for the next number, or the one that it was given before."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers


def _slices(text: str, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> list[str]:
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _split(text: str, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> list[str]:
    """Words that do not overlap, cut where blanks take the place of what is in none and keep neighbours apart."""
    inside = np.zeros(len(text) + 1, dtype=np.int8)
    inside[starts] = 1
    inside[ends] -= 1
    codes = np.frombuffer(text.encode(), dtype=np.uint8) if text.isascii() else _codes(text)
    blank = codes.dtype.type(ord(" "))
    masked = np.where(np.cumsum(inside[:-1], dtype=np.int8) == 1, codes, blank)
    apart = np.insert(masked, starts[1:][starts[1:] == ends[:-1]], blank)
    return apart.tobytes().decode("ascii" if text.isascii() else "utf-32-le", "surrogatepass").split()


def _join_inside(kinds: npt.NDArray[np.uint8]) -> None:
    """Separators inside numbers and apostrophes inside words belong to the word."""
    places = np.flatnonzero(kinds >= _IN_NUMBERS)
    if len(places):
        before, current = kinds[places - 1], kinds[places]
        fits = ((current == _IN_NUMBERS) & (before == _DIGIT)) | ((current == _IN_WORDS) & (before == _LETTER))
        kinds[places] = np.where(fits & (before == kinds[places + 1]), before, _OTHER)


def _pairs(
    starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], unspaced: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Unspaced runs cut into overlapping pairs; a run of one character stays."""
    lengths = ends - starts
    counts = np.where(unspaced & (lengths > 1), lengths - 1, 1)
    first = np.repeat(starts, counts)
    offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    begin = first + offset
    last = np.repeat(ends, counts)
    end = np.where(np.repeat(unspaced, counts), np.minimum(begin + 2, last), last)
    return begin, end


_LANGUAGES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "da": "danish", "no": "norwegian", "fi": "finnish", "ru": "russian",
}  # fmt: skip


def language(spellings: Iterable[str]) -> str:
    """The language that has most function words among the distinct spellings; English where none has three."""
    counts = shared(spellings)
    scores = {code: count / len(stopwords()[code]) ** 0.5 for code, count in counts.items() if count >= 3}
    return max(scores, key=lambda code: (scores[code], code == "en")) if scores else "en"


@cache
def _stemmer(code: str) -> object:
    import Stemmer

    return Stemmer.Stemmer(_LANGUAGES[code], maxCacheSize=0)


_POINTS_BETWEEN_THOUSANDS = r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}\.\d{3},\d+"


def number_term(spelling: str) -> str:
    """A number without thousands separators, leading zeros and trailing zeros of decimals."""
    commas, points = spelling.count(","), spelling.count(".")
    if commas and re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", spelling):
        spelling = spelling.replace(",", "")
    elif points and points + commas > 1 and re.fullmatch(_POINTS_BETWEEN_THOUSANDS, spelling):
        spelling = spelling.replace(".", "").replace(",", ".")
    elif commas == 1 and not points:
        spelling = spelling.replace(",", ".")
    if spelling.count(".") == 1:
        spelling = spelling.rstrip("0").rstrip(".")
    return spelling.lstrip("0") or "0"


def terms(spellings: Iterable[str], code: str = "en") -> list[str]:
    """The term of each spelling, in order, for a text of the language `code`."""
    other = _OTHER_NAMES if code == "en" else _SCALES
    lowered = [spelling.lower() for spelling in spellings]
    plain = [other.get(word, word) if word.isascii() and word.isalpha() else _plain(word) for word in lowered]
    stemmed: list[str] = _stemmer(code).stemWords(plain)  # type: ignore[attr-defined]
    return stemmed


def _plain(word: str) -> str:
    """A spelling in lower case without accents, apostrophes, or other ways to write a number."""
    if not word.isascii():
        word = unicodedata.normalize("NFKD", word).replace("\u2019", "'").replace("\u00ad", "")
        word = _HALVES.sub("\ufffd", word)  # no stemmer takes them
        if word and word[0] < "\u0700":  # Latin, Greek, Cyrillic, Hebrew, Arabic: accents are optional there
            word = "".join(char for char in word if not unicodedata.combining(char))
    if word[:1].isdigit():
        if not word.isascii():
            word = "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in word)
        return number_term(word)
    if "'" in word:
        word = word.removesuffix("'s").replace("'", "")
    return _SIGNS.get(word[:1], word)
