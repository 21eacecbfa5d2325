"""Drafts of the sentences that a method found: each a statement with its exact source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from citewell.document import Document
from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.phrases.drafts import part_of, with_name
from citewell.generators.extractive.prose.asking import OF_ITSELF, POINTS, Asking, Way, asking, pattern
from citewell.generators.extractive.prose.enrolled import enrolled
from citewell.generators.extractive.prose.headcount import Count, headcount
from citewell.generators.extractive.prose.itself import about_itself
from citewell.generators.extractive.prose.labelled import asked_of
from citewell.generators.extractive.prose.points import goes_on, point
from citewell.generators.extractive.prose.reach import contacts, signatures
from citewell.generators.extractive.prose.sorts import OF_COMPANIES, kind_of
from citewell.generators.extractive.prose.ways import select
from citewell.generators.extractive.questions import analyse
from citewell.types import MAX_NEAREST, Abstention, Citation, Draft, Nearest, Segment, Span, Value
from citewell.types.overview import DocumentKind

_NONE: Mapping[Way, str] = {
    "about": "no sentence tells what it is about",
    "parties": "no sentence at its beginning names the parties",
    "law": "no sentence says which law applies",
    "term": "no sentence says how long it lasts",
    "business": "no sentence was found that says what {} does",
    "definition": "no sentence says what “{}” is",
    "theme": "neither a section nor a sentence is on “{}”",
    "signed": "no line with a signature was found",
    "contact": "the document gives no address, e-mail or phone number to write to or call",
    "price": "what the document is about is nothing that it names a price of",
    "headcount": "no sentence counts all who work there",
}
_HEADCOUNT = 0.85  # how likely a clear count of people is that of the whole company
_POINT = 0.8  # likewise of a sentence that makes the point of a contract that is asked for
_ENROLLED = 0.75  # likewise of those who were enrolled in a study
_LABELLED = 0.8  # likewise of a value whose label has all that is asked
_SHORT = 12  # words of a value that stands above its line
_SIGNED, _REACHED = 0.8, 0.75  # likewise of lines with a signature, and with an address
_TO_SIGN = 0.6  # that the parties of a contract are those who signed it
_NOTHING_SOLD: tuple[DocumentKind, ...] = (  # what these tell of costs are costs of others
    *OF_COMPANIES, "paper", "report", "minutes", "law", "bylaws",
)  # fmt: skip
_BREAKS = re.compile(r"[^\S\n\r\v\f\u2028\u2029]{0,20}[\n\r\v\f\u2028\u2029]\s*")


def answer_by_way(question: str, documents: Sequence[Document], method: str, least: float) -> Draft | None:
    """The answer of one of the ways; None where the question is of none, or where the general reader may know better.

    What a document or a theme is about, and what a company does, is told by no single sentence that has the words of
    the question: where the way finds nothing, it abstains.
    """
    wanted = asking(question)
    if wanted is None:
        return None
    if wanted.way in OF_ITSELF:
        if itself := about_itself(wanted.way, question, documents, method):
            return itself
        if wanted.way in ("in_force", "audience"):
            return None
        wanted = Asking("about")  # a sort of document that has no name
    if wanted.way in POINTS:
        return _points(question, wanted.way, documents, method, least)
    if wanted.way == "business" and (named := analyse(question).names):
        wanted = wanted._replace(topic=named[-1])
    if wanted.way == "headcount":
        counted = _counted(question, headcount(question, wanted.topic, documents), _HEADCOUNT, method, 0.0)
        if counted is None:
            return None if wanted.topic else _nothing(question, _NONE["headcount"], method, least)
        return counted if (counted.confidence or 0.0) >= least else counted.unsure(least)
    if wanted.way == "signed":
        return _signed(question, documents, method, least)
    if wanted.way == "contact":
        reached = [(pick.document, pick.segment) for pick in contacts(documents)]
        none = _nothing(question, _NONE["contact"], method, least)
        return _draft(question, reached, _REACHED, method) if reached else none
    if wanted.way == "price":
        sold = not all(kind_of(document) in _NOTHING_SOLD for document in documents)
        return None if sold else _nothing(question, _NONE["price"], method, least)
    if wanted.way == "enrolled":
        return _counted(question, enrolled(wanted.topic, documents), _ENROLLED, method, least)
    answer = select(wanted, documents)
    if answer is None and wanted.way == "business" and wanted.topic:  # a program or a project is no company
        answer = select(Asking("definition", wanted.topic, alone=True), documents)
    if answer is None or answer.sure < least:
        if wanted.way not in _NONE or (wanted.way == "definition" and not wanted.alone):
            return None
        if answer is None:
            return _nothing(question, _NONE[wanted.way].format(wanted.topic or "the company"), method, least)
    draft = _draft(question, [(pick.document, pick.segment) for pick in answer.picks], answer.sure, method)
    return draft if answer.sure >= least else draft.unsure(least)


def answer_by_label(question: str, reading: Reading, documents: Sequence[Document], method: str) -> Draft | None:
    """The value that stands behind what a question asks; None where no label has all of it.

    What is asked of the document itself its cover tells: a label further on may be of anything.
    """
    wanted = asking(question)
    fact = None if wanted and wanted.way in OF_ITSELF else asked_of(reading, documents)
    if fact is None:
        return None
    line = Span(fact.segment.start + fact.whole.start, fact.segment.start + fact.whole.end)
    segment = fact.segment._replace(text=fact.document.text[line.start : line.end], start=line.start, end=line.end)
    draft = _draft(question, [(fact.document, segment)], _LABELLED, method)
    if fact.segment.kind == "table_row" or len(fact.text.split()) > _SHORT:
        return draft
    begins = fact.value.start - fact.whole.start
    return with_name(draft, begins, len(segment.text))


def _nothing(question: str, message: str, method: str, least: float) -> Draft:
    low = Abstention("no_evidence", 0.0, least, message)
    return Draft("", question, method=method, origin="quoted", cites=True, confidence=0.0, abstention=low)


def _signed(question: str, documents: Sequence[Document], method: str, least: float) -> Draft:
    """The lines with signatures; the parties of a contract that has none, who are likely to be those who signed it."""
    if lines := signatures(documents):
        return _draft(question, [(pick.document, pick.segment) for pick in lines], _SIGNED, method)
    parties = _points(question, "parties", documents, method, least, _TO_SIGN)
    return parties if parties and not parties.abstention else _nothing(question, _NONE["signed"], method, least)


def _points(
    question: str, way: Way, documents: Sequence[Document], method: str, least: float, sure: float = _POINT
) -> Draft | None:
    """The sentences of contracts that make a point; where law is asked for the country or state is the short answer.

    None where a document is no contract, so that parties and terms of other sorts are for the general reader.
    """
    if any(kind_of(document) != "contract" for document in documents):
        return None
    made = ((document, point(POINTS[way], document)) for document in documents)
    picks = [(document, each) for document, segment in made if segment for each in goes_on(segment, document)]
    if not picks:
        return _nothing(question, _NONE[way], method, least)
    draft = _draft(question, picks, sure, method)
    place = pattern("laws_of").search(picks[0][1].text) if way == "law" and len(picks) == 1 else None
    return with_name(draft, *place.span(place.lastgroup or 0)) if place else draft


def _counted(question: str, count: Count | None, sure: float, method: str, least: float) -> Draft | None:
    """The sentence that counts people, with their number as the short answer."""
    if count is None or sure * count.score < least:
        return None
    draft = _draft(question, [(count.document, count.segment)], sure * count.score, method)
    source = draft.sources[0]
    number = part_of(source, count.number.start, count.number.end, draft, source.score)
    value = Value(number.quote, "number", count.people, scale=count.scale, citations=(1,))
    return replace(draft, sources=(source, number), value=value)


def _draft(question: str, picks: Sequence[tuple[Document, Segment]], sure: float, method: str) -> Draft:
    text, statements, sources, between = "", list[Span](), list[Citation](), ""
    for document, segment in picks:
        line = _BREAKS.sub(" ", segment.text.strip())
        start = len(text) + len(between)
        text += between + line
        between = "\n" if segment.kind == "heading" else " "  # a title ends without a mark
        statements.append(Span(start, len(text)))
        sources.append(Citation.of(segment, document.id, statements[-1], sure, method))
    return Draft(
        text,
        question,
        tuple(statements),
        sources=tuple(sources),
        method=method,
        origin="quoted",
        cites=True,
        confidence=sure,
        candidates=tuple(sources),
        nearest=tuple(map(Nearest, sources[:MAX_NEAREST])),
    )
