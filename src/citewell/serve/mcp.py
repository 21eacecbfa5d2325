"""citewell as a server of the Model Context Protocol: tools with which a model reads, asks, checks and sees pages.

Over stdio `read` takes paths of the user's own machine; over HTTP it takes the bytes, and no path reaches the file
system. What a document says stays data: each quote is one line of a result, behind its number and place.
"""

from __future__ import annotations

import base64
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any

from citewell import pipeline
from citewell.abstain.unsupported import Policy
from citewell.audit import scores
from citewell.document import Document
from citewell.errors import CitewellError, DocumentError, MissingExtraError, UsageError
from citewell.export import page_image, pdf
from citewell.export.view import build_view, one_line
from citewell.library import reading
from citewell.library.library import Library
from citewell.library.reading import File
from citewell.library.store.records import Entry
from citewell.serve import mcp_files, shapes
from citewell.serve.shapes import (
    AuditShape,
    DocumentShape,
    DocumentsShape,
    PassageShape,
    PassagesShape,
    ResultShape,
)
from citewell.text import safe, segments
from citewell.types import Answer, Citation, Verdict

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
_LARGEST_BODY = 64 * 2**20  # bytes of a request over HTTP; a file in it takes a third more than its size
_SEES = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

Names = Annotated[list[str] | None, Field(description="Only these documents, by id, file name or title.")]
Where = Annotated[str | None, Field(description="Only documents such as: title ~ annual and year >= 2022.")]


@dataclass(frozen=True, slots=True)
class _KeptResult:
    """A result that was given, so that a page can show its evidence."""

    result: Answer | tuple[Verdict, ...]
    citations: tuple[Citation, ...]


class Tools:
    """The tools over one library.

    Args:
        library: where documents are kept; it may be used from several threads.
        llm: the spec of a language model that writes answers; sentences are quoted where None.
    """

    def __init__(self, library: Library, llm: str | None = None) -> None:
        self._library, self._llm = library, llm
        self._results: OrderedDict[str, _KeptResult] = OrderedDict()
        self._adding = threading.Lock()

    async def read_path(
        self, path: Annotated[str, Field(description="A file or folder on this machine.")], ctx: Context
    ) -> Annotated[CallToolResult, DocumentsShape]:
        """Read a document (PDF, DOCX, XLSX, PPTX, HTML, Markdown, text, ...) or a folder into the library."""
        return await self._worked(partial(self._added, lambda: reading.files([path]), _progress(ctx)))

    async def read_bytes(
        self,
        name: Annotated[str, Field(description="What the file is called, with its ending: report.pdf.")],
        ctx: Context,
        text: Annotated[str | None, Field(description="What is in it, where that is text.")] = None,
        base64: Annotated[str | None, Field(description="Its bytes in base64, where it is not.")] = None,
    ) -> Annotated[CallToolResult, DocumentsShape]:
        """Read a document (PDF, DOCX, XLSX, PPTX, HTML, Markdown, text, ...) that is given into the library."""
        return await self._worked(partial(self._added, lambda: [mcp_files.file(name, text, base64)], _progress(ctx)))

    async def documents(self, where: Where = None) -> Annotated[CallToolResult, DocumentsShape]:
        """List the documents that can be asked."""
        return await self._worked(lambda: _listed(self._library.entries(where), []))

    async def ask(
        self,
        question: Annotated[str, Field(description="In words.")],
        documents: Names = None,
        where: Where = None,
        on_unsupported: Annotated[Policy, Field(description=_POLICY)] = "mark",
    ) -> Annotated[CallToolResult, ResultShape]:
        """Answer a question from the documents, every statement with its evidence; or say that they do not tell."""

        def work() -> CallToolResult:
            chosen = self._chosen([question], documents, where)
            doubt = None if documents else self._library.doubt(question, chosen, where)
            answer = pipeline.ask(chosen, question, llm=self._llm, on_unsupported=on_unsupported, doubt=doubt)
            return self._result(answer, chosen)

        return await self._worked(work)

    async def attribute(
        self,
        answer: Annotated[str, Field(description="A text of one or more statements.")],
        documents: Names = None,
        where: Where = None,
        on_unsupported: Annotated[Policy, Field(description=_POLICY)] = "mark",
    ) -> Annotated[CallToolResult, ResultShape]:
        """Find the evidence in the documents for an answer that somebody wrote, statement by statement."""

        def work() -> CallToolResult:
            statements = [answer[start:end] for start, end in segments.statements(answer)]
            chosen = self._chosen(statements or [answer], documents, where)
            return self._result(pipeline.attribute(chosen, answer, on_unsupported=on_unsupported), chosen)

        return await self._worked(work)

    async def check(
        self,
        claims: Annotated[list[str], Field(description="Sentences, each judged by itself.", min_length=1)],
        documents: Names = None,
        where: Where = None,
    ) -> Annotated[CallToolResult, ResultShape]:
        """Judge claims: supported, partially supported, not supported or contradicted by the documents, and why."""

        def work() -> CallToolResult:
            chosen = self._chosen(claims, documents, where)
            return self._result(tuple(pipeline.check(chosen, claims)), chosen)

        return await self._worked(work)

    async def audit(
        self,
        response: Annotated[str, Field(description="Its text with [n] marks, or the JSON of a service's reply.")],
        question: Annotated[str | None, Field(description="What was asked, if known.")] = None,
        documents: Names = None,
        where: Where = None,
    ) -> Annotated[CallToolResult, AuditShape]:
        """Audit the citations of somebody else's response: which exist, which support their words, and mend them."""

        def work() -> CallToolResult:
            chosen = self._chosen([question or response], documents, where)
            found = scores.audit(response, chosen, question=question, ordered=documents is not None)
            name = self._keep(found.fixed, chosen)
            shape = AuditShape.of(name, found, chosen)
            return _answered(shape.text(shapes.text(name, found.fixed, chosen)), shape)

        return await self._worked(work)

    async def library(
        self,
        query: Annotated[str, Field(description="Words or a question.", min_length=1)],
        where: Where = None,
        most: Annotated[int, Field(description="How many paragraphs.", ge=1, le=50)] = 8,
    ) -> Annotated[CallToolResult, PassagesShape]:
        """Search all documents of the library for the paragraphs that fit best, each with its document and page."""

        def work() -> CallToolResult:
            found = self._library.search(query, most, where)
            entries = {entry.id: entry for entry, _ in found}
            opened = dict(zip(entries, self._library.documents(list(entries.values())), strict=True))
            passages = [PassageShape.of(entry, opened[entry.id], hit.start) for entry, hit in found]
            text = shapes.quoted("\n".join(passage.line() for passage in passages) or "No paragraph has these words.")
            return _answered(f"{text}\n\n{shapes.NOTICE}", PassagesShape(passages))

        return await self._worked(work)

    async def open_page(
        self,
        result: Annotated[str | None, Field(description="The name of a result, whose evidence is marked.")] = None,
        evidence: Annotated[int | None, Field(description="The number of a piece of evidence: shows its page.")] = None,
        document: Annotated[str | None, Field(description="Else a document, by id, file name or title.")] = None,
        page: Annotated[int | None, Field(description="The page, from 1.", ge=1)] = None,
    ) -> CallToolResult:
        """Show a page of a PDF as it looks, with the evidence of a result marked on it."""
        return await self._worked(partial(self._page, result, evidence, document, page))

    async def _worked(self, work: Callable[[], CallToolResult]) -> CallToolResult:
        """Do work beside the event loop; what goes wrong is told in our words.

        A cancelled request is let go of at once; reading stops after the document that it is at.
        """
        try:
            return await to_thread.run_sync(work, abandon_on_cancel=True)
        except CitewellError as error:
            message = str(error).replace(self._library.place, "the library")
            raise ToolError(safe.clean(one_line(f"{type(error).__name__}: {safe.redact_spec(message)}"))) from error

    def _added(self, files: Callable[[], Sequence[str | File]], tell: Callable[[int, int], None]) -> CallToolResult:
        sources = files()
        if not sources:
            raise UsageError("the folder holds no file of a format that is read")
        failed: list[str] = []
        with self._adding:
            known = {entry.content for entry in self._library.entries()}
            self._library.add(mcp_files.each(sources, known, failed, tell))
        names = {source if isinstance(source, str) else source.source for source in sources}
        entries = [entry for entry in self._library.entries() if entry.source in names]
        if failed and not entries:
            raise DocumentError("; ".join(failed))
        return _listed(entries, failed)

    def _chosen(self, texts: Sequence[str], documents: Sequence[str] | None, where: str | None) -> list[Document]:
        """The documents that a call is about."""
        if not self._library.entries():
            raise UsageError("no document has been read: use the tool read first")
        if documents and where:
            raise UsageError("documents and where exclude each other: both choose documents")
        entries = [self._named(name) for name in documents] if documents else self._library.about(texts, where)
        return self._library.documents(list({entry.number: entry for entry in entries}.values()))

    def _named(self, name: str) -> Entry:
        """A document by its id, its file's name or its title; the name never reaches the file system."""
        entries, wanted = self._library.entries(), one_line(name).casefold()
        for called in (lambda entry: entry.id, shapes.shown_name, lambda entry: one_line(entry.title or "")):
            matches = {entry.id: entry for entry in entries if called(entry).casefold() == wanted}
            if len(matches) == 1:
                return next(iter(matches.values()))
            if matches:
                raise UsageError(f"{len(matches)} documents are called {name!r}: name one by its id")
        raise UsageError(f"no document is called {name!r}: the tool documents lists them")

    def _result(self, result: Answer | tuple[Verdict, ...], documents: Sequence[Document]) -> CallToolResult:
        """A result in words and as data, kept so that pages can show its evidence."""
        name = self._keep(result, documents)
        return _answered(shapes.text(name, result, documents), ResultShape.of(name, result, documents))

    def _keep(self, result: Answer | tuple[Verdict, ...], documents: Sequence[Document]) -> str:
        """Keep a result; the name by which it can be opened."""
        view = build_view(result, documents)
        self._results[view.answer.digest] = _KeptResult(result, view.answer.citations)
        while len(self._results) > _KEPT_RESULTS:
            self._results.popitem(last=False)
        return view.answer.digest

    def _page(
        self, result: str | None, evidence: int | None, document: str | None, number: int | None
    ) -> CallToolResult:
        kept = self._results.get(result) if result is not None else None
        if result is not None and kept is None:
            raise UsageError(f"no result is called {result!r}, or it is too long ago: ask again")
        if document is not None:
            entry = self._named(document)
        elif kept is not None and kept.citations:
            entry, number = self._cited(kept, evidence, number)
        else:
            raise UsageError("name a document and its page, or a result that has evidence")
        data, name = self._library.file(entry) or b"", shapes.shown_name(entry)
        if not pdf.is_pdf(data):
            raise UsageError(f"{name} is no PDF: only pages of PDFs can be shown")
        number, marked = number or 1, list[str]()
        if kept is not None:
            opened = self._library.documents([entry])[0]
            view = build_view(kept.result, [opened])
            data, _ = pdf.annotate(kept.result, opened, data)
            marked = [
                f"[{index}] “{safe.clean(one_line(citation.quote))}”"
                for index, citation in enumerate(kept.citations, 1)
                if citation.document_id == entry.id and number in view.pages(citation)
            ]
        drawn = page_image.draw(data, number, name)
        message = f"Page {number} of {drawn.pages} of {name}. " + (
            "\n".join(("Marked:", *map(shapes.quoted, marked), shapes.NOTICE)) if marked else "Nothing is marked on it."
        )
        picture = ImageContent(type="image", data=base64.b64encode(drawn.png).decode("ascii"), mime_type="image/png")
        return CallToolResult(content=[picture, TextContent(type="text", text=message)])

    def _cited(self, kept: _KeptResult, evidence: int | None, number: int | None) -> tuple[Entry, int]:
        """The document and the page of a piece of evidence, the first one that has a page where none is named."""
        placed = [index for index, citation in enumerate(kept.citations, 1) if citation.page]
        chosen = evidence or next(iter(placed), 1)
        if not 1 <= chosen <= len(kept.citations):
            raise UsageError(f"the result has the evidence 1 to {len(kept.citations)}, and no {chosen}")
        citation = kept.citations[chosen - 1]
        if citation.page is None:
            raise UsageError(f"evidence {chosen} has no page: its document has none")
        entry = next((entry for entry in self._library.entries() if entry.id == citation.document_id), None)
        if entry is None:
            raise UsageError(f"the document of evidence {chosen} is no longer in the library")
        return entry, number or citation.page


def server(library: Library, *, over_http: bool = False, llm: str | None = None) -> MCPServer:
    """The server over a library; `over_http` its tool `read` takes bytes, and else paths."""
    from importlib.metadata import version

    tools = Tools(library, llm)
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
    """Serve on this machine alone until it is stopped; `ready` is told the address.

    Raises:
        UsageError: the port is taken.
    """
    import uvicorn

    app = server(library, over_http=True, llm=llm).streamable_http_app(max_request_body_size=_LARGEST_BODY)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {error.strerror or error}") from error
        listening.listen()
        ready(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp")
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5)
        uvicorn.Server(config).run(sockets=[listening])


def _answered(text: str, shape: DocumentsShape | ResultShape | AuditShape | PassagesShape) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=asdict(shape))


def _listed(entries: Sequence[Entry], failed: Sequence[str]) -> CallToolResult:
    listed = [DocumentShape.of(entry) for entry in entries]
    lines = [document.line() for document in listed] or ["No document."]
    failures = [safe.clean(one_line(failure)) for failure in failed]
    text = shapes.quoted("\n".join((*lines, *(f"✗ {failure}" for failure in failures))))
    return _answered(text, DocumentsShape(listed, failures))


def _progress(ctx: Context) -> Callable[[int, int], None]:
    """Tells the client how many documents are read, and stops where the request was cancelled."""

    def tell(done: int, total: int) -> None:
        from_thread.check_cancelled()
        from_thread.run(ctx.report_progress, done, total)

    return tell


def serve_stdio(library: Library, *, llm: str | None = None) -> None:
    """Serve the program that started this one, until it closes our standard input."""
    served: Any = server(library, llm=llm)
    served.run("stdio")
