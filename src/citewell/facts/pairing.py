"""Pairs figures with names in lists: "38% and 62%, respectively", "in 2022, 2021 and 2020"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from citewell.facts.extract import Facts, extract
from citewell.facts.tokens import Tokens
from citewell.facts.types import Period, Quantity

_BETWEEN = re.compile(r"[\s,$€£]*(?:(?:and|or|&)[\s$€£]*)?")
_LONGEST = 6  # words of a name that is one item of a list

Items = tuple[range, ...]  # the places of the words of each item of a list


@lru_cache(maxsize=4096)
def partners(text: str) -> Mapping[int, range]:
    """For the start of each listed figure of a sentence with "respectively", the places of what it belongs to."""
    if "respectively" not in text:
        return {}
    facts = extract(text)
    amounts, times = list(runs(facts, facts.quantities)), list(runs(facts, facts.periods))
    words = list(_words(facts.tokens, [*amounts, *times]))
    result: dict[int, range] = {}
    for items in (*amounts, *times):
        # Several lists of amounts may belong to one of times or names: none of them belongs to another of its own sort.
        same = amounts if items in amounts else times
        options = [other for other in (*amounts, *times, *words) if other is not items and len(other) == len(items)]
        others = [other for other in options if other not in same] or options
        nearest = min(others, key=lambda other: abs(other[0].start - items[0].start), default=None)
        if nearest is not None:
            starts = (facts.tokens.starts[item.start] for item in items)
            result.update(zip(starts, nearest, strict=True))
    return result


def runs(facts: Facts, figures: Sequence[Quantity | Period]) -> Iterator[Items]:
    """Figures with nothing but commas and "and" between them."""
    run: list[Quantity | Period] = []
    for figure in (*figures, None):
        if figure is not None and (not run or _BETWEEN.fullmatch(facts.text[run[-1].end : figure.start])):
            run.append(figure)
            continue
        if len(run) > 1:
            yield tuple(facts.tokens.between(item.start, item.end) for item in run)
        run = [figure] if figure is not None else []


def _words(tokens: Tokens, figures: Sequence[Items]) -> Iterator[Items]:
    """What "and" joins: a name or a word on each side of it, and before it what commas part."""
    taken = {n for items in figures for n in range(items[0].start, items[-1].stop)}
    for place, word in enumerate(tokens.lower):
        if word != "and" or place in taken:
            continue
        items = [_item(tokens, place - 1, -1), _item(tokens, place + 1, 1)]
        while items[0] and "," in tokens.gap(items[0].start):
            items.insert(0, _item(tokens, items[0].start - 1, -1))
        for first in range(len(items) - 1):
            if all(items[first:]) and taken.isdisjoint(n for item in items[first:] for n in item):
                yield tuple(items[first:])


def _item(tokens: Tokens, place: int, step: int) -> range:
    """A name of several words, or one content word, from a place in a direction; empty where there is none."""
    if not (0 <= place < len(tokens) and tokens.content[place] and tokens.lower[place] != "respectively"):
        return range(0)
    end = place
    while tokens.names[place] and abs(end + step - place) < _LONGEST and 0 <= end + step < len(tokens):
        if not tokens.names[end + step] or "," in tokens.gap(max(end, end + step)):
            break
        end += step
    return range(min(place, end), max(place, end) + 1)
