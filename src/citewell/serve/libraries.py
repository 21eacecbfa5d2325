"""The libraries that a caller may use, and the one that a request refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from fastapi import Query, Request

from citewell.errors import UsageError
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller, is_workspace, plain

FIRST = "library"  # what a library is called that was given without a name
_NAMED = re.compile(r"(?:([A-Za-z][\w-]{0,63})=)?(.+)", re.DOTALL)


def named(options: Iterable[str]) -> dict[str, str]:
    """Libraries by name, from `DIR` or `NAME=DIR`; the first is the default. Raises UsageError: two have one name."""
    places = dict[str, str]()
    for option in options:
        match = _NAMED.fullmatch(option)
        if match is None:
            raise UsageError("a library is DIR, or NAME=DIR where there are several")
        name = match[1] or FIRST
        if name in places:
            raise UsageError(f"two libraries are called {name!r}: write NAME=DIR")
        places[name] = match[2]
    return places


def allowed(caller: Caller, places: Mapping[str, str]) -> tuple[str, ...]:
    """The libraries that a caller may use; the first is the default."""
    return tuple(name for name in places if caller.libraries is None or name in caller.libraries)


def chosen(names: tuple[str, ...], wanted: Any) -> str:
    """The library that a request names, or the default. Raises Fault: there is none of this name, or none at all."""
    if not isinstance(wanted, str):
        if not names:
            raise lacks("there is no library for this token", "library")
        return names[0]
    if wanted not in names:
        raise lacks(f"there is no library {wanted[:64]!r}", "library")
    return wanted


def parameters(
    request: Request,
    library: Annotated[  # noqa: ARG001  (the request's job reads it)
        str | None, Query(min_length=1, max_length=64, description="Another library than the first: see /v1/libraries.")
    ] = None,
    labels: Annotated[
        str | None, Query(max_length=1000, description="Some of the token's labels, with commas between, for all.")
    ] = None,
) -> None:
    """Query parameters of all routes: the library, and the labels to use.

    Raises Fault: the caller does not have a label, or would remove what has none.
    """
    if labels is None:
        return
    caller: Caller = request.state.caller
    wanted = set(filter(None, labels.split(",")))
    if unknown := sorted(wanted.difference(plain(caller.labels))):
        raise Fault(403, "ForbiddenError", f"this token has no label {unknown[0][:64]!r}", "labels")
    kept = tuple(label for label in caller.labels if label in wanted or is_workspace(label))
    if request.method == "DELETE" and caller.labels and not kept:
        # To carry less must not allow more: without labels are the documents of whoever runs the service.
        raise Fault(403, "ForbiddenError", "a token with labels removes nothing that has none", "labels")
    request.state.caller = caller._replace(labels=kept)
