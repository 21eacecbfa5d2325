"""Models behind the OpenAI chat protocol: OpenAI, Azure, and servers that speak it (vLLM, Ollama, llama.cpp, ...)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from citewell.llm import faults
from citewell.llm.faults import Call
from citewell.llm.prompts import inlined
from citewell.llm.remote import Heard, Remote
from citewell.llm.tools import Calls, schema
from citewell.protocols import Completion, Request
from citewell.text.tokens import estimate

# Anything else ended by itself; services behind the same protocol say the same in words of their own.
FINISH = {
    **dict.fromkeys(("length", "model_length", "max_tokens", "MAX_TOKENS", "max_output_tokens"), "length"),
    "content_filter": "refused",
}
_TEXTS = ("text", "output_text", "refusal")  # parts of a message that are said


@dataclass(kw_only=True, eq=False)
class OpenAI(Remote):
    """A chat model. Citations of the service, such as `url_citation`, are kept as they came in `annotations`.

    Services at other addresses than OpenAI's may need no key.

    Attributes:
        api_version: makes it Azure's protocol, with `base_url` the resource's address and `model` the
            deployment's name.
    """

    key_env: str = "OPENAI_API_KEY"
    api_version: str | None = None
    name: ClassVar[str] = "openai"
    service: ClassVar[str] = "OpenAI"
    official: ClassVar[str] = "https://api.openai.com/v1"
    address_env: ClassVar[str] = "OPENAI_BASE_URL"
    optional: ClassVar[frozenset[str]] = frozenset(("temperature", "seed", "stop", "stream_options", "max_tokens"))
    options: ClassVar[frozenset[str]] = frozenset(
        ("frequency_penalty", "presence_penalty", "reasoning_effort", "seed", "top_p", "verbosity")
    )
    calls_tools: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.api_version and not self.base_url:
            raise ValueError("api_version is Azure's: give base_url=https://RESOURCE.openai.azure.com too")

    def _needs_key(self) -> bool:
        return self.address == self.official or self.api_version is not None or self.key_env != "OPENAI_API_KEY"

    def _connected(self, sdk: Any, address: str, common: dict[str, Any]) -> Any:
        if self.api_version:
            return sdk.AzureOpenAI(azure_endpoint=address, api_version=self.api_version, **common)
        return sdk.OpenAI(base_url=address, **common)

    def _arguments(self, request: Request, *, streamed: bool) -> dict[str, Any]:
        # Other servers know the old name only; OpenAI's newer models the new one only.
        newer = self.address == self.official or self.api_version is not None or "max_tokens" in self._refused
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [*(message._asdict() for message in inlined(request)), *_steps(request)],
            "max_completion_tokens" if newer else "max_tokens": request.max_tokens,
            "temperature": request.temperature,
        }
        if request.seed is not None:
            arguments["seed"] = request.seed
        if request.stop:
            arguments["stop"] = list(request.stop)
        if request.tools:
            arguments["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": schema(tool)},
                }
                for tool in request.tools
            ]
            arguments["tool_choice"] = "auto" if request.may_call else "none"
        arguments |= dict(request.options)
        if streamed:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        return arguments

    def _send(self, client: Any, arguments: dict[str, Any], call: Call, heard: Heard) -> Completion:
        reply = client.chat.completions.create(**arguments)
        offered = "tools" in arguments
        if "stream" not in arguments or not hasattr(reply, "close"):
            return _whole(reply, call, offered=offered)
        with closing(reply):  # whatever is raised while it is read, by whoever listens too
            return _streamed(reply, call, heard, offered=offered)

    def _leave_out(self, refused: str) -> None:
        if refused in ("max_tokens", "stream_options"):  # nothing is lost: one is renamed, one only asks for figures
            self._refused.add(refused)
        else:
            super()._leave_out(refused)

    def _without(self, arguments: dict[str, Any], refused: str) -> dict[str, Any]:
        rest = super()._without(arguments, refused)
        return {**rest, "max_completion_tokens": arguments[refused]} if refused == "max_tokens" else rest


def _steps(request: Request) -> list[dict[str, Any]]:
    """The replies that called tools, each with a message for what each call brought."""
    messages = list[dict[str, Any]]()
    for step in request.steps:
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in step.calls
        ]
        messages.append({"role": "assistant", "content": step.text or None, "tool_calls": calls})
        messages += [
            {"role": "tool", "tool_call_id": call.id, "content": result}
            for call, result in zip(step.calls, step.results, strict=True)
        ]
    return messages


def _whole(reply: Any, call: Call, *, offered: bool) -> Completion:
    if not hasattr(reply, "choices"):
        raise faults.malformed(call, f"no JSON of this protocol, but {str(reply)[:80]!r}")
    _no_error(reply, call)
    if not reply.choices:
        raise faults.malformed(call, "it has no choice")
    choice = reply.choices[0]
    refusal = getattr(choice.message, "refusal", None)
    annotations = [_plain(annotation) for annotation in getattr(choice.message, "annotations", None) or ()]
    text = _text_of(choice.message.content) or refusal or ""
    tools = Calls()
    _called(tools, choice.message)
    thought = _thought(choice.message)
    completion = _completion(
        call, text, reply.model, choice.finish_reason, bool(refusal), _usage(reply), annotations, tools, offered=offered
    )
    return replace(completion, reasoning_tokens=_reasoned(reply, thought))


def _streamed(chunks: Any, call: Call, heard: Heard, *, offered: bool) -> Completion:
    finish = model = ""
    refusal = False
    usage: tuple[int | None, int | None] = (None, None)
    annotations: list[Any] = []
    tools = Calls()
    thoughts: list[str] = []
    reasoned: int | None = None
    for chunk in chunks:
        _no_error(chunk, call)
        model = chunk.model or model
        usage = _usage(chunk) if getattr(chunk, "usage", None) else usage
        reasoned = _reasoned(chunk, "") or reasoned
        for choice in (chunk.choices or ())[:1]:
            refused = getattr(choice.delta, "refusal", None)
            refusal = refusal or bool(refused)
            thoughts.append(_thought(choice.delta))
            heard(_text_of(choice.delta.content) or refused or "")
            _called(tools, choice.delta)
            annotations.extend(_plain(annotation) for annotation in getattr(choice.delta, "annotations", None) or ())
            finish = choice.finish_reason or finish
    heard.end()
    if not finish:
        raise faults.malformed(call, "the stream ended before the reply did")
    completion = _completion(call, heard.text, model, finish, refusal, usage, annotations, tools, offered=offered)
    return replace(completion, reasoning_tokens=reasoned or estimate("".join(thoughts)) or None)


def _completion(
    call: Call,
    text: str,
    model: str | None,
    reason: str | None,
    refusal: bool,
    usage: tuple[int | None, int | None],
    annotations: list[dict[str, Any]],
    tools: Calls,
    *,
    offered: bool,
) -> Completion:
    finish = "refused" if refusal else FINISH.get(reason or "", "stop")
    reply = Completion(text, model or "", finish, *usage, annotations=tuple(annotations))
    return tools.completed(call, reply, offered=offered, empty="its choice is empty")


def _no_error(reply: Any, call: Call) -> None:
    body = faults.error_body(reply)
    if body is not None:
        raise faults.status(call, faults.code_of(body), body, {})


def _text_of(content: Any) -> str:
    """The text of a message: some servers give it as a list of parts, thinking among them."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list | tuple):
        return "".join(_text_of(part) for part in content)
    fields = (
        content if isinstance(content, Mapping) else dict(vars(content), **(getattr(content, "model_extra", {}) or {}))
    )
    if fields.get("type", "text") not in _TEXTS:
        return ""
    text = fields.get("text") or fields.get("value") or fields.get("refusal")
    return _text_of(text)


def _called(tools: Calls, message: Any) -> None:
    """Note the tools that a message, or a piece of one, calls."""
    for number, call in enumerate(getattr(message, "tool_calls", None) or ()):
        if (function := getattr(call, "function", None)) is not None:
            place = getattr(call, "index", None)
            tools.add(number if place is None else place, function.name, function.arguments, getattr(call, "id", None))
    if (function := getattr(message, "function_call", None)) is not None:
        tools.add("function", function.name, function.arguments)


def _usage(reply: Any) -> tuple[int | None, int | None]:
    usage = getattr(reply, "usage", None)
    return (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))


def _thought(message: Any) -> str:
    """What a model thought, where a server tells it beside the reply."""
    names = ("reasoning_content", "reasoning")
    thought = next((text for name in names if isinstance(text := getattr(message, name, None), str)), "")
    parts = message.content if isinstance(getattr(message, "content", None), list) else ()
    return thought + "".join(str(part.get("thinking") or "") for part in parts if isinstance(part, Mapping))


def _reasoned(reply: Any, thought: str) -> int | None:
    """The tokens that a model thought with: as the service counts them, else by an estimate of what it tells."""
    details = getattr(getattr(reply, "usage", None), "completion_tokens_details", None)
    counted = getattr(details, "reasoning_tokens", None)
    return counted if isinstance(counted, int) else estimate(thought) or None


def _plain(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else dict(value.model_dump(exclude_none=True))
