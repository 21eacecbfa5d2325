"""The negated parts of a sentence: negation cues and the words in their scope.

Cue, scope and termination follow NegEx (Chapman et al., A simple algorithm for identifying negated findings, 2001);
two cues over the same word cancel each other ("did not fail to").
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from citewell.facts import lists
from citewell.facts.kinship import look_up
from citewell.facts.tokens import Tokens
from citewell.facts.types import Fact
from citewell.facts.wordnet import VERB, wordnet

PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non")  # "invalid" is what is not valid, and nothing between
_LONGEST = 4  # words of a cue
_PREVENTED = 8  # words back from "from" among which stands the verb that prevents what is behind it
_NEAR = 3  # words before one that forbids among which stands a form of "be"
_BEING = frozenset("is are was were be been being".split())
_NEED = frozenset(
    "have has had need needs needed necessarily always required".split()
)  # behind "not": no denial of "can"


@dataclass(frozen=True, slots=True)
class Negation(Fact):
    """A cue; `first` and `last` (exclusive) are the positions of the words that it denies."""

    first: int
    last: int


@cache
def _cues(name: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(cue.split()) for cue in lists.read("negation")[name])


@cache
def _first_words() -> frozenset[str]:
    """The words that a cue may begin with."""
    return frozenset(cue[0] for cue in _cues("forward") | _cues("false_cues"))


def negations(tokens: Tokens) -> tuple[Negation, ...]:
    """The cues of a sentence, in order."""
    lower = tokens.lower
    result: list[Negation] = []
    place = 0
    while place < len(lower):
        if _keeps_from(tokens, place) or lower[place] in lists.words("negation", "forbidding"):
            result.append(_ahead(tokens, place, 1))
        elif _is_forbidden(tokens, place):
            result.append(_ahead(tokens, place, 1) if _leads_to_verb(tokens, place) else _of_what(tokens, place))
        if lower[place] not in _first_words() and not lower[place].endswith("n't"):
            place += 1
            continue
        length = _longest(lower, place, "false_cues")
        if length:
            place += length
            continue
        if lower[place].endswith("n't"):
            result.append(_ahead(tokens, place, 1))
        elif (length := _longest(lower, place, "forward")) and not _goes_to(tokens, place + length - 1):
            after = place + length
            closes = after >= len(tokens) or _ends(tokens, after, commas=True)
            make = _behind if closes and lower[place:after] in _cues("backward") else _ahead
            result.append(make(tokens, place, length))
        place += max(1, length)
    return tuple(result)


def _keeps_from(tokens: Tokens, place: int) -> bool:
    """Whether what is done behind this word is prevented: "kept the ship from sailing", "avoided paying"."""
    if not tokens.lower[place + 1 : place + 2] or not tokens.lower[place + 1].endswith("ing"):
        return False
    if tokens.lower[place] in lists.words("negation", "avoiding"):
        return True
    before = range(place - 1, max(-1, place - _PREVENTED), -1) if tokens.lower[place] == "from" else ()
    verb = next((n for n in before if tokens.lower[n] in lists.words("negation", "preventing")), -1)
    return verb >= 0 and not any(_ends(tokens, n, commas=True) for n in range(verb + 1, place))


def _is_forbidden(tokens: Tokens, place: int) -> bool:
    """Whether this word says that something must not be: "smoking is prohibited", but not "prohibited from smoking"."""
    if tokens.lower[place] not in lists.words("negation", "forbidden"):
        return False
    behind = tokens.lower[place + 1 : place + _PREVENTED]
    return not _BEING.isdisjoint(tokens.lower[max(0, place - _NEAR) : place]) and "from" not in behind


def _leads_to_verb(tokens: Tokens, place: int) -> bool:
    """Whether what is forbidden stands behind the word: "forbidden to feed swans", but not "forbidden to strangers"."""
    net, behind = wordnet(), tokens.known[place + 2 : place + 3]
    senses = [sense for known in behind for entry in known.entries for sense in net.senses.get(entry)]
    return tokens.lower[place + 1 : place + 2] == ("to",) and any(net.pos[sense] == VERB for sense in senses)


def _of_what(tokens: Tokens, place: int) -> Negation:
    """The denial of what a clause before a word that forbids is about: its first word of content, and nothing else."""
    clause = _behind(tokens, place, 1)
    first = next((n for n in range(clause.first, clause.last) if tokens.content[n]), clause.first)
    return Negation("negation", *tokens.span(place), first, min(first + 1, place))


def permits(tokens: Tokens) -> bool:
    """Whether a sentence says that something may be done."""
    spelled = (
        tokens.text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)
    )  # "May" is a month
    return not lists.words("negation", "permitting").isdisjoint(spelled)


def is_limited(tokens: Tokens, cue: Negation) -> bool:
    """Whether something is forbidden for a time or on a condition only: "prohibited until 1990", "unless asked"."""
    behind = tokens.lower[tokens.between(*cue.span)[-1] + 1 :]
    return not lists.words("negation", "limiting").isdisjoint(behind)


def forbids(tokens: Tokens, cue: Negation) -> bool:
    """Whether a cue says that something must not be, which other words deny as well: "not permitted"."""
    word = tokens.lower[tokens.between(*cue.span)[0]]
    return any(word in lists.words("negation", name) for name in ("forbidden", "forbidding"))


def never_before(tokens: Tokens, cue: Negation) -> bool:
    """Whether a cue says that something is the first of its kind: "had never before sailed", "never sailed before"."""
    at, before = tokens.between(*cue.span)[0], tokens.lower[cue.last : cue.last + 1] == ("before",)
    closes = cue.last + 1 >= len(tokens) or bool(tokens.gap(cue.last + 1).strip())
    return tokens.lower[at] == "never" and (tokens.lower[at + 1 : at + 2] == ("before",) or (before and closes))


def _goes_to(tokens: Tokens, place: int) -> bool:
    """Whether the "to" of a cue leads to a figure: what "declined to 5" only fell."""
    after = tokens.text[tokens.ends[place] : tokens.starts[place + 1] + 1] if place + 1 < len(tokens) else ""
    return tokens.lower[place] == "to" and (bool(set(after) & set("$£€¥")) or after[-1:].isdigit())


def doubled(tokens: Tokens, cues: tuple[Negation, ...]) -> bool:
    """Whether one denial stands inside another's scope, so that no word alone says what both do: "none ... without"."""
    inner = [n for n, word in enumerate(tokens.lower) if word in _EXCEPTING]
    return any(
        place < len(inner) and inner[place] < outer.last and tokens.starts[inner[place]] > outer.start
        for outer in cues
        for place in (bisect_left(inner, outer.first),)
    )


_EXCEPTING = frozenset(("without", "unless"))


def denied(count: int, negations: tuple[Negation, ...]) -> tuple[bool, ...]:
    """Which of `count` words an odd number of cues denies."""
    turns = [0] * (count + 1)
    for negation in negations:
        turns[negation.first] += 1
        turns[negation.last] += 1
    return tuple(number % 2 == 1 for number in accumulate(turns[:count]))


def _longest(lower: tuple[str, ...], place: int, name: str) -> int:
    lengths = range(min(_LONGEST, len(lower) - place), 0, -1)
    return next((length for length in lengths if lower[place : place + length] in _cues(name)), 0)


def _ahead(tokens: Tokens, place: int, length: int) -> Negation:
    first = place + length
    subject = tokens.lower[place] in lists.words(
        "negation", "subject"
    )  # "Neither party will, without approval, disclose"
    if _comma(tokens, first):  # "shall not, without consent, disclose": what stands between commas is not denied
        first = next((n for n in range(first + 1, len(tokens)) if _comma(tokens, n)), first)
    if tokens.lower[place] == "non" or _denies_itself(tokens, first):
        # "A non-binding offer" denies no more than that it binds, "not unusual for geese to stay" not that they stay.
        return Negation("negation", *tokens.span(place), first, min(first + 1, len(tokens)))
    last = first
    while last < len(tokens) and (last == first or not _ends(tokens, last, commas=not subject)):
        if tokens.lower[last] == "and" and last + 1 < len(tokens) and tokens.known[last + 1].part == VERB:
            break
        last += 1
    return Negation("negation", *tokens.span(place, place + length - 1), first, last)


def _denies_itself(tokens: Tokens, place: int) -> bool:
    """Whether a word has a prefix that denies what is its opposite: "unusual"."""
    if place >= len(tokens):
        return False
    word, opposites = tokens.lower[place], tokens.known[place].antonyms
    return any(
        word.startswith(prefix) and not opposites.isdisjoint(look_up(word[len(prefix) :]).entries)
        for prefix in PREFIXES
    )


def _comma(tokens: Tokens, place: int) -> bool:
    return 0 < place < len(tokens) and "," in tokens.text[tokens.ends[place - 1] : tokens.starts[place]]


def _behind(tokens: Tokens, place: int, length: int) -> Negation:
    first = place
    while first > 0 and not _ends(tokens, first, commas=True):
        first -= 1
    return Negation("negation", *tokens.span(place, place + length - 1), first, place)


def _ends(tokens: Tokens, place: int, *, commas: bool) -> bool:
    """Whether a clause ends before that word: a word that opens another, a further verb denied, or a mark."""
    word = tokens.lower[place]
    if word.endswith("n't") or any(word in lists.words("negation", name) for name in ("stops", "verbal", "subject")):
        return True
    between = tokens.text[tokens.ends[place - 1] : tokens.starts[place]] if place else ""
    return any(mark in between for mark in ";:.?!()—–") or (commas and "," in between and word not in ("or", "nor"))


def denies_need_alone(evidence: Tokens, cue: Negation, claim: Tokens) -> bool:
    """Whether only that something must or always does hold is denied, of which the claim says nothing."""
    at = evidence.between(cue.start, cue.end)
    after = evidence.lower[at[-1] : at[-1] + 3] if at else ()
    return any(word in _NEED and word not in claim.lower for word in after)


def denies_degree_alone(evidence: Tokens, cue: Negation, claim: Tokens) -> bool:
    """Whether only that it is enough is denied, of which the claim says nothing: "not large enough for ships"."""
    return "enough" in evidence.lower[cue.first : cue.last] and "enough" not in claim.lower
