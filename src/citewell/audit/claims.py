"""The content of a response in another system's format: its text and its citations as stated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

CitationJson = Mapping[str, Any]  # a citation as it stands in the JSON of a response

# What reading or writing JSON of the wrong types raises.
DAMAGED = (
    KeyError,
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    StopIteration,
)


class Claim(NamedTuple):
    """A citation as a response states it."""

    answer_start: int  # where the cited part of the answer begins, in code points
    answer_end: int  # where it ends
    # The name or the position (from 0) of the document that it names, if it names one
    document: str | int | None = None
    quotes: tuple[str, ...] = ()  # the words that it says stand there; any of them will do
    start: int | None = None  # the offset in the document that it gives, if it gives one
    pages: tuple[int, int] | None = None  # first and last page, both included, if it gives them
    problem: str | None = None  # what is wrong with it already by itself
    # The web address that it gives, which only a document of this address, file name or title can be
    address: str | None = None
    # The response gives it for the whole answer, not for this statement: it counts for recall alone
    shared: bool = False
    payload: CitationJson | None = None  # its JSON, from which the fixed version is written in its own kind of place


class Response(NamedTuple):
    """What a response says: format, text, citations, whether it refuses, what was left out; and its JSON."""

    form: str
    text: str
    claims: tuple[Claim, ...] = ()
    refused: bool = False
    warnings: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
