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


def made(client, boss, **fields):
    return client.post("/v1/users", json=fields, headers=bearer(boss))


def test_an_admin_makes_lists_limits_renews_and_revokes_without_a_restart(client, users):
    boss = users.add("boss", "finance", "admin", labels=("board",))
    reply = made(client, boss, name="ben", labels=["board"], until="2999-12-31")
    assert (reply.status_code, reply.headers["location"]) == (201, "/v1/users/ben")
    token = reply.json()["token"]
    assert client.get("/v1/settings", headers=bearer(token)).json()["carries"] == ["board"]
    listed = client.get("/v1/users", headers=bearer(boss)).json()["users"]
    assert [(user["name"], user["role"], user["workspace"]) for user in listed] == [
        ("ben", "member", "finance"),
        ("boss", "admin", "finance"),
    ]
    assert token not in client.get("/v1/users", headers=bearer(boss)).text
    changed = client.patch("/v1/users/ben", json={"role": "reader", "labels": []}, headers=bearer(boss)).json()
    assert (changed["role"], changed["labels"], changed["until"][:10]) == ("reader", [], "3000-01-01")
    renewed = client.post("/v1/users/ben/token", headers=bearer(boss)).json()["token"]
    codes = [client.get("/v1/documents", headers=bearer(one)).status_code for one in (token, renewed)]
    assert codes == [401, 200]
    assert client.delete("/v1/users/ben", headers=bearer(boss)).status_code == 204
    assert client.get("/v1/documents", headers=bearer(renewed)).status_code == 401


ACTS = [
    ("GET", "/v1/users", None),
    ("POST", "/v1/users", {"name": "new"}),
    ("PATCH", "/v1/users/ben", {"role": "admin"}),
    ("POST", "/v1/users/ben/token", None),
    ("DELETE", "/v1/users/ben", None),
]


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_users_are_seen_and_changed_by_admins_of_their_workspace_who_have_what_they_have(
    client, users, method, path, body
):
    ben = users.add("ben", "finance", labels=("board",))
    others = {
        "reader": (users.add("ria", "finance", "reader"), 403),
        "member": (users.add("max", "finance"), 403),
        "admin without the label": (users.add("ida", "finance", "admin"), 404),
        "admin of another library": (users.add("lea", "finance", "admin", labels=("board",), libraries=("b",)), 404),
        "admin of another workspace": (users.add("joe", "legal", "admin", labels=("board",)), 404),
        "admin of the common workspace": (users.add("eva", "", "admin", labels=("board",)), 404),
    }
    for who, (token, code) in others.items():
        reply = client.request(method, path, json=body, headers=bearer(token))
        if path != "/v1/users":
            assert reply.status_code == code, who
        else:
            assert '"ben"' not in reply.text, who
            assert (reply.status_code == 403) == (code == 403), who
    assert client.get("/v1/settings", headers=bearer(ben)).json()["scopes"] == ["read", "write"]


def test_nobody_gives_what_they_lack_takes_a_name_twice_or_limits_themselves(client, users):
    boss = users.add("boss", "finance", "admin", labels=("board",))
    other = users.add("zoe", "finance", "admin", libraries=("library",))
    made(client, boss, name="ben")
    codes = [
        made(client, boss, name="ben").status_code,
        made(client, boss, name="max", labels=["secret"]).status_code,
        client.patch("/v1/users/ben", json={"labels": ["secret"]}, headers=bearer(boss)).status_code,
        made(client, other, name="max", libraries=None).status_code,
        made(client, other, name="max", libraries=["elsewhere"]).status_code,
        client.patch("/v1/users/boss", json={"role": "reader"}, headers=bearer(boss)).status_code,
        client.delete("/v1/users/boss", headers=bearer(boss)).status_code,
        made(client, boss, name="max", until="2027-02-30").status_code,
        made(client, boss, name="a b").status_code,
    ]
    assert codes == [409, 403, 403, 403, 403, 409, 409, 422, 422]
    assert made(client, other, name="max").status_code == 201
    (limited,) = [user for user in users.all() if user.name == "max"]
    assert limited.libraries == ("library",)


def test_a_token_is_in_one_reply_alone(client, users):
    boss = users.add("boss", role="admin")
    headers = bearer(boss) | {"Idempotency-Key": "one"}
    first = client.post("/v1/users", json={"name": "ben"}, headers=headers)
    assert (first.status_code, client.post("/v1/users", json={"name": "ben"}, headers=headers).status_code) == (
        201,
        409,
    )


def test_a_service_for_one_machine_has_no_users(serving):
    assert serving().get("/v1/users").status_code == 404
