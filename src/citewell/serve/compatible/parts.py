"""The parts of a request's messages: decoded texts and documents, and messages about unreadable parts."""

from __future__ import annotations

import binascii
import mimetypes
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from citewell.serve import keeping
from citewell.serve.faults import Fault


class Source(NamedTuple):
    """A document that a request brings or names."""

    # `id` of one that is kept, a `file`, a `text`, or `blocks` of text that are cited whole
    kind: Literal["id", "file", "text", "blocks"]
    name: str = ""  # the id, or what the file is called
    title: str | None = None  # as the request says it
    data: bytes = b""  # the file
    texts: tuple[str, ...] = ()  # the text, or the blocks
    place: str | None = None  # for a search result what it calls its source, else None


_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),", re.IGNORECASE)
_HALF = re.compile("[\ud800-\udfff]")  # of a pair of surrogates, which no reply could say again


def wrong(message: str, field: str | None = None) -> Fault:
    """The fault for an unusable request."""
    return Fault(422, "UsageError", message, field)


def text_of(part: Mapping[str, Any], name: str, field: str) -> str:
    """The text field of a part. Raises Fault: it has none."""
    value = part.get(name)
    if not isinstance(value, str):
        raise wrong(f"{name} is a text", field)
    return whole(value, name, field)


def whole(text: str, name: str, field: str) -> str:
    """Check that a text can be encoded as UTF-8. Raises Fault: it cannot."""
    if _HALF.search(text):
        raise wrong(f"{name} has half of a surrogate pair", field)
    return text


def optional(part: Mapping[str, Any], name: str, field: str) -> str | None:
    """The text field of a part, or None."""
    return None if part.get(name) is None else text_of(part, name, field)


def each(content: Any, field: str) -> list[tuple[str, dict[str, Any]]]:
    """The parts of a message, each with its place in the request. Raises Fault: one is no part."""
    if content is None or isinstance(content, str):
        return [(field, {"type": "text", "text": content or ""})]
    result = []
    for number, part in enumerate(content):
        where = f"{field}[{number}]"
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            raise wrong("a part is an object with a type", where)
        result.append((where, part))
    return result


def known(name: str, field: str) -> Source:
    """A stored document by id."""
    if not 0 < len(name) <= 64:
        raise wrong("the id of a document has 1 to 64 characters", field)
    return Source("id", name)


def file(encoded: str, name: str | None, field: str, media: str = "", title: str | None = None) -> Source:
    """A file from base64, bare or in a data URL. Raises Fault: it is neither."""
    head = _DATA_URL.match(encoded[:1000])
    if head:
        if ";base64" not in head[2].lower():
            raise wrong("a data URL is in base64: data:application/pdf;base64,…", field)
        media, encoded = head[1].strip().lower() or media, encoded[head.end() :]
    elif "://" in encoded[:100]:
        raise fetched(field)
    try:
        data = binascii.a2b_base64("".join(encoded.split()), strict_mode=True)
    except (ValueError, binascii.Error) as error:
        raise wrong("the file is not in base64", field) from error
    ending = mimetypes.guess_extension(media) or ""
    return Source("file", keeping.file_name(name or f"document{ending}"), title, data)


def fetched(field: str) -> Fault:
    """The fault for a document by URL, which is not fetched."""
    return wrong("this service fetches nothing: send the file itself, in base64 or by its id", field)


def unread(kind: str, field: str) -> Fault:
    """The fault for an unsupported part."""
    return wrong(f"{kind} is not read here: send documents as files or texts", field)
