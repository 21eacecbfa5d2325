"""Who made a document and when, what time it reports on, its language and its outline: from cover, title, headings."""

from __future__ import annotations

import re

from citewell.document import Document
from citewell.overview.model import Detail, OutlineEntry
from citewell.readers.plain import COMMON_HEADING
from citewell.text.stopwords import shared
from citewell.text.times import FULL_MONTH
from citewell.text.words import words
from citewell.types import Citation, Span

_COVER = 4_000  # characters
_READ = 6_000  # characters that show the language
_FEW = 5  # function words that show it
MOST_HEADINGS = 200
_TIMES = 3  # named on a cover, that may be what is reported on
_DAY = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{FULL_MONTH},? (?:19|20)\d\d|"
    rf"{FULL_MONTH} \d{{1,2}}(?:st|nd|rd|th)? ?,? (?:19|20)\d\d|(?:19|20)\d\d-[01]\d-[0-3]\d)"
)
_DATE = re.compile(rf"^.{{0,24}}?({_DAY})\W{{0,3}}$", re.MULTILINE)  # a line of little else
_PERIOD = re.compile(
    r"\b(?:(?:fiscal|financial)?\s*year|quarter(?:ly period)?|period|(?:six|nine|three|twelve) months)\s+"
    rf"(?:ended|ending)\s+({_DAY})",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?(?!\d)")
_BY = re.compile(
    r"^(?:by|author[s]?:?|prepared by:?|written by:?|from:|issued by:?|published by:?)\s+"
    r"([A-Z][\w.’'-]+(?:[ ,]+(?:and |&)?[A-Z][\w.’'-]*){0,12})\s*$",
    re.MULTILINE,
)
_FILED = re.compile(r"^(.{2,80}?) [—–] ")


def title(document: Document) -> Detail | None:
    """The title, with its place where it stands in the text; that of the metadata, else the first heading."""
    if document.title:
        at = document.text.find(document.title, 0, _COVER)
        return Detail(document.title, _cite(document, Span(at, at + len(document.title))) if at >= 0 else None)
    lines = [block for block in document.blocks[:8] if not document.text[block.start : block.end].endswith(":")]
    block = next((block for block in lines if block.kind == "heading"), (lines or document.blocks)[0])
    first = " ".join(document.text[block.start : block.end].split())
    names = 2 < len(first) < 160 and not COMMON_HEADING.fullmatch(first)
    return Detail(first, _cite(document, Span(block.start, block.end))) if names else None


def author(document: Document) -> Detail | None:
    """Who filed a report, by its title; else who a line near the top says wrote it."""
    if document.title and (filed := _FILED.match(document.title)):
        name = filed[1]
        at = document.text.find(name, 0, 3 * _COVER)
        return Detail(name, _cite(document, Span(at, at + len(name))) if at >= 0 else None)
    line = _BY.search(document.text[:_COVER])
    return Detail(line[1], _cite(document, Span(*line.span(1)))) if line else None


def date(document: Document) -> Detail | None:
    """The first day that a line of the first page is, with hardly more words; that of the period left out."""
    cover = document.text[:_COVER]
    reported = _PERIOD.search(cover)
    for day in _DATE.finditer(cover):
        if reported is None or day.start(1) != reported.start(1):
            return Detail(" ".join(day[1].split()), _cite(document, Span(*day.span(1))))
    return None


def period(document: Document) -> Detail | None:
    """The time that a document reports on: the newest year or quarter of its cover, else the year in its title."""
    times = list(_PERIOD.finditer(document.text[: 2 * _COVER]))
    if times:  # of a table's columns the older may stand first
        newest = max(_YEAR.findall(time[1])[-1] for time in times[:_TIMES])
        reported = next(time for time in times if newest in time[1])
        return Detail(" ".join(reported[0].split()), _cite(document, Span(*reported.span())))
    year = _YEAR.search(document.title or "")
    return Detail(year[0]) if year else None


def language(document: Document) -> str | None:
    """The code of the language that most function words are of; None where there are few."""
    counts = shared(words(document.text[:_READ]).spellings)
    code = max(counts, key=lambda name: (counts[name], name == "en"))
    return code if counts[code] >= _FEW else None


def outline(document: Document) -> tuple[OutlineEntry, ...]:
    """The headings with their pages; the deepest left out where there are too many."""
    entries = [
        OutlineEntry(
            " ".join(document.text[block.start : block.end].split()), max(1, block.level), block.start, block.end
        )
        for block in document.blocks
        if block.kind == "heading"
    ]
    for deepest in (4, 3, 2, 1):
        if len(entries) > MOST_HEADINGS:
            entries = [entry for entry in entries if entry.level <= deepest]
    return tuple(
        OutlineEntry(entry.title, entry.level, entry.start, entry.end, document.page_at(entry.start))
        for entry in entries[:MOST_HEADINGS]
    )


def _cite(document: Document, at: Span) -> Citation:
    segment = document.segment_at(at.start)
    return document.placed(document.cite(at, segment.id, Span(0, at.end - at.start), score=1.0, method="overview"))
