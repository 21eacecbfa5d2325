"""A plain function as a language model: it is given the prompt as one text, and returns the reply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from citewell.errors import CitewellError, ReplyError
from citewell.protocols import Completion, Request


@dataclass(frozen=True)
class Function:
    """What `ask(..., llm=function)` makes of a function."""

    call: Callable[[str], str]

    @property
    def name(self) -> str:
        """The function's own."""
        return getattr(self.call, "__name__", type(self.call).__name__)

    def complete(self, request: Request, on_text: Callable[[str], None] | None = None) -> Completion:
        """The reply, all of it at once.

        Raises:
            ReplyError: the function failed, or returned no text.
        """
        parts = [f"{attached.title or ''}\n{' '.join(attached.blocks)}".strip() for attached in request.documents]
        try:
            text = self.call("\n\n".join([*parts, *(message.content for message in request.messages)]))
        except CitewellError:
            raise
        except Exception as error:
            raise ReplyError(f"the function {self.name} failed: {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise ReplyError(f"the function {self.name} returns a {type(text).__name__}, not a text")
        if on_text:
            on_text(text)
        return Completion(text, self.name)
