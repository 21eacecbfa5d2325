"""Which differences a reader is shown, and in which words: whole names and phrases, counterparts that are counterparts.

What decides a label is not touched here. A reason that a reader would call silly is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citewell.checkers.counterparts import (
    alike_in_length,
    denied_there,
    is_conversion,
    joins,
    of_another_thing,
    of_the_claim,
    other_name,
    same_neighbour,
    same_parties,
    stands_elsewhere,
    unlike,
)
from citewell.checkers.phrases import content_keys, is_first_name, missing_phrase, not_there, span_of, words_of
from citewell.facts.align import Finding, phrase
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens, rarity
from citewell.types import Span

_FIGURES = frozenset(("number", "magnitude", "unit", "sign"))
_RARE = 0.6  # of a word that says something where it stands alone
_POINTING = frozenset(("former", "latter"))  # at what was named before
_LETTERS = 2  # of a name that may be short for another
_ABSENT = ("is not in the evidence", "which the evidence does not")  # how messages end
_YEAR = re.compile(r",?\s*\b(?:1\d|20)\d\d\b")


class Texts(NamedTuple):
    """What a word that is called missing must not stand in, case folded: what is cited, and for names the documents."""

    cited: Sequence[str]
    documents: Sequence[str]


def select_reasons(findings: Sequence[Finding], alignment: ClaimAlignment, texts: Texts) -> list[Finding]:
    """The findings as they are shown, each once: none that only repeats a part of another one.

    `texts` are all that may be evidence, also where the claim was not aligned with it.
    """
    result: list[Finding] = []
    for finding in findings:
        for whole in _as_shown(finding, alignment):
            reason = _without_others(whole, result, alignment)
            if any(
                (
                    _stands_there(reason, alignment, texts),
                    _day_stands_there(reason, alignment, texts),
                    _repeats(reason, result, alignment),
                )
            ):
                continue
            joined, result = _joined(reason, result, alignment)
            result.append(joined)
    return [reason for reason in result if not _is_common(reason, alignment)]


def _joined(reason: Finding, others: Sequence[Finding], alignment: ClaimAlignment) -> tuple[Finding, list[Finding]]:
    """A reason with those of missing words that it overlaps or holds, and the others."""
    start, end = reason.claim_span
    overlapping = [
        other
        for other in others
        if other.evidence_span is None
        and ((start <= other.claim_span.start and other.claim_span.end <= end) or _overlap(reason, other))
    ]
    spans = [reason.claim_span, *(other.claim_span for other in overlapping if _overlap(reason, other))]
    whole = Span(min(span.start for span in spans), max(span.end for span in spans))
    joined = reason if whole == reason.claim_span else not_there(reason, whole, alignment)
    return joined, [other for other in others if other not in overlapping]


def _without_others(reason: Finding, others: Sequence[Finding], alignment: ClaimAlignment) -> Finding:
    """A reason of missing words without those that another one holds against the evidence."""
    (start, end), claim = reason.claim_span, alignment.claim.tokens
    for other in others:
        first, last = other.claim_span
        if _is_missing(reason) and other.evidence_span is not None and start <= first and last <= end:
            sides = [[n for n in claim.between(*side) if claim.content[n]] for side in ((start, first), (last, end))]
            words = max(sides, key=len)
            if words:
                start, end = span_of(claim, range(words[0], words[-1] + 1))
                reason = not_there(reason, Span(start, end), alignment)
    return reason


def _overlap(first: Finding, second: Finding) -> bool:
    """Whether both say that words are missing, and share some."""
    here, there = first.claim_span, second.claim_span
    return _is_missing(first) and _is_missing(second) and here.start < there.end and there.start < here.end


def _repeats(reason: Finding, others: Sequence[Finding], alignment: ClaimAlignment) -> bool:
    """Whether another reason says as much: the same, or that words are missing of which these are a part."""
    if any(other.message == reason.message for other in others):
        return True
    if reason.evidence_span is not None:
        return False
    keys = content_keys(reason, alignment)
    return any(
        (other.claim_span.start <= reason.claim_span.start and reason.claim_span.end <= other.claim_span.end)
        or (_is_missing(reason) and _is_missing(other) and keys <= content_keys(other, alignment))
        for other in others
    )


def _stands_there(reason: Finding, alignment: ClaimAlignment, texts: Texts) -> bool:
    """Whether words that are called missing stand in the evidence as they are, only not where the claim has them."""
    if reason.evidence_span is not None or not reason.message.endswith(_ABSENT):
        return False
    claim = alignment.claim
    keys = [claim.tokens.keys[n] for n in words_of(reason, alignment)]
    if any(
        list(premise.tokens.keys[n : n + len(keys)]) == keys
        for premise in alignment.premises
        for n in range(len(premise.tokens) - len(keys) + 1)
    ):
        return bool(keys)
    words = claim.text[slice(*reason.claim_span)].casefold()
    if any(_is_short_for(claim.text[slice(*reason.claim_span)], premise.tokens) for premise in alignment.premises):
        return True
    named = all(claim.tokens.names[n] for n in words_of(reason, alignment))
    return _is_missing(reason) and any(_has_words(text, words) for text in (texts.documents if named else texts.cited))


def _is_short_for(name: str, tokens: Tokens) -> bool:
    """Whether a name of capitals is made of the first letters of one in a sentence: "U.S." of "United States"."""
    letters = name.replace(".", "").replace("'s", "").lower()
    if len(letters) < _LETTERS or not name.replace(".", "").isupper():
        return False
    initials = "".join(word[0] if named else " " for word, named in zip(tokens.lower, tokens.names, strict=True))
    return letters in initials


def _day_stands_there(reason: Finding, alignment: ClaimAlignment, texts: Texts) -> bool:
    """Whether the day of a date stands in the evidence without its year, and another day is held against it."""
    if reason.kind != "date" or reason.evidence_span is None:
        return False
    day = _YEAR.sub("", alignment.claim.text[slice(*reason.claim_span)]).strip(" ,").casefold()
    other = alignment.premises[reason.sentence].text[slice(*reason.evidence_span)].casefold()
    return " " in day and day not in other and any(_has_words(text, day) for text in texts.cited)


def _has_words(text: str, words: str) -> bool:
    """Whether a text has these words, and not only within longer ones."""
    at = text.find(words)
    while at >= 0:
        if not (text[at - 1 : at].isalnum() or text[at + len(words) : at + len(words) + 1].isalnum()):
            return True
        at = text.find(words, at + 1)
    return False


def _is_common(reason: Finding, alignment: ClaimAlignment) -> bool:
    """Whether a reason only lacks a word that most texts have: "one", "gets", "new"."""
    if not _is_missing(reason):
        return False
    tokens = alignment.claim.tokens
    words = [n for n in words_of(reason, alignment) if tokens.content[n] and not alignment.covered[n]]
    return len(words) <= 1 and all(
        not tokens.names[n]
        and not tokens.numbers[n]
        and (rarity(tokens.keys[n]) < _RARE or tokens.lower[n] in _POINTING)
        for n in words
    )


def _is_missing(reason: Finding) -> bool:
    return reason.evidence_span is None and reason.message.endswith(_ABSENT[0])


def _as_shown(finding: Finding, alignment: ClaimAlignment) -> Iterator[Finding]:
    """The finding in the words that a reader gets; nothing where it tells them nothing."""
    if finding.kind == "quantifier" and alignment.claim.text[slice(*finding.claim_span)].lower() == "just":
        return  # "only", "exactly" or "a moment ago": the word alone does not say
    if finding.evidence_span is None and is_first_name(finding, alignment):
        return
    if finding.kind == "missing" and finding.sentence < 0:
        yield missing_phrase(finding, alignment)
    elif finding.kind == "entity":
        yield other_name(finding, alignment)
    elif finding.evidence_span is None or finding.sentence < 0:
        yield finding
    elif finding.kind == "roles":
        premise = alignment.premises[finding.sentence]
        words = premise.text[finding.evidence_span.start : finding.evidence_span.end]
        if (
            words in phrase(premise, finding.evidence_span)
            and same_parties(finding, alignment)
            and alike_in_length(finding, alignment)
        ):
            yield finding
    elif _says_nothing(finding, alignment) or (finding.kind in _FIGURES and is_conversion(finding, alignment)):
        return
    elif finding.kind in _FIGURES and _unlike_figures(finding, alignment):
        yield not_there(finding, finding.claim_span, alignment)
    elif finding.kind == "negation":
        if of_the_claim(finding, alignment):
            yield finding
    elif finding.kind == "direction" and denied_there(finding, alignment):
        return
    elif finding.kind == "quantifier" or (finding.kind == "direction" and joins(finding, alignment)):
        if same_neighbour(finding, alignment):
            yield finding
    else:
        yield finding


def _unlike_figures(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the two figures say different things, so that neither is the other's counterpart."""
    tests = (unlike, of_another_thing, stands_elsewhere)
    return any(test(finding, alignment) for test in tests)


def _says_nothing(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the counterpart of a figure is the same word, and nothing stands around it."""
    if finding.evidence_span is None or finding.kind not in _FIGURES:
        return False
    premise = alignment.premises[finding.sentence]
    there = premise.text[finding.evidence_span.start : finding.evidence_span.end]
    here = alignment.claim.text[finding.claim_span.start : finding.claim_span.end]
    return here.casefold() == there.casefold() == phrase(premise, finding.evidence_span).casefold()
