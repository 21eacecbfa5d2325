"""Which differences a reader is shown, and in which words: whole names and phrases, counterparts that are counterparts.

What decides a label is not touched here. A reason that a reader would call silly is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from citewell.checkers.missing import inner_marks, not_there, span_of, whole_phrase
from citewell.facts.align import Finding, phrase
from citewell.facts.clauses import clauses
from citewell.facts.features import ClaimAlignment
from citewell.facts.kinship import Kinship
from citewell.facts.tokens import Tokens, rarity
from citewell.facts.types import Quantity

_FIGURES = frozenset(("number", "magnitude", "unit", "sign"))
_REACH = 4  # words from the counterpart of a neighbour in which a name stands in the place of another
_IN_NAMES = frozenset(("", "-", "&", "'s", "’s", "."))  # between the words of one name
_RARE = 0.5  # of a word that says something where it stands alone
_PHRASE = 8  # words of content that a reader takes in as one phrase
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
        for reason in _as_shown(finding, alignment):
            if any(
                (
                    _stands_there(reason, alignment, texts),
                    _day_stands_there(reason, alignment, texts),
                    _repeats(reason, result, alignment),
                )
            ):
                continue
            wider = [
                other
                for other in result
                if reason.claim_span.start <= other.claim_span.start
                and other.claim_span.end <= reason.claim_span.end
                and other.evidence_span is None
            ]
            result = [other for other in result if other not in wider]
            result.append(reason)
    return [reason for reason in result if not _is_common(reason, alignment)]


def _repeats(reason: Finding, others: Sequence[Finding], alignment: ClaimAlignment) -> bool:
    """Whether another reason says as much: the same, or that words are missing of which these are a part."""
    if any(other.message == reason.message for other in others):
        return True
    if reason.evidence_span is not None:
        return False
    keys = _content_keys(reason, alignment)
    return any(
        (other.claim_span.start <= reason.claim_span.start and reason.claim_span.end <= other.claim_span.end)
        or (_is_missing(reason) and _is_missing(other) and keys <= _content_keys(other, alignment))
        for other in others
    )


def _stands_there(reason: Finding, alignment: ClaimAlignment, texts: Texts) -> bool:
    """Whether words that are called missing stand in the evidence as they are, only not where the claim has them."""
    if reason.evidence_span is not None or not reason.message.endswith(_ABSENT):
        return False
    claim = alignment.claim
    keys = [claim.tokens.keys[n] for n in _words(reason, alignment)]
    if any(
        list(premise.tokens.keys[n : n + len(keys)]) == keys
        for premise in alignment.premises
        for n in range(len(premise.tokens) - len(keys) + 1)
    ):
        return bool(keys)
    words = claim.text[slice(*reason.claim_span)].casefold()
    named = all(claim.tokens.names[n] for n in _words(reason, alignment))
    return _is_missing(reason) and any(_has_words(text, words) for text in (texts.documents if named else texts.cited))


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


def _content_keys(reason: Finding, alignment: ClaimAlignment) -> set[str]:
    tokens = alignment.claim.tokens
    return {tokens.keys[n] for n in _words(reason, alignment) if tokens.content[n]}


def _is_common(reason: Finding, alignment: ClaimAlignment) -> bool:
    """Whether a reason only lacks a word that most texts have: "one", "gets", "new"."""
    if not _is_missing(reason):
        return False
    tokens = alignment.claim.tokens
    words = [n for n in _words(reason, alignment) if tokens.content[n]]
    return len(words) <= 1 and all(
        not tokens.names[n] and not tokens.numbers[n] and rarity(tokens.keys[n]) < _RARE for n in words
    )


def _is_missing(reason: Finding) -> bool:
    return reason.evidence_span is None and reason.message.endswith(_ABSENT[0])


def _words(reason: Finding, alignment: ClaimAlignment) -> range:
    return alignment.claim.tokens.between(*reason.claim_span)


def _as_shown(finding: Finding, alignment: ClaimAlignment) -> Iterator[Finding]:
    """The finding in the words that a reader gets; nothing where it tells them nothing."""
    if finding.kind == "missing" and finding.sentence < 0:
        yield whole_phrase(finding, alignment)
    elif finding.kind == "entity":
        yield _name(finding, alignment)
    elif finding.evidence_span is None or finding.sentence < 0:
        yield finding
    elif finding.kind == "roles":
        premise = alignment.premises[finding.sentence]
        words = premise.text[finding.evidence_span.start : finding.evidence_span.end]
        if words in phrase(premise, finding.evidence_span) and _same_parties(finding, alignment):
            yield finding
    elif _says_nothing(finding, alignment):
        return
    elif finding.kind in _FIGURES and _unlike(finding, alignment):
        yield not_there(finding, finding.claim_span, alignment)
    elif finding.kind == "negation":
        if _of_the_claim(finding, alignment):
            yield finding
    elif finding.kind == "quantifier" or (finding.kind == "direction" and _joins(finding, alignment)):
        if _same_neighbour(finding, alignment):
            yield finding
    else:
        yield finding


def _same_parties(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether both sides of exchanged roles are short and mostly of the same words: else something else is told."""
    premise = alignment.premises[finding.sentence].tokens
    there = premise.between(*finding.evidence_span) if finding.evidence_span else range(0)
    keys, others = _content_keys(finding, alignment), {premise.keys[n] for n in there if premise.content[n]}
    return len(keys) <= _PHRASE and 2 * len(keys & others) > len(keys)


def _says_nothing(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether the counterpart of a figure is the same word, and nothing stands around it."""
    if finding.evidence_span is None or finding.kind not in _FIGURES:
        return False
    premise = alignment.premises[finding.sentence]
    there = premise.text[finding.evidence_span.start : finding.evidence_span.end]
    here = alignment.claim.text[finding.claim_span.start : finding.claim_span.end]
    return here.casefold() == there.casefold() == phrase(premise, finding.evidence_span).casefold()


def _name(finding: Finding, alignment: ClaimAlignment) -> Finding:
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
        return finding if next_to else not_there(finding, finding.claim_span, alignment)
    whole, whole_there = _name_around(claim, words), _name_around(premise.tokens, there)
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
    if dated or shouted or elsewhere or not _beside(whole, whole_there, finding.sentence, alignment, close=True):
        return not_there(finding, span_of(claim, _uncovered(words, alignment)), alignment)
    here, evidence_span = span_of(claim, whole), span_of(premise.tokens, whole_there)
    quoted = claim.text[here.start : here.end], premise.text[evidence_span.start : evidence_span.end]
    message = f"says “{inner_marks(quoted[0])}”; the evidence says “{inner_marks(quoted[1])}”"
    return replace(finding, claim_span=here, message=message, evidence_span=evidence_span)


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
    """Whether the clause that a denial is held against says most of the claim: else it denies something else."""
    if finding.evidence_span is None:
        return True
    premise, claim = alignment.premises[finding.sentence], alignment.claim.tokens
    number = clauses(premise.text)
    there = premise.tokens.between(*finding.evidence_span)
    places = alignment.aligned[finding.sentence].places
    content = [n for n in range(len(claim)) if claim.content[n] and not claim.names[n]]
    matched = [n for n in content if there and places[n] >= 0 and number[places[n]] == number[there[-1]]]
    return 2 * len(matched) > len(content)


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
