"""Files in the format of both clients: our documents under ids that messages can name."""

from __future__ import annotations

import datetime as dt
import mimetypes
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response

from citewell.serve import replies
from citewell.serve.compatible import errors
from citewell.serve.context import Context
from citewell.serve.viewing import Id
from citewell.text import safe


def add(routes: FastAPI, service: Context) -> None:
    """Add the routes of files."""

    async def known(request: Request, name: str) -> dict[str, Any]:
        fields: dict[str, Any] = safe.loads((await service.done(request, "document", {"id": name})).decode())
        return fields

    @routes.post("/v1/files")
    async def create(request: Request) -> Response:
        name = safe.loads((await service.uploaded(request)).decode())["id"]
        return reply(_file(request, await known(request, name)))

    @routes.get("/v1/files")
    async def listed(request: Request) -> Response:
        documents = safe.loads((await service.done(request, "list")).decode())["documents"]
        data = [_file(request, document) for document in documents]
        if errors.protocol(request.scope) == "anthropic":
            return reply({"data": data, "next_page": None})
        ends = {"first_id": data[0]["id"] if data else None, "last_id": data[-1]["id"] if data else None}
        return reply({"object": "list", "data": data, "has_more": False, **ends})

    @routes.get("/v1/files/{id}")  # noqa: FAST003  (`Id` has the alias)
    async def retrieve(request: Request, name: Id) -> Response:
        return reply(_file(request, await known(request, name)))

    @routes.get("/v1/files/{id}/content")  # noqa: FAST003
    async def content(request: Request, name: Id) -> Response:
        called = _called(await known(request, name))
        data = await service.done(request, "content", {"id": name})
        return replies.attachment(data, called, _media(called))

    @routes.delete("/v1/files/{id}")  # noqa: FAST003
    async def remove(request: Request, name: Id) -> Response:
        await service.remove(request, name)
        if errors.protocol(request.scope) == "anthropic":
            return reply({"id": name, "type": "file_deleted"})
        return reply({"id": name, "object": "file", "deleted": True})


def reply(fields: dict[str, Any]) -> Response:
    """A response that varies with the protocol of the request."""
    return JSONResponse(fields, headers={"Vary": "anthropic-version"})


def _file(request: Request, document: dict[str, Any]) -> dict[str, Any]:
    name, added = _called(document), dt.datetime.fromisoformat(document["added"])
    if errors.protocol(request.scope) == "anthropic":
        file = {"id": document["id"], "type": "file", "filename": name, "mime_type": _media(name)}
        return {**file, "size_bytes": document["size"], "created_at": added.isoformat(), "downloadable": True}
    file = {"id": document["id"], "object": "file", "bytes": document["size"], "created_at": int(added.timestamp())}
    return {**file, "filename": name, "purpose": "user_data", "status": "processed"}


def _called(document: dict[str, Any]) -> str:
    return document["source"] or f"{document['title'] or 'document'}.txt"


def _media(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
