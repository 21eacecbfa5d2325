"""Mistral's conversations: text in which references to sources follow the statements they support."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from citewell.audit.claims import Claim, Response
from citewell.audit.wire_lists import web
from citewell.audit.written import Written

FORM = "mistral-conversation"


def fits(data: Mapping[str, Any]) -> bool:
    """Whether a response is a conversation's."""
    return isinstance(data.get("outputs"), list) and _message(data) is not None


def read(data: Mapping[str, Any]) -> Response:
    """The answer; a reference speaks of the text between the text's last references and it."""
    message, text, start = _message(data) or {}, "", 0
    claims, behind = list[Claim](), False
    content = message.get("content") or ""
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if part.get("type") == "text":
            start = len(text) if behind else start
            text, behind = text + part["text"], False
        elif part.get("type") == "tool_reference":
            behind = True
            blank = len(text[start:]) - len(text[start:].lstrip())
            named = part.get("title") or part.get("url")
            claims.append(Claim(start + blank, len(text), named, address=web(part.get("url")), payload=dict(part)))
    return Response(FORM, text, tuple(claims))


def write(written: Written) -> dict[str, Any]:
    """The response with our citations as references; other outputs stay as they came."""
    data = copy.deepcopy(dict(written.data or {"outputs": [{"type": "message.output", "role": "assistant"}]}))
    content = list[dict[str, Any]]()
    for text, members in written.parts():
        content.append({"type": "text", "text": text})
        for member in members:
            cited = written.answer.citations[member]
            new = {"type": "tool_reference", "tool": "citewell", "title": written.title(cited)}
            content.append(dict(written.payloads.get(member) or {**new, "url": written.name(cited)}))
    message = _message(data)
    if message is not None:
        message["content"] = content
    return data


def _message(data: Mapping[str, Any]) -> dict[str, Any] | None:
    outputs = [part for part in data["outputs"] if isinstance(part, dict) and part.get("type") == "message.output"]
    return outputs[-1] if outputs else None
