"""Decides whether a model's reply declines to answer, by LAB's phrases or by our patterns over whole sentences.

Declining().declines("The report does not mention the ferry's age.")          # True
Declining().declines("The cause is unknown to many patients, but it is rust.")   # False

LAB (Buchmann et al., Attribute or Abstain, 2024, appendix G) takes every reply that contains one of its phrases for
unanswerable: tables 26 and 27, verbs and adverbs combined to `not V` and `not A V`, base form and participle. That
serves short answers. Ours asks that no sentence of the reply does anything but decline, and knows 28 languages: 22 of
them by the parts of refusals too (`wording`), so that phrasings nobody listed are known.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from citewell.abstain import wording
from citewell.text.data import read_text
from citewell.text.segments import statements
from citewell.types import Abstention, Draft

POLICIES = ("sentences", "lab", "never")

_WHETHER = re.compile(
    r"\s*(?:does|do|did|is|are|was|were|has|have|which|what)\b.*\b(?:mention|specif|state|report|define|provide|name|offer|"
    r"disclose|discuss|describe|available|known|unknown|missing|omitted?|unclear)",
    re.IGNORECASE | re.DOTALL,
)
_TURN = re.compile(
    r"(?:[,;—–]\s*(?:but|however|though|although|yet|aber|jedoch|mais|pero|ma|mas|maar)\b|\b(?:except|other than)\b)",
    re.IGNORECASE,
)
_NEGATED = r"(?:not|never|n't)\s+(?:\w+ly\s+|yet\s+|at all\s+)?"
_SAYING = (
    r"(?:mention|state|specif|provid|report|defin|nam|offer|giv|disclos|discuss|describ|contain|includ|indicat|address|"
    r"answer|say|explain|detail|cover|list|identif|reveal|clarif|tell|suggest|refer|present|note|find|found|have)\w*"
)
_CONTRACTED = re.compile(r"\b([a-z]{2,6})n't\b", re.IGNORECASE)
_SPELT = {"ca": "can", "wo": "will", "sha": "shall"}  # what is left of "can't" without its end
_EDGE = " \t\n\"'“”‘’«»()[]{}*_`.,;:!?。！？،؟-–—#>"


@dataclass(frozen=True)
class Declining:
    """Tell a reply that declines.

    Attributes:
        policy: `sentences` ours; `lab` the paper's phrases anywhere in the reply; `never` takes every reply for one.
    """

    policy: str = "sentences"
    name: ClassVar[str] = "declining"

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise ValueError(f"policy is one of {', '.join(POLICIES)}, not {self.policy!r}")

    def apply(self, draft: Draft) -> Draft:
        """A draft that declines to answer becomes an abstention, which has no citations."""
        if draft.abstention or not self.refuses(draft):
            return draft
        abstention = Abstention("declined", message="the model declined: " + " ".join(draft.text.split())[:200])
        return replace(draft, statements=(), targets=(), sources=(), abstention=abstention)

    def refuses(self, draft: Draft) -> bool:
        """Whether a draft that may decline does."""
        return draft.may_decline and self.declines(draft.text, draft.question)

    def declines(self, reply: str, question: str | None = None) -> bool:
        """Whether the reply gives no answer.

        Where the question asks what a document says, "it does not say" is an answer.
        """
        text = reply.replace("’", "'")
        if self.policy == "never":
            return False
        if self.policy == "lab":
            return bool(_lab().search(text))
        if _whole(text):
            return True
        text = _spelt_out(text)
        sentences = [text[span.start : span.end] for span in statements(text)]
        asks = bool(question and _WHETHER.match(question))
        declined = False
        for sentence in sentences:
            kind = _kind(sentence, asks=asks)
            if kind == "says":
                return False
            declined = declined or kind == "declines"
        return declined


def _spelt_out(text: str) -> str:
    """The text with "is not" for "isn't"."""
    return _CONTRACTED.sub(lambda match: f"{_SPELT.get(match[1].lower(), match[1])} not", text)


def _whole(text: str) -> bool:
    return text.strip(_EDGE).lower() in _data()["all whole"]


def _kind(sentence: str, *, asks: bool) -> str:
    """What a sentence does: `declines`, is `polite`, or `says` something."""
    if _whole(sentence):
        return "declines"
    plain = sentence.strip().strip('*_"“”')
    turn = _TURN.search(plain)
    if turn and len(plain[turn.end() :].split()) > 2:
        kinds = {_kind(part, asks=asks) for part in (plain[: turn.start()], plain[turn.end() :])}
        return next(kind for kind in ("says", "declines", "polite") if kind in kinds)
    if _speaker().search(plain) or (not asks and (_document().search(plain) or wording.declines(plain))):
        return "declines"
    return "polite" if _polite().search(plain) else "says"


@cache
def _data() -> dict[str, Any]:
    text = read_text("citewell.abstain", "phrases.json")
    data: dict[str, Any] = json.loads(text)
    whole = [phrase for phrases in data["whole"].values() for phrase in phrases]
    data["all whole"] = frozenset((*whole, *map(_spelt_out, whole)))
    return data


@cache
def lab_phrases() -> tuple[str, ...]:
    """LAB's phrases: table 26 as it stands, and 8 verbs in 2 forms, bare and with each of 4 adverbs."""
    lab = _data()["lab"]
    forms = [form for pair in lab["verbs"].items() for form in pair]
    combined = [f"not {adverb}{form}" for form in forms for adverb in ("", *(f"{word} " for word in lab["adverbs"]))]
    return (*lab["phrases"], *combined)


@cache
def _lab() -> re.Pattern[str]:
    phrases = sorted(lab_phrases(), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)


@cache
def _speaker() -> re.Pattern[str]:
    patterns = [pattern for patterns in _data()["speaker"].values() for pattern in patterns]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@cache
def _document() -> re.Pattern[str]:
    """Sentences such as "The report does not mention it" and "It is not stated in the text"."""
    names = "|".join(sorted(_data()["documents"], key=len, reverse=True))
    reference = rf"(?:the|this|that|these|those|your|our|given|provided)\s+(?:\w+\s+){{0,2}}(?:{names})"
    subject = (
        rf"\b{reference}\b(?:\s+\w+){{0,2}}\s++(?:(?:do|does|did|is|are|was|were|has|have|had|can|could)\s*+)?"
        rf"{_NEGATED}{_SAYING}"
    )
    short = (
        rf"\b{reference}\b(?:\s+\w+)?\s+(?:doesn't|don't|didn't|isn't|aren't|hasn't|haven't)\s+(?:\w+ly\s+)?{_SAYING}"
    )
    has = r"(?:contains?|provides?|gives?|includes?|offers?|has|have|makes?|is|are)"
    nothing = rf"\b{reference}\b\s+(?:\w+\s+)?{has}\s+(?:no|silent)\b"
    denied = (
        rf"(?:(?<=n't)|\bnot\b)(?:\s+\w+ly)?\s+(?:{_SAYING}|available|known|clear)\s+(?:\w+\s+){{0,4}}?"
        rf"(?:in|by|from|within)\s+{reference}\b"
    )
    return re.compile(f"{subject}|{short}|{nothing}|{denied}", re.IGNORECASE)


@cache
def _polite() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _data()["polite"]), re.IGNORECASE)
