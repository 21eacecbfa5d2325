"""Phrases around the claim of a statement without content of their own: "According to the report,", "Answer:".

without_openings("Yes, sales rose.")                  # "     sales rose."
speaks("I could not find an exact number.")           # True

`openings.json` has the patterns by language. Only what stands before the claim's own words, or after its last sentence,
is blanked, so that every offset stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from citewell.text.data import read_json

_CLOSED = r"[ \t]*[,:;!.–—-]+[\s\"“”'*_]*"  # what ends an opening that needs a mark behind it
_MOST = 6  # openings in a row: "Yes, according to the report, it appears that"
_LONGEST = 400  # characters of a statement in which an opening, or a whole statement that claims nothing, is sought


class _Patterns(NamedTuple):
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    whole: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    data = read_json(__package__, "openings.json")
    languages = [code for code, value in data.items() if isinstance(value, dict)]

    def every(*names: str, of: Sequence[str] = languages) -> str:
        parts = (part for name in names for code in of for part in data[code].get(name, ()))
        return "|".join(f"(?:{part})" for part in parts)

    marks = "|".join(f"(?:{part})" for part in data["mark"])
    joins = "|".join(f"(?<={word})" for word in data["joins"])
    edge = r"[\s\"“”'‘’*_]*"
    opening = (
        rf"{edge}(?:(?:{marks})|(?:{every('hedge')})(?:{joins})\s*|(?:{every('says')})\s+"
        rf"|(?:{every('source', 'hedge', 'says')})(?=[\s,:])(?:{_CLOSED}|\s+(?=it\b|we\b))"
        rf"|(?:{every('source', of=data['verb_second'])})\s+"
        rf"|(?:{every('answer', 'link')})(?!\w){_CLOSED})"
    )
    return _Patterns(
        re.compile(opening, re.IGNORECASE),
        re.compile(rf"(?<=[.!?])\s+(?:{every('close')})[.!?]*\s*\Z", re.IGNORECASE),
        re.compile(rf"{edge}(?:{every('speaks', 'declines')})", re.IGNORECASE),
    )


def without_openings(text: str) -> str:
    """The text with what opens and closes it blanked, every offset as it was; the text itself where nothing is left."""
    patterns, start, end = _patterns(), 0, len(text)
    head = text[:_LONGEST].replace("’", "'")
    for _ in range(_MOST):
        opened = patterns.opening.match(head, start)
        if opened is None or opened.end() == start:
            break
        start = opened.end()
    closed = patterns.closing.search(text, max(start, end - _LONGEST))
    if closed:
        end = closed.start()
    if not re.search(r"\w\W+\w", text[start:end]):
        return text
    return " " * start + text[start:end] + " " * (len(text) - end)


def speaks(text: str) -> bool:
    """Whether a whole statement greets, offers or says that its writer found nothing: it claims nothing."""
    if len(text) > _LONGEST:
        return False
    whole, plain = _patterns().whole, text.replace("’", "'")
    return any(whole.match(part.strip()) for part in (plain, without_openings(plain)))
