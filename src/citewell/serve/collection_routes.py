"""The routes to collections of documents."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Path, Request
from starlette.responses import Response

from citewell.serve import bodies, described, paging, replies
from citewell.serve.context import Context
from citewell.text import safe

Id = Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of a collection.")]


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    done = service.done

    @routes.post("/v1/collections", status_code=201, summary="Make a collection of documents",
                 responses=described.COLLECTION_MADE)  # fmt: skip
    async def make(request: Request, body: bodies.NewCollection) -> Response:
        made = await done(request, "collections make", body.model_dump())
        place = {"Location": f"/v1/collections/{safe.loads(made.decode())['id']}"}
        return Response(made, 201, place, media_type=replies.JSON)

    @routes.get("/v1/collections", summary="List the collections", responses=described.COLLECTIONS)
    async def listed(request: Request, limit: paging.Limit = None, after: paging.After = None) -> Response:
        return replies.conditional(request, await done(request, "collections", {"limit": limit, "after": after}))

    @routes.get("/v1/collections/{id}", summary="What is known of a collection", responses=described.COLLECTION)  # noqa: FAST003  (`Id` has the alias)
    async def retrieve(request: Request, name: Id) -> Response:
        return replies.conditional(request, await done(request, "collections entry", {"id": name}))

    @routes.patch("/v1/collections/{id}", summary="Rename or share a collection, put documents in and take them out",  # noqa: FAST003
                  responses=described.COLLECTION)  # fmt: skip
    async def change(request: Request, name: Id, body: bodies.CollectionChange) -> Response:
        reply = safe.loads((await done(request, "collections change", {"id": name, **body.model_dump()})).decode())
        return Response(safe.dumps(reply["after"]), media_type=replies.JSON)

    @routes.delete("/v1/collections/{id}", status_code=204, response_class=Response,  # noqa: FAST003
                   summary="Remove a collection; its documents stay")  # fmt: skip
    async def remove(request: Request, name: Id) -> None:
        await done(request, "collections remove", {"id": name})
