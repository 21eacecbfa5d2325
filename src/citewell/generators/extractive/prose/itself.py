"""Answers about the document itself: its title, author, publisher, date, length and kind, each with a citation.

What is told on the cover or in a sentence is quoted; what is counted or concluded is a sentence of ours that cites what
shows it. A document that does not tell gets an abstention that says so, never the nearest sentence with a like word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive.phrases.drafts import part_of
from citewell.generators.extractive.prose import particulars
from citewell.generators.extractive.prose.asking import Way, pattern
from citewell.generators.extractive.prose.salience import alone, is_prose, sentences
from citewell.generators.extractive.prose.sorts import kind_of
from citewell.generators.extractive.prose.titles import COVER, Particular, cover, title
from citewell.types import Abstention, Citation, Draft, Span, Value

_SURE = 0.85  # how likely a line of the cover is what it looks like
_NEAR = 8  # characters between a label and the day that it names
_FIRST = 0.34  # share of a document in which it says whom it is for: further on, each part may
_LONGEST = 300  # characters of a sentence that is quoted whole around what it tells
_ABOUT = 10  # words are counted in tens
_UNTOLD: Mapping[Way, str] = {
    "author": "no line was found that names its author",
    "publisher": "no line was found that names its publisher",
    "dated": "no line was found that dates it",
    "title": "the document has no title",
}


class Disclosure(NamedTuple):
    """What a document tells of itself: the place that is cited, and the words of ours where it is not quoted."""

    at: Span
    value: Value | None = None
    part: Span | None = None  # where the short answer stands in it
    sentence: str = ""


def about_itself(way: Way, question: str, documents: Sequence[Document], method: str) -> Draft | None:
    """The answer of each document that tells it, or an abstention; None where another way may know better."""
    known = [(document, disclosure) for document in documents if (disclosure := _WAYS[way](document)) is not None]
    blank = Draft("", question, method=method, origin="quoted", cites=True, confidence=_SURE)
    if not known:
        if way not in _UNTOLD:
            return None
        return replace(blank, confidence=0.0, abstention=Abstention("no_evidence", message=_UNTOLD[way]))
    text, statements, computed, sources = "", list[Span](), list[Span](), list[Citation]()
    for document, disclosure in known:
        line = disclosure.sentence or " ".join(document.text[disclosure.at.start : disclosure.at.end].split())
        start = len(text) + bool(text)
        text = f"{text} {line}" if text else line
        statements.append(Span(start, len(text)))
        computed += [statements[-1]] if disclosure.sentence else []
        segment = document.segment_at(disclosure.at.start)
        if (segment.start, segment.end) == tuple(disclosure.at):
            sources.append(Citation.of(segment, document.id, statements[-1], _SURE, method))
        else:
            sources.append(document.cite(disclosure.at, segment.id, statements[-1], score=_SURE, method=method))
    draft = replace(
        blank, text=text, statements=tuple(statements), computed=tuple(computed), sources=tuple(sources),
        candidates=tuple(sources),
    )  # fmt: skip
    return _with_value(draft, known[0][1]) if len(known) == 1 else draft


def _with_value(draft: Draft, disclosure: Disclosure) -> Draft:
    """The draft with its short answer, cited where it stands in the quoted line."""
    source = draft.sources[0]
    if disclosure.value is None:
        return draft
    if disclosure.part is None:
        return replace(draft, value=replace(disclosure.value, citations=(0,)))
    part = part_of(
        source,
        disclosure.part.start - disclosure.at.start,
        disclosure.part.end - disclosure.at.start,
        draft,
        source.score,
    )
    return replace(draft, sources=(source, part), value=replace(disclosure.value, citations=(1,)))


def _particular(
    find: Callable[[Document], Particular | None], kind: str, says: str
) -> Callable[[Document], Disclosure | None]:
    """A way that quotes what the cover tells, else the sentence that says it of this document."""

    def way(document: Document) -> Disclosure | None:
        known = find(document)
        if known is not None and known.at is not None:
            value = Value(known.text, kind)
            segment = document.segment_at(known.at.start)
            spoken = kind == "name" and is_prose(segment)  # a sentence that has a name does not say whose work this is
            inside = known.at.end <= segment.end and segment.end - segment.start <= _LONGEST and not spoken
            if inside and known.at != (segment.start, segment.end):
                return Disclosure(Span(segment.start, segment.end), value, known.at)
            return Disclosure(known.at, value)
        said = (each.segment for each in sentences(document) if says and pattern(says).search(each.segment.text))
        first = next(said, None)
        return Disclosure(Span(first.start, first.end)) if first else None

    return way


def _title(document: Document) -> Disclosure | None:
    known = title(document)
    if known is None:
        return None
    if known.at is not None:
        return Disclosure(known.at, Value(known.text, "name"))
    return Disclosure(_top(document), Value(known.text, "name"), sentence=f"The title is “{known.text}”.")


def _length(document: Document) -> Disclosure | None:
    """How many pages a document has; how many words, where its format has no pages. The end of it is cited."""
    last = document.segments("sentence")[-1]
    if pages := len(document.pages):
        count = Value(str(pages), "number", float(pages))
        return Disclosure(
            Span(last.start, last.end), count, sentence=f"The document has {pages} page{'s' * (pages != 1)}."
        )
    words = max(1, round(len(document.text.split()) / _ABOUT)) * _ABOUT
    count = Value(f"{words:,}", "number", float(words))
    return Disclosure(
        Span(last.start, last.end), count, sentence=f"The document has no pages, and about {words:,} words."
    )


def _sort(document: Document) -> Disclosure | None:
    kind = kind_of(document)
    article = "an" if kind[0] in "aeiou" else "a"
    disclosure = Disclosure(_top(document), Value(kind, "name"), sentence=f"The document is {article} {kind}.")
    return None if kind == "text" else disclosure


def _in_force(document: Document) -> Disclosure | None:
    """The first sentence that says when this document takes effect, or the line above the text with that day."""
    for segment in document.segments("sentence"):
        labels = segment.start < COVER and segment.kind != "table_row"
        label = pattern("in_force_label").match(segment.text) if labels else None
        says = label or pattern("in_force_says").match(segment.text)
        day = particulars.day(segment.text[says.end() :]) if says else None
        if says is None or (label and (day is None or day.start > _NEAR)):
            continue
        at = Span(segment.start, segment.end)
        if day is None:
            return Disclosure(at)
        begins = segment.start + says.end() + day.start
        return Disclosure(at, Value(day.text, "date"), Span(begins, begins + len(day.text)))
    return None


def _audience(document: Document) -> Disclosure | None:
    """The line above the text, or the sentence, that says whom this document is for: the one that tells most of it."""
    lines = (block for block in cover(document) if pattern("applies_to").match(document.text, block.start, block.end))
    if (line := next(lines, None)) is not None:
        return Disclosure(Span(line.start, line.end))
    meant = [
        each
        for each in sentences(document)
        if each.segment.start < _FIRST * len(document.text)
        and pattern("meant_for").search(each.segment.text)
        and alone(document, each.segment)
    ]
    best = max(meant, key=lambda each: each.weight, default=None)
    return Disclosure(Span(best.segment.start, best.segment.end)) if best else None


def _top(document: Document) -> Span:
    """What stands on top of a document: its title, else its first line."""
    known = title(document)
    first = document.segments("sentence")[0]
    return known.at if known and known.at else Span(first.start, first.end)


_WAYS: Mapping[Way, Callable[[Document], Disclosure | None]] = {
    "title": _title,
    "author": _particular(particulars.author, "name", "made_by"),
    "publisher": _particular(particulars.publisher, "name", "made_by"),
    "dated": _particular(particulars.date, "date", "made_on"),
    "length": _length,
    "sort": _sort,
    "in_force": _in_force,
    "audience": _audience,
}
