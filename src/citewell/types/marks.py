"""Citation marks of others ("[2]", "[^4]", "【2†source】"), which name nothing of ours and never stand next to ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citewell.types.documents import Span

_KINDS = r"docs?|documents?|sources?|passages?|ref(?:erence)?s?|citations?|cite|ids?|segments?|pages?|pp?"
_KIND = rf"(?:(?:{_KINDS})[\s:.#_-]{{0,3}})?"
_NUMBER = rf"\s?{_KIND}[\^#]?\d{{1,3}}\^?\s?"
_NUMBERS = rf"{_NUMBER}(?:[,;–-]{_NUMBER}){{0,20}}"
_POWERS = "".join(f"(?<!{unit})" for unit in ("feet", "foot", "inch", "yard", "mile", "iles", "tres", "ters", "ches"))
_UP = r"[⁰¹²³⁴-⁹]{1,3}(?:[,⁻][⁰¹²³⁴-⁹]{1,3}){0,5}"
_TAGS = "|".join(rf"<{tag}\b[^<>]{{0,200}}>\s?\[?{_NUMBERS}\]?\s?</{tag}>" for tag in ("cite", "ref", "a"))
_MARK = re.compile(
    rf"\\?\[{{1,2}}{_NUMBERS}\\?\]{{1,2}}(?:\((?:https?:|#)[^()\s]{{0,300}}\)|(?![\w(]))"
    r"|[【［〔][^【】［］〔〕\n]{1,60}[】］〕]"
    r"|\[\d{1,4}(?::\d{1,4})?†[^\]\n]{0,60}\]"
    r"|\[\^[\w-]{1,30}\]"
    rf"|<sup>\s?(?:<a\b[^<>]{{0,200}}>)?\[?{_NUMBERS}\]?(?:</a>)?\s?</sup>|{_TAGS}"
    rf"|\((?:see|cf\.?)\s\[{_NUMBERS}\]\)"
    r"|\((?:sources?|refs?|references?|citations?|passages?)[\s:.#]{0,3}\d{1,3}(?:[,;–-]\s?\d{1,3}){0,20}\)"
    r"|\(sources?:\s[^()\n]{1,100}\)"
    r"|(?:(?<=[^\W\d_]{2}\s)|(?<=\b\d{4}\s))\(\d{1,2}(?:[,;–-]\s?\d{1,2}){0,20}\)(?=[.!?](?:\s|$))"
    r"|\ue200[^\ue200\ue201]{1,200}\ue201"  # OpenAI's own, in private characters
    rf"|(?:(?<=[.,;:!?)\"”»])|(?<=[^\W\d_]{{4}}){_POWERS}|(?<=\b(?:19|20)\d\d)){_UP}(?=[.,;!?]?(?:\s|$))"
    r"|(?<=[\w.,;:!?)])[†‡]{1,3}(?=[.,;!?]?(?:\s|$))"
    r"|\([◐✗⊗?] (?:(?:partially|not) supported|contradicted|not verified)(?::[^\n]{0,260}?)?\)(?=\s|$)",  # our own
    re.IGNORECASE,
)
# "Note (3)." and "a loss of (12)." cite nothing.
_COUNTED = frozenset(
    "note notes item items section sections table tables figure figures step steps paragraph clause article rule "
    "equation schedule form level class type part chapter of was is to by from at were number group phase stage".split()
)
_RANGES = ("ci", "interval", "range", "between", "from", "of", "in", "=")  # "95% CI [2, 5]" is no mark


def foreign(text: str) -> Iterator[Span]:
    """The positions of marks in a text, in order; a bracket that denotes an interval is not a mark."""
    for match in _MARK.finditer(text):
        before = text[max(0, match.start() - 12) : match.start()].lower().split()
        interval = "," in match.group() and bool(before) and before[-1].strip(",:;(") in _RANGES
        counted = match[0].startswith("(") and match[0][1:2].isdigit() and bool(before) and before[-1] in _COUNTED
        if not interval and not counted:
            yield Span(*match.span())


def between(text: str) -> str:
    """The text between two statements, without marks."""
    return Unmarked(f".{text}").text[1:]  # behind the end of a sentence, as marks stand there


def blanked(text: str) -> str:
    """The text with its marks blanked and all offsets unchanged; the text itself if it consists only of marks."""
    parts, position = list[str](), 0
    for start, end in foreign(text):
        parts += [text[position:start], " " * (end - start)]
        position = end
    blank = "".join([*parts, text[position:]])
    return blank if blank.strip() else text


class Unmarked:
    """A text without the marks of others and the blanks before them, with a mapping of offsets.

    Attributes:
        text: the remaining text; the whole text if it consists only of marks.
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
        """The offset in the remaining text for an offset in the whole text."""
        return offset - sum(min(end, offset) - start for start, end in self._cuts if start < offset)
