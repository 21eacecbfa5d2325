"""A question and a short answer as one claim: the part of the question that is answered, without its asking words.

claim_of(Pair("Who runs it, and where? Ann Lee.", evidence, question_length=24))   # "    runs it,            Ann Lee."

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
    r"(?:[,;?]|\band\b|\bor\b)+\s*(?:and\s+|or\s+)?(?=(?:what|when|where|why|which|who|whose|whom|how|is|are|was|were|did|does)\b)",
    re.IGNORECASE,
)


def claim_of(pair: Pair) -> str:
    """The claim of a pair whose first `question_length` characters are a question, of the same length.

    Of several questions in one that counts which shares most words with the answer, else all; an answer that says
    half of its words again stands by itself.
    """
    question, answer = pair.claim[: pair.question_length], pair.claim[pair.question_length :]
    bounds = [0, *(part.end() for part in _PARTS.finditer(question)), len(question)]
    parts = [(a, b) for a, b in pairwise(bounds) if a < b]
    of_answer = _content(answer)
    content_words = [_content(question[a:b]) for a, b in parts]
    best = max((len(part_words & of_answer) for part_words in content_words), default=0)
    kept = [part for part, part_words in zip(parts, content_words, strict=True) if len(part_words & of_answer) == best]
    if best and any(2 * best >= len(part_words) for part_words in content_words if len(part_words & of_answer) == best):
        kept = []
    blank = [" "] * len(question)
    for a, b in kept:
        part = _ASKING.sub(lambda match: " " * len(match.group()), question[a:b])
        blank[a:b] = part.replace("?", " ")
    return "".join(blank) + answer


def _content(text: str) -> set[str]:
    """The terms of a text, function words apart."""
    spellings: Sequence[str] = words(text).spellings
    known = stopwords()["en"]
    return set(terms([word for word in spellings if word.lower() not in known], "en"))
