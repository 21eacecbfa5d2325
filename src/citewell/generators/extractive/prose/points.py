"""The sentence that makes one of the main points of a document of its kind: a contract's parties, its term, its law.

point("Term", contract).text    # "This Agreement shall remain in force for two years."
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice, takewhile

from citewell.document import Document
from citewell.generators.extractive.prose.salience import Sentence, sentences, stands_alone
from citewell.generators.extractive.prose.sorts import genre, pattern, table
from citewell.types import Segment

_WORDS = 4  # content words of a sentence that makes a point
FIRST, _PREAMBLE = ("Parties", "Present"), 3_000  # points that stand in the first characters of a document or nowhere
_OF_WHOLE = ("Purpose", "Scope", "Covers")  # points that each part may make of itself further on
_BEGINS = 0.34  # share of a document in which they are of the whole
_HEADED = 1.5  # weight of a point's words in the heading above
_LISTED = 4  # lines that go on with one
_RECITAL = re.compile(r"\W*(?:whereas|recitals?|background|now,? therefore|[A1][.)] )", re.IGNORECASE)
_MEANS = re.compile(r"[^\w\"“]*+[\"“][^\"“”]+[\"”] means\b")  # a term, not the parties
_OPEN = re.compile(r"(?<!follows):\s*$|^\W*between (?!.*\band\b)", re.IGNORECASE)


def point(name: str, document: Document, besides: Collection[int] = ()) -> Segment | None:
    """The sentence that makes a point best; None where none does. `besides` has where sentences start that are used."""
    wording = dict(table("points").get(genre(document), ())).get(name)
    if wording is None:
        return None
    if name in FIRST:  # the first lines are often no sentences
        lines = (each for each in _preamble(document) if name != "Present" or each.kind != "heading")
        return next(
            (each for each in lines if pattern(wording).search(each.text) and not _MEANS.match(each.text)), None
        )
    ranked = [
        (sentence.weight + _HEADED * _headed(sentence, name), sentence.segment)
        for sentence in sentences(document)
        if sentence.segment.start not in besides
        and (name not in _OF_WHOLE or sentence.segment.start < _BEGINS * len(document.text))
        and len(sentence.terms) >= _WORDS
        and pattern(wording).search(sentence.segment.text)
        and stands_alone(sentence.segment)
    ]
    return max(ranked, key=lambda pair: (pair[0], -pair[1].start))[1] if ranked else None


def goes_on(segment: Segment, document: Document) -> list[Segment]:
    """A sentence and, where it is a line of the first ones that leaves its second half to the next ones, those too."""
    if segment.start >= _PREAMBLE or not _OPEN.search(segment.text):
        return [segment]
    behind = (each for each in _preamble(document) if each.start > segment.start)
    parties = takewhile(lambda each: not _RECITAL.match(each.text), behind)
    return [segment, *islice(parties, _LISTED)]


def _preamble(document: Document) -> Iterator[Segment]:
    return takewhile(lambda each: each.start < _PREAMBLE, document.segments("sentence"))


def _headed(sentence: Sentence, name: str) -> bool:
    return any(name.lower() in heading.lower() for heading in sentence.segment.path[-2:])
