"""Logging in by OpenID Connect, against a provider of this machine: who it confirms is let in as the user of that name."""

import base64
import hashlib
import threading
import time
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

pytest.importorskip("authlib")

import httpx
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse
from joserfc import jwt
from joserfc.jwk import RSAKey

from citewell.cli import main
from citewell.library.library import Library
from citewell.serve.settings import Oidc
from citewell.serve.users import Users

pytestmark = pytest.mark.rare


class Provider:
    """A provider that logs in at once whoever asks; `says` changes what its tokens say."""

    def __init__(self):
        self.key, self.codes, self.says, self.signer = RSAKey.generate_key(2048, {"kid": "one"}), {}, {}, None
        app = FastAPI()
        app.get("/.well-known/openid-configuration")(self.described)
        app.get("/authorize")(self.authorize)
        app.get("/keys")(lambda: {"keys": [self.key.as_dict(private=False)]})
        app.post("/token")(self.token)
        self.server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None))
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.issuer = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"

    def described(self):
        places = {f"{name}_endpoint": f"{self.issuer}/{path}" for name, path in
                  (("authorization", "authorize"), ("token", "token"))}  # fmt: skip
        return {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", **places}

    def authorize(self, request: Request):
        query = dict(request.query_params)
        assert (query["client_id"], query["response_type"], query["code_challenge_method"]) == ("us", "code", "S256")
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        return RedirectResponse(f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}", 303)

    async def token(self, request: Request):
        form = dict(parse_qsl((await request.body()).decode()))
        asked = self.codes.pop(form["code"])
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["code_challenge"]
        basic = base64.b64decode(request.headers["authorization"].split(" ")[1]).decode()
        assert (basic, form["redirect_uri"]) == ("us:secret", asked["redirect_uri"])
        claims = {"iss": self.issuer, "aud": "us", "sub": "1", "exp": int(time.time()) + 300, "nonce": asked["nonce"],
                  "email": "ann@example.org", "email_verified": True} | self.says  # fmt: skip
        token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.signer or self.key)
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "id_token": token})


@pytest.fixture(scope="module")
def running():
    provider = Provider()
    yield provider
    provider.server.should_exit = True
    provider.thread.join()


@pytest.fixture
def provider(running):
    running.says, running.signer = {}, None
    return running


@pytest.fixture
def users(tmp_path):
    with Library(tmp_path / "library", create=True) as library:
        yield Users(library), library


@pytest.fixture
def client(serving, users, provider):
    users[0].add("ann@example.org", "finance", "reader")
    return serving(users=users[1], oidc=Oidc(provider.issuer, "us", "secret"))


def logged_in(client):
    """What the fragment says that a login ends in."""
    begun = client.get("/auth/login", follow_redirects=False)
    back = httpx.get(begun.headers["location"]).headers["location"]
    ended = client.get(back.removeprefix("http://127.0.0.1"), follow_redirects=False)
    assert ended.status_code == 303
    return {name: values[0] for name, values in parse_qs(urlsplit(ended.headers["location"]).fragment).items()}


def status(client, token):
    return client.get("/v1/documents", headers={"Authorization": f"Bearer {token}"}).status_code


def test_whom_the_provider_confirms_is_the_user_of_that_name_until_they_are_revoked(client, users):
    assert client.get("/health").json()["login"] is True
    code = logged_in(client)["login"]
    token = client.post("/auth/token", json={"code": code}).json()["token"]
    settings = client.get("/v1/settings", headers={"Authorization": f"Bearer {token}"}).json()
    assert (settings["caller"], settings["workspace"], settings["scopes"]) == ("ann@example.org", "finance", ["read"])
    assert client.post("/auth/token", json={"code": code}).status_code == 404  # once
    users[0].change("ann@example.org", "finance", role="member")
    assert client.get("/v1/settings", headers={"Authorization": f"Bearer {token}"}).json()["scopes"] == [
        "read",
        "write",
    ]
    users[0].revoke("ann@example.org", "finance")
    assert status(client, token) == 401


@pytest.mark.parametrize(
    "says",
    [
        {"nonce": "another"},
        {"aud": "another"},
        {"iss": "https://example.org"},
        {"exp": 1_000_000_000},
        {"email_verified": False},
        {"email": "ben@example.org"},
        {"email": None},
    ],
)
def test_what_is_not_confirmed_for_this_service_now_lets_nobody_in(client, provider, says):
    provider.says = says
    assert set(logged_in(client)) == {"refused"}


def test_a_token_of_another_key_lets_nobody_in(client, provider):
    provider.signer = RSAKey.generate_key(2048, {"kid": "one"})
    assert set(logged_in(client)) == {"refused"}


def test_a_login_that_was_begun_elsewhere_or_broken_off_lets_nobody_in(client, serving, users, provider):
    begun = client.get("/auth/login", follow_redirects=False)
    back = httpx.get(begun.headers["location"]).headers["location"].removeprefix("http://127.0.0.1")
    client.cookies.clear()
    for path in (back, "/auth/callback?error=access_denied&state=x", "/auth/callback"):
        assert client.get(path, follow_redirects=False).headers["location"].startswith("/#refused=")


def test_two_users_of_one_name_and_a_provider_that_is_gone_are_said(client, users, serving):
    users[0].add("ann@example.org", "legal")
    assert "not known" in logged_in(client)["refused"]
    lost = serving(users=users[1], oidc=Oidc("http://127.0.0.1:1", "us"))
    reply = lost.get("/auth/login", follow_redirects=False)
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")


@pytest.mark.parametrize(
    "words", [["--oidc", "https://example.org"], ["--oidc", "http://example.org", "--oidc-client", "us"]]
)
def test_a_provider_that_cannot_be_asked_safely_is_refused(words, capsys):
    assert main(["serve", *words]) == 2
    assert "--oidc" in capsys.readouterr().err


@pytest.mark.browser
def test_a_click_in_the_page_logs_in_and_a_refusal_is_said(visit, online, users, provider):
    users[0].add("ann@example.org", "finance", "admin")
    address = online(users=users[1], oidc=Oidc(provider.issuer, "us", "secret"))
    page = visit.open(address)
    page.wait_for_selector("#token[open]")
    provider.says = {"email": "ben@example.org"}
    page.click("#by-login a")
    page.wait_for_selector("#token-why:has-text('not known here')")
    provider.says = {}
    page.click("#by-login a")
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("location.hash") == ""
    page.click("#people-open")
    page.wait_for_selector('[data-user="ann@example.org"]:has-text("(you)")')
    page.problems[:] = [problem for problem in page.problems if not problem.startswith(provider.issuer)]
