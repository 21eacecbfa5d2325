"""The routes to saved results and to corrections."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI, Path, Query, Request
from starlette.responses import Response

from citewell.library.kept import Form
from citewell.serve import bodies, paging, replies
from citewell.serve.context import Context
from citewell.serve.histories import MEDIA

Id = Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of a kept result.")]
_LINES = "application/jsonl"
_SUFFIXES = {"json": "json", "markdown": "md", "html": "html", "pdf": "pdf", "bibtex": "bib", "csl": "json"}


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    _results(routes, service)
    _corrections(routes, service)


def _results(routes: FastAPI, service: Context) -> None:
    done = service.done

    @routes.get("/v1/history")
    async def listed(
        request: Request,
        query: Annotated[str, Query(alias="q", max_length=500, description="Words that all are in it.")] = "",
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[
            str | None, Query(pattern="^[0-9a-f]{32}$", description="`next` of the reply before.")
        ] = None,
        thread: Annotated[
            str | None, Query(pattern=bodies.THREAD, description="The name of a thread whose turns are wanted.")
        ] = None,
    ) -> Response:
        payload = {"q": query, "limit": limit, "before": before, "thread": thread}
        return replies.conditional(request, await done(request, "history", payload))

    @routes.get("/v1/history/{id}")  # noqa: FAST003  (`Id` has the alias)
    async def retrieve(request: Request, name: Id) -> Response:
        return replies.conditional(request, await done(request, "history entry", {"id": name}))

    @routes.get("/v1/history/{id}/export")  # noqa: FAST003
    async def export(
        request: Request,
        name: Id,
        form: Annotated[Form, Query(alias="as")] = "json",
        document: Annotated[
            str | None, Query(min_length=1, max_length=64, description="Which cited document, as PDF.")
        ] = None,
    ) -> Response:
        wanted = {"id": name, "as": form, "document": document}
        data = await done(request, "history export", wanted)
        return replies.attachment(data, f"citewell-{name[:14]}.{_SUFFIXES[form]}", MEDIA[form])

    @routes.patch("/v1/history/{id}")  # noqa: FAST003
    async def share(request: Request, name: Id, body: bodies.Share) -> Response:
        reply = await done(request, "history share", {"id": name, **body.model_dump()})
        return Response(reply, media_type=replies.JSON)

    @routes.delete("/v1/history/{id}")  # noqa: FAST003
    async def remove(request: Request, name: Id) -> None:
        await done(request, "history remove", {"id": name})

    @routes.delete("/v1/history")
    async def clear(request: Request) -> None:
        await done(request, "history remove", {})


def _corrections(routes: FastAPI, service: Context) -> None:
    done = service.done

    @routes.post("/v1/corrections")
    async def correct(request: Request, body: bodies.Correct) -> Response:
        payload = {**body.model_dump(), "most": service.settings.results}
        return Response(await done(request, "correction", payload), 201, media_type=replies.JSON)

    @routes.get("/v1/corrections")
    async def listed(
        request: Request,
        history: Annotated[str | None, Query(pattern="^[0-9a-f]{32}$")] = None,
        limit: paging.Limit = None,
        after: paging.After = None,
    ) -> Response:
        reply = await done(request, "corrections", {"history": history, "limit": limit, "after": after})
        return replies.conditional(request, reply)

    @routes.get("/v1/corrections.jsonl")
    async def export(request: Request) -> Response:
        data = await done(request, "corrections export", {})
        return replies.attachment(data, "corrections.jsonl", _LINES)

    @routes.delete("/v1/corrections/{id}")  # noqa: FAST003
    async def remove(request: Request, name: Id) -> None:
        await done(request, "correction remove", {"id": name})
