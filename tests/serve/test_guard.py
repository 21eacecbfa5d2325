"""Who is let in: hosts, origins, tokens, labels, sizes; and what every reply says to browsers."""

import pytest

from citewell.errors import UsageError
from citewell.serve import tokens

ALICE, BOB, READER = "alice-0123456789abcdef", "bob-0123456789abcdef", "reader-0123456789abc"


@pytest.fixture
def guarded(serving, tmp_path):
    file = tmp_path / "tokens"
    file.write_text(f"# who\n{ALICE} name=alice labels=a\n{BOB} name=bob labels=b\n\n{READER} scopes=read labels=a\n")
    return serving(token_file=file)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize("host", ["127.0.0.1:8710", "localhost", "[::1]:8710", "LOCALHOST:1"])
def test_the_names_of_this_machine_are_served(client, host):
    assert client.get("/health", headers={"Host": host}).json()["live"] is True


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example@", "[", "localhost.evil"])
def test_a_host_that_was_made_to_lead_here_is_not(client, host):
    assert client.get("/health", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                                     {"Origin": "http://127.0.0.1:9"}])  # fmt: skip
def test_a_page_of_another_origin_changes_nothing(client, headers):
    refused = client.post("/v1/documents", json={"text": "One."}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["type"]) == (403, "OriginError")
    assert client.get("/v1/documents").json() == {"documents": [], "next": None}


def test_the_services_own_page_may(client):
    headers = {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/v1/documents", json={"text": "One."}, headers=headers).status_code == 201


def test_every_reply_forbids_scripts_and_frames_of_others(client):
    for path in ("/", "/health", "/v1/nothing", "/v1/documents"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-request-id"]
        assert "access-control-allow-origin" not in headers


def test_without_a_token_there_is_nothing_but_health_and_the_pages(guarded):
    for headers in ({}, bearer("wrong"), bearer(""), {"Authorization": f"Basic {ALICE}"}, {"x-api-key": ALICE[:-1]}):
        refused = guarded.get("/v1/documents", headers=headers)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert guarded.get("/health").status_code == 200
    assert guarded.get("/v1/documents", headers={"x-api-key": ALICE}).status_code == 200


def test_one_callers_documents_are_not_there_for_another(guarded):
    text = {"text": "The harbour froze in 2021."}
    name = guarded.post("/v1/documents", json=text, headers=bearer(ALICE)).json()["id"]
    body = {"documents": [name], "question": "When did the harbour freeze?"}
    for reply in (
        guarded.get(f"/v1/documents/{name}", headers=bearer(BOB)),
        guarded.delete(f"/v1/documents/{name}", headers=bearer(BOB)),
        guarded.post("/v1/ask", json=body, headers=bearer(BOB)),
    ):
        assert reply.status_code == 404
    assert guarded.get("/v1/documents", headers=bearer(BOB)).json() == {"documents": [], "next": None}
    # The same text of another caller is another document, and stays when theirs goes.
    assert guarded.post("/v1/documents", json=text, headers=bearer(BOB)).json()["id"] == name
    assert guarded.delete(f"/v1/documents/{name}", headers=bearer(BOB)).status_code == 204
    assert guarded.post("/v1/ask", json=body, headers=bearer(READER)).status_code == 200


def test_a_token_that_only_reads_changes_nothing(guarded):
    refused = guarded.post("/v1/documents", json={"text": "One."}, headers=bearer(READER))
    assert (refused.status_code, refused.json()["error"]["message"]) == (403, "this token does not allow to write")


def test_a_body_that_is_too_long_is_refused_before_it_is_read(serving):
    client = serving(body=100, upload=1000)
    assert client.post("/v1/documents", json={"text": "x" * 200}).status_code == 413
    reply = client.post("/v1/documents", content=(b"x" for _ in range(3)), headers={"content-length": "many"})
    assert reply.status_code == 413


def test_a_body_that_does_not_say_its_length_is_counted(serving):
    client = serving(body=100)
    parts = (b"x" * 60 for _ in range(3))
    reply = client.post("/v1/documents", content=parts, headers={"content-type": "application/json"})
    assert (reply.status_code, reply.json()["error"]["type"]) == (413, "TooLargeDocumentError")


def test_a_file_that_is_too_large_is_refused(serving):
    client = serving(upload=1000)
    reply = client.post("/v1/documents", files={"file": ("a.txt", b"x" * 1001)})
    assert (reply.status_code, reply.json()["error"]["field"]) == (413, "file")


@pytest.mark.parametrize(("line", "message"), [("short", "at least 16"), (f"{ALICE} scopes=all", "read, write and metrics"),
                                            (f"{ALICE} role=a", "reader, member, admin"), (f"{ALICE} colour=a", "not colour"),
                                            (f"{ALICE} labels=workspace:x", "workspace:"), ("# nothing", "has no token")])  # fmt: skip
def test_a_token_file_that_is_wrong_is_refused(tmp_path, line, message):
    file = tmp_path / "tokens"
    file.write_text(line)
    with pytest.raises(UsageError, match=message):
        tokens.read(file)


def test_more_uploads_at_once_than_there_is_room_for_are_told_to_come_back(serving):
    client = serving(uploads=0)
    reply = client.post("/v1/documents", files={"file": ("a.txt", b"One.")})
    assert (reply.status_code, reply.headers["retry-after"]) == (429, "1")


def test_bodies_are_held_up_to_a_limit_and_let_go_at_the_end(serving):
    client = serving(memory=2000)
    for _ in range(3):
        assert client.post("/v1/documents", json={"text": "One." * 200}).status_code == 201
    refused = client.post("/v1/documents", json={"text": "One." * 600})
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert client.service.app.door.memory == 0


def test_documents_of_a_message_may_be_longer_than_other_bodies(serving):
    client = serving(body=300, messages=3000)
    body = {"model": "citewell", "messages": [{"role": "user", "content": "When? " * 100}]}
    assert client.post("/v1/chat/completions", json=body).json()["error"]["code"] == "UsageError"
    long = client.post("/v1/chat/completions", json={**body, "padding": "a" * 3000})
    assert (long.status_code, long.json()["error"]["type"]) == (413, "request_too_large")
    assert client.post("/v1/ask", json=body).status_code == 413
