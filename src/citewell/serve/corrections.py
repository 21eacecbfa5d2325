"""Corrections in a worker: validate against result and documents, store, list, export."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from citewell.errors import LibraryError
from citewell.library.history import History
from citewell.library.kept import Correction, KeptResult
from citewell.library.library import Library
from citewell.library.store.histories import new_id
from citewell.library.store.records import Entry, storable
from citewell.serve import histories, keeping, paging
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller
from citewell.text import safe


class _Statement(NamedTuple):
    """A statement of a saved result: its text, its label and its evidence."""

    claim: str
    label: str
    citations: Sequence[Mapping[str, Any]]


def do(library: Library, verb: str, payload: Mapping[str, Any], caller: Caller) -> bytes:
    """Handle a request about corrections."""
    history = histories.of(library, caller)
    if verb == "correction":
        return safe.encoded(_corrected(library, history, payload, caller.name).to_dict())
    if verb == "corrections":
        if payload["history"] is not None:
            histories.entry(history, payload["history"], "history")
        known = sorted(history.corrections(payload["history"]), key=_cursor)
        rows, rest = paging.part(known, _cursor, payload["limit"], payload["after"])
        return safe.encoded({"corrections": [correction.to_dict() for correction in rows], "next": rest})
    if verb == "corrections export":
        return "".join(safe.dumps(line(correction)) + "\n" for correction in history.corrections()).encode()
    if not history.withdraw(payload["id"]):
        if any(known.id == payload["id"] for known in history.corrections()):
            raise Fault(403, "ForbiddenError", "this correction is not yours to remove")
        raise lacks(f"there is no correction {payload['id']!r}", "id")
    return b""


def line(correction: Correction) -> dict[str, Any]:
    """A correction as a line of the export: evidence as text, and the correct label.

    Who gives other evidence and no label says that the label was right; who leaves a note alone says nothing of it.
    """
    label = correction.label or (correction.was if correction.moved else None)
    evidence = [cited["quote"] for cited in correction.citations]
    return {**correction.to_dict(), "label": label, "evidence": evidence}


def _cursor(correction: Correction) -> str:
    return f"{correction.created.isoformat(timespec='microseconds')} {correction.id}"


def _corrected(library: Library, history: History, payload: Mapping[str, Any], owner: str) -> Correction:
    if history.corrected >= payload["most"]:
        raise Fault(409, "FullError", f"there are {payload['most']} corrections already: remove some first")
    statement = _statement(histories.entry(history, payload["history"], "history"), payload["statement"])
    known = {entry.id: entry for entry in library.entries()}
    moved = payload["citations"] is not None
    citations = [_quoted(library, known, cited) for cited in payload["citations"]] if moved else statement.citations
    note = payload["note"]
    correction = Correction(
        new_id(), payload["history"], owner, dt.datetime.now(dt.UTC), payload["statement"], storable(statement.claim),
        statement.label, payload["label"], citations, moved, None if note is None else storable(note),
    )  # fmt: skip
    quoted = {cited["document_id"] for cited in citations}
    try:
        history.correct(correction, [known[name] for name in quoted if name in known])
    except LibraryError as error:
        raise lacks("what is corrected was removed meanwhile", "history") from error
    return correction


def _statement(kept: KeptResult, number: int) -> _Statement:
    """A statement of a saved result by number."""
    result = kept.result
    statements = result["verdicts" if kept.summary.kind == "check" else "statements"]
    if number >= len(statements):
        raise Fault(422, "UsageError", f"the result has {len(statements)} statements, from 0", "statement")
    statement = statements[number]
    if kept.summary.kind == "check":
        return _Statement(statement["claim"], statement["label"], [_place(cited) for cited in statement["citations"]])
    if kept.summary.kind == "audit":
        citations = [
            cited["citation"] for cited in result["citations"] if cited["statement"] == number and cited["citation"]
        ]
    else:
        citations = [result["citations"][index] for index in statement["citations"]]
    return _Statement(statement["text"], statement["label"], [_place(cited) for cited in citations])


def _place(cited: Mapping[str, Any]) -> dict[str, Any]:
    return {name: cited[name] for name in ("document_id", "start", "end")} | {"quote": storable(cited["quote"])}


def _quoted(library: Library, known: Mapping[str, Entry], cited: Mapping[str, Any]) -> dict[str, Any]:
    """A citation with its quote, after checking document and offsets."""
    name, start, end = cited["document_id"], cited["start"], cited["end"]
    if name not in known:
        raise lacks(f"there is no document {name[:64]!r}", "citations")
    text = keeping.opened(library, known[name]).text
    if not start < end <= len(text):
        raise Fault(422, "UsageError", f"a citation ends behind its start, and by {len(text)} at most", "citations")
    return _place({**cited, "quote": text[start:end]})
