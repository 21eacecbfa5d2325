"""Phrases of a sentence as a reader is shown them: all from one sure edge of a clause to the next.

No parser tells what a word belongs to, so a phrase is cut only where nothing belongs to both sides: at marks between
two parts that each have a verb, behind an auxiliary or "that", before an article behind a word of content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from citewell.facts.kinship import irregular_pasts
from citewell.facts.tokens import Tokens
from citewell.facts.wordnet import ADJECTIVE, NOUN, VERB, wordnet
from citewell.text.sentences import split
from citewell.types import Span

_MARKS = frozenset(",;:—–|\n*")
_SINGLE = (r"(?<!\w)'(?=\w)", r"(?<=\w)'(?!\w)")  # quotation marks that open and close
_PAIRS = {"“": "”", "(": ")", "[": "]"}
_FINITE = frozenset(
    "am is are was were has have had do does did will would shall should may might must can could".split()
)
_AUXILIARIES = _FINITE | {"be", "been", "being"}
_RELATIVE = frozenset(("that", "who", "which"))
_ARTICLES = frozenset("the a an his her its their our my your this these those".split())
_SUBJECTS = _ARTICLES | frozenset("he she it they we i you there".split())
_PREPOSITIONS = frozenset(
    "in on at by with from during after before since until under near among through without within between against "
    "throughout as for".split()
)
_BETWEEN = _PREPOSITIONS | frozenset(("to", "for", "than", "about"))
_SUBORDINATORS = frozenset("if when where because while whereas although though unless whose whom".split())
LINKS = frozenset("and or but nor".split())
_OPENERS = frozenset("while whereas whilst although though because but".split())


def whole(tokens: Tokens, words: range) -> range:
    """The words of the phrase, clause or sentence that these words are a part of."""
    first, last = clause_of(tokens, words)
    start, finite = words[0], [n for n in range(first, last) if _finite(tokens, n)]
    while start > first and not _begins(tokens, start, last):
        start -= 1
    relative = start > first and tokens.lower[start - 1] in _RELATIVE and start + 1 in finite  # "that it was"
    if sum(n >= start for n in finite) > relative or tokens.lower[first] in _AUXILIARIES:
        start = first  # more than one thing is said, or something is asked
    if start == first:
        behind = next((n for n in finite if n > words[-1]), first)
        subject = range(first, behind)
        lone = finite[:1] == [behind] and not any(
            _may_act(tokens, n) or tokens.lower[n] in _RELATIVE or not _MARKS.isdisjoint(tokens.gap(n + 1))
            for n in subject
        )
        if subject and lone and tokens.lower[first] not in _SUBORDINATORS | {"so"}:
            return subject
    return range(start, last)


def clause_of(tokens: Tokens, words: range) -> tuple[int, int]:
    """Where the clauses begin and end in which these words stand."""
    bounds = list(_bounds(tokens, words))
    first = max(n for n in bounds if n <= words[0])
    last = min(n for n in bounds if n > words[-1])
    while first < words[0] and tokens.lower[first] in LINKS | {"that"}:
        first += 1
    while last - 1 > words[-1] and (
        tokens.lower[last - 1] in LINKS | _OPENERS | {"that"} or "[" in tokens.gap(last - 1)
    ):
        last -= 1  # a joining word, or the number of a citation
    return first, last


def _bounds(tokens: Tokens, words: range) -> Iterator[int]:
    """Where clauses begin, for words in brackets only within these: a bracket round others is of the clause."""
    depths = _depths(tokens.text)
    depth = min(depths[tokens.starts[n]] for n in words)
    hard = {tokens.between(start, end)[0] for start, end in split(tokens.text) if tokens.between(start, end)}
    cuts = [n for n in range(1, len(tokens)) if n in hard or tokens.lower[n] in _OPENERS or _links(tokens, n)]
    for n in range(1, len(tokens)):
        between = range(tokens.ends[n - 1], tokens.starts[n])
        if any(depths[place] < depth for place in between) or " - " in tokens.text[between.start : between.stop]:
            hard.add(n)
        if n in hard or any(tokens.text[place] in _MARKS and depths[place] <= depth for place in between):
            cuts.append(n)
    pieces = list(pairwise(sorted({0, *cuts, len(tokens)})))
    alone = [_stands_alone(tokens, *piece) for piece in pieces]
    yield 0
    for n, (cut, _) in enumerate(pieces[1:], 1):
        if cut in hard or (alone[n - 1] and alone[n]):
            yield cut
    yield len(tokens)


def _depths(text: str) -> list[int]:
    """How many brackets are open at each character; a bracket without a partner opens none."""
    result, opened = [0] * (len(text) + 1), list[int]()
    for place, mark in enumerate(text):
        if mark in "([":
            opened.append(place)
        elif opened and mark == _PAIRS[text[opened[-1]]]:
            for inside in range(opened.pop() + 1, place):
                result[inside] += 1
    return result


def _links(tokens: Tokens, place: int) -> bool:
    """Whether a joining word stands before a subject."""
    return tokens.lower[place] in LINKS and not _SUBJECTS.isdisjoint(tokens.lower[place + 1 : place + 2])


def _stands_alone(tokens: Tokens, first: int, last: int) -> bool:
    """Whether words between two marks are no piece of a list nor what is said of the words before them."""
    word, after = tokens.lower[first], first + 1
    if word in _BETWEEN | _RELATIVE | _SUBORDINATORS:
        return True
    if word in LINKS - _OPENERS and not _links(tokens, first):
        return after < last and (_acts(tokens, after, ing=False) or tokens.lower[after] in _AUXILIARIES | _PREPOSITIONS)
    verb = next((n for n in range(first, last) if _finite(tokens, n) or _acts(tokens, n, ing=n == first)), -1)
    said_of = word in _AUXILIARIES or (verb > first and tokens.lower[verb - 1] in LINKS)  # "Brazil and is"
    return verb >= 0 and not said_of


def _begins(tokens: Tokens, place: int, last: int) -> bool:
    """Whether nothing before a word belongs to the phrase that runs from it to the end of its clause."""
    if tokens.gap(place) != " ":
        return False
    word, before, rest = tokens.lower[place], tokens.lower[place - 1], range(place + 1, last)
    acts = any(_may_act(tokens, n) for n in rest)
    if word in _ARTICLES and before not in _AUXILIARIES | LINKS:
        return tokens.content[place - 1] and not acts
    if word in _PREPOSITIONS and before not in _AUXILIARIES:
        return not (acts or _may_act(tokens, place - 1) or any(tokens.lower[n] in _BETWEEN for n in rest))
    if before in LINKS and acts:
        return False  # "Ann and Ben left"
    return before in _AUXILIARIES | _RELATIVE | LINKS and word not in _AUXILIARIES and word != "not"


def _finite(tokens: Tokens, place: int) -> bool:
    return tokens.lower[place] in _FINITE or tokens.lower[place].endswith("n't")


def _may_act(tokens: Tokens, place: int) -> bool:
    """Whether a word may be a verb."""
    lower = tokens.lower[place]
    acts = tokens.known[place].part == VERB or lower.endswith("ed") or lower in irregular_pasts()
    return acts and tokens.content[place] and not tokens.names[place]


def _acts(tokens: Tokens, place: int, *, ing: bool = True) -> bool:
    """Whether a word is surely a verb: no form of a noun as well, and no participle before one ("a curved line")."""
    word, lower = tokens.known[place], tokens.lower[place]
    before = tokens.lower[place - 1] if place else ""
    if not _may_act(tokens, place) or before in _ARTICLES or (place and tokens.known[place - 1].part == ADJECTIVE):
        return False
    if lower.endswith("ing"):
        return ing
    past = lower.endswith("ed") or lower in irregular_pasts()
    return past or all(wordnet().pos[sense] != NOUN for sense in word.senses)


def acts(tokens: Tokens, words: range) -> bool:
    """Whether one of these words may be a verb."""
    return any(_may_act(tokens, n) or _finite(tokens, n) for n in words)


def states(tokens: Tokens, words: range) -> bool:
    """Whether these words are of a phrase with a verb, and not of what somebody is to do."""
    before, there = tokens.lower[words[0] - 1] if words[0] else "", whole(tokens, words)
    aims = before == "to" or (tokens.lower[words[-1]].endswith("ing") and before not in _AUXILIARIES | {"not"})
    return not aims and (acts(tokens, there) or (there[0] > 0 and tokens.lower[there[0] - 1] in _AUXILIARIES))


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
