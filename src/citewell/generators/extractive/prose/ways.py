"""The answering sentences of each method, with their confidence; None leaves the question to the reader."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from citewell.document import Document
from citewell.facts.filer import filer_names
from citewell.generators.extractive.prose.asking import Asking, pattern
from citewell.generators.extractive.prose.definitions import FAIR, GOOD, definitions
from citewell.generators.extractive.prose.salience import (
    Pick,
    Sentence,
    beginning,
    best,
    content,
    is_prose,
    paragraph,
    says_what_it_is,
    sentences,
)
from citewell.generators.extractive.prose.sorts import OF_COMPANIES, kind_of
from citewell.generators.extractive.prose.standing import reads_alone
from citewell.generators.extractive.prose.titles import CALLED, title
from citewell.text.headings import COMMON_HEADING
from citewell.text.words import terms as stems
from citewell.types import Segment
from citewell.types.overview import DocumentKind

ABOUT, THEME, SEAT = 3, 4, 2  # sentences at most
_LIKELY = {"about": 0.85, "business": 0.8, "theme": 0.7, "seat": 0.8, "definition": 0.85}
_LEAST_ABOUT = 1.5  # of the weight of a sentence that tells what a document is about
_CLEAR = 3.0  # weight of a sentence that surely tells what a document is about
_UNCLEAR, _OPEN = 0.55, 0.4  # how likely others are to; how likely one is that has little of what such sentences have
_BESIDE = 0.65  # of the best one's weight that others have at least
_TITLE = 3  # content words of a title that tells what a document is about
_TOPICS = 8  # of minutes
_COVER = 15_000  # characters in which a cover names an address
_OFTEN = 2  # sentences that have all words of a theme, where no heading names it

_OF_NO_COMPANY: tuple[DocumentKind, ...] = (
    "paper", "specification", "contract", "bylaws", "law", "policy", "manual", "guideline", "minutes",
)  # fmt: skip
_TOPIC = re.compile(r"\d{1,2}[.)]? [A-Z][^\n.;:?!]{3,60}")
_COUNT = re.compile(r"\d+")
_MIXED = re.compile(r"\b\d[a-z]\w*")  # "3M" is a name


class Selection(NamedTuple):
    """Sentences that answer, in the document's order, and the chance that they do."""

    picks: tuple[Pick, ...]
    sure: float


def select(wanted: Asking, documents: Sequence[Document]) -> Selection | None:
    """What answers by a way; None where nothing clearly does."""
    picks = _WAYS[wanted.way](wanted, documents)
    if not picks:
        return None
    sure = _LIKELY[wanted.way] * (max(pick.score for pick in picks) if wanted.way == "definition" else 1.0)
    if wanted.way == "about":
        most = max(pick.score for pick in picks)
        sure = sure if most >= _CLEAR else _UNCLEAR if most > _LEAST_ABOUT else _OPEN
    return Selection(tuple(picks), sure)


def _about(_: Asking, documents: Sequence[Document]) -> list[Pick]:
    """The title, and the sentences that tell what the documents are about; the best one, where none says so."""
    picks = list[Pick]()
    for document in documents:
        if kind_of(document) == "minutes" and (topics := _agenda(document)):
            picks += [Pick(document, heading, _CLEAR) for heading in (*_titled(document, 1), *topics)]
            continue
        picks += [Pick(document, heading, _LEAST_ABOUT) for heading in _titled(document)]
        every = sentences(document)
        first = beginning(document)
        telling = [each for each in every if each.weight >= _LEAST_ABOUT and not _is_clause(document, each)]
        telling = [each for each in first if each in telling] or telling
        if kind_of(document) == "contract":  # where its preamble does not tell, its first clause does
            every = tuple(each._replace(weight=-each.segment.start) for each in every if each.weight > 0)
        chosen = best(telling, ABOUT, within=document) or best(every, 1, within=document)
        most = _BESIDE * max((each.weight for each in chosen), default=0.0)
        chosen = [each for each in chosen if each.weight >= most or len(chosen) == 1]
        chosen = _of_the_best(chosen, {each.segment.start for each in first if speaks_of(document, each.segment)})
        picks += [Pick(document, each.segment, each.weight) for each in chosen]
    return picks


def speaks_of(document: Document, segment: Segment) -> bool:
    """Whether a sentence itself says that it speaks of the document, or of what its title names."""
    text = segment.text
    return segment.kind != "list_item" and (
        pattern("says_about").search(text) is not None or says_what_it_is(document, text)
    )


def _of_the_best(chosen: Sequence[Sentence], besides: Collection[int] = ()) -> list[Sentence]:
    """The best of some sentences and what else stands in its paragraph; of other paragraphs those that begin there."""
    if not chosen:
        return []
    home = paragraph(max(chosen, key=lambda each: each.weight).segment)
    return [each for each in chosen if paragraph(each.segment) == home or each.segment.start in besides]


def _is_clause(document: Document, sentence: Sentence) -> bool:
    """Whether a sentence of a contract is one of its rules: what it is about is told by its preamble, or of itself."""
    return kind_of(document) == "contract" and pattern("says_about").search(sentence.segment.text) is None


def _agenda(document: Document) -> list[Segment]:
    """The headings of the first level below the title of minutes that say what was talked about."""
    named = title(document)
    begins = named.at.end if named and named.at else 0
    below = [block for block in document.blocks if block.kind == "heading" and block.start >= begins]
    counts = Counter(block.level for block in below)
    level = min((level for level, count in counts.items() if count > 1), default=0)
    topics = [document.segment_at(block.start) for block in below if block.level == level]
    if not topics:  # numbered lines stand for headings
        numbered = (block for block in document.blocks if block.kind == "list_item" and block.start >= begins)
        topics = [
            document.segment_at(block.start)
            for block in numbered
            if _TOPIC.fullmatch(document.text, block.start, block.end)
        ]
    times = Counter(_COUNT.sub("", each.text) for each in topics)  # "Week 1", "Week 2" are no topics
    topics = [each for each in topics if times[_COUNT.sub("", each.text)] == 1]
    return [each for each in topics if not pattern("agenda_plain").match(each.text)][:_TOPICS]


def _titled(document: Document, least: int = _TITLE) -> list[Segment]:
    """The line of a document that is its title, where its words say more than what sort of document it is."""
    named = title(document)
    line = document.segment_at(named.at.start) if named and named.at else None
    if named is None or named.at is None or line is None or named.at.end > line.end or line.kind != "heading":
        return []
    return [line] if len(content(named.text)) >= least and not COMMON_HEADING.match(named.text) else []


def _business(_: Asking, documents: Sequence[Document]) -> list[Pick]:
    """The sentences that say what a company does, those of the section on its business first."""
    picks = list[Pick]()
    for document in documents:
        does = [each for each in sentences(document) if _does(document, each.segment)]
        if kind_of(document) not in OF_COMPANIES and not any(_is_company(each.segment) for each in does):
            continue
        ranked = [each._replace(weight=each.weight + 2 * _heads_business(each.segment)) for each in does]
        chosen = [each for each in best(ranked, ABOUT) if each.weight >= _LEAST_ABOUT]
        picks += [Pick(document, each.segment, each.weight) for each in _of_the_best(chosen)]
    return picks


def tells_business(segment: Segment) -> bool:
    """Whether a sentence tells the whole of a business: it says what sort of body it is, or its heading is that."""
    return _is_company(segment) or any(pattern("business_heading").fullmatch(path) for path in segment.path[-3:])


def _does(document: Document, segment: Segment) -> bool:
    """Whether a sentence says early what the company itself does: "we", "the company", or by its name.

    In a document that is no company's own, such as a report on one, only its name in the title or its definition tells.
    """
    match = pattern("does").search(segment.text)
    if match is None or match.start() > len(segment.text) // 2 or kind_of(document) in _OF_NO_COMPANY:
        return False
    if CALLED.search(match[0]):
        return False  # "our annual report offers" is of what lies before the reader
    texts = (" ".join((document.title or "", *filer_names(document))), match[0])
    names, first = (frozenset((*content(text), *_MIXED.findall(text.lower()))) for text in texts)
    speaks = pattern("ours").match(match[0]) is not None and kind_of(document) in OF_COMPANIES
    return speaks or bool(names & first)


def _is_company(segment: Segment) -> bool:
    """Whether a sentence says of its subject that it is a company or another body."""
    match = pattern("does").search(segment.text)
    return match is not None and pattern("is_body").match(segment.text, match.end()) is not None


def _heads_business(segment: Segment) -> bool:
    return any(
        pattern("business_heads").search(path) and not pattern("dangers").search(path) for path in segment.path[-3:]
    )


def _seat(_: Asking, documents: Sequence[Document]) -> list[Pick]:
    """The sentence that says where the headquarters of the document's own company is, else the address on a cover."""
    for document in documents:
        seats = [segment for segment in document.segments("sentence") if _says_seat(segment)]
        of_company = [
            each for each in seats if _of_company(document, each) and not pattern("not_now").search(each.text)
        ]
        if of_company:
            return [Pick(document, of_company[0], 1.0)]
        if address := _cover_address(document):
            return [Pick(document, segment, 1.0) for segment in address]
        if len(seats) == 1 and kind_of(document) not in _OF_NO_COMPANY:
            return [Pick(document, seats[0], 1.0)]
    return []


def _of_company(document: Document, segment: Segment) -> bool:
    """Whether a sentence on a seat is of the document's own company, not of a part of it or of another one."""
    match = pattern("seat_says").search(segment.text)
    before = segment.text[: match.start()] if match else ""
    title = frozenset(content(document.title or ""))
    ours = [match.end() for match in pattern("ours").finditer(segment.text[: match.end()] if match else "")]
    return bool(ours and len(before) - ours[-1] < 30) or bool(title & frozenset(content(before)))


def _says_seat(segment: Segment) -> bool:
    """Whether a place stands behind the words for a seat: "headquartered in Boston"."""
    match = pattern("seat_says").search(segment.text)
    behind = segment.text[match.end() :].lstrip(" ,") if match else ""
    based = match is not None and match[0].lower() == "based in" and behind[:1].isupper()
    return is_prose(segment) and (based or pattern("place").match(behind) is not None)


def _cover_address(document: Document) -> list[Segment]:
    """The lines of an address above the words that name it on a cover."""
    lines = list(takewhile(lambda each: each.start < _COVER, document.segments("sentence")))
    for number, line in enumerate(lines):
        named = pattern("seat_address").search(line.text)
        if named and re.search(r"\d", line.text[: named.start()]):
            return [line]  # the address and what it is stand in one line
        if named and number:
            above = [each for each in lines[max(0, number - SEAT) : number] if not each.text.lstrip().startswith("(")]
            return [each for each in above if re.search(r"\d", each.text)] or above[-1:]
    return []


def _definition(wanted: Asking, documents: Sequence[Document]) -> list[Pick]:
    """The clearest definition; where nothing but a meaning can be asked for, one in passing is enough."""
    return [pick for pick in definitions(wanted.topic, documents) if pick.score >= (FAIR if wanted.alone else GOOD)][:1]


def _theme(wanted: Asking, documents: Sequence[Document]) -> list[Pick]:
    """The sentences of the sections that a theme names, else those that have its words."""
    topic = frozenset(stems(content(wanted.topic)))
    if not topic:
        return []
    picks = list[Pick]()
    for document in documents:
        prose = sentences(document)
        below = [
            each for each in prose if any(_names(path, topic) for path in each.segment.path[1:] or each.segment.path)
        ]
        having = [each for each in prose if topic <= frozenset(stems(each.terms))]
        chosen = below or (having if len(having) >= _OFTEN else [])
        ranked = [each._replace(weight=each.weight + 2 * _share(each, topic), part=_nearest(each)) for each in chosen]
        several = len({each.part for each in ranked}) >= THEME
        a_part = 1 if several else None
        if below and not several and (whole := _beginning(document, ranked)):
            picks += [Pick(document, each.segment, each.weight) for each in whole]
            continue
        chosen = best(ranked, THEME, a_part=a_part, within=document) or best(ranked, THEME, a_part=a_part)
        picks += [Pick(document, each.segment, each.weight) for each in chosen]
    return picks


def _beginning(document: Document, ranked: Sequence[Sentence]) -> list[Sentence]:
    """The first sentences of the section that says most, one behind the other; none where they lean on what precedes.

    They say less than the best of a whole section, but each has what it points at before it.
    """
    sections = dict[tuple[str, ...], list[Sentence]]()
    for each in ranked:
        sections.setdefault(each.segment.path, []).append(each)
    fullest = max(sections.values(), key=lambda several: sum(max(0.0, each.weight) for each in several))
    if not reads_alone(document, fullest[0].segment):
        return []
    joined = takewhile(lambda pair: follows(document, pair[0].segment, pair[1].segment), pairwise(fullest))
    return [fullest[0], *(second for _, second in joined)][:THEME]


def follows(document: Document, first: Segment, second: Segment) -> bool:
    """Whether nothing stands between two sentences."""
    return not document.text[first.end : second.start].strip()


def _nearest(sentence: Sentence) -> str:
    return sentence.segment.path[-1] if sentence.segment.path else ""


def _names(heading: str, topic: frozenset[str]) -> bool:
    words = frozenset(stems(content(heading)))
    return topic <= words and len(words) <= len(topic) + 3


def _share(sentence: Sentence, topic: frozenset[str]) -> float:
    return len(topic & frozenset(stems(sentence.terms))) / len(topic)


_WAYS = {"about": _about, "business": _business, "seat": _seat, "definition": _definition, "theme": _theme}
