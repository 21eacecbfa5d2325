"""Combines a question and a short answer into one claim: the answered part of the question without its question words.

claims_of(Pair("Who runs it? Ann Lee.", evidence, question_length=12))  # ["    runs it  Ann Lee."]

What is left out is blanked, so that every offset stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from citewell.protocols import Pair
from citewell.text.stopwords import stopwords
from citewell.text.words import terms, words

_ASKING = re.compile(
    r"\b(?:how (?:many|much|long|often|far|old|big|large|high)|what (?:is|are|was|were|did|does|do)|what|when|where|"
    r"why|which|whose|whom|who|how|please|tell me|give me|name|list|did|does|do)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?:[,;?]|\band\b|\bor\b)+\s*(?:and\s+|or\s+)?"
    r"(?=(?:(?:until|since|from|by|in|on|at|for|to) )?"
    r"(?:what|when|where|why|which|who|whose|whom|how|is|are|was|were|did|does)\b)",
    re.IGNORECASE,
)


def claims_of(pair: Pair) -> list[str]:
    """The claims that a pair may make whose first `question_length` characters are a question, all as long as its own.

    Of several questions in one that counts which shares most words with the answer; where it shares none, the answer
    may be to each. An answer that says half of a question's words again stands by itself.
    """
    question, answer = pair.claim[: pair.question_length], pair.claim[pair.question_length :]
    parts, of_answer = _parts(question), _content(answer)
    content_words = [_content(question[a:b]) for a, b in parts]
    best = max((len(part_words & of_answer) for part_words in content_words), default=0)
    kept = [part for part, part_words in zip(parts, content_words, strict=True) if len(part_words & of_answer) == best]
    if best and any(2 * best >= len(part_words) for part_words in content_words if len(part_words & of_answer) == best):
        kept = []
    each = [kept] if best or not kept else [[part] for part in kept]
    return [_blanked(question, spans) + answer for spans in each]


def _parts(question: str) -> list[tuple[int, int]]:
    """Where the questions in one stand; one without words of its own ("and where?") belongs to the one before."""
    bounds = [0, *(part.end() for part in _PARTS.finditer(question)), len(question)]
    result: list[tuple[int, int]] = []
    for a, b in pairwise(bounds):
        if result and not _content(_ASKING.sub(" ", question[a:b])):
            result[-1] = (result[-1][0], b)
        elif a < b:
            result.append((a, b))
    return result


def _blanked(question: str, kept: Sequence[tuple[int, int]]) -> str:
    """The question with all but some parts, and the asking words of those, blanked."""
    result = [" "] * len(question)
    for a, b in kept:
        result[a:b] = _ASKING.sub(lambda match: " " * len(match.group()), question[a:b]).replace("?", " ")
    return "".join(result)


def _content(text: str) -> set[str]:
    """The terms of a text, function words apart."""
    spellings: Sequence[str] = words(text).spellings
    known = stopwords()["en"]
    return set(terms([word for word in spellings if word.lower() not in known], "en"))
