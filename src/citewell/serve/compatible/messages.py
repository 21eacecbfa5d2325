"""Messages: the reply as text blocks with citations, as a whole and as named events."""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from citewell.serve.compatible import errors
from citewell.serve.compatible.parts import Source
from citewell.serve.compatible.questions import Question
from citewell.serve.compatible.writing import Writing
from citewell.serve.compatible.written import Piece, tokens
from citewell.serve.faults import Fault
from citewell.serve.replies import event
from citewell.types import Answer, Citation

_BETWEEN = 2  # characters between blocks in the text of a document that is made of them


class Writer(Writing):
    """Writes one reply, each statement as a block of its own.

    Args:
        request: the request's id, which an error names.
    """

    def __init__(self, question: Question, page: str, request: str | None = None) -> None:
        super().__init__(question, page)
        self._request = request
        self._id = f"msg_{secrets.token_hex(12)}"
        self._blocks = 0

    def whole(self, result: bytes) -> dict[str, Any]:
        """The reply as one object."""
        answer, details, pieces = self._written(result)
        content = [
            {"type": "text", "text": piece.text, "citations": self._citations(piece) or None} for piece in pieces
        ]
        return {**self._message(content, _stop(answer)), "usage": _usage(answer), "citewell": details}

    def begin(self) -> Iterable[bytes]:
        """The message without content."""
        start = {**self._message([], None), "usage": {"input_tokens": 0, "output_tokens": 0}}
        yield _event("message_start", message=start)

    def _failed(self, fault: Fault) -> Iterator[bytes]:
        yield event("error", errors.anthropic(fault, self._request))

    def _end(self, answer: Answer, details: dict[str, Any]) -> Iterator[bytes]:
        delta = {"stop_reason": _stop(answer), "stop_sequence": None}
        yield _event("message_delta", delta=delta, usage=_usage(answer), citewell=details)
        yield _event("message_stop")

    def _pieces(self, pieces: Iterable[Piece]) -> Iterator[bytes]:
        for piece in pieces:
            yield from self._block(piece)

    def _block(self, piece: Piece) -> Iterator[bytes]:
        number, self._blocks = self._blocks, self._blocks + 1
        citations = self._citations(piece)
        empty: dict[str, Any] = {"type": "text", "text": "", "citations": [] if citations else None}
        yield _event("content_block_start", index=number, content_block=empty)
        yield _event("content_block_delta", index=number, delta={"type": "text_delta", "text": piece.text})
        for citation in citations:
            yield _event("content_block_delta", index=number, delta={"type": "citations_delta", "citation": citation})
        yield _event("content_block_stop", index=number)

    def _message(self, content: list[dict[str, Any]], stop: str | None) -> dict[str, Any]:
        head = {"id": self._id, "type": "message", "role": "assistant", "model": self._question.model}
        return {**head, "content": content, "stop_reason": stop, "stop_sequence": None}

    def _citations(self, piece: Piece) -> list[dict[str, Any]]:
        """The citations of a piece, except of documents that the request did not include."""
        places = [place for note in piece.notes if (place := self._place(note.citation)) is not None]
        return list({tuple(sorted(place.items(), key=str)): place for place in places}.values())

    def _place(self, cited: Citation) -> dict[str, Any] | None:
        if not self._question.cited:
            return None
        number = next((n for n, name in enumerate(self._known.documents) if name == cited.document_id), None)
        if number is None:
            return self._elsewhere(cited)
        source = self._question.sources[number]
        results = [other for other in self._question.sources[:number] if other.place is not None]
        if source.place is not None:
            named = {"search_result_index": len(results), "source": source.place, "title": source.title}
            return {"type": "search_result_location", **_blocks(source, cited), **named}
        title = source.title or (self._known.titles.get(cited.document_id) if source.kind == "id" else None)
        named = self._named(cited, number - len(results), title, source.kind)
        if source.kind == "blocks":
            return {"type": "content_block_location", **_blocks(source, cited), **named}
        return _located(cited, named)

    def _elsewhere(self, cited: Citation) -> dict[str, Any]:
        """A citation of a library document, numbered after the documents of the request."""
        titles = self._known.titles
        place = [*titles].index(cited.document_id) if cited.document_id in titles else 0
        index = len(self._known.documents) + place
        return _located(cited, self._named(cited, index, titles.get(cited.document_id), "id"))

    def _named(self, cited: Citation, index: int, title: str | None, kind: str) -> dict[str, Any]:
        file = cited.document_id if kind == "id" else None
        return {"document_index": index, "document_title": title, "file_id": file}


def _located(cited: Citation, named: dict[str, Any]) -> dict[str, Any]:
    """A location by page if there are pages. Pages count from 1; the end page is exclusive."""
    location = {"cited_text": cited.quote, **named}
    if cited.page is None:
        return {"type": "char_location", **location, "start_char_index": cited.start, "end_char_index": cited.end}
    last = max((rect.page for rect in cited.rects), default=cited.page)
    return {"type": "page_location", **location, "start_page_number": cited.page, "end_page_number": last + 1}


def _blocks(source: Source, cited: Citation) -> dict[str, Any]:
    """A location by content blocks, which are cited whole."""
    starts = [0]
    for text in source.texts[:-1]:
        starts.append(starts[-1] + len(text) + _BETWEEN)
    first = bisect_right(starts, cited.start) - 1
    end = max(first + 1, bisect_right(starts, cited.end - 1))
    quoted = "".join(source.texts[first:end])
    return {"cited_text": quoted, "start_block_index": first, "end_block_index": end}


def _event(kind: str, **more: Any) -> bytes:
    return event(kind, {"type": kind, **more})


def _stop(answer: Answer) -> str:
    return "max_tokens" if answer.usage.get("finish") == "length" else "end_turn"


def _usage(answer: Answer) -> dict[str, int]:
    taken, wrote, _ = tokens(answer)
    return {"input_tokens": taken, "output_tokens": wrote}
