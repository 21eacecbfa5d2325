"""The local annotation page: one page, a few JSON calls; annotators never see each other's labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from citewell.errors import CitewellError, InputError, UsageError
from citewell.serve.listening import serve_alone
from citewell.text import files
from citewell.text.data import read_text
from citewell_lab.annotation.project import ADJUDICATOR, Project, annotation_of

LARGEST_BODY = 64 * 1024
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"


def application(project: Project) -> Starlette:
    """The page and its calls: `GET /`, `GET /next?annotator=`, `POST /labels`, `GET /agreement`."""

    def page(_: Request) -> HTMLResponse:
        text = read_text("citewell_lab.annotation", "page.html")
        return HTMLResponse(text, headers={"Content-Security-Policy": _POLICY})

    def following(request: Request) -> JSONResponse:
        annotator = request.query_params.get("annotator", "")
        entry = project.next(annotator)
        reply: dict[str, Any] = {"item": entry and asdict(entry), "protocol": asdict(project.protocol)}
        reply["labelled"] = len(project.by_annotator.get(annotator, {}))
        if entry and annotator == ADJUDICATOR:
            reply["labels"] = [asdict(row) for row in project.labels(entry.id).values()]
        return JSONResponse(reply)

    async def save(request: Request) -> JSONResponse:
        # A form of another site cannot send this type without the browser asking first, which nothing here answers.
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return JSONResponse({"error": "labels are sent as application/json"}, 415)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                return JSONResponse({"error": f"a label has at most {LARGEST_BODY} bytes"}, 413)
        try:
            row = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise InputError(f"that is no JSON: {error}") from error
        project.save(annotation_of(row))
        return JSONResponse({"saved": True})

    def agreement(_: Request) -> JSONResponse:
        return JSONResponse(project.agreement())

    def refuse(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 409 if isinstance(error, UsageError) else 400)

    routes = [
        Route("/", page),
        Route("/next", following),
        Route("/labels", save, methods=["POST"]),
        Route("/agreement", agreement),
    ]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    return Starlette(routes=routes, middleware=[hosts], exception_handlers={CitewellError: refuse})


def serve(project: Project, port: int, ready: Callable[[str], None]) -> None:
    """Serve on this machine alone until it is stopped; `ready` gets the address.

    Raises:
        UsageError: the port is taken.
        InUseError: another process serves the project.
    """
    with files.locked(project.folder):
        serve_alone(application(project), port, "/", ready)
