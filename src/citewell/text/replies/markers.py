"""Citation marks in a model's reply, `[1] [2, 4-6]` and their many variants: positions and passages named.

find("Fares rose [1, 3].", known=4)[0]   # Marker(start=10, end=17, numbers=(1, 3), ...)

What is no mark stays text: brackets in code, in words that are copied from the source with the source's own
references, years, and the numbers of a list whose items begin with brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from citewell.text.spans import last_before, owns, touched
from citewell.types import Span

_WORD = (
    r"(?:(?:docs?|do[ck]umente?n?s?|segmente?s?|segs?|sources?|passages?|paragraphs?|para|sentences?|ids?|refs?|no|quellen?|"
    r"abschnitte?|absatz|fuentes?|font[ei]|bron|passagen?)[.]?[\s:#_-]{0,2}+)?"
)
_NUMBER = rf"{_WORD}[#^§¶]?\d{{1,6}}"
_DASH = r"(?:-|–|—|‑|−|\.\.|to|bis)"
# Never empty, and no sign belongs to two neighbours: what can be split in several ways would be tried in all of them.
_BETWEEN = rf"(?:\s{{0,2}}(?:,|;|、|，|；|&|\+|and|und|et|y|e|{_DASH})\s{{0,2}}|\s{{1,4}})"
_INSIDE = rf"\s{{0,2}}{_NUMBER}(?:{_BETWEEN}{_NUMBER}){{0,40}}\s{{0,2}}"
_FOREIGN = r"\d{1,4}(?::\d{1,4})?\s?†[^】\]\n]{0,60}"  # another system's mark, which names nothing of ours
_ONE_MARK = (
    rf"(?:<sup>)?(?:\\?\[(?:{_INSIDE}|{_FOREIGN})\\?\]|[【［〔](?:{_INSIDE}|{_FOREIGN})[】］〕])(?:</sup>)?"
    r"(?:\((?:https?:|#)[^)\s]{0,300}\))?"
)
_BLANK = r"[^\S\n]{0,3}"
_GROUP = rf"{_ONE_MARK}(?:{_BLANK}(?:(?:[,;、]|and|und|et|&){_BLANK})?{_ONE_MARK}){{0,60}}"
_MARK = re.compile(
    rf"[(（]\s?(?:see|cf\.?|siehe|vgl\.?|voir|source|sources)?:?\s?({_GROUP})\s?[)）]|\*{{1,2}}({_GROUP})\*{{1,2}}|({_GROUP})",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"{_NUMBER}", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_RANGE = re.compile(rf"\s*{_DASH}\s*\Z", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`{1,3})(?!`)[^`\n]{1,400}?\1(?!`)")
_QUOTED = re.compile(r"“[^”\n]{1,800}”|«[^»\n]{1,800}»|„[^“”\n]{1,800}[“”]|「[^」\n]{1,800}」|\"[^\"\n]{1,800}\"")
_LEAD = re.compile(r"[ \t]*(?:>[ \t]*)?(?:[-*•+][ \t]+)?")
_WORDS_FOLLOW = re.compile(r"[^\n]*?[^\W_]")
_LISTED = re.compile(r"\[(\d{1,3})\]")
_BLANKS = re.compile(r"\s+")
_LEFT = re.compile(r"\S+(?:\s+\S+){2,5}\s*\Z")  # some words before a mark
_NUMBERS = re.compile(r"\[\s?\d{1,6}(?:\s?[,;]\s?\d{1,6}){1,40}\s?\]")
_UNIT = re.compile(
    r"\s?(?:%|°|[mcknµ]?[mgslA]\b|percent\b|per cent\b|years?\b|days?\b|hours?\b|px\b|k?Hz\b|USD\b|EUR\b|[€$£])"
)
_INTERVAL = re.compile(
    r"(?:\bCI|\binterval|\brange|\bvector|\barray|\bmatrix|\bshape|\bcoordinates?|\bdomain|\btuple|[=∈×])"
    r"[\s:)]*(?:(?:was|is|of|were|are|from|be|equals?|\([^()\n]{0,20}\))\s*){0,2}\Z",
    re.IGNORECASE,
)
_ENUMERATED = re.compile(r"\b(?:list|sequence|set|row|column)\s(?:is|was|are|were|equals)\s\Z", re.IGNORECASE)
# Names of a program, by their letters, underscores or kind, with a place right behind them.
_INDEXED = re.compile(
    r"(?:(?<![\w'’])[a-z]|\b\w{0,30}_\w{0,30}|\b(?:list|arr|array|args|argv|values|vec|matrix|tuple|dict))\Z"
)
_ASSIGNED = re.compile(r"\s?(?:[-+*/]?=(?!=)|\.\w{1,30}\()")
_YEARS = range(1800, 2100)


class Marker(NamedTuple):
    """Marks side by side.

    `numbers` are those that exist, in the order in which they stand, each once; `missing` those that do not, as they
    were written. `leading` says that they open a line which goes on: they speak for what follows.
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    missing: tuple[str, ...]
    leading: bool = False


def find(text: str, known: int, source: str = "") -> list[Marker]:
    """All marks, in order, without overlap.

    Args:
        text: the reply.
        known: segments are numbered from 1 to this.
        source: what the model read, to tell references that it copied from marks that it made.
    """
    code = _joined(Span(*match.span()) for pattern in (_FENCE, _CODE) for match in pattern.finditer(text))
    starts = [span.start for span in code]
    quotes = [Span(*match.span()) for match in _QUOTED.finditer(text)]
    copied = _Copied(source)
    listed = _listed(text)
    result = []
    for match in _MARK.finditer(text):
        start, end = match.span()
        if (code and owns(code[last_before(starts, start)], start)) or start in listed:
            continue
        if copied.holds(text, start, end, quotes):
            continue
        if _is_text(text, match):
            continue
        inner = match.group(match.lastindex or 0)
        numbers, missing = _read(inner, known)
        if not numbers and all(name.isdecimal() and int(name) in _YEARS for name in missing):
            continue  # "in [2019] the firm": words of the writer, not a segment
        result.append(Marker(start, end, numbers, missing, _leads(text, start, end)))
    return result


def _is_text(text: str, match: re.Match[str]) -> bool:
    """Whether brackets are an interval, a place in a list of a program, or coordinates."""
    start, end = match.span()
    if _INDEXED.search(text, max(0, start - 40), start) or _ASSIGNED.match(text, end):
        return True
    if not _NUMBERS.fullmatch(match[0]):
        return False
    if _ENUMERATED.search(text, max(0, start - 40), start):
        return True
    return bool(_UNIT.match(text, end) or _INTERVAL.search(text, max(0, start - 60), start))


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that share something as one."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start < result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


def opens_a_line(text: str) -> bool:
    """Whether some line begins with brackets and goes on: only the whole reply tells a list from marks."""
    return any(_leads(text, match.start(), match.end()) for match in _MARK.finditer(text))


def _read(inner: str, known: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The numbers of a group of marks: those that exist and those that do not."""
    if "†" in inner:
        return (), (inner.strip("[]【】［］〔〕"),)
    numbers: list[int] = []
    missing: list[str] = []
    last, end = 0, 0
    for item in _ITEM.finditer(inner):
        digits = _DIGITS.search(item[0])
        value = int(digits[0]) if digits else 0
        low, high = value, value
        if last and _RANGE.search(inner, end, item.start()):
            low, high = min(last, value), max(last, value)
            numbers = [number for number in numbers if not low <= number <= high]  # [3-1]: the order of the text
            if high > known:
                missing.append(str(high))
        elif not 1 <= value <= known:
            missing.append(str(value))
        numbers.extend(range(max(1, low), min(known, high) + 1))
        last, end = value, item.end()
    return tuple(dict.fromkeys(numbers)), tuple(dict.fromkeys(missing))


def _leads(text: str, start: int, end: int) -> bool:
    """Whether a mark opens its line and the line goes on with words."""
    line = text.rfind("\n", 0, start) + 1
    lead = _LEAD.match(text, line)
    if lead is None or lead.end() != start:
        return False
    return _WORDS_FOLLOW.match(text, end) is not None


def _listed(text: str) -> set[int]:
    """Where brackets number the items of a list: two lines or more that count on from 1."""
    starts, places = [], []
    position = 0
    for line in text.split("\n"):
        lead = _LEAD.match(line)
        at = lead.end() if lead else 0
        mark = _LISTED.match(line, at)
        if mark and any(map(str.isalnum, line[mark.end() :])):
            starts.append(int(mark[1]))
            places.append(position + at)
        position += len(line) + 1
    return set(places) if len(starts) > 1 and starts == list(range(1, len(starts) + 1)) else set()


class _Copied:
    """Tells whether brackets were copied from the source together with the words around them."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.flat = ""

    def holds(self, text: str, start: int, end: int, quotes: list[Span]) -> bool:
        """Whether the quotation around the mark, or some words before it with the mark itself, stand in the source."""
        if not self.source or text[start:end] not in self.source:
            return False
        self.flat = self.flat or _flat(self.source)
        return any(passage in self.flat for passage in _around(text, start, end, quotes))


def _around(text: str, start: int, end: int, quotes: list[Span]) -> Iterator[str]:
    for number in touched(quotes, Span(start, end)):
        quote = quotes[number]
        if quote.start < start and end < quote.end:
            yield _flat(text[quote.start + 1 : quote.end - 1])
    left = _LEFT.search(text, max(0, start - 80), start)
    if left:
        yield _flat(text[left.start() : end])


def _flat(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()
