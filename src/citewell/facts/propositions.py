"""Who does what to whom, read from order, voice and "by", without a parser; and what a claim puts in another's place.

    propositions(tokens("The bill was drafted by Ann."))   # (Proposition(predicate=3, doer=5, object=1),)

A claim says another thing than its evidence where the same verb has another doer or object, both of which stand in
claim and evidence: "costs fell and profits rose" against "costs rose and profits fell".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from citewell.facts.clauses import clauses
from citewell.facts.kinship import Kinship
from citewell.facts.tokens import Tokens, tokens
from citewell.facts.wordnet import ADJECTIVE, ADVERB, VERB
from citewell.facts.words_aligned import Aligned

CLOSE = 8  # words between two names that one verb relates, or from a comparative to its "than"
_MORE = frozenset("more less fewer".split())
REACH = 10  # words from a verb to its doer or object
_BE = frozenset("be is are was were been being am get got gets".split())
_NAMING = frozenset("be becom know call name entitl titl dub refer includ have contain make".split())
_BETWEEN = frozenset(
    "in at with for from by of during under after before since until near as than to on over about into between "
    "against among through per via within without across toward towards upon except".split()
)
_BEFORE_NOUNS = frozenset(
    "the a an this that these those its their his her our my your each every some most no any all".split()
)
_LINKS = frozenset("and or plus as well both".split())
_OTHERS = frozenset(
    "it its they them their he him his she her this these those that which who whom we our i you".split()
)


@dataclass(frozen=True, slots=True)
class Proposition:
    """A verb with the heads of its doer and its object, as positions of words; -1 where there is none."""

    predicate: int
    doer: int
    object: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A verb of the claim and the word that it has in a role, with those of the evidence in the same role."""

    predicate: int
    filler: int
    shown_predicate: int
    shown_filler: int


@lru_cache(maxsize=4096)
def propositions(text: str) -> tuple[Proposition, ...]:
    """The propositions of a sentence, in the order of their verbs."""
    sentence, clause = tokens(text), clauses(text)
    result = []
    for verb in range(len(sentence)):
        if not _acts(sentence, verb):
            continue
        by = next((n for n in range(verb + 1, min(verb + 6, len(sentence))) if sentence.lower[n] == "by"), -1)
        by = by if by >= 0 and clause[by] == clause[verb] else -1
        passive = any(word in _BE for word in sentence.lower[max(0, verb - 3) : verb]) and _participle(sentence, verb)
        if (
            not passive
            and any(word in _BE for word in sentence.lower[max(0, verb - 2) : verb])
            and not _ing(sentence, verb)
        ):
            continue  # "is stable": nothing is done
        before, after = _before(sentence, clause, verb), _after(sentence, clause, verb + 1)
        if passive:
            result.append(Proposition(verb, _after(sentence, clause, by + 1) if by >= 0 else -1, before))
        else:
            result.append(Proposition(verb, before, after))
    return tuple(result)


def exchanged(aligned: Aligned) -> Exchange | None:
    """The first verb of the claim whose doer or object the evidence has elsewhere, and another word in its place."""
    claim, evidence, places, taken = aligned.claim, aligned.evidence, aligned.places, aligned.taken
    here = propositions(claim.text)
    there = {proposition.predicate: proposition for proposition in propositions(evidence.text)}
    counts = Counter(evidence.keys)
    for proposition in here:
        other = there.get(places[proposition.predicate])
        if other is None or aligned.kinships[proposition.predicate] > Kinship.FORM:
            continue
        if counts[evidence.keys[other.predicate]] > 1:
            continue  # the verb stands there twice
        for filler, against in ((proposition.doer, other.doer), (proposition.object, other.object)):
            if filler < 0 or against < 0 or claim.keys[filler] == evidence.keys[against]:
                continue
            place, other_place = places[filler], taken[against]
            if place < 0 or other_place < 0 or other_place == filler or aligned.kinships[filler] > Kinship.FORM:
                continue
            if not (_role(proposition, here, other_place) and _role(other, tuple(there.values()), place)):
                continue  # both must be what something is done by or to, in each other's place
            if _together(evidence, place, against) or _together(claim, filler, other_place):
                continue
            return Exchange(proposition.predicate, filler, other.predicate, against)
    return None


def turned_round(aligned: Aligned) -> tuple[int, int, int] | None:
    """What relates two words of the claim that the sentence relates the other way round, and both of them."""
    return _than_swapped(aligned) or _reversed_pair(aligned)


def _than_swapped(aligned: Aligned) -> tuple[int, int, int] | None:
    """A comparison whose sides round "than" have changed places: a word that only the one has, and one of the other."""
    claim, evidence, places = aligned.claim, aligned.evidence, aligned.places
    here, there = _than(claim), _than(evidence)
    if here is None or there is None or places[here[0]] != there[0]:
        return None
    left, right = _apart(claim, here[1])
    before, behind = _apart(evidence, there[1])
    first = next((n for n in left if claim.keys[n] in {evidence.keys[m] for m in behind}), -1)
    second = next((n for n in right if claim.keys[n] in {evidence.keys[m] for m in before}), -1)
    kept = {claim.keys[n] for n in left} & {evidence.keys[m] for m in before if m > there[0]}
    return (here[0], first, second) if first >= 0 and second >= 0 and not kept else None


def _than(tokens: Tokens) -> tuple[int, int] | None:
    """The places of the comparative and of the "than" of a sentence that has one of each."""
    if tokens.lower.count("than") != 1:
        return None
    than = tokens.lower.index("than")
    words = [n for n in range(max(0, than - CLOSE), than) if tokens.lower[n] in _MORE or tokens.lower[n].endswith("er")]
    return (words[-1], than) if words else None


def _apart(tokens: Tokens, than: int) -> tuple[list[int], list[int]]:
    """The content words before and behind a "than" that stand on one side only."""
    left = {tokens.keys[n] for n in range(than) if tokens.content[n]}
    right = {tokens.keys[n] for n in range(than + 1, len(tokens)) if tokens.content[n]}
    sides = (
        [n for n in range(than) if tokens.content[n]],
        [n for n in range(than + 1, len(tokens)) if tokens.content[n]],
    )
    return [n for n in sides[0] if tokens.keys[n] not in right], [n for n in sides[1] if tokens.keys[n] not in left]


def _reversed_pair(aligned: Aligned) -> tuple[int, int, int] | None:
    """A verb or comparison close between two names that stand round it the other way in the sentence: it and both."""
    claim, places = aligned.claim, aligned.places
    claim_passive, shown_passive = _passives(claim), _passives(aligned.evidence)
    for first, second in pairwise(_chunks(aligned)):
        here, there = places[first], places[second]
        if second - first > CLOSE:
            continue
        for n in range(first + 1, second):
            place = places[n]
            if place < 0 or claim.names[n] or not (claim.known[n].part == VERB or _compares(claim, n)):
                continue
            turned = there < place < here and here - there <= CLOSE
            kept = here < place < there and there - here <= CLOSE
            same_voice = (n in claim_passive) == (place in shown_passive)
            if (turned and same_voice) or (kept and not same_voice):
                return n, first, second
    return None


def _chunks(aligned: Aligned) -> list[int]:
    """The matched names, each by its rarest word."""
    claim = aligned.claim
    result: list[int] = []
    before = -2
    for n, place in enumerate(aligned.places):
        # What opens the claim may be a name: the sentence tells, where it stands in the middle there.
        if place < 0 or not (claim.names[n] or (aligned.evidence.names[place] and not claim.numbers[n])):
            continue
        if n == before + 1:
            if claim.weights[n] > claim.weights[result[-1]]:
                result[-1] = n
        else:
            result.append(n)
        before = n
    return result


def _passives(tokens: Tokens) -> frozenset[int]:
    """The participles whose doer stands behind "by": "was founded in 2001 by Ann", "built by"."""
    return frozenset(
        next((place for place in range(by - 1, max(-1, by - 7), -1) if _after_be(tokens, place)), -1)
        for by, word in enumerate(tokens.lower)
        if word == "by" and by
    )


def _after_be(tokens: Tokens, place: int) -> bool:
    lower, word = tokens.lower[place], tokens.known[place]
    return lower.endswith("ed") or (
        word.key != lower and tokens.lower[place - 1] in _BE and word.part in (VERB, ADJECTIVE)
    )


def _compares(claim: Tokens, place: int) -> bool:
    """A comparative before "than", or a verb of more and less."""
    sides = claim.known[place].sides
    if any(axis in ("level", "change") for axis, _ in sides) or claim.lower[place].endswith("er"):
        return "than" in claim.lower[place : place + 4] or claim.known[place].part == VERB
    return False


def _role(proposition: Proposition, others: Sequence[Proposition], place: int) -> bool:
    """Whether a word is in a role of the proposition or, of those of another verb, in one where this has a word too."""
    if place in (proposition.doer, proposition.object):
        return True
    return any(place in (other.doer, other.object) for other in others if other.predicate != proposition.predicate)


def _together(tokens: Tokens, first: int, second: int) -> bool:
    """Whether two words stand in one list or one expression."""
    between = range(min(first, second) + 1, max(first, second))
    return all(not _stops(tokens, n) or tokens.lower[n] in _LINKS or tokens.lower[n] == "of" for n in between) and (
        len(between) < REACH
    )


def _acts(tokens: Tokens, place: int) -> bool:
    if place and tokens.lower[place - 1] in _BEFORE_NOUNS:
        return False
    if not tokens.content[place] or tokens.names[place] or tokens.numbers[place] or tokens.known[place].key in _NAMING:
        return False
    after = tokens.lower[place + 1] if place + 1 < len(tokens) else ""
    done = tokens.lower[place].endswith("ed") and (after == "by" or after in _BEFORE_NOUNS)  # "sued the bank"
    return done or tokens.known[place].part == VERB


def _participle(tokens: Tokens, place: int) -> bool:
    lower = tokens.lower[place]
    return lower.endswith("ed") or (tokens.known[place].key != lower and not lower.endswith(("s", "ing")))


def _ing(tokens: Tokens, place: int) -> bool:
    return tokens.lower[place].endswith("ing")


def _stops(tokens: Tokens, place: int) -> bool:
    """Whether a word ends an expression."""
    return (
        tokens.lower[place] in _BETWEEN
        or tokens.lower[place] in _BE
        or tokens.lower[place] in _LINKS
        or _acts(tokens, place)
    )


def _noun(tokens: Tokens, place: int) -> bool:
    """Whether a word may be the head of an expression, or stand for one."""
    named = tokens.names[place] or tokens.known[place].part not in (ADJECTIVE, ADVERB)
    return (tokens.content[place] and named and not tokens.numbers[place]) or tokens.lower[place] in _OTHERS


def _before(tokens: Tokens, clause: Sequence[int], verb: int) -> int:
    """The head of the expression before a verb: "the head of the firm" is the head, "in May the firm" the firm."""
    head = -1
    for n in range(verb - 1, max(-1, verb - REACH) - 1, -1):
        if n < 0 or clause[n] != clause[verb] or (head >= 0 and _acts(tokens, n)):
            break
        if head < 0 and (_noun(tokens, n) or (n == verb - 1 and tokens.known[n].part == ADJECTIVE)):  # "imports fell"
            head = n
        elif head >= 0 and tokens.lower[n] in _BETWEEN and n and clause[n - 1] == clause[verb] and _noun(tokens, n - 1):
            head = n - 1 if not _acts(tokens, n - 1) else head
    return -1 if head >= 0 and tokens.lower[head] in _OTHERS else head


def _after(tokens: Tokens, clause: Sequence[int], start: int) -> int:
    """The head of the expression that begins at a word: its last noun before a preposition or another verb."""
    head = -1
    for n in range(start, min(len(tokens), start + REACH)):
        if clause[n] != clause[start - 1] or _stops(tokens, n):
            break
        if _noun(tokens, n):
            head = n
    return -1 if head >= 0 and tokens.lower[head] in _OTHERS else head
