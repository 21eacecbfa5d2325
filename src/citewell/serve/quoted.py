"""The documents that a reply quotes, read from the reply itself, so that no route has to list them."""

from __future__ import annotations

from typing import Any

from citewell.text import safe

_EVENT = b"data: "


def documents(reply: bytes) -> frozenset[str]:
    """The ids of the documents that a reply cites: JSON, JSON lines, or events of a stream."""
    ids = set[str]()
    values = _parsed(reply)
    while values:  # a stack: how deep a reply goes is no matter
        value = values.pop()
        if isinstance(value, dict):
            ids.update(_named(value))
            values.extend(value.values())
        elif isinstance(value, list):
            values.extend(value)
    return frozenset(ids)


def _parsed(reply: bytes) -> list[Any]:
    whole = _json(reply)
    if whole is not None:
        return [whole]
    parts = (_json(line.removeprefix(_EVENT)) for line in reply.splitlines() if line.startswith((_EVENT, b"{")))
    return [part for part in parts if part is not None]


def _json(data: bytes) -> Any:
    try:
        return safe.loads(data.decode())
    except ValueError:
        return None


def _named(value: dict[str, Any]) -> set[str]:
    listed = value.get("documents")
    names = (
        [document.get("id") for document in listed if isinstance(document, dict)] if isinstance(listed, list) else []
    )
    return {name for name in (*names, value.get("document_id")) if isinstance(name, str)}
