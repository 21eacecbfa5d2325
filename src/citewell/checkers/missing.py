"""A phrase that the evidence has not, as a reader is shown it: whole, of one clause, its marks in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from citewell.facts import lists
from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens, rarity
from citewell.types import Span

_STOPS = frozenset((".", "!", "?"))  # behind a sentence, where a space follows
_SPACES = frozenset((" ", "\n"))
_PAIRS = {"“": "”", "(": ")", "[": "]", '"': '"'}


def whole_phrase(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """A phrase that is missing, whole: no bracket or quotation mark of it stands alone."""
    if not finding.message.startswith("“"):
        return finding  # it says more than that words are missing
    text, (start, end) = alignment.claim.text, _without_ends(finding.claim_span, alignment)
    if text[end : end + 1] in (")", "]", "”", '"') and _lone(text[start:end]) >= 0:
        end += 1
    while (at := _lone(text[start:end])) >= 0:
        before, after = text[start : start + at], text[start + at + 1 : end]
        if len(before.split()) >= len(after.split()):
            end = start + at
        else:
            start += at + 1
    while start < end and text[start] in " ,;:.)-–":
        start += 1
    while start < end and text[end - 1] in " ,;:(-–":
        end -= 1
    return not_there(finding, Span(start, end) if start < end else finding.claim_span, alignment)


def not_there(finding: Finding, span: Span, alignment: ClaimAlignment) -> Finding:
    """The finding as words of the claim that are missing."""
    quoted = inner_marks(alignment.claim.text[span.start : span.end])
    message = f"“{quoted}” is not in the evidence"
    return replace(finding, claim_span=span, message=message, sentence=-1, evidence_span=None)


def inner_marks(text: str) -> str:
    """Quotation marks inside a quotation."""
    return text.replace("“", "‘").replace("”", "’")


def span_of(tokens: Tokens, words: range) -> Span:
    """Where these words stand in their text."""
    return Span(tokens.starts[words[0]], tokens.ends[words[-1]])


def _without_ends(span: Span, alignment: ClaimAlignment) -> Span:
    """A phrase of one sentence, without a lone word of another clause at its ends nor words that join it to others.

    Of "prices, the client decides" the client decides; of two lone words the rarer one.
    """
    claim, text = alignment.claim.tokens, alignment.claim.text
    words = claim.between(*span)
    marks = {n: set(text[claim.ends[n - 1] : claim.starts[n]]) for n in words[1:]}
    bounds = [words[0], *(n for n in marks if marks[n] & _STOPS and marks[n] & _SPACES), words[-1] + 1] if words else []
    parts = [range(first, last) for first, last in pairwise(bounds)]
    words = max(parts, key=lambda part: sum(claim.content[n] for n in part), default=words)
    commas = [n for n in words[1:] if marks[n] & {",", ";"}]
    for first, last in ((words[0], commas[0]), (commas[-1], words[-1] + 1)) if commas else ():
        lone = [n for n in range(first, last) if claim.content[n]]
        rest = [n for n in words if claim.content[n] and n not in lone]
        if len(lone) <= 1 and (len(rest) > 1 or _rarest(claim, lone) < _rarest(claim, rest)):
            words = range(last, words[-1] + 1) if first == words[0] else range(words[0], first)
            break
    telling = [n for n in words if claim.content[n] or claim.lower[n] in _denials()]
    return span_of(claim, range(telling[0], telling[-1] + 1)) if telling else span


@cache
def _denials() -> frozenset[str]:
    return frozenset(lists.read("reporting")["denials"].split())


def _rarest(tokens: Tokens, words: Sequence[int]) -> float:
    return max((rarity(tokens.keys[n]) for n in words), default=0.0)


def _lone(text: str) -> int:
    """Where a mark stands whose partner is not there, -1: nowhere."""
    opened: list[int] = []
    for place, mark in enumerate(text):
        if opened and mark == _PAIRS[text[opened[-1]]]:
            opened.pop()
        elif mark in _PAIRS:
            opened.append(place)
        elif mark in _PAIRS.values():
            return place
    return opened[0] if opened else -1
