"""Which differences a reader is shown, and in which words: whole names and phrases, counterparts that are counterparts.

What decides a label is not touched here. A reason that a reader would call silly is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.checkers.counterparts import in_full, sure
from citewell.checkers.phrases import content_keys, is_short_form, not_there, quote, words_of
from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens, rarity
from citewell.facts.whole import span_of
from citewell.types import Span

_RARE = 0.6  # of a word that says something where it stands alone
_POINTING = frozenset("former latter this that these those such".split())  # at what was named before
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
    candidates = [
        reason
        for finding in findings
        for reason in _as_shown(finding, alignment)
        if not any(test(reason, alignment, texts) for test in (_stands_there, _day_stands_there))
        and not _is_common(reason, alignment)
    ]
    result: list[Finding] = []
    for reason in candidates:
        if not (_is_wider(reason, candidates) or _repeats(reason, result, alignment)):
            result.append(reason)
    return result


def _is_wider(reason: Finding, others: Sequence[Finding]) -> bool:
    """Whether a clause is missing for a part of which another reason says as much, and more exactly."""
    start, end = reason.claim_span
    return _is_missing(reason) and any(
        start <= other.claim_span.start and other.claim_span.end <= end and other.claim_span != reason.claim_span
        for other in others
    )


def _repeats(reason: Finding, others: Sequence[Finding], alignment: ClaimAlignment) -> bool:
    """Whether another reason says as much: the same, or that words are missing of which these are a part."""
    if any(other.message == reason.message for other in others):
        return True
    if (
        reason.kind == "entity"
        and reason.evidence_span
        and any(other.claim_span == reason.claim_span for other in others)
    ):
        return True  # one name against two
    keys = content_keys(reason, alignment)
    return _is_missing(reason) and any(
        other.claim_span == reason.claim_span or (_is_missing(other) and keys <= content_keys(other, alignment))
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
    if _is_spelled_out(reason, alignment):
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


def _is_spelled_out(reason: Finding, alignment: ClaimAlignment) -> bool:
    """Whether letters in brackets only repeat words before them that the evidence has: "machine learning (ML)"."""
    claim, words = alignment.claim.tokens, words_of(reason, alignment)
    if len(words) != 1 or claim.text[: claim.starts[words[0]]][-1:] != "(":
        return False
    letters = claim.lower[words[0]]
    before = range(max(0, words[0] - len(letters)), words[0])
    return "".join(claim.lower[n][0] for n in before) == letters and all(alignment.covered[n] for n in before)


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
    tokens, whole = alignment.claim.tokens, words_of(reason, alignment)
    words = [n for n in whole if tokens.content[n] and not alignment.covered[n]]
    pointing = {n for n in whole if tokens.lower[n] in _POINTING}
    if pointing and sum(tokens.content[n] for n in whole) <= 1:
        pointing.update(words)  # "in this case"
    return len(words) <= 1 and all(
        not tokens.names[n] and not tokens.numbers[n] and (n in pointing or rarity(tokens.keys[n]) < _RARE)
        for n in words
    )


def _is_missing(reason: Finding) -> bool:
    return reason.evidence_span is None and reason.message.endswith(_ABSENT[0])


def _as_shown(finding: Finding, alignment: ClaimAlignment) -> Iterator[Finding]:
    """The finding in the words that a reader gets; nothing where it tells them nothing."""
    if finding.kind == "quantifier" and alignment.claim.text[slice(*finding.claim_span)].lower() == "just":
        return  # "only", "exactly" or "a moment ago": the word alone does not say
    if is_short_form(finding, alignment):
        return
    if sure(finding, alignment):
        yield _both_sides(finding, alignment) if finding.kind == "entity" else finding
    elif finding.evidence_span is not None:
        words = [n for n in words_of(finding, alignment) if alignment.claim.tokens.content[n]]
        if words and finding.kind != "negation" and not any(alignment.covered[n] for n in words):
            yield from not_there(finding, alignment)
    elif finding.kind == "entity" or finding.message.startswith("“"):
        yield from not_there(finding, alignment)
    elif finding.kind != "quantifier" or _is_nearly_there(alignment):
        yield finding


def _is_nearly_there(alignment: ClaimAlignment) -> bool:
    """Whether the evidence has most words of the claim, so that a single "all" or "only" is what it lacks."""
    content = [have for have, says in zip(alignment.covered, alignment.claim.tokens.content, strict=True) if says]
    return 4 * sum(content) >= 3 * len(content)


def _both_sides(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """Another name, both whole."""
    here, there = in_full(finding, alignment)
    premise = alignment.premises[finding.sentence]
    spans = span_of(alignment.claim.tokens, here), span_of(premise.tokens, there)
    message = f"says “{quote(alignment.claim.text, spans[0])}”; the evidence says “{quote(premise.text, spans[1])}”"
    return replace(finding, claim_span=spans[0], message=message, evidence_span=spans[1])


def gone_against(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """A contradiction of which no side is sure: the whole sentence that the claim goes against."""
    text = alignment.premises[finding.sentence].text
    whole = Span(0, len(text))
    return replace(finding, message=f"the evidence says “{quote(text, whole)}”", evidence_span=whole)
