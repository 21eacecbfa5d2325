"""The work of a worker process: one function per verb, from plain values to the bytes of the reply."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import connection
from pathlib import Path
from typing import Any, TypeVar

from citewell import pipeline, registry
from citewell.audit import scores
from citewell.audit import verify as verifying
from citewell.document import Document
from citewell.errors import CitewellError, InUseError, UsageError
from citewell.export import page_image
from citewell.library.library import Library
from citewell.library.reading import Read
from citewell.library.store.records import Entry
from citewell.pipeline.conversation.follow_up import rewrite
from citewell.pipeline.conversation.talk import Conversation
from citewell.pipeline.conversation.threads import Thread
from citewell.pipeline.overview.describe import overview
from citewell.serve import (
    collections,
    corrections,
    failures,
    faults,
    histories,
    keeping,
    layout,
    log,
    mcp_tools,
    paging,
    stock,
    threads,
)
from citewell.serve.compatible import answering
from citewell.serve.faults import Fault
from citewell.serve.histories import Owned
from citewell.serve.offered import NOTHING, Offered
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.text import safe
from citewell.text.memo import Recent
from citewell.types import Abstention, Answer, Partial, checked

_DOCUMENTS, _LIBRARIES = 16, 16  # that a worker holds open
_PATIENCE = 30.0  # seconds for which a change waits for another one
Tell = Callable[[dict[str, Any]], None]
_T = TypeVar("_T")


class Desk:
    """The libraries and documents that one worker keeps open."""

    def __init__(
        self,
        places: Mapping[str, str],
        llm: str | None,
        seconds: float,
        offered: Offered = NOTHING,
        files: str | None = None,
    ) -> None:
        self.seconds, self.places, self._llm, self._files = seconds, dict(places), llm, files
        offered.known()
        self._libraries = Recent[tuple[str, tuple[str, ...]], Library](_LIBRARIES, Library.close)
        self._documents = Recent[tuple[str, int], Document](_DOCUMENTS)

    def do(self, job: Job, tell: Tell) -> bytes | Owned:
        """The reply to a job."""
        library, payload = self._library(job.library or next(iter(self.places)), job.labels), job.payload
        if job.verb == "file":
            sent = keeping.kept(Path(payload["path"]).read_bytes(), payload["name"], job.labels)
            read = failures.read(library, sent, job.by, self.seconds, lambda n, of: tell({"pages": n, "of": of}))
            return safe.encoded(keeping.described(self.keep(library, read, job.by, payload["most"]), short=True))
        if job.verb == "text":
            read = keeping.from_document(Document.from_text(payload["text"], payload["title"]), job.labels)
            return safe.encoded(keeping.described(self.keep(library, read, job.by, payload["most"]), short=True))
        if job.verb == "count":
            return safe.encoded({"documents": len(keeping.distinct(library.entries()))})
        if job.verb == "lacking":
            return safe.encoded(sorted(set(payload["ids"]).difference(entry.id for entry in library.entries())))
        if job.verb == "look":
            return stock.look(library, payload)
        if job.verb == "list":
            listed = keeping.distinct(collections.documents(library, payload.get("collection"), job.by))
            rows, rest = paging.part(listed, keeping.cursor, payload.get("limit"), payload.get("after"))
            return safe.encoded({"documents": [keeping.described(entry) for entry in rows], "next": rest})
        if job.verb == "document":
            return safe.encoded(keeping.described(keeping.entry(library, payload["id"])))
        if job.verb == "content":
            entry = keeping.entry(library, payload["id"])
            file = library.file(entry) if keeping.called(entry) else None  # a text came without one
            return self.document(library, entry).text.encode() if file is None else file
        if job.verb == "remove":
            entries = keeping.removable(library, payload["id"], job.by)
            _patient(lambda: library.remove([entry.source for entry in entries]))
            return b""
        if job.verb in ("page", *layout.VERBS):
            entry = keeping.entry(library, payload["id"])
            file = library.file(entry)
            if job.verb == "page":
                return _drawn(file, payload["page"], payload["scale"])
            return safe.encoded(layout.describe(job.verb, self.document(library, entry), file, payload))
        if job.verb == "retry":
            return self._retried(library, job)
        if job.verb.startswith("failures"):
            reply = failures.do(library, job.verb, payload, job.by)
            if job.verb != "failures":
                _patient(library.database.settle)
            return reply
        if job.verb.startswith("history"):
            return histories.do(library, job.verb, payload, job.by)
        if job.verb.startswith("correction"):
            return corrections.do(library, job.verb, payload, job.by)
        if job.verb.startswith("collections"):
            return collections.do(library, job.verb, payload, job.by)
        if job.verb == "overview":
            return safe.encoded(overview(self.document(library, keeping.entry(library, payload["document"]))).to_dict())
        if job.verb == "tool":
            return safe.encoded(mcp_tools.work(self, library, job, self.chosen(self._llm, None)))
        if job.verb == "told":
            return safe.encoded(answering.answer(self, library, job, tell))
        if (most := payload.get("keep")) is not None:
            histories.room(library, job.by, most)
        thread = threads.load(library, job.by, payload["thread"], payload["drop"]) if payload.get("thread") else None
        whole = rewrite(payload["question"], thread.turns) if thread else None
        payload = {**payload, "where": collections.narrowed(library, payload, job.by)}
        job = job._replace(payload=payload)
        entries = self.entries(library, job.verb, {**payload, "question": whole} if whole else payload)
        if thread is not None:
            result = self._continued(library, job, entries, tell, thread)
        else:
            result = self._result(library, job.verb, payload, entries, tell)
        if most is None:
            return safe.encoded(result)
        name = histories.keep(library, job, result, entries)
        return Owned(safe.encoded({**result, "history": name} if payload.get("stream") else result), name)

    def _library(self, name: str, labels: tuple[str, ...]) -> Library:
        opened = partial(Library, self.places[name], labels=labels, create=True, files=self._files)
        return self._libraries.get((name, labels), opened)

    def keep(self, library: Library, read: Read, by: Caller, most: int) -> Entry:
        """Store a document unless its owner has too many; if the same bytes are there, their owner stays.

        Raises Fault: there is no room, or it cannot be kept.
        """
        entries = library.entries()
        if any(entry.source == read.file.source for entry in entries):
            added = _patient(lambda: library.add([read]))  # keeps owner and labels; read anew by newer readers
        else:
            if sum(keeping.owned(entry)[:2] == (by.name, by.labels) for entry in entries) >= most:
                raise Fault(409, "FullError", f"there are {most} documents already: remove some first")
            added = _patient(lambda: library.add([read], labels=by.labels, data={keeping.OWNER: by.name}))
        if added.failed:
            raise Fault(422, added.failed[0].type, added.failed[0].message, "file")
        return keeping.entry(library, read.document.id)

    def _retried(self, library: Library, job: Job) -> bytes:
        read = failures.again(library, failures.changing(library, job.payload["id"], job.by), self.seconds)
        added = _patient(lambda: library.add([read]))  # with the owner and labels that it failed with
        if added.failed:
            raise Fault(422, added.failed[0].type, added.failed[0].message, "id")
        return safe.encoded(keeping.described(keeping.entry(library, read.document.id), short=True))

    def _continued(
        self, library: Library, job: Job, entries: Sequence[Entry], tell: Tell, thread: Thread
    ) -> dict[str, Any]:
        """Continue a thread with a question."""
        payload = job.payload
        settings, documents = payload.get("settings", {}), [self.document(library, entry) for entry in entries]
        llm = self.chosen(self._llm if payload["llm"] else None, settings.get("approach"))
        hear = (lambda part: tell(part.to_dict())) if payload["stream"] else None
        talk = Conversation(documents, turns=thread.turns, pipeline=pipeline.answering(llm=llm, **settings))
        doubt = None if thread.turns else doubted(library, payload, payload["question"], documents)
        answer = talk.ask(payload["question"], hear, doubt)
        threads.save(library, job.by, payload["thread"], talk.turns, [document.id for document in documents])
        return answer.to_dict()

    def _result(
        self, library: Library, verb: str, payload: dict[str, Any], entries: Sequence[Entry], tell: Tell
    ) -> dict[str, Any]:
        settings, documents = payload.get("settings", {}), [self.document(library, entry) for entry in entries]
        if verb == "ask":
            llm = self.chosen(self._llm if payload["llm"] else None, settings.get("approach"))
            heard = (lambda partial: tell(partial.to_dict())) if payload["stream"] else None
            doubt = doubted(library, payload, payload["question"], documents)
            return pipeline.ask(documents, payload["question"], llm=llm, tell=heard, doubt=doubt, **settings).to_dict()
        if verb == "attribute":
            answer = pipeline.attribute(documents, payload["answer"], payload["question"], **settings)
            for partial in Partial.each(answer) if payload["stream"] else ():
                tell(partial.to_dict())
            return answer.to_dict()
        if verb == "check":
            judging = pipeline.Pipeline(**settings)
            verdicts = judging.check(documents, payload["claims"])
            return checked.to_dict(verdicts, documents, judging.record("checked"))
        if verb == "audit":
            judging = pipeline.Pipeline(**settings)
            known = {"question": payload["question"], "ordered": not payload["library"]}
            return scores.audit(payload["response"], documents, pipeline=judging, **known).to_dict()
        return verifying.verify(Answer.from_dict(payload["answer"]), documents).to_dict()

    def chosen(self, llm: str | None, approach: str | None) -> str | None:
        """The language model of an answer, None for the extractive reader.

        Raises Fault: the approach needs one, and there is none.
        """
        alone = approach is not None and registry.parse(approach).name == "extractive"
        if approach is not None and not alone and not llm:
            raise Fault(422, "UsageError", f"{approach} needs a language model, and there is none here", "approach")
        return None if alone else llm

    def entries(self, library: Library, verb: str, payload: dict[str, Any]) -> list[Entry]:
        """The documents that a request names, or those of the library that its text is about."""
        if verb == "verify":
            saved = Answer.from_dict(payload["answer"])
            return _named(library, payload["documents"] or list(dict.fromkeys(known.id for known in saved.documents)))
        if payload.get("documents"):
            return _named(library, payload["documents"])
        return library.about(_texts(verb, payload), payload["where"], payload["most"])

    def document(self, library: Library, entry: Entry) -> Document:
        """A document, from a bounded cache."""
        return self._documents.get((library.place, entry.number), partial(keeping.opened, library, entry))


def doubted(
    library: Library, payload: Mapping[str, Any], question: str, documents: Sequence[Document]
) -> Abstention | None:
    """The reason to abstain because the question could mean several documents; None if the request names them."""
    return None if payload.get("documents") else library.doubt(question, documents, payload.get("where"))


def _named(library: Library, names: Sequence[str]) -> list[Entry]:
    return [keeping.entry(library, name, "documents") for name in names]


def _texts(verb: str, payload: dict[str, Any]) -> list[str]:
    """The texts by which the library is searched."""
    if verb == "ask":
        return [payload["question"]]
    if verb == "attribute":
        return keeping.statements(payload["answer"])
    if verb == "check":
        return list(payload["claims"])
    response = payload["response"]
    return [response if isinstance(response, str) else safe.dumps(response)]


def work(
    places: Mapping[str, str],
    llm: str | None,
    seconds: float,
    offered: Offered,
    files: str | None,
    pipe: connection.Connection[Any, Any],
) -> None:
    """Work until the other end of the pipe closes."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)  # the service is told, lets work end, and ends us
    with suppress(OSError, AttributeError):
        os.setpgid(0, 0)
        threading.Thread(target=_end_with_service, daemon=True).start()
    log.adopt()
    desk = Desk(places, llm, seconds, offered, files)
    for library in places:
        desk.do(Job("count", (), {}, library=library), lambda _: None)
    pipe.send(("ready", None))
    _warm()
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        reply = done(desk, job, lambda partial: pipe.send(("told", partial)))
        try:
            pipe.send(reply)
        except OSError:
            return


def _end_with_service() -> None:
    """End this process and its children if the service is killed."""
    if (service := multiprocessing.parent_process()) is not None:
        service.join()
        os.killpg(0, signal.SIGKILL)


def _warm() -> None:
    """Load in advance what the first question needs."""
    document = Document.from_text("Ships sailed north in 2021.")
    with suppress(CitewellError):  # a question would say what is wrong
        pipeline.ask([document], "When did ships sail?")
        pipeline.check([document], "Ships sailed south in 2021.")


def done(desk: Desk, job: Job, tell: Tell) -> tuple[str, Any]:
    """The outcome of a job: `done` with the reply, or a `fault`. Internal errors are logged."""
    try:
        return "done", desk.do(job, tell)
    except Fault as fault:
        return "fault", fault
    except Exception as error:  # noqa: BLE001  (whatever it is, it is this request's result)
        reply = faults.of(error, desk.places.values())
        if reply.status >= 500:
            log.line("error", error, verb=job.verb, user=log.user(job.by.name))
        return "fault", reply


def _patient(change: Callable[[], _T]) -> _T:
    """Retry a change while another process changes the library."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return change()
        except InUseError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _drawn(file: bytes | None, page: int, scale: float) -> bytes:
    if file is None or not layout.is_pdf(file):
        raise faults.lacks("the document has no pages to show: it was not a PDF", "id")
    try:
        return page_image.draw(file, page, "the document", scale=scale).png
    except UsageError as error:
        raise faults.lacks(str(error), "n") from error
