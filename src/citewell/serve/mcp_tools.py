"""The implementation of the MCP tools, without the protocol: from a library and arguments to a reply.

What a document says stays data: each quote is one line of a reply, behind its number and place.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from citewell import pipeline
from citewell.audit import scores
from citewell.document import Document
from citewell.errors import DocumentError, UsageError
from citewell.export import page_image, pdf
from citewell.export.view import build_view, one_line
from citewell.library.library import Library
from citewell.library.reading import File, Read
from citewell.library.store.records import Entry
from citewell.pipeline.unsupported import Policy
from citewell.serve import keeping, mcp_files, shapes
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.serve.shapes import AuditShape, DocumentShape, DocumentsShape, PassageShape, PassagesShape, ResultShape
from citewell.text import safe, segments
from citewell.types import Answer, Verdict


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a tool."""

    text: str  # in words
    data: dict[str, Any] | None = None  # the same as plain data, None for a page
    png: bytes | None = None  # a page as a picture
    result: Answer | None = None  # what a page can show the evidence of


class Tools:
    """The tools over one library.

    Args:
        library: where documents are kept; it may be used from several threads.
        llm: the spec of a language model that writes answers; sentences are quoted where None.
    """

    def __init__(self, library: Library, llm: str | None = None) -> None:
        self._library, self._llm = library, llm
        self._adding = threading.Lock()

    def read(self, sources: Sequence[str | File], tell: Callable[[int, int], None]) -> Reply:
        """Read files into the library."""
        if not sources:
            raise UsageError("the folder contains no file in a supported format")
        failed: list[str] = []
        with self._adding:
            known = {entry.content for entry in self._library.entries()}
            self._library.add(mcp_files.each(sources, known, failed, tell))
        names = {source if isinstance(source, str) else source.source for source in sources}
        entries = [entry for entry in self._library.entries() if entry.source in names]
        if failed and not entries:
            raise DocumentError("; ".join(failed))
        return listed(entries, failed)

    def documents(self, where: str | None = None) -> Reply:
        """List the documents."""
        return listed(self._library.entries(where), [])

    def ask(
        self, question: str, documents: Sequence[str] | None, where: str | None, on_unsupported: Policy = "mark"
    ) -> Reply:
        """Answer a question, or abstain."""
        chosen = self._chosen([question], documents, where)
        doubt = None if documents else self._library.doubt(question, chosen, where)
        answer = pipeline.ask(chosen, question, llm=self._llm, on_unsupported=on_unsupported, doubt=doubt)
        return _told(answer, chosen)

    def attribute(
        self, answer: str, documents: Sequence[str] | None, where: str | None, on_unsupported: Policy = "mark"
    ) -> Reply:
        """Find the evidence of an answer."""
        statements = [answer[start:end] for start, end in segments.statements(answer)]
        chosen = self._chosen(statements or [answer], documents, where)
        return _told(pipeline.attribute(chosen, answer, on_unsupported=on_unsupported), chosen)

    def check(self, claims: Sequence[str], documents: Sequence[str] | None, where: str | None) -> Reply:
        """Judge claims."""
        chosen = self._chosen(claims, documents, where)
        return _told(tuple(pipeline.check(chosen, claims)), chosen)

    def audit(self, response: str, question: str | None, documents: Sequence[str] | None, where: str | None) -> Reply:
        """Audit the citations of a response."""
        chosen = self._chosen([question or response], documents, where)
        audited = scores.audit(response, chosen, question=question, ordered=documents is not None)
        result = build_view(audited.fixed, chosen).answer
        shape = AuditShape.of(result.digest, audited, chosen)
        text = shape.text(shapes.text(result.digest, audited.fixed, chosen))
        return Reply(text, asdict(shape), result=result)

    def search(self, query: str, where: str | None, most: int) -> Reply:
        """Search for paragraphs."""
        hits = self._library.search(query, most, where)
        entries = {entry.id: entry for entry, _ in hits}
        opened = dict(zip(entries, self._library.documents(list(entries.values())), strict=True))
        passages = [PassageShape.of(entry, opened[entry.id], hit.start) for entry, hit in hits]
        text = shapes.quoted("\n".join(passage.line() for passage in passages) or "No paragraph has these words.")
        return Reply(f"{text}\n\n{shapes.NOTICE}", asdict(PassagesShape(passages)))

    def open_page(self, result: Answer | None, evidence: int | None, document: str | None, page: int | None) -> Reply:
        """A page of a PDF, with the evidence of a result marked on it."""
        if document is not None:
            entry = self._named(document)
        elif result is not None and result.citations:
            entry, page = self._cited(result, evidence, page)
        else:
            raise UsageError("name a document and its page, or a result that has evidence")
        data, name = self._library.file(entry) or b"", shapes.shown_name(entry)
        if not pdf.is_pdf(data):
            raise UsageError(f"{name} is no PDF: only pages of PDFs can be shown")
        number, marked = page or 1, list[str]()
        if result is not None:
            opened = self._library.documents([entry])[0]
            view = build_view(result, [opened])
            data, _ = pdf.annotate(result, opened, data)
            marked = [
                f"[{index}] “{safe.clean(one_line(citation.quote))}”"
                for index, citation in enumerate(result.citations, 1)
                if citation.document_id == entry.id and number in view.pages(citation)
            ]
        drawn = page_image.draw(data, number, name)
        message = f"Page {number} of {drawn.pages} of {name}. " + (
            "\n".join(("Marked:", *map(shapes.quoted, marked), shapes.NOTICE)) if marked else "Nothing is marked on it."
        )
        return Reply(message, png=drawn.png)

    def _cited(self, result: Answer, evidence: int | None, number: int | None) -> tuple[Entry, int]:
        """The document and page of a piece of evidence; by default the first one with a page."""
        placed = [index for index, citation in enumerate(result.citations, 1) if citation.page]
        chosen = evidence or next(iter(placed), 1)
        if not 1 <= chosen <= len(result.citations):
            raise UsageError(f"the result has the evidence 1 to {len(result.citations)}, and no {chosen}")
        citation = result.citations[chosen - 1]
        if citation.page is None:
            raise UsageError(f"evidence {chosen} has no page: its document has none")
        entry = next((entry for entry in self._library.entries() if entry.id == citation.document_id), None)
        if entry is None:
            raise UsageError(f"the document of evidence {chosen} is no longer in the library")
        return entry, number or citation.page

    def _chosen(self, texts: Sequence[str], documents: Sequence[str] | None, where: str | None) -> list[Document]:
        """The documents that a call refers to."""
        if not self._library.entries():
            raise UsageError("no document has been read: use the tool read first")
        if documents and where:
            raise UsageError("documents and where exclude each other: both choose documents")
        entries = [self._named(name) for name in documents] if documents else self._library.about(texts, where)
        return self._library.documents(list({entry.number: entry for entry in entries}.values()))

    def _named(self, name: str) -> Entry:
        """A document by id, file name or title; the name never reaches the file system."""
        entries, wanted = self._library.entries(), one_line(name).casefold()
        for called in (lambda entry: entry.id, shapes.shown_name, lambda entry: one_line(entry.title or "")):
            matches = {entry.id: entry for entry in entries if called(entry).casefold() == wanted}
            if len(matches) == 1:
                return next(iter(matches.values()))
            if matches:
                raise UsageError(f"{len(matches)} documents are called {name!r}: name one by its id")
        raise UsageError(f"no document is called {name!r}: the tool documents lists them")


def listed(entries: Sequence[Entry], failed: Sequence[str]) -> Reply:
    """The reply that lists documents and failures."""
    documents = [DocumentShape.of(entry) for entry in entries]
    lines = [document.line() for document in documents] or ["No document."]
    failures = [safe.clean(one_line(failure)) for failure in failed]
    text = shapes.quoted("\n".join((*lines, *(f"✗ {failure}" for failure in failures))))
    return Reply(text, asdict(DocumentsShape(documents, failures)))


def _told(result: Answer | tuple[Verdict, ...], documents: Sequence[Document]) -> Reply:
    """A result as text and data, with the digest under which its pages can be opened."""
    view = build_view(result, documents).answer
    shape = ResultShape.of(view.digest, result, documents)
    return Reply(shapes.text(view.digest, result, documents), asdict(shape), result=view)


class Desk(Protocol):
    """What a worker of the service has."""

    seconds: float

    def keep(self, library: Library, read: Read, by: Caller, most: int) -> Entry:
        """Keep a document that was read."""


def work(desk: Desk, library: Library, job: Job, llm: str | None) -> dict[str, Any]:
    """The reply of a tool to a caller of the service, as plain data."""
    name, arguments = job.payload["tool"], job.payload["arguments"]
    if name == "read":
        file = mcp_files.file(**arguments)
        read = keeping.read(keeping.kept(file.data, file.source, job.labels), desk.seconds)
        reply = listed([desk.keep(library, read, job.by, job.payload["most"])], [])
    else:
        if arguments.get("result") is not None:
            arguments = arguments | {"result": Answer.from_dict(arguments["result"])}
        reply = getattr(Tools(library, llm), name)(**arguments)
    return {
        "text": reply.text,
        "data": reply.data,
        "png": None if reply.png is None else base64.b64encode(reply.png).decode("ascii"),
        "result": None if reply.result is None else reply.result.to_dict(),
    }
