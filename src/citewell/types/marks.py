"""Marks by which others cite ("[2]", "[^4]", "【2†source】"): they name nothing of ours and never stand beside ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citewell.types.documents import Span

_KIND = r"(?:(?:docs?|documents?|sources?|passages?|ref(?:erence)?s?|citations?|cite|ids?|segments?)[\s:.#_-]{0,3})?"
_NUMBER = rf"\s?{_KIND}[\^#]?\d{{1,3}}\^?\s?"
_NUMBERS = rf"{_NUMBER}(?:[,;–-]{_NUMBER}){{0,20}}"
_MARK = re.compile(
    rf"\\?\[{{1,2}}{_NUMBERS}\\?\]{{1,2}}(?:\((?:https?:|#)[^()\s]{{0,300}}\)|(?![\w(]))"
    r"|[【［〔][^【】［］〔〕\n]{1,60}[】］〕]"
    r"|\[\d{1,4}(?::\d{1,4})?†[^\]\n]{0,60}\]"
    rf"|<sup>\s?\[?{_NUMBERS}\]?\s?</sup>"
    r"|\ue200[^\ue200\ue201]{1,200}\ue201"  # OpenAI's own, in private characters
    r"|(?<=[.,;:!?)\"”»])[⁰¹²³⁴-⁹]{1,3}(?:[,⁻][⁰¹²³⁴-⁹]{1,3}){0,5}(?=\s|$)"
    r"|\([◐✗⊗?] (?:(?:partially|not) supported|contradicted|not verified)(?::[^\n]{0,260}?)?\)(?=\s|$)",  # our own
    re.IGNORECASE,
)
_RANGES = ("ci", "interval", "range", "between", "from", "of", "in", "=")  # "95% CI [2, 5]" is no mark


def foreign(text: str) -> Iterator[Span]:
    """Where marks stand in a text, in order; a bracket that is an interval is none."""
    for match in _MARK.finditer(text):
        before = text[max(0, match.start() - 12) : match.start()].lower().split()
        interval = "," in match.group() and bool(before) and before[-1].strip(",:;(") in _RANGES
        if not interval:
            yield Span(*match.span())


def blanked(text: str) -> str:
    """The text with its marks blanked, every offset as it was; the text itself where nothing else is in it."""
    parts, position = list[str](), 0
    for start, end in foreign(text):
        parts += [text[position:start], " " * (end - start)]
        position = end
    blank = "".join([*parts, text[position:]])
    return blank if blank.strip() else text


class Unmarked:
    """A text without the marks of others and the blanks before them, and where its parts stand in it.

    Attributes:
        text: what is left; all of it where nothing else is in it.
    """

    def __init__(self, text: str) -> None:
        self._cuts = list[Span]()
        parts, position = list[str](), 0
        for start, end in foreign(text):
            kept = text[position:start].rstrip(" \t\u00a0")
            self._cuts.append(Span(position + len(kept), end))
            parts.append(kept)
            position = end
        self.text = "".join([*parts, text[position:]])
        if not self.text.strip():
            self.text, self._cuts = text, []

    def at(self, offset: int) -> int:
        """Where an offset of the whole text stands in what is left."""
        return offset - sum(min(end, offset) - start for start, end in self._cuts if start < offset)
