"""The routes to the page's files and to the readable API description."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import HTMLResponse, Response

from citewell.export.html_text import attribute, fill
from citewell.serve import replies
from citewell.text import safe
from citewell.text.data import read_text

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_NAMES = ("main.js", "page.css", "mark.svg")
PATHS = {"/": "assets/index.html", "/described.css": "described.css"} | {
    f"/page/{name}": f"assets/{name}" for name in _NAMES
}


@cache
def compressed(path: str) -> bytes:
    """The gzipped bytes of a file, computed once."""
    return gzip.compress(file(path)[0], mtime=0)


@cache
def file(path: str) -> tuple[bytes, str]:
    """The bytes and media type of a file by its URL path."""
    name = PATHS[path]
    return read_text(__package__, name).encode(), _KINDS[name.rpartition(".")[2]]


_SMALL = 500  # bytes that are not worth compressing


def add(routes: FastAPI) -> None:
    """Add the routes."""

    async def asset(request: Request) -> Response:
        body, kind = file(request.url.path)
        response = replies.conditional(request, body, f"{kind}; charset=utf-8")
        response.headers["Vary"] = "Accept-Encoding"
        takes_gzip = "gzip" in request.headers.get("accept-encoding", "")
        if response.status_code == 200 and takes_gzip and len(body) > _SMALL:
            response.headers["Content-Encoding"] = "gzip"
            response.body = compressed(request.url.path)
            response.headers["Content-Length"] = str(len(response.body))
        return response

    for path in PATHS:
        routes.add_api_route(path, asset, include_in_schema=False)

    @routes.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        slots = {"title": "citewell: the service", "body": _described(routes.openapi())}
        return HTMLResponse(fill(read_text(__package__, "described.html"), slots))


def _described(schema: dict[str, Any]) -> str:
    """The API description as HTML, with an example of each route."""
    parts = [f"<h1>The service</h1><p>{attribute(schema['info']['description'])}</p>",
             '<p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p>']  # fmt: skip
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            parts.append(
                f"<h2><code>{method.upper()} {attribute(path)}</code></h2><p>{attribute(route['summary'])}.</p>"
            )
            for name, content in _examples(schema, route):
                parts.append(f"<h3>{attribute(name)}</h3><pre>{attribute(safe.dumps(content, indent=2))}</pre>")
    return "".join(parts)


def _examples(schema: dict[str, Any], route: dict[str, Any]) -> list[tuple[str, Any]]:
    pairs = []
    for kind, content in route.get("requestBody", {}).get("content", {}).items():
        model = content.get("schema", {})
        if "$ref" in model:
            model = schema["components"]["schemas"][model["$ref"].rpartition("/")[2]]
        if examples := model.get("examples"):
            pairs.append((f"Request ({kind})", examples[0]))
    for status, response in route.get("responses", {}).items():
        for kind, content in response.get("content", {}).items():
            if status.startswith("2") and "example" in content:
                pairs.append((f"{status} ({kind})", content["example"]))
    return pairs
