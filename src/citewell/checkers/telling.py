"""Selects and words the differences that a reader is shown: only complete and certain ones.

What decides a label is not touched here. A reason that a reader would call silly is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from citewell.checkers.absent import Texts, content_keys, has_words, not_there, quote
from citewell.checkers.counterparts import FIGURES, denies, denies_plainly, in_full, supposes, sure
from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment
from citewell.facts.whole import span_of
from citewell.types import Span

_YEAR = re.compile(r",?\s*\b(?:1\d|20)\d\d\b")
_LONGEST = 40  # words of a sentence that is quoted whole


def select_reasons(findings: Sequence[Finding], alignment: ClaimAlignment, texts: Texts) -> list[Finding]:
    """The findings as they are shown, each once: none that only repeats a part of another one.

    `texts` are all that may be evidence, also where the claim was not aligned with it.
    """
    result: list[Finding] = []
    for reason in (reason for finding in findings for reason in _as_shown(finding, alignment, texts)):
        if not any(_repeats(reason, other, alignment) for other in result):
            result.append(reason)
    return result


def _repeats(reason: Finding, other: Finding, alignment: ClaimAlignment) -> bool:
    """Whether another reason says as much of the same words."""
    start, end = other.claim_span
    lacks = reason.evidence_span is None and content_keys(reason, alignment) <= content_keys(other, alignment)
    return lacks or other.message == reason.message or (reason.kind == "entity" and other.claim_span == (start, end))


def _as_shown(finding: Finding, alignment: ClaimAlignment, texts: Texts) -> Iterator[Finding]:
    """The finding in the words that a reader gets; nothing where it tells them nothing."""
    if sure(finding, alignment):
        if not (_day_stands_there(finding, alignment, texts) or _figure_stands_there(finding, alignment, texts)):
            yield _both_sides(finding, alignment) if finding.kind == "entity" else finding
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


def _both_sides(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """Another name, both whole."""
    here, there = in_full(finding, alignment)
    premise = alignment.premises[finding.sentence]
    spans = span_of(alignment.claim.tokens, here), span_of(premise.tokens, there)
    message = f"says “{quote(alignment.claim.text, spans[0])}”; the evidence says “{quote(premise.text, spans[1])}”"
    return replace(finding, claim_span=spans[0], message=message, evidence_span=spans[1])


def gone_against(finding: Finding, alignment: ClaimAlignment) -> Iterator[Finding]:
    """A denial of which no side is sure: the whole sentence that it goes against, where that denies nothing itself."""
    premise = alignment.premises[finding.sentence]
    text, plain = premise.text, denies_plainly(alignment.claim) and not denies(premise) and not supposes(premise)
    if finding.kind == "negation" and plain and len(text.split()) <= _LONGEST:
        whole = Span(0, len(text))
        yield replace(finding, message=f"the evidence says “{quote(text, whole)}”", evidence_span=whole)
