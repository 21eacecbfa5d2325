"""What a question takes for granted, and a sentence that says otherwise: "Why did sales fall?" where they rose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from citewell.generators.extractive.candidates import Reading
from citewell.generators.extractive.phrases.events import supposed, taken
from citewell.generators.extractive.phrases.polarity import claim
from citewell.text.index import Floats

if TYPE_CHECKING:
    from citewell.facts.align import Finding
    from citewell.facts.features import Seen

_READ = 8  # candidates in which it is looked for
_MOST = 0.5  # of the premise's words that a sentence about the same has, those of the conflict apart
_TURNED = ("direction", "negation")


class Denied(NamedTuple):
    """The place of the candidate that says otherwise, and what both say."""

    place: int
    message: str


def denied(reading: Reading, ranked: Floats) -> Denied | None:
    """The best candidate that says the opposite of what a question takes for granted, where none of them says that."""
    asking = taken(reading.asked.text)
    if asking is None:
        return None
    from citewell.facts.align import findings  # most questions take nothing for granted
    from citewell.facts.features import look
    from citewell.facts.tokens import tokens

    turned: Denied | None = None
    for place in np.argsort(-ranked, kind="stable")[:_READ].tolist():
        segment = reading.found.segments[int(reading.candidates[place])]
        if segment.kind == "table_row":
            continue
        seen = look(asking.claim, [tokens(segment.text)])
        turns = ("direction",) if asking.when else _TURNED
        opposed = next((one for one in findings(seen) if one.conflict and one.kind in turns), None)
        if opposed is None and _whole(seen) and not supposed(seen):
            return None
        if turned is None and opposed is not None and _about(seen, opposed, 1.0 if asking.when else _MOST):
            turned = Denied(place, opposed.message)
    return turned


def unsaid(reading: Reading, numbers: Sequence[int]) -> list[str]:
    """The words of a question that none of some candidates has, in any form or by a word of the same meaning.

    `numbers` are positions of sentences. What the document is about, and the way of asking, need not be said.
    """
    from citewell.facts.features import look
    from citewell.facts.tokens import tokens

    places = [place for place, number in enumerate(reading.candidates.tolist()) if number in numbers]
    shown = [tokens(reading.found.segments[int(reading.candidates[place])].text) for place in places]
    seen = look(claim(reading.asked.text), shown)
    meant = {word for word, have in zip(seen.claim.tokens.lower, seen.covered, strict=True) if have}
    return [
        word
        for slot, word in asked_words(reading)
        if not reading.soft[slot, places].any() and word.lower() not in meant
    ]


def asked_words(reading: Reading) -> list[tuple[int, str]]:
    """The words that a question is about, as it spells them, each with its slot; not what the document is about."""
    query = reading.found.query(reading.asked.text)
    return [
        (slot, reading.asked.text[start:end])
        for slot, start, end in zip(reading.slot.order, query.starts.tolist(), query.ends.tolist(), strict=True)
        if slot >= 0 and not reading.slot.subject[slot]
    ]


def _whole(seen: Seen) -> bool:
    """Whether a sentence has every word of the premise."""
    return all(have for have, use in zip(seen.covered, seen.claim.tokens.content, strict=True) if use)


def _about(seen: Seen, opposed: Finding, least: float) -> bool:
    """Whether a sentence has so many of the premise's words, those that it turns round apart, and no other time."""
    from citewell.facts.types import Period

    said = seen.claim.tokens
    apart = set(said.between(opposed.said.start, opposed.said.end)) if opposed.kind == "direction" else set[int]()
    rest = [have for n, have in enumerate(seen.covered) if said.content[n] and not said.numbers[n] and n not in apart]
    other = any(isinstance(one.fact, Period) and one.standing in ("conflicts", "elsewhere") for one in seen.figures)
    return bool(rest) and not other and sum(rest) >= least * len(rest)
