"""Words of a claim that its evidence lacks, as a reader is shown them: whole names, whole figures, whole phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from citewell.facts.align import Finding
from citewell.facts.features import ClaimAlignment
from citewell.facts.tokens import Tokens, rarity
from citewell.facts.types import Period
from citewell.facts.whole import acts, clause_of, may_act, span_of
from citewell.facts.wordnet import ADJECTIVE, wordnet
from citewell.types import Span

_IN_NAMES = frozenset(("", "-", "&", "'s", "’s", ".", "'", "’"))  # between the words of one name
_POSSESSIVE = re.compile(r"(?:['’]s)?$")
_SHORT = 3  # letters of a first name that may be short for a longer one
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|‘[^’]*’(?!\w)")
_ROMAN = frozenset(("I", "II", "III", "IV", "V"))  # "World War I"
_GLUE = frozenset(",.-")  # before a figure that is a part of something
_NOUN = 3  # words of content that what is counted has at most
_SURNAME = 0.9  # how rare a word is that names one person or family


def content_keys(reason: Finding, alignment: ClaimAlignment) -> set[str]:
    """The stems of the words of content that a reason is about."""
    tokens = alignment.claim.tokens
    return {tokens.keys[n] for n in words_of(reason, alignment) if tokens.content[n]}


def words_of(reason: Finding, alignment: ClaimAlignment) -> range:
    """The places of the words of the claim that a reason is about."""
    return alignment.claim.tokens.between(*reason.claim_span)


def not_there(finding: Finding, alignment: ClaimAlignment) -> Iterator[Finding]:
    """The names and figures of the claim that the evidence does not have; for other words their whole clauses."""
    tokens = alignment.claim.tokens
    words = [n for n in words_of(finding, alignment) if tokens.content[n]]
    for span in dict.fromkeys(span for n in words if (span := _whole(n, words, alignment))):
        message = f"“{quote(alignment.claim.text, span)}” is not in the evidence"
        yield replace(finding, claim_span=span, message=message, sentence=-1, evidence_span=None)


def quote(text: str, span: Span) -> str:
    """A piece of a text as it is quoted: in one line, with other marks for the quotations inside."""
    return " ".join(text[slice(*span)].replace("“", "‘").replace("”", "’").split())


def _whole(word: int, words: Sequence[int], alignment: ClaimAlignment) -> Span | None:
    """The figure, name or clause of which a word is a part; nothing for the first name of a surname that is there."""
    claim, tokens = alignment.claim, alignment.claim.tokens
    name, clause = name_around(tokens, range(word, word + 1)), clause_of(tokens, range(word, word + 1))
    figures = (*claim.periods, *(quantity for quantity in claim.quantities if quantity.kind != "identifier"))
    for fact in figures:
        if fact.start <= tokens.starts[word] and tokens.ends[word] <= fact.end:
            last = tokens.between(*fact.span)[-1]
            end = last if isinstance(fact, Period) else _end_of_noun(tokens, last, clause[-1])
            if end < 0 or claim.text[: fact.start][-1:] in _GLUE:
                return span_of(tokens, clause)  # "500" of "2,500"
            return Span(fact.start, max(fact.end, tokens.ends[end]))
    if not tokens.names[name[0]] or _goes_on(tokens, name) or _is_opening(tokens, name):
        return span_of(tokens, clause)
    if _is_first_name([n for n in words if n in name], name, alignment):
        return None
    start, end = _title(tokens, name)
    return Span(start, end - len(_POSSESSIVE.findall(claim.text[start:end])[0]))


def _is_opening(tokens: Tokens, name: range) -> bool:
    """Whether one word with a capital opens a sentence and does nothing: "Amidst a surge"."""
    before, behind = tokens.text[: tokens.starts[name[0]]].rstrip(" \"“‘'"), name[-1] + 1
    opens = len(name) == 1 and (not before or before[-1] in ".!?:")
    return opens and behind < len(tokens) and not acts(tokens, behind)


def _title(tokens: Tokens, name: range) -> Span:
    """A name with the words of it that are no names by themselves: "Coalition Against Hunger"; a quotation whole."""
    for found in _QUOTATION.finditer(tokens.text):
        if found.start() < tokens.starts[name[0]] and tokens.ends[name[-1]] < found.end():
            return Span(found.start() + 1, found.end() - 1)
    first, last = name[0], name[-1]
    while first > 1 and tokens.names[first - 2] and _within(tokens, first - 1):
        first = name_around(tokens, range(first - 2, first - 1))[0]
    while last + 2 < len(tokens) and tokens.names[last + 2] and _within(tokens, last + 1):
        last = name_around(tokens, range(last + 2, last + 3))[-1]
    return span_of(tokens, range(first, last + 1))


def _within(tokens: Tokens, place: int) -> bool:
    """Whether a word between two names belongs to one name: with a capital, or "of", "for", "on"."""
    joins = tokens.lower[place] in ("of", "for", "on") or tokens.text[tokens.starts[place]].isupper()
    return joins and tokens.gap(place) == tokens.gap(place + 1) == " "


def _goes_on(tokens: Tokens, name: range) -> bool:
    """Whether a name is only the beginning of one: "Bacillus subtilis", "T cells"; not where it says from where."""
    last = name[-1]
    if tokens.text[tokens.ends[last] :][:1].isalnum():
        return True
    if last + 1 == len(tokens) or tokens.gap(last + 1) not in (" ", "-") or not tokens.content[last + 1]:
        return False
    return tokens.gap(last + 1) == "-" or not (is_origin(tokens, name) or may_act(tokens, last + 1))


def is_origin(tokens: Tokens, name: range) -> bool:
    """Whether a name says where somebody or something is from: "Libyan"."""
    return len(name) == 1 and any(wordnet().pos[sense] == ADJECTIVE for sense in tokens.known[name[0]].senses)


def _end_of_noun(tokens: Tokens, last: int, stop: int) -> int:
    """The last word of what a figure counts, the figure itself where nothing follows; -1: no end is sure."""
    for n in range(last, min(last + _NOUN, stop) + 1):
        if n == stop or tokens.gap(n + 1) != " " or not tokens.content[n + 1]:
            return n
        if n > last and may_act(tokens, n + 1):
            return n
    return -1


def _is_first_name(words: Sequence[int], name: range, alignment: ClaimAlignment) -> bool:
    """Whether only the first words of a name are missing, whose last is rare and stands in the evidence: a surname."""
    last = name[-1]
    return last > words[-1] and alignment.covered[last] and rarity(alignment.claim.tokens.keys[last]) >= _SURNAME


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
    """The whole name of which these words are a part, with the number behind it: "U-30", "Table 2"."""
    first, last = words[0], words[-1]
    if first and tokens.numbers[first] and _numbers_a_name(tokens, first):
        first -= 1
    if not tokens.names[first]:
        return words
    while first and tokens.names[first - 1] and _joined(tokens, first):
        first -= 1
    while last + 1 < len(tokens) and tokens.names[last + 1] and _joined(tokens, last + 1):
        last += 1
    if last + 1 < len(tokens) and _numbers_a_name(tokens, last + 1):
        last += 1
    return range(first, last + 1)


def _numbers_a_name(tokens: Tokens, place: int) -> bool:
    """Whether a number belongs to the name before it, and counts nothing behind it."""
    if not tokens.names[place - 1]:
        return False
    if tokens.text[tokens.starts[place] : tokens.ends[place]] in _ROMAN:
        return True
    if not tokens.numbers[place]:
        return False
    lone = place + 1 == len(tokens) or tokens.gap(place + 1) != " " or not tokens.content[place + 1]
    return tokens.gap(place) == "-" or (tokens.gap(place) == " " and lone)


def _joined(tokens: Tokens, place: int) -> bool:
    """Whether a word goes on with the name before it, as the letters of a state do: "Washington, D.C."."""
    gap = tokens.gap(place).strip()
    return gap in _IN_NAMES or (gap == "," and tokens.text[tokens.ends[place] : tokens.ends[place] + 1] == ".")
