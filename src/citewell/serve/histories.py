"""Saved results in a worker: store, list, return, export and remove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from citewell.errors import LibraryError
from citewell.export import bibtex, html, markdown, pdf
from citewell.export.bibtex import Reference
from citewell.export.view import build_view
from citewell.library.history import History, Record
from citewell.library.kept import KeptResult
from citewell.library.library import Library
from citewell.library.store.records import Entry
from citewell.serve import keeping
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller
from citewell.serve.pool import Job
from citewell.text import safe
from citewell.types import DocumentInfo, Field

MEDIA = {
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "bibtex": "application/x-bibtex; charset=utf-8",
    "csl": "application/vnd.citationstyles.csl+json",
}


class Owned(NamedTuple):
    """The reply to a request whose result is saved, with its id."""

    body: bytes
    history: str


def of(library: Library, caller: Caller) -> History:
    """The saved results of a library that the caller may see."""
    return History(library, caller.name, everybodys=caller.admin)


def room(library: Library, caller: Caller, most: int) -> None:
    """Check that the caller may save another result, before any work is done. Raises Fault: there are as many."""
    if of(library, caller).size >= most:
        raise Fault(409, "FullError", f"there are {most} kept results already: remove some first", "keep")


def keep(library: Library, job: Job, result: Mapping[str, Any], documents: Sequence[Entry]) -> str:
    """Save a result; returns its id. Raises Fault: a document was removed meanwhile."""
    verb, payload = job.verb, job.payload
    title, statements, words = _words(verb, payload, result)
    counts = Counter(str(statement["label"]) for statement in statements)
    record = Record(verb, title, payload["asked"], result, counts, words, documents)
    try:
        return of(library, job.by).keep(record)
    except LibraryError as error:
        raise lacks("a document was removed while it was being read", "documents") from error


def _words(
    verb: str, payload: Mapping[str, Any], result: Mapping[str, Any]
) -> tuple[str, Sequence[Mapping[str, Any]], list[str]]:
    """The title of a result, its statements, and its searchable text."""
    if verb == "check":
        claims = payload["claims"]
        more = f" (and {len(claims) - 1} more)" if len(claims) > 1 else ""
        return claims[0] + more, result["verdicts"], claims
    question, text = payload["question"], str(result["text"])
    return question or text, result["statements"], [question or "", text]


def do(library: Library, verb: str, payload: Mapping[str, Any], caller: Caller) -> bytes:
    """Handle a request about saved results."""
    history = of(library, caller)
    if verb == "history":
        limit = payload["limit"]
        entries = history.entries(payload["q"], limit + 1, payload["before"], payload["thread"])
        rest = entries[limit - 1].id if len(entries) > limit else None
        return safe.encoded({"entries": [summary.to_dict() for summary in entries[:limit]], "next": rest})
    if verb == "history entry":
        return safe.encoded(entry(history, payload["id"]).to_dict())
    if verb == "history export":
        return _exported(library, entry(history, payload["id"]), payload["as"], payload["document"])
    name = payload.get("id")
    sharing = verb == "history share"
    changed = history.share(payload["id"], shared=payload["shared"]) if sharing else history.delete(name)
    if name is not None and not changed:
        entry(history, name)
        raise Fault(403, "ForbiddenError", "this kept result is not yours to change or remove")
    return safe.encoded(entry(history, payload["id"]).summary.to_dict()) if sharing else b""


def entry(history: History, name: str, field: str = "id") -> KeptResult:
    """A saved result that the caller may see. Raises Fault: there is none."""
    kept = history.entry(name)
    if kept is None:
        raise lacks(f"there is no kept result {name[:64]!r}", field)
    return kept


def references(kept: KeptResult, years: Mapping[str, int] | None = None) -> list[Reference]:
    """The documents that a saved result cites."""
    fixed = kept.result["fixed"] if kept.summary.kind == "audit" else kept.result
    infos = Field(fixed)["documents"].each(DocumentInfo.read)
    return bibtex.references(build_view(kept.value).answer.citations, infos, years)


def _exported(library: Library, kept: KeptResult, form: str, document: str | None) -> bytes:
    if form == "json":
        return safe.encoded(kept.to_dict())
    known = {entry.id: entry for entry in library.entries()}
    if form in ("bibtex", "csl"):
        cited = references(kept, {name: entry.year for name, entry in known.items() if entry.year})
        return safe.encoded(bibtex.csl(cited)) if form == "csl" else bibtex.bibtex(cited).encode()
    entries = [known[document["id"]] for document in kept.summary.documents if document["id"] in known]
    if form == "pdf":
        return _annotated(library, kept, entries, document)
    documents, value = [keeping.opened(library, entry) for entry in entries], kept.value
    page = html.render(value, documents) if form == "html" else markdown.render(value, documents) + "\n"
    return page.encode("utf-8", "replace")


def _annotated(library: Library, kept: KeptResult, entries: Sequence[Entry], wanted: str | None) -> bytes:
    """The requested PDF, or the first cited one, with its evidence marked."""
    named = {entry.id: entry for entry in entries}
    for name in [wanted] if wanted else [reference.document.id for reference in references(kept)]:
        data = library.file(named[name]) if name in named else None
        if data is not None and pdf.is_pdf(data):
            return pdf.annotate(kept.value, keeping.opened(library, named[name]), data)[0]
    raise lacks("the result cites no PDF that could be marked", "document")
