"""The pages for people: what this is, and what it can be asked. No script, nothing from elsewhere."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from starlette.responses import HTMLResponse, Response

from citewell.report.page import escape, fill, resource
from citewell.text import safe


def add(routes: FastAPI) -> None:
    """Add the pages to the routes."""

    @routes.get("/", include_in_schema=False)
    async def index() -> Response:
        return _page("citewell", resource(__package__, "index.html"))

    @routes.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return _page("citewell: the service", _described(routes.openapi()))

    @routes.get("/style.css", include_in_schema=False)
    async def style() -> Response:
        return Response(resource(__package__, "style.css"), media_type="text/css")


def _page(title: str, body: str) -> Response:
    return HTMLResponse(fill(resource(__package__, "page.html"), {"title": escape(title), "body": body}))


def _described(schema: dict[str, Any]) -> str:
    """The routes in words, with an example of each."""
    parts = [f"<h1>The service</h1><p>{escape(schema['info']['description'])}</p>",
             '<p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p>']  # fmt: skip
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(route['summary'])}.</p>")
            for name, content in _examples(schema, route):
                parts.append(f"<h3>{escape(name)}</h3><pre>{escape(safe.dumps(content, indent=2))}</pre>")
    return "".join(parts)


def _examples(schema: dict[str, Any], route: dict[str, Any]) -> list[tuple[str, Any]]:
    shown = []
    for kind, content in route.get("requestBody", {}).get("content", {}).items():
        model = content.get("schema", {})
        if "$ref" in model:
            model = schema["components"]["schemas"][model["$ref"].rpartition("/")[2]]
        if examples := model.get("examples"):
            shown.append((f"Request ({kind})", examples[0]))
    for status, response in route.get("responses", {}).items():
        for kind, content in response.get("content", {}).items():
            if status.startswith("2") and "example" in content:
                shown.append((f"{status} ({kind})", content["example"]))
    return shown
