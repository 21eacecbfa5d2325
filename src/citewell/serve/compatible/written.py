"""The text of a reply as it arrives, statement by statement, and the positions of its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from citewell.export.view import abstention_sentences, cell_words, computed_sentence, one_line
from citewell.serve.faults import Fault
from citewell.text import safe
from citewell.types import Answer, Citation, Partial
from citewell.types.marks import Unmarked, between

Link = Callable[[Citation], str]  # where a citation can be seen


class Note(NamedTuple):
    """Evidence for a part of the text; offsets are code points, 0-based and end-exclusive."""

    start: int
    end: int
    citation: Citation


class Piece(NamedTuple):
    """A part of the text with its evidence, which continues the previous part."""

    text: str
    notes: tuple[Note, ...] = ()


class Known(NamedTuple):
    """What a worker reports before the answer."""

    documents: Sequence[str] = ()  # the ids of the request's documents, in order
    unkept: Sequence[str] = ()  # those of them that are not kept
    # What the documents that are read are called, by id; those of the library where the request brings none
    titles: Mapping[str, str] = MappingProxyType({})

    @classmethod
    def of(cls, details: Mapping[str, Any]) -> Known:
        """From its JSON form."""
        return cls(details["documents"], details["unkept"], details.get("titles", {}))

    def link(self, page: str, citation: Citation) -> str:
        """The link to a citation on our page; a citewell: URI if its document is not stored."""
        if citation.document_id in self.unkept:
            return f"citewell:{citation.document_id}"
        place = {"document": citation.document_id, "start": citation.start, "end": citation.end}
        return f"{page}{urlencode(place)}"


class Text:
    """The text so far. What was sent is never changed.

    Only a statement that is supported has notes. Behind any other claim stands its label with the reason.

    Args:
        marks: write `[n](link)` behind each statement.
    """

    def __init__(self, *, marks: bool = False) -> None:
        self.answered = self.written = ""  # what the answer says, and how that is written here
        self.notes: list[Note] = []
        self._marks, self._cells = marks, False

    def partial(self, part: Partial, link: Link) -> Piece:
        """Append a statement and the text before it."""
        self.answered += part.before + part.statement.text
        before = between(part.before)
        start = len(self.written) + len(before)
        words, spans, cells = _worded(part)
        self._cells |= cells
        notes = tuple(Note(start + first, start + end, citation) for first, end, citation in spans)
        marks = ""
        if self._marks:
            first = len(self.notes) + 1
            marks = "".join(f" [{number}]({link(note.citation)})" for number, note in enumerate(notes, first))
        marks += f" {part.statement.mark}" if part.statement.mark else ""
        piece = Piece(before + words + marks, notes)
        self.written += piece.text
        self.notes += notes
        return piece

    def rest(self, answer: Answer, link: Link) -> Iterator[Piece]:
        """The rest of the final answer, followed by values computed from cells.

        Raises Fault: what was said before is not how it begins.
        """
        whole = spoken(answer)
        if not whole.startswith(self.answered):
            raise Fault(502, "RevisedError", "the reply read differently when it was whole: ask without stream")
        for part in Partial.each(answer) if not answer.abstained else ():
            if part.statement.end > len(self.answered):
                yield self.partial(part, link)
        left = between(whole[len(self.answered) :]) + (f"\n\n{answer.notice}" if answer.notice else "")
        if self._cells and answer.value and (computed := computed_sentence(answer.value)):
            left += f"\n\n{computed}"
        if left:
            self.answered = whole
            self.written += left
            yield Piece(left)


def _worded(partial: Partial) -> tuple[str, list[tuple[int, int, Citation]], bool]:
    """A statement as written, its evidence with offsets, and whether it is a table row in words."""
    statement = partial.statement
    quoted = statement.label == "quoted"
    supporting = partial.citations if statement.supporting else ()
    cells = [citation for citation in supporting if citation.cell] if quoted else []
    if not cells:
        begin, unmarked = statement.start, Unmarked("" if quoted else statement.text)
        text = statement.text if quoted else unmarked.text
        return (
            text,
            [(unmarked.at(c.answer_start - begin), unmarked.at(c.answer_end - begin), c) for c in supporting],
            False,
        )
    words, figures = "", list[tuple[int, int, Citation]]()
    for cell in cells:
        label, figure, scale = cell_words(cell)
        words += ("; " if words else "") + label
        figures.append((len(words), len(words) + len(figure), cell))
        words += figure + scale
    return words, [(0, len(words), citation) for citation in supporting if not citation.cell] + figures, True


def read(result: bytes) -> tuple[Answer, dict[str, Any], Known]:
    """The worker's final result: the answer, its JSON form, and the names of the documents."""
    details = safe.loads(result.decode())
    return Answer.from_dict(details["answer"]), details["answer"], Known.of(details)


def spoken(answer: Answer) -> str:
    """The answer, or the reason for the abstention."""
    if answer.abstention is None:
        return answer.text
    return answer.text or " ".join(abstention_sentences(answer.abstention))


def title(answer: Answer, citation: Citation) -> str:
    """The title of a citation's document, with the page."""
    info = next((info for info in answer.documents if info.id == citation.document_id), None)
    name = one_line((info and (info.title or info.source)) or citation.document_id)
    return f"{name}, page {citation.page}" if citation.page is not None else name


def tokens(answer: Answer) -> tuple[int, int, int]:
    """Tokens of language models: read, written, and the part of those written that is reasoning.

    They are those of the reply, and of the requests of judges and attributors.
    """
    kinds = ("input", "output", "reasoning")
    figures = [(answer.usage.get(f"{kind}_tokens"), answer.usage.get(f"llm {kind} tokens")) for kind in kinds]
    read, wrote, thought = (int(reply or 0) + int(others or 0) for reply, others in figures)
    return read, wrote, thought
