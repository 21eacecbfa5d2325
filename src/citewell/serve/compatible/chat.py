"""Chat completions: the reply as a whole and in chunks, with its evidence in `annotations`."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from typing import Any

from citewell.serve.compatible import errors
from citewell.serve.compatible.questions import Question
from citewell.serve.compatible.writing import Writing
from citewell.serve.compatible.written import Note, Piece, title, tokens
from citewell.serve.faults import Fault
from citewell.serve.replies import event
from citewell.types import Answer


class Writer(Writing):
    """Writes one reply; at the end of a stream all evidence in one chunk: clients merge chunks that each have some.

    Args:
        usage: whether a stream ends with figures.
    """

    def __init__(self, question: Question, page: str, *, usage: bool = False) -> None:
        super().__init__(question, page)
        self._usage = usage
        self._head = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": question.model}

    def whole(self, result: bytes) -> dict[str, Any]:
        """The reply as one object."""
        answer, details, _ = self._written(result)
        refusal = self._text.written if answer.abstained else None
        content = {"role": "assistant", "content": self._text.written, "refusal": refusal}
        message = {**content, "annotations": self._annotations(answer)}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(answer)}
        return {
            **self._head,
            "object": "chat.completion",
            "choices": [choice],
            "usage": usage(answer),
            "citewell": details,
        }

    def begin(self) -> Iterable[bytes]:
        """The first chunk, with the role."""
        yield self._chunk({"role": "assistant", "content": ""})

    def _end(self, answer: Answer, details: dict[str, Any]) -> Iterator[bytes]:
        last: dict[str, Any] = {"annotations": self._annotations(answer)} if self._text.notes else {}
        if answer.abstained:
            last["refusal"] = self._text.written
        if last:
            yield self._chunk(last)
        yield self._chunk({}, _finish(answer), citewell=details)
        if self._usage:
            yield self._chunk(None, usage=usage(answer))
        yield event(None, b"[DONE]")

    def _failed(self, fault: Fault) -> Iterator[bytes]:
        yield event(None, errors.openai(fault))

    def _pieces(self, pieces: Iterable[Piece]) -> Iterator[bytes]:
        for piece in pieces:
            yield self._chunk({"content": piece.text})

    def _chunk(self, delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> bytes:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
        return event(None, {**self._head, "object": "chat.completion.chunk", "choices": choices, **more})

    def _annotations(self, answer: Answer) -> list[dict[str, Any]]:
        return [
            {"type": "url_citation", "url_citation": url_citation(note, answer, self._link(note.citation))}
            for note in self._text.notes
        ]


def url_citation(note: Note, answer: Answer, link: str) -> dict[str, Any]:
    """A citation in the format of both OpenAI endpoints."""
    named = {"title": title(answer, note.citation), "url": link}
    return {"start_index": note.start, "end_index": note.end, **named}


def usage(answer: Answer) -> dict[str, int]:
    """Token counts of the language model, zero without one."""
    taken, wrote, _ = tokens(answer)
    return {"prompt_tokens": taken, "completion_tokens": wrote, "total_tokens": taken + wrote}


def _finish(answer: Answer) -> str:
    return "length" if answer.usage.get("finish") == "length" else "stop"
