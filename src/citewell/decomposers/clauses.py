"""Clauses as units, by rules for English: a unit keeps the statement's words and repeats its subject.

"Ann founded the firm in 1990 and sold it in 2001." gives "Ann founded the firm in 1990." and "Ann sold it in 2001."
A rule that is not sure leaves the statement whole: that costs a little precision, while a clause that says what the
statement does not would cost the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, NamedTuple

from citewell.protocols import Unit
from citewell.text.data import words
from citewell.types import Span

_list = partial(words, "citewell.decomposers", "clauses.json")
_TOKEN = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]")
_HIDDEN = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|[\"“][^\"“”]*[\"”]")
_MARKS = frozenset('(),[]"“”‘;:-–—/')
SUBJECT, BARE = 8, 4  # the most words of a subject, and of one without an article or a name

Number = Literal["one", "many", "any"]


class Token(NamedTuple):
    """A word or mark with its offsets; `hidden` inside parentheses or quotation marks."""

    text: str
    start: int
    end: int
    hidden: bool

    @property
    def lower(self) -> str:
        """The word as the lists have it."""
        return self.text.lower().replace("’", "'")

    @property
    def name(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[0].isupper()


class Verb(NamedTuple):
    """A finite verb: the token where it begins with its adverbs, its own token, its kind, how many it is said of."""

    start: int
    word: int
    kind: Literal["be", "have", "modals", "do", "past", "present", "participle"]
    number: Number = "any"


class Clause(NamedTuple):
    """Tokens that are carried over from before as its subject, and the range of tokens of the clause itself."""

    carried: tuple[int, int] | None
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Clauses:
    """Units at conjunctions of clauses and of predicates, where both sides are sure to be such."""

    name: ClassVar[str] = "clauses"

    def decompose(self, statement: str) -> tuple[Unit, ...]:
        """Units in order, made of the statement's own words; every word but connectives is in one of them."""
        text = statement.strip()
        if not text:
            return ()
        start = statement.index(text)
        tokens = _tokens(statement)
        clauses = _split(tokens, Clause(None, 0, len(tokens)))
        if len(clauses) < 2 or any(token.lower == "respectively" for token in tokens):
            return (Unit(text, (Span(start, start + len(text)),)),)
        ending = text[-1] if text[-1] in ".!?" else ""
        return tuple(_unit(statement, tokens, clause, ending) for clause in clauses)


def _tokens(statement: str) -> list[Token]:
    hidden = [match.span() for match in _HIDDEN.finditer(statement)]
    return [
        Token(match.group(), *match.span(), any(a <= match.start() < b for a, b in hidden))
        for match in _TOKEN.finditer(statement)
    ]


def _unit(statement: str, tokens: Sequence[Token], clause: Clause, ending: str) -> Unit:
    ranges = [*([clause.carried] if clause.carried else []), (clause.start, clause.end)]
    spans = tuple(Span(tokens[start].start, tokens[end - 1].end) for start, end in ranges)
    text = " ".join(statement[span.start : span.end] for span in spans)
    return Unit(text if not ending or text[-1:] in ".!?" else text + ending, spans)


def _split(tokens: Sequence[Token], clause: Clause) -> list[Clause]:
    """The clause in parts, at the first joint that is sure to join two, and the second part again."""
    for at in range(clause.start + 2, clause.end - 2):
        if tokens[at].hidden or tokens[at].lower not in _list("joints"):
            continue
        left = clause._replace(end=at - (tokens[at - 1].text == ","))
        verb = _first_verb(tokens, left)
        if verb is None or tokens[verb.word].lower in _list("reporting"):
            continue
        second = _predicate(tokens, left, verb, at, clause.end) or _clause(tokens, left, verb, at, clause.end)
        if second is not None:
            return [left, *_split(tokens, second)]
    return [clause]


def _first_verb(tokens: Sequence[Token], clause: Clause) -> Verb | None:
    """The finite verb of a clause with its subject before it; None where either is not plain."""
    if clause.carried:
        return _verb(tokens, clause.start, clause.end)
    start = _subject(tokens, clause)
    if tokens[start].lower in _list("openers") or not tokens[start].text[0].isalnum():
        return None
    for at in range(start + 1, min(clause.end, start + SUBJECT + 1)):
        token = tokens[at]
        verb = _verb(tokens, at, clause.end)
        if verb is not None:
            return verb
        if token.text in _MARKS or token.lower in _list("breaks"):
            return None
    return None


def _subject(tokens: Sequence[Token], clause: Clause) -> int:
    """Where the subject begins: behind "However," and its like."""
    led = tokens[clause.start].lower in _list("leads") and tokens[clause.start + 1].text == ","
    return clause.start + 2 * led


def _verb(tokens: Sequence[Token], start: int, end: int) -> Verb | None:
    """The finite verb, or the participle of no other form, that begins at a token; None where it may be a noun."""
    at = start
    while at < end and _adverb(tokens[at].lower):
        at += 1
    if at + 1 >= end or tokens[at].hidden:
        return None
    word, after, behind = tokens[at].lower, tokens[at + 1], tokens[at - 1].lower if at else ""
    for kind in ("be", "have", "modals", "do"):
        if word in _list(kind):
            if kind == "modals" and (after.lower in _list("prepositions") or after.text in _MARKS):
                return None  # "the power and might of"
            number: Number = "one" if word in _list("singular") else "many" if word in _list("plural") else "any"
            return Verb(start, at, kind, number)
    if tokens[at].name or behind in _list("determiners") or behind in _list("prepositions"):
        return None
    if word in _list("pasts"):
        return Verb(start, at, "past")
    if word in _list("participles"):
        return Verb(start, at, "participle")
    if word in _list("intransitive") and after.lower in _list("prepositions"):
        return Verb(start, at, "present", "one")
    named = at > 0 and (tokens[at - 1].name or behind in _list("nominative"))
    if not _object(after) and not (named and word in _list("verbs_of_names")):
        return None
    if word in _list("either") or (len(word) > 4 and word.endswith("ed")):
        return Verb(start, at, "past")
    return Verb(start, at, "present", "one") if word in _list("present") else None


def _object(token: Token) -> bool:
    """Whether a word begins what something is done to: then the word before is no participle and no noun."""
    return token.lower in _list("objects") or token.text[0].isdigit() or token.name


def _adverb(word: str) -> bool:
    return word in _list("adverbs") or (len(word) > 4 and word.endswith("ly") and word not in _list("not_adverbs"))


def _flat(tokens: Sequence[Token], verb: Verb, end: int) -> bool:
    """Whether a predicate has no clause inside it that could reach over a joint; "not" may follow the verb."""
    visible = [token for token in tokens[verb.word + 1 : end] if not token.hidden]
    return not any(
        token.lower in _list("scopes") or token.lower in _list("nominative") or token.text in ":–—"
        for place, token in enumerate(visible)
        if place or token.lower != "not"
    )


def _predicate(tokens: Sequence[Token], left: Clause, verb: Verb, at: int, end: int) -> Clause | None:
    """A second predicate of the same subject: "... and was sold ...", two finite verbs that agree."""
    if tokens[at].lower not in ("and", "but") or tokens[left.start].lower == "there":
        return None
    second = _verb(tokens, at + 1, end)
    if second is None or not _agree(verb, second) or not _apart(tokens, left, verb, second):
        return None
    if second.kind == "participle":
        return _shared(tokens, left, verb, at, end)
    return Clause(left.carried or (_subject(tokens, left), verb.start), at + 1, end)


def _agree(first: Verb, second: Verb) -> bool:
    """Whether two verbs may be said of one subject: "will have" and "have" look alike, so "have" wants "are" before."""
    return {first.number, second.number} != {"one", "many"} and (second.number != "many" or first.number == "many")


def _apart(tokens: Sequence[Token], left: Clause, verb: Verb, second: Verb) -> bool:
    """Whether what is joined is no part of something inside the first predicate, and no negation reaches over both."""
    inside = tokens[verb.word + 1 : left.end]
    if not _flat(tokens, verb, left.end) or any(_finite(token) or token.text == ";" for token in inside):
        return False
    if second.kind in ("be", "have", "modals", "do"):
        return True
    if any(token.lower in _list("negative") for token in tokens[verb.start : verb.word + 2]):
        return False
    # What may be a noun or an adjective may be a part of a list, and so may the third of three predicates.
    past = tokens[second.word].lower in _list("pasts")
    return not any(
        token.text in _MARKS
        or (not past and token.lower in _list("breaks") and not _names(tokens, verb.word + 1 + place))
        for place, token in enumerate(inside)
    )


def _names(tokens: Sequence[Token], at: int) -> bool:
    """Whether a conjunction stands between names or numbers."""
    around = (tokens[at - 1], tokens[at + 1])
    return tokens[at].lower in ("and", "or") and all(token.name or token.text[0].isdigit() for token in around)


def _finite(token: Token) -> bool:
    return any(token.lower in _list(kind) for kind in ("be", "have", "modals", "do", "pasts"))


def _shared(tokens: Sequence[Token], left: Clause, verb: Verb, at: int, end: int) -> Clause | None:
    """A second participle of the same auxiliary: "was caught ... and taken ..."."""
    place = verb.word + 1
    while place < left.end and (tokens[place].lower in ("been", "being", "be", "have") or _adverb(tokens[place].lower)):
        place += 1
    if verb.kind not in ("be", "have", "modals") or place >= left.end or left.carried:
        return None
    word = tokens[place].lower
    if not (word.endswith("ed") or word in _list("participles") or word in _list("either")):
        return None
    return Clause((_subject(tokens, left), place), at + 1, end)


def _clause(tokens: Sequence[Token], left: Clause, verb: Verb, at: int, end: int) -> Clause | None:
    """A second clause with a subject of its own, which no clause inside the first can take for its own."""
    joint, right = tokens[at].lower, at + 1
    if joint == ";" and tokens[right].lower in ("and", "but"):
        right += 1
    if right + 1 >= end:
        return None  # no room for a subject and its verb
    first = tokens[right].lower
    parted = joint == ";" or tokens[at - 1].text == ","
    if not _flat(tokens, verb, left.end) or not (parted or (joint in ("and", "but") and first in _list("nominative"))):
        return None
    plain = first in _list("pronouns") or first in _list("determiners") or tokens[right].name
    if tokens[right + 1].lower == "more":
        return None  # "the longer ..., the more ..."
    if joint == "and" and first not in _list("pronouns") and _open_list(tokens[verb.word : left.end]):
        return None
    if not plain and (first in _list("openers") or first in _list("breaks") or _adverb(first) or first.endswith("ing")):
        return None
    for place in range(right + 1, min(end, right + (SUBJECT if plain else BARE))):
        second = _verb(tokens, place, end)
        if second is not None and second.kind != "participle":
            return Clause(None, right, end) if plain or second.kind in ("be", "have", "modals", "do") else None
        if tokens[place].text in _MARKS or tokens[place].lower in _list("breaks") or first in _list("nominative"):
            return None
    return None


def _open_list(tokens: Sequence[Token]) -> bool:
    """Whether a predicate may end inside a list: a comma, and no conjunction after it."""
    last = max((place for place, token in enumerate(tokens) if token.text == ","), default=len(tokens))
    return last < len(tokens) and not any(token.lower in ("and", "or") for token in tokens[last:])
