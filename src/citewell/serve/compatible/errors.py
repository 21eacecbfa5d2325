"""Errors in the format of each protocol, and which protocol a request uses."""

from __future__ import annotations

from typing import Any, Literal

from starlette.datastructures import Headers
from starlette.types import Scope

from citewell.serve.faults import Fault
from citewell.text import safe

Protocol = Literal["openai", "anthropic"]
_OPENAI = ("/v1/chat/completions", "/v1/responses")
_BOTH = ("/v1/models", "/v1/files")
# What would end the same way again; clients try some of these again.
_STATUS = {409: 400, 415: 400, 421: 400, 422: 400, 501: 400}
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    405: "invalid_request_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
}


def protocol(scope: Scope) -> Protocol | None:
    """The protocol of a request, None for our own. Both clients use the same paths for files and models."""
    path = scope["path"]
    if _below(path, "/v1/messages"):
        return "anthropic"
    if any(_below(path, prefix) for prefix in _BOTH):
        return "anthropic" if "anthropic-version" in Headers(scope=scope) else "openai"
    return "openai" if any(_below(path, prefix) for prefix in _OPENAI) else None


def _below(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}/")


def shaped(fault: Fault, scope: Scope) -> tuple[int, dict[str, Any]]:
    """The status and body of an error in the protocol of the request."""
    spoken = protocol(scope)
    if spoken is None:
        return fault.status, fault.to_dict()
    status = _STATUS.get(fault.status, fault.status)
    if spoken == "openai":
        return status, openai(fault)
    return status, anthropic(fault, scope.get("state", {}).get("request"))


def openai(fault: Fault) -> dict[str, Any]:
    """The error in OpenAI's format."""
    fields = {"message": _message(fault), "type": _type(fault), "param": fault.field, "code": _code(fault)}
    return {"error": fields}


def anthropic(fault: Fault, request: str | None) -> dict[str, Any]:
    """The error in Anthropic's format."""
    message = f"{fault.field}: {_message(fault)}" if fault.field else _message(fault)
    return {"type": "error", "error": {"type": _type(fault), "message": message}, "request_id": request}


def _type(fault: Fault) -> str:
    return _TYPES.get(_STATUS.get(fault.status, fault.status), "api_error")


def _code(fault: Fault) -> str:
    return "model_not_found" if fault.field == "model" and fault.status == 404 else fault.kind


def _message(fault: Fault) -> str:
    return safe.clean(fault.message)
