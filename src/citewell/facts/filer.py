"""The names of the company that filed a report: from its cover, its definitions, or the question that names it.

A question that names the filer asks for nothing else: its name stands in no row.
"""

from __future__ import annotations

import re
from itertools import dropwhile, islice

from citewell.facts.lists import words as listed
from citewell.facts.tables.tabled import Tabled
from citewell.text.index import background
from citewell.text.stopwords import stopwords
from citewell.text.words import terms

_COVER = 15_000  # characters
_TITLE = 300  # characters whose lines name a document and who wrote it
_REGISTRANT = re.compile(r"([^\n]{2,90})\n[\s_]{0,60}\(?\s{0,9}exact name of (?:the )?registrant", re.IGNORECASE)
_NAME = r"((?:[A-Z][\w&.’'-]*|of|and|the|de)(?:,?\s(?:[A-Z][\w&.’'-]*|of|and|&|de))*)"
_DEFINED = re.compile(
    rf"{_NAME},?[”\"]?\s(?:and its (?:consolidated )?subsidiaries\s)?\([^()\n“\"]{{0,40}}[“\"](?:the\s)?"
    r"(?:Company|we|us|our|Group|Registrant|Corporation|Firm)[,”\"’]"
)
_REFERRED = re.compile(
    rf"{_NAME},?\s(?:(?:and|together with) its (?:consolidated )?subsidiaries,?\s)?(?:[a-z]+\s){{0,3}}referred to\s"
    r"(?:[a-z]+\s){0,3}as (?:the )?[“\"](?:Company|we|us|our|Group|Registrant|Corporation|Firm)[,”\"’]"
)
_MEANT = re.compile(  # “we” and “our” are used to refer collectively to the parent company, The Example Company
    r"[“\"](?:the )?(?:Company|we|us|our|Group|Registrant|Corporation|Firm),?[”\"][^.\n]{0,80}?"
    rf"\b(?:refers?|means?)(?: only| collectively)? (?:to )?(?:the )?(?:parent(?: company)?,? )?{_NAME}"
)
_NUMBER = re.compile(r"\bcommission file\b|\bfile (?:no|number)\b", re.IGNORECASE)  # above the name's line
_FORMER = re.compile(rf"\bformer(?:ly|\sname)(?:\sknown\sas)?:?\s[“\"]?{_NAME}")
_SIGNED = re.compile(r"(?:duly authorized\.?|SIGNATURES?)\s{1,9}([A-Z][^\n]{2,80})\n\s{0,40}(?:\(Registrant\)|By:)")
_EXCHANGE = r"(?:the )?(?:new york stock exchange|nasdaq|nyse|london stock exchange|euronext)"
_SYMBOL = re.compile(
    rf"(?i:\({_EXCHANGE}:\s?)(?P<listed>[A-Z]{{1,5}})\b|(?i:\bsymbols?:?)\s[“\"‘]?(?P<called>[A-Z]{{1,5}})\b"
    rf"|\s(?P<beside>[A-Z](?:[A-Za-z]{{0,3}}[A-Z])?)[\s|—-]{{1,5}}(?i:{_EXCHANGE})"
)
_BEFORE = re.compile(r"([^\n(|]{2,90}?)[\s_]{0,60}\(?\s{0,9}exact name of (?:the )?registrant", re.IGNORECASE)
_LISTED = re.compile(
    r"\b((?:[a-z]?[A-Z][\w&.’'-]*,?\s){1,5})"
    r"(?:\([^()\n]{0,20}(?:NYSE|N[Aa][Ss][Dd][Aa][Qq]|LSE|TSX)[^()\n]{0,30}\)|today (?:reported|announced))"
)
_CALLED = re.compile(r"\([^()\n]{0,90}[“\"](?:the )?(?:Company|we|us|our|Registrant)[,”\"’][^()\n]{0,60}\)")
_QUOTED = re.compile(r"[“\"](?:the\s)?([A-Z][\w’'&-]*)[,”\"]")
_RUN = re.compile(r"[A-Z][\w&.-]*(?:\s(?:(?:of|and|&|de|for|the)\s)?[A-Z][\w&.-]*)*")
# Before a name: it is a part or another company; what changes "in" something is not placed there.
_PLACED = re.compile(
    r"(?:(?<!change )(?<!increase )(?<!decrease )(?<!growth )\bin|\b(?:from|to|with))\s(?:the\s)?$|['’]s?\s$"
)
_DOES = re.compile(r"\b(?:do|does|did)\s(?:the\s)?$")
_LEAST = 2  # times that a document names what it is about
_OFTEN = 5_000  # characters of a document in which its subject is named once at least
_ALWAYS = 5  # times as often: a document is about it
_LEAST_LETTERS = 3


def filer_names(document: Tabled) -> frozenset[str]:
    """The names of the company whose report a document is, as it writes them; made once."""
    return document.memo("filer", lambda: _filer_names(document))


def speaker(document: Tabled) -> frozenset[str]:
    """The keys of the words by which a report names who writes it, whom it calls "we" or "the Company"."""
    return document.memo("speaker", lambda: _speaker(document))


def _speaker(document: Tabled) -> frozenset[str]:
    cover = document.text[:_COVER]
    names = [match[1] for pattern in (_BEFORE, _LISTED) for match in islice(pattern.finditer(cover), 1)]
    if _BEFORE.search(cover) and document.title and " — " in document.title:
        names.append(document.title.partition(" — ")[0])
    if names:
        names += [name for match in _CALLED.finditer(document.text) for name in _QUOTED.findall(match[0])]
    from citewell.facts.tokens import tokens  # with WordNet, which figures of tables do without

    words, common = (tokens(name) for name in names), listed("speakers", "forms") | listed("speakers", "shared")
    return frozenset(
        word.keys[n]
        for word in words
        for n in range(len(word))
        if word.content[n] and word.lower[n] not in common and not word.text[slice(*word.span(n))].islower()
    )


def _cover_names(text: str) -> frozenset[str]:
    """The names that a report gives its company on its cover, or where it is signed."""
    patterns = (_REGISTRANT, _DEFINED, _REFERRED, _FORMER)
    match = [match[1] for pattern in patterns for match in pattern.finditer(text[:_COVER])]
    match += [match[1] for match in _SIGNED.finditer(text[-_COVER:])]
    return frozenset(
        " ".join(name.split()).strip(" _|") for name in match if _telling(name) and not _NUMBER.search(name)
    )


def _filer_names(document: Tabled) -> frozenset[str]:
    names = _cover_names(document.text)
    symbols = frozenset(match[match.lastgroup or 0] for match in _SYMBOL.finditer(document.text))
    for pattern in (_DEFINED, _LISTED, _MEANT):
        names = names or frozenset(" ".join(match[1].split()) for match in islice(pattern.finditer(document.text), 1))
    joined = ("".join(name.split()[:2]) for name in names)  # "ExxonMobil" of "Exxon Mobil Corporation"
    return names | symbols | frozenset(name for name in joined if name in document.text)


def names_asked(question: str, document: Tabled) -> frozenset[str]:
    """The names of a question that a document without a cover is about, and that are no part of it."""
    if filer_names(document):
        return frozenset()
    matches = [match for match in _RUN.finditer(question) if not _PLACED.search(question[: match.start()])]
    runs = [(" ".join(_without_stopwords(match[0].split())), match) for match in matches]
    return frozenset(run for run, match in runs if run and _is_subject(run, document, owns=_owns(question, match)))


def _owns(question: str, match: re.Match[str]) -> bool:
    """Whether what is asked for is a name's own, or what it does: "Ostland's expenditure", "does Ostland plan"."""
    return question[match.end() :][:2] in ("'s", "’s") or _DOES.search(question[: match.start()]) is not None


def _without_stopwords(run: list[str]) -> list[str]:
    """A run of capitals without the words that begin a question."""
    return list(dropwhile(lambda word: word.lower() in stopwords()["en"], run))


def _is_subject(name: str, document: Tabled, *, owns: bool) -> bool:
    """Whether a document is about a name: it has it often, on its first pages or lines, and no figures under it.

    One that it has all the time and that owns what is asked for, or does what is asked, is its subject whatever the
    labels: a country's budget.
    """
    text, labels = document.text, document.memo("labels", lambda: _labels(document))
    if " " in name:  # a cover prints it in capitals
        text, name = document.memo("folded", text.casefold), name.casefold()
    head = " ".join(name.split()[:2])  # without its legal form
    times, often = text.count(head), max(_LEAST, len(text) / _OFTEN)
    if owns and times >= _ALWAYS * often:
        return True
    known = name in text and times >= _LEAST and (times >= often or head in text[:_COVER])
    known |= " " in name and any(line.startswith(name) for line in text[:_TITLE].split("\n"))
    return known and not any(label.startswith(name.lower()) for label in labels)


def _labels(document: Tabled) -> frozenset[str]:
    """What the rows and columns of figures of a year are called, in lower case."""
    cells = (cell for table in document.tables() for cell in table.values() if cell.value and cell.year)
    return frozenset(part.strip().lower() for cell in cells for part in (*cell.row_path, *cell.column_path))


def _telling(name: str) -> bool:
    """Whether a name has a word that is no common one and no legal form."""
    parts, forms = [part.strip(".,’'").lower() for part in name.split()], listed("speakers", "forms")
    return any(len(part) >= _LEAST_LETTERS and part not in forms and not _common(part) for part in parts)


def _common(word: str) -> bool:
    return word in stopwords()["en"] or terms((word,))[0] in background("en")[0]
