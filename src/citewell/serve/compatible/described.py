"""The OpenAPI description of the compatible endpoints: examples, streams, errors."""

from __future__ import annotations

from typing import Any

from citewell.serve.inferred import schema as shape

_TEXT = "Revenue rose to $5.9bn in 2022."
_URL = "http://127.0.0.1:8710/#document=0123456789abcdef&start=1034&end=1065"
_NOTE = {"title": "Annual report, page 3", "url": _URL, "start_index": 0, "end_index": 31}
_PLACE = {
    "type": "page_location", "cited_text": _TEXT, "document_index": 0, "document_title": "Annual report",
    "file_id": None, "start_page_number": 3, "end_page_number": 4,
}  # fmt: skip
_CHARACTERS = {
    "type": "char_location", "cited_text": _TEXT, "document_index": 0, "document_title": "Annual report",
    "file_id": None, "start_char_index": 0, "end_char_index": 31,
}  # fmt: skip
_RESULT = {
    "type": "search_result_location", "cited_text": _TEXT, "search_result_index": 0, "source": "https://example.org/a",
    "title": "Annual report", "start_block_index": 0, "end_block_index": 1,
}  # fmt: skip
_PLACES = [_PLACE, _CHARACTERS, _RESULT]
_MODEL = {"id": "citewell", "object": "model", "created": 1767225600, "owned_by": "citewell"}
_EXTENSION = {"schema_version": 2, "text": _TEXT, "abstained": False}


def _error(what: str, kind: str) -> dict[str, Any]:
    error = {"type": "object", "required": ["type", "message"], "properties": {"message": {"type": "string"}}}
    schema = {"type": "object", "required": ["error"], "properties": {"error": error}}
    example = {"error": {"message": "…", "type": kind, "param": None, "code": None}}
    return {"description": what, "content": {"application/json": {"schema": schema, "example": example}}}


_ERRORS: dict[int | str, dict[str, Any]] = {
    400: _error("The request or a document in it cannot be used.", "invalid_request_error"),
    401: _error("A token is missing or wrong.", "authentication_error"),
    403: _error("The token does not allow it, or another origin asks.", "permission_error"),
    404: _error("There is no such model or document.", "not_found_error"),
    422: {"description": "Never: what cannot be used is told by 400."},
    429: _error("Too many requests wait: see Retry-After.", "rate_limit_error"),
    "default": _error("Another error.", "api_error"),
}


def _reply(example: dict[str, Any], *, stream: bool = False) -> dict[int | str, dict[str, Any]]:
    content: dict[str, Any] = {"application/json": {"schema": shape(example), "example": example}}
    if stream:
        content["text/event-stream"] = {"schema": {"type": "string"}}
    return {**_ERRORS, 200: {"description": "As it should be.", "content": content}}


CHAT = _reply(
    {
        "id": "chatcmpl-01", "object": "chat.completion", "created": 1767225600, "model": "citewell",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {
            "role": "assistant", "content": _TEXT, "refusal": None,
            "annotations": [{"type": "url_citation", "url_citation": _NOTE}]}}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, "citewell": _EXTENSION,
    },
    stream=True,
)  # fmt: skip
RESPONSES = _reply(
    {
        "id": "resp_01", "object": "response", "created_at": 1767225600, "model": "citewell", "status": "completed",
        "output": [{"id": "msg_01", "type": "message", "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "text": _TEXT, "annotations": [{"type": "url_citation", **_NOTE}]},
            {"type": "refusal", "refusal": "The documents do not say."}]}],
        "parallel_tool_calls": False, "tool_choice": "none", "tools": [], "citewell": _EXTENSION,
    },
    stream=True,
)  # fmt: skip
MESSAGES = _reply(
    {
        "id": "msg_01", "type": "message", "role": "assistant", "model": "citewell", "stop_reason": "end_turn",
        "stop_sequence": None, "content": [{"type": "text", "text": _TEXT, "citations": _PLACES}],
        "usage": {"input_tokens": 0, "output_tokens": 0}, "citewell": _EXTENSION,
    },
    stream=True,
)  # fmt: skip
TOKENS = _reply({"input_tokens": 42})
MODELS = _reply({"object": "list", "data": [_MODEL]})
MODEL = _reply(_MODEL)
_FILE = {
    "id": "0123456789abcdef", "object": "file", "bytes": 120_034, "created_at": 1_795_000_000,
    "filename": "report.pdf", "purpose": "user_data", "status": "processed",
}  # fmt: skip
_BYTES = {"type": "string", "format": "binary"}
_FORM = {"type": "object", "required": ["file"], "properties": {"file": _BYTES}}  # other fields are left alone
UPLOAD = {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}}}
FILE = _reply(_FILE)
FILES = _reply({"object": "list", "data": [_FILE], "has_more": False})
CONTENT = {
    **_ERRORS,
    200: {"description": "The bytes as they came.", "content": {"application/octet-stream": {"schema": _BYTES}}},
}
FILE_GONE = _reply({"id": "0123456789abcdef", "object": "file", "deleted": True})
