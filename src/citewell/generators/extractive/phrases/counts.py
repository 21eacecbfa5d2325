"""Which of several numbers of a sentence counts what is asked for: by the words that each has for itself."""

from __future__ import annotations

import re

from citewell.facts.clauses import cells
from citewell.facts.extract import extract
from citewell.facts.tokens import tokens
from citewell.facts.types import Quantity
from citewell.facts.wordnet import NOUN

_OF = re.compile(
    r"\s+(?:of|was|were|is|are|at|to|by|totall?ed|reached|stood at|amounted to|came to)\s+"
    r"(?:(?:about|around|some|nearly|almost|only|just|over|up to|more than|less than)\s+)?",
    re.IGNORECASE,
)
_IN_TURN = re.compile(r"\brespectively\b", re.IGNORECASE)


def attached(question: str, sentence: str, chosen: Quantity) -> Quantity:
    """The figure told of a word of the question where the chosen one is told of none: "a deficit of 3 million"."""
    facts, asked = extract(sentence), tokens(question)
    said = {key for key, use in zip(asked.keys, asked.content, strict=True) if use}
    shown = facts.tokens
    ends = [end for end, key in zip(shown.ends, shown.keys, strict=True) if key in said]
    figures = [
        one
        for one in facts.quantities
        if one.kind == chosen.kind and any(_OF.fullmatch(sentence, end, one.start) for end in ends)
    ]
    own = any(one.start == chosen.start for one in figures)
    return figures[0] if len(figures) == 1 and not own else chosen


def counted(question: str, focus: str, sentence: str, chosen: Quantity) -> Quantity:
    """The number whose own words the question has most, by their rarity; the chosen one where it has any of its own.

    "6,240 people, of whom 1,415 work in bakeries": "people" is what all of them count, and tells them apart only where
    nothing else does: "6,240 people, among them 70 bakers".
    """
    facts, asked = extract(sentence), tokens(question)
    if _IN_TURN.search(sentence):
        return chosen
    said = {one.value for one in extract(question).quantities}
    figures = [
        one
        for one in facts.quantities
        if one.kind == chosen.kind and not one.unit and not one.currency and one.value not in said
    ]
    areas = cells(facts, figures, lambda first, second: first.kind == second.kind)
    plain = tokens(focus).key_set
    weights = {key: asked.weights[n] for n, key in enumerate(asked.keys) if not asked.numbers[n]}
    shown = facts.tokens

    def worth(figure: Quantity) -> tuple[float, bool]:
        own = {shown.keys[place] for place in areas[figure.start].own}
        return sum(weights.get(key, 0.0) for key in own - plain), not plain.isdisjoint(own)

    def thing(figure: Quantity) -> str:
        """The noun right behind a figure: what it counts."""
        behind = max(shown.between(figure.start, figure.end), default=-1) + 1
        return shown.keys[behind] if behind < len(shown) and shown.known[behind].part == NOUN else ""

    same = next((one for one in figures if one.start == chosen.start), None)
    named = [one for one in figures if thing(one) in plain]
    if same is not None and thing(same) and same not in named and len(named) == 1:
        return named[0]  # "1,830 animals, among them 212 birds"
    if same is None or any(one.start not in areas for one in figures):
        return chosen
    return chosen if worth(same)[0] else max([same, *figures], key=worth)
