"""Shared by the writers of replies: the growing text, links to evidence, and when to send what."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from citewell.serve.compatible.questions import Question
from citewell.serve.compatible.written import Known, Piece, Text, read
from citewell.serve.faults import Fault
from citewell.types import Answer, Citation, Partial


class Writing(ABC):
    """Writes one reply.

    Args:
        question: what is asked.
        page: the address of our page, up to what it is to show.
    """

    def __init__(self, question: Question, page: str) -> None:
        self._question, self._page = question, page
        self._text = Text(marks=question.extension.marks)
        self._known = Known()

    def write(self, kind: str, value: Any) -> Iterable[bytes]:
        """The bytes for a statement, the final answer or an error."""
        if kind == "known":
            self._known = Known.of(value)
        elif kind == "statement":
            yield from self._pieces([self._text.partial(Partial.from_dict(value), self._link)])
        elif isinstance(value, Fault):
            yield from self._failed(value)
        else:
            answer, details = self._read(value)
            yield from self._pieces(self._text.rest(answer, self._link))
            yield from self._end(answer, details)

    def _read(self, result: bytes) -> tuple[Answer, dict[str, Any]]:
        """Parse the final result: the answer and its JSON form."""
        answer, details, self._known = read(result)
        return answer, details

    def _written(self, result: bytes) -> tuple[Answer, dict[str, Any], list[Piece]]:
        """The answer, its JSON form, and its text."""
        answer, details = self._read(result)
        return answer, details, list(self._text.rest(answer, self._link))

    def _link(self, citation: Citation) -> str:
        return self._known.link(self._page, citation)

    @abstractmethod
    def _pieces(self, pieces: Iterable[Piece]) -> Iterator[bytes]:
        """Write more text."""

    @abstractmethod
    def _end(self, answer: Answer, details: dict[str, Any]) -> Iterator[bytes]:
        """Write what follows the text."""

    @abstractmethod
    def _failed(self, fault: Fault) -> Iterator[bytes]:
        """Write an error."""
