"""citewell as a server of the Model Context Protocol: tools with which a model reads, asks, checks and sees pages.

Over stdio `read` takes paths of the user's own machine; over HTTP it takes the bytes, and no path reaches the file
system. In the service a call is a job of a worker, for whoever its token names (`service`).
"""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, Protocol

from citewell.abstain.unsupported import Policy
from citewell.errors import CitewellError, MissingExtraError
from citewell.export.view import one_line
from citewell.library import reading
from citewell.library.library import Library
from citewell.serve import mcp_files, mcp_tools, shapes
from citewell.serve.mcp_tools import Reply
from citewell.serve.shapes import AuditShape, DocumentsShape, PassagesShape, ResultShape
from citewell.text import safe
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
_POLICY = (
    "What becomes of statements that are not supported: mark, drop, refuse the answer, or have the model rewrite it."
)
LARGEST_BODY = 64 * 2**20  # bytes of a request over HTTP; a file in it takes a third more than its size
_SEES = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

Names = Annotated[list[str] | None, Field(description="Only these documents, by id, file name or title.")]
Where = Annotated[str | None, Field(description="Only documents such as: title ~ annual and year >= 2022.")]


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

    async def read_path(
        self, path: Annotated[str, Field(description="A file or folder on this machine.")], ctx: Context
    ) -> Annotated[CallToolResult, DocumentsShape]:
        """Read a document (PDF, DOCX, XLSX, PPTX, HTML, Markdown, text, ...) or a folder into the library."""
        return await self._done(ctx, "read", path=path)

    async def read_bytes(
        self,
        name: Annotated[str, Field(description="What the file is called, with its ending: report.pdf.")],
        ctx: Context,
        text: Annotated[str | None, Field(description="What is in it, where that is text.")] = None,
        base64: Annotated[str | None, Field(description="Its bytes in base64, where it is not.")] = None,
    ) -> Annotated[CallToolResult, DocumentsShape]:
        """Read a document (PDF, DOCX, XLSX, PPTX, HTML, Markdown, text, ...) that is given into the library."""
        return await self._done(ctx, "read", name=name, text=text, encoded=base64)

    async def documents(self, ctx: Context, where: Where = None) -> Annotated[CallToolResult, DocumentsShape]:
        """List the documents that can be asked."""
        return await self._done(ctx, "documents", where=where)

    async def ask(
        self,
        question: Annotated[str, Field(description="In words.")],
        ctx: Context,
        documents: Names = None,
        where: Where = None,
        on_unsupported: Annotated[Policy, Field(description=_POLICY)] = "mark",
    ) -> Annotated[CallToolResult, ResultShape]:
        """Answer a question from the documents, every statement with its evidence; or say that they do not tell."""
        arguments = {"documents": documents, "where": where, "on_unsupported": on_unsupported}
        return await self._done(ctx, "ask", question=question, **arguments)

    async def attribute(
        self,
        answer: Annotated[str, Field(description="A text of one or more statements.")],
        ctx: Context,
        documents: Names = None,
        where: Where = None,
        on_unsupported: Annotated[Policy, Field(description=_POLICY)] = "mark",
    ) -> Annotated[CallToolResult, ResultShape]:
        """Find the evidence in the documents for an answer that somebody wrote, statement by statement."""
        arguments = {"documents": documents, "where": where, "on_unsupported": on_unsupported}
        return await self._done(ctx, "attribute", answer=answer, **arguments)

    async def check(
        self,
        claims: Annotated[list[str], Field(description="Sentences, each judged by itself.", min_length=1)],
        ctx: Context,
        documents: Names = None,
        where: Where = None,
    ) -> Annotated[CallToolResult, ResultShape]:
        """Judge claims: supported, partially supported, not supported or contradicted by the documents, and why."""
        return await self._done(ctx, "check", claims=claims, documents=documents, where=where)

    async def audit(
        self,
        response: Annotated[str, Field(description="Its text with [n] marks, or the JSON of a service's reply.")],
        ctx: Context,
        question: Annotated[str | None, Field(description="What was asked, if known.")] = None,
        documents: Names = None,
        where: Where = None,
    ) -> Annotated[CallToolResult, AuditShape]:
        """Audit the citations of somebody else's response: which exist, which support their words, and mend them."""
        arguments = {"question": question, "documents": documents, "where": where}
        return await self._done(ctx, "audit", response=response, **arguments)

    async def library(
        self,
        query: Annotated[str, Field(description="Words or a question.", min_length=1)],
        ctx: Context,
        where: Where = None,
        most: Annotated[int, Field(description="How many paragraphs.", ge=1, le=50)] = 8,
    ) -> Annotated[CallToolResult, PassagesShape]:
        """Search all documents of the library for the paragraphs that fit best, each with its document and page."""
        return await self._done(ctx, "search", query=query, where=where, most=most)

    async def open_page(
        self,
        ctx: Context,
        result: Annotated[str | None, Field(description="The name of a result, whose evidence is marked.")] = None,
        evidence: Annotated[int | None, Field(description="The number of a piece of evidence: shows its page.")] = None,
        document: Annotated[str | None, Field(description="Else a document, by id, file name or title.")] = None,
        page: Annotated[int | None, Field(description="The page, from 1.", ge=1)] = None,
    ) -> CallToolResult:
        """Show a page of a PDF as it looks, with the evidence of a result marked on it."""
        kept = None if result is None else self._results.get((self._backend.caller(ctx), result))
        if result is not None and kept is None:
            raise ToolError(f"UsageError: no result is called {result!r:.80}, or it is too long ago: ask again")
        return await self._done(ctx, "open_page", result=kept, evidence=evidence, document=document, page=page)

    async def _done(self, ctx: Context, name: str, /, **arguments: Any) -> CallToolResult:
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
    read = tools.read_bytes if over_http else tools.read_path
    tools_server.add_tool(read, name="read", annotations=_ADDS, structured_output=True)
    for tool in (tools.documents, tools.library, tools.ask, tools.attribute, tools.check, tools.audit):
        tools_server.add_tool(tool, annotations=_SEES, structured_output=True)
    tools_server.add_tool(tools.open_page, annotations=_SEES)
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
