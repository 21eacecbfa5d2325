"""Author, date, reporting period, language and outline of a document, from cover, title and headings."""

from __future__ import annotations

import re

from citewell.document import Document
from citewell.generators.extractive.prose import particulars
from citewell.generators.extractive.prose.sorts import REPORTING, kind_of
from citewell.generators.extractive.prose.statements import has_clause
from citewell.generators.extractive.prose.titles import Particular
from citewell.generators.extractive.prose.titles import title as named
from citewell.text.headings import CAPTION
from citewell.text.stopwords import shared
from citewell.text.words import words
from citewell.types import Citation, Span
from citewell.types.overview import Detail, OutlineEntry

_READ = 6_000  # characters that show the language
_FEW = 5  # function words that show it
MOST_HEADINGS = 200
_ASIDE = re.compile(r"[(\[][^()\[\]]*[)\]]")  # "(Laughter)" heads nothing
_SPOKEN = re.compile(r"[.!?]['\"”’)]* [\[(]|[\[(](?:applause|laughter|cheers)\b", re.IGNORECASE)
_OPEN = frozenset("a an and as at by for from in into of on or that the their to which with your".split())
_LATE = 0.5  # share of a document without headings: those behind it are of a part
_LONG, _PARTS = 8, 2  # words of a heading that may be a sentence; headings that make an outline
_FIGURE, _ROW = re.compile(r"(?<![\w.])[$€£]?\d[\d.,%-]*(?!\w)"), 3  # figures that make a row of a line
_TIMES = 3  # named on a cover, that may be what is reported on
_YEAR = re.compile(r"(?<!\d)(?:19|20)(?P<begin>\d\d)(?:[/–-](?:\d\d)?(?P<end>\d\d))?(?!\d)")


def title(document: Document) -> Detail | None:
    """The title, with its place where it stands in the text; that of the metadata, else the first heading."""
    return _detail(document, named(document))


def author(document: Document) -> Detail | None:
    """Who filed a report, by its title; else who a line near the top says wrote it, or the names below its title."""
    return _detail(document, particulars.author(document))


def date(document: Document) -> Detail | None:
    """The day on which a cover says it was made, or that a line of it is; that of the period left out."""
    return _detail(document, particulars.date(document))


def period(document: Document) -> Detail | None:
    """The time that a document reports on: the newest year or quarter of its cover, else the year in its title."""
    times = list(particulars.reported(document))
    if times:  # of a table's columns the older may stand first
        newest = max([year[0] for year in _YEAR.finditer(time[1])][-1] for time in times[:_TIMES])
        reported = next(time for time in times if newest in time[1])
        return Detail(" ".join(reported[0].split()), _cite(document, Span(*reported.span())))
    known = title(document)
    years = list(_YEAR.finditer(known.text)) if known else []
    reports = kind_of(document) in REPORTING
    return next((Detail(year[0]) for year in years if _is_season(year) or (reports and not year["end"])), None)


def language(document: Document) -> str | None:
    """The code of the language that most function words are of; None where there are few."""
    counts = shared(words(document.text[:_READ]).spellings)
    code = max(counts, key=lambda name: (counts[name], name == "en"))
    return code if counts[code] >= _FEW else None


def outline(document: Document) -> tuple[OutlineEntry, ...]:
    """The headings with their pages; the deepest left out of too many.

    No captions, rows of figures, titles above later pages, pieces of sentences, lines that tell author or date, and
    none twice in a row; nothing where a document has no part but its title, or they are all of its second half.
    """
    entries = list[OutlineEntry]()
    called = title(document)
    particular = {each.text for each in (author(document), date(document)) if each}
    for block in document.blocks:
        line = " ".join(document.text[block.start : block.end].split())
        names_part = (
            block.kind == "heading"
            and line not in particular
            and not CAPTION.match(line)
            and not _ASIDE.fullmatch(line)
            and len(_FIGURE.findall(line)) < _ROW
            and not _is_piece(line)
        )
        runs = called is not None and line == called.text and any(entry.title == line for entry in entries)
        if names_part and not runs and not (entries and entries[-1].title == line):
            entries.append(OutlineEntry(line, max(1, block.level), block.start, block.end))
    parts = [entry for entry in entries if called is None or entry.title != called.text]
    if len(entries) < _PARTS or not parts or entries[0].start > _LATE * len(document.text):
        return ()
    for deepest in (4, 3, 2, 1):
        if len(entries) > MOST_HEADINGS:
            entries = [entry for entry in entries if entry.level <= deepest]
    return tuple(
        OutlineEntry(entry.title, entry.level, entry.start, entry.end, document.page_at(entry.start))
        for entry in entries[:MOST_HEADINGS]
    )


def _is_season(years: re.Match[str]) -> bool:
    """Whether a year and the next one are named: "2026/27", not the month of "2018-11"."""
    return years["end"] is not None and int(years["end"]) == (int(years["begin"]) + 1) % 100


def _is_piece(line: str) -> bool:
    """Whether a heading was cut out of a sentence, or is one: "4.2.1 Life products may include term life and"."""
    ends = line.rstrip(".").rsplit(" ", 1)[-1].lower()
    if line.endswith((",", ";")) or ends in _OPEN or _SPOKEN.search(line):
        return True
    return len(line.split()) > _LONG and not line.endswith("?") and has_clause(line)


def _detail(document: Document, known: Particular | None) -> Detail | None:
    return Detail(known.text, _cite(document, known.at) if known.at else None) if known else None


def _cite(document: Document, at: Span) -> Citation:
    segment = document.segment_at(at.start)
    return document.placed(document.cite(at, segment.id, Span(0, at.end - at.start), score=1.0, method="overview"))
