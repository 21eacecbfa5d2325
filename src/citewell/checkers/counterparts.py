"""Whether what a claim is held against is its counterpart: in the same clause, beside the same words, of one kind."""

from __future__ import annotations

import re
from dataclasses import replace

from citewell.checkers.phrases import content_keys, inner_marks, name_around, not_there, span_of, words_of
from citewell.facts.align import Finding
from citewell.facts.clauses import clauses
from citewell.facts.features import ClaimAlignment
from citewell.facts.kinship import Kinship
from citewell.facts.tokens import Tokens, rarity
from citewell.facts.types import Quantity
from citewell.facts.wordnet import ADJECTIVE

_COMMON = 0.7  # how rare a word is at most that may be a term of a contract
_NOUN = 3  # words behind a count among which is what it counts
_SUPPOSING = frozenset(("whether", "if", "could", "might", "would"))
_REACH = 4  # words from the counterpart of a neighbour in which a name stands in the place of another
_JOINING = frozenset(("and", "or", "but", "nor"))  # what stands beyond belongs to something else
_PREFIX = re.compile(r"\bnon\W*$")
_PHRASE = 8  # words of content that a reader takes in as one phrase


def same_parties(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether both sides of exchanged roles are short and mostly of the same words: else something else is told."""
    premise = alignment.premises[finding.sentence].tokens
    there = premise.between(*finding.evidence_span) if finding.evidence_span else range(0)
    keys, others = content_keys(finding, alignment), {premise.keys[n] for n in there if premise.content[n]}
    return len(keys) <= _PHRASE and 2 * len(keys & others) > len(keys)


def other_name(finding: Finding, alignment: ClaimAlignment) -> Finding:
    """A name that is another one: both whole where the one stands in the place of the other, else as missing."""
    claim = alignment.claim.tokens
    words = claim.between(*finding.claim_span)
    if finding.evidence_span is None or finding.sentence < 0:
        return not_there(finding, span_of(claim, _uncovered(words, alignment)), alignment)
    premise = alignment.premises[finding.sentence]
    there = premise.tokens.between(*finding.evidence_span)
    if not words or not there:
        return finding
    if not claim.names[words[0]]:
        next_to = _beside(words, there, finding.sentence, alignment, close=True)
        alike = claim.known[words[0]].part == premise.tokens.known[there[0]].part
        return finding if next_to and alike else not_there(finding, finding.claim_span, alignment)
    whole, whole_there = name_around(claim, words), name_around(premise.tokens, there)
    dated = any(
        period.start <= finding.evidence_span.start and finding.evidence_span.end <= period.end
        for period in premise.periods
    )
    # A name that the claim has as well stands for itself; "CONCLUSION" is a word in capitals.
    shouted = all(
        premise.tokens.known[n].entries and premise.text[slice(*span_of(premise.tokens, range(n, n + 1)))].isupper()
        for n in whole_there
    )
    keys = {claim.keys[n] for n in range(len(claim)) if n not in whole}
    elsewhere = all(premise.tokens.keys[n] in keys for n in whole_there)
    elsewhere = elsewhere or any(alignment.covered[n] for n in whole if claim.content[n])
    initials = all(len(premise.tokens.lower[n]) == 1 for n in whole_there)
    described = premise.tokens.known[whole_there[-1]].entries
    of_origin = claim.known[whole[-1]].part == ADJECTIVE and not described
    unlike_kinds = initials or of_origin or _common(claim, whole) != _common(premise.tokens, whole_there)
    if (
        dated
        or shouted
        or elsewhere
        or unlike_kinds
        or not _beside(whole, whole_there, finding.sentence, alignment, close=True)
    ):
        return not_there(finding, span_of(claim, _uncovered(words, alignment)), alignment)
    here, evidence_span = span_of(claim, whole), span_of(premise.tokens, whole_there)
    quoted = claim.text[here.start : here.end], premise.text[evidence_span.start : evidence_span.end]
    message = f"says “{inner_marks(quoted[0])}”; the evidence says “{inner_marks(quoted[1])}”"
    return replace(finding, claim_span=here, message=message, evidence_span=evidence_span)


def _common(tokens: Tokens, words: range) -> bool:
    """Whether a name is of common words alone, as a contract's terms are: "Agreement", "Receiving Party"."""
    return all(tokens.known[n].entries and rarity(tokens.keys[n]) < _COMMON for n in words)


def _uncovered(words: range, alignment: ClaimAlignment) -> range:
    """The words of the same name around these that the evidence has not either."""
    first, last = words[0], words[-1]
    whole = name_around(alignment.claim.tokens, words)
    while first > whole[0] and not alignment.covered[first - 1]:
        first -= 1
    while last < whole[-1] and not alignment.covered[last + 1]:
        last += 1
    return range(first, last + 1)


def _beside(here: range, there: range, sentence: int, alignment: ClaimAlignment, *, close: bool = False) -> bool:
    """Whether a neighbour of the one, outside both names, has its counterpart by the other on the same side.

    `close`: without a word of content between them.
    """
    claim, aligned = alignment.claim.tokens, alignment.aligned[sentence]
    places = [p if kind <= Kinship.FORM else -1 for p, kind in zip(aligned.places, aligned.kinships, strict=True)]
    content = [n for n in range(len(claim)) if claim.content[n] and n not in here]
    before = [n for n in content if n < here[0]][-1:]
    after = [n for n in content if n > here[-1]][:1]
    premise = alignment.premises[sentence].tokens

    def reaches(first: int, last: int) -> bool:
        if not 0 < last - first <= _REACH or (close and any(premise.content[first + 1 : last])):
            return False
        return _JOINING.isdisjoint(premise.lower[first + 1 : last])

    return any(places[n] >= 0 and reaches(places[n], there[0]) for n in before) or any(
        reaches(there[-1], places[n]) for n in after
    )


def of_the_claim(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the clause that a denial is held against says most of the claim: else it denies something else."""
    if finding.evidence_span is None:
        return True
    premise, claim = alignment.premises[finding.sentence], alignment.claim.tokens
    number = clauses(premise.text)
    there = premise.tokens.between(*finding.evidence_span)
    places = alignment.aligned[finding.sentence].places
    content = [n for n in range(len(claim)) if claim.content[n] and not claim.names[n]]
    matched = [n for n in content if there and places[n] >= 0 and number[places[n]] == number[there[-1]]]
    words = [n for n in range(len(premise.tokens)) if premise.tokens.content[n]]
    across = [places[n] for n in matched]
    if alignment.claim.negations and _supposes(premise.tokens, number, there):
        return False  # what might or could be is not stated
    if across and sum(min(across) <= n <= max(across) for n in words) > 2 * len(content):
        return False  # the clause has the same words, each said of something else
    if _PREFIX.search(premise.text[slice(*finding.evidence_span)].lower()):
        return len(matched) == len(content)  # "non-fiction" denies of one thing what it joins, and nothing else
    return 2 * len(matched) > len(content)


def _supposes(premise: Tokens, number: tuple[int, ...], there: range) -> bool:
    clause = {number[n] for n in there}
    return any(word in _SUPPOSING and number[n] in clause for n, word in enumerate(premise.lower))


def of_another_thing(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether two bare counts are of nouns that have nothing in common: "42 ships" and "6 patrols"."""
    claim, premise = alignment.claim.tokens, alignment.premises[finding.sentence].tokens
    here, there = claim.between(*finding.claim_span), premise.between(*(finding.evidence_span or (0, 0)))
    if not any(q.kind == "cardinal" and q.start == finding.claim_span.start for q in alignment.claim.quantities):
        return False
    counted, others = (
        {tokens.keys[n] for n in range(words[-1] + 1, min(words[-1] + 1 + _NOUN, len(tokens))) if tokens.content[n]}
        for tokens, words in ((claim, here), (premise, there))
        if words
    )
    return bool(counted and others) and counted.isdisjoint(others)


def stands_elsewhere(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the evidence has the claim's figure too, beside the one that it is held against."""
    here = [q for q in alignment.claim.quantities if q.start == finding.claim_span.start]
    start, end = finding.evidence_span or (0, 0)
    there = [q for q in alignment.premises[finding.sentence].quantities if q.end <= start or end <= q.start]
    return any((q.kind, q.low, q.high) == (other.kind, other.low, other.high) for q in here for other in there)


def alike_in_length(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether neither side of exchanged roles is a fragment beside a whole clause."""
    premise = alignment.premises[finding.sentence].tokens
    sides = len(words_of(finding, alignment)), len(premise.between(*(finding.evidence_span or (0, 0))))
    return max(sides) <= 2 * min(sides)


def denied_there(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the evidence denies the counterpart, and the claim denies nothing: then it is no opposite."""
    premise, claim = alignment.premises[finding.sentence], alignment.claim
    there = premise.tokens.between(*finding.evidence_span) if finding.evidence_span else range(0)
    number = clauses(premise.text)
    cues = {number[n] for cue in premise.negations for n in premise.tokens.between(cue.start, cue.end)}
    return not claim.negations and any(number[n] in cues for n in there)


def is_conversion(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether a figure stands in brackets behind the figure that it is in another unit: "200 pounds (91 kg)"."""
    text, start = alignment.claim.text, finding.claim_span.start
    return text[:start].rstrip("~≈ ").endswith("(") and any(
        other.end <= start and not text[other.end : start].strip("(~≈ ") for other in alignment.claim.quantities
    )


def joins(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the claim's word joins others and says nothing alone: "without", "before"."""
    claim = alignment.claim.tokens
    words = claim.between(*finding.claim_span)
    return len(words) == 1 and not (claim.content[words[0]] and claim.known[words[0]].entries)


def same_neighbour(finding: Finding, alignment: ClaimAlignment) -> bool:
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
    if finding.kind == "direction":
        after = next((n for n in range(there[-1] + 1, len(premise)) if premise.content[n]), -1)
        return any(places[n] == after for n in near) and number[after] == number[there[-1]]
    near = near or [n for n in content if n < words[0]][-1:]
    return any(
        places[n] >= 0 and number[places[n]] == number[there[-1]] and abs(places[n] - there[-1]) <= _REACH for n in near
    )


def unlike(finding: Finding, alignment: ClaimAlignment) -> bool:
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
