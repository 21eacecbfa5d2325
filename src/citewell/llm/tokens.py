"""Counts the tokens of a text, with the model's tokenizer if the client knows it, otherwise by an estimate."""

from __future__ import annotations

from typing import Any

from citewell.protocols import LLM
from citewell.text.tokens import estimate


def count(llm: LLM | Any, text: str) -> tuple[int, bool]:
    """The number of tokens, and whether it is the model's own count (otherwise an estimate)."""
    counter = getattr(llm, "count_tokens", None)
    return (int(counter(text)), True) if counter else (estimate(text), False)
