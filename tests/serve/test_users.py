"""Users of the service: made, limited and revoked while it runs, with tokens that nobody keeps."""

import datetime as dt
import json

import pytest

from citewell.cli import main
from citewell.errors import UsageError
from citewell.library.library import Library
from citewell.serve.users import Users


@pytest.fixture
def kept(tmp_path):
    with Library(tmp_path / "library", create=True) as library:
        yield library


@pytest.fixture
def users(kept):
    return Users(kept)


@pytest.fixture
def client(serving, kept):
    return serving(users=kept)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def test_a_user_is_let_in_limited_and_revoked_from_the_next_request_on(client, users):
    token = users.add("ann", "finance")
    other = users.add("ann", "legal")
    name = client.post("/v1/documents", json={"text": "The harbour froze."}, headers=bearer(token)).json()["id"]
    document = client.get(f"/v1/documents/{name}", headers=bearer(token)).json()
    assert (document["owner"], document["workspace"], document["labels"]) == ("ann", "finance", [])
    assert client.get(f"/v1/documents/{name}", headers=bearer(other)).status_code == 404
    users.change("ann", "finance", role="reader")
    assert client.delete(f"/v1/documents/{name}", headers=bearer(token)).status_code == 403
    renewed = users.renew("ann", "finance")
    assert client.get("/v1/documents", headers=bearer(token)).status_code == 401
    assert client.get("/v1/settings", headers=bearer(renewed)).json()["scopes"] == ["read"]
    users.revoke("ann", "finance")
    assert client.get("/v1/documents", headers=bearer(renewed)).status_code == 401
    assert client.get("/v1/documents", headers=bearer(other)).status_code == 200


def test_an_admin_sees_to_what_a_revoked_user_left(client, users):
    ann, boss = users.add("ann", "finance"), users.add("boss", "finance", "admin")
    name = client.post("/v1/documents", json={"text": "The harbour froze."}, headers=bearer(ann)).json()["id"]
    users.revoke("ann", "finance")
    assert client.delete(f"/v1/documents/{name}", headers=bearer(boss)).status_code == 204


def test_a_token_ends_when_it_should(client, users):
    now = dt.datetime.now(dt.UTC)
    past, later = users.add("ann", until=now - dt.timedelta(1)), users.add("ben", until=now + dt.timedelta(1))
    assert [client.get("/v1/documents", headers=bearer(token)).status_code for token in (past, later)] == [401, 200]


def test_no_token_lies_in_the_database(kept, users):
    token = users.add("ann")
    data = b"".join(file.read_bytes() for file in kept.database.folder.glob("library.db*"))
    assert b"ann" in data
    assert token.encode() not in data


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("", {}),
        ("a b", {}),
        ("x" * 65, {}),
        ("ann", {"role": "king"}),
        ("ann", {"labels": ("workspace:b",)}),
        ("twice", {}),
    ],
)
def test_a_user_that_cannot_be_is_refused(users, name, limits):
    users.add("twice")
    with pytest.raises(UsageError):
        users.add(name, **limits)
    for act in (users.revoke, users.renew, users.change):
        with pytest.raises(UsageError, match="no user"):
            act("nobody", **({"role": "admin"} if act == users.change else {}))


def test_the_command_line_makes_lists_limits_and_revokes(client, kept, users, capsys):
    place = ["--library", kept.place]

    def run(*words):
        code = main(["serve", "users", *words])
        return code or 0, capsys.readouterr().out.strip()

    code, token = run("add", "ann", *place, "--workspace", "finance", "--labels", "board", "--until", "2999-12-31")
    assert (code, client.get("/v1/settings", headers=bearer(token)).json()["carries"]) == (0, ["board"])
    assert run("change", "ann", *place, "--workspace", "finance", "--labels", "", "--role", "admin")[0] == 0
    (listed,) = json.loads(run("list", *place, "--json")[1])["users"]
    assert (listed["role"], listed["labels"], listed["until"][:10]) == ("admin", [], "3000-01-01")
    assert run("list", *place)[1].startswith("finance/ann  admin")
    assert run("revoke", "ann", *place, "--workspace", "finance")[0] == 0
    assert client.get("/v1/documents", headers=bearer(token)).status_code == 401
    assert run("revoke", "ann", *place)[0] == run("change", "ann", *place)[0] == 2
    assert run("add", "ben", *place, "--until", "soon")[0] == 2
