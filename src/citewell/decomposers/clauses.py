"""Clauses as units, by rules for English: a unit is made of the statement's own words, with its subject carried over.

"Ann founded the firm in 1990 and sold it in 2001, which made her rich." gives "Ann founded the firm in 1990.",
"Ann sold it in 2001." and so on. A rule that is not sure leaves the statement whole: that costs a little precision,
while a word lost or invented would cost the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from citewell.protocols import Unit
from citewell.types import Span

_AUXILIARY = frozenset(
    "is are was were has have had does do did will would can could may might must shall should "
    "isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't couldn't".split()
)
_CARRIED = frozenset("is are was were has have had will would can could may might must shall should".split())
_PAST = frozenset(
    "became began bought brought built came chose cost cut drew fell felt fought found gave got grew held hit kept "
    "knew laid led left lost made meant met paid put ran read rose said sat saw sent set sold spent spoke stood took "
    "taught thought told went won wore wrote broke drove flew shot sang sank swam threw woke shut spread".split()
)
_PRESENT = frozenset(
    "allows becomes begins causes comes consists contains ends expects flows forms gives goes helps includes increases "
    "leads lies makes means occurs plays produces provides reduces remains reports requires says serves shows takes "
    "uses".split()
)  # of words that end so, only verbs that are seldom nouns
_NOUN_MARKS = frozenset(
    "the a an this that these those its his her their our my your no each every some any of".split()
)
_PREPOSITIONS = frozenset(
    "in on at by with for from to into as about under over after before during between among through via and".split()
)
_SKIPPED = frozenset("also then later not never now still subsequently eventually".split())
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_CONNECTIVE = re.compile(
    r";\s+(?:(?:and|but|however|while|whereas)\b,?\s+)?"
    r"|,?\s+(?P<word>and|but|while|whereas|although|though|yet)\s+"
    r"|,\s+(?P<relative>which|who)\s+"
)
_PROTECTED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|[\"“][^\"“”]*[\"”]")


class Clause(NamedTuple):
    """Ranges that are carried over from before, and the range of the clause itself."""

    carried: tuple[Span, ...]
    body: Span


@dataclass(frozen=True, kw_only=True)
class Clauses:
    """Units at semicolons, conjunctions of clauses and of predicates, and relative clauses after a comma."""

    name: ClassVar[str] = "clauses"

    def decompose(self, statement: str) -> tuple[Unit, ...]:
        """Units in order, made of the statement's own words; every word but connectives is in one of them."""
        text = statement.strip()
        if not text:
            return ()
        start = statement.index(text)
        clauses = _split(statement, Clause((), Span(start, start + len(text))))
        ending = text[-1] if text[-1] in ".!?" and len(clauses) > 1 else ""
        return tuple(_unit(statement, clause, ending) for clause in clauses)


def _unit(statement: str, clause: Clause, ending: str) -> Unit:
    start, end = clause.body
    while end > start and (statement[end - 1].isspace() or statement[end - 1] in ",;"):
        end -= 1
    spans = (*clause.carried, Span(start, end))
    text = " ".join(statement[span.start : span.end] for span in spans)
    return Unit(text if not ending or text[-1:] in ".!?" else text + ending, spans)


def _split(statement: str, clause: Clause) -> list[Clause]:
    """The clause in parts, from left to right."""
    start, end = clause.body
    hidden = [match.span() for match in _PROTECTED.finditer(statement, start, end)]
    for match in _CONNECTIVE.finditer(statement, start, end):
        if any(first < match.end() and match.start() < last for first, last in hidden):
            continue
        parts = _relative(statement, clause, match) if match["relative"] else _coordinated(statement, clause, match)
        if parts:
            # What comes before the first connective that splits has none that does.
            return [parts[0], *(piece for part in parts[1:] for piece in _split(statement, part))]
    return [clause]


def _coordinated(statement: str, clause: Clause, match: re.Match[str]) -> tuple[Clause, ...] | None:
    left, right = Span(clause.body.start, match.start()), Span(match.end(), clause.body.end)
    verb = _first_verb(statement, left, carried=bool(clause.carried))
    words = list(_words(statement, right))
    if verb is None or len(words) < 2:
        return None
    lead = next((word for word in words if not _adverb(word.group())), None)
    if lead is not None and _verb(lead.group()) and not match.group().startswith(";"):
        carried = _carried(statement, clause, left, verb, lead.group())
        return None if carried is None else (Clause(clause.carried, left), Clause(carried, right))
    # A clause of its own needs a subject before its verb; a bare "and" may as well join two nouns.
    joins = "," in match.group() or ";" in match.group() or (match["word"] or "") not in ("and", "")
    own = _first_verb(statement, right)
    if not joins or own is None or _commas(statement, right.start, own.start()):
        return None
    return Clause(clause.carried, left), Clause((), right)


def _carried(statement: str, clause: Clause, left: Span, verb: re.Match[str], lead: str) -> tuple[Span, ...] | None:
    """What a second predicate needs from the first: its subject, and the auxiliary of a participle."""
    if clause.carried:
        return clause.carried
    subject = Span(left.start, verb.start())
    while subject.end > subject.start and statement[subject.end - 1].isspace():
        subject = Span(subject.start, subject.end - 1)
    if _commas(statement, *subject):
        return None  # "In 2001, she ...": what stands before the subject is not part of it
    participle = lead.lower() not in _AUXILIARY and verb.group().lower() in _CARRIED
    return (Span(left.start, verb.end()),) if participle else (subject,)


def _relative(statement: str, clause: Clause, match: re.Match[str]) -> tuple[Clause, ...] | None:
    """A relative clause at the end: a unit of the noun before it and what is said of it."""
    left, right = Span(clause.body.start, match.start()), Span(match.end(), clause.body.end)
    first = next(_words(statement, right), None)
    verb = _first_verb(statement, left, carried=bool(clause.carried))
    # In the middle of a clause its end is not certain; without a verb before it, it is in the middle.
    if first is None or not _verb(first.group()) or verb is None or _commas(statement, *right):
        return None
    noun: list[re.Match[str]] = []
    for word in reversed(list(_words(statement, Span(verb.end(), left.end)))):
        if word.group().lower() in _PREPOSITIONS or (_verb(word.group()) and word.group().islower()):
            break
        noun.append(word)
    # A date is not what "which" stands for: that is what happened then.
    if not 0 < len(noun) <= 8 or not any(char.isalpha() for char in statement[noun[-1].start() : left.end]):
        return None
    return Clause(clause.carried, left), Clause((Span(noun[-1].start(), left.end),), right)


def _words(statement: str, span: Span) -> Iterator[re.Match[str]]:
    return _WORD.finditer(statement, *span)


def _first_verb(statement: str, span: Span, *, carried: bool = False) -> re.Match[str] | None:
    """The first word that must be a finite verb; a clause's first word can only be one where the subject is carried."""
    before = "" if carried else "the"
    for number, word in enumerate(_words(statement, span)):
        text = word.group()
        if text.lower() in _AUXILIARY and (number or carried):
            return word
        if _verb(text) and text.islower() and before not in _NOUN_MARKS:
            return word
        before = text.lower()
    return None


def _verb(word: str) -> bool:
    plain = word.lower()
    return plain in _AUXILIARY or plain in _PAST or plain in _PRESENT or (len(plain) > 4 and plain.endswith("ed"))


def _adverb(word: str) -> bool:
    return word.lower() in _SKIPPED or (len(word) > 4 and word.endswith("ly"))


def _commas(statement: str, start: int, end: int) -> bool:
    return "," in statement[start:end]
