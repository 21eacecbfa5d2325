"""Converts error replies of services to our errors. No key ever gets into a message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from citewell.errors import (
    AuthenticationError,
    BackendError,
    ContextTooLongError,
    RateLimitError,
    RefusedError,
    ReplyError,
    UnknownModelError,
    UnreachableError,
)
from citewell.llm.calls import Again, retry_after
from citewell.text.safe import scrub

LONGEST = 300  # characters of a service's own words
_CONTEXT = re.compile(
    r"context.{0,20}(?:length|window|size)|prompt is too long|too many (?:input )?tokens|exceeds? .{0,40}context",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:maximum context length (?:is|of)|context (?:length|window|size)(?: is| of)?\s*+\(?|n_ctx\D{0,5}|limit of|>)"
    r"\s*+(\d[\d,]*)",
    re.IGNORECASE,
)
_TOKENS = re.compile(
    r"(?:requested(?: about)?|resulted in|too long:|n_prompt_tokens\D{0,5}|contains|has)\s*(\d[\d,]*)", re.IGNORECASE
)
_EXTRA = re.compile(r"extra_forbidden|value_error\.extra|extra (?:inputs|fields) (?:are )?not permitted", re.IGNORECASE)
_REFUSED = re.compile(r"content.?(?:filter|policy)|safety system|responsible ai|usage polic", re.IGNORECASE)
_PARAMETER = re.compile(
    r"(?:unsupported (?:parameter|value)|unrecognized request argument supplied|unknown parameter)[:\s]*['\"`]?(\w+)"
    r"|['\"`](\w+)['\"`](?: is| does) (?:not support\w*|deprecated)"
    r"|\b(\w+): Extra inputs are not permitted",
    re.IGNORECASE,
)


class Call(NamedTuple):
    """What a request was about, for the text of its error."""

    service: str
    model: str
    address: str
    key_env: str
    tokens: int


def parameter(status: int, body: Any) -> str | None:
    """The name of a parameter of ours that the model does not take, if that is the fault."""
    if status not in (400, 422):
        return None
    error = _error(body)
    match = _PARAMETER.search(str(error.get("message", "")))
    named = (match and next(name for name in match.groups() if name)) or (
        _EXTRA.search(str(error.get("message", ""))) and error.get("param")
    )
    if named or str(error.get("code")) in ("unsupported_parameter", "unsupported_value", "unknown_parameter"):
        return str(error.get("param") or named or "") or None
    return None


def status(call: Call, code: int, body: Any, headers: Mapping[str, str]) -> BackendError | Again:
    """The error for an answer with an HTTP status that is none of success."""
    error = _error(body)
    reason = scrub(" ".join(str(error.get("message") or body or "").split()))[:LONGEST]
    kind = " ".join(str(error.get(key) or "") for key in ("code", "type"))
    where = f"{call.service} at {call.address}"
    if code in (401, 403):
        return AuthenticationError(f"{where} refuses the key: check the environment variable {call.key_env} ({code})")
    if code == 402 or "insufficient_quota" in kind:
        return RateLimitError(f"{where}: the quota or the credit is used up: {reason}")
    if code == 413 or "context_length" in kind or (code in (400, 422) and _CONTEXT.search(reason)):
        return _too_long(call, reason)
    if code == 400 and (_REFUSED.search(kind) or _REFUSED.search(reason)):
        return RefusedError(f"{where} refuses this content: {reason}")
    if code == 404:
        if "model" in kind or "model" in reason.lower() or call.model.lower() in reason.lower():
            return UnknownModelError(f"{where} has no model {call.model!r}: {reason}")
        return UnreachableError(f"there is no such service at {call.address} (404): is base_url right?")
    if code == 429:
        return Again(RateLimitError(f"{where} takes no more requests now: {reason}"), retry_after(headers))
    if code in (408, 409) or code >= 500:
        return Again(BackendError(f"{where} failed with status {code}: {reason}"), retry_after(headers))
    return BackendError(f"{where} refuses the request ({code}): {reason}")


def unreachable(call: Call, error: BaseException, timeout: float | None = None) -> Again:
    """No connection, or no answer in time."""
    if timeout is not None:
        return Again(UnreachableError(f"{call.service} at {call.address} gave no answer within {timeout:g} seconds"))
    why = scrub(str(error.__cause__ or error))[:LONGEST]
    return Again(UnreachableError(f"cannot reach {call.service} at {call.address}: {why}"))


def malformed(call: Call, what: str) -> Again:
    """A reply that is not what the protocol says; it may be whole the next time."""
    return Again(
        ReplyError(f"{call.service} at {call.address} gave a reply that cannot be used: {scrub(what)[:LONGEST]}")
    )


def broken(call: Call, characters: int, why: str) -> ReplyError:
    """A stream that ended in the middle, after text was handed over: it cannot be asked for again unseen."""
    reason = scrub(why)[:LONGEST]
    return ReplyError(
        f"the stream of {call.service} at {call.address} broke off after {characters} characters: {reason}"
    )


def error_body(reply: Any) -> Mapping[str, Any] | None:
    """The body of an error that came with a status of success, as some servers send it; None for a reply."""
    body: Any = getattr(reply, "model_extra", None) or {}
    kind = getattr(reply, "object", None) or getattr(reply, "type", None)
    return body if kind == "error" or any(body.get(name) for name in ("error", "errors", "detail")) else None


def no_answer(call: Call, tools: Sequence[str]) -> ReplyError:
    """A model that calls tools, which it was not offered, instead of answering; asked again it would do the same."""
    names = ", ".join(repr(name[:40]) for name in tools[:3])
    return ReplyError(
        f"{call.model!r} at {call.address} calls a tool ({names}), none of which is offered, and does not answer"
    )


def cut_off(call: Call, most: int) -> ReplyError:
    """A reply that reached its length with nothing said, as where a model thinks for long."""
    return ReplyError(
        f"the reply of {call.model!r} was cut off at {most} tokens before it said anything: raise max_tokens (models "
        "that think need more)"
    )


def _error(body: Any) -> Mapping[str, Any]:
    """The part of a body that tells the error; services wrap it differently, Google's in a list of one."""
    if isinstance(body, list) and len(body) == 1 and isinstance(body[0], Mapping) and body[0].get("error"):
        body = body[0]
    if isinstance(body, Mapping):
        inner = next((body[name] for name in ("error", "detail", "errors") if body.get(name)), body)
    else:
        inner = body
    if isinstance(inner, list):
        return {"message": "; ".join(_detail(entry) for entry in inner[:5]), "param": _extra(inner)}
    return inner if isinstance(inner, Mapping) else {"message": inner}


def _detail(entry: Any) -> str:
    """One of the faults of a request that FastAPI lists: where it is, and what is wrong there."""
    if not isinstance(entry, Mapping):
        return str(entry)
    place = entry.get("loc") if isinstance(entry.get("loc"), list) else []
    where = ".".join(str(part) for part in place or () if part != "body")
    detail = str(entry.get("msg") or entry.get("message") or dict(entry))
    return f"{where}: {detail}" if where else detail


def _extra(entries: Sequence[Any]) -> str | None:
    """The parameter that a list of faults says must not be there."""
    for entry in entries:
        place = entry.get("loc") if isinstance(entry, Mapping) else None
        if isinstance(place, list) and place and _EXTRA.search(f"{entry.get('type')} {entry.get('msg')}"):
            return str(place[-1])
    return None


def _too_long(call: Call, reason: str) -> ContextTooLongError:
    limit, tokens = (
        int(match[1].replace(",", "")) if (match := pattern.search(reason)) else None for pattern in (_LIMIT, _TOKENS)
    )
    size = f"{tokens} tokens" if tokens else f"about {call.tokens} tokens"
    most = f"{limit}" if limit else "an unknown number"
    return ContextTooLongError(
        f"the request to {call.model!r} has {size}, the model takes {most}: reduce the document, or choose a model "
        f"with a longer context ({reason})",
        tokens or call.tokens,
        limit,
    )


def code_of(body: Any) -> int:
    """The HTTP status that an error inside a stream would have had, by its kind; 500 where it says nothing."""
    error = _error(body)
    kinds = {"overloaded_error": 529, "rate_limit_error": 429, "timeout_error": 504, "invalid_request_error": 400}
    code = str(error.get("code") or "")
    return int(code) if code.isdigit() and 400 <= int(code) < 600 else kinds.get(str(error.get("type")), 500)
