"""The routes to files of saved results and corrections, and to changes of collections."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Path, Query, Request
from starlette.responses import Response

from citewell.library.kept import Form
from citewell.serve import bodies, replies
from citewell.serve.context import Context
from citewell.serve.histories import MEDIA
from citewell.text import safe

Id = Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of a kept result.")]
Collection = Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of a collection.")]
Which = Annotated[str | None, Query(min_length=1, max_length=64, description="Which cited document, as PDF.")]
_SUFFIXES = {"json": "json", "markdown": "md", "html": "html", "pdf": "pdf", "bibtex": "bib", "csl": "json"}


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    done = service.done

    @routes.get("/v1/history/{id}/export")  # noqa: FAST003  (`Id` has the alias)
    async def export(
        request: Request, name: Id, form: Annotated[Form, Query(alias="as")] = "json", document: Which = None
    ) -> Response:
        data = await done(request, "history export", {"id": name, "as": form, "document": document})
        return replies.attachment(data, f"citewell-{name[:14]}.{_SUFFIXES[form]}", MEDIA[form])

    @routes.get("/v1/corrections.jsonl")
    async def corrections(request: Request) -> Response:
        return replies.attachment(
            await done(request, "corrections export", {}), "corrections.jsonl", "application/jsonl"
        )

    @routes.patch("/v1/collections/{id}")  # noqa: FAST003
    async def change(request: Request, name: Collection, body: bodies.CollectionChange) -> Response:
        reply = safe.loads((await done(request, "collections change", {"id": name, **body.model_dump()})).decode())
        return Response(safe.dumps(reply["after"]), media_type=replies.JSON)
