"""A document that a compatible request brings or names, on its way to a worker."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Source(NamedTuple):
    """A document that a request brings or names."""

    # `id` of one that is kept, a `file`, a `text`, or `blocks` of text that are cited whole
    kind: Literal["id", "file", "text", "blocks"]
    name: str = ""  # the id, or what the file is called
    title: str | None = None  # as the request says it
    data: bytes = b""  # the file
    texts: tuple[str, ...] = ()  # the text, or the blocks
    place: str | None = None  # for a search result what it calls its source, else None
