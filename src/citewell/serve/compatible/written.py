"""The text of a reply as it comes in, statement by statement, and where in it which evidence belongs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from citewell.export.view import abstention_sentences, one_line
from citewell.serve.faults import Fault
from citewell.text import safe
from citewell.types import Answer, Citation, Partial


class Note(NamedTuple):
    """Evidence for a part of the text: offsets are code points, from 0, without the end."""

    start: int
    end: int
    citation: Citation


class Piece(NamedTuple):
    """A part of the text that follows what came before, with its evidence."""

    text: str
    notes: tuple[Note, ...] = ()


class Known(NamedTuple):
    """What a worker tells before the answer: the ids of the request's documents, in order, and which are not kept."""

    documents: Sequence[str]
    unkept: Sequence[str]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Known:
        """From its JSON form."""
        return cls(told["documents"], told["unkept"])

    def link(self, base: str, citation: Citation) -> str:
        """Where a citation can be seen: on our page, or nowhere where its document is not kept."""
        if citation.document_id in self.unkept:
            return f"citewell:{citation.document_id}"
        return f"{base}#{urlencode({'document': citation.document_id, 'start': citation.start, 'end': citation.end})}"


class Text:
    """The text so far; what was said stands.

    Args:
        marks: write `[n](link)` behind each statement.
    """

    def __init__(self, *, marks: bool = False) -> None:
        self.said = self.written = ""  # what the answer says, and that with marks
        self.notes: list[Note] = []
        self._marks = marks

    def partial(self, said: Partial, link: Any) -> Piece:
        """A statement, with what stands before it."""
        self.said += said.before + said.statement.text
        start = len(self.written) + len(said.before)
        shift = start - said.statement.start
        notes = tuple(Note(c.answer_start + shift, c.answer_end + shift, c) for c in said.citations)
        marks = ""
        if self._marks:
            first = len(self.notes) + 1
            marks = "".join(f" [{number}]({link(note.citation)})" for number, note in enumerate(notes, first))
        piece = Piece(said.before + said.statement.text + marks, notes)
        self.written += piece.text
        self.notes += notes
        return piece

    def rest(self, answer: Answer, link: Any) -> Iterator[Piece]:
        """What an answer says beyond what was said before.

        Raises:
            Fault: what was said before is not how it begins.
        """
        whole = spoken(answer)
        if not whole.startswith(self.said):
            raise Fault(502, "RevisedError", "the reply read differently when it was whole: ask without stream")
        for said in Partial.each(answer) if not answer.abstained else ():
            if said.statement.end > len(self.said):
                yield self.partial(said, link)
        if left := whole[len(self.said) :]:
            self.said += left
            self.written += left
            yield Piece(left)


def read(result: bytes) -> tuple[Answer, dict[str, Any], Known]:
    """What a worker hands over at the end: the answer, its JSON form, and what it calls the documents."""
    told = safe.loads(result.decode())
    return Answer.from_dict(told["answer"]), told["answer"], Known.of(told)


def spoken(answer: Answer) -> str:
    """What is said: the answer, or why there is none."""
    if answer.abstention is None:
        return answer.text
    return answer.text or " ".join(abstention_sentences(answer.abstention))


def title(answer: Answer, citation: Citation) -> str:
    """What a citation's document is called, and the page."""
    info = next((info for info in answer.documents if info.id == citation.document_id), None)
    name = one_line((info and (info.title or info.source)) or citation.document_id)
    return f"{name}, page {citation.page}" if citation.page is not None else name


def tokens(answer: Answer) -> tuple[int, int, int]:
    """Tokens of a language model: those read, written, and those of what was written that only thought."""
    told = (answer.usage.get(name) or 0 for name in ("input_tokens", "output_tokens", "reasoning_tokens"))
    read, wrote, thought = (int(figure) for figure in told)
    return read, wrote, thought
