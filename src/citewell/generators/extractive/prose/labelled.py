"""Facts that a document gives as a label and its value: "Owner: Ida Kestrel", a row "Final payment | on delivery".

A question is answered by one whose label has all that is asked, in its own words or in related ones: "Who owns the
policy?" by the value of "Owner".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.kinds import FIGURES
from citewell.generators.extractive.premises import asked_words
from citewell.generators.extractive.prose.quotable import LABELLED, quotable
from citewell.generators.extractive.prose.salience import content
from citewell.generators.extractive.questions import Kind
from citewell.generators.extractive.settings import words
from citewell.text.words import terms
from citewell.types import Segment, Span

_LONGEST_LABEL, _LONGEST = 5, 40  # words of a label, of a value
_ABBREVIATION = 5  # letters, at most
_CELLS = 4  # of a row that gives a value
_MORE = 1  # content words that a label may have beside those of the question: "Job title"
_GENERAL = frozenset("name names title date dates number type details information address amount".split())
_EMPTY = re.compile(r"\W*+(?:tba|tbd|tbc|n/?a|none|nil|unknown|pending)?\W*+$", re.IGNORECASE)
_NOT_ASKED: tuple[Kind, ...] = ("reason", "manner", "yes_no", "percent")
_DUE = ("due",)  # what is due is told by the time alone
_NEXT = re.compile(r"\s(?=[A-Z][\w’'-]*(?: [a-z][\w’'-]*){0,2}: )")  # the next label in the same line
_FIGURE = re.compile(r"\d")
_NAME = re.compile(r"\W*(?:(?:Mr|Ms|Mrs|Dr|Prof)\.? )?[A-Z0-9][\w’'.&-]*")


class Labelled(NamedTuple):
    """A label and its value: the offsets of both together, and of the value, in the segment that has them."""

    document: Document
    segment: Segment
    label: str
    whole: Span
    value: Span

    @property
    def text(self) -> str:
        """The value."""
        return self.segment.text[self.value.start : self.value.end]


def labelled(document: Document) -> tuple[Labelled, ...]:
    """The facts of a document that are given as a label and its value, in order."""
    return document.memo("labelled", lambda: tuple(_labelled(document)))


def _labelled(document: Document) -> Iterator[Labelled]:
    for segment in document.segments("sentence"):
        if segment.kind == "heading":
            continue
        if segment.kind == "table_row":
            label, bar, rest = segment.text.partition(" | ")
            if bar and rest.count(" | ") < _CELLS - 1 and _is_label(label) and quotable(segment):
                size = len(segment.text)
                yield Labelled(document, segment, label, Span(0, size), Span(len(label) + len(bar), size))
            continue
        at = 0
        for line in segment.text.split("\n"):
            yield from _of_line(document, segment, line, at)
            at += len(line) + 1


def _of_line(document: Document, segment: Segment, line: str, at: int) -> Iterator[Labelled]:
    begins = [0, *(match.end() for match in _NEXT.finditer(line))]
    for start, end in zip(begins, [*begins[1:], len(line)], strict=True):
        match = LABELLED.fullmatch(line[start:end].rstrip())
        if not match or _EMPTY.match(match["value"]):
            continue
        if _is_label(match["label"]) and len(match["value"].split()) <= _LONGEST:
            first, last, value = (at + start + place for place in (*match.span(), match.start("value")))
            yield Labelled(document, segment, match["label"], Span(first, last), Span(value, last))


def _is_label(text: str) -> bool:
    """Whether a text may be a label; letters that are short for something name no owner or author."""
    short = len(text) <= _ABBREVIATION and text.isupper()
    return len(text.split()) <= _LONGEST_LABEL and any(map(str.isalpha, text)) and not short


def asked_of(reading: Reading, documents: Sequence[Document]) -> Labelled | None:
    """The fact whose label has what a question asks; None where there is none, or several tell different things."""
    kind = reading.question.kind
    asked = [word.lower() for _, word in asked_words(reading) if word.lower() not in (*words("pale"), *_DUE)]
    if kind in _NOT_ASKED or not asked or len(asked) > _LONGEST_LABEL:
        return None
    facts = [fact for document in documents for fact in labelled(document)]
    known = [*asked, *content(reading.question.text)]
    fitting = [fact for fact in facts if _fits(kind, fact)]
    akin = _same if kind in FIGURES else _akin
    ranked = [(more, fact) for fact in fitting if (more := _more(fact.label, asked, known, akin)) is not None]
    least = min((more for more, _ in ranked), default=0)
    best = [fact for more, fact in ranked if more == least]
    values = {" ".join(fact.text.partition(" | ")[0].lower().split()) for fact in best}
    return best[0] if len(values) == 1 else None


def _more(label: str, asked: Sequence[str], known: Sequence[str], akin: Callable[[str, str], bool]) -> int | None:
    """How many words a label has that no word of the question is akin to; None where it lacks one that is asked."""
    named = content(label)
    if not named or len(named) > len(known) + _MORE:
        return None
    if not all(any(akin(word, other) for other in named) for word in asked):
        return None
    beside = [other for other in named if not any(akin(word, other) for word in known)]
    head = beside[-1:] == named[-1:] and named[-1] not in _GENERAL  # a "meeting video" is no meeting
    return len(beside) if len(beside) <= _MORE and not head else None


def _same(word: str, other: str) -> bool:
    """Whether two words are forms of one."""
    first, second = terms((word, other))
    return first == second


def _akin(word: str, other: str) -> bool:
    """Whether a word is a form of another, of the same root, or means the same."""
    from citewell.facts.kinship import Kinship, kinship  # WordNet, which figures do without

    return kinship(word, other) in (Kinship.SAME, Kinship.FORM, Kinship.DERIVED, Kinship.SYNONYM, Kinship.KIN)


def _fits(kind: Kind, fact: Labelled) -> bool:
    """Whether a value is of the kind that is asked for; the figures of rows are read cell by cell."""
    if kind in FIGURES or kind == "date":
        return _FIGURE.search(fact.text) is not None and (kind == "date" or fact.segment.kind != "table_row")
    return _NAME.match(fact.text) is not None if kind in ("person", "place") else True
