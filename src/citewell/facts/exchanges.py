"""Exchanged roles: the sides of a relation that the evidence has the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

from citewell.facts.frames import Frame, frames, symmetric
from citewell.facts.kinship import Kinship
from citewell.facts.tokens import Tokens
from citewell.facts.words_aligned import Aligned

# The sides of which it matters which is which; "in May" and "at Oslo" may stand anywhere.
_PARTIES = frozenset("doer object from to more less for against over into".split())

_WE = frozenset("we us our ours ourselves".split())
_DENYING = frozenset("no not never cannot neither nor without".split())
_NEAR = 3  # words before what relates them in which a denial of it stands
_MOST = 24  # acts that claim and sentence have in common, each of which is held against each
_OPPOSITE = (("doer", "object"), ("from", "to"))


class Exchange(NamedTuple):
    """The places of the words of the claim, and of the sentence, that the one has in each other's place."""

    sentence: int
    words: tuple[int, ...]
    shown: tuple[int, ...]


class _Two(NamedTuple):
    """What relates them, and the places of the words on two sides."""

    relating: tuple[int, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    opposite: bool = False


class _Sides(NamedTuple):
    """The words on two sides of a text, without those that stand on both, by keys that both texts share."""

    first: dict[str, int]
    second: dict[str, int]


def exchanged(aligned: Sequence[Aligned]) -> Exchange | None:
    """The first sides of the claim that a sentence has the other way round, where no sentence has them as they are."""
    turned: dict[_Two, Exchange] = {}
    kept: set[_Two] = set()
    for sentence, words in enumerate(aligned):
        matched = _matched(words)
        pairs = [pair for here, there in matched for pair in _pairs(here, there)]
        pairs += [pair for first, second in combinations(matched, 2) for pair in _across(first, second)]
        for here, there in pairs:
            change = _turned(words, here, there) or _misplaced(words, here, there)
            if change is True:
                kept.add(here)
            elif change:
                turned.setdefault(here, Exchange(sentence, *change))
    return next((change for here, change in turned.items() if here not in kept), None)


def with_converses(words: Aligned) -> Aligned:
    """The alignment with a word that says from the other side what the sentence says as its match: "sold", "bought"."""
    places, kinships, taken = list(words.places), list(words.kinships), list(words.taken)
    for here, there in _matched(words):
        free = words.claim.content[here.place] and places[here.place] < 0 and taken[there.place] < 0
        if free and any(_turned(words, *pair) is True for pair in _pairs(here, there)):
            places[here.place], kinships[here.place], taken[there.place] = there.place, Kinship.SYNONYM, here.place
    if places == list(words.places):
        return words
    left = tuple(turn for turn in words.substitutions if places[turn.claim_place] < 0)
    return replace(words, places=tuple(places), kinships=tuple(kinships), taken=tuple(taken), substitutions=left)


def _matched(words: Aligned) -> list[tuple[Frame, Frame]]:
    """The frames of claim and sentence that tell the same act."""
    both = product(frames(words.claim.text), frames(words.evidence.text))
    return [(here, there) for here, there in both if _same(words, here, there)][:_MOST]


def _same(words: Aligned, here: Frame, there: Frame) -> bool:
    """Whether two frames tell the same act."""
    if here.relation in symmetric() or there.relation in symmetric():
        return False
    if _denied(words.claim, here.place) != _denied(words.evidence, there.place):
        return False
    aligned = words.places[here.place] == there.place and words.kinships[here.place] <= Kinship.SYNONYM
    return here.relation == there.relation or aligned


def _denied(tokens: Tokens, place: int) -> bool:
    return any(tokens.lower[n] in _DENYING or tokens.keys[n] == "not" for n in range(max(0, place - _NEAR), place))


def _pairs(here: Frame, there: Frame) -> Iterator[tuple[_Two, _Two]]:
    """Two sides of one frame, as the claim and as the sentence has them."""
    names = sorted(name for name in _PARTIES if here.slots.get(name) and there.slots.get(name))
    for pair in combinations(names, 2):
        yield (
            _Two((here.place,), here.slots[pair[0]], here.slots[pair[1]], pair in _OPPOSITE),
            _Two((there.place,), there.slots[pair[0]], there.slots[pair[1]]),
        )


def _across(first: tuple[Frame, Frame], second: tuple[Frame, Frame]) -> Iterator[tuple[_Two, _Two]]:
    """A side of each of two frames."""
    if first[0].place == second[0].place or first[1].place == second[1].place:
        return
    names, others = (
        [name for name in ("doer", "object") if here.slots.get(name) and there.slots.get(name)]
        for here, there in (first, second)
    )
    for name in names:
        for other in others:
            yield (
                _Two((first[0].place, second[0].place), first[0].slots[name], second[0].slots[other]),
                _Two((first[1].place, second[1].place), first[1].slots[name], second[1].slots[other]),
            )


def _keys(words: Aligned, two: _Two) -> _Sides:
    """The words on two sides of the claim, by the keys that they have in the sentence."""
    sides = []
    spelled = [{words.claim.keys[n] for n in places} for places in (two.first, two.second)]
    for places in (two.first, two.second):
        keys = {}
        for n in places:
            place = words.places[n]
            near = place >= 0 and words.kinships[n] <= Kinship.SYNONYM
            if not words.claim.numbers[n] and words.claim.keys[n] not in spelled[0] & spelled[1]:
                keys[_key(words.evidence, place) if near else _key(words.claim, n)] = n
        sides.append(keys)
    return _apart(*sides)


def _shown(words: Aligned, places: Sequence[int]) -> dict[str, int]:
    return {_key(words.evidence, n): n for n in places}


def _key(tokens: Tokens, place: int) -> str:
    return "we" if tokens.lower[place] in _WE else tokens.keys[place]


def _apart(first: dict[str, int], second: dict[str, int]) -> _Sides:
    return _Sides(
        {key: n for key, n in first.items() if key not in second},
        {key: n for key, n in second.items() if key not in first},
    )


def _turned(words: Aligned, here: _Two, there: _Two) -> tuple[tuple[int, ...], tuple[int, ...]] | bool:
    """The words that have changed sides; True where both sides stand as in the claim, False where nothing is known."""
    mine = _keys(words, here)
    theirs = _apart(_shown(words, there.first), _shown(words, there.second))
    crossed = [key for key in mine.first if key in theirs.second], [key for key in mine.second if key in theirs.first]
    kept = [key for key in mine.first if key in theirs.first], [key for key in mine.second if key in theirs.second]
    if all(kept) and not all(crossed):
        return True
    if not all(crossed):
        return False
    if len(here.relating) > 1:
        certain = not any(kept) and all(
            places[-1] in (side[key] for key in keys) or any(words.claim.names[side[key]] for key in keys)
            for places, side, keys in zip((here.first, here.second), mine, crossed, strict=True)
        )
    else:  # where both sides keep a word, as "the shares of Ann" and "the holders of Ben" do, names alone tell
        certain = not all(kept) or (
            all(any(words.claim.names[side[key]] for key in keys) for side, keys in zip(mine, crossed, strict=True))
            and not any(words.claim.names[side[key]] for side, keys in zip(mine, kept, strict=True) for key in keys)
        )
    if not certain:
        return False
    changed = [mine[n][key] for n in (0, 1) for key in crossed[n]]
    shown = [theirs[1 - n][key] for n in (0, 1) for key in crossed[n]]
    return (*here.relating, *changed), (*there.relating, *shown)


def _misplaced(words: Aligned, here: _Two, there: _Two) -> tuple[tuple[int, ...], tuple[int, ...]] | bool:
    """A name on one side that the same verb has on the other one alone, where nothing stands as the claim has it."""
    if not here.opposite or words.claim.keys[here.relating[0]] != words.evidence.keys[there.relating[0]]:
        return False
    mine, theirs = _keys(words, here), (_shown(words, there.first), _shown(words, there.second))
    for n, side in enumerate((here.first, here.second)):
        if any(words.claim.names[place] and place not in mine[n].values() for place in side):
            continue  # a part of the name stands on both sides: "Oslo" and "Oslo Harbour"
        names = {key: place for key, place in mine[n].items() if words.claim.names[place]}
        across = names and names.keys() <= theirs[1 - n].keys()
        if across and not (mine[n].keys() & theirs[n].keys() or mine[1 - n].keys() & theirs[1 - n].keys()):
            return (*here.relating, *names.values()), (*there.relating, *(theirs[1 - n][key] for key in names))
    return False
