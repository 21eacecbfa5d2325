"""A document's particulars: authors, publisher and date, from its cover and its metadata.

author(document)     # Particular("Nora L. Keenan", Span(64, 79))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive.phrases.sorts import are_common_nouns
from citewell.generators.extractive.prose.sorts import kind_of
from citewell.generators.extractive.prose.statements import is_statement
from citewell.generators.extractive.prose.titles import COVER, Particular, title
from citewell.text.headings import COMMON_HEADING
from citewell.text.times import FULL_MONTH
from citewell.types import Span

_TOP = 12  # blocks in which a line of names stands
_LONG_NAME = 6  # words that no name of a person has
_BYLINE = 300  # characters of it, at most
_DAY = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th) day of {FULL_MONTH},? (?:19|20)\d\d|"
    rf"\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{FULL_MONTH},? (?:19|20)\d\d|"
    rf"{FULL_MONTH} \d{{1,2}}(?:st|nd|rd|th)? ?,? (?:19|20)\d\d|(?:19|20)\d\d-[01]\d-[0-3]\d|"
    r"\d{1,2}-\d{1,2}-(?:19|20)\d\d|\d{1,2}/\d{1,2}/(?:19|20)\d\d)"
)
_DATE = re.compile(  # a line of little else, that does not say when something ends
    rf"^(?!.*\b(?:expir|due|until|deadline|next|ends)).{{0,24}}?({_DAY})\W{{0,3}}$", re.MULTILINE | re.IGNORECASE
)
_MADE = re.compile(  # what was done to this document on a day: not to another one that it speaks of
    r"(?:^|[.;|(] ?|\b(?:this|version)\b[^.;\n]{0,60}(?:\.\d[^.;\n]{0,80})?)"
    r"(?:(?:last |first )?(?:updated|modified|revised|changed)|published|issued|released|dated|effective|entered into|"
    r"made)"
    rf"(?: (?:on|as of|into|date|this)| and (?:issued|effective|entered into))*:? (?:the )?({_DAY})",
    re.IGNORECASE | re.MULTILINE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTH = re.compile(  # alone in a line, or behind the number of a version
    rf"^(?:(?:version|edition|revision|release|draft|v)\.? ?\d[\w.]{{0,12}},? \(?)?"
    rf"({_DAY}|{FULL_MONTH},? (?:19|20)\d\d)(?:$|\)?\.?$|\)?\.? +(?=(?-i:[A-Z])))",
    re.IGNORECASE | re.MULTILINE,
)
_REVISED = re.compile(  # in a line of its own that names the month alone
    r"^\W*(?:last |first )?(?:updated|modified|revised|published|issued|released)(?: on| in)?:? "
    rf"({FULL_MONTH},? (?:19|20)\d\d)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
_DATED = re.compile(rf"(?:{_DAY}|{FULL_MONTH},? (?:19|20)\d\d)(?!\w)")  # below the one name of an author
_PERIOD = re.compile(
    r"\b(?:(?:fiscal|financial)?\s*year|quarter(?:ly period)?|period|(?:six|nine|three|twelve) months)\s+"
    rf"(?:ended|ending)\s+({_DAY})",
    re.IGNORECASE,
)
_PARTY = r"([A-Z][\w.’'&-]+(?:[ ,]+(?:and |& |of |the |for )?[A-Z][\w.’'&-]*){0,12})"
_BY = re.compile(
    rf"^(?:by|prepared by:?|written by:?|from:|issued by:?|published by:?)\s+{_PARTY}\s*$|"
    r"^(?:\W{0,3}(?:[Aa]uthor|[Ww]riter|[Ee]ditor)s?:|AUTHORS?:)[ \t]+([A-Z][^\n|:]{2,200}?)\s*$",
    re.MULTILINE,
)
_OWNER = re.compile(r"^Owners?:[ \t]+([A-Z][^\n|:]{2,200}?)\s*$", re.MULTILINE)
_PUBLISHED = re.compile(
    rf"^(?i:(?:first )?(?:published|issued|released) by:? (?:the )?|publisher:? ){_PARTY}|"
    r"(?i:copyright|©|\(c\)(?= ?(?:19|20)\d\d))(?: ?(?i:copyright|©|\(c\)))*,? (?:(?:19|20)\d\d(?:[–, -]+)?)*,? ?"
    r"(?:by )?(?:the )?"
    rf"{_PARTY}",
    re.MULTILINE,
)
_FILED = re.compile(
    r"^(.{2,80}?) [—–] (?:(?:annual|quarterly|current) report|report of a foreign issuer|form|"
    r"(?:10|20|40|8|6)-[KQF])\b",
    re.IGNORECASE,
)
_LEADER = "..."  # from an entry of contents to its page
_DEGREE = re.compile(r"\b(?:MD|PhD|MSc?|MPH|MBA|BSc?|Dr|Jr|Prof)\b\.?")
_MARKS = re.compile(r"(?<=[a-zß-öø-ÿ])[\d¹²³⁰⁴-⁹*†‡§∗¶]+(?:,[\d¹²³⁰⁴-⁹*†‡§∗¶]+)*")  # of where somebody works
_WORKS = re.compile(  # behind a name in its line
    r" (?:University|Universität|Université|Institute|Department|School|College|Faculty|Cent(?:er|re)) (?:of|for)\b.*"
)
_BETWEEN = re.compile(
    r"[,;&*†‡§∗¶]|(?<=[^\s\d])\d{1,2}(?!\d)|\band\b"
)  # names of a line, and the marks of where they work
_OF_NAME = re.compile(r"(?![a-zß-öø-ÿ])[^\W\d_][\w’'-]+|[A-Z]\.|de|van|von|der|den|la|al|bin")
_NOT_NAMED = re.compile(  # who else had a part, behind the names of a line
    r"(?:the )?(?:(?:entire|whole|rest of the) )?(?:[\w-]+ ){0,2}(?:team|contributors|community|others|colleagues)|"
    r"et al|(?:with|and) (?:[a-z]+ ){0,4}(?:contributors|contributions|others|help)\b.{0,60}"
)
_WRITTEN_TO = re.compile(
    r"^([^<>\n@:]{3,60}?) <[\w.+-]+@[\w-]+(?:\.[\w-]+)+>$", re.MULTILINE
)  # "Ann Oxley <ann@oxley.org>"
_NO_PERSON = re.compile(
    r"\b(?:agreement|contract|report|policy|manual|guide|handbook|notes?|chapter|part|section|exhibit|table|figure|letter|"
    r"press|release|statements?|board|committee|company|inc|corp|corporation|ltd|plc|llc|president|director|officer|"
    r"introduction|overview|summary|highlights|results|law|act|system|service|united|states|new|between)\b",
    re.IGNORECASE,
)
# Names on these are no authors.
_UNSIGNED = ("annual report", "quarterly report", "contract", "bylaws", "law", "minutes", "policy")
_LED_BY = re.compile(r"by\s", re.IGNORECASE)
_REACHED = re.compile(  # where somebody works or is written to
    r"@| at [\w.-]+\.\w{2,3}\b|\b(?:universit|institut|department|school|laborator|center|centre|hospital|college|"
    r"research|group|academy|division of)\w*",
    re.IGNORECASE,
)


def author(document: Document) -> Particular | None:
    """Who filed a report, by its title; else who a line near the top says wrote it, or the names below its title."""
    if (filed := _filer(document)) is not None:
        return filed
    if line := _BY.search(document.text[:COVER]):
        group = line.lastindex or 1
        return Particular(line[group], Span(*line.span(group)))
    if kind_of(document) not in _UNSIGNED and (names := _byline(document)):
        return names
    named = _WRITTEN_TO.search(document.text[: COVER // 4]) or _OWNER.search(document.text[: COVER // 4])
    return Particular(named[1], Span(*named.span(1))) if named else None


def publisher(document: Document) -> Particular | None:
    """Who filed a report, or whom its cover names as its publisher or as the owner of its copyright."""
    if (filed := _filer(document)) is not None:
        return filed
    if named := _PUBLISHED.search(document.text[:COVER]):
        span = next(Span(*named.span(group)) for group in (1, 2) if named[group])
        return Particular(" ".join(document.text[span.start : span.end].split()), span)
    return None


def date(document: Document) -> Particular | None:
    """The day on which a cover says it was made, or that a line of it is; that of the period left out."""
    cover = document.text[:COVER]
    ends = {_plain(period[1]) for period in reported(document)}
    ends |= {re.sub(r" \d\d? ", " ", end) for end in ends}  # "June 2023" for "June 30, 2023"
    if kind_of(document) == "minutes":
        return _met(document)
    named = title(document)
    earliest = min(_YEAR.findall(named.text), default="") if named else ""  # nothing is made before what it tells of
    for pattern in (_DATE, _MADE, _REVISED, _MONTH):
        for day in pattern.finditer(cover):
            if _plain(day[1]) not in ends and not (earliest and max(_YEAR.findall(day[1])) < earliest):
                return Particular(" ".join(day[1].split()), Span(*day.span(1)))
    return None


def _met(document: Document) -> Particular | None:
    """The day of a meeting: the first one that its title or a line above the text names."""
    for block in document.blocks[:_TOP]:
        line = document.text[block.start : block.end]
        if len(line) > _BYLINE // 2 or block.kind == "list_item" or is_statement(line):
            break
        if met := day(line):
            begins = block.start + met.start
            return Particular(met.text, Span(begins, begins + len(met.text)))
    return None


class Day(NamedTuple):
    """A day as a text writes it, and where it begins there."""

    text: str
    start: int


def day(text: str) -> Day | None:
    """The first day that a text names."""
    named = re.search(_DAY, text, re.IGNORECASE)
    return Day(named[0], named.start()) if named else None


def _plain(day: str) -> str:
    return re.sub(r"\W+", " ", day).casefold()


def reported(document: Document) -> Iterator[re.Match[str]]:
    """The times that a cover says the document reports on."""
    return _PERIOD.finditer(document.text[: 2 * COVER])


def _filer(document: Document) -> Particular | None:
    filed = _FILED.match(document.title or "")
    if filed is None:
        return None
    at = document.text.find(filed[1], 0, 3 * COVER)
    return Particular(filed[1], Span(at, at + len(filed[1])) if at >= 0 else None)


def _byline(document: Document) -> Particular | None:
    """The line of names below the title: of several, or with where they work or the day below it.

    Items and rows are those of contents, of who attended, of what follows: not names of authors.
    """
    named = title(document)
    begins = named.at.end if named and named.at else 0
    above = takewhile(lambda block: block.kind not in ("list_item", "table_row"), islice(document.blocks, _TOP))
    lines = [block for block in above if block.start >= begins]
    printed = [" ".join(document.text[block.start : block.end].split()) for block in lines]
    texts = [_WORKS.sub("", line) for line in printed]
    for number, text in enumerate(texts):
        if COMMON_HEADING.fullmatch(text) or len(text) > _BYLINE:
            break  # the text begins
        run = list(takewhile(lambda each: _people(each) and not _REACHED.search(each), texts[number:]))
        last = number + len(run)
        below = " ".join(texts[last : last + 2])
        people = not all(are_common_nouns(re.findall(r"[^\W\d_]+", each)) for each in run)
        placed = text != printed[number] or _REACHED.search(below) or _DATED.match(below)
        if run and people and (sum(map(_people, run)) > 1 or placed):
            led = _LED_BY.match(document.text, lines[number].start)
            begins = led.end() if led else lines[number].start
            names = _MARKS.sub("", ", ".join(run)[len(led[0]) if led else 0 :])
            return Particular(names, Span(begins, lines[last - 1].end))
    return None


def _people(text: str) -> int:
    """How many people a line names; 0 where it has anything else."""
    led = _LED_BY.match(text)
    plain = _DEGREE.sub(" ", text[led.end() if led else 0 :])
    parts = [part.strip(" .") for part in _BETWEEN.split(plain)]
    names = [part.split() for part in parts if part and not _NOT_NAMED.fullmatch(part)]
    whole = not _NO_PERSON.search(text) and all(
        1 < len(name) < _LONG_NAME and all(map(_OF_NAME.fullmatch, name)) for name in names
    )
    return len(names) if whole and _LEADER not in text else 0
