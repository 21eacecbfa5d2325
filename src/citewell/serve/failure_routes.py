"""The routes to files that could not be read."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Path, Request
from starlette.responses import Response

from citewell.serve import paging, replies
from citewell.serve.context import Context
from citewell.text import safe

Id = Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of a failure.")]


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    done = service.done

    @routes.get("/v1/failures")
    async def listed(request: Request, limit: paging.Limit = None, after: paging.After = None) -> Response:
        return replies.conditional(request, await done(request, "failures", {"limit": limit, "after": after}))

    @routes.post("/v1/failures/{id}/retry")  # noqa: FAST003  (`Id` has the alias)
    async def retry(request: Request, name: Id) -> Response:
        fields = await done(request, "retry", {"id": name}, scope="write", long=True)
        place = {"Location": f"/v1/documents/{safe.loads(fields.decode())['id']}"}
        return Response(fields, 201, place, media_type=replies.JSON)

    @routes.delete("/v1/failures/{id}")  # noqa: FAST003
    async def remove(request: Request, name: Id) -> None:
        await done(request, "failures remove", {"id": name}, scope="write")
