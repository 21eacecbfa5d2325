"""Answers over texts in which marks ("[2]", "[1, 3]", "[^4]") were blanked so that they are not read as words."""

from __future__ import annotations

from dataclasses import replace

from citewell.types import Answer
from citewell.types.marks import blanked as without_marks

__all__ = ["with_marks", "without_marks"]


def with_marks(answer: Answer, text: str) -> Answer:
    """The answer over the text as it was given, where marks were blanked in it."""
    if answer.text == text:
        return answer
    statements = tuple(
        replace(statement, text=text[statement.start : statement.end]) for statement in answer.statements
    )
    whole = replace(answer, text=text, statements=statements)
    return whole.with_usage(digest=whole.digest) if "digest" in whole.usage else whole
