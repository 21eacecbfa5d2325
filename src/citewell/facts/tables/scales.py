"""The scale of a table's figures and where it is stated: headers, introduction, page or notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from citewell.facts.quantities import scale_stated
from citewell.facts.units import SCALE_BEHIND, currency_before
from citewell.text.spans import Ranged, cut
from citewell.types import Page, Slot, Span

CELL = " | "  # how a reader parts the cells of a row
Scale = tuple[int, Span | None]  # a factor, and where it is stated
_LAST = re.compile(r"\s((?i:thousands|millions|billions))$")
_SHORT = 80  # characters of a line that states the scale of the table below it, without a mark that leads to it
_OPENING = 6  # rows of a table among which one may say its scale and nothing else
_FIRST = 12  # lines of a page among which its scale is looked for
_LONG = 160  # characters of such a line, at most
_EXCEPT = re.compile(r"\bexcept(?:ing)?\s{1,9}(?:for\s{1,9})?([^();:\n]{1,200})", re.IGNORECASE)
_LISTED = re.compile(r",|\band\b|\bor\b")
_VAGUE = re.compile(
    r"\b(?:the|amounts?|data|information|figures?|where|otherwise|noted|stated|indicated|as)\b|[^\w\s-]"
)
_NOTES = re.compile(
    r"\bnotes to (?:the )?(?:condensed )?(?:consolidated )?financial statements\b"
    r"(?P<head>[^.:|]{0,160}?\([^()\n]{0,20}\bin (?:millions|thousands|billions)\b[^()\n]{0,80}\))",
    re.IGNORECASE,
)


_PAGE_LINE = re.compile(
    r"^\(?(?:amounts|dollars|figures) in (?:millions|thousands|billions)\b[^|\n]{0,120}$", re.IGNORECASE | re.MULTILINE
)
_SAID = re.compile(  # of all tables, in a sentence: "Unless otherwise noted, tabular dollars are in millions."
    r"\b(?:stated|presented|shown|reported|expressed|are)(?: in (?:U\.?S\.? )?dollars)? "
    r"in (?:millions|thousands|billions)\b",
    re.IGNORECASE,
)
_OF_TABLES = re.compile(
    r"\btabular\b|\b(?:with)?in (?:the |these |all )?tables\b|\b(?:unless|except|or) (?:as |where )?otherwise \w+",
    re.IGNORECASE,
)
_AMOUNTS = re.compile(r"\b(?:dollars?|amounts|figures)\b|\$", re.IGNORECASE)
_AROUND = 300  # characters of such a sentence on either side
_ENDS = ("\n", ". ", "|")
_PAGES = 3  # on which a line stands, at least, that is none of a single table


def notes_scale(text: str) -> tuple[int, Span, str] | None:
    """The scale of all tables that state none, where, and its words; None where it is not stated.

    The heading of the notes states it, or a line that stands on every page, of which a web page shows no ends.
    """
    lines = Counter(match[0] for match in _PAGE_LINE.finditer(text))
    if max(lines.values(), default=0) >= _PAGES:
        ((line, _),) = lines.most_common(1)
        if stated := scale_stated(line):
            start = text.index(line)
            return int(stated.factor), Span(start + stated.start, start + stated.end), line
    for match in _SAID.finditer(text):
        around = _sentence(text, match.start(), match.end())
        sentence = cut(text, around)
        stated = scale_stated(sentence)
        if stated and _OF_TABLES.search(sentence) and _AMOUNTS.search(sentence):
            return int(stated.factor), Span(around.start + stated.start, around.start + stated.end), sentence
    for match in _NOTES.finditer(text):
        stated = scale_stated(match["head"])
        if stated:
            start = match.start("head")
            return int(stated.factor), Span(start + stated.start, start + stated.end), match["head"]
    return None


def _sentence(text: str, start: int, end: int) -> Span:
    """The sentence or cell around some words, up to so many characters on either side."""
    before, after = max(0, start - _AROUND), min(len(text), end + _AROUND)
    ends = [place for mark in _ENDS if (place := text.find(mark, end, after)) >= 0]
    return Span(max(before, *(text.rfind(mark, before, start) + 1 for mark in _ENDS)), min([*ends, after]))


def without_scale(label: str) -> str:
    """A header without what states its scale: "Amounts in millions; fiscal years ended June 30", "2023 £'000"."""
    label = currency_before(rf"{SCALE_BEHIND}\)?$").sub("", label).rstrip(" (")
    parts = label.split(";")
    return ";".join(part for part in parts if not _begun(part.strip())).strip() if len(parts) > 1 else label


def without_exceptions(label: str) -> str:
    """A header without what its scale does not hold for: "In millions except per share data; years ended June 30"."""
    return _EXCEPT.sub(" ", label)


def exceptions(text: str) -> tuple[str, ...]:
    """What a stated scale does not hold for, in lower case; shares are told by their own words."""
    stated = _EXCEPT.search(text)
    names = (" ".join(_VAGUE.sub(" ", part).split()) for part in _LISTED.split(stated[1].lower() if stated else ""))
    return tuple(name for name in names if name and "share" not in name)


def own_scale(text: str, span: Ranged) -> Scale | None:
    """The scale that a label or header states, and where."""
    begun = _begun(cut(text, span))
    return (begun[0], Span(span.start + begun[1], span.start + begun[2])) if begun else None


@lru_cache(maxsize=4096)
def _begun(text: str) -> tuple[int, int, int] | None:
    """The factor of a stated scale, its start and end, also as the first words: "Revenue (€ million)", "€ thousand".

    The last word of a header may be it: "Revenue carloads thousands".
    """
    for begun, shift in ((text, 0), (f"({text}", 1)):
        stated = scale_stated(begun)
        if stated:
            return int(stated.factor), max(0, stated.start - shift), stated.end - shift
    last = _LAST.search(text)
    stated = scale_stated(f"(in {last[1]})") if last else None
    return (int(stated.factor), last.start(1), last.end(1)) if last and stated else None


def over_all(rows: Sequence[Sequence[Slot]], marks: Sequence[bool], columns: int, text: str) -> list[Span]:
    """What may state the scale of a whole table: what stands over one column is that column's.

    It stands in the corner, over all columns, or in brackets beside a name: "Balance sheet | (in millions)".
    """

    def is_aside(slot: Slot, row: Sequence[Slot]) -> bool:
        return len(row) == 2 and slot is row[1] and row[0].column == 0 and text[slot.start] == "("

    opening = [row[0] for row in rows[:_OPENING] if len(row) == 1 and text[row[0].start] == "("]
    heads = ((slot, row) for row, head in zip(rows, marks, strict=True) if head for slot in row)
    over = [slot for slot, row in heads if slot.column == 0 or slot.columns >= columns - 1 or is_aside(slot, row)]
    return [Span(slot.start, slot.end) for slot in (*over, *opening)]


def table_scale(
    text: str, heads: Sequence[Span], lead: Sequence[Span], page: Page | None
) -> tuple[int, Span | None, str]:
    """A whole table's scale: by its headers, what leads to it or its page's lines; where, and what was read."""
    for span in heads:
        scale_here = own_scale(text, span)
        if scale_here:
            return *scale_here, cut(text, span)
    for span in lead:
        label = cut(text, span)
        stated = scale_stated(label)
        # A sentence speaks of its own figures ("in millions of homes") unless the table follows it.
        if stated and (len(label) < _SHORT or any(mark in label[stated.end :] for mark in ":)")):
            return int(stated.factor), Span(span.start + stated.start, span.start + stated.end), label
    start = page.start if page else 0
    for line in cut(text, page).split("\n")[:_FIRST] if page else ():
        stated = scale_stated(line) if len(line) <= _LONG and CELL not in line else None  # a row's is its own
        if stated:
            return int(stated.factor), Span(start + stated.start, start + stated.end), line
        start += len(line) + 1
    return 1, None, " ".join(cut(text, span) for span in (*heads, *lead))
