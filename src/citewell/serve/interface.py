"""The OpenAPI description for client generators: operation names, tags, required permissions."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI

_SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token, where the service asks for one."},
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": "x-api-key",
        "description": "The same token, as Anthropic sends it.",
    },
}
_OPEN = "/health"
_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "error"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "error": {"type": "object"},
    },
}


def describe(routes: FastAPI) -> None:
    """Add operation ids, tags, security and problems of RFC 9457 to the description."""
    plain = routes.openapi

    def described() -> dict[str, Any]:
        if routes.openapi_schema is None:
            schema = plain()
            schema.setdefault("components", {})["securitySchemes"] = _SECURITY
            for path, methods in schema["paths"].items():
                for method, operation in methods.items():
                    _operation(path, method, operation)
            routes.openapi_schema = schema
        return routes.openapi_schema

    routes.openapi = described  # type: ignore[method-assign]  # as the framework's guide has it


def _operation(path: str, method: str, operation: dict[str, Any]) -> None:
    parts = [part for part in re.split(r"[^A-Za-z0-9]+", path) if part and part != "v1"]
    operation["operationId"] = "_".join([method, *parts])
    operation["tags"] = [parts[0]]
    operation["security"] = [] if path.startswith(_OPEN) else [{}, *({name: []} for name in _SECURITY)]
    for status, response in operation.get("responses", {}).items():
        content = response.get("content", {})
        if len(content) > 1 and content.get("application/json") == {"schema": {}}:
            del content["application/json"]  # the framework adds it where the reply is a file
        if status == "default" or status >= "400":
            response.setdefault("content", {})["application/problem+json"] = {"schema": _PROBLEM}
