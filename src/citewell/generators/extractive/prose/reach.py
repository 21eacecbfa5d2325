"""Who signed a document and how its people are reached: lines with a signature, an e-mail address or a phone number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citewell.document import Document
from citewell.generators.extractive.prose.asking import pattern
from citewell.generators.extractive.prose.salience import Pick
from citewell.types import Segment

_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bmailto:")
_NUMBER = re.compile(r"(?<![\w.,/])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,5}\)|\d{2,5})(?:[ .-]\d{2,5}){1,4}(?![\w/]|[.,]\d)")
_DIGITS = 7  # of a phone number at least
_NOT_CALLED = re.compile(
    r"\b(?:19|20)\d\d[-–/.](?:(?:19|20)\d\d|\d{1,2})\b|[$€£%]|\b(?:isbn|issn|doi)\b", re.IGNORECASE
)
_HEADED = re.compile(r"\b(?:contact|questions?|enquir\w+|inquir\w+|correspondence|get in touch)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\b(?:references|bibliography|footnotes|works cited)\b", re.IGNORECASE)
_MOST, _LONGEST = 2, 500  # lines that are told, characters of one
_NEAR = 60  # characters before a number
_CLEAR = 2  # signs that a line is for those who want to write or call
_SIGNERS = 12  # who are told


def contacts(documents: Sequence[Document]) -> list[Pick]:
    """The clearest lines by which a reader may write or call: with an address, and a word that asks to."""
    picks = list[Pick]()
    for document in documents:
        announced = False  # whether a line above asks to write to what its items name
        for segment in document.segments("sentence"):
            if segment.text.rstrip().endswith(":"):
                announced = pattern("reach_cue").search(segment.text) is not None
            announced = announced and (segment.kind == "list_item" or segment.text.rstrip().endswith(":"))
            score = _reaches(segment, announced=announced) if len(segment.text) <= _LONGEST else 0
            picks += [Pick(document, segment, float(score))] if score >= _CLEAR else []
    best = sorted(picks, key=lambda pick: -pick.score)[:_MOST]
    return sorted((pick for pick in best if pick.score == best[0].score), key=lambda pick: pick.segment.start)


def _reaches(segment: Segment, *, announced: bool) -> int:
    """How many signs a line has of being for those who want to write or call; 0 without an address and a number."""
    text = segment.text
    written, called = _ADDRESS.search(text) is not None, _called(text)
    if not (written or called) or any(map(_ELSEWHERE.search, segment.path)):
        return 0
    cue = called or announced or pattern("reach_cue").search(_ADDRESS.sub(" ", text)) is not None
    return 1 + cue + any(map(_HEADED.search, segment.path[-2:]))


def _called(text: str) -> bool:
    """Whether a text has a phone number behind a word that asks to call it."""
    return any(
        sum(map(str.isdigit, number[0])) >= _DIGITS
        and not _NOT_CALLED.search(text[: number.end()][-_NEAR:])
        and pattern("reach_cue").search(text[: number.start()][-_NEAR:])
        for number in _NUMBER.finditer(text)
    )


def signatures(documents: Sequence[Document]) -> list[Pick]:
    """The lines in which somebody signed: "/s/ Ida Kestrel", "Signed by Ida Kestrel", a name below "Sincerely,"."""
    picks, names = list[Pick](), set[str]()
    for document in documents:
        for match in pattern("signed_line").finditer(document.text):
            name = " ".join(match[match.lastgroup or 0].split()).casefold()
            if name not in names:
                names.add(name)
                picks.append(Pick(document, document.segment_at(match.start(match.lastgroup or 0)), 1.0))
    return picks[:_SIGNERS]
