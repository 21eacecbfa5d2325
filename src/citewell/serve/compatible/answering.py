"""In a worker: stores or only reads the documents of a compatible request, and answers from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from citewell import pipeline
from citewell.document import Document, names
from citewell.errors import UnknownModelError
from citewell.library.library import Library
from citewell.library.reading import Read
from citewell.library.store.records import Entry
from citewell.pipeline.conversation.follow_up import rewrite
from citewell.pipeline.conversation.talk import Conversation
from citewell.pipeline.conversation.threads import Thread
from citewell.serve import collections, keeping, threads
from citewell.serve.compatible import models
from citewell.serve.compatible.parts import Source
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.types import Partial


class Desk(Protocol):
    """The parts of a worker that an answer needs."""

    seconds: float

    def keep(self, library: Library, read: Read, by: Caller, most: int) -> Entry:
        """Store a document that was read."""

    def document(self, library: Library, entry: Entry) -> Document:
        """A document as it was read."""

    def entries(self, library: Library, verb: str, payload: dict[str, Any]) -> Sequence[Entry]:
        """The documents that a request refers to."""

    def chosen(self, llm: str | None, approach: str | None) -> str | None:
        """The language model of an answer."""


def answer(desk: Desk, library: Library, job: Job, tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """The answer and the ids of the request's documents; a stream sends the ids first."""
    payload = job.payload
    documents, unkept, doubt = list[Document](), set[str](), None
    turns, before = _before(library, job)
    for source in payload["sources"]:
        document, kept = _document(desk, library, job, source)
        documents.append(document)
        if not kept:
            unkept.add(document.id)
    ids = [document.id for document in documents]
    if not documents:
        where = collections.narrowed(library, payload, job.by)
        on = before and not payload["library"] and not payload["collection"]
        chosen = {"documents": [*before]} if on else {"library": True, "where": where}
        whole = rewrite(payload["question"], turns)
        entries = desk.entries(library, "ask", {**payload, **chosen, "question": whole})
        documents = [desk.document(library, entry) for entry in entries]
        doubt = None if "documents" in chosen or turns else library.doubt(whole, documents, where)
    known = {"documents": ids, "unkept": sorted(unkept), "titles": names(documents)}
    if payload["stream"]:
        tell(known)
    settings = payload["settings"]
    llm = desk.chosen(payload["llm"], settings.get("approach"))
    tokens = payload["max_tokens"]

    def heard(partial: Partial) -> None:
        tell(partial.to_dict())

    history = (*threads.history(turns), *payload["history"]) if payload["previous"] else payload["history"]
    hear = heard if payload["stream"] else None
    more = {"max_tokens": tokens, "history": history, **dict(payload["sampling"])} if llm else {}
    answering = pipeline.answering(llm=llm, **more, **settings)
    try:
        talk = Conversation(documents, turns=() if llm else turns, pipeline=answering)
        reply = talk.ask(payload["question"], hear, doubt)
    except UnknownModelError as error:
        raise models.unknown(payload["model"]) from error
    if payload["reply"] and payload["keep"]:
        ids = [document.id for document in documents if document.id not in unkept]
        threads.save(library, job.by, payload["reply"], (*turns, *talk.turns[-1:]) if llm else talk.turns, ids)
    return {"answer": reply.to_dict(), **known}


def _before(library: Library, job: Job) -> Thread:
    """The earlier turns: of the response that this one continues, or from the request's messages."""
    if previous := job.payload["previous"]:
        return threads.known(library, job.by, previous)
    return Thread(threads.of_history(job.payload["history"]))


def _document(desk: Desk, library: Library, job: Job, source: Source) -> tuple[Document, bool]:
    """A document of a request, and whether it is stored."""
    if source.kind == "id":
        return desk.document(library, keeping.entry(library, source.name, "documents")), True
    labels = job.labels
    if source.kind == "file":
        place = keeping.kept(source.data, source.name, labels).source
    else:
        document = _from_source(source)
        read = keeping.from_document(document, labels)
        place = read.file.source
    for entry in library.entries():
        if entry.source == place:
            return desk.document(library, entry), True
    if source.kind == "file":
        read = keeping.read(keeping.kept(source.data, source.name, labels), desk.seconds)
    if not job.payload["keep"]:
        return read.document, False
    return desk.document(library, desk.keep(library, read, job.by, job.payload["limit"])), True


def _from_source(source: Source) -> Document:
    if source.kind == "text":
        return Document.from_text(source.texts[0], source.title)
    return Document.from_passages(source.texts, source.title)
