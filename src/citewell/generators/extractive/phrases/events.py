"""The event that a question presupposes, and whether a sentence reports it, by its verb."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from citewell.generators.extractive.phrases.polarity import claim

_ACTS = ("verb", "participle", "ing")
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


@lru_cache(maxsize=64)
def tells(question: str, sentence: str) -> bool:
    """Whether a sentence tells the event that a question asks about, by its verb."""
    asking = taken(question)
    if asking is None:
        return False
    from citewell.facts.features import look  # for questions after when or why alone
    from citewell.facts.tokens import tokens

    aligned = look(asking.claim, [tokens(sentence)]).aligned
    return bool(aligned) and any(aligned[0].places[n] >= 0 for n in _verbs(asking.claim))


@lru_cache(maxsize=64)
def _verbs(text: str) -> tuple[int, ...]:
    """The places of a sentence's verbs among its tokens."""
    from citewell.facts.tokens import tokens
    from citewell.generators.extractive.phrases.words import CLASSES, words

    claim_tokens, classes = tokens(text), words(text)
    starts = {start for start, kind in zip(classes.starts, classes.classes, strict=True) if CLASSES[kind] in _ACTS}
    return tuple(n for n, start in enumerate(claim_tokens.starts) if start in starts and not claim_tokens.names[n])
