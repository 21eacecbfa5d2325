"""Chooses the number of a sentence that counts the requested thing, by the words that belong to each number."""

from __future__ import annotations

import re

from citewell.facts.clauses import cells
from citewell.facts.extract import extract
from citewell.facts.tokens import tokens
from citewell.facts.types import Quantity
from citewell.facts.wordnet import NOUN
from citewell.generators.extractive.phrases.dating import other_times

_OF_WHOLE = re.compile(r"\bhow (?:much|many) of\b", re.IGNORECASE)
_OF = re.compile(r"\s+of\b")
_IN_TURN = re.compile(r"\brespectively\b", re.IGNORECASE)


def counted(question: str, focus: str, sentence: str, chosen: Quantity) -> Quantity:
    """The number whose own words the question has most, by their rarity; the chosen one where it has any of its own.

    "6,240 people, of whom 1,415 work in bakeries": "people" is what all of them count, and tells them apart only where
    nothing else does: "6,240 people, among them 70 bakers". How much of a whole is told by the number before "of":
    "$609 of the balances of $859 was exposed".
    """
    facts, question_tokens = extract(sentence), tokens(question)
    if _IN_TURN.search(sentence):
        return chosen
    numbers = {quantity.value for quantity in extract(question).quantities}
    other = {span.start for span in other_times(question, sentence)}
    figures = [
        quantity
        for quantity in facts.quantities
        if (quantity.kind, quantity.unit, quantity.currency) == (chosen.kind, chosen.unit, chosen.currency)
        and quantity.value not in numbers
        and quantity.start not in other
    ]
    parts = [quantity for quantity in figures if _OF.match(sentence, quantity.end)]
    if len(parts) == 1 and _OF_WHOLE.search(question):
        return parts[0]
    areas = cells(facts, figures, lambda first, second: first.kind == second.kind)
    plain = tokens(focus).key_set
    weights = {
        key: question_tokens.weights[n] for n, key in enumerate(question_tokens.keys) if not question_tokens.numbers[n]
    }
    evidence = facts.tokens

    def worth(figure: Quantity) -> tuple[float, bool]:
        keys = {evidence.keys[place] for place in areas[figure.start].exclusive}
        return sum(weights.get(key, 0.0) for key in keys - plain), not plain.isdisjoint(keys)

    def thing(figure: Quantity) -> str:
        """The noun right behind a figure: what it counts."""
        behind = max(evidence.between(figure.start, figure.end), default=-1) + 1
        return evidence.keys[behind] if behind < len(evidence) and evidence.known[behind].part == NOUN else ""

    same = next((quantity for quantity in figures if quantity.start == chosen.start), None)
    named = [quantity for quantity in figures if thing(quantity) in plain]
    if same is not None and thing(same) and same not in named and len(named) == 1:
        return named[0]  # "1,830 animals, among them 212 birds"
    if same is None or any(quantity.start not in areas for quantity in figures):
        return chosen
    if chosen.kind == "cardinal" and worth(same)[0]:
        return chosen
    return max([same, *figures], key=worth)
