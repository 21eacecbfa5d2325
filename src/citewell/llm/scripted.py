"""A language model that says what it was told to: for tests, examples and documentation. No network, no weights."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from citewell.errors import BackendError
from citewell.llm.tokens import estimate
from citewell.types import Completion, Request

Reply = str | Completion
Replies = str | Sequence[str | Mapping[str, Any] | Completion] | Callable[[Request], Reply]


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """Replies given in advance.

    Attributes:
        replies: a list of replies, given out in order; a function from the request to its reply; or the path of a
            file with one JSON value a line. A reply of the list or file is a text or an object `{"text": ..., "when":
            WORDS}`: one with `when` is given, as often as wanted, to every request that contains these words, and
            is looked for first.
        reply: one text that answers everything, instead of `replies`.
        name: what the replies give as their model.
    """

    replies: Replies | None = None
    reply: str | None = None
    name: str = "scripted"
    concurrency: ClassVar[int] = 1
    _state: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.replies is None) == (self.reply is None):
            raise ValueError("give either replies or reply")

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The next reply; with `on_text` it is handed over word by word.

        Token figures are estimates.

        Raises:
            BackendError: there is no reply left, or the file of replies cannot be read.
        """
        found = self._next(request)
        if isinstance(found, Completion):
            made = found
        else:
            asked = sum(estimate(message.content) for message in request.messages)
            made = Completion(found, self.name, input_tokens=asked, output_tokens=estimate(found))
        if on_text:
            for piece in pieces(made.text):
                on_text(piece)
        return made

    def _next(self, request: Request) -> Reply:
        if self.reply is not None:
            return self.reply
        if callable(self.replies):
            return self.replies(request)
        with self._lock:
            if not self._state:
                self._state.update(_sorted(self._listed()))
            text = "\n".join(message.content for message in request.messages)
            for words, reply in self._state["when"]:
                if words in text:
                    return reply  # type: ignore[no-any-return]
            if not self._state["queue"]:
                given = self._state["given"]
                raise BackendError(f"the scripted model has no reply left: {given} were given out; add one")
            self._state["given"] += 1
            return self._state["queue"].pop(0)  # type: ignore[no-any-return]

    def _listed(self) -> Sequence[Any]:
        if not isinstance(self.replies, str):
            return self.replies  # type: ignore[return-value]  # neither None nor callable here
        try:
            lines = Path(self.replies).expanduser().read_text(encoding="utf-8").splitlines()
            return [json.loads(line) for line in lines if line.strip()]
        except (OSError, ValueError) as error:
            raise BackendError(f"the replies in {self.replies!r} cannot be read: {error}") from error


def _sorted(replies: Sequence[Any]) -> dict[str, Any]:
    when, queue = [], []
    for reply in replies:
        if isinstance(reply, str | Completion):
            queue.append(reply)
        elif isinstance(reply, Mapping) and isinstance(reply.get("text"), str):
            if "when" in reply:
                when.append((str(reply["when"]), reply["text"]))
            else:
                queue.append(reply["text"])
        else:
            raise BackendError(f'a scripted reply is a text or {{"text": ..., "when": ...}}, not {reply!r:.80}')
    return {"when": when, "queue": queue, "given": 0}


def pieces(text: str) -> list[str]:
    """Words with the white space after them: what streams usually bring."""
    return re.findall(r"\S+\s*|\s+", text)
