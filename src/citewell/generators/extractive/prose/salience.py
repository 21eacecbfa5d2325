"""How well each sentence describes the topic of its document: position, wording, shared words.

The weights stand in `settings.json`. A sentence is judged once a document; which are chosen depends on the question.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from citewell.document import Document
from citewell.generators.extractive.prose.asking import PACKAGE, pattern
from citewell.generators.extractive.prose.statements import ITEM, is_statement
from citewell.text import data
from citewell.text.stopwords import stopwords
from citewell.text.words import words
from citewell.types import Segment

LEAST_WORDS, MOST_WORDS = 7, 45  # of a sentence that says enough alone and is read at a glance
_LONGEST = 160  # words; beyond them it is no sentence but a list or a run of cells
_FIRST = 0.1  # share of a document in which position counts
_MARKUP = re.compile(r"</?\w+>|\s\|\s")
_FRAGMENT = re.compile(r"\W{0,20}(?:[a-z0-9]{1,3}[.)]\s\W{0,20})?[a-z]|\(")  # the rest of a sentence, an item
_ENDS = re.compile(r"[.!?:;][\"'”’)\]\d]*$")
_ALONE = re.compile(rf"[\"“'‘(]{{0,2}}{ITEM}(?!(?:Notes?|Sources?):)[\"“]?[A-Z][^*☐☑<>]*[.!?][\"'”’)\]\d]*")
_FOLLOWS = re.compile(r"agrees? as follows:\s*$", re.IGNORECASE)  # the preamble of a contract is whole
_PREAMBLE = 20  # words of a sentence that may end with a parenthesis: "... (together the “Parties”)"
_IS_A = re.compile(
    r"(?: \([^)]{1,60}\))?,? (?:is|are|was|were) (?:an?|the|one of)\b"
    r"(?! (?:(?:good|prime|perfect|typical|clear|classic|recent) )?(?:case|example|instance|reminder|exception)\b)",
    re.IGNORECASE,
)
_BEGINS, _AT_LEAST = 0.34, 15  # share of the sentences of a document that are its beginning, and how many at least
_NAME = 5  # words of a title that may be what a thing is called
_BACK = re.compile(
    r"^(?:it|this|these|those|they|he|she|such|however|therefore|moreover|furthermore|also|but|and|thus|hence|then|"
    r"in addition|as a result|for example|for instance|instead|similarly|additionally|consequently|nevertheless)\b"
    r"(?! (?:[\w-]+ ){0,3}(?:paper|report|article|study|document|agreement|contract|work|policy|review|guide|act))",
    re.IGNORECASE,
)


class Pick(NamedTuple):
    """A sentence of a document and how well it answers, higher is better."""

    document: Document
    segment: Segment
    score: float


class Sentence(NamedTuple):
    """A prose sentence of a document with its weight, its terms in lower case, and its top heading."""

    segment: Segment
    weight: float
    terms: frozenset[str]
    part: str


def weight(name: str) -> float:
    """A weight of `settings.json`."""
    return data.settings(PACKAGE)[name]


def content(text: str) -> list[str]:
    """The words of a text in lower case that are neither function words nor figures."""
    stop = stopwords()["en"]
    return [word for word in map(str.lower, words(text).spellings) if word not in stop and word[:1].isalpha()]


def sentences(document: Document) -> tuple[Sentence, ...]:
    """The prose sentences of a document, in order, each with its weight; made once."""
    return document.memo("salience", lambda: tuple(_sentences(document)))


def beginning(document: Document) -> tuple[Sentence, ...]:
    """The prose sentences that speak of a whole document if they speak of one: those of its first third."""
    every = sentences(document)
    return every[: max(_AT_LEAST, int(_BEGINS * len(every)))]


def paragraph(segment: Segment) -> str:
    """Which paragraph a sentence stands in."""
    return segment.id.partition(".")[0]


def is_prose(segment: Segment) -> bool:
    """Whether a segment is a sentence that can be quoted alone: words that end as sentences do, no row, no heading."""
    text = segment.text.strip()
    ends = _ENDS.search(text) is not None or (text.endswith(")") and len(text.split()) >= _PREAMBLE)
    spoken = segment.kind in ("paragraph", "list_item") and ends
    return spoken and not _MARKUP.search(text) and sum(map(str.isalpha, text)) > 0.6 * len(text)


def says_what_it_is(document: Document, text: str) -> bool:
    """Whether a sentence begins by saying what the name in the title stands for: "skiff (formerly tender) is a ..."."""
    name = document.title or ""
    opens = re.match(r"(?:the )?", text, re.IGNORECASE)
    begins = opens.end() if opens else 0
    called = 0 < len(name.split()) <= _NAME and text[begins:].startswith(name)
    return called and _IS_A.match(text, begins + len(name)) is not None


def stands_alone(segment: Segment) -> bool:
    """Whether a sentence is whole where it is quoted without its neighbours: no item, no announcement, no footnote."""
    text = _FOLLOWS.sub("agree.", " ".join(segment.text.split()))
    promises = _FOLLOWS.search(segment.text) is not None
    return _ALONE.fullmatch(text) is not None and (promises or is_statement(segment.text))


def alone(document: Document, segment: Segment) -> bool:
    """Whether a sentence of a document is whole alone; a name that its title spells so may begin it small."""
    return stands_alone(segment) or (says_what_it_is(document, segment.text) and segment.text.rstrip()[-1:] in ".!")


def _sentences(document: Document) -> Iterable[Sentence]:
    prose = [segment for segment in document.segments("sentence") if is_prose(segment)]
    terms = [frozenset(content(segment.text)) for segment in prose]
    counts = Counter(term for each in terms for term in each)
    most = math.log(1 + max(counts.values(), default=1))
    title = frozenset(content(document.title or ""))
    reach, begins = _FIRST * len(document.text), prose[0].start if prose else 0
    before = ""
    for segment, words_here in zip(prose, terms, strict=True):
        text, size = segment.text, len(segment.text.split())
        opens = paragraph(segment) != before
        before = paragraph(segment)
        central = sum(math.log(1 + counts[term]) for term in words_here) / (most * max(8, len(words_here)))
        headings = " | ".join(segment.path[1:] or segment.path)
        value = (
            weight("says_about") * bool(pattern("says_about").search(text))
            + weight("named") * (named := says_what_it_is(document, text))
            + weight("does") * bool(pattern("does").search(text))
            + weight("first") * max(0.0, 1 - (segment.start - begins) / max(1.0, reach))
            + weight("opening") * _heads("opening", headings)
            + weight("leads") * opens
            + weight("title") * (len(words_here & title) / len(title) if title else 0.0)
            + weight("central") * central
            + weight("figures") * min(1.0, 10 * sum(word[:1].isdigit() for word in text.split()) / max(1, size) / 3)
            + weight("boilerplate") * bool(pattern("boilerplate").search(text))
            + weight("closing") * _heads("closing", headings)
            + weight("short") * (size < LEAST_WORDS)
            + weight("long") * (size > MOST_WORDS)
            + weight("points_back") * bool(_BACK.match(text))
            + weight("fragment") * (_FRAGMENT.match(text) is not None and not named)
            + weight("announces") * (text.rstrip().endswith(":") and not _FOLLOWS.search(text))
            + weight("dangers") * _heads("dangers", headings)
        )
        if size <= _LONGEST:
            yield Sentence(
                segment, value, words_here, segment.path[1] if len(segment.path) > 1 else "".join(segment.path[:1])
            )


def _heads(name: str, headings: str) -> bool:
    return re.search(rf"\b(?:{pattern(name).pattern})", headings, re.IGNORECASE) is not None


def best(
    ranked: Iterable[Sentence], most: int, *, a_part: int | None = None, within: Document | None = None
) -> list[Sentence]:
    """The best sentences of different content, at most `a_part` of one part, in the document's order.

    Of a document that is named `within` those only that are whole alone.
    """
    kept: list[Sentence] = []
    for sentence in sorted(ranked, key=lambda each: (-each.weight, each.segment.start)):
        if len(kept) == most:
            break
        if within is not None and not alone(within, sentence.segment):
            continue
        if a_part is not None and sum(other.part == sentence.part for other in kept) >= a_part:
            continue
        if not any(_alike(sentence, other) for other in kept):
            kept.append(sentence)
    return sorted(kept, key=lambda each: each.segment.start)


def _alike(first: Sentence, second: Sentence) -> bool:
    common = len(first.terms & second.terms)
    return common >= weight("alike") * max(1, min(len(first.terms), len(second.terms)))
