"""The parts of the OpenAPI description beyond the types: texts, examples, errors."""

from __future__ import annotations

from typing import Any

from citewell.serve.histories import MEDIA
from citewell.serve.inferred import schema

_RECT = [[3, 72.0, 540.1, 523.2, 552.0]]
_CITATION: dict[str, Any] = {
    "document_id": "0123456789abcdef", "segment_id": "s12", "granularity": "sentence",
    "quote": "Revenue rose to $5.9bn in 2022.", "start": 1034, "end": 1065, "answer_start": 0, "answer_end": 31,
    "page": 3, "rects": _RECT, "score": 0.94, "method": "lexical",
}  # fmt: skip
_ADDED = {"id": "0123456789abcdef", "title": "Annual report", "pages": 12, "warnings": ["page 3 has no text"]}
_DOCUMENT = {
    **_ADDED, "source": "report.pdf", "sha256": "01…", "characters": 41034, "language": "en", "year": 2022,
    "size": 90112, "added": "2026-11-22T08:00:00+00:00", "labels": ["finance"], "workspace": "north", "owner": "ann",
    "data": {},
}  # fmt: skip
_INFO = {"id": "0123456789abcdef", "title": "Annual report", "sha256": "01…", "source": "report.pdf", "pages": 12}
_STATEMENT = {
    "text": "Revenue rose to $5.9bn in 2022.", "start": 0, "end": 31, "label": "quoted", "score": 0.97,
    "citations": [0], "reasons": [],
}  # fmt: skip
_VALUE: dict[str, Any] = {
    "text": "$5.9bn", "kind": "money", "number": 5.9, "unit": "USD", "scale": 1e9, "period": "2022", "citations": [0],
    "formula": None,
}  # fmt: skip
_ANSWER = {
    "schema_version": 2, "question": "What was revenue in 2022?", "text": "Revenue rose to $5.9bn in 2022.",
    "abstained": False, "abstention": None, "confidence": 0.91, "value": _VALUE, "statements": [_STATEMENT],
    "citations": [_CITATION], "documents": [_INFO], "method": "extractive | lexical", "usage": {"seconds": 0.012},
    "warnings": [],
}  # fmt: skip

SERVICE = (
    "Answers questions about long documents; every statement points at its evidence, or the service abstains. "
    "Documents are named by the ids that adding them gives. Offsets are code points, from 0, without the end; pages "
    "count from 1; rectangles are page, x0, y0, x1, y1 in points from the top left."
)
UPLOAD = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["text"],
                    "additionalProperties": False,
                    "properties": {
                        "text": {"type": "string", "minLength": 1, "pattern": r"\S"},
                        "title": {"type": ["string", "null"], "maxLength": 1000},
                    },
                    "examples": [{"text": "Revenue rose to $5.9bn in 2022.", "title": "Annual report"}],
                }
            },
        },
    }
}


def reply(example: Any, status: int = 200, media: str = "application/json") -> dict[int | str, dict[str, Any]]:
    """A response described by an example, from which its schema is inferred."""
    content: dict[str, Any] = {media: {"schema": schema(example), "example": example}}
    return {status: {"description": "As it should be.", "content": content}}


def _error(what: str, kind: str, message: str, field: str | None = None) -> dict[str, Any]:
    fields = {"type": "object", "required": ["type", "message", "field"], "properties": {
        "type": {"type": "string"}, "message": {"type": "string"}, "field": {"type": ["string", "null"]}}}  # fmt: skip
    shape = {"type": "object", "required": ["error"], "properties": {"error": fields}}
    example = {"error": {"type": kind, "message": message, "field": field}}
    return {"description": what, "content": {"application/json": {"schema": shape, "example": example}}}


ERRORS: dict[int | str, dict[str, Any]] = {
    401: _error("A token is missing or wrong.", "TokenError", "this service wants a token"),
    403: _error("The token does not allow it, or another origin asks.", "ForbiddenError", "…"),
    404: _error("It is not there.", "NotFoundError", "there is no document 'x'", "documents"),
    422: _error("The request or the document cannot be used.", "UsageError", "the question is empty", "question"),
    429: _error("Too many requests wait: see Retry-After.", "BusyError", "too many requests are waiting"),
    "default": _error("Another error.", "InternalError", "an error inside the service"),
}
HEALTH = reply({"status": "ok", "live": True, "ready": True, "token": False, "login": False})
LIVE = reply({"live": True})
_CHECKS = {"workers": True, "queue": True, "disk": True, "store": True, "files": True}
READY = reply({"ready": True, "checks": _CHECKS}) | reply({"ready": False, "checks": {**_CHECKS, "store": False}}, 503)
METRICS = reply('citewell_requests_total{method="POST",route="/v1/ask",status="200"} 12\n', media="text/plain")
ADDED = reply(_ADDED, 201)
LISTED = reply({"documents": [_DOCUMENT], "next": None})
DOCUMENT = reply(_DOCUMENT)
PAGE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture.", "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
}
_ENTRY = {
    "id": "0640c5f0a2b3c1d2e3f405162738495a", "kind": "ask", "title": "What was revenue in 2022?",
    "created": "2026-11-22T08:00:00+00:00", "documents": [{"id": "0123456789abcdef", "title": "Annual report"}],
    "labels": {"quoted": 1}, "who": "ann", "shared": False, "thread": None,
}  # fmt: skip
HISTORY_ENTRY = reply(_ENTRY)
HISTORY = reply({"entries": [_ENTRY], "next": None})
KEPT = reply({**_ENTRY, "request": {"documents": ["0123456789abcdef"], "question": "…"}, "result": _ANSWER})
EXPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {
            media.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}} for media in MEDIA.values()
        },
    }
}
_CORRECTION = {
    "id": "0640c5f0b1b3c1d2e3f405162738495a", "history": _ENTRY["id"], "who": "ann",
    "created": "2026-11-22T08:01:00+00:00", "statement": 0, "claim": "Revenue rose to $5.9bn in 2022.",
    "was": "supported", "label": "contradicted", "moved": False, "note": None,
    "citations": [{"document_id": "0123456789abcdef", "start": 1034, "end": 1048, "quote": "Revenue rose…"}],
}  # fmt: skip
CORRECTED = reply(_CORRECTION, 201)
CORRECTIONS = reply({"corrections": [_CORRECTION], "next": None})
CORRECTION_LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "A JSON object a line.", "content": {"application/jsonl": {"schema": {"type": "string"}}}}
}
_FAILURE = {
    "id": "0640c5f0a2b3c1d2e3f405162738495a", "name": "report.pdf", "type": "CorruptDocumentError",
    "message": "report.pdf is damaged", "at": "2026-11-22T08:00:00+00:00", "owner": "ann", "labels": ["board"],
    "workspace": "north",
}  # fmt: skip
FAILURES = reply({"failures": [_FAILURE], "next": None})
_HEARD = (
    "retry: 2000\n\nid: 9f2c41d07be35a68\nevent: document\n"
    'data: {"change": "removed", "id": "0123456789abcdef", "document": null}\n\n'
)
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events, as docs/service.md describes them.",
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _HEARD}},
    }
}
_SIZE = {"page": 3, "width": 595.28, "height": 841.89, "start": 990, "end": 3120}
_LINE = {"start": 1034, "end": 1065, "text": "Revenue rose to $5.9bn in 2022.", "rect": [72.0, 540.1, 523.2, 552.0]}
_ROW = {"head": False, "cells": [{"start": 32, "end": 39, "column": 0, "rows": 1, "columns": 1}]}
PAGES = reply({"drawn": True, "pages": [_SIZE]})
LINES = reply({**_SIZE, "lines": [_LINE]})
TEXT = reply({"text": "Revenue rose to $5.9bn in 2022.\nRevenue | 5.9",
             "blocks": [{"kind": "paragraph", "level": 0, "start": 0, "end": 31}],
             "tables": [{"start": 32, "end": 45, "rows": [_ROW]}]})  # fmt: skip
PLACE = reply({name: _CITATION[name] for name in ("document_id", "start", "end", "page", "rects", "quote")})
FIND = reply({"count": 12, "matches": [{"start": 1034, "end": 1041, "page": 3}]})
_CHOICE = {"name": "lexical", "summary": "…"}
SETTINGS = reply({
    "version": "0.1.0", "llm": None, "scopes": ["read", "write"], "carries": [], "users": False, "models": [],
    "promises": [],
    "granularities": ["sentence"],
    "choices": {"method": [_CHOICE], "checker": [_CHOICE], "approach": [_CHOICE]},
    "limits": {"upload": 268435456, "body": 16777216, "documents": 10000},
})  # fmt: skip
ANSWER = reply(_ANSWER)
ANSWER[200]["headers"] = {
    "x-citewell-history": {"description": "Where it was to be kept: its id.", "schema": {"type": "string"}}
}
ANSWER[200]["content"]["text/event-stream"] = {"schema": {"type": "string"}}
_REASON: dict[str, Any] = {
    "kind": "direction", "start": 8, "end": 12, "evidence": None, "message": "says fell; the evidence says rose"
}  # fmt: skip
_VERDICT: dict[str, Any] = {
    "claim": "Revenue fell.", "label": "contradicted", "score": 0.03, "citations": [_CITATION], "uncovered": [],
    "method": "lexical", "warnings": [], "failed": None, "reasons": [_REASON],
}  # fmt: skip
VERDICTS = reply(
    {"schema_version": 2, "verdicts": [_VERDICT], "documents": [_INFO], "warnings": [], "usage": {"digest": "01…"}}
)
_COUNTS = {"citations": 2, "exist": 2, "support": 1, "statements": 1, "supported": 1, "missing": 0}
_CHECKED: dict[str, Any] = {
    "text": "Revenue rose to $5.9bn in 2022.", "start": 0, "end": 31, "label": "supported", "score": 0.97, "cited": 2,
    "missing": False, "suggested": [], "reasons": [],
}  # fmt: skip
_AUDITED: dict[str, Any] = {
    "statement": 0, "answer_start": 0, "answer_end": 31, "exists": True, "supports": True, "label": "supported",
    "score": 0.97, "problem": None, "remark": None, "citation": _CITATION,
}  # fmt: skip
AUDIT = reply({
    "format": "plain", "text": "Revenue rose to $5.9bn in 2022.", "declined": False, "precision": 0.5, "recall": 1.0,
    "counts": _COUNTS, "statements": [_CHECKED], "citations": [_AUDITED], "fixed": _ANSWER, "warnings": [],
})  # fmt: skip
_DETAIL: dict[str, Any] = {"text": "Annual report", "citation": _CITATION}
_HEADING = {"title": "The year at a glance", "level": 2, "start": 102, "end": 122, "page": 2}
_FIGURE: dict[str, Any] = {"name": "Revenue", "text": "$5.9bn", "citations": [_CITATION]}
_SUGGESTED: dict[str, Any] = {
    "question": "What was revenue in 2022?", "answer": "Revenue rose to $5.9bn in 2022.", "value": "$5.9bn",
    "confidence": 0.91, "citations": [_CITATION],
}  # fmt: skip
OVERVIEW = reply({
    "schema_version": 1, "document": _INFO, "kind": "annual report", "title": _DETAIL, "author": _DETAIL,
    "date": _DETAIL, "period": _DETAIL, "language": "en", "outline": [_HEADING], "statements": [_CITATION],
    "figures": [_FIGURE], "questions": [_SUGGESTED], "seconds": 0.4,
})  # fmt: skip
REPORT = reply({"schema_version": 2, "ok": True, "citations": 1, "statements": 1, "documents": 1, "mismatches": []})
_JOB = {
    "id": "0640c5f0a2b3c1d2e3f405162738495a", "kind": "ask", "state": "running", "rows": 200, "done": 64, "failed": 0,
    "created": "2026-11-22T08:00:00+00:00", "error": None,
}  # fmt: skip
_ROWS = '{"id": 1, "library": true, "question": "What was revenue in 2022?"}\n'
ROWS = {
    "requestBody": {
        "required": True,
        "description": "A line of JSON each: the body of the same kind of request, with an id.",
        "content": {"application/jsonl": {"schema": {}, "example": _ROWS}},
    }
}
_USER = {
    "name": "ben", "workspace": "north", "role": "member", "labels": ["board"], "libraries": None,
    "created": "2026-11-22T08:00:00+00:00", "until": "2027-07-01T00:00:00+00:00",
}  # fmt: skip
_COLLECTION = {
    "id": "0640c5f0a2b3c1d2e3f405162738495a", "name": "Ferries", "owner": "ann", "members": ["ben"], "shared": False,
    "documents": 12, "created": "2026-11-22T08:00:00+00:00", "labels": ["board"], "workspace": "north",
}  # fmt: skip
COLLECTIONS = reply({"collections": [_COLLECTION], "next": None})
COLLECTION = reply(_COLLECTION)
COLLECTION_MADE = reply(_COLLECTION, 201)
USERS = reply({"users": [_USER], "next": None})
USER = reply(_USER)
USER_MADE = reply({"token": "…"}, 201)
LIBRARIES = reply({"libraries": [{"name": "reports", "documents": 12}], "next": None})
JOB_BEGUN = reply(_JOB, 202)
JOBS = reply({"jobs": [_JOB], "next": None})
JOB = reply(_JOB)
JOB_RESULTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "A line a row.", "content": {"application/jsonl": {"schema": {"type": "string"}}}}
}
