"""Terms with which evidence may express a statement differently: derivations, synonyms, figures, dates.

Terms are those of an index (`citewell.text.words.terms`), so that segments are looked up by them and the facts of a
long document need not be read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from citewell.facts import lists
from citewell.facts.date_patterns import months
from citewell.facts.dates import periods
from citewell.facts.kinship import COMMON, SHALLOW, forms, look_up
from citewell.facts.quantities import quantities
from citewell.facts.types import Period, Quantity
from citewell.facts.units import lexicon
from citewell.facts.wordnet import Links, wordnet
from citewell.text.index import Numerals
from citewell.text.words import Ints, Words, terms, words

THOUSANDS = 4  # steps of a thousand between two ways to write a figure: units to trillions
ROUNDED = 0.05  # of a figure: rounding that takes more of it away ("2 million") leaves too little to know it by


@lru_cache(maxsize=65536)
def of_word(lower: str) -> frozenset[str]:
    """The terms of words that say what an English word says, in all their forms; its own is not among them."""
    word = look_up(lower)
    entries = word.derived.union(word.entries)
    for sense in word.senses:
        entries |= frozenset(_sharing().get(sense))
        if wordnet().depth[sense] > SHALLOW:
            entries |= {entry for kind in _kinds().get(sense) for entry in _sharing().get(kind)}
    akin = [wordnet().lemmas[entry] for entry in entries - word.antonyms]
    base, *others = terms([lower, *forms(lower), *(form for name in akin for form in (name, *forms(name)))])
    return frozenset(others) - {base}


@cache
def _sharing() -> Links:
    """Sense -> the words of which it is a common one, as `kinship.common` tells them, for all words at once."""
    net = wordnet()
    senses = np.asarray(net.senses.others)
    owners = np.repeat(np.arange(len(net.lemmas)), np.diff(np.asarray(net.senses.ends)))
    groups = owners * 4 + np.frombuffer(net.pos, dtype=np.uint8)[senses]  # a word's senses of one part of speech
    order = np.argsort(groups, kind="stable")
    first = np.flatnonzero(np.diff(groups[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    kept = np.sort(order[rank < COMMON])
    counts = np.bincount(owners[kept], minlength=len(net.lemmas))
    turned = Links.counted(counts, senses[kept]).turned()
    ends = np.asarray(turned.ends)
    rest = np.full(len(net.pos) + 1 - len(ends), ends[-1])  # senses that are no word's common one
    return Links(np.concatenate((ends, rest)).data, turned.others)


@cache
def _kinds() -> Links:
    """Sense -> the senses that are kinds of it."""
    return wordnet().parents.turned()


def of_facts(text: str, known: Numerals, term_ids: Mapping[str, int]) -> Iterator[tuple[int, int, Ints]]:
    """Where a text has a figure or a date, and the ids of the terms by which an index may have the same.

    A figure may stand in other units of a thousand and be rounded ("1.75 million", "1,748 thousand"), a month may be a
    name, its abbreviation or a number.
    """
    times = periods(text)
    for quantity in quantities(text, times):
        figures = _figures(quantity, known)
        yield *quantity.numeral, np.concatenate((figures, _ids(_number_words(quantity), term_ids)))
        units = _ids(_unit_terms().get((quantity.unit, quantity.currency), ()), term_ids)
        yield quantity.numeral.end, quantity.end, units if quantity.scale == 1 else np.concatenate((figures, units))
    for period in times:
        names = _month_terms(period)
        ids = _ids(names, term_ids)
        period_words = words(text[period.start : period.end]) if len(ids) else words("")
        for start, end, term in zip(
            period_words.starts.tolist(), period_words.ends.tolist(), _phrases(period_words), strict=True
        ):
            if term in names:
                yield period.start + start, period.start + end, ids


def _ids(names: Iterable[str], term_ids: Mapping[str, int]) -> Ints:
    return np.array([term_ids[name] for name in names if name in term_ids], dtype=np.int32)


def _number_words(quantity: Quantity) -> Sequence[str]:
    numbers = lists.read("number_words")
    return terms(name for name, value in {**numbers["ones"], **numbers["tens"]}.items() if value == quantity.value)


@cache
def _unit_terms() -> Mapping[tuple[str, str], frozenset[str]]:
    """Unit and currency -> the terms of all words by which they are written."""
    spelled: dict[tuple[str, str], set[str]] = defaultdict(set)
    for known in (lexicon().words, lexicon().symbols):
        for name, unit in known.items():
            if unit.family != "money" or unit.factor == 1:
                spelled[unit.name, unit.currency].update(part for part in words(name).spellings if len(part) > 1)
    return {unit: frozenset(terms(names)) for unit, names in spelled.items()}


def _phrases(vocabulary: Words) -> list[str]:
    each = terms(vocabulary.spellings)
    return [each[number] for number in vocabulary.ids.tolist()]


def _figures(quantity: Quantity, known: Numerals) -> Ints:
    value, tolerance = abs(float(quantity.value)), float(quantity.tolerance)
    if quantity.low != quantity.high or not value or quantity.kind == "identifier":
        return np.zeros(0, dtype=np.int32)
    chosen: list[Ints] = []
    for step in range(THOUSANDS + 1):
        unit = 1000.0**step
        if value < unit:
            break
        low, high = np.searchsorted(known.values, np.array([1 - ROUNDED, 1 + ROUNDED]) * value / unit)
        near, places = known.values[low:high], known.places[low:high]
        off = np.abs(near - value / unit)
        rounding = np.maximum(tolerance / unit, places)
        agree = off <= np.where(rounding <= ROUNDED * value / unit, rounding, 1e-9 * value / unit)
        chosen.append(known.ids[low:high][agree])
    return np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.int32)


def _month_terms(period: Period) -> Sequence[str]:
    if period.month is None:
        return ()
    return terms([str(period.month), *(name for name, number in months().items() if number == period.month)])
