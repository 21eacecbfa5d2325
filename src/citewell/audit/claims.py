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
    """A citation as a response states it.

    Attributes:
        answer_start: where the cited part of the answer begins, in code points.
        answer_end: where it ends.
        document: the name or the position (from 0) of the document that it names, if it names one.
        address: the web address that it gives, which only a document of this address, file name or title can be.
        quotes: the words that it says stand there; any of them will do.
        start: the offset in the document that it gives, if it gives one.
        pages: first and last page, both included, if it gives them.
        problem: what is wrong with it already by itself.
        shared: the response gives it for the whole answer, not for this statement: it counts for recall alone.
        payload: its JSON, from which the fixed version is written in its own kind of place.
    """

    answer_start: int
    answer_end: int
    document: str | int | None = None
    quotes: tuple[str, ...] = ()
    start: int | None = None
    pages: tuple[int, int] | None = None
    problem: str | None = None
    address: str | None = None
    shared: bool = False
    payload: CitationJson | None = None


class Response(NamedTuple):
    """What a response says: format, text, citations, whether it refuses, what was left out; and its JSON."""

    form: str
    text: str
    claims: tuple[Claim, ...] = ()
    refused: bool = False
    warnings: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
