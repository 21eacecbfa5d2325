"""The route to the overview of a document."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from citewell.serve import replies
from citewell.serve.bodies import Id, Library
from citewell.serve.context import Context
from citewell.serve.faults import Fault


class Wanted(BaseModel):  # type: ignore[misc]  # the library's class is untyped here
    """Which document is described: by `document`, or as the one of `documents`."""

    model_config = ConfigDict(extra="forbid", strict=True)
    document: Id | None = None
    documents: Annotated[list[Id], Field(max_length=1)] = []
    library: Annotated[bool | Library, Field(description="The name of another library that it is in.")] = False


def add(routes: FastAPI, service: Context) -> None:
    """Add the route."""

    @routes.post("/v1/overview")
    async def overview(request: Request, body: Wanted) -> Response:
        names = [*body.documents, *([body.document] if body.document else [])]
        if len(names) != 1:
            raise Fault(422, "UsageError", "name one document by its id", "document")
        wanted = {"document": names[0], "library": body.library}
        return Response(await service.done(request, "overview", wanted, long=True), media_type=replies.JSON)
