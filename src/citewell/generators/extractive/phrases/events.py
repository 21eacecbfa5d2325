"""Whether sentences tell the event whose date or reason is asked for: by its verb, a date in the verb's clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from citewell.generators.extractive.phrases.polarity import claim
from citewell.types import Span

if TYPE_CHECKING:
    from citewell.facts.features import ClaimAlignment

_ACTS = ("verb", "participle", "ing")
_SUBJECT = 2  # words of a sentence that begins with a name: "The Orion Company", whose capital may be the sentence's
_WHEN = r"(?:(?:in|on|by|since|until) )?(?:when|(?:what|which) (?:year|month|day|date))\b"
_WHY = r"why|how come|for what reason|how (?=did|does|do|has|have|was|were|is|are)"
_CAUSE = (
    r"what (?:caused?|causes|explains?|explained|drove|drives|led to|"
    r"(?:is|are|was|were) the (?:main |primary )?(?:reasons?|causes?) (?:for|of|why|that))"
)
_ASKING = re.compile(rf"^\W*(?:(?P<when>{_WHEN})|{_WHY}|(?P<cause>{_CAUSE}))\s*", re.IGNORECASE)

_NOMINAL = re.compile(r"^(?:the |an? |this )?(\w+) (?:in|of) (.+)$", re.IGNORECASE)  # "the decline in sales"


class Taken(NamedTuple):
    """What a question takes for granted, as a claim, and whether it asks when that was; else why."""

    claim: str
    when: bool


@lru_cache(maxsize=64)
def taken(question: str) -> Taken | None:
    """What a question takes for granted; None where it asks neither when nor why."""
    asking = _ASKING.match(question)
    if asking is None:
        return None
    rest = question[asking.end() :].strip().rstrip("?")
    statement = _NOMINAL.sub(r"\2 \1", rest) if asking["cause"] else claim(rest)
    return Taken(statement, bool(asking["when"])) if statement else None


class Event(NamedTuple):
    """Where a sentence tells the event: the places of its verbs, and whether it is that of somebody else."""

    verbs: tuple[int, ...]
    other: bool


@lru_cache(maxsize=64)
def event(question: str, sentence: str) -> Event | None:
    """How a sentence tells the event that a question asks about, None where it does not."""
    asking = taken(question)
    if asking is None:
        return None
    from citewell.facts.features import look  # for questions after when or why alone
    from citewell.facts.tokens import tokens

    alignment = look(asking.claim, [tokens(sentence)])
    if alignment is None or not alignment.aligned or supposed(alignment):
        return None
    claimed, places = alignment.claim.tokens, alignment.aligned[0].places
    verbs = tuple(places[n] for n in _verbs(asking.claim) if places[n] >= 0)
    if not verbs:
        return None
    named = [places[n] >= 0 for n in range(len(claimed)) if claimed.names[n]]
    evidence = tokens(sentence)
    return Event(verbs, bool(named) and not any(named) and any(evidence.names[:_SUBJECT]))


def supposed(alignment: ClaimAlignment) -> bool:
    """Whether a sentence only supposes what a question says happened: "if it were lost, revenue would fall"."""
    from citewell.facts.strength import conditional

    return conditional(alignment.aligned[0])


def untold(question: str, sentences: Sequence[str]) -> bool:
    """Whether none of the sentences tells the event that a question asks the reason of."""
    asking = taken(question)
    asks = asking is not None and not asking.when and bool(_verbs(asking.claim))
    return asks and not any(event(question, sentence) for sentence in sentences)


def of_another(question: str, sentences: Sequence[str]) -> bool:
    """Whether all sentences that tell the event whose date is asked for tell that of somebody else."""
    asking = taken(question)
    tellings = [telling for sentence in sentences if (telling := event(question, sentence))]
    return bool(asking and asking.when and tellings) and all(telling.other for telling in tellings)


def dated(question: str, sentence: str, date: Span) -> bool:
    """Whether a date in a sentence may be that of the event: no other verb stands with it in a clause of its own."""
    asking, event_told = taken(question), event(question, sentence)
    if asking is None or not asking.when or event_told is None:
        return True
    from citewell.facts.clauses import clauses
    from citewell.facts.tokens import tokens

    evidence, number = tokens(sentence), clauses(sentence)
    numbers = {number[place] for place in evidence.between(date.start, date.end)}
    return not event_told.other and (
        any(number[place] in numbers for place in event_told.verbs)
        or not any(number[place] in numbers for place in _verbs(sentence))
    )


def acts(question: str) -> frozenset[str]:
    """The verbs of the event whose date or reason a question asks for, as it spells them, in lower case."""
    asking = taken(question)
    if asking is None:
        return frozenset()
    from citewell.facts.tokens import tokens

    claim_tokens = tokens(asking.claim)
    return frozenset(claim_tokens.lower[n] for n in _verbs(asking.claim))


@lru_cache(maxsize=64)
def _verbs(text: str) -> tuple[int, ...]:
    """The places of a sentence's verbs among its tokens."""
    from citewell.facts.tokens import tokens
    from citewell.generators.extractive.phrases.words import CLASSES, words

    claim_tokens, classes = tokens(text), words(text)
    starts = {start for start, kind in zip(classes.starts, classes.classes, strict=True) if CLASSES[kind] in _ACTS}
    return tuple(n for n, start in enumerate(claim_tokens.starts) if start in starts and not claim_tokens.names[n])
