"""Parses a model's reply: the text without marks, its statements, and the passages that each part cites.

    parse("Fares rose [1] while costs fell [2, 3].", known=3)
    # Reply("Fares rose while costs fell.", (Span(0, 28),), (Cite(Span(0, 10), (1,)), Cite(Span(10, 27), (2, 3))), ())

No reply raises, however malformed. What is left out is told in `warnings`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from citewell.text import segments, spans
from citewell.text.replies import thinking
from citewell.text.replies.dialects import rewritten, structured, undecided
from citewell.text.replies.markers import Marker, find, opens_a_line
from citewell.types import Span

SETTLED = 60  # characters after a statement that make its end certain while a reply still arrives

_LABEL = re.compile(
    r"\s*(?:\*\*)?(?:final\s+)?(?:answer|response|reply|antwort|réponse|respuesta)(?:\*\*)?\s?[:：](?:\*\*)?\s*",
    re.IGNORECASE,
)
_NAMES = r"(?:sources?|references?|citations?|evidence|segments?|quellen|belege|références|fuentes|fonti|参考文献|出典)"
_LIST_HEAD = re.compile(rf"^[#*_ \t]*+{_NAMES}[*_ \t]*+(?:[:：][*_ \t]*+)?$", re.IGNORECASE | re.MULTILINE)
_EVIDENCE = re.compile(rf"^[#*_ \t-]*+{_NAMES}[*_ \t]*+[:：][*_ \t]*+(.*)$", re.IGNORECASE | re.MULTILINE)
_ENTRY = re.compile(r"\s*(?:[-*•]\s*)?(?:\[\d{1,4}\]|\d{1,4}[.)]|[-*•])\s*:?")
_SPACED = ";:!?»"  # what French sets apart by a blank
_STOPS = ".!?…。！？؟।,;:)）\"'”’»|*_"
_WRAPS = ('""', "“”", "''", "«»")


class Cite(NamedTuple):
    """Part of the text and the passages that the reply names for it, numbered from 1."""

    span: Span
    numbers: tuple[int, ...]


class Reply(NamedTuple):
    """A reply: its text without marks, its statements and what they name, and what was left out or changed."""

    text: str
    statements: tuple[Span, ...] = ()
    cites: tuple[Cite, ...] = ()
    warnings: tuple[str, ...] = ()


def parse(reply: str, known: int, source: str = "", *, single: bool = False) -> Reply:
    """Read a reply.

    Args:
        reply: what the model wrote.
        known: passages are numbered from 1 to this; 0 where the model was not asked to cite.
        source: what the model read, to tell copied references from marks.
        single: the whole reply is one statement, as in LAB's tasks but the summaries.

    A mark speaks for the words since the mark before it in its statement, or since the statement began. One that
    opens a line speaks for the statement that follows; marks on a line of their own under a word such as "Evidence:"
    for every statement without any.
    """
    body, warnings = _body(reply, known)
    text, places, loose = _cleaned(body, find(body, known, source) if known else [], warnings)
    lead = len(text) - len(text.lstrip())
    text = text.strip()
    if single:
        text, inner = _unwrapped(text)
        lead += inner
    places = [place._replace(at=min(max(0, place.at - lead), len(text))) for place in places]
    whole = Span(0, len(text))
    statements: tuple[Span, ...]
    cites: tuple[Cite, ...]
    if single:
        statements = (whole,) if any(map(str.isalnum, text)) else ()
        numbers = tuple(dict.fromkeys((*(number for place in places for number in place.numbers), *loose)))
        cites = (Cite(whole, numbers),) if statements else ()
    else:
        statements = segments.statements(text)
        cites = _assigned(text, statements, places)
        if loose:
            bare = spans.without(statements, (cite.span.start for cite in cites))
            cites = tuple(sorted((*cites, *(Cite(span, loose) for span in bare))))
    return Reply(text, statements, tuple(cite for cite in cites if cite.numbers), tuple(dict.fromkeys(warnings)))


def settled(reply: str, known: int, source: str = "") -> Reply:
    """What of a reply that is still arriving cannot change: statements that others follow, with what they name."""
    if undecided(reply) or opens_a_line(reply) or reply.count("```") % 2 or _EVIDENCE.search(reply):
        return Reply("")
    parsed = parse(reply, known, source)
    kept = tuple(span for span in parsed.statements if len(parsed.text) - span.end >= SETTLED)
    if not kept:
        return Reply("")
    end = kept[-1].end
    cites = tuple(cite for cite in parsed.cites if cite.span.start < end)
    return Reply(parsed.text[:end], kept, cites, parsed.warnings)


class _Place(NamedTuple):
    """Where a mark stood in the cleaned text, and whether it speaks for what follows."""

    at: int
    numbers: tuple[int, ...]
    leading: bool


def _body(reply: str, known: int) -> tuple[str, list[str]]:
    """The reply without thinking aloud, labels and a list of sources at its end."""
    warnings: list[str] = []
    text, thought = thinking.apart(reply.replace("\r\n", "\n").replace("\r", "\n"))
    if thought:
        warnings.append("the reply's thinking aloud was left out")
    label = _LABEL.match(text)
    if label:
        text = text[label.end() :]
    if known:
        parsed = structured(text)
        if parsed and parsed.left_out:
            warnings.append(f"fields of the reply's JSON were left out: {', '.join(parsed.left_out)}")
        text = rewritten(parsed.text if parsed else text, known)
        start, end = _entries(text), len(text.rstrip())
        for head in _LIST_HEAD.finditer(text):
            if head.start() and head.end() + 1 >= start and head.end() < end:
                warnings.append("the list of sources at the reply's end was left out")
                text = text[: head.start()]
                break
    return text.strip(), warnings


def _entries(text: str) -> int:
    """Where the lines at the end of a text begin that are all entries of a list."""
    start = len(text)
    for line in reversed(text.split("\n")):
        if line.strip() and not _ENTRY.match(line):
            break
        start -= len(line) + 1
    return start + 1


def _cleaned(text: str, marks: list[Marker], warnings: list[str]) -> tuple[str, list[_Place], tuple[int, ...]]:
    """The text without its marks, where they stood in it, and the numbers that stand for the whole reply."""
    starts = [mark.start for mark in marks]
    lines = [
        Span(*match.span())
        for match in _EVIDENCE.finditer(text)
        if _only_marks(text, match, marks[bisect_left(starts, match.start(1)) : bisect_left(starts, match.end(1))])
    ]
    lines_at = [line.start for line in lines]
    loose: list[int] = []
    parts: list[str] = []
    places: list[_Place] = []
    size = position = 0
    for mark in marks:
        warnings += [f"the reply cites [{name}], which does not exist: the mark was removed" for name in mark.missing]
        near = lines[spans.last_before(lines_at, mark.start)] if lines else None
        line = near if near and spans.owns(near, mark.start) else None
        if line:
            loose.extend(number for number in mark.numbers if number not in loose)
            kept, after = text[position : line.start].rstrip(), max(line.end, mark.end)
        else:
            kept, after = _gap(text, position, mark)
        if mark.start < position:
            continue  # on an evidence line that is gone already
        parts.append(kept)
        size += len(kept)
        if not line:
            places.append(_Place(size, mark.numbers, mark.leading))
            if kept[-1:] and not kept[-1].isspace() and text[after : after + 1].isalpha() and text[after] < "\u3000":
                parts.append(" ")
                size += 1
        position = after
    parts.append(text[position:])
    return "".join(parts), places, tuple(loose)


def _gap(text: str, position: int, mark: Marker) -> tuple[str, int]:
    """What is kept before a mark, and where the text goes on after it: one of the blanks around it goes too."""
    kept, after = text[position : mark.start], mark.end
    trimmed = kept.rstrip(" \t\u00a0")
    if mark.leading or not (trimmed or position):
        while text[after : after + 1] in (" ", "\t", ":") and after < len(text):
            after += 1
        return kept, after
    blank = after
    while text[blank : blank + 1] in (" ", "\t") and blank < len(text):
        blank += 1
    if text[blank : blank + 1] and text[blank] in _STOPS[:13] and (blank == after or text[blank] not in _SPACED):
        after = blank
    return trimmed, after


def _only_marks(text: str, line: re.Match[str], inside: list[Marker]) -> bool:
    """Whether a line with a label such as "Evidence:" holds marks and nothing else; the marks in it are given."""
    start, end = line.span(1)
    rest, position = "", start
    for mark in inside:
        rest += text[position : mark.start]
        position = max(position, mark.end)
    return bool(inside) and not any(map(str.isalnum, rest + text[position:end]))


def _unwrapped(text: str) -> tuple[str, int]:
    """The text without quotation marks around the whole of it, and how many characters went at its start."""
    for pair in _WRAPS:
        inside = text[1:-1]
        if len(text) > 2 and text[0] == pair[0] and text[-1] == pair[1] and not set(pair) & set(inside):
            return inside.strip(), 1 + len(inside) - len(inside.lstrip())
    return text, 0


def _assigned(text: str, statements: tuple[Span, ...], places: list[_Place]) -> tuple[Cite, ...]:
    """Each mark with the part of its statement that it speaks for."""
    starts, ends = [span.start for span in statements], [span.end for span in statements]
    owned: dict[int, list[_Place]] = {}
    for place in places if statements else ():
        # A mark belongs to the next statement where it leads, else to the one that it stands in or after.
        number = bisect_right(ends, place.at) if place.leading else max(0, bisect_left(starts, place.at) - 1)
        if number < len(statements):
            owned.setdefault(number, []).append(place)
    result: dict[Span, tuple[int, ...]] = {}
    for number, inside in owned.items():
        for part, numbers in _parts(text, statements[number], inside):
            if part.start < part.end:
                result[part] = tuple(dict.fromkeys((*result.get(part, ()), *numbers)))
    return tuple(Cite(span, numbers) for span, numbers in sorted(result.items()))


def _parts(text: str, span: Span, places: list[_Place]) -> Iterator[tuple[Span, tuple[int, ...]]]:
    """The parts of one statement with their numbers."""
    begin = span.start
    for place in places:
        if place.leading or place.at <= span.start:
            yield span, place.numbers
        elif place.at < span.end and text[place.at : span.end].strip(_STOPS + " "):
            yield _trimmed(text, begin, place.at), place.numbers
            begin = place.at
        else:  # at the end: the clauses before have marks of their own
            rest = any(map(str.isalnum, text[begin : span.end]))
            yield _trimmed(text, begin if rest else span.start, span.end), place.numbers


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and (text[start].isspace() or text[start] in ",;"):
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
