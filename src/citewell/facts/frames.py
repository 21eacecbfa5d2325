"""Who does what to whom: frames from word order, voice, prepositions and "than", without a parser.

    frames("The bill was drafted by Ann.")   # (Frame(place=3, relation="draft", slots={"doer": (5,), "object": (1,)}),)

A frame is a verb or a comparison with the words on each of its sides. Sides have one name whatever
the wording: who sells and who buys are "from" and "to" of one relation, and of "smaller" the right side is the larger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from citewell.facts import lists
from citewell.facts.kinship import look_up
from citewell.facts.tokens import Tokens, tokens
from citewell.facts.verbs import (
    BE,
    DETERMINERS,
    HELPING,
    MODALS,
    OPENS,
    PREPOSITIONS,
    PRONOUNS,
    WHO,
    Verb,
    can_be,
    owns,
    skip,
    verbs,
)
from citewell.facts.wordnet import ADJECTIVE

Places = tuple[int, ...]
Slots = dict[str, Places]
REACH = 16  # words from a verb in which its sides are sought
DEPTH = 2  # verbs of which one depends on another, up to the one that has a doer
CLOSE = 8  # words from a comparative to its "than", and of one expression
_JOINS = frozenset(("and", "or"))
_MORE = frozenset("more less fewer rather".split())
_BEFORE_AMOUNTS = DETERMINERS | {"about", "more", "approximately"}
_MARKS = frozenset(",;:—–|\n")


class Frame(NamedTuple):
    """What relates the words of its slots: the place of the word that does, and what it means.

    `relation` is the stem of a base form, or the first of the words that tell the same act. Slots: "doer", "object",
    "from" and "to" where something changes hands, "more" and "less" of comparisons, else the preposition.
    """

    place: int
    relation: str
    slots: Slots


class _Sentence(NamedTuple):
    """The words, the number of the clause of each, and the verbs by their places."""

    words: Tokens
    clause: Sequence[int]
    acting: Mapping[int, Verb]


@lru_cache(maxsize=4096)
def frames(text: str) -> tuple[Frame, ...]:
    """The frames of a sentence, in the order of their words."""
    words = tokens(text)
    clause = _clauses(words)
    read = _Sentence(words, clause, verbs(words, clause))
    result = [Frame(n, *_grouped(words, words.known[n].key, _sides(read, n))) for n in read.acting]
    result += _comparisons(read)
    return tuple(sorted((frame for frame in result if any(frame.slots.values())), key=lambda frame: frame.place))


@cache
def symmetric() -> frozenset[str]:
    """The relations that hold both ways."""
    return _listed("symmetric")


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(look_up(word).key for word in lists.read("frames")[name].split())


def _clauses(words: Tokens) -> Sequence[int]:
    """The number of the clause of each word; what stands in brackets is a clause of its own and ends none."""
    result, number, depth = [], 0, 0
    for n, word in enumerate(words.lower):
        between = words.gap(n)
        depth = max(0, depth + between.count("(") - between.count(")"))
        opens = word in OPENS or (word in WHO and word != "that")
        number += bool(n) and not depth and (opens or not _MARKS.isdisjoint(between))
        result.append(-1 - number if depth else number)
    return result


# --- the sides of a verb


def _sides(read: _Sentence, n: int) -> Slots:
    words, clause = read.words, read.clause
    slots, subject = _behind(read, n), _subject(read, n)
    if not read.acting[n].passive:
        near = range(max(1, n - CLOSE), n - 1)
        who = max((m for m in near if words.lower[m] in WHO and clause[m] == clause[n]), default=0)
        if who and "object" not in slots:  # "the mill which Ann bought"
            slots["object"] = _filled(words, _expression(read, who - 1))
        return {"doer": subject, **slots}
    doer, thing = slots.pop("by", ()), slots.pop("object", ())
    if thing and words.known[n].key in _groups():  # "was given a fee"
        return {**slots, "doer": doer, "object": thing, "to": subject}
    return {**slots, "doer": doer, "object": subject}


def _filled(words: Tokens, places: Sequence[int]) -> Places:
    return tuple(n for n in sorted(places) if words.content[n] or words.lower[n] in lists.words("speakers", "selves"))


def _subject(read: _Sentence, n: int, depth: int = 0) -> Places:
    """The words before a verb that say who does it, those of the verb that it depends on where it has none itself."""
    words, clause, acting = read
    at = skip(words, n - 1, BE | HELPING | MODALS)
    if at < 0 or n - at > REACH or words.lower[at] in PREPOSITIONS:
        return ()
    if words.lower[at] in WHO and at:
        return _filled(words, _expression(read, at - 1))
    bound = acting[n].bound and words.lower[at + 1] not in BE | HELPING  # "is to sell" depends on no other verb
    governing = max((m for m in range(max(0, n - REACH), n) if m in acting), default=-1)
    near = governing >= 0 and depth < DEPTH
    if bound and near and words.known[governing].key not in _listed("object_control"):
        return _subject(read, governing, depth + 1)  # "agreed to buy", "made an offer to buy"
    places: list[int] = []
    here = clause[at]
    while at >= 0 and n - at < REACH and at not in acting and words.lower[at] not in WHO:
        if clause[at] != here:
            joined = bool(places) and words.lower[places[-1]] in _JOINS and "," not in words.gap(places[-1])
            start = min(m for m in range(max(0, at - REACH), at + 1) if clause[m] == clause[at])
            another = joined and any(m in acting for m in range(start, at))  # "sued the broker and the firm paid"
            if another or (not joined and any(words.content[m] for m in places)):
                break
            aside = words.lower[start] in WHO | PREPOSITIONS or (start in acting and acting[start].passive)
            if aside and start and not joined:
                at = start - 1  # "the firm, bought by Ann, sells": what stands before both commas
            here = clause[at]
        if words.lower[at] in OPENS and not (places and words.lower[at] in _JOINS):
            break
        places.append(at)
        at -= 1
    if any(words.lower[m] in PRONOUNS - lists.words("speakers", "selves") for m in places[:1]):
        return ()
    filled = _filled(words, places)
    return filled if filled or not near else _subject(read, governing, depth + 1)


def _expression(read: _Sentence, last: int) -> list[int]:
    """The places of the expression for a thing that ends at a word."""
    places = []
    for n in range(last, max(-1, last - CLOSE), -1):
        if n in read.acting or read.words.lower[n] in PREPOSITIONS | OPENS | WHO | BE:
            break
        places.append(n)
    return places


def _behind(read: _Sentence, n: int) -> Slots:
    """What stands behind a verb: its object, and what each preposition brings."""
    words, clause, acting = read
    slots: dict[str, list[int]] = {}
    role, here = "object", clause[n]
    for m in range(n + 1, min(len(words), n + 1 + REACH)):
        lower = words.lower[m]
        if clause[m] != here and lower in _JOINS and not _acts(read, m):
            here = clause[m]
        if clause[m] != here or lower in WHO | BE or m in acting:
            break
        if lower in PREPOSITIONS and not (lower == "about" and m + 1 < len(words) and words.numbers[m + 1]):
            role = lower if lower not in slots else f"{lower} "
        else:
            slots.setdefault(role, []).append(m)
    return {role: filled for role, places in slots.items() if (filled := _filled(words, places))}


def _acts(read: _Sentence, n: int) -> bool:
    """Whether the clause that begins at a word has a verb."""
    after = range(n, min(len(read.words), n + REACH))
    return any(m in read.acting and read.clause[m] == read.clause[n] for m in after)


# --- what a relation is called


class _Group(NamedTuple):
    relation: str
    turned: bool
    transfer: bool


@cache
def _groups() -> Mapping[str, _Group]:
    known = lists.read("frames")
    return {
        look_up(word).key: _Group(both[0].split()[0], bool(turned), name == "transfers")
        for name in ("transfers", "converses")
        for both in known[name]
        for turned, spelled in enumerate(both)
        for word in spelled.split()
    }


def _grouped(words: Tokens, key: str, slots: Slots) -> tuple[str, Slots]:
    """What a verb tells, and its slots by the names that they have in its group."""
    group = _Group(key, "from" in slots, transfer=True) if key in _listed("either_way") else _groups().get(key)
    doer, thing, to = (slots.get(name, ()) for name in ("doer", "object", "to"))
    if group is None:
        return key, slots
    if not group.transfer:
        other = to or slots.get("for") or thing  # "lost to Ann"
        return group.relation, {"doer": other, "object": doer} if group.turned else {"doer": doer, "object": thing}
    if group.turned:
        owner = next((k for k, n in enumerate(thing, 1) if owns(words, n)), 0)  # "bought Ann's mill": from Ann
        return group.relation, {"to": doer, "from": slots.get("from", ()) or thing[:owner], "object": thing[owner:]}
    first = () if to else _recipient(words, thing)
    if key in _listed("to_whom") and not (to or first):  # "pays the notary"
        first = thing
    return group.relation, {"from": doer, "to": to or first, "object": thing[len(first) :]}


def _recipient(words: Tokens, thing: Places) -> Places:
    """The first of two expressions behind a verb, before an article or amount: "paid Ann a fee"."""
    for count in range(1, 0 if thing and words.lower[thing[0]] == "our" else len(thing)):
        between = words.lower[thing[count - 1] + 1 : thing[count]]
        amount = words.numbers[thing[count]] and not words.numbers[thing[count - 1]]
        if amount or not _BEFORE_AMOUNTS.isdisjoint(between):
            return thing[:count] if "of" not in between and "and" not in between else ()
    return ()


# --- comparisons


def _comparisons(read: _Sentence) -> Iterator[Frame]:
    """Frames of comparatives with "than"; the side that is larger is "more" for the words of direction."""
    words, clause, _ = read
    for than in (n for n, word in enumerate(words.lower) if word == "than"):
        near = reversed(range(max(0, than - CLOSE), than))
        word = next((n for n in near if words.lower[n] in _MORE or _is_comparative(words.lower[n])), -1)
        if word < 0 or than + 1 >= len(words) or words.numbers[than + 1]:
            continue
        left = [n for n in range(max(0, than - 2 * REACH), than) if clause[n] == clause[than] and n != word]
        right = [n for n in range(than + 1, min(len(words), than + 2 * REACH)) if clause[n] == clause[than]]
        relation, turned = _compared().get(words.lower[word], (words.known[word].key, False))
        names = ("less", "more") if turned else ("more", "less")
        yield Frame(word, relation, dict(zip(names, (_filled(words, left), _filled(words, right)), strict=True)))


def _is_comparative(lower: str) -> bool:
    bare = lower.removesuffix("er")
    bases = (bare, bare + "e", bare[:-1], bare.removesuffix("i") + "y")
    return lower in _compared() or (bare != lower and any(can_be(base, ADJECTIVE) for base in bases))


@cache
def _compared() -> Mapping[str, tuple[str, bool]]:
    """The comparatives of one scale, and whether what they are said of is the lesser."""
    return {
        word: (f"{both[0].split()[0]} than", bool(turned))
        for both in lists.read("frames")["compared"]
        for turned, spelled in enumerate(both)
        for word in spelled.split()
    }
