"""The number of a company's employees: the sentence that counts all of them, and its number.

"As of May 31, 2021, we had approximately 73,300 employees worldwide" does; a count of a segment, of those who joined a
plan or of those in one country does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citewell.document import Document
from citewell.facts.filer import filer_names
from citewell.generators.extractive.companies import called
from citewell.generators.extractive.prose.asking import pattern
from citewell.generators.extractive.prose.salience import content
from citewell.generators.extractive.prose.sorts import OF_COMPANIES, kind_of
from citewell.types import Segment, Span

_YEAR = re.compile(r"(?<![\d,.])(?:19|20)\d\d(?!\d|,\d)")
_DATED = re.compile(r"\b(?:as of|at) (?:the )?(?:end|year|[A-Z][a-z]+ \d|\d|fiscal|close)", re.IGNORECASE)
_BEFORE = 70  # characters before the verb in which its subject stands
_LEAST = 10  # people; fewer are a board or a group
_WHICH = re.compile(r"(?:^|[,;(] ?|\b(?:by|from|with|of) )(?P<who>[^,;(]+), (?:which|who) $")
_OURS = re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE)
_OTHERS = 0.6
_SCALES = {"million": 1e6, "thousand": 1e3}


class Count(NamedTuple):
    """A sentence that counts the people of a company.

    Attributes:
        number: offsets of the number in the sentence.
        people: how many, in units of `scale`.
        score: 0 to 1, how clearly it counts all of them.
    """

    document: Document
    segment: Segment
    number: Span
    people: float
    scale: float
    score: float


def headcount(question: str, names: str, documents: Sequence[Document]) -> Count | None:
    """The clearest count of a company's people, of the year that the question names; None where there is none.

    A document that is not called by a name of the question is of another company.
    """
    wanted = frozenset(content(names))
    years = set(_YEAR.findall(question))
    counts = [
        count
        for document in documents
        if wanted <= _called(document)
        for segment in document.segments("sentence")
        if (count := _count(document, segment)) and _of_time(years, question, segment.text)
    ]
    return max(counts, key=lambda count: count.score, default=None)


def _called(document: Document) -> frozenset[str]:
    """The words of a document's names: its title, its file, its company."""
    return frozenset(content(" ".join((*called(document), *filer_names(document)))))


def _of_time(years: set[str], question: str, text: str) -> bool:
    """Whether a sentence is not of another year; a fiscal year may end in the next one."""
    dated = set(_YEAR.findall(text))
    if "fiscal" in question.lower():
        years = years | {str(int(year) + 1) for year in years}
    return not years or not dated or bool(years & dated)


def _count(document: Document, segment: Segment) -> Count | None:
    if "|" in segment.text or not re.search(r"\d", segment.text):
        return None
    for name, score in (("people_had", 1.0), ("people_ours", 0.85), ("people_number", 0.85)):
        for match in pattern(name).finditer(segment.text):
            if not _whole(document, segment.text, match, has_subject=name == "people_had"):
                continue
            scale = _SCALES.get((match["scale"] or "").strip().lower(), 1.0)
            people = float(match["n"].replace(",", ""))
            if people * scale >= _LEAST:
                end = match.end("scale") if match["scale"] else match.end("n")
                clear = score if _DATED.search(segment.text) else score - 0.1
                if kind_of(document) not in OF_COMPANIES and not _OURS.search(segment.text):
                    clear *= _OTHERS  # "the company" of a newsletter or a report is any one
                return Count(document, segment, Span(match.start("n"), end), people, scale, clear)
    return None


def _whole(document: Document, text: str, match: re.Match[str], *, has_subject: bool) -> bool:
    """Whether all people of the document's own company are counted, not those of a part, a plan or a place."""
    before, behind = text[max(0, match.start() - _BEFORE) : match.start()], text[match.end() :]
    if another := _WHICH.search(before):
        before = another["who"]
    if pattern("people_part").search(before) or pattern("people_some").match(behind):
        return False
    if not has_subject:
        return True
    return pattern("ours").search(before) is not None or bool(_called(document) & frozenset(content(before)))
