"""The data with which a page displays documents: page pictures, sizes and lines, text, and the available choices."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated, Any, get_args

from fastapi import FastAPI, Path, Query, Request
from starlette.responses import Response

from citewell import registry
from citewell.export.view import UNSCORED
from citewell.serve import bodies, owners, replies
from citewell.serve.context import Context
from citewell.serve.owners import Caller
from citewell.types import LABEL_SYMBOLS, LABEL_WORDS

Id = Annotated[str, Path(alias="id", min_length=1, max_length=64, description="Of a document.")]
Number = Annotated[int, Path(alias="n", ge=1, le=1_000_000, description="Of the page, from 1.")]


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes."""
    settings, done = service.settings, service.done

    @routes.get("/v1/documents/{id}/pages")  # noqa: FAST003  (`Id` has the alias)
    async def pages(request: Request, name: Id) -> Response:
        return replies.conditional(request, await done(request, "pages", {"id": name}))

    @routes.get("/v1/documents/{id}/pages/{n}.json")  # noqa: FAST003
    async def lines(request: Request, name: Id, number: Number) -> Response:
        return replies.conditional(request, await done(request, "lines", {"id": name, "page": number}))

    @routes.get("/v1/documents/{id}/pages/{n}.png")  # noqa: FAST003
    async def picture(
        request: Request,
        name: Id,
        number: Number,
        scale: Annotated[float, Query(ge=0.1, le=8, allow_inf_nan=False, description="Pixels a point.")] = 2.0,
    ) -> Response:
        reply = await done(request, "page", {"id": name, "page": number, "scale": scale})
        return replies.conditional(request, reply, "image/png")

    @routes.get("/v1/documents/{id}/text")  # noqa: FAST003
    async def text(request: Request, name: Id) -> Response:
        return replies.conditional(request, await done(request, "structure", {"id": name}))

    @routes.get("/v1/documents/{id}/place")  # noqa: FAST003
    async def place(
        request: Request,
        name: Id,
        start: Annotated[int, Query(ge=0, le=2**31, description="Its first code point.")],
        end: Annotated[int, Query(ge=1, le=2**31, description="The one behind its last.")],
    ) -> Response:
        return replies.conditional(request, await done(request, "place", {"id": name, "start": start, "end": end}))

    @routes.get("/v1/documents/{id}/find")  # noqa: FAST003
    async def find(
        request: Request,
        name: Id,
        query: Annotated[str, Query(alias="q", min_length=1, max_length=500, description="Words in their order.")],
        limit: Annotated[int, Query(ge=1, le=10_000, description="Matches that are listed; all are counted.")] = 1000,
    ) -> Response:
        return replies.conditional(request, await done(request, "find", {"id": name, "q": query, "limit": limit}))

    @routes.get("/v1/settings")
    async def chosen(request: Request) -> dict[str, Any]:
        caller: Caller = request.state.caller
        offered = settings.offered
        return {
            "version": metadata.version("citewell"),
            "llm": _named(settings.llm),
            "scopes": sorted(caller.scopes),
            "carries": owners.plain(caller.labels),
            "workspace": owners.workspace(caller.labels),
            "caller": caller.name,
            "admin": caller.admin,
            "users": caller.admin and settings.users is not None,
            "granularities": list(get_args(bodies.Granularity)),
            "labels": {
                label: {"word": word, "mark": LABEL_SYMBOLS[label], "scored": label not in UNSCORED}
                for label, word in LABEL_WORDS.items()
            },
            "choices": {
                field: _choices(families, offered.methods if field == "method" else ())
                for field, families in bodies.OPEN.items()
            },
            "models": [{"name": name, "layers": model.layers} for name, model in offered.models.items()],
            "promises": [
                {"name": name, "of": promise.of, "risk": promise.risk, "words": promise.words()}
                for name, promise in offered.listed(settings.llm).items()
            ],
            "limits": {"upload": settings.upload, "body": settings.body, "documents": settings.documents},
        }


def _named(llm: str | None) -> str | None:
    """The name of a language model without address or key."""
    if llm is None:
        return None
    spec = registry.parse(llm)
    model = dict(spec.params).get("model")
    return f"{spec.name}: {model}" if isinstance(model, str) else spec.name


def _choices(families: dict[str, tuple[str, ...]], more: tuple[str, ...]) -> list[dict[str, str]]:
    named = [(family, name) for family, names in families.items() for name in (*names, *more)]
    return [{"name": name, "summary": registry.row(family, name).summary} for family, name in named]
