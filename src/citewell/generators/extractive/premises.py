"""False premises: the assumption of a question, and a sentence that contradicts it: "Why did sales fall?"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.phrases.events import taken
from citewell.generators.extractive.phrases.polarity import claim
from citewell.generators.extractive.settings import words
from citewell.text.index import Floats

if TYPE_CHECKING:
    from citewell.facts.align import Finding
    from citewell.facts.features import ClaimAlignment

_MOST = 0.5  # of the premise's words that a sentence about the same has, those of the conflict apart
_TURNED = ("direction", "negation")


class Denied(NamedTuple):
    """The place of the candidate that says otherwise, and what both say."""

    place: int
    message: str


def denied(reading: Reading, ranked: Floats) -> Denied | None:
    """The best sentence, where it says the opposite of what a question takes for granted."""
    asking = taken(reading.question.text)
    if asking is None:
        return None
    from citewell.facts.align import findings  # most questions take nothing for granted
    from citewell.facts.features import look
    from citewell.facts.tokens import tokens

    best = next(
        (
            place
            for place in np.argsort(-ranked, kind="stable").tolist()
            if reading.sentences.segments[int(reading.candidates[place])].kind != "table_row"
        ),
        None,
    )
    if best is None:
        return None
    alignment = look(asking.claim, [tokens(reading.sentences.segments[int(reading.candidates[best])].text)])
    turns = ("direction",) if asking.when else _TURNED
    opposed = next((finding for finding in findings(alignment) if finding.conflict and finding.kind in turns), None)
    if opposed is None:
        return None
    # "Not" beside some words of a question is mostly said of something else.
    least = 1.0 if asking.when or opposed.kind == "negation" else _MOST
    return Denied(best, opposed.message) if _about(alignment, opposed, least) else None


def unsaid(reading: Reading, numbers: Sequence[int]) -> list[str]:
    """The words of a question that none of some candidates has, in any form or by a word of the same meaning.

    `numbers` are positions of sentences. What the document is about, the way of asking, and words that say little of
    their own ("the end of 2022") need not be said.
    """
    from citewell.facts.features import look
    from citewell.facts.tokens import tokens

    places = [place for place, number in enumerate(reading.candidates.tolist()) if number in numbers]
    evidence = [tokens(reading.sentences.segments[int(reading.candidates[place])].text) for place in places]
    alignment = look(claim(reading.question.text), evidence)
    meant = {word for word, have in zip(alignment.claim.tokens.lower, alignment.covered, strict=True) if have}
    return [
        word
        for slot, word in asked_words(reading)
        if not reading.soft[slot, places].any() and word.lower() not in meant and word.lower() not in words("pale")
    ]


def asked_words(reading: Reading) -> list[tuple[int, str]]:
    """The words that a question is about, as it spells them, each with its slot; not what the document is about."""
    query = reading.sentences.query(reading.question.text)
    return [
        (slot, reading.question.text[start:end])
        for slot, start, end in zip(reading.slot.order, query.starts.tolist(), query.ends.tolist(), strict=True)
        if slot >= 0 and not reading.slot.subject[slot]
    ]


def _about(alignment: ClaimAlignment, opposed: Finding, least: float) -> bool:
    """Whether a sentence has so many of the premise's words, those that it turns round apart, and no other time."""
    from citewell.facts.types import Period

    tokens = alignment.claim.tokens
    apart = (
        set(tokens.between(opposed.claim_span.start, opposed.claim_span.end))
        if opposed.kind == "direction"
        else set[int]()
    )
    rest = [
        have
        for n, have in enumerate(alignment.covered)
        if tokens.content[n] and not tokens.numbers[n] and n not in apart
    ]
    other = any(
        isinstance(figure.fact, Period) and figure.standing in ("conflicts", "elsewhere")
        for figure in alignment.figures
    )
    return bool(rest) and not other and sum(rest) >= least * len(rest)
