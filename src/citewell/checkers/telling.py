"""Selects and words the differences that a reader is shown: only complete and certain ones.

What decides a label is not touched here. A reason that a reader would call silly is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from citewell.checkers.absent import Texts, content_keys, has_words, not_there, words_of
from citewell.checkers.counterparts import FIGURES, sure
from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment

_REST = 0.5  # of a claim's other words, by weight, that the evidence may lack
_LITTLE = 0.2  # of them that may lie apart from what is told, and stand there in other words
_YEAR = re.compile(r",?\s*\b(?:1\d|20)\d\d\b")


def select_reasons(findings: Sequence[Finding], alignment: ClaimAlignment, texts: Texts) -> list[Finding]:
    """The findings as they are shown, each once: none that only repeats a part of another one.

    `texts` are all that may be evidence, also where the claim was not aligned with it.
    """
    result: list[Finding] = []
    lacking = any(not finding.conflict and finding.kind == "missing" for finding in findings)
    for reason in (reason for finding in findings for reason in _as_shown(finding, alignment, texts, lacking)):
        if not any(_repeats(reason, other, alignment) for other in result):
            result.append(reason)
    return result if _rest_stands(result, findings, alignment) else []


def _rest_stands(reasons: Sequence[Finding], findings: Sequence[Finding], alignment: ClaimAlignment) -> bool:
    """Whether reasons tell all that is wrong: else they may be a detail beside something larger.

    What else the evidence lacks is no name, figure or time, and little beside the reasons and beside the rest, so that
    it may stand there in other words.
    """
    tokens = alignment.claim.tokens
    told = {n for reason in reasons for n in words_of(reason, alignment)}
    if any(reason.kind == "direction" for reason in reasons):  # "rose", told by its figures
        told |= {n for n, known in enumerate(tokens.known) if any(axis == "change" for axis, _ in known.sides)}
    told |= {n for n in range(1, len(tokens)) if n - 1 in told and tokens.names[n] and tokens.gap(n).strip() == ","}
    others = [n for n, content in enumerate(tokens.content) if content and n not in told]
    lacking = [n for n in others if not alignment.covered[n]]
    if any(tokens.names[n] or tokens.numbers[n] for n in lacking):
        return False
    contents = (
        {n for n in words_of(finding, alignment) if tokens.content[n]} for finding in findings if finding.conflict
    )
    if not all(words <= told for words in contents):
        return False
    apart = [n for n in lacking if not _goes_with(n, told, alignment)]
    reported, rest, whole, scattered = (
        sum(tokens.weights[n] for n in words if tokens.content[n]) for words in (told, others, lacking, apart)
    )
    return whole <= min(reported, _REST * rest) and scattered <= _LITTLE * rest


def _goes_with(word: int, told: Collection[int], alignment: ClaimAlignment) -> bool:
    """Whether the evidence lacks all from a word to what is told, so that both are one thing: "moved to Topeka"."""
    content, covered = alignment.claim.tokens.content, alignment.covered
    for step in (-1, 1):
        place = word
        while 0 <= place < len(content) and place not in told and not (content[place] and covered[place]):
            place += step
        if place in told:
            return True
    return False


def _repeats(reason: Finding, other: Finding, alignment: ClaimAlignment) -> bool:
    """Whether another reason says as much of the same words."""
    lacks = reason.evidence_span is None and content_keys(reason, alignment) <= content_keys(other, alignment)
    return lacks or other.message == reason.message


def _as_shown(finding: Finding, alignment: ClaimAlignment, texts: Texts, lacking: bool) -> Iterator[Finding]:
    """The finding in the words that a reader gets; nothing where it tells them nothing."""
    if sure(finding, alignment, lacking=lacking):
        if not (_day_stands_there(finding, alignment, texts) or _figure_stands_there(finding, alignment, texts)):
            yield finding
    elif finding.message.startswith("“") or finding.evidence_span is not None:
        yield from not_there(finding, alignment, texts)


def _day_stands_there(reason: Finding, alignment: ClaimAlignment, texts: Texts) -> bool:
    """Whether the day of a date stands in the evidence without its year, and another day is held against it."""
    if reason.kind != "date" or reason.evidence_span is None:
        return False
    day = _YEAR.sub("", alignment.claim.text[slice(*reason.claim_span)]).strip(" ,").casefold()
    other = alignment.premises[reason.sentence].text[slice(*reason.evidence_span)].casefold()
    return " " in day and day not in other and any(has_words(text, day) for text in texts.cited)


def _figure_stands_there(reason: Finding, alignment: ClaimAlignment, texts: Texts) -> bool:
    """Whether an amount stands in the evidence as it is, in a sentence that was not read."""
    if reason.kind not in FIGURES or reason.evidence_span is None:
        return False
    amount = alignment.claim.text[slice(*reason.claim_span)].casefold()
    other = alignment.premises[reason.sentence].text[slice(*reason.evidence_span)].casefold()
    return " " in amount and amount != other and any(has_words(text, amount) for text in texts.cited)
