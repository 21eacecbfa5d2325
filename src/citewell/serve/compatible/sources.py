"""A document that a compatible request brings or names, on its way to a worker."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Source(NamedTuple):
    """A document that a request brings or names.

    Attributes:
        kind: `id` of one that is kept, a `file`, a `text`, or `blocks` of text that are cited whole.
        name: the id, or what the file is called.
        title: as the request says it.
        data: the file.
        texts: the text, or the blocks.
        place: for a search result what it calls its source, else None.
    """

    kind: Literal["id", "file", "text", "blocks"]
    name: str = ""
    title: str | None = None
    data: bytes = b""
    texts: tuple[str, ...] = ()
    place: str | None = None
