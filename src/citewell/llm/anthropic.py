"""Anthropic's models, by its own protocol; documents can be sent as such and are returned with citations."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any, ClassVar

from citewell.llm import faults
from citewell.llm.faults import Call
from citewell.llm.remote import Heard, Remote
from citewell.llm.tools import Calls, read_arguments, schema
from citewell.protocols import Completion, Request
from citewell.text.tokens import estimate

FINISH = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refused"}

_SAMPLING = ("temperature", "top_k", "top_p")


@dataclass(kw_only=True, eq=False)
class Anthropic(Remote):
    """A Claude model. The protocol knows no seed.

    The documents of a request become document blocks with citations enabled. What comes back is in `annotations`, one
    a citation: `{"answer_start", "answer_end", "citation"}`, the offsets of the reply's text that it stands at, and
    the service's own object, unchanged and unchecked.
    """

    key_env: str = "ANTHROPIC_API_KEY"
    name: ClassVar[str] = "anthropic"
    service: ClassVar[str] = "Anthropic"
    official: ClassVar[str] = "https://api.anthropic.com"
    address_env: ClassVar[str] = "ANTHROPIC_BASE_URL"
    optional: ClassVar[frozenset[str]] = frozenset(("temperature", "stop_sequences"))
    options: ClassVar[frozenset[str]] = frozenset(("top_k", "top_p"))
    calls_tools: ClassVar[bool] = True

    def _connected(self, sdk: Any, address: str, common: dict[str, Any]) -> Any:
        return sdk.Anthropic(base_url=address, **common)

    def _arguments(self, request: Request, *, streamed: bool) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self.model,
            "max_tokens": request.max_tokens,
            "messages": _messages(request),
            "temperature": request.temperature,
        }
        system = "\n\n".join(message.content for message in request.messages if message.role == "system")
        if system:
            arguments["system"] = system
        if request.stop:
            arguments["stop_sequences"] = list(request.stop)
        if request.tools:
            arguments["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": schema(tool)}
                for tool in request.tools
            ]
            arguments["tool_choice"] = {"type": "auto" if request.may_call else "none"}
        arguments |= dict(request.options)
        if streamed:
            arguments["stream"] = True
        return arguments

    def _send(self, client: Any, arguments: dict[str, Any], call: Call, heard: Heard) -> Completion:
        reply = _Reply(call, heard, offered="tools" in arguments)
        # The SDK no longer knows how to sample, which older models take and newer ones refuse.
        body = {key: value for key, value in arguments.items() if key in _SAMPLING}
        known = {key: value for key, value in arguments.items() if key not in _SAMPLING}
        answer = client.messages.create(**known, extra_body=body)
        if "stream" not in arguments:
            return reply.whole(answer)
        with closing(answer):  # whatever is raised while it is read, by whoever listens too
            for event in answer:
                reply.event(event)
            return reply.streamed()


class _Reply:
    """A reply as it comes in: text blocks one after another, each with its citations."""

    def __init__(self, call: Call, heard: Heard, *, offered: bool) -> None:
        self.offered = offered
        self.call, self.heard, self.model, self.stop = call, heard, "", ""
        self.start, self.ended = 0, False
        self.usage: tuple[int | None, int | None] = (None, None)
        self.annotations: list[dict[str, Any]] = []
        self.waiting: list[dict[str, Any]] = []
        self.tools = Calls()
        self.thoughts: list[str] = []

    def event(self, event: Any) -> None:
        """One event of a stream."""
        if event.type == "message_start":
            self.model = event.message.model
            self.usage = event.message.usage.input_tokens, None
        elif event.type == "content_block_start":
            self.start = len(self.heard.text)
            self._tool(event.content_block, event.index)
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            self.heard(event.delta.text)
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            self.tools.add(event.index, None, event.delta.partial_json)
        elif event.type == "content_block_delta" and event.delta.type == "thinking_delta":
            self.thoughts.append(event.delta.thinking)
        elif event.type == "content_block_delta" and event.delta.type == "citations_delta":
            self.waiting.append(_plain(event.delta.citation))
        elif event.type == "content_block_stop":
            self._cited()
        elif event.type == "message_delta":
            self.stop = event.delta.stop_reason or self.stop
            self.usage = self.usage[0], event.usage.output_tokens
        elif event.type == "message_stop":
            self.ended = True

    def streamed(self) -> Completion:
        """The reply when the stream has ended."""
        if not self.ended:
            raise faults.malformed(self.call, "the stream ended before the reply did")
        return self._completion()

    def whole(self, message: Any) -> Completion:
        """A reply that came at once."""
        if not hasattr(message, "content") or isinstance(message, str):
            raise faults.malformed(self.call, f"no JSON of this protocol, but {str(message)[:80]!r}")
        if (body := faults.error_body(message)) is not None:
            raise faults.status(self.call, faults.code_of(body), body, {})
        for number, block in enumerate(message.content or ()):
            self._tool(block, number)
            if block.type == "thinking":
                self.thoughts.append(block.thinking)
            if block.type == "text":
                self.start = len(self.heard.text)
                self.heard(block.text)
                self.waiting = [_plain(citation) for citation in getattr(block, "citations", None) or ()]
                self._cited()
        self.model, self.stop = message.model, message.stop_reason or ""
        self.usage = message.usage.input_tokens, message.usage.output_tokens
        return self._completion()

    def _tool(self, block: Any, place: int) -> None:
        if block.type == "tool_use":
            self.tools.add(place, str(block.name), block.input, getattr(block, "id", None))

    def _cited(self) -> None:
        self.heard.end()
        place = {"answer_start": self.start, "answer_end": len(self.heard.text)}
        self.annotations.extend({**place, "citation": citation} for citation in self.waiting)
        self.waiting = []

    def _completion(self) -> Completion:
        self.heard.end()
        finish, annotations = FINISH.get(self.stop, "stop"), tuple(self.annotations)
        thought = None if self.offered and self.tools else estimate("".join(self.thoughts)) or None
        reply = Completion(
            self.heard.text, self.model, finish, *self.usage, annotations=annotations, reasoning_tokens=thought
        )
        return self.tools.completed(self.call, reply, offered=self.offered, empty="it has no text")


def _messages(request: Request) -> list[dict[str, Any]]:
    """User and assistant turns; the documents stand before the first user turn."""
    turns = [message for message in request.messages if message.role != "system"]
    messages: list[dict[str, Any]] = [{"role": turn.role, "content": turn.content} for turn in turns]
    for step in request.steps:
        calls = [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": read_arguments(call)} for call in step.calls
        ]
        words = [{"type": "text", "text": step.text}] if step.text else []
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": result}
            for call, result in zip(step.calls, step.results, strict=True)
        ]
        messages += [{"role": "assistant", "content": [*words, *calls]}, {"role": "user", "content": results}]
    if request.documents:
        first = next(n for n, turn in enumerate(turns) if turn.role == "user")
        messages[first]["content"] = [*_documents(request), {"type": "text", "text": turns[first].content}]
    return messages


def _documents(request: Request) -> list[dict[str, Any]]:
    """Document blocks: one text is cited by characters, several are cited whole by their numbers."""
    return [
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": document.blocks[0]}
            if len(document.blocks) == 1
            else {"type": "content", "content": [{"type": "text", "text": block} for block in document.blocks]},
            **({"title": document.title} if document.title else {}),
            "citations": {"enabled": True},
        }
        for document in request.documents
    ]


def _plain(citation: Any) -> dict[str, Any]:
    return dict(citation) if isinstance(citation, dict) else dict(citation.model_dump())
