"""A function as a language model: it receives the prompt as one text and returns the reply.

The function may be `async def`, and it may return or yield pieces of the reply one after another.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from citewell.errors import CitewellError, ReplyError
from citewell.protocols import Completion, Request


@dataclass(frozen=True)
class Function:
    """What `ask(..., llm=function)` makes of a function."""

    call: Callable[[str], Any]

    @property
    def name(self) -> str:
        """The function's own."""
        return getattr(self.call, "__name__", type(self.call).__name__)

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The reply; its pieces as they come where the function yields them.

        Raises ReplyError: the function failed, or returned no text.
        """
        parts = [f"{attached.title or ''}\n{' '.join(attached.blocks)}".strip() for attached in request.documents]
        try:
            reply = self.call("\n\n".join([*parts, *(message.content for message in request.messages)]))
            text = _whole(reply, on_text or (lambda _: None))
        except CitewellError:
            raise
        except Exception as error:
            raise ReplyError(f"the function {self.name} failed: {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise ReplyError(f"the function {self.name} returns a {type(text).__name__}, not a text")
        return Completion(text, self.name)


def _whole(reply: Any, on_text: Callable[[str], None]) -> Any:
    """The text of what a function returned, awaited and read to its end; anything else as it is."""
    if inspect.isawaitable(reply) or hasattr(reply, "__aiter__"):
        with ThreadPoolExecutor(1) as pool:  # where this thread has an event loop already, as in notebooks
            pieces = pool.submit(contextvars.copy_context().run, asyncio.run, _awaited(reply)).result()
        return _whole(pieces, on_text)
    if isinstance(reply, str):
        on_text(reply)
        return reply
    if not isinstance(reply, Iterator | list | tuple):
        return reply
    pieces = list[str]()
    for piece in reply:
        if not isinstance(piece, str):
            raise TypeError(f"it yields a {type(piece).__name__}, not a text")
        pieces.append(piece)
        on_text(piece)
    return "".join(pieces)


async def _awaited(reply: Any) -> Any:
    """The value of an awaitable, or the list of what an asynchronous iterator yields."""
    value = await reply if inspect.isawaitable(reply) else reply
    return [piece async for piece in value] if hasattr(value, "__aiter__") else value
