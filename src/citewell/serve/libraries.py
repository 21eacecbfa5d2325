"""Which libraries a caller may use, which one a request means, and the route that lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request

from citewell.errors import UsageError
from citewell.serve import described, replies
from citewell.serve.faults import lacks
from citewell.serve.pool import Job
from citewell.serve.tokens import Caller
from citewell.text import safe

if TYPE_CHECKING:
    from citewell.serve.app import Service

FIRST = "library"  # what a library is called that was given without a name
_GIVEN = re.compile(r"(?:([A-Za-z][\w-]{0,63})=)?(.+)", re.DOTALL)


def named(given: Iterable[str]) -> dict[str, str]:
    """Libraries by name, from `DIR` or `NAME=DIR` each; the first one is used where a request names none.

    Raises:
        UsageError: two have one name.
    """
    places = dict[str, str]()
    for one in given:
        match = _GIVEN.fullmatch(one)
        if match is None:
            raise UsageError("a library is DIR, or NAME=DIR where there are several")
        name = match[1] or FIRST
        if name in places:
            raise UsageError(f"two libraries are called {name!r}: write NAME=DIR")
        places[name] = match[2]
    return places


def allowed(caller: Caller, places: Mapping[str, str]) -> tuple[str, ...]:
    """The libraries that a caller may use, the first one for requests that name none."""
    return tuple(name for name in places if caller.libraries is None or name in caller.libraries)


def chosen(names: tuple[str, ...], wanted: Any) -> str:
    """The library that a request means; one that the caller may not use is not there.

    Raises:
        Fault: there is none of this name, or none at all.
    """
    if not isinstance(wanted, str):
        if not names:
            raise lacks("there is no library for this token", "library")
        return names[0]
    if wanted not in names:
        raise lacks(f"there is no library {wanted[:64]!r}", "library")
    return wanted


def parameter(
    library: Annotated[
        str | None, Query(min_length=1, max_length=64, description="Another library than the first: see /v1/libraries.")
    ] = None,
) -> None:
    """The parameter by which any request may name its library; the request's job reads it."""


def add(routes: FastAPI, service: Service) -> None:
    """Add the route."""

    @routes.get("/v1/libraries", summary="List the libraries", responses=described.LIBRARIES)
    async def listed(request: Request) -> dict[str, Any]:
        service.job(request, "count")
        caller: Caller = request.state.caller
        told = []
        for name in allowed(caller, service.settings.places):
            counted = await replies.whole(request, service.pool.run(Job("count", caller.labels, {}, library=name)))
            told.append({"name": name, **safe.loads(counted.decode())})
        return {"libraries": told}
