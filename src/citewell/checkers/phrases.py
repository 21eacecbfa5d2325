"""Words of a claim that its evidence lacks, as a reader is shown them: whole names, whole figures, whole phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens, rarity
from citewell.facts.whole import LINKS, acts, clause_of, span_of, whole
from citewell.types import Span

_IN_NAMES = frozenset(("", "-", "&", "'s", "’s", "."))  # between the words of one name
_FEW = 4  # words that stand nowhere in this order by chance
_SHORT = 3  # letters of a first name that may be short for a longer one
_SURNAME = 0.9  # how rare a word is that names one person or family


def content_keys(reason: Finding, alignment: ClaimAlignment) -> set[str]:
    """The stems of the words of content that a reason is about."""
    tokens = alignment.claim.tokens
    return {tokens.keys[n] for n in words_of(reason, alignment) if tokens.content[n]}


def words_of(reason: Finding, alignment: ClaimAlignment) -> range:
    """The places of the words of the claim that a reason is about."""
    return alignment.claim.tokens.between(*reason.claim_span)


def not_there(finding: Finding, alignment: ClaimAlignment) -> Iterator[Finding]:
    """The names, figures or whole phrases of the claim, clause by clause, that the evidence does not have."""
    tokens = alignment.claim.tokens
    words = [n for n in words_of(finding, alignment) if tokens.content[n]]
    for _, part in groupby(words, key=lambda n: clause_of(tokens, range(n, n + 1))):
        span = _whole_span(list(part), alignment)
        message = f"“{quote(alignment.claim.text, span)}” is not in the evidence"
        yield replace(finding, claim_span=span, message=message, sentence=-1, evidence_span=None)


def quote(text: str, span: Span) -> str:
    """A piece of a text as it is quoted: in one line, with other marks for the quotations inside."""
    return " ".join(text[slice(*span)].replace("“", "‘").replace("”", "’").split())


def _whole_span(words: Sequence[int], alignment: ClaimAlignment) -> Span:
    claim, tokens = alignment.claim, alignment.claim.tokens
    for fact in (*claim.periods, *claim.quantities):
        if fact.start <= tokens.starts[words[0]] and tokens.ends[words[-1]] <= fact.end:
            behind = tokens.between(fact.end, len(claim.text))[:1]
            lone = not behind or tokens.gap(behind[0]) != " " or not tokens.content[behind[0]]
            of_name = words[0] and tokens.names[words[0] - 1] and fact in claim.quantities  # "Table 2"
            if lone and not of_name:
                return Span(fact.start, fact.end)
    name = name_around(tokens, range(words[0], words[0] + 1))
    compound = name[-1] + 1 < len(tokens) and tokens.gap(name[-1] + 1) == "-"  # "U-30"
    if not compound and all(tokens.names[n] and n in name for n in words):
        return span_of(tokens, name)
    return span_of(tokens, _unstated(whole(tokens, range(words[0], words[-1] + 1)), words, alignment))


def _unstated(phrase: range, words: Sequence[int], alignment: ClaimAlignment) -> range:
    """A phrase without the part behind or before a joining word that stands in the evidence word for word."""
    tokens = alignment.claim.tokens
    for place in phrase[1:-1]:
        if tokens.lower[place] in LINKS:
            before, behind = range(phrase[0], place), range(place + 1, phrase[-1] + 1)
            for part, rest in ((before, behind), (behind, before)):
                if words[0] >= rest[0] and words[-1] <= rest[-1] and acts(tokens, rest) and _is_stated(part, alignment):
                    return rest
    return phrase


def _is_stated(words: range, alignment: ClaimAlignment) -> bool:
    text = [alignment.claim.tokens.lower[n] for n in words]
    return len(text) >= _FEW and any(
        list(premise.tokens.lower[n : n + len(text)]) == text
        for premise in alignment.premises
        for n in range(len(premise.tokens) - len(text) + 1)
    )


def is_first_name(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether only the first words of a name are missing, whose last is rare and stands in the evidence: a surname."""
    claim, words = alignment.claim.tokens, words_of(finding, alignment)
    if not words or not all(claim.names[n] for n in words):
        return False
    last = name_around(claim, words)[-1]
    return last > words[-1] and alignment.covered[last] and rarity(claim.keys[last]) >= _SURNAME


def is_short_form(finding: Finding, alignment: ClaimAlignment) -> bool:
    """Whether only a first name is missing for which the evidence has a longer one: "Tim Roth", "Timothy Roth"."""
    claim, words = alignment.claim.tokens, words_of(finding, alignment)
    if len(words) != 1 or not claim.names[words[0]] or len(claim.lower[words[0]]) < _SHORT:
        return False
    surname = name_around(claim, words)[-1]
    return (
        surname > words[0]
        and alignment.covered[surname]
        and any(
            named and word.startswith(claim.lower[words[0]])
            for premise in alignment.premises
            for word, named in zip(premise.tokens.lower, premise.tokens.names, strict=True)
        )
    )


def name_around(tokens: Tokens, words: range) -> range:
    """The whole name of which these words are a part."""
    first, last = words[0], words[-1]
    while first and tokens.names[first - 1] and tokens.gap(first).strip() in _IN_NAMES:
        first -= 1
    while last + 1 < len(tokens) and tokens.names[last + 1] and tokens.gap(last + 1).strip() in _IN_NAMES:
        last += 1
    return range(first, last + 1)
