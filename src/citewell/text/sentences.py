"""Sentence boundaries: by rules, without a model or download, the same on every machine.

split("Dr. Smith paid $5.9 bn. He left.")   # [Span(0, 23), Span(24, 32)]

One regular expression finds the places where a sentence may end; Python then looks at the word before and the
character after. Every step is linear in the length of the text.
"""

from __future__ import annotations

import re

from citewell.text.data import words
from citewell.types import Span

LIMIT = 1500  # characters; a sentence beyond it is cut so that a quote of it can still be read

_WIDE = "。！？｡।॥။።։"  # end a sentence without a space after them
_STOPS = ".!?…‥؟۔‼⁇⁈⁉" + _WIDE
_CLOSERS = "\"'”’“‘»«›)\\]}」』）〉》】〕*_"
_BULLETS = "•●▪‣◦■□▸►∙\uf0b7\uf0a7"  # the last two are the symbol fonts of word processors
_BOXES = frozenset("□■∙")  # in the middle of a line they are boxes to tick
_LEADING = _BULLETS + " \n\t\"'“‘„«([{*_-–—#>"
_OPENERS = frozenset("\"'“‘„‚«‹([{¿¡*_#「『（《〈【") | {"\u200e", "\u200f"}
_CONTINUES = frozenset(",;:&%/=+<>~^|.!?)]}…”’»×±≤≥°") | frozenset("，；：、)")
_CANDIDATE = re.compile(rf"([{_STOPS}\n{_BULLETS}](?:(?<=[{_STOPS}])[{_STOPS}]*[{_CLOSERS}]*)?)\s*")
_QUOTES = frozenset("\"'”’“»")
_SPEAKER = re.compile(  # "Why?" Ann Lee asked.
    r"(?:[A-Z][\w'’.-]*\s+){1,3}(?:said|says|asked|asks|replied|replies|added|wrote|writes|cried|shouted|exclaimed|"
    r"wondered|answered|told|wanted to know)\b"
)
_DASH = re.compile(r"[-–—]+\s*(\w)")
_FOOTNOTE = re.compile(r"(\d{1,3}(?:[,–-]\s?\d{1,3})*)\s+(?=[A-Z])(?!May\b)")
_CODE = re.compile(r"[A-Z]{0,3}[-.]?\d|[IVX]{2,}\b")  # what a number may look like: "Fig. S1", "No. IV"
_LISTED = re.compile(r"([0-9]{1,3})\.\s")
# "[3]", "[1, 2]", "[^4]", "[doc 5]", "[6](address)" and "【7:0†source】": references that people and models write
_REFERENCE = (
    r"(?:\[(?:\^?\d[\d,;\s–-]{0,40}|\^?[A-Za-z]{1,12}[ _:-]?\d{1,4})\](?:\([^)\s]{1,200}\))?|【[^】\n]{1,60}】)"
)
_REFERENCES = re.compile(rf"{_REFERENCE}+\s*")
_GLUED = re.compile(  # "results.12 The", "results.[3] The"
    r"((?P<sup>(?<=[^\W\d_].)\d{1,3}(?:[,–-]\d{1,3}|\s\d{1,3}(?=\s))*"
    r"|(?<=[)\]”\"].)\d{1,3}(?:[,–-]\d{1,3})*|[¹²³⁰⁴-⁹†‡]+(?:[,–-][¹²³⁰⁴-⁹†‡]+)*)"
    rf"|{_REFERENCE}+)(?:\s+(?=[^\W\d_a-zà-ÿ]|[\"“(])|\s*\Z)"
)
_JOINED = re.compile(r"(?:[A-Z][a-z]+|A|I),?\s+(?![A-Z]?[a-z]*\.)")  # a sentence that lost the space before it
_SPACELESS = re.compile(r"[/@\\.:_#][^\s]*\Z|\bwww\S*\Z")
_MARK = re.compile(rf"((?:\s?{_REFERENCE})+\.?|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+)(\s+|\Z)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FRENCH = re.compile(r"[»›]\s*")
_ITEM = re.compile(r"\((?:[a-z]|[ivx]{1,5})\)\s|[a-z]\)\s")  # a clause of a list inside a line
MARKER = re.compile(
    rf"(?:[{_BULLETS}]|[*+–—·](?=\s)|-(?=\s|[A-Z])|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxlIVXL]{{1,5}})[.)](?=\s)|\(\d{{1,3}}\)|"
    r"\d{1,3}(?:\.\d{1,3}){1,4}\.?(?=\s+[A-Z]))\s*"
)
SURE = re.compile(rf"[{_BULLETS}]|[*+](?=\s)|-(?=\s|[A-Z])|\(?(?:1|a|A|i)[.)](?=\s)|\([a-zA-Z0-9ivx]{{1,4}}\)")
_INITIAL = re.compile(r"[A-Z]\.\s")
_QUOTING = frozenset("とっなのにがをはもでや")  # after 。」 the sentence around the quotation goes on


def _known(kind: str) -> frozenset[str]:
    """A list of `abbreviations.json`."""
    return words("citewell.text", "abbreviations.json", kind)


def split(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of `text[start:end]`, in order, trimmed of white space.

    Together they hold every character that is not white space. Nothing outside the range is looked at. A line break
    counts as a space unless a list marker or an empty line follows. A sentence of more than `LIMIT` characters is cut
    at a semicolon, else at a line break, a comma or a space.
    """
    body = text[start:end]
    size = len(body.rstrip())
    begin = size - len(body[:size].lstrip())
    caseless = body.islower()
    spans: list[Span] = []
    for match in _CANDIDATE.finditer(body, begin, size):
        at = match.start()
        if at < begin:
            continue
        stop, after = match.end(1), match.end()
        if after >= size:
            break
        first = body[at]
        if first == "\n":
            if not _breaks(body, begin, at, after):
                continue
            stop = at
        elif first in _BULLETS:
            if at == begin or after == stop or first in _BOXES or not body[at - 1].isspace():
                continue
            stop = after = at
        elif first in _WIDE:
            if stop - at > 1 and body[stop - 1] in "」』）" and body[after] in _QUOTING:
                continue
            if body[after] in "[【" and (mark := _REFERENCES.match(body, after)):
                stop = after = mark.end()
        else:
            if stop == after:
                boundary = _glued(body, begin, at, stop)
            else:
                boundary = _after_stop(body, begin, at, stop, after, caseless=caseless)
            if not boundary:
                continue
            stop, after = boundary
        if after >= size:
            break
        if first != "\n" and stop - begin < 9 and not any(map(str.isalnum, body[begin:stop])):
            continue  # "... and", "¡! Sí": nothing was said yet
        while body[stop - 1].isspace():
            stop -= 1
        if stop > begin:
            _add(spans, body, begin, stop, start)
            begin = after
    if begin < size:
        _add(spans, body, begin, size, start)
    return spans


def _glued(body: str, begin: int, at: int, stop: int) -> tuple[int, int] | None:
    """Where the sentence ends and the next begins at a stop without a space: a reference mark, a lost space."""
    after = body[stop]
    if body[at] in "!?؟":
        return (stop, stop) if "\u3040" <= after <= "\u9fff" else None
    mark = _GLUED.match(body, stop)
    if mark:
        if mark["sup"] and (stop - at > 1 or _abbreviation(body, begin, at, mark.end())):
            return None
        return mark.end(1), mark.end()
    if body[at] == "." and after.isupper() and at - begin > 3 and body[at - 3 : at].islower():
        lost = _JOINED.match(body, stop) and not _SPACELESS.search(body, max(begin, at - 40), at)
        return (stop, stop) if lost else None
    return None


def _after_stop(body: str, begin: int, at: int, stop: int, after: int, *, caseless: bool) -> tuple[int, int] | None:
    """Where the sentence that stops at `at` ends and the next begins, None where it goes on."""
    size = len(body)
    char = body[after]
    newline = "\n" in body[stop:after]
    if newline and MARKER.match(body, after):
        return stop, after
    if (char == "[" and not newline and body[begin] != "[") or char > "\u2600":
        mark = _MARK.match(body, after)
        if mark:
            stop, after = mark.end(1), mark.end()
            if after >= size:
                return stop, after
            char = body[after]
    if char.isdigit() and not newline:  # "... of the programme. 12 The ..." keeps its footnote
        note = _FOOTNOTE.match(body, after)
        if note and _starts(body, note.end()):
            return note.end(1), note.end()
    if char in "»›":  # French puts a space before the closing quotation mark
        closing = _FRENCH.match(body, after)
        if closing and closing.end() < size:
            stop, after = after + 1, closing.end()
            char = body[after]
    look = after
    while char in _OPENERS and look + 1 < size:
        look += 1
        char = body[look]
    if char in _CONTINUES:
        if not body.startswith("...", look) or not body[look + 3 : look + 4].isalpha():
            return None
    elif char in "-–—":
        dash = _DASH.match(body, look)
        if dash and (dash[1].islower() or (dash[1].isdigit() and not dash[0][-2].isspace())):
            return None
    if body[at] in "?!" and stop - at > 1 and body[stop - 1] in _QUOTES and _SPEAKER.match(body, after):
        return None
    if char.islower() and not (caseless or body[look + 1 : look + 2].isupper() or _ITEM.match(body, after)):
        return None
    if body[at] == "." or body[at] == "!":
        if stop - at > 1 and body[at + 1] in ".…":  # three dots end a sentence before a capital; more fill a line
            return None if char.isdigit() or (stop - at > 4 and look > after) else (stop, after)
        if _abbreviation(body, begin, at, look):
            return None
        if body[at - 1].isdecimal() and body[begin].isdecimal():
            item = _item(body, begin, at)
            if item:
                return item, item
    elif body[at] == "…" and (char.isdigit() or (stop - at > 2 and look > after)):
        return None
    return stop, after


def _item(body: str, begin: int, at: int) -> int:
    """Where the number before `at` stands if it counts on from the one that the sentence begins with, else 0."""
    here = at
    while body[here - 1].isdecimal() and at - here < 3:
        here -= 1
    first = _LISTED.match(body, begin)
    if first and here > first.end() and body[here - 1].isspace() and int(body[here:at]) == int(first[1]) + 1:
        word = body[max(begin, here - 24) : here].rsplit(None, 1)[-1]
        return 0 if word.lower() in _known("labelled") else here
    return 0


def _abbreviation(body: str, begin: int, at: int, look: int) -> bool:
    """Whether the full stop at `at` belongs to the word before it; `look` is where the next word begins."""
    before = body[max(begin, at - 24) : at].rsplit(None, 1)
    if not before:
        return False
    word = before[-1].lstrip("(\"'“‘„«[{*_¿¡—–-")
    if "-" in word or "/" in word:
        word = re.split("[-/]", word)[-1]
    if "'" in word or "’" in word:  # l'Avv.
        word = re.split("['’]", word)[-1]
    if len(word) > 7 and "." in word:  # "Tuesday.Mr."
        word = word.rpartition(".")[2]
    size = len(word)
    if not 0 < size <= 7:
        return False
    after = body[look : look + 1]
    # the first word of the sentence, list markers and brackets aside
    leading = at - size <= begin + 4 and not body[begin : at - size].strip(_LEADING)
    if word[0].isdigit():
        return _number(word, before[:-1], leading=leading, body=body, look=look)
    key = word.lower()
    if key in _known("units") and (before[-1] != word or (len(before) > 1 and before[0][-1].isdigit())):
        return not after.isupper()  # "24 h. Patients", "5 mmol/L. Then"
    # An acronym, unless all is in capitals.
    if size > 1 and word.isupper() and key not in _known("capitals") and "." not in word:
        following = _WORD.match(body, look)
        if following and not following[0].isupper():
            return False
    if key in _known("never") or (key in _known("numbered") and _CODE.match(body, look)):
        return True
    if size == 1 and word.isalpha():
        if leading:  # "A. Definitions", "J. Smith"
            return True
        if "α" <= key <= "ω" or (len(before) > 1 and before[0].split()[-1].lower() in _known("labelled")):
            return not after.isupper()
        if len(before) > 1 and re.search(r"(?:^|[\s(])[^\W\d_A-Z]\.$", before[0]):  # z. B.
            return True
        return not _starts(body, look)
    if key in _known("clock"):  # "3 p.m. Then", but "3 p.m. EDT", "3 p.m. (local time)"
        zone = _WORD.match(body, look)
        return not after.isupper() or body[look - 1] == "(" or bool(zone and 1 < len(zone[0]) < 5 and zone[0].isupper())
    acronym = size > 2 and word[1] == "." and word[-2] == "." and word.replace(".", "").isalpha()
    names = _known("names")
    if (
        acronym
        or key in _known("sometimes")
        or word in names
        or (word.isupper() and word.title() in names and size > 3)
    ):
        return body[at + 1] not in '"”' and not _starts(body, look)
    return False


def _number(word: str, before: list[str], *, leading: bool, body: str, look: int) -> bool:
    """Whether a full stop after a number belongs to it: the mark of a list item, a German ordinal."""
    if leading:
        return word.replace(".", "").isdigit() and len(word) < 7 and not (word.isdigit() and len(word) > 3)
    if len(word) > 2 or not word.isdigit():
        return False
    following = _WORD.match(body, look)
    previous = before[0].rsplit(None, 1) if before else []
    return bool(following and following[0] in _known("ordinal_after")) or bool(
        previous and previous[-1].lower() in _known("ordinal_before") and body[look : look + 1].isalpha()
    )


def _starts(body: str, look: int) -> bool:
    """Whether the word at `look` is one that begins sentences."""
    match = _WORD.match(body, look)
    if not match:
        return False
    word, mark, _ = match[0].replace("’", "'").partition("'")
    if word.islower():  # a text without capitals
        word = word.title()
    if word not in _known("starters") and not (mark and word in _known("contracted")):
        return False
    end = match.end()
    return end >= len(body) or body[end] != "."


def _breaks(body: str, begin: int, at: int, after: int) -> bool:
    """Whether the line break at `at`, after which the text goes on at `after`, ends a sentence."""
    if body.find("\n", at + 1, after) >= 0:
        return True
    if not MARKER.match(body, after):
        return body[at - 1].isdigit() and "...." in body[max(begin, body.rfind("\n", begin, at), at - 300) : at]
    if SURE.match(body, after) or MARKER.match(body, begin):
        return True
    if _INITIAL.match(body, after):
        return body[at - 1] in ".:;"
    return body[at - 1] in ".:;!?," or body.endswith((" and", " or"), begin, at)


def _add(spans: list[Span], body: str, begin: int, end: int, shift: int) -> None:
    """Add one sentence, cut into pieces where it is longer than `LIMIT`."""
    while end - begin > LIMIT:
        cut = _cut(body, begin, begin + LIMIT)
        stop = cut
        while body[stop - 1].isspace():
            stop -= 1
        spans.append(Span(begin + shift, stop + shift))
        begin = cut
        while body[begin].isspace():
            begin += 1
    spans.append(Span(begin + shift, end + shift))


def _cut(body: str, begin: int, end: int) -> int:
    """The best place between the middle of the range and its end to part a sentence that never stops."""
    middle = begin + (end - begin) // 3
    for mark in ("; ", "；", "\n", ", ", "，", "、", " "):
        index = body.rfind(mark, middle, end)
        if index > begin:
            return index + len(mark)
    return end
