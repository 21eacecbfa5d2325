"""Marks by which an answer cites ("[2]", "[1, 3]", "[^4]"): they say nothing themselves."""

from __future__ import annotations

import re
from dataclasses import replace

from citewell.types import Answer

_MARK = re.compile(r"\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\](?![\w(])|【[^【】\n]{1,60}】")
_RANGES = ("ci", "interval", "range", "between", "from", "of", "in", "=")  # "95% CI [2, 5]" is no mark


def without_marks(text: str) -> str:
    """The text with its marks blanked, every offset as it was; the text itself where nothing else is in it."""
    blank = _MARK.sub(lambda mark: mark.group() if _in_text(text, mark) else " " * len(mark.group()), text)
    return blank if blank.strip() else text


def _in_text(text: str, mark: re.Match[str]) -> bool:
    """Whether what looks like a mark is a part of the sentence: an interval."""
    before = text[max(0, mark.start() - 12) : mark.start()].lower().split()
    return "," in mark.group() and bool(before) and before[-1].strip(",:;(") in _RANGES


def with_marks(answer: Answer, text: str) -> Answer:
    """The answer over the text as it was given, where marks were blanked in it."""
    if answer.text == text:
        return answer
    statements = tuple(
        replace(statement, text=text[statement.start : statement.end]) for statement in answer.statements
    )
    whole = replace(answer, text=text, statements=statements)
    return whole.with_usage(digest=whole.digest) if "digest" in whole.usage else whole
