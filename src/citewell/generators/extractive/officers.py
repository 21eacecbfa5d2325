"""Finds the holder of an office: expands the title in the question, and finds sentences and rows with that title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from citewell.facts.tables.expressions import Expressions
from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.scoring import only
from citewell.generators.extractive.settings import PACKAGE
from citewell.text.data import read_json
from citewell.text.index import Floats
from citewell.types import Span

_WHO = re.compile(
    r"^\W*who(?:['’]s| is| are| was) (?:the |its |our |your |their )?(?:current |new )?(.{2,60}?)\W*$", re.IGNORECASE
)
_CHOSEN = re.compile(
    r"^\W*(?:and )?who (?:is|was|has been) (?:re-?)?(?:elected|appointed|named|chosen) (?:as |to be )?"
    r"(?:the |its |our )?(?:new )?(.{2,60}?)\W*$",
    re.IGNORECASE,
)
_OWN = r"(?:it|them|(?:the|this|your|our|their) (?:company|group|firm|trust|bank|corporation|business|accounts|books))"
# What people ask by a verb, and the offices of which one does it.
_DOES = (
    (rf"(?:runs|leads|heads|manages|is in charge of) {_OWN}", ("chief executive officer", "managing director")),
    (rf"audit(?:s|ed) {_OWN}", ("auditor",)),
)
_NAME = (
    r"(?P<name>(?:Dr\.? |Sir |Dame |Prof\.? )?[A-Z][\w’'-]+"
    r"(?: (?:[A-Z]\.|(?:de|van|von|der|la|&) )?\s?[A-Z][\w’'-]*){1,3})"
)
_OUR = r"(?:our |the |its |a |group )?"
# What stands between a name and the office behind it, or between an office and the name behind it.
_HOLDER_BEFORE = re.compile(
    rf"(?:^|[\s/(|]){_NAME}"
    rf"(?:,? (?:who )?(?:is|was|became|has been|serves as|acts as) {_OUR}(?:currently )?|, (?:who )?{_OUR}| \| )$"
)
_HOLDER_AFTER = re.compile(rf"(?: officer| of the board)?(?:,|:| is| was|)(?: now)? {_NAME}(?![\w’'-])")
# Before an office: it is another one, or no longer or not yet held.
_NARROWED = re.compile(
    r"\b(?:deputy|vice|assistant|associate|former(?:ly)?|ex|acting|interim|next|previous|outgoing|incoming|late|past|regional|"
    r"divisional|until|retired|resigned|elect|no|new)[ -](?:\w+ )?$",
    re.IGNORECASE,
)
_SORT = re.compile(r"\b(?!(?:The|Our|Its|A|Group) )[A-Z][\w’'-]+ $")  # "Foreign Secretary"
_ELSEWHERE = re.compile(
    r"(?: officer)?(?:[ -](?:elect|designate)\b| (?:of|at|for) (?!the (?:board|company|group)\b)(?:the )?[A-Z])"
)
_OF_US = re.compile(
    r"(?: (?:of|at) (?:the |this |your )?(?:company|group|firm|trust|board|bank|corporation|business))?", re.IGNORECASE
)


@cache
def _titles() -> Expressions:
    return Expressions.of(read_json(PACKAGE, "words.json")["titles"])


@cache
def _offices() -> re.Pattern[str]:
    return re.compile(read_json(PACKAGE, "words.json")["offices"], re.IGNORECASE)


def in_full(question: str) -> list[str]:
    """A question for a person with its office in full: "Who is the CEO?"; for each of the offices that it may mean.

    "Who runs the company?" asks for a chief executive officer or a managing director, "Who was elected president?" for
    the president.
    """
    for does, titles in _DOES:
        if re.match(rf"\W*(?:and )?who {does}\W*$", question, re.IGNORECASE):
            return [f"Who is the {title}?" for title in titles]
    if (chosen := _CHOSEN.match(question)) and _offices().match(chosen[1]):
        question = f"Who is the {chosen[1]}?"
    return [_titles().in_full(question) if _WHO.match(question) else question]


def office(question: str) -> re.Pattern[str] | None:
    """How texts name the office whose holder is asked for, None where none is."""
    match = _WHO.match(question)
    message = _offices().match(match[1]) if match else None
    if message is None:
        return None
    title = message[0] if message[0].lower()[:5] != "chair" else "chair"
    if title.lower().endswith("auditor"):
        return re.compile(r"\baudit(?:or\b|ed by\b)", re.IGNORECASE)
    ending = r"\w*" if title == "chair" else r"\b"
    return re.compile(rf"\b{re.escape(title)}{ending}", re.IGNORECASE)


def names_office(text: str) -> bool:
    """Whether a short answer begins with an office: it names nobody."""
    return _offices().match(text) is not None


def holding(reading: Reading, ranked: Floats, title: re.Pattern[str]) -> Floats | None:
    """The scores where only candidates that name the office count, None where none does.

    A former or narrower one, or that of somebody else, counts only where the question says more than the office.
    """
    texts = [reading.sentences.segments[number].text for number in reading.candidates.tolist()]
    alone = asks_alone(reading, title)
    named = np.array([any(_plainly(text, title)) if alone else title.search(text) is not None for text in texts])
    return only(ranked, named) if named.any() else None


class Holder(NamedTuple):
    """Who holds an office: the position of the sentence or row that says so, and where the name stands in it."""

    number: int
    name: Span


def holder(reading: Reading, title: re.Pattern[str]) -> Holder | None:
    """The one name that stands right beside an office, in a sentence or a row; None where none does or names differ.

    "Our auditor is Pell LLP", "Ida Kestrel has been chief executive officer", "/s/ Ida Kestrel | Chief Executive".
    Only where the office is all that is asked for: it may be somebody else's, of another firm or time.
    """
    if not asks_alone(reading, title):
        return None
    holders = [
        Holder(number, name)
        for number in reading.candidates.tolist()
        for name in _beside(reading.sentences.segments[number].text, title)
    ]
    names = {reading.sentences.segments[holder.number].text[slice(*holder.name)].lower() for holder in holders}
    return holders[0] if len(names) == 1 else None


def asks_alone(reading: Reading, title: re.Pattern[str]) -> bool:
    """Whether a question asks for the holder of an office of the document's own, and says no more."""
    match = _WHO.match(reading.question.text)
    rest = title.sub("", match[1], count=1).removeprefix(" officer") if match else "?"
    return _OF_US.fullmatch(rest) is not None


def _plainly(text: str, title: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Where a text names an office that nothing narrows: no deputy's, former one's or other firm's."""
    for match in title.finditer(text):
        before = text[: match.start()]
        if not (_NARROWED.search(before) or _SORT.search(before) or _ELSEWHERE.match(text, match.end())):
            yield match


def _beside(text: str, title: re.Pattern[str]) -> Iterator[Span]:
    """Names that stand right before or behind an office that nothing narrows."""
    for clause in _plainly(text, title):
        before, behind = text[: clause.start()], text[clause.end() :]
        ahead, after = _HOLDER_BEFORE.search(before), _HOLDER_AFTER.match(behind)
        for match, shift in ((ahead, 0), (after, clause.end())):
            if match and not _offices().search(match["name"]):
                yield Span(match.start("name") + shift, match.end("name") + shift)
