"""Which of several numbers of a sentence counts what is asked for: by the words that each has for itself."""

from __future__ import annotations

import re

from citewell.facts.clauses import cells
from citewell.facts.extract import extract
from citewell.facts.tokens import tokens
from citewell.facts.types import Quantity

_IN_TURN = re.compile(r"\brespectively\b", re.IGNORECASE)


def counted(question: str, focus: str, sentence: str, chosen: Quantity) -> Quantity:
    """The number whose own words the question has most, by their rarity; the chosen one where it has any of its own.

    "6,240 people, of whom 1,415 work in bakeries": "people" is what all of them count, and tells none apart.
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

    def worth(figure: Quantity) -> float:
        own = {shown.keys[place] for place in areas[figure.start].own} - plain
        return sum(weights.get(key, 0.0) for key in own)

    same = next((one for one in figures if one.start == chosen.start), None)
    if same is None or any(one.start not in areas for one in figures):
        return chosen
    return chosen if worth(same) else max([same, *figures], key=worth)
