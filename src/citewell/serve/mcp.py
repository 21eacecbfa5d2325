"""citewell as a server of the Model Context Protocol: tools with which a model reads, asks, checks and sees pages.

Over stdio `read` takes paths of the user's own machine; over HTTP it takes the bytes, and no path reaches the file
system. In the service a call is a job of a worker, for whoever its token names (`service`).
"""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from inspect import Parameter, Signature
from typing import Annotated, Any, Protocol

from citewell.errors import CitewellError, MissingExtraError
from citewell.export.view import one_line
from citewell.library import reading
from citewell.library.library import Library
from citewell.pipeline.unsupported import Policy
from citewell.serve import mcp_files, mcp_tools, shapes
from citewell.serve.mcp_tools import Reply
from citewell.text import safe
from citewell.text.data import read_json
from citewell.types import Answer

try:
    from anyio import from_thread, to_thread
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import CallToolResult, ImageContent, TextContent, ToolAnnotations
    from pydantic import Field
except ImportError as error:
    raise MissingExtraError("citewell mcp", error.name or "mcp", "mcp") from error

INSTRUCTIONS = (
    "Answers about documents in which every statement points at its evidence, or no answer. Use read first, unless "
    "documents lists what you need; then library (search paragraphs), ask, attribute (find the evidence for a text), "
    "check (judge claims), audit (judge citations), and open_page to see evidence on its page. " + shapes.NOTICE
)
_KEPT_RESULTS = 100
LARGEST_BODY = 64 * 2**20  # bytes of a request over HTTP; a file in it takes a third more than its size
_SEES = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

_DATA = read_json(__package__, "mcp_tools.json")
_TYPES: dict[str, Any] = {
    "policy": Policy,
    "text": str,
    "text?": str | None,
    "texts": list[str],
    "texts?": list[str] | None,
    "whole": int,
    "whole?": int | None,
}


def _parameter(name: str, fields: str | dict[str, Any]) -> Parameter:
    """A parameter of a tool as it is declared, or as that which several tools have."""
    known = dict(_DATA["parameters"][fields] if isinstance(fields, str) else fields)
    kind, default = _TYPES[known.pop("type")], known.pop("default", Parameter.empty)
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=Annotated[kind, Field(**known)], default=default)


class Backend(Protocol):
    """Executes the tools: here in a thread, or in a worker of the service."""

    def caller(self, ctx: Context) -> str:
        """The caller, to whom results belong."""

    def do(self, ctx: Context, name: str, arguments: dict[str, Any]) -> Awaitable[Reply]:
        """Call the method of `mcp_tools.Tools` with this name, or `read` for a path or bytes."""


class Tools:
    """The tools as a model sees them; results are kept, so that a page can show their evidence."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._results: OrderedDict[tuple[str, str], Answer] = OrderedDict()

    def tool(self, called: str) -> tuple[str, Callable[..., Awaitable[CallToolResult]]]:
        """The name of a tool, and a function with its name, description, parameters and result as they are declared."""
        declared = _DATA["tools"][called]
        gives = declared.get("gives")

        async def tool(*, ctx: Context, **arguments: Any) -> CallToolResult:
            return await self._done(ctx, declared.get("verb") or name, **arguments)

        name: str = declared.get("name", called)
        shape = CallToolResult if gives is None else Annotated[CallToolResult, getattr(shapes, gives)]
        taken = [Parameter("ctx", Parameter.KEYWORD_ONLY, annotation=Context)]
        taken += [_parameter(key, fields) for key, fields in declared["takes"].items()]
        tool.__name__, tool.__doc__ = called, declared["about"]
        tool.__annotations__ = {each.name: each.annotation for each in taken} | {"return": shape}
        tool.__signature__ = Signature(taken, return_annotation=shape)  # type: ignore[attr-defined]  # the SDK reads it
        return name, tool

    async def _done(self, ctx: Context, name: str, /, **arguments: Any) -> CallToolResult:
        if (named := arguments.get("result")) is not None:
            arguments["result"] = self._results.get((self._backend.caller(ctx), named))
            if arguments["result"] is None:
                raise ToolError(f"UsageError: no result is called {named!r:.80}, or it is too long ago: ask again")
        reply = await self._backend.do(ctx, name, arguments)
        if reply.result is not None:
            self._results[self._backend.caller(ctx), reply.result.digest] = reply.result
            while len(self._results) > _KEPT_RESULTS:
                self._results.popitem(last=False)
        content: list[Any] = [TextContent(type="text", text=reply.text)]
        if reply.png is not None:
            picture = base64.b64encode(reply.png).decode("ascii")
            content.insert(0, ImageContent(type="image", data=picture, mime_type="image/png"))
        return CallToolResult(content=content, structured_content=reply.data)


class Here:
    """Executes the tools in threads of this process, over one library."""

    def __init__(self, library: Library, llm: str | None = None) -> None:
        self._place, self._tools = library.place, mcp_tools.Tools(library, llm)

    def caller(self, ctx: Context) -> str:  # noqa: ARG002  (there is one)
        """There is only one caller."""
        return ""

    async def do(self, ctx: Context, name: str, arguments: dict[str, Any]) -> Reply:
        """Do it beside the event loop; what goes wrong is told in our words.

        A cancelled request is let go of at once; reading stops after the document that it is at.
        """
        verb = partial(self._read, ctx) if name == "read" else getattr(self._tools, name)
        try:
            reply: Reply = await to_thread.run_sync(partial(verb, **arguments), abandon_on_cancel=True)
        except CitewellError as error:
            raise refused(type(error).__name__, str(error).replace(self._place, "the library")) from error
        return reply

    def _read(self, ctx: Context, path: str | None = None, **arguments: Any) -> Reply:
        sources = [mcp_files.file(**arguments)] if path is None else reading.files([path])
        return self._tools.read(sources, _progress(ctx))


def refused(kind: str, message: str) -> ToolError:
    """An error as the protocol's error."""
    return ToolError(safe.clean(one_line(f"{kind}: {safe.redact_spec(message)}")))


def server(library: Library, *, over_http: bool = False, llm: str | None = None) -> MCPServer:
    """The server over a library; its tool `read` takes bytes with `over_http`, else paths."""
    return offered(Here(library, llm), over_http=over_http)


def offered(backend: Backend, *, over_http: bool) -> MCPServer:
    """The server whose tools a back end executes."""
    from importlib.metadata import version

    tools = Tools(backend)
    tools_server: MCPServer = MCPServer(
        "citewell", instructions=INSTRUCTIONS, version=version("citewell"), log_level="WARNING"
    )
    left_out = "read_path" if over_http else "read_bytes"
    for name, tool in (tools.tool(called) for called in _DATA["tools"] if called != left_out):
        annotations = _ADDS if name == "read" else _SEES
        tools_server.add_tool(tool, name=name, annotations=annotations, structured_output=name != "open_page" or None)
    return tools_server


def serve_http(library: Library, port: int, *, llm: str | None = None, ready: Callable[[str], None]) -> None:
    """Serve on this machine only until stopped; `ready` receives the address. Raises UsageError: the port is taken."""
    from citewell.serve.listening import serve_alone

    app = server(library, over_http=True, llm=llm).streamable_http_app(max_request_body_size=LARGEST_BODY)
    serve_alone(app, port, "/mcp", ready)


def _progress(ctx: Context) -> Callable[[int, int], None]:
    """A callback that reports progress to the client and raises if the request was cancelled."""

    def tell(done: int, total: int) -> None:
        from_thread.check_cancelled()
        from_thread.run(ctx.report_progress, done, total)

    return tell


def serve_stdio(library: Library, *, llm: str | None = None) -> None:
    """Serve the parent process until it closes standard input."""
    served: Any = server(library, llm=llm)
    served.run("stdio")
