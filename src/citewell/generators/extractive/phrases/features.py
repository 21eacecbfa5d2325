"""Features of a phrase as a short answer: its form and borders, and the positions of the question's words.

Most say that one of a few things holds (the class of the word before the phrase, by the group of the question), so a
row is some positions of weights and a few plain numbers; both are made for all phrases of a sentence at once.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citewell.facts.features import Floats
from citewell.facts.kinship import Kinship, kinship
from citewell.generators.extractive.phrases.asking import GROUPS, SIDES, Asking
from citewell.generators.extractive.phrases.candidates import FORMS, Ints, Phrases
from citewell.generators.extractive.phrases.words import CLASSES, CONTENT, NUMBER
from citewell.generators.extractive.questions import KINDS, Kind

LENGTHS = (1, 2, 3, 4, 6, 8, 12, 20)  # words, the upper ends of the groups of lengths
PLACES = ("before", "after", "between", "across", "alone")
PLAIN = (
    "shared", "all_shared", "near_left", "near_right", "far_left", "far_right", "covered", "odds", "first_near",
    "last_near", "focus_before", "focus_after", "focus_inside", "kind_of", "kind_of_any", "sibling_of", "no_kind_of",
    "apposed", "enclosed", "verbs", "commas", "prepositions", "clauses", "ands", "rare", "opens", "names",
    "preposition_before", "preposition_stranded", "pronouns",
)  # fmt: skip
_PREPOSITIONS = [NUMBER[name] for name in ("of", "in", "by", "to", "from", "preposition")]
_VERBS = [NUMBER[name] for name in ("be", "aux", "verb")]
_NEAR, _FAR = 0.7, 0.93  # what a word is worth against one that is nearer to the phrase by a word


class Rows(NamedTuple):
    """Features of C phrases: (C, H) positions of weights that count once, and (C, D) plain numbers."""

    places: Ints
    plain: Floats


@cache
def names() -> tuple[str, ...]:
    """The names of the weights of places, in order."""
    borders = ("before", "first", "last", "after")
    return (
        *(f"{border} {group} {name}" for border in borders for group in GROUPS for name in CLASSES),
        *(f"form {kind} {form}" for kind in KINDS for form in FORMS),
        *(f"length {group} {most}" for group in GROUPS for most in (*LENGTHS, "more")),
        *(f"side {side} {place}" for side in SIDES for place in PLACES),
    )


def plain_names() -> tuple[str, ...]:
    """The names of the weights of plain numbers: for all questions, and once more for those with long answers."""
    return (*PLAIN, *(f"long {name}" for name in PLAIN))


def features(these: Phrases, asking: Asking, kind: Kind, odds: float) -> Rows:
    """The features of a sentence's phrases; `odds` are those of the sentence against the best, as a logarithm."""
    words, first, last = these.words, these.first, these.last
    count = int(last.max(initial=-1)) + 1
    classes = np.array([NUMBER["end"], *words.classes[: count + 1], NUMBER["end"]], dtype=np.int32)
    weights = np.array([asking.keys.get(key, 0.0) for key in words.keys[:count]])
    group, size = GROUPS.index(asking.group), len(CLASSES)
    places: list[Ints] = []
    start = 0
    for border in (classes[first], classes[first + 1], classes[last + 1], classes[last + 2]):
        places.append(start + group * size + border)
        start += len(GROUPS) * size
    places.append(start + KINDS.index(kind) * len(FORMS) + these.form)
    start += len(KINDS) * len(FORMS)
    places.append(start + group * (len(LENGTHS) + 1) + np.searchsorted(LENGTHS, last - first + 1))
    start += len(GROUPS) * (len(LENGTHS) + 1)
    matched = np.flatnonzero(weights)
    where = np.full(len(first), PLACES.index("alone"))
    if len(matched):
        left = np.searchsorted(matched, first)
        right = len(matched) - np.searchsorted(matched, last, side="right")
        where = np.where(
            left == 0,
            PLACES.index("before"),
            np.where(right == 0, PLACES.index("after"), PLACES.index("between")),
        )
        where[(left == 0) & (right == 0)] = PLACES.index("across")
    places.append(start + SIDES.index(asking.side) * len(PLACES) + where)
    plain = _plain(these, asking, count, weights, odds)
    doubled = np.concatenate((plain, plain * (asking.group == "long")), axis=1)
    return Rows(np.stack(places, axis=1).astype(np.int32), doubled)


def _plain(these: Phrases, asking: Asking, count: int, weights: Floats, odds: float) -> Floats:
    words, first, last = these.words, these.first, these.last
    rarity = np.array(words.weights[:count])
    classes = np.array(words.classes[:count], dtype=np.int32)
    content = np.isin(classes, list(CONTENT))
    keys, lower = words.keys[:count], words.lower[:count]
    length = last - first + 1
    sums = _sums(rarity, first, last)
    shared = _sums(rarity * (weights > 0), first, last) / np.maximum(sums, 1e-6)
    column: dict[str, npt.ArrayLike] = {
        "shared": shared,
        "all_shared": shared > 0.99,
        "near_left": _decayed(weights, _NEAR)[first],
        "near_right": _decayed(weights[::-1], _NEAR)[::-1][last + 1],
        "far_left": _decayed(weights, _FAR)[first],
        "far_right": _decayed(weights[::-1], _FAR)[::-1][last + 1],
        "covered": sum(asking.keys[key] for key in set(keys) & asking.keys.keys())
        / max(1e-6, sum(asking.keys.values())),
        "odds": odds,
        "first_near": _closeness(keys, asking.first, first, last),
        "last_near": _closeness(keys, asking.last, first, last),
        "rare": sums / np.maximum(1, _sums(content, first, last)),
        "opens": first == 0,
        "names": np.minimum(3, _sums(classes == NUMBER["name"], first, last)) / 3,
        "preposition_before": _is_before(lower, asking.before, first),
        "preposition_stranded": _is_before(lower, asking.stranded, first),
        "apposed": _is(classes, "comma", first - 1)
        & (_is(classes, "comma", last + 1) | _is(classes, "mark", last + 1)),
        "enclosed": _is(classes, "open", first - 1) & _is(classes, "close", last + 1),
        "pronouns": _sums(classes == NUMBER["pronoun"], first, last) / length,
        "verbs": np.minimum(3, _sums(np.isin(classes, _VERBS), first, last)) / 3,
        "commas": np.minimum(4, _sums(classes == NUMBER["comma"], first, last)) / 4,
        "clauses": np.minimum(2, _sums(classes == NUMBER["clause"], first, last)) / 2,
        "ands": np.minimum(2, _sums(classes == NUMBER["and"], first, last)) / 2,
        "prepositions": np.minimum(3, _sums(np.isin(classes, _PREPOSITIONS), first, last)) / 3,
        **_focus(these, asking, lower, keys),
    }
    result = np.zeros((len(first), len(PLAIN)), dtype=np.float64)
    for place, name in enumerate(PLAIN):
        result[:, place] = column[name]
    return result


def _focus(these: Phrases, asking: Asking, lower: tuple[str, ...], keys: tuple[str, ...]) -> dict[str, npt.ArrayLike]:
    """How a phrase stands to the noun that is asked for: beside it, or a thing of that kind."""
    first, last = these.first, these.last
    word, key = asking.focus
    names = ("focus_before", "focus_after", "focus_inside", "kind_of", "kind_of_any", "sibling_of", "no_kind_of")
    if not word:
        return dict.fromkeys(names, 0.0)
    is_focus = np.array([other == key for other in keys])
    padded = np.concatenate(([False], is_focus, [False]))
    kin = [kinship(word, other) if these.words.classes[n] in CONTENT else Kinship.NONE for n, other in enumerate(lower)]
    of = np.array([relation == Kinship.BROADER for relation in kin])
    sibling = np.array([relation in (Kinship.SIBLING, Kinship.SYNONYM) for relation in kin])
    any_of = _sums(of, first, last) > 0
    return {
        "focus_before": padded[first],
        "focus_after": padded[last + 2],
        "focus_inside": _sums(is_focus, first, last) > 0,
        "kind_of": of[last],
        "kind_of_any": any_of,
        "sibling_of": sibling[last],
        "no_kind_of": ~any_of & bool(of.any()),
    }


def _sums(values: npt.ArrayLike, first: Ints, last: Ints) -> Floats:
    """The sum of the values of each phrase's words."""
    added = np.concatenate(([0.0], np.cumsum(values)))
    result: Floats = added[last + 1] - added[first]
    return result


def _decayed(weights: Floats, rate: float) -> Floats:
    """For each position the weights before it, those further away worth less."""
    result, total = np.zeros(len(weights) + 1), 0.0
    for place, weight in enumerate(weights.tolist()):
        total = total * rate + weight
        result[place + 1] = total
    return result


def _closeness(keys: tuple[str, ...], key: str, first: Ints, last: Ints) -> Floats:
    """How near a word stands to each phrase: 1 beside it."""
    result = np.zeros(len(first))
    for place in [n for n, other in enumerate(keys) if other == key] if key else ():
        distance = np.where(place < first, first - place, place - last)
        result = np.maximum(result, np.where(distance > 0, 1 / np.maximum(1, distance), 0.0))
    return result


def _is(classes: Ints, name: str, places: Ints) -> npt.NDArray[np.bool_]:
    padded = np.concatenate((classes, [NUMBER["mark"], -1]))  # what ends a sentence; -1 is before it
    result: npt.NDArray[np.bool_] = padded[places] == NUMBER[name]
    return result


def _is_before(lower: tuple[str, ...], word: str, first: Ints) -> npt.NDArray[np.bool_]:
    same = np.array([False, *(bool(word) and other == word for other in lower)])
    return same[first]
