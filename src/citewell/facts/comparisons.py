"""Comparisons in a claim that the evidence implies by two figures but does not state: does A exceed B?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.changes import alike, role
from citewell.facts.clauses import clauses
from citewell.facts.extract import Facts
from citewell.facts.figures import MOST_COMPARED, quantity_cells
from citewell.facts.tokens import Tokens
from citewell.facts.types import Quantity
from citewell.facts.words_aligned import Aligned

REACH = 10  # words from a comparative to its "than"


class Sides(NamedTuple):
    """What a claim compares: the places of the words on either side, and 1 where the first is said to be more."""

    word: int
    left: frozenset[int]
    right: frozenset[int]
    sign: int


class Compared(NamedTuple):
    """A comparison with the two figures of the evidence, each with the position of its sentence."""

    sides: Sides
    left: Quantity
    right: Quantity
    sentences: tuple[int, int]

    @property
    def holds(self) -> bool:
        """Whether the figures say what the claim says."""
        return (_value(self.left) - _value(self.right)) * self.sides.sign > 0


def _value(figure: Quantity) -> Decimal:
    return figure.value * figure.factor


def sides(claim: Facts) -> Sides | None:
    """The comparison of a claim: "A has more than B", "A exceeds B"."""
    tokens, number = claim.tokens, clauses(claim.text)
    counts = {n for figure in claim.quantities for n in tokens.between(*figure.span)}  # a year tells of which it is
    more, less, exceeds = (lists.words("comparatives", name) for name in ("more", "less", "exceeds"))
    for place, word in enumerate(tokens.lower):
        sign = (word in more) - (word in less)
        verb = tokens.known[place].key in exceeds
        than = -1
        if sign:
            than = next((n for n in range(place + 1, min(place + REACH, len(tokens))) if tokens.lower[n] == "than"), -1)
        if (than < 0 and not verb) or than + 1 >= len(tokens):
            continue
        last = than if than >= 0 else place
        left = frozenset(n for n in range(last) if tokens.content[n] and n != place and n not in counts)
        right = frozenset(
            n for n in range(last + 1, len(tokens)) if tokens.content[n] and number[n] - number[last] <= 1
        )
        turned = -1 if claim.denied[place] else 1
        if left and right and not any(q.start > tokens.starts[last] for q in claim.quantities):
            return Sides(place, left, right, (sign or verb) * turned)
    return None


def compared(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> Compared | None:
    """The claim's comparison with the two figures that belong to its sides; None where the evidence has not both."""
    both = sides(claim)
    if both is None:
        return None
    times = {n for period in claim.periods for n in claim.tokens.between(*period.span)}
    first_side = both.left - both.right
    if both.right <= times and first_side & times:
        first_side &= times  # "sold more in May than in June": what was sold is of both
    left: list[tuple[float, int, Quantity]] = []
    right: list[tuple[float, int, Quantity]] = []
    for sentence, (facts, words) in enumerate(zip(evidence, aligned, strict=True)):
        for figure, subject_words in _owned(facts):
            mine = _count(claim.tokens, facts.tokens, words, subject_words, first_side)
            other = _count(claim.tokens, facts.tokens, words, subject_words, both.right)
            if mine > other:
                left.append((mine - other + mine / len(subject_words), sentence, figure))
            elif other > mine:
                right.append((other - mine + other / len(subject_words), sentence, figure))
    pairs = [
        (first[0] + second[0] + (first[1] == second[1]), -first[1], -second[1], n, m)
        for n, first in enumerate(left)
        for m, second in enumerate(right)
        if alike(first[2], second[2]) and first[2] != second[2]
    ]
    if not pairs:
        return None
    *_, n, m = max(pairs, key=lambda pair: (*pair[:3], -pair[3], -pair[4]))
    return Compared(both, left[n][2], right[m][2], (left[n][1], right[m][1]))


def uncompared(claim: Facts, evidence: Sequence[Facts], aligned: Sequence[Aligned]) -> Sides | None:
    """A comparison of the claim whose evidence has not its word, compares nothing itself and has no two figures."""
    both = sides(claim)
    if both is None or any(words.places[both.word] >= 0 for words in aligned):
        return None
    settled = any(_compares(facts.tokens) for facts in evidence) or compared(claim, evidence, aligned) is not None
    return None if settled else both


def _compares(tokens: Tokens) -> bool:
    """Whether a sentence has a comparative, a superlative or a verb of comparison."""
    comparing = lists.words("comparatives", "more") | lists.words("comparatives", "less") | {"than", "most", "least"}
    return any(
        word in comparing
        or tokens.known[place].key in lists.words("comparatives", "exceeds")
        or (word.endswith(("er", "est")) and bool(tokens.known[place].sides))
        for place, word in enumerate(tokens.lower)
    )


def _owned(facts: Facts) -> Iterator[tuple[Quantity, frozenset[int]]]:
    """The figures of a sentence with the words that are theirs alone; all words where it has only one figure."""
    row = quantity_cells(facts.text)
    content = frozenset(n for n, flag in enumerate(facts.tokens.content) if flag)
    visited: set[int] = set()
    for figure in facts.quantities[:MOST_COMPARED]:
        if figure.kind in ("identifier", "ordinal", "multiplier") or figure.modifier == "range":
            continue
        cell = row.get(figure.start)
        if cell is None:
            yield figure, content
        elif cell.exclusive and cell.first not in visited and role(facts, figure) not in ("from", "by"):
            visited.add(cell.first)  # "31 of the 120": the first figure of a cell is the one that is told
            yield figure, cell.exclusive


def _count(claim: Tokens, evidence: Tokens, words: Aligned, subject_words: frozenset[int], side: frozenset[int]) -> int:
    keys = {claim.keys[n] for n in side}
    return sum(words.taken[n] in side or evidence.keys[n] in keys for n in subject_words)
