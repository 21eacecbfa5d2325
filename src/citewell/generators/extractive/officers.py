"""Who holds an office: the question with its title in full, and the sentences and rows that say that very title."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.cells.wordings import Expressions
from citewell.generators.extractive.scoring import only
from citewell.generators.extractive.settings import PACKAGE
from citewell.text.data import read_json
from citewell.text.index import Floats

_WHO = re.compile(
    r"^\W*who(?:['’]s| is| are| was) (?:the |its |our |your |their )?(?:current )?(.{2,60}?)\W*$", re.IGNORECASE
)


@cache
def _titles() -> Expressions:
    return Expressions.of(read_json(PACKAGE, "words.json")["titles"])


@cache
def _offices() -> re.Pattern[str]:
    return re.compile(read_json(PACKAGE, "words.json")["offices"], re.IGNORECASE)


def in_full(question: str) -> str:
    """A question for a person with the abbreviation of an office in full: "Who is the CEO?"."""
    return _titles().in_full(question) if _WHO.match(question) else question


def office(question: str) -> re.Pattern[str] | None:
    """How texts name the office whose holder is asked for, None where none is."""
    asked = _WHO.match(question)
    said = _offices().match(asked[1]) if asked else None
    if said is None:
        return None
    title = said[0] if said[0].lower()[:5] != "chair" else "chair"
    ending = r"\w*" if title == "chair" else r"\b"
    return re.compile(rf"\b{re.escape(title)}{ending}", re.IGNORECASE)


def holding(reading: Reading, ranked: Floats, title: re.Pattern[str]) -> Floats | None:
    """The scores where only candidates that name the office count, None where none does."""
    segments = [reading.found.segments[number] for number in reading.candidates.tolist()]
    named = np.array([title.search(segment.text) is not None for segment in segments])
    return only(ranked, named) if named.any() else None
