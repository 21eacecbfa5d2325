"""Yes or no: whether sentences state what a question asks about, or the opposite.

The question is read as a claim; the odds are those of the lexical checker (`facts/data/checker.json`), and the
probabilities from which they count are its labels' own. A sentence that lacks a word of the question says neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from citewell.facts.features import ClaimAlignment

_OPENS = re.compile(r"^\W*(\w+)(n['’]t)?\s+", re.IGNORECASE)
_WHO = re.compile(r"\b(?:they|them|he|him|she)\b", re.IGNORECASE)  # of whom nobody spoke
_FEW = 2  # words of content that tell too little of somebody unnamed
_DO = frozenset(("do", "does", "did"))
_NOMINAL = frozenset(
    ("article", "possessive", "adjective", "noun", "name", "number", "ing", "'s", "of", "month", "other")
)


class Polarity(NamedTuple):
    """Whether it holds, the sentence that says so most, and how surely."""

    holds: bool
    sentence: int
    score: float


def polarity(question: str, sentences: Sequence[str]) -> Polarity | None:
    """What the sentences say, None where they do not say it. An alternative ("a or b") is no yes or no."""
    if not sentences or re.search(r"\bor\b", question):
        return None
    from citewell.facts.features import look, vector  # for questions of yes or no alone
    from citewell.facts.model import shipped
    from citewell.facts.tokens import tokens

    statement = claim(question)
    alignments = [look(statement, [tokens(sentence)]) for sentence in sentences]
    rows, model = np.array(list(map(vector, alignments))), shipped()
    support, against = model.support.probability(rows), model.against.probability(rows)
    yes, no = int(np.argmax(support)), int(np.argmax(against))
    sure = support[yes] >= model.supported and support[yes] > against[yes] and _whole(alignments[yes])
    few = _WHO.search(question) and sum(alignments[yes].claim.tokens.content) <= _FEW
    if sure and (few or any(map(_denies, alignments))):
        return None
    if sure:
        return Polarity(holds=True, sentence=yes, score=float(support[yes]))
    if against[no] >= model.contradicted and against[no] > support.max() and _whole(alignments[no]):
        return Polarity(holds=False, sentence=no, score=float(against[no]))
    return None


def _whole(alignment: ClaimAlignment) -> bool:
    """Whether the evidence has every content word of the claim."""
    return all(have for have, use in zip(alignment.covered, alignment.claim.tokens.content, strict=True) if use)


def _denies(alignment: ClaimAlignment) -> bool:
    """Whether a sentence on what a claim is about has a denial that the claim has not: "no filter did well".

    It has half of the claim's words, or the last one, of which the rest is said: "We have never paid dividends".
    """
    covered = [have for have, use in zip(alignment.covered, alignment.claim.tokens.content, strict=True) if use]
    negations = sum(len(premise.negations) for premise in alignment.premises)
    return negations > len(alignment.claim.negations) and (2 * sum(covered) >= len(covered) or any(covered[-1:]))


def claim(question: str) -> str:
    """A question as the claim that it asks about: "Did sales rise?" as "sales rise", "Is it safe?" as "it is safe"."""
    bare = question.strip().rstrip("?").strip()
    opened = _OPENS.match(bare)
    if not opened:
        return bare
    verb, rest = opened[1], bare[opened.end() :]
    if opened[2]:
        verb += opened[2]
    if verb.lower() in _DO:
        return rest
    from citewell.generators.extractive.phrases.words import CLASSES, words

    word_ids = words(rest)
    end = 0
    while end < len(word_ids.keys) and CLASSES[word_ids.classes[end]] in _NOMINAL:
        name = CLASSES[word_ids.classes[end]]
        if end and name == "article" and CLASSES[word_ids.classes[end - 1]] in ("noun", "name"):
            break
        end += 1
    if not end and word_ids.classes and CLASSES[word_ids.classes[0]] == "pronoun":
        end = 1
    if end == len(word_ids.keys) > 1:  # what is asked of it is left: "the mill safe"
        end -= 1
    if not end:
        return f"{verb} {rest}"
    at = word_ids.ends[end - 1]
    return f"{rest[:at]} {verb.lower()}{rest[at:]}"
