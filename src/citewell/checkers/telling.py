"""Which differences a reader is shown, and in which words: whole names and phrases, counterparts that are counterparts.

What decides a label is not touched here. A reason that a reader would call silly is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from citewell.facts.align import Finding, phrase
from citewell.facts.clauses import clauses
from citewell.facts.features import ClaimAlignment
from citewell.facts.kinship import Kinship
from citewell.facts.tokens import Tokens
from citewell.facts.types import Quantity
from citewell.types import Span

_FIGURES = frozenset(("number", "magnitude", "unit", "sign"))
_REACH = 4  # words from the counterpart of a neighbour in which a name stands in the place of another
_PART = 3  # one in so many words of a claim must stand in the clause that denies it
_IN_NAMES = frozenset(("", "-", "&", "'s", "’s", "."))  # between the words of one name
_PAIRS = {"“": "”", "(": ")", "[": "]", '"': '"'}


def select_reasons(findings: Sequence[Finding], alignment: ClaimAlignment) -> list[Finding]:
    """The findings as they are shown, each once: none that only repeats a part of another one."""
    result: list[Finding] = []
    for finding in findings:
        for reason in _as_shown(finding, alignment):
            inside = reason.evidence_span is None and any(
                other.claim_span.start <= reason.claim_span.start and reason.claim_span.end <= other.claim_span.end
                for other in result
            )
            wider = [
                other
                for other in result
                if reason.claim_span.start <= other.claim_span.start
                and other.claim_span.end <= reason.claim_span.end
                and other.evidence_span is None
            ]
            if inside or any(other.message == reason.message for other in result):
                continue
            result = [other for other in result if other not in wider]
            result.append(reason)
    return result


def _as_shown(finding: Finding, alignment: ClaimAlignment) -> Iterator[Finding]:
    """The finding in the words that a reader gets; nothing where it tells them nothing."""
    if finding.kind == "missing" and finding.sentence < 0:
        yield _lacking(finding, alignment)
    elif finding.kind == "entity":
        yield _name(finding, alignment)
    elif finding.evidence_span is None or finding.sentence < 0:
        yield finding
    elif finding.kind == "roles":
        premise = alignment.premises[finding.sentence]
        words = premise.text[finding.evidence_span.start : finding.evidence_span.end]
        if words in phrase(premise, finding.evidence_span):
            yield finding
    elif finding.kind in _FIGURES and _unlike(finding, alignment):
        yield _not_there(finding, finding.claim_span, alignment)
    elif finding.kind == "negation":
        if _of_the_claim(finding, alignment):
            yield finding
    elif finding.kind == "quantifier" or (finding.kind == "direction" and _joins(finding, alignment)):
        if _same_neighbour(finding, alignment):
            yield finding
    else:
        yield finding


def _not_there(finding: Finding, span: Span, alignment: ClaimAlignment) -> Finding:
    quoted = _inner_marks(alignment.claim.text[span.start : span.end])
    message = f"“{quoted}” is not in the evidence"
    return replace(finding, claim_span=span, message=message, sentence=-1, evidence_span=None)


def _inner_marks(text: str) -> str:
    """Quotation marks inside a quotation."""
    return text.replace("“", "‘").replace("”", "’")


def _lacking(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """A phrase that is missing, whole: no bracket or quotation mark of it stands alone."""
    text, (start, end) = alignment.claim.text, finding.claim_span
    if not finding.message.startswith("“"):
        return finding  # it says more than that words are missing
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
    return _not_there(finding, Span(start, end) if start < end else finding.claim_span, alignment)


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


def _name(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """A name that is another one: both whole where the one stands in the place of the other, else as missing."""
    claim = alignment.claim.tokens
    words = claim.between(*finding.claim_span)
    if finding.evidence_span is None or finding.sentence < 0:
        return _not_there(finding, _span(claim, _uncovered(words, alignment)), alignment)
    premise = alignment.premises[finding.sentence]
    there = premise.tokens.between(*finding.evidence_span)
    if not words or not there:
        return finding
    if not claim.names[words[0]]:
        next_to = _beside(words, there, finding.sentence, alignment, close=True)
        return finding if next_to else _not_there(finding, finding.claim_span, alignment)
    whole, whole_there = _name_around(claim, words), _name_around(premise.tokens, there)
    dated = any(
        period.start <= finding.evidence_span.start and finding.evidence_span.end <= period.end
        for period in premise.periods
    )
    # A name that the claim has as well stands for itself; "CONCLUSION" is a word in capitals.
    shouted = all(
        premise.tokens.known[n].entries and premise.text[slice(*_span(premise.tokens, range(n, n + 1)))].isupper()
        for n in whole_there
    )
    keys = {claim.keys[n] for n in range(len(claim)) if n not in whole}
    elsewhere = all(premise.tokens.keys[n] in keys for n in whole_there)
    if dated or shouted or elsewhere or not _beside(whole, whole_there, finding.sentence, alignment):
        return _not_there(finding, _span(claim, _uncovered(words, alignment)), alignment)
    here, evidence_span = _span(claim, whole), _span(premise.tokens, whole_there)
    quoted = claim.text[here.start : here.end], premise.text[evidence_span.start : evidence_span.end]
    message = f"says “{_inner_marks(quoted[0])}”; the evidence says “{_inner_marks(quoted[1])}”"
    return replace(finding, claim_span=here, message=message, evidence_span=evidence_span)


def _span(tokens: Tokens, words: range) -> Span:
    return Span(tokens.starts[words[0]], tokens.ends[words[-1]])


def _name_around(tokens: Tokens, words: range) -> range:
    """The whole name of which these words are a part."""
    first, last = words[0], words[-1]
    while first and tokens.names[first - 1] and _one_name(tokens, first - 1):
        first -= 1
    while last + 1 < len(tokens) and tokens.names[last + 1] and _one_name(tokens, last):
        last += 1
    return range(first, last + 1)


def _uncovered(words: range, alignment: ClaimAlignment) -> range:
    """The words of the same name around these that the evidence has not either."""
    first, last = words[0], words[-1]
    whole = _name_around(alignment.claim.tokens, words)
    while first > whole[0] and not alignment.covered[first - 1]:
        first -= 1
    while last < whole[-1] and not alignment.covered[last + 1]:
        last += 1
    return range(first, last + 1)


def _one_name(tokens: Tokens, place: int) -> bool:
    """Whether a word and the next one are of one name."""
    return tokens.text[tokens.ends[place] : tokens.starts[place + 1]].strip() in _IN_NAMES


def _beside(here: range, there: range, sentence: int, alignment: ClaimAlignment, *, close: bool = False) -> bool:
    """Whether a neighbour of the one, outside both names, has its counterpart by the other on the same side.

    `close`: without a word of content between them.
    """
    claim, aligned = alignment.claim.tokens, alignment.aligned[sentence]
    places = [p if kind <= Kinship.FORM else -1 for p, kind in zip(aligned.places, aligned.kinships, strict=True)]
    content = [n for n in range(len(claim)) if claim.content[n] and n not in here]
    before = [n for n in content if n < here[0]][-1:]
    after = [n for n in content if n > here[-1]][:1]
    content_there = alignment.premises[sentence].tokens.content

    def reaches(first: int, last: int) -> bool:
        return 0 < last - first <= _REACH and not (close and any(content_there[first + 1 : last]))

    return any(places[n] >= 0 and reaches(places[n], there[0]) for n in before) or any(
        reaches(there[-1], places[n]) for n in after
    )


def _of_the_claim(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the clause that a denial is held against says a good part of the claim: else it denies something else."""
    if finding.evidence_span is None:
        return True
    premise, claim = alignment.premises[finding.sentence], alignment.claim.tokens
    number = clauses(premise.text)
    there = premise.tokens.between(*finding.evidence_span)
    places = alignment.aligned[finding.sentence].places
    content = [n for n in range(len(claim)) if claim.content[n]]
    matched = [n for n in content if there and places[n] >= 0 and number[places[n]] == number[there[-1]]]
    return _PART * len(matched) >= len(content)


def _joins(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the claim's word joins others and says nothing alone: "without", "before"."""
    claim = alignment.claim.tokens
    words = claim.between(*finding.claim_span)
    return len(words) == 1 and not claim.known[words[0]].entries


def _same_neighbour(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the two words stand beside words that match, in one clause: what they join or are said of."""
    if finding.evidence_span is None:
        return True
    claim, premise = alignment.claim.tokens, alignment.premises[finding.sentence].tokens
    words, there = claim.between(*finding.claim_span), premise.between(*finding.evidence_span)
    if not words or not there:
        return True
    places, number = alignment.aligned[finding.sentence].places, clauses(premise.text)
    content = [n for n in range(len(claim)) if claim.content[n] and n not in words]
    near = [n for n in content if n > words[-1]][:1]
    if finding.kind != "direction":
        near += [n for n in content if n < words[0]][-1:]
    return any(
        places[n] >= 0 and number[places[n]] == number[there[-1]] and abs(places[n] - there[-1]) <= _REACH for n in near
    )


def _unlike(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether an amount stands beside a bare number, as in the name of a model; "912 million" is none."""
    premise = alignment.premises[finding.sentence]
    return any(
        isinstance(stand.fact, Quantity)
        and isinstance(stand.counterpart, Quantity)
        and stand.fact.start == finding.claim_span.start
        and stand.fact.kind != stand.counterpart.kind
        and stand.counterpart.kind == "cardinal"
        and " " not in premise.text[stand.counterpart.start : stand.counterpart.end]
        for stand in alignment.figures
    )
