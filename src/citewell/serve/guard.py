"""Checks before every request: caller, host name and origin; and the headers of every reply."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import time
from functools import partial
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citewell.serve import log
from citewell.serve.access import Access
from citewell.serve.compatible import errors
from citewell.serve.faults import Fault, inside
from citewell.serve.metrics import Metrics
from citewell.serve.owners import NOBODY, Caller
from citewell.serve.page import routes as files
from citewell.serve.receiving import Door
from citewell.serve.settings import Settings

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_OPEN = frozenset(
    {"/health", "/health/live", "/health/ready", "/docs", "/openapi.json", *files.PATHS}
)  # hold nothing of anybody's
_LOGIN = frozenset({"/auth/login", "/auth/callback", "/auth/token"})  # by which somebody gets a token
_PROBLEM = "application/problem+json"  # RFC 9457, for whoever asks for it
_HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS = _HARMLESS | {"POST", "PUT", "PATCH", "DELETE"}


class Guard:
    """The outermost layer of the service, in plain ASGI so that it does not delay the end of a request."""

    def __init__(self, app: ASGIApp, settings: Settings, access: Access | None, metrics: Metrics) -> None:
        self._app, self._settings, self._access, self._metrics = app, settings, access, metrics
        self.door = Door(settings)
        hosts = ("localhost", settings.host, socket.gethostname(), socket.getfqdn())
        self._names = {name.lower().rstrip(".") for name in (*hosts, *settings.allowed)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit a request, or answer it with an error."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, name = time.perf_counter(), 500, secrets.token_hex(8)
        started = False

        async def sent(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                headers = MutableHeaders(scope=message)
                for key, value in _HEADERS.items():
                    headers.setdefault(key, value)
                headers.setdefault("cache-control", "no-store")
                headers["x-request-id"] = headers["request-id"] = name
            await send(message)

        state = scope.setdefault("state", {})
        state["request"] = name
        try:
            state["caller"] = await self._let_in(scope)
            caller: Caller = state["caller"]
            state["same"] = partial(self._same, scope, caller)
            async with self.door.received(scope, receive, (caller.name, caller.labels)) as body:
                await self._app(scope, body, sent)
        except Fault as fault:
            if not started:
                await answer(fault, scope)(scope, receive, sent)
        except Exception as error:  # noqa: BLE001  (the last line of defence: nobody sees a traceback)
            self._log(scope, 500, name, began, error)
            if not started:
                await answer(inside(), scope)(scope, receive, sent)
            return
        self._log(scope, status, name, began)

    async def _let_in(self, scope: Scope) -> Caller:
        headers = Headers(scope=scope)
        self._host(headers.get("host", ""))
        if scope["method"] not in _HARMLESS:
            _own_page(headers)
        if self._access is None:
            return Caller()
        if (scope["path"] in _OPEN and scope["method"] in _HARMLESS) or scope["path"] in _LOGIN:
            return NOBODY
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        token = bearer.strip() if kind.lower() == "bearer" else headers.get("x-api-key", "")
        caller = await self._access.caller(token) if token else None
        if caller is None:
            raise Fault(401, "TokenError", "this service wants a token: Authorization: Bearer TOKEN")
        return caller

    async def _same(self, scope: Scope, caller: Caller) -> bool:
        """Whether a long request would still be admitted with the same rights."""
        try:
            return await self._let_in(scope) == caller
        except Fault:
            return False

    def _host(self, host: str) -> None:
        """Reject requests to another host name, as sent by a page that uses DNS rebinding."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower().rstrip(".")
        except ValueError:
            name = ""
        if name not in self._names and not _is_address(name):
            raise Fault(421, "HostError", "this service is not called so", "Host")

    def _log(self, scope: Scope, status: int, name: str, began: float, error: BaseException | None = None) -> None:
        """Count the request and log one line of JSON, without query, headers or document text."""
        seconds = time.perf_counter() - began
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.count(scope["method"] if scope["method"] in _METHODS else "other", route, status, seconds)
        fields = {
            "request": name,
            "user": log.user(getattr(scope.get("state", {}).get("caller"), "name", None)),
            "method": scope["method"],
            "path": scope["path"][:200],
            "status": status,
            "seconds": round(seconds, 4),
        }
        log.line("error" if status >= 500 else "info", error, **fields)


def answer(fault: Fault, scope: Scope) -> JSONResponse:
    """A fault as a response in the protocol of the request."""
    headers = fault.headers | ({"WWW-Authenticate": "Bearer"} if fault.status == 401 else {})
    status, reply = errors.shaped(fault, scope)
    if _PROBLEM in Headers(scope=scope).get("accept", "") and errors.protocol(scope) is None:
        problem = {"type": "about:blank", "title": fault.kind, "status": status, "detail": reply["error"]["message"]}
        return JSONResponse(problem | reply, status, headers, media_type=_PROBLEM)
    return JSONResponse(reply, status, headers)


def _own_page(headers: Headers) -> None:
    """Reject requests from pages of another origin; programs send no origin."""
    origin = headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
    if foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise Fault(403, "OriginError", "a page of another origin may change nothing here", "Origin")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
