"""The OpenAPI description beyond the types, declared in `described.json`: texts, examples, errors, security.

In an example, `@name` stands for the part of this name, and `"...": "name"` for its fields. Schemas are inferred from
the examples, so that both always agree. The routes of the protocols have errors of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.routing import BaseRoute

from citewell.text.data import read_json

_DATA = read_json(__package__, "described.json")
_JSON = "application/json"
SERVICE: str = _DATA["service"]


def _whole(value: Any) -> Any:
    """An example with its parts in their places."""
    if isinstance(value, str):
        return _whole(_DATA["parts"][value[1:]]) if value.startswith("@") else value
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if not isinstance(value, dict):
        return value
    base = _whole(f"@{value['...']}") if "..." in value else {}
    return base | {name: _whole(item) for name, item in value.items() if name != "..."}


def _reply(fields: dict[str, Any], shape: dict[str, Any] | None = None) -> dict[str, Any]:
    """A response: its description, and its content by an example or as it stands in the file."""
    reply = {"description": fields.get("description", "As it should be."), "content": fields.get("content", {})}
    if "example" in fields:
        example = _whole(fields["example"])
        first = {fields.get("media", _JSON): {"schema": shape or schema(example), "example": example}}
        reply["content"] = first | reply["content"]
    return reply | ({"headers": fields["headers"]} if "headers" in fields else {})


def _errors(kind: str) -> dict[int | str, dict[str, Any]]:
    shape, replies = _DATA["errors"][kind]["schema"], _DATA["errors"][kind]["replies"]
    return {_status(name): _reply(fields, shape) for name, fields in replies.items()}


def _status(name: str) -> int | str:
    return int(name) if name.isdecimal() else name


ERRORS = _errors("routes")


ROUTES: dict[str, dict[str, Any]] = _DATA["routes"]
PARAMETERS: dict[str, dict[str, Any]] = _DATA["parameters"]


def route(method: str, path: str) -> dict[str, Any]:
    """The settings of a route that describe it; none where the file does not name it."""
    fields = ROUTES.get(f"{method} {path}")
    if fields is None:
        return {}
    status = fields.get("status", 200)
    responses = _errors("protocols") if fields.get("protocol") else {}
    settings: dict[str, Any] = {"summary": fields["summary"], "responses": responses}
    if status == 204:
        return settings | {"status_code": status, "response_class": Response}
    replies = {str(status): fields} | fields.get("also", {})
    responses |= {_status(name): _reply(reply) for name, reply in replies.items()}
    settings |= {"status_code": status} if status != 200 else {}
    return settings | ({"openapi_extra": {"requestBody": fields["request"]}} if "request" in fields else {})


def complete(routes: FastAPI) -> None:
    """Bring routes into the order of the file; add ids, tags, security and problems of RFC 9457 to the description."""
    plain, named = routes.openapi, {key: place for place, key in enumerate(ROUTES)}
    routes.router.routes.sort(key=lambda each: named.get(_key(each), -1))

    def described() -> dict[str, Any]:
        if routes.openapi_schema is None:
            schema = plain()
            schema.setdefault("components", {})["securitySchemes"] = _DATA["security"]
            for name, example in _DATA["bodies"].items():
                schema["components"]["schemas"][name]["examples"] = [example]
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
    operation["security"] = [] if path.startswith("/health") else [{}, *({name: []} for name in _DATA["security"])]
    for status, response in operation.get("responses", {}).items():
        content = response.get("content", {})
        if len(content) > 1 and content.get("application/json") == {"schema": {}}:
            del content["application/json"]  # the framework adds it where the reply is a file
        if status == "default" or status >= "400":
            response.setdefault("content", {})["application/problem+json"] = {"schema": _DATA["problem"]}


def _key(each: BaseRoute) -> str:
    """The name of a route in the file."""
    return f"{min(each.methods or ())} {each.path}" if isinstance(each, APIRoute) else ""


_NULLABLE = frozenset(  # properties that may be null, wherever they stand
    "abstention author citation citations confidence date error failed field finish_reason first_id formula "
    "language last_id libraries llm next next_page note page pages param period precision problem question recall "
    "refusal remark scale score sha256 source stop_reason thread threshold title unit value workspace year label "
    "number file_id document_title until".split()
)
_OPEN = frozenset("data fixed labels request result usage".split())  # objects whose properties are not the same always


def schema(example: Any, name: str = "") -> dict[str, Any]:
    """The schema of an example; all properties of the example are required."""
    kind = _kind(example)
    if kind is None:
        return {}
    described: dict[str, Any] = {"type": [kind, "null"] if name in _NULLABLE else kind}
    if isinstance(example, Mapping) and name not in _OPEN:
        described["properties"] = {key: schema(value, key) for key, value in example.items()}
        described["required"] = sorted(example)
    elif isinstance(example, Sequence) and not isinstance(example, str):
        described["items"] = _items(example) if example else {}  # generators of clients want items in any case
    return described


def _items(examples: Sequence[Any]) -> dict[str, Any]:
    """The schema of the items. Objects require only the properties that all examples have."""
    kinds = {_kind(example) for example in examples}
    if kinds <= {"integer", "number"}:
        return {"type": "number" if "number" in kinds else "integer"}
    if len(kinds) != 1:
        return {}
    described = schema(examples[0])
    if kinds == {"object"} and "required" in described:
        for example in examples[1:]:
            described["properties"] = schema(example)["properties"] | described["properties"]
            described["required"] = sorted(example.keys() & set(described["required"]))
    return described


def _kind(example: Any) -> str | None:
    if example is None:
        return None
    if isinstance(example, bool):
        return "boolean"
    for types, kind in ((int, "integer"), (float, "number"), (str, "string"), (Mapping, "object")):
        if isinstance(example, types):
            return kind
    return "array"
