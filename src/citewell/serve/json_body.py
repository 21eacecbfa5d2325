"""JSON bodies: parsed outside the event loop, with a limit on nesting that all later code can handle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from citewell.serve import described
from citewell.serve.faults import Fault
from citewell.text import safe

_DEEPEST = 100


class JsonRoute(APIRoute):
    """A route that reads JSON bodies with `parsed`, described as `described.json` says."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        more = described.route((settings["methods"] or ("GET",))[0], path)
        responses = {**settings["responses"], **more.get("responses", {})}
        super().__init__(path, endpoint, **{**settings, **more, "responses": responses})

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with our request class."""
        handler = super().get_route_handler()

        async def handled(request: Request) -> Response:
            response: Response = await handler(_Request(request.scope, request.receive))
            return response

        return handled


class _Request(Request):
    async def json(self) -> Any:
        """The body as JSON."""
        return await asyncio.to_thread(parsed, await self.body())


def parsed(body: bytes) -> Any:
    """Parse JSON in UTF-8. Raises JSONDecodeError: it is not JSON; Fault: it is nested too deeply."""
    try:
        value = safe.loads(body.decode())
    except ValueError as error:
        if isinstance(error.__cause__, RecursionError):
            raise _deep() from error
        raise json.JSONDecodeError("the body is not JSON in UTF-8", "", 0) from error
    level = [value]
    for _ in range(_DEEPEST):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return value
    raise _deep()


def _children(value: Any) -> list[Any]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [child for child in children if isinstance(child, dict | list)]


def _deep() -> Fault:
    return Fault(422, "UsageError", f"the body is nested more than {_DEEPEST} levels deep")
