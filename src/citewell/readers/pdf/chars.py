"""pdfium's data about a page as arrays: its text, words with boxes, lines with size and weight.

Geometry is asked for a word's first and last character only: one call a character would cost more than
everything else that reading does. Boxes of single characters are fetched when a citation needs them (`pdf_locate`).
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import deque
from dataclasses import dataclass, field
from functools import cache
from itertools import repeat
from typing import Any

import numpy as np

from citewell.readers.pdf.boxes import Flags, Floats, Ints, to_page, visible_box
from citewell.readers.pdf.geometry import geometry, median
from citewell.readers.pdf.margins import LineNumbers
from citewell.readers.pdf.native import call, handle
from citewell.readers.pdf.rules import NO_RULES, Rules, paths, rules
from citewell.readers.pdf.visible import find_visible

HYPHENS = "\ufffe\x02"
"""How pdfium writes a hyphen that ends a line; no line break follows it."""

# Neither line ends nor what the text will drop (NUL, soft hyphens, marks without width) are letters of a word.
_APART = re.compile(r"[\s\ufffe\x02\x00\xad\u200b\u2060\ufeff]")  # what is between words
_BREAK = re.compile(r"\r\n|[\r\n\ufffe\x02]")
# White space and bullets that stand for plain ones: replaced one for one, so that no offset moves.
_ODD = re.compile(
    r"[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\u2000-\u200a\u202f\u205f\u3000\uf000-\uf0ff\U0001d400-\U0001d7ff]"
)
_BOLD = re.compile(rb"bold|black|heavy|demi|medi(?:ital)?$|CMBX|-B(?![a-z])|\.B$", re.IGNORECASE)
_ITALIC = re.compile(rb"ital|obli|slanted|CMTI|CMSL|-I(?![a-z])|It$|\.I$", re.IGNORECASE)
_FIGURE = re.compile(r"[-+–−(]?[$€£¥]?\d[\d,.]*")
_DIGITS, _RAISED = "0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SLIM = 0.05  # of a character's height: what is no wider leaves no trace
# Some fonts call their hyphen a soft one and draw it wherever it stands; what ends a line is for those who join lines.
_SOFT = re.compile(r"\xad(?=[^\s\ufffe\x02])|(?<=[^\S\r\n])\xad(?= )")
_BULLETS = frozenset("\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf0a8\uf06e\uf06c\uf071")


@dataclass(frozen=True, slots=True)
class PageChars:
    """One page. `text` is indexed like pdfium's characters. Coordinates are those of the displayed page."""

    number: int
    width: float
    height: float
    text: str
    words: Ints  # (n, 2) first and last+1 character of each word
    boxes: Floats  # (n, 4) x0, y0, x1, y1 of each word, points, origin at the top left
    line: Ints  # (n,) the line of each word
    hyphen: Flags  # (m,) whether pdfium says that the line ends in a hyphen
    turn: Ints  # (m,) quarter turns, counter-clockwise, of each line's writing direction as displayed
    weight: Ints  # (m,) 0 regular, 1 italic, 2 bold, 3 both: the lighter of each line's first and last words
    # How many words were left out because nobody sees them, by reason
    unseen: dict[str, int] = field(default_factory=dict)
    margin: tuple[str, ...] = ()  # the line numbers that stood beside the text
    rules: Rules = NO_RULES  # its lines and shaded areas


def page_text(raw: Any, textpage: Any) -> str:
    """The page's text, indexed like pdfium's characters."""
    count = raw.FPDFText_CountChars(textpage)
    if count <= 0:
        return ""
    buffer = ctypes.create_string_buffer((count + 1) * 2)
    written = raw.FPDFText_GetText(textpage, 0, count, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)))
    text = buffer.raw[: max(0, written - 1) * 2].decode("utf-16-le", "replace")
    if len(text) == count:
        return text
    # Characters without a code, or beyond the basic plane: the two counts part, so ask one by one.
    codes = list(map(raw.FPDFText_GetUnicode, repeat(textpage), range(count)))
    for index, code in enumerate(codes):
        if 0xD800 <= code < 0xDC00 and index + 1 < count and 0xDC00 <= codes[index + 1] < 0xE000:
            codes[index], codes[index + 1] = 0x10000 + ((code - 0xD800) << 10) + codes[index + 1] - 0xDC00, 0
    return "".join([_char(code) for code in codes])


def _hyphens(text: str, textpage: Any) -> str:
    """The text with the soft hyphens inside of its lines as hyphens where they can be seen; same length."""
    places = [match.start() for match in _SOFT.finditer(text)]
    if not places:
        return text
    x0, y0, x1, y1 = loose_boxes(textpage.raw, places).T
    wide = np.minimum(x1 - x0, y1 - y0) > _SLIM * np.maximum(x1 - x0, y1 - y0)
    chars = list(text)
    for place in np.array(places)[wide].tolist():
        chars[place] = "-"
    return "".join(chars)


def _char(code: int) -> str:
    """A code point as a character: NUL, which is dropped later, for none; the replacement character for half of one."""
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return chr(code) if 0 < code < 0x110000 else "\x00"


def plain(text: str) -> str:
    """The text with unusual spaces and control characters as spaces, symbol-font bullets as bullets; same length."""
    return _ODD.sub(_plain_char, text) if _ODD.search(text) else text


def _plain_char(match: re.Match[str]) -> str:
    char = match[0]
    if char >= "\U0001d400":
        return _unstyled(char)
    if char in _BULLETS:
        return "•"
    return char if "\uf000" <= char <= "\uf0ff" else " "


def _unstyled(char: str) -> str:
    """A mathematical alphanumeric as the plain letter or digit that it is."""
    import unicodedata

    return unicodedata.normalize("NFKC", char)[:1] or char


def loose_boxes(textpage: Any, indices: list[int]) -> Floats:
    """Boxes (left, bottom, right, top) in user space: advance width by the font's ascent and descent."""
    count = len(indices)
    boxes = np.zeros((count, 4), dtype=np.float32)  # FS_RECTF: left, top, right, bottom
    first = boxes.ctypes.data
    addresses = range(first, first + 16 * count, 16)
    deque(map(call("FPDFText_GetLooseCharBox"), repeat(handle(textpage)), indices, addresses), maxlen=0)
    sides = boxes.astype(np.float64)
    x0, y0, x1, y1 = sides.T
    return np.stack((np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)), axis=1)


def read_page(page: Any, number: int, beside: LineNumbers | None = None) -> PageChars:
    """The characters, words and lines of one page (a pypdfium2 `PdfPage`). The caller holds `LOCK`.

    `beside` remembers where the pages before had their line numbers.
    """
    from pypdfium2 import raw

    textpage = page.get_textpage()
    try:
        rotation = raw.FPDFPage_GetRotation(page.raw) % 4 * 90
        width, height = raw.FPDF_GetPageWidthF(page.raw), raw.FPDF_GetPageHeightF(page.raw)
        text = _hyphens(plain(page_text(raw, textpage.raw)), textpage)
        words = _words(text)
        if not len(words):
            return blank_page(number, width, height, text)
        ends = words[:, 1] - 1
        both = loose_boxes(textpage.raw, words[:, 0].tolist() + ends.tolist())
        count = len(words)
        user = np.concatenate(
            (np.minimum(both[:count, :2], both[count:, :2]), np.maximum(both[:count, 2:], both[count:, 2:])), axis=1
        )
        boxes = to_page(user, visible_box(raw, page.raw), rotation)
        if not rotation:
            text = _raised(text, words, both[:count], both[count:])
        breaks = [match.start() for match in _BREAK.finditer(text)]
        line = np.searchsorted(np.array(breaks, dtype=np.int64), words[:, 0])
        first = np.flatnonzero(np.diff(line, prepend=-1))
        turn = _turns(textpage.raw, words[first, 0], rotation)
        place_of_line = _counted(first, count)
        visible, unseen = find_visible(page, textpage, words, boxes, turn[place_of_line] % 2 == 0)
        numbers = (beside or LineNumbers()).find(text, words, boxes)
        margin = (
            (" ".join(text[start:end] for start, end in words[numbers & visible].tolist()),) if numbers.any() else ()
        )
        visible &= ~numbers
        if not visible.all():
            text = _without(text, words[~visible].tolist())
            if not visible.any():
                return blank_page(number, width, height, text, unseen)
            words, boxes, line, count = words[visible], boxes[visible], line[visible], int(visible.sum())
            ends = words[:, 1] - 1
            first = np.flatnonzero(np.diff(line, prepend=-1))
            turn = _turns(textpage.raw, words[first, 0], rotation)
            place_of_line = _counted(first, count)
        stops = [*breaks, len(text)]
        hyphen = np.array(
            [stop < len(text) and text[stop] in HYPHENS for stop in (stops[k] for k in line[first].tolist())], np.bool_
        )
        last = np.append(first[1:], count) - 1
        starts, finals = words[first, 0].tolist(), ends[last].tolist()
        weight = _weights(raw, textpage.raw, starts, finals)
        # Only a page with gaps in its lines can have tables; asking for every drawing costs a third of reading.
        drawn = paths(page) if _gaps(words, boxes, line) else np.zeros((0, 5))
        return PageChars(
            number,
            width,
            height,
            text,
            words,
            boxes,
            place_of_line,
            hyphen,
            turn,
            weight,
            unseen,
            margin,
            rules(to_page(drawn[:, :4], visible_box(raw, page.raw), rotation), drawn[:, 4], width, height),
        )
    finally:
        textpage.close()


@cache
def _apart() -> Flags:
    """Of each code point below 65,536 whether it stands between words."""
    table = np.zeros(1 << 16, np.bool_)
    table[[ord(char) for char in _APART.findall("".join(map(chr, range(1 << 16))))]] = True
    return table


def _words(text: str) -> Ints:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    inside = np.zeros(len(codes) + 2, np.bool_)
    inside[1:-1] = ~_apart()[np.minimum(codes, 0xFFFF)]  # beyond there are no blanks, and the last is none
    return np.flatnonzero(inside[1:] != inside[:-1]).reshape(-1, 2)


def _raised(text: str, words: Ints, firsts: Floats, lasts: Floats) -> str:
    """The text with small raised digits behind figures as such digits: a note's mark is none of the figure's own."""
    g = geometry()
    high = firsts[:, 3] - firsts[:, 1]
    small = (lasts[:, 3] - lasts[:, 1] < g.mark_smaller * high) & (lasts[:, 1] > firsts[:, 1] + g.mark_raised * high)
    places = [end - 1 for start, end in words[small].tolist() if _FIGURE.fullmatch(text, start, end)]
    # A mark that is drawn by itself is a word of its own.
    usual = median(high)
    alone = np.flatnonzero((words[:, 1] - words[:, 0] == 1) & (high < g.mark_smaller * usual))
    for index in alone.tolist():
        x, foot = firsts[index, 0], firsts[index, 1]
        beside = (np.abs(lasts[:, 2] - x) < g.mark_raised * usual) & (lasts[:, 1] < foot) & (lasts[:, 3] > foot)
        if any(_FIGURE.fullmatch(text, *words[other].tolist()) for other in np.flatnonzero(beside).tolist()):
            places.append(int(words[index, 0]))
    places = [place for place in places if text[place] in _DIGITS]
    if not places:
        return text
    chars = list(text)
    for place in places:
        chars[place] = _RAISED[_DIGITS.index(text[place])]
    return "".join(chars)


def _counted(first: Ints, count: int) -> Ints:
    """For each of `count` words the number of its line; `first` are the places of the lines' first words."""
    begins = np.zeros(count, np.int64)
    begins[first] = 1
    return np.cumsum(begins) - 1


def _gaps(words: Ints, boxes: Floats, line: Ints) -> bool:
    """Whether several words of a page stand further from the word before them than words of a sentence do.

    The gap behind a bullet or number that begins a line is none of a table.
    """
    high = np.minimum(boxes[1:, 3] - boxes[1:, 1], boxes[:-1, 3] - boxes[:-1, 1])
    wide = (boxes[1:, 0] - boxes[:-1, 2] > geometry().word_gap * high) & (line[1:] == line[:-1])
    begins = np.append(True, line[1:] != line[:-1])[:-1]
    wide &= ~(begins & (words[:-1, 1] - words[:-1, 0] <= geometry().mark_long))
    return int(np.count_nonzero(wide)) >= geometry().few_gaps


def blank_page(number: int, width: float, height: float, text: str, unseen: dict[str, int] | None = None) -> PageChars:
    """A page without a word."""
    none, flags = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    boxes = np.zeros((0, 4))
    return PageChars(number, width, height, text, none.reshape(0, 2), boxes, none, flags, none, none, unseen or {})


def _without(text: str, words: list[list[int]]) -> str:
    """The text with words as blanks: no offset moves."""
    parts: list[str] = []
    at = 0
    for start, end in words:
        parts += text[at:start], " " * (end - start)
        at = end
    return "".join(parts) + text[at:]


def _turns(textpage: Any, starts: Ints, rotation: int) -> Ints:
    angles = np.fromiter(
        map(call("FPDFText_GetCharAngle"), repeat(handle(textpage)), starts.tolist()), np.float64, len(starts)
    )
    # pdfium turns clockwise, and so does the page.
    turned = np.nan_to_num(np.rint(angles / (math.pi / 2))).astype(np.int64)
    return np.asarray(-(turned + rotation // 90) % 4, np.int64)


def _weights(raw: Any, textpage: Any, starts: list[int], finals: list[int]) -> Ints:
    """0 regular, 1 italic, 2 bold, 3 both for each line: the lighter of the fonts of its first and last characters.

    Told by the fonts' names and by the weight that pdfium states, which is often missing.
    """
    buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    get, address = call("FPDFText_GetFontInfo"), handle(textpage)
    into, reference = ctypes.addressof(buffer), ctypes.addressof(flags)
    known: dict[bytes, int] = {}

    def weight(index: int) -> int:
        get(address, index, into, 128, reference)
        name = buffer.value
        if name not in known:
            heavy = _BOLD.search(name) or raw.FPDFText_GetFontWeight(textpage, index) >= 600
            known[name] = 2 * bool(heavy) + (_ITALIC.search(name) is not None)
        return known[name]

    return np.array([weight(a) and min(weight(a), weight(b)) for a, b in zip(starts, finals, strict=True)], np.int64)
