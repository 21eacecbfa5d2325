"""The routes that hand a request to a worker and its reply back, declared in `described.json`.

`job` says which verb a worker is to do, what the job takes of path and query, and what else is known of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from starlette.responses import Response

from citewell.serve import bodies, described, replies
from citewell.serve.context import Context
from citewell.text import safe

_TYPES = {"text": str, "text?": str | None, "whole": int, "whole?": int | None, "number": float}


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    for key, fields in described.ROUTES.items():
        if "job" in fields:
            method, _, path = key.partition(" ")
            status, media = fields.get("status", 200), next(iter(fields.get("content", {})), replies.JSON)
            routes.add_api_route(path, _endpoint(service, fields["job"], method, status, media), methods=[method])


def _endpoint(
    service: Context, job: dict[str, Any], method: str, status: int, media: str
) -> Callable[..., Coroutine[Any, Any, Response]]:
    """What a route does, with the parameters that it takes."""
    known = {"most": getattr(service.settings, job["most"])} if "most" in job else {}
    settings = {"scope": job.get("scope", "read"), "long": job.get("long", False)}

    async def endpoint(request: Request, **values: Any) -> Response:
        sent = values.pop("body").model_dump() if "body" in job else {}
        reply = await service.done(request, job["verb"], {**values, **sent, **known}, **settings)
        if method == "GET":
            return replies.conditional(request, reply, media)
        if status == 204:
            return Response(status_code=status)
        place = {"Location": f"{job['place']}{safe.loads(reply.decode())['id']}"} if "place" in job else None
        return Response(reply, status, place, media_type=media)

    taken = [("request", Request, inspect.Parameter.empty), *(_parameter(*each) for each in job["takes"].items())]
    taken += [("body", getattr(bodies, job["body"]), inspect.Parameter.empty)] if "body" in job else []
    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, kind, default in taken
    ]
    endpoint.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # which FastAPI reads
    return endpoint


def _parameter(name: str, called: str) -> tuple[str, Any, Any]:
    """The name, the type and the default of a parameter of the file."""
    fields = dict(described.PARAMETERS[called])
    make, kind = (Path if fields.pop("in", "query") == "path" else Query), _TYPES[fields.pop("type")]
    default = fields.pop("default", inspect.Parameter.empty)
    return name, Annotated[kind, make(**fields)], default
