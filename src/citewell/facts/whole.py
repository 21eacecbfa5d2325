"""Clauses of a sentence as shown to a reader: each with its subject and verb, otherwise the whole sentence.

No parser tells what a word belongs to, so a sentence is cut only at a mark, or before a pronoun behind "and", with a
subject and a verb close behind it and a statement that hangs on nothing before it; never in brackets or quotations.
"""

from __future__ import annotations

import re
from itertools import pairwise

from citewell.facts.kinship import irregular_pasts
from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import VERB
from citewell.text.sentences import split
from citewell.types import Span

_MARKS = frozenset(",;:—–\n")
_SINGLE = (r"(?<!\w)'(?=\w)", r"(?<=\w)'(?!\w)")  # quotation marks that open and close
_PAIRS = {"“": "”", "(": ")", "[": "]"}
_FINITE = frozenset(
    "am is are was were has have had do does did will would shall should may might must can could".split()
)
_PRONOUNS = frozenset("he she it they we i you there".split())
_ARTICLES = frozenset("the a an his her its their our my your this these those".split())
_LINKS = frozenset("and or but nor so while whereas".split())
_BINDING = frozenset(  # words of a clause that another one belongs to
    "that who which whose whom if unless when where while whereas because although though as since after before until "
    "once whether what how why either neither both not".split()
)
_SUBJECT = 4  # words of a subject at most


def clause_of(tokens: Tokens, words: range) -> range:
    """The words of the clauses in which these words stand."""
    bounds = _bounds(tokens)
    first = max(n for n in bounds if n <= words[0])
    last = min(n for n in bounds if n > words[-1])
    while first < words[0] and first and tokens.lower[first] in _LINKS:
        first += 1
    while last - 1 > words[-1] and "[" in tokens.gap(last - 1):
        last -= 1  # the number of a citation
    return range(first, last)


def _bounds(tokens: Tokens) -> list[int]:
    """Where clauses begin, and the end of the last."""
    sentences = {here[0] for here in (tokens.between(*span) for span in split(tokens.text)) if here}
    inside = _inside(tokens.text)
    cuts = [
        n
        for n in range(1, len(tokens))
        if n in sentences
        or any(tokens.text[at] in _MARKS and not inside[at] for at in range(tokens.ends[n - 1], tokens.starts[n]))
        or (tokens.lower[n] in _LINKS and tokens.lower[n + 1 : n + 2] and tokens.lower[n + 1] in _PRONOUNS)
    ]
    result = [0]
    for here, behind in pairwise([*cuts, len(tokens)]):
        if here in sentences or (_states(tokens, result[-1], here) and _begins(tokens, here, behind)):
            result.append(here)
    return [*result, len(tokens)]


def _inside(text: str) -> list[bool]:
    """Whether each character stands in brackets or quotation marks that are closed."""
    result = [False] * len(text)
    for found in re.finditer(r"\([^()]*\)|\[[^][]*\]|“[^”]*”|\"[^\"]*\"", text):
        result[slice(*found.span())] = [True] * len(found[0])
    return result


def _states(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a statement stands there on which nothing behind it hangs."""
    start = first + (tokens.lower[first] in _LINKS)
    subject = tokens.lower[start] in _PRONOUNS | _ARTICLES or tokens.names[start]
    verb = any(_finite(tokens, n) or (subject and may_act(tokens, n)) for n in range(start + 1, last))
    return verb and _BINDING.isdisjoint(tokens.lower[start:last])


def _begins(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a subject begins there, with its verb close behind."""
    start = first + (tokens.lower[first] in _LINKS)
    if start >= last or not (tokens.lower[start] in _PRONOUNS | _ARTICLES or tokens.names[start]):
        return False
    for n in range(start + 1, min(start + 1 + _SUBJECT, last)):
        if _finite(tokens, n) or (tokens.lower[start] in _PRONOUNS and may_act(tokens, n)):
            return True
        if tokens.lower[n] in _PRONOUNS | _BINDING | _LINKS:
            return False
    return False


def _finite(tokens: Tokens, place: int) -> bool:
    return tokens.lower[place] in _FINITE or tokens.lower[place].endswith("n't")


def may_act(tokens: Tokens, place: int) -> bool:
    """Whether a word may be a verb."""
    lower = tokens.lower[place]
    acts = tokens.known[place].part == VERB or lower.endswith("ed") or lower in irregular_pasts()
    return acts and tokens.content[place] and not tokens.names[place]


def acts(tokens: Tokens, place: int) -> bool:
    """Whether a word may be a verb or an auxiliary."""
    return may_act(tokens, place) or _finite(tokens, place)


def states(tokens: Tokens, words: range) -> bool:
    """Whether these words are of a clause with a verb, and not of what somebody is to do."""
    before = tokens.lower[words[0] - 1] if words[0] else ""
    aims = before == "to" or (tokens.lower[words[-1]].endswith("ing") and before not in _FINITE | {"not", "been", "be"})
    return not aims and any(acts(tokens, n) for n in clause_of(tokens, words))


def span_of(tokens: Tokens, words: range) -> Span:
    """Where these words stand in their text, with the bracket, quotation mark or point that belongs to them."""
    start, end, text = tokens.starts[words[0]], tokens.ends[words[-1]], tokens.text
    if re.search(r"\b\w\.\w$", text[start:end]) and text[end : end + 1] == ".":
        end += 1
    if text[start:end].count('"') % 2 and (behind := re.match(r'[.,!?]?"', text[end:])):
        end += behind.end()
    elif text[start:end].count('"') % 2 and text[start - 1 : start] == '"':
        start -= 1
    opened, closed = (len(re.findall(mark, text[start:end])) for mark in _SINGLE)
    if opened > closed and text[end : end + 1] == "'":
        end += 1
    elif closed > opened and text[start - 1 : start] == "'":
        start -= 1
    for opening, closing in _PAIRS.items():
        if text[start:end].count(opening) > text[start:end].count(closing) and text[end : end + 1] == closing:
            end += 1
        if text[start:end].count(closing) > text[start:end].count(opening) and text[start - 1 : start] == opening:
            start -= 1
    return Span(start, end)
