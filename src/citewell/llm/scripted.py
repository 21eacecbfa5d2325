"""A language model with scripted replies, for tests, examples and documentation. No network, no weights."""

from __future__ import annotations

import json
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from citewell.errors import BackendError
from citewell.protocols import Completion, Request
from citewell.text.tokens import estimate

Reply = str | Completion
Replies = str | Sequence[str | Mapping[str, Any] | Completion] | Callable[[Request], Reply]


@dataclass(kw_only=True, eq=False)
class Scripted:
    """Replies given in advance. A client and no value: it holds which are left.

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
    calls_tools: ClassVar[bool] = True
    _by_words: list[tuple[str, Reply]] = field(default_factory=list, init=False, repr=False)
    _in_order: deque[Reply] | None = field(default=None, init=False, repr=False)  # None until the first request
    _used: int = field(default=0, init=False, repr=False)
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if (self.replies is None) == (self.reply is None):
            raise ValueError("give either replies or reply")

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The next reply; with `on_text` it is handed over word by word.

        Token figures are estimates. Raises BackendError: there is no reply left, or the file of replies cannot be read.
        """
        reply = self._next(request)
        if isinstance(reply, str):
            prompt_tokens = sum(estimate(message.content) for message in request.messages)
            reply = Completion(reply, self.name, input_tokens=prompt_tokens, output_tokens=estimate(reply))
        if on_text:
            for piece in pieces(reply.text):
                on_text(piece)
        return reply

    def _next(self, request: Request) -> Reply:
        if self.reply is not None:
            return self.reply
        if callable(self.replies):
            return self.replies(request)
        with self._lock:
            if self._in_order is None:
                self._by_words, self._in_order = _sorted(self._listed())
            text = "\n".join(message.content for message in request.messages)
            for words, reply in self._by_words:
                if words in text:
                    return reply
            if not self._in_order:
                raise BackendError(f"the scripted model has no reply left: {self._used} were given out; add one")
            self._used += 1
            return self._in_order.popleft()

    def _listed(self) -> Sequence[Any]:
        if not isinstance(self.replies, str):
            return self.replies  # type: ignore[return-value]  # neither None nor callable here
        try:
            lines = Path(self.replies).expanduser().read_text(encoding="utf-8").splitlines()
            return [json.loads(line) for line in lines if line.strip()]
        except (OSError, ValueError) as error:
            raise BackendError(f"the replies in {self.replies!r} cannot be read: {error}") from error


def _sorted(replies: Sequence[Any]) -> tuple[list[tuple[str, Reply]], deque[Reply]]:
    """The replies to requests with certain words, and those that are given out in order."""
    by_words: list[tuple[str, Reply]] = []
    in_order: deque[Reply] = deque()
    for reply in replies:
        if isinstance(reply, str | Completion):
            in_order.append(reply)
        elif isinstance(reply, Mapping) and isinstance(reply.get("text"), str):
            if "when" in reply:
                by_words.append((str(reply["when"]), reply["text"]))
            else:
                in_order.append(reply["text"])
        else:
            raise BackendError(f'a scripted reply is a text or {{"text": ..., "when": ...}}, not {reply!r:.80}')
    return by_words, in_order


def pieces(text: str) -> list[str]:
    """Words with the white space after them: what streams usually bring."""
    return re.findall(r"\S+\s*|\s+", text)
