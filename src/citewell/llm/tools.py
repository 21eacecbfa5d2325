"""Tool calls in a reply: some models answer by calling a tool with the answer as its arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from citewell.llm import faults
from citewell.llm.faults import Call
from citewell.protocols import Completion, Tool, ToolCall

# Fields of arguments that hold an answer. A search has a query, a fetch an address: these are none.
_ANSWERS = frozenset("answer answers response final_answer statements sentences claims".split())


class Calls:
    """The calls of one reply, whole or as the pieces of a stream, in the order in which they began."""

    def __init__(self) -> None:
        self._calls: dict[Any, list[str]] = {}
        self._ids: dict[Any, str] = {}

    def __bool__(self) -> bool:
        """Whether there was any."""
        return bool(self._calls)

    def add(self, place: Any, name: str | None, arguments: Any, call_id: str | None = None) -> None:
        """A call, or a further piece of the one at this place."""
        if call_id:
            self._ids[place] = call_id
        call = self._calls.setdefault(place, ["", ""])
        call[0] = call[0] or str(name or "")
        call[1] += arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else ""

    @property
    def names(self) -> list[str]:
        """What was called."""
        return [name or "?" for name, _ in self._calls.values()]

    @property
    def all(self) -> tuple[ToolCall, ...]:
        """The calls as they came; a service that names none of them gets names of ours."""
        return tuple(
            ToolCall(self._ids.get(place) or f"call_{number}", name, arguments or "{}")
            for number, (place, (name, arguments)) in enumerate(self._calls.items())
        )

    @property
    def answer(self) -> str:
        """The arguments that hold an answer, as JSON; empty where no call has any."""
        for _, arguments in self._calls.values():
            try:
                data = json.loads(arguments)
            except (ValueError, RecursionError):
                continue
            if isinstance(data, Mapping) and any(data.get(name) for name in _ANSWERS):
                return arguments
        return ""

    def completed(self, call: Call, reply: Completion, *, offered: bool, empty: str) -> Completion:
        """A reply with these calls where tools were offered, else with the answer that one of them holds.

        Raises ReplyError: it calls tools that were not offered, and says nothing; Again: it says nothing, which is what
        is `empty`.
        """
        if offered and self:
            return replace(reply, calls=self.all)
        text = reply.text or self.answer
        if not text and self:
            raise faults.no_answer(call, self.names)
        if not text and reply.finish == "stop":
            raise faults.malformed(call, empty)
        return replace(reply, text=text)


def schema(tool: Tool) -> dict[str, Any]:
    """The JSON schema of a tool's arguments."""
    properties = {name: {"type": kind, "description": about} for name, kind, about in tool.parameters}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def read_arguments(call: ToolCall) -> dict[str, Any]:
    """The arguments of a call; none where they are no JSON object."""
    try:
        data = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
