"""Converts OpenAI requests, to chat completions and to responses, to one form."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from citewell.serve.compatible import parts
from citewell.serve.compatible.parts import Source
from citewell.serve.compatible.questions import Body, Question, conversation, question_of, sampling

_WORDS = ("text", "input_text")  # parts of a user that are words
_OURS = ("output_text", "refusal", "reasoning", "summary_text")  # parts of earlier replies
_FILES = ("file", "input_file", "image_url", "input_image")
_Content = str | list[dict[str, Any]] | None


class ChatMessage(BaseModel):  # type: ignore[misc]  # the library's class is untyped here
    """A message of a conversation; what the user said last is the question."""

    model_config = ConfigDict(extra="ignore", strict=True)
    role: Annotated[str, Field(min_length=1, max_length=40)]
    content: _Content = None


class Chat(Body):
    """A chat: documents come as file parts, or by the ids of those that are kept."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=10_000)]
    stream_options: dict[str, Any] | None = None
    n: Annotated[int | None, Field(ge=1)] = None
    stop: str | list[str] | None = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    response_format: dict[str, Any] | None = None
    store: Annotated[bool | None, Field(description="false: the documents are not kept.")] = None
    max_tokens: Annotated[int | None, Field(ge=1)] = None
    max_completion_tokens: Annotated[int | None, Field(ge=1)] = None

    @property
    def usage(self) -> bool:
        """Whether a stream ends with figures."""
        return (self.stream_options or {}).get("include_usage") is True


class Responses(Body):
    """A response that is wanted: the question alone, or a conversation with its documents."""

    input: str | Annotated[list[dict[str, Any]], Field(min_length=1, max_length=10_000)]
    store: Annotated[bool | None, Field(description="false: the documents are not kept.")] = None
    max_output_tokens: Annotated[int | None, Field(ge=1)] = None
    previous_response_id: Annotated[str | None, Field(pattern=r"^resp_[0-9a-f]{24}$")] = None
    instructions: str | None = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    text: dict[str, Any] | None = None
    background: bool | None = None


def chat(body: Chat) -> Question:
    """Convert a chat completion request. Raises Fault: it has no question, or a part that is not read."""
    if (body.n or 1) > 1:
        raise parts.wrong("n is 1 here: a reply is one answer with its evidence", "n")
    _plain(body.response_format, "response_format")
    contents = [(f"messages[{n}].content", message.role, message.content) for n, message in enumerate(body.messages)]
    tokens = body.max_completion_tokens or body.max_tokens
    question, history, sources = _read(contents)
    stop = (body.stop,) if isinstance(body.stop, str) else tuple(body.stop or ())
    more = {"history": history, "sampling": sampling(body, body.temperature, stop)}
    return question_of(body, question, sources, keep=body.store is not False, max_tokens=tokens, **more)


def _plain(form: dict[str, Any] | None, field: str) -> None:
    """Reject any response format but text."""
    if (form or {}).get("type", "text") != "text":
        raise parts.wrong("replies are plain text here, whose statements are checked one by one", field)


def responses(body: Responses) -> Question:
    """Convert a request to the responses endpoint. Raises Fault: it has no question, or names what is not kept here."""
    _plain((body.text or {}).get("format"), "text.format")
    if body.background:
        raise parts.wrong("a response is not made in the background here", "background")
    contents: list[tuple[str, str, _Content]] = []
    for number, item in enumerate(
        [{"role": "user", "content": body.input}] if isinstance(body.input, str) else body.input
    ):
        where, kind, role, content = (
            f"input[{number}]",
            item.get("type", "message"),
            item.get("role"),
            item.get("content"),
        )
        if kind == "item_reference":
            raise parts.wrong("items are not kept here: send the whole conversation", where)
        if kind in _FILES:  # beside the messages
            contents.append((where, "user", [item]))
        elif kind == "message" and isinstance(role, str) and isinstance(content, str | list):
            contents.append((f"{where}.content", role, content))
        elif kind == "message":
            raise parts.wrong("a message has a role and a content", where)
    question, history, sources = _read(contents)
    if (body.instructions or "").strip():
        history = (("system", body.instructions or ""), *history)
    more = {"history": history, "sampling": sampling(body, body.temperature, ()), "keep": body.store is not False}
    reply = f"resp_{secrets.token_hex(12)}"
    before = {"previous": body.previous_response_id, "reply": reply}
    return question_of(body, question, sources, max_tokens=body.max_output_tokens, **more, **before)


def _read(contents: list[tuple[str, str, _Content]]) -> tuple[str, tuple[tuple[str, str], ...], list[Source]]:
    """The last user message with text, the messages before it, and the documents of all messages."""
    turns, sources = list[tuple[str, str]](), list[Source]()
    for field, role, content in contents:
        words = []
        for where, part in parts.each(content, field):
            kind = part["type"]
            if kind in _WORDS:
                words.append(parts.text_of(part, "text", where))
            elif kind in _FILES:
                sources.append(_file(part, where))
            elif role == "assistant" and kind in ("output_text", "refusal"):
                words.append(parts.text_of(part, "text" if kind == "output_text" else "refusal", where))
            elif kind not in _OURS and role != "assistant":
                raise parts.unread(kind[:40], where)
        turns.append((role, "\n".join(words)))
    return *conversation(turns), sources


def _file(part: dict[str, Any], where: str) -> Source:
    if "image" in part["type"]:
        return _picture(part, where)
    file = part.get("file") if part["type"] == "file" else part
    if not isinstance(file, dict):
        raise parts.wrong("a file part has file: {file_data or file_id, filename}", where)
    if file.get("file_url") is not None:
        raise parts.fetched(f"{where}.file_url")
    if (name := parts.optional(file, "file_id", where)) is not None:
        return parts.known(name, f"{where}.file_id")
    name, data = parts.optional(file, "filename", where), parts.text_of(file, "file_data", where)
    return parts.file(data, name, f"{where}.file_data")


def _picture(part: dict[str, Any], where: str) -> Source:
    """A picture, read like a scanned page."""
    if (name := parts.optional(part, "file_id", where)) is not None:
        return parts.known(name, f"{where}.file_id")
    url = part.get("image_url")
    data = parts.text_of(url if isinstance(url, dict) else {"url": url}, "url", f"{where}.image_url")
    return parts.file(data, None, f"{where}.image_url", "image/png")
