"""Inputs of an audit: objects of vendor packages, JSON, files, texts; and the parts that could not be read."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from citewell.audit.claims import Response
from citewell.errors import InputError, UsageError
from citewell.text import safe
from citewell.types.marks import blanked

_NAME = re.compile(r"[^\s<>\"{}]{1,400}\.(?:jsonl?|txt|md|sse)", re.IGNORECASE)
# Fields by which services cite, whatever else they are called around it.
_CITING = frozenset(
    "citations citation_metadata citationMetadata citationSources annotations references reference_ids reference "
    "groundingSupports grounding_supports search_results sources citation provider_specific_fields".split()
)
_LINK = re.compile(r"\(?\[[^\[\]\n]{1,200}\]\(https?://[^\s()]{1,1000}\)\)?")
_DEEPEST = 12


def loaded(response: Any) -> Any:
    """A response as text or parsed JSON.

    Raises InputError: it is a path, and the file cannot be read; UsageError: it is an object that has no JSON form.
    """
    if isinstance(response, str) and _NAME.fullmatch(response.strip()):
        # Never opened: a text may come from anybody, a path does not.
        raise UsageError(f"{response!r} is the name of a file: give pathlib.Path({response!r})")
    if isinstance(response, os.PathLike):
        try:
            response = Path(response).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{os.fspath(response)} cannot be read: {error}") from error
    if isinstance(response, str):
        return _parsed(response)
    if isinstance(response, Mapping | int | float | None):
        return response  # what is no response among these is told by the readers of shapes
    if isinstance(response, list | tuple):
        return [loaded(item) if not isinstance(item, str) else item for item in response]
    if callable(dump := getattr(response, "model_dump", None)):
        return dump(mode="json", by_alias=True)
    if callable(dump := getattr(response, "to_dict", None)):
        return dump()
    if dataclasses.is_dataclass(response) and not isinstance(response, type):
        return dataclasses.asdict(response)
    raise UsageError(f"a {type(response).__name__} is no response: give its JSON (.model_dump()), a text or a path")


def _parsed(text: str) -> Any:
    """The JSON that a text is, the text itself where it is none."""
    if not text.lstrip("\ufeff \t\r\n").startswith(("{", "[{")):
        return text
    try:
        return safe.loads(text.lstrip("\ufeff"))
    except ValueError:
        return text


def without_links(text: str) -> str:
    """A text whose inline links and marks are blanked, every offset as it was: they cite, and claim nothing."""
    return blanked(_LINK.sub(lambda match: " " * len(match[0]), text))


def unread(response: Response) -> Iterator[str]:
    """A warning for each field that looks like citations and of which nothing was read."""
    if response.data is None:
        return
    read = {id(claim.payload) for claim in response.claims if claim.payload is not None}
    paths = dict[str, None]()
    for path, value in _fields(response.data, "", 0):
        inside = [value, *(value.values() if isinstance(value, Mapping) else value)]
        if not any(id(item) in read for item in inside) and not (response.claims and _listed(path, response)):
            paths.setdefault(re.sub(r"\[\d+\]", "[]", path))
    for path in paths:
        yield f"the field {path} looks like citations and was not read"


def _listed(path: str, response: Response) -> bool:
    """Whether a field lists the sources that marks in the text count: they are read as a whole."""
    last = path.rpartition(".")[2]
    by_number = any(claim.payload is not None and "number" in claim.payload for claim in response.claims)
    return by_number or last in ("sources", "search_results", "references", "groundingSupports", "grounding_supports")


def _fields(data: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Fields that hold citations and are not empty, the outermost of each, with their paths."""
    if depth > _DEEPEST:
        return
    if isinstance(data, Mapping):
        for name, value in data.items():
            where = f"{path}.{name}" if path else str(name)
            if name in _CITING and isinstance(value, list | Mapping) and value:
                yield where, value
            else:
                yield from _fields(value, where, depth + 1)
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _fields(value, f"{path}[{number}]", depth + 1)
