"""Groups the words of a sentence: its clauses, and the words that belong to only one of several figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

from citewell.facts.extract import Facts
from citewell.facts.tokens import Tokens, tokens
from citewell.facts.types import Period, Quantity
from citewell.facts.wordnet import VERB

_OPENERS = frozenset(
    "and but or while whereas whilst although though because yet which who whom against versus".split()
)
_OR = (("more",), ("less",), ("fewer",))  # "seven or more" is one figure
_MARKS = frozenset(",;:—–()|\n")
Figure = TypeVar("Figure", Quantity, Period)
Sort = Literal["number", "name", "plain"]
HEAD = 3  # words before the first figure of several that may be its own
SORTS: tuple[Sort, ...] = ("number", "name", "plain")


class Cell(NamedTuple):
    """A figure's words, `first` to `last` (exclusive), and the places of those that no other figure's cell has."""

    figure: Quantity | Period
    first: int
    last: int
    exclusive: frozenset[int]


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[int, ...]:
    """The number of the clause, counted from 0, in which each word of a sentence stands."""
    sentence = tokens(text)
    result, clause = [], 0
    for place, word in enumerate(sentence.lower):
        between = text[sentence.ends[place - 1] : sentence.starts[place]] if place else ""
        opens = word in _OPENERS and not (word == "or" and sentence.lower[place + 1 : place + 2] in _OR)
        clause += bool(place) and (opens or not _MARKS.isdisjoint(between))
        result.append(clause)
    return tuple(result)


def sort(tokens: Tokens, place: int) -> Sort:
    """What a word may be told apart from: a number from a number, a name from a name."""
    return "number" if tokens.numbers[place] else "name" if tokens.names[place] else "plain"


def cells(facts: Facts, figures: Sequence[Figure], alike: Callable[[Figure, Figure], bool]) -> Mapping[int, Cell]:
    """The cells of a sentence's comparable figures by their starts: "12% of the boys | and 9% of the girls".

    What opens the sentence for all of them ("Headache was reported by") and what ends it for all is in no cell: the
    first has no more words before its figure, and the last no more behind it, than the others have. Years excepted.
    """
    tokens, number = facts.tokens, clauses(facts.text)
    result: dict[int, Cell] = {}
    left = list(figures)
    while left:
        row = [figure for figure in left if alike(left[0], figure)]
        left = [figure for figure in left if figure not in row]
        spans = [tokens.between(figure.start, figure.end) for figure in row]
        if len(row) > 1 and all(spans):
            areas = _row(tokens, number, spans)
            result.update((figure.start, Cell(figure, *area)) for figure, area in zip(row, areas, strict=True))
    return result


def _row(tokens: Tokens, number: Sequence[int], spans: Sequence[range]) -> list[tuple[int, int, frozenset[int]]]:
    bounds = [0]
    for before, after in pairwise(spans):
        opens = [n for n in range(before[-1] + 1, after[0] + 1) if number[n] != number[n - 1]]
        bounds.append(opens[-1] if opens else bounds[-1])  # no clause between them: "from 5 to 6" is of one thing
    ends = [next((other for other in bounds[n + 1 :] if other > start), len(tokens)) for n, start in enumerate(bounds)]
    figures = {place for span in spans for place in span}
    areas = list(dict.fromkeys(zip(bounds, ends, strict=True)))
    firsts, lasts = {}, {}
    for area in areas:
        here = [span for span, start in zip(spans, bounds, strict=True) if start == area[0]]
        firsts[area] = [n for n in range(area[0], here[0][0]) if tokens.content[n]]
        lasts[area] = [n for n in range(here[-1][-1] + 1, area[1]) if tokens.content[n]]
    if len(areas) > 1:
        if not any(_acts(tokens, n) for area in areas[1:] for n in firsts[area]):  # "A earned 5, B 6"
            firsts[areas[0]] = [n for n in firsts[areas[0]] if not _acts(tokens, n)]
        most = max(len(firsts[area]) for area in areas[1:])
        most = max(most, HEAD) if most else 0
        firsts[areas[0]] = _near(tokens, firsts[areas[0]][::-1], most)
        most = max(len(lasts[area]) for area in areas[:-1])
        lasts[areas[-1]] = _near(tokens, lasts[areas[-1]], most)
    words: dict[tuple[int, int], set[int]] = {}
    for area in areas:
        here = [span for span, start in zip(spans, bounds, strict=True) if start == area[0]]
        inside = range(here[0][0], here[-1][-1] + 1)
        middle = [n for n in inside if tokens.content[n]]
        words[area] = {n for n in (*firsts[area], *middle, *lasts[area]) if n not in figures}
    result = []
    for area in zip(bounds, ends, strict=True):
        others = {tokens.keys[n] for other in areas if other != area for n in words[other]}
        content = frozenset(n for n in words[area] if tokens.keys[n] not in others)
        result.append((*area, content if len(areas) > 1 else frozenset()))
    return result


def _acts(tokens: Tokens, place: int) -> bool:
    return tokens.known[place].part == VERB and not tokens.names[place]


def _near(tokens: Tokens, places: Sequence[int], most: int) -> list[int]:
    """The first `most` places, and all that are numbers."""
    return [*places[:most], *(n for n in places[most:] if tokens.numbers[n])]
