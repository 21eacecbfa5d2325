"""The routes to collections of documents."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Path, Request
from starlette.responses import Response

from citewell.serve import bodies, paging, replies
from citewell.serve.context import Context
from citewell.text import safe

Id = Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of a collection.")]


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    done = service.done

    @routes.post("/v1/collections")
    async def make(request: Request, body: bodies.NewCollection) -> Response:
        made = await done(request, "collections make", body.model_dump())
        place = {"Location": f"/v1/collections/{safe.loads(made.decode())['id']}"}
        return Response(made, 201, place, media_type=replies.JSON)

    @routes.get("/v1/collections")
    async def listed(request: Request, limit: paging.Limit = None, after: paging.After = None) -> Response:
        return replies.conditional(request, await done(request, "collections", {"limit": limit, "after": after}))

    @routes.get("/v1/collections/{id}")  # noqa: FAST003  (`Id` has the alias)
    async def retrieve(request: Request, name: Id) -> Response:
        return replies.conditional(request, await done(request, "collections entry", {"id": name}))

    @routes.patch("/v1/collections/{id}")  # noqa: FAST003
    async def change(request: Request, name: Id, body: bodies.CollectionChange) -> Response:
        reply = safe.loads((await done(request, "collections change", {"id": name, **body.model_dump()})).decode())
        return Response(safe.dumps(reply["after"]), media_type=replies.JSON)

    @routes.delete("/v1/collections/{id}")  # noqa: FAST003
    async def remove(request: Request, name: Id) -> None:
        await done(request, "collections remove", {"id": name})
