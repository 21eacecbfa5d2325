"""The phrases of a sentence that may be a short answer, as ranges of word positions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.facts.extract import extract
from citewell.facts.types import Period, Quantity
from citewell.generators.extractive.phrases.words import CLASSES, NUMBER, Words, words

Ints = npt.NDArray[np.signedinteger[Any]]
Flags = npt.NDArray[np.bool_]
LONGEST = 10  # words of a phrase that no mark ends
_MOST = 120  # words of a sentence that are read
FORMS = ("date", "money", "percent", "number", "measure", "name", "nouns", "clause", "within", "around", "other")
_NOT_FIRST = ("mark", "comma", "close", "dash", "of", "and", "be", "aux", "'s", "such")
_NOT_LAST = (
    "comma", "open", "dash", "article", "of", "in", "by", "to", "from", "preposition", "and", "clause",
    "aux", "be", "possessive", "not", "'s", "mark",
)  # fmt: skip
_NOMINAL = ("article", "number", "month", "name", "noun", "adjective", "ing", "participle", "other", "possessive")
_FIGURES = {"money": "money", "percent": "percent", "points": "percent", "measure": "measure"}


class Phrases(NamedTuple):
    """C phrases of a sentence.

    Attributes:
        words: the words of the sentence.
        first, last: positions of the first and the last word.
        form: what each is, a position in FORMS.
        facts: for each the position of the figure or time that it is, -1 for others.
        typed: the figures and times.
    """

    words: Words
    first: Ints
    last: Ints
    form: Ints
    facts: Ints
    typed: tuple[Quantity | Period, ...]


def _flags(names: tuple[str, ...]) -> Flags:
    flags = np.zeros(len(CLASSES), dtype=bool)
    flags[[NUMBER[name] for name in names]] = True
    return flags


@lru_cache(maxsize=512)
def phrases(text: str) -> Phrases:
    """The phrases of a sentence."""
    word_ids = words(text)
    count = min(_MOST, len(word_ids.keys))
    classes = np.array(word_ids.classes[:count], dtype=np.int32)
    if not count:
        none = np.zeros(0, dtype=np.int32)
        return Phrases(word_ids, none, none, none, none, ())
    first, last = (part.astype(np.int32) for part in np.triu_indices(count))
    length = last - first + 1
    stops = np.isin(classes, [NUMBER["mark"]])
    ended = np.append(np.isin(classes[1:], [NUMBER[name] for name in ("mark", "comma", "close", "dash")]), True)
    passed = np.concatenate(([0], np.cumsum(stops)))
    depth: Ints = np.cumsum(np.isin(classes, [NUMBER["open"]])) - np.cumsum(np.isin(classes, [NUMBER["close"]]))
    before = np.concatenate(([0], depth[:-1]))
    lowest: Flags = depth[last] == before[first]
    use = ~_flags(_NOT_FIRST)[classes[first]] & ~_flags(_NOT_LAST)[classes[last]] & lowest
    use &= (passed[last + 1] == passed[first]) & ((length <= LONGEST) | ended[last])
    quoted = np.concatenate(([0], np.cumsum(classes == NUMBER["quote"])))
    use &= (quoted[last + 1] - quoted[first]) % 2 == 0
    typed = _typed(text)
    spans = [_span(word_ids, fact, count) for fact in typed]
    for a, b in spans:  # a figure is a phrase however it is written
        use |= (first == a) & (last == b)
    first, last = first[use], last[use]
    form, facts = _forms(classes, first, last, typed, spans)
    return Phrases(word_ids, first, last, form, facts, typed)


def _typed(text: str) -> tuple[Quantity | Period, ...]:
    """The times and figures of a sentence, a figure inside a time left out."""
    facts = extract(text)
    times = [fact for fact in facts.periods if fact.kind != "relative"]
    figures = [
        fact
        for fact in facts.quantities
        if fact.kind != "identifier" and not any(t.start <= fact.start < t.end for t in times)
    ]
    return (*times, *figures)


def _span(tokens: Words, fact: Quantity | Period, count: int) -> tuple[int, int]:
    """The words of a fact."""
    inside = [n for n in range(count) if tokens.starts[n] < fact.end and fact.start < tokens.ends[n]]
    return (inside[0], inside[-1]) if inside else (-1, -1)


def _forms(
    classes: Ints, first: Ints, last: Ints, typed: tuple[Quantity | Period, ...], spans: list[tuple[int, int]]
) -> tuple[Ints, Ints]:
    """What each phrase is, and which fact."""
    form = np.full(len(first), FORMS.index("other"), dtype=np.int32)
    facts = np.full(len(first), -1, dtype=np.int32)
    nominal = np.concatenate(([0], np.cumsum(~_flags(_NOMINAL)[classes])))
    noun = _flags(("noun", "name", "ing", "other"))[classes]
    named = np.concatenate(([0], np.cumsum(classes != NUMBER["name"])))
    form[noun[last] & (nominal[last + 1] == nominal[first])] = FORMS.index("nouns")
    form[named[last + 1] == named[first]] = FORMS.index("name")
    following = np.append(classes, NUMBER["end"])[last + 1]
    closes = _flags(("mark", "comma", "close", "end"))[following]
    form[closes & (form == FORMS.index("other"))] = FORMS.index("clause")
    for number, (fact, (a, b)) in enumerate(zip(typed, spans, strict=True)):
        name = "date" if isinstance(fact, Period) else _FIGURES.get(fact.kind, "number")
        inside, around = (first >= a) & (last <= b), (first <= a) & (last >= b) & (last - first < b - a + 4)
        form[around] = FORMS.index("around")
        form[inside] = FORMS.index("within")
        exact = (first == a) & (last == b)
        form[exact], facts[exact] = FORMS.index(name), number
    return form, facts
