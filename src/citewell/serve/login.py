"""Login by OpenID Connect: the provider identifies the person, the library's users define the permissions.

A login (authorization code with PKCE) ends in a token of this service for the user whose name the provider gives. It is
held in memory, ends after half a day, and is worth what the user may do at each request: limits and revocation hold at
once. Source: OpenID Connect Core 1.0, sections 3.1 and 3.1.3.7; RFC 7636.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

import httpx
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from fastapi import FastAPI, Request
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from starlette.responses import JSONResponse, RedirectResponse, Response

from citewell.errors import CitewellError
from citewell.serve import bodies, faults, log
from citewell.serve.faults import Fault, lacks
from citewell.serve.owners import Caller
from citewell.serve.settings import Oidc
from citewell.serve.users import Users, hashed

_COOKIE = "citewell-login"
_LOGIN, _HANDOVER, _SESSION = 600.0, 60.0, 12 * 3600.0  # seconds
_MOST = 10_000  # logins and sessions at once; the oldest goes
_PATIENCE, _LEEWAY = 10.0, 60  # seconds for the provider to answer, and by which clocks may differ
_ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"]
_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class _Begun(NamedTuple):
    """A login that the provider has not returned yet."""

    nonce: str
    verifier: str
    redirect: str


class _Session(NamedTuple):
    """The user of a token from a login."""

    workspace: str
    name: str


class _Lasting(Generic[_Key, _Value]):
    """Values that expire; if there are too many, the oldest is dropped."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._values: OrderedDict[_Key, tuple[float, _Value]] = OrderedDict()

    def put(self, key: _Key, value: _Value) -> None:
        self._values[key] = (time.monotonic() + self._seconds, value)
        while len(self._values) > _MOST:
            self._values.popitem(last=False)

    def get(self, key: _Key) -> _Value | None:
        until, value = self._values.get(key, (0.0, None))
        return value if time.monotonic() < until else None

    def take(self, key: _Key) -> _Value | None:
        value = self.get(key)
        self._values.pop(key, None)
        return value


class Login:
    """Logins by one provider."""

    def __init__(self, provider: Oidc, users: Users) -> None:
        self._provider, self._users = provider, users
        self._begun: _Lasting[str, _Begun] = _Lasting(_LOGIN)
        self._handed: _Lasting[str, str] = _Lasting(_HANDOVER)
        self._sessions: _Lasting[str, _Session] = _Lasting(_SESSION)

    def add(self, routes: FastAPI) -> None:
        """Add the routes."""
        address = self._provider.address

        @routes.get("/auth/login", include_in_schema=False)
        async def begin(request: Request) -> Response:
            place, state = await self.begin(f"{(address or str(request.base_url)).rstrip('/')}/auth/callback")
            reply = RedirectResponse(place, 303)
            secure = place.startswith("https:") and (address or "").startswith("https:")
            reply.set_cookie(_COOKIE, state, int(_LOGIN), path="/auth", secure=secure, httponly=True, samesite="lax")
            return reply

        @routes.get("/auth/callback", include_in_schema=False)
        async def end(request: Request, state: str = "", code: str = "") -> Response:
            try:
                if not code or not secrets.compare_digest(state.encode(), request.cookies.get(_COOKIE, "").encode()):
                    raise _refused("this login was begun elsewhere, or was broken off: log in again")
                fragment = {"login": await self.end(state, code)}
            except Fault as fault:
                fragment = {"refused": fault.message}
            reply = RedirectResponse(f"/#{urlencode(fragment)}", 303)
            reply.delete_cookie(_COOKIE, path="/auth")
            return reply

        @routes.post("/auth/token", include_in_schema=False)
        async def token(body: bodies.LoginCode) -> Response:
            return JSONResponse({"token": self.token(body.code)})

    def caller(self, token: str) -> Caller | None:
        """The user with this token, None if it is unknown or expired or the user was revoked."""
        session = self._sessions.get(hashed(token))
        return None if session is None else self._users.named(session.workspace, session.name)

    async def begin(self, redirect: str) -> tuple[str, str]:
        """The provider's login page, and the state that identifies the login when it returns."""
        described = await self._described()
        state = secrets.token_urlsafe(24)
        begun = _Begun(secrets.token_urlsafe(24), secrets.token_urlsafe(48), redirect)
        self._begun.put(state, begun)
        async with self._client(redirect) as client:
            address, _ = client.create_authorization_url(
                described["authorization_endpoint"], state=state, nonce=begun.nonce, code_verifier=begun.verifier
            )
        return str(address), state

    async def end(self, state: str, code: str) -> str:
        """A code for a token, once the provider has identified the user.

        Raises Fault: the login was not begun here, the provider does not vouch for it, or there is no such user.
        """
        begun = self._begun.take(state)
        if begun is None:
            raise _refused("this login has ended or was begun elsewhere: log in again")
        described = await self._described()
        async with self._client(begun.redirect) as client:
            try:
                reply = await client.fetch_token(
                    described["token_endpoint"],
                    code=code,
                    code_verifier=begun.verifier,
                    grant_type="authorization_code",
                )
                keys = await client.request("GET", described["jwks_uri"], withhold_token=True)
                claims = self._claims(reply["id_token"], keys.raise_for_status().json(), begun.nonce)
            except (httpx.HTTPError, JoseError, ValueError, KeyError, TypeError, AuthlibBaseError) as error:
                log.line("warning", message=f"a login was refused: {type(error).__name__}")
                raise _refused("the login was not confirmed: log in again") from error
        session = await asyncio.to_thread(self._known, claims)
        token, handed = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self._sessions.put(hashed(token), session)
        self._handed.put(handed, token)
        return handed

    def token(self, code: str) -> str:
        """Exchange a code for its token, once. Raises Fault: there is none."""
        token = self._handed.take(code)
        if token is None:
            raise lacks("this login has ended: log in again", "code")
        return token

    def _claims(self, token: str, keys: Any, nonce: str) -> dict[str, Any]:
        decoded = jwt.decode(token, KeySet.import_key_set(keys), algorithms=_ALGORITHMS)
        wanted = {"iss": self._provider.issuer, "aud": self._provider.client, "nonce": nonce}
        options: dict[str, Any] = {name: {"essential": True, "value": value} for name, value in wanted.items()}
        jwt.JWTClaimsRegistry(leeway=_LEEWAY, exp={"essential": True}, **options).validate(decoded.claims)
        return dict(decoded.claims)

    def _known(self, claims: dict[str, Any]) -> _Session:
        """The user whom the provider's claims identify."""
        name = claims.get(self._provider.claim)
        if self._provider.claim == "email" and claims.get("email_verified") is not True:
            raise _refused("the provider has not confirmed your address")
        try:
            known = [user for user in self._users.all() if user.name == name]
        except CitewellError as error:
            raise faults.of(error) from error
        if len(known) != 1:
            raise _refused("you are not known here: ask an admin of this service to add you by that name")
        return _Session(known[0].workspace, known[0].name)

    async def _described(self) -> dict[str, str]:
        """The provider's configuration."""
        try:
            async with httpx.AsyncClient(timeout=_PATIENCE) as client:
                place = f"{self._provider.issuer.rstrip('/')}/.well-known/openid-configuration"
                described: dict[str, str] = (await client.get(place)).raise_for_status().json()
            if described["issuer"] != self._provider.issuer:
                raise ValueError("issuer")  # noqa: TRY301  (as with what is no JSON)
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise Fault(503, "LoginError", "logging in does not work just now: try again", after=5) from error
        return described

    def _client(self, redirect: str) -> AsyncOAuth2Client:
        provider = self._provider
        return AsyncOAuth2Client(
            provider.client, provider.secret, scope="openid email profile", redirect_uri=redirect,
            code_challenge_method="S256", timeout=_PATIENCE,
            token_endpoint_auth_method="client_secret_basic" if provider.secret else "none",
        )  # fmt: skip


def _refused(message: str) -> Fault:
    return Fault(403, "LoginError", message)
