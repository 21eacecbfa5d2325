"""Converts Anthropic requests to the common form: document blocks, search results, the user's last words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from citewell.serve.compatible import parts
from citewell.serve.compatible.parts import Source
from citewell.serve.compatible.questions import Body, Question, conversation, question_of, sampling

_DOCUMENTS = ("document", "image")  # the words of a picture are read as those of a scanned page


class Message(BaseModel):  # type: ignore[misc]  # the library's class is untyped here
    """A message of a conversation; what the user said last is the question."""

    model_config = ConfigDict(extra="ignore", strict=True)
    role: Literal["user", "assistant", "system"]
    content: str | list[dict[str, Any]]


class Counted(Body):
    """A conversation whose tokens are counted."""

    messages: Annotated[list[Message], Field(min_length=1, max_length=10_000)]


class Messages(Counted):
    """A conversation: documents come as document blocks or search results."""

    max_tokens: Annotated[int, Field(ge=1)]
    system: str | list[dict[str, Any]] | None = None
    temperature: Annotated[float | None, Field(ge=0, le=1)] = None
    stop_sequences: list[str] | None = None


def messages(body: Messages) -> Question:
    """What a conversation asks. Raises Fault: it has no question, or a block that is not read."""
    system = [parts.text_of(block, "text", where) for where, block in parts.each(body.system, "system")]
    turns: list[tuple[str, str]] = [("system", "\n".join(system))]
    sources, wanted = list[Source](), set[bool | None]()
    for number, message in enumerate(body.messages):
        field = f"messages[{number}].content"
        words = []
        for where, block in _flat(parts.each(message.content, field)):
            kind = block["type"]
            if kind == "text":
                words.append(parts.text_of(block, "text", where))
            elif kind in _DOCUMENTS:
                sources.append(_document(block, where))
                wanted.add(_enabled(block, where))
            elif kind == "search_result":
                sources.append(_search_result(block, where))
                wanted.add(_enabled(block, where))
            elif kind == "container_upload":
                raise parts.unread(kind, where)
        turns.append((message.role, "\n".join(words)))
    if {True, False} <= wanted:
        raise parts.wrong("citations are enabled on all documents or on none", "messages")
    question, history = conversation(turns)
    more = {"history": history, "sampling": sampling(body, body.temperature, body.stop_sequences or ())}
    return question_of(body, question, sources, max_tokens=body.max_tokens, cited=False not in wanted, **more)


def _flat(blocks: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """The content blocks, with tool results replaced by their content."""
    result = []
    for where, block in blocks:
        content = block.get("content")
        if block["type"] == "tool_result" and isinstance(content, list):
            result += [(at, part) for at, part in parts.each(content, f"{where}.content") if part["type"] != "text"]
        elif block["type"] != "tool_result":
            result.append((where, block))
    return result


def _enabled(block: dict[str, Any], where: str) -> bool | None:
    citations = block.get("citations")
    if citations is not None and not isinstance(citations, dict):
        raise parts.wrong("citations are {enabled: true} or {enabled: false}", f"{where}.citations")
    enabled = (citations or {}).get("enabled")
    return enabled if isinstance(enabled, bool) else None


def _document(block: dict[str, Any], where: str) -> Source:
    source, title = block.get("source"), parts.optional(block, "title", f"{where}.title")
    where = f"{where}.source"
    if not isinstance(source, dict):
        raise parts.wrong("it has a source", where)
    kind = source.get("type")
    if kind == "url":
        raise parts.fetched(where)
    if kind == "file":
        return parts.known(parts.text_of(source, "file_id", where), where)._replace(title=title)
    if kind == "text":
        return Source("text", title=title, texts=(parts.text_of(source, "data", where),))
    if kind == "base64":
        media = parts.optional(source, "media_type", where) or "application/pdf"
        return parts.file(parts.text_of(source, "data", where), title, f"{where}.data", media, title)
    if kind == "content":
        return Source("blocks", title=title, texts=_texts(source.get("content"), f"{where}.content"))
    raise parts.wrong("a source is base64, text, content or file", where)


def _search_result(block: dict[str, Any], where: str) -> Source:
    place, title = parts.text_of(block, "source", where), parts.text_of(block, "title", where)
    content = block.get("content")
    if not isinstance(content, list):
        raise parts.wrong("a search result has a list of texts", f"{where}.content")
    return Source("blocks", title=title, texts=_texts(content, f"{where}.content"), place=place)


def _texts(content: Any, where: str) -> tuple[str, ...]:
    if not isinstance(content, str | list):
        raise parts.wrong("content is a text or a list of texts", where)
    texts = list[str]()
    for at, part in parts.each(content, where):
        if part["type"] != "text":
            raise parts.unread(part["type"][:40], at)
        texts.append(parts.text_of(part, "text", at))
    return tuple(texts)
