"""The Model Context Protocol inside the service, at /mcp: the same tools, with the same tokens as all routes.

A call of a tool is a job of a worker, for whoever the request's token names, in the library that the address names
(`/mcp?library=reports`). There are no sessions, so that any process may answer; results of a caller are kept for
`open_page` only. The protocol's library is imported at the first request.
"""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from citewell.errors import MissingExtraError
from citewell.serve.context import Context
from citewell.serve.faults import Fault
from citewell.serve.mcp_tools import Reply
from citewell.text import safe
from citewell.types import Answer

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context as Call

PATH = "/mcp"


class Endpoint:
    """The MCP application, started by its first request."""

    def __init__(self, service: Context) -> None:
        self._service = service
        self._ended = asyncio.Event()
        self._ready: asyncio.Future[ASGIApp] | None = None
        self._living: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request. Raises Fault: the protocol's library is not installed."""
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._living = asyncio.create_task(self._live(self._ready))
        app = await asyncio.shield(self._ready)
        await app(scope, receive, send)

    async def stop(self) -> None:
        """Stop the application."""
        self._ended.set()
        if self._living is not None:
            await self._living

    async def _live(self, ready: asyncio.Future[ASGIApp]) -> None:
        try:
            app = await asyncio.to_thread(_application, self._service)
        except MissingExtraError as error:
            ready.set_exception(Fault(501, "MissingExtraError", str(error)))
            return
        async with app.router.lifespan_context(app):
            ready.set_result(app)
            await self._ended.wait()


def _application(service: Context) -> Any:
    from mcp.server.transport_security import TransportSecuritySettings

    from citewell.serve import mcp

    guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the service has looked already
    return mcp.offered(_Workers(service), over_http=True).streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=mcp.LARGEST_BODY,
        transport_security=guarded,
    )


class _Workers:
    """Executes the tools as jobs of the service."""

    def __init__(self, service: Context) -> None:
        self._service = service

    def caller(self, ctx: Call) -> str:
        """The caller and the library of the request."""
        request = _request(ctx)
        caller = request.state.caller
        return repr((caller.name, caller.labels, request.query_params.get("library")))

    async def do(self, ctx: Call, name: str, arguments: dict[str, Any]) -> Reply:
        """Run the tool in a worker."""
        from citewell.serve.mcp import refused

        kept = arguments.get("result")
        arguments = arguments | ({"result": kept.to_dict()} if isinstance(kept, Answer) else {})
        payload = {"tool": name, "arguments": arguments, "most": self._service.settings.documents}
        reads = name == "read"
        try:
            job = self._service.job(_request(ctx), "tool", payload, scope="write" if reads else "read", long=reads)
            reply = safe.loads((await self._service.pool.run(job)).decode())
        except Fault as fault:
            raise refused(fault.kind, fault.message) from fault
        png, result = reply["png"], reply["result"]
        return Reply(
            reply["text"],
            reply["data"],
            None if png is None else base64.b64decode(png),
            None if result is None else Answer.from_dict(result),
        )


def _request(ctx: Call) -> Request:
    request: Request = ctx.request_context.request
    return request
