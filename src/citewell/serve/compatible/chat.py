"""Chat completions: the reply as a whole and in chunks, its evidence in `annotations`."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from citewell.serve.compatible import errors
from citewell.serve.compatible.asked import Asked
from citewell.serve.compatible.written import Known, Note, Piece, Text, read, title, tokens
from citewell.serve.faults import Fault
from citewell.serve.replies import event
from citewell.types import Answer, Partial


class Writer:
    """Writes one reply.

    Args:
        asked: what is asked.
        base: the address of our page.
        usage: whether a stream ends with figures.
    """

    def __init__(self, asked: Asked, base: str, *, usage: bool = False) -> None:
        self._asked, self._base, self._usage = asked, base, usage
        self._text = Text(marks=asked.extension.marks)
        self._known = Known((), ())
        self._head = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": asked.model}

    def whole(self, result: bytes) -> dict[str, Any]:
        """The reply as one object."""
        answer, told, known = read(result)
        list(self._text.rest(answer, partial(known.link, self._base)))
        refusal = self._text.written if answer.abstained else None
        said = {"role": "assistant", "content": self._text.written, "refusal": refusal}
        message = {**said, "annotations": self._annotations(answer, known)}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(answer)}
        return {
            **self._head,
            "object": "chat.completion",
            "choices": [choice],
            "usage": usage(answer),
            "citewell": told,
        }

    def begin(self) -> Iterable[bytes]:
        """The role."""
        yield self._chunk({"role": "assistant", "content": ""})

    def write(self, kind: str, value: Any) -> Iterable[bytes]:
        """A statement as a chunk, and at the end all evidence in one: clients merge chunks that each have some."""
        if kind == "known":
            self._known = Known.of(value)
        elif kind == "statement":
            link = partial(self._known.link, self._base)
            yield from self._pieces([self._text.partial(Partial.from_dict(value), link)])
        elif isinstance(value, Fault):
            yield event(None, errors.openai(value))
        else:
            yield from self._end(value)

    def _end(self, result: bytes) -> Iterator[bytes]:
        answer, told, known = read(result)
        yield from self._pieces(self._text.rest(answer, partial(known.link, self._base)))
        last: dict[str, Any] = {"annotations": self._annotations(answer, known)} if self._text.notes else {}
        if answer.abstained:
            last["refusal"] = self._text.written
        if last:
            yield self._chunk(last)
        yield self._chunk({}, _finish(answer), citewell=told)
        if self._usage:
            yield self._chunk(None, usage=usage(answer))
        yield event(None, b"[DONE]")

    def _pieces(self, pieces: Iterable[Piece]) -> Iterator[bytes]:
        for piece in pieces:
            yield self._chunk({"content": piece.text})

    def _chunk(self, delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> bytes:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
        return event(None, {**self._head, "object": "chat.completion.chunk", "choices": choices, **more})

    def _annotations(self, answer: Answer, known: Known) -> list[dict[str, Any]]:
        return [
            {"type": "url_citation", "url_citation": url_citation(note, answer, known.link(self._base, note.citation))}
            for note in self._text.notes
        ]


def url_citation(note: Note, answer: Answer, link: str) -> dict[str, Any]:
    """Evidence as both of OpenAI's endpoints name it."""
    named = {"title": title(answer, note.citation), "url": link}
    return {"start_index": note.start, "end_index": note.end, **named}


def usage(answer: Answer) -> dict[str, int]:
    """Figures of a language model; none where none was asked."""
    taken, wrote, _ = tokens(answer)
    return {"prompt_tokens": taken, "completion_tokens": wrote, "total_tokens": taken + wrote}


def _finish(answer: Answer) -> str:
    return "length" if answer.usage.get("finish") == "length" else "stop"
