"""Responses: the reply as a whole and as numbered events, with its evidence in the text's annotations."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from typing import Any

from citewell.serve.compatible import errors
from citewell.serve.compatible.chat import url_citation
from citewell.serve.compatible.questions import Question
from citewell.serve.compatible.writing import Writing
from citewell.serve.compatible.written import Piece, tokens
from citewell.serve.faults import Fault
from citewell.serve.replies import event
from citewell.types import Answer


class Writer(Writing):
    """Writes one reply: a message whose text has annotations, and on an abstention a refusal too."""

    def __init__(self, question: Question, page: str) -> None:
        super().__init__(question, page)
        self._created = int(time.time())
        self._id, self._item = question.reply, f"msg_{secrets.token_hex(12)}"
        self._number = -1

    def whole(self, result: bytes) -> dict[str, Any]:
        """The reply as one object."""
        answer, details, _ = self._written(result)
        return self._completed(answer, details)

    def begin(self) -> Iterable[bytes]:
        """The events for the empty response, its message and its empty text."""
        empty = self._response("in_progress", [], None)
        yield self._event("response.created", response=empty)
        yield self._event("response.in_progress", response=empty)
        yield self._event("response.output_item.added", output_index=0, item=self._message("in_progress", []))
        yield self._part("response.content_part.added", 0, part=_part("", []))

    def _failed(self, fault: Fault) -> Iterator[bytes]:
        error = errors.openai(fault)
        # Some clients raise what stands under `error`, others look at the fields beside it.
        flat = {name: error["error"][name] for name in ("code", "message", "param")}
        yield self._event("error", **flat, **error)

    def _end(self, answer: Answer, details: dict[str, Any]) -> Iterator[bytes]:
        annotations = self._annotations(answer)
        for number, annotation in enumerate(annotations):
            place = {"annotation_index": number, "annotation": annotation}
            yield self._part("response.output_text.annotation.added", 0, **place)
        text = self._text.written
        yield self._part("response.output_text.done", 0, text=text, logprobs=[])
        parts = self._parts(answer, annotations)
        yield self._part("response.content_part.done", 0, part=parts[0])
        if answer.abstained:
            yield self._part("response.content_part.added", 1, part=_refusal(""))
            yield self._part("response.refusal.delta", 1, delta=text)
            yield self._part("response.refusal.done", 1, refusal=text)
            yield self._part("response.content_part.done", 1, part=parts[1])
        yield self._event("response.output_item.done", output_index=0, item=self._message("completed", parts))
        yield self._event("response.completed", response=self._completed(answer, details))

    def _pieces(self, pieces: Iterable[Piece]) -> Iterator[bytes]:
        for piece in pieces:
            yield self._part("response.output_text.delta", 0, delta=piece.text, logprobs=[])

    def _completed(self, answer: Answer, details: dict[str, Any]) -> dict[str, Any]:
        message = self._message("completed", self._parts(answer, self._annotations(answer)))
        return {**self._response("completed", [message], answer), "citewell": details}

    def _response(self, status: str, output: list[dict[str, Any]], answer: Answer | None) -> dict[str, Any]:
        return {
            "id": self._id,
            "object": "response",
            "created_at": self._created,
            "status": status,
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "model": self._question.model,
            "output": output,
            "parallel_tool_calls": False,
            "temperature": None,
            "tool_choice": "none",
            "tools": [],
            "top_p": None,
            "max_output_tokens": self._question.max_tokens,
            "previous_response_id": self._question.previous,
            "usage": answer and _usage(answer),
        }

    def _message(self, status: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": self._item, "type": "message", "role": "assistant", "status": status, "content": parts}

    def _parts(self, answer: Answer, annotations: list[dict[str, Any]]) -> list[dict[str, Any]]:
        refusal = [_refusal(self._text.written)] if answer.abstained else []
        return [_part(self._text.written, annotations), *refusal]

    def _annotations(self, answer: Answer) -> list[dict[str, Any]]:
        return [
            {"type": "url_citation", **url_citation(note, answer, self._link(note.citation))}
            for note in self._text.notes
        ]

    def _part(self, kind: str, number: int, **more: Any) -> bytes:
        return self._event(kind, item_id=self._item, output_index=0, content_index=number, **more)

    def _event(self, kind: str, **more: Any) -> bytes:
        self._number += 1
        return event(kind, {"type": kind, "sequence_number": self._number, **more})


def _part(text: str, annotations: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}


def _refusal(text: str) -> dict[str, Any]:
    return {"type": "refusal", "refusal": text}


def _usage(answer: Answer) -> dict[str, Any]:
    taken, wrote, thought = tokens(answer)
    return {
        "input_tokens": taken,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": wrote,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": taken + wrote,
    }
