"""What the service promises about safety, each promise tried (docs/service.md has the table)."""

import json
import os
import socket
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from citewell import errors, readers
from citewell.serve import keeping, tokens, work
from citewell.serve.faults import STATUS, of
from citewell.serve.settings import Settings
from citewell.serve.work import Desk

ALICE, BOB = "alice-0123456789abcdef", "bob-0123456789abcdef"
TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022."


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def tenants(serving, tmp_path):
    file = tmp_path / "tokens"
    file.write_text(f"{ALICE} name=alice labels=a\n{BOB} name=bob labels=b\n")
    return serving(token_file=file)


def test_it_listens_on_this_machine_alone_unless_told_otherwise():
    assert Settings("library", Path()).host == "127.0.0.1"


def test_every_token_is_compared_in_constant_time_whichever_is_given(tmp_path, monkeypatch):
    file = tmp_path / "tokens"
    file.write_text(f"{ALICE} name=alice\n{BOB} name=bob\n")
    known, compared = tokens.read(file), []
    compare = tokens.hmac.compare_digest
    monkeypatch.setattr(tokens.hmac, "compare_digest", lambda *both: compared.append(both) or compare(*both))
    for arguments, name in ((ALICE, "alice"), (BOB, "bob"), ("wrong", None)):
        compared.clear()
        caller = known.caller(arguments)
        assert (caller and caller.name) == name
        assert [len(part) for both in compared for part in both] == [32] * 4  # hashes of one length, all of them


def test_an_upload_is_read_in_a_process_of_its_own_and_leaves_nothing_behind(client, tmp_path, monkeypatch):
    read, requests = readers.read, []
    monkeypatch.setattr(keeping.readers, "read", lambda data, **how: requests.append(how) or read(data, **how))
    for name, status in (("../../etc/passwd.txt", 201), ("a.pdf", 422)):
        content = TEXT.encode() if status == 201 else b"%PDF-1.7 nothing"
        assert client.post("/v1/documents", files={"file": (name, content)}).status_code == status
    assert [how["isolated"] for how in requests] == [True, True]
    assert [how["name"] for how in requests] == ["passwd.txt", "a.pdf"]
    assert list(tmp_path.glob("upload-*")) == []


@pytest.mark.parametrize(("arguments", "name"), [
    ("../../etc/passwd", "passwd"), ("C:\\Users\\a\\b.pdf", "b.pdf"), ("", "document"), ("..", ".."), ("a/", "document"),
    ("\u202efdp.exe\x00", "\ufffdfdp.exe\ufffd"), ("x" * 999, "x" * 200), (None, "document"),
])  # fmt: skip
def test_a_file_name_is_a_name_and_no_path(arguments, name):
    assert keeping.file_name(arguments) == name


def test_no_name_of_a_request_reaches_the_file_system(client, monkeypatch):
    client.post("/v1/documents", json={"text": TEXT})
    opened = []
    for module, verb in ((os, "open"), (os, "stat")):
        real = getattr(module, verb)
        monkeypatch.setattr(
            module, verb, lambda path, *more, _real=real, **how: opened.append(path) or _real(path, *more, **how)
        )
    name = "../../etc/passwd"
    for method, path, body in (
        ("GET", "/v1/documents/..%2F..%2Fetc%2Fpasswd", None),
        ("GET", "/v1/documents/../../../etc/passwd", None),
        ("DELETE", "/v1/documents/..%2F..%2Fetc%2Fpasswd", None),
        ("GET", "/assets/..%2F..%2Fetc%2Fpasswd", None),
        ("GET", "/v1/history/..%2F..%2Fetc%2Fpasswd/export", None),
        ("POST", "/v1/ask", {"documents": [name], "question": "a"}),
        ("POST", "/v1/verify", {"answer": {"schema_version": 2}, "documents": [name]}),
    ):
        assert client.request(method, path, json=body).status_code in (404, 405, 422), path
    assert not any("passwd" in str(path) for path in opened)


@contextmanager
def listening():
    """An address that nobody may connect to, and who did."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        came = []

        def accept():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                came.append(connection)
                connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", came
        server.shutdown(socket.SHUT_RDWR)


def test_no_address_that_a_document_or_request_names_is_fetched(client):
    with listening() as (url, came):
        page = (f'<html><head><base href="{url}/"><link rel=stylesheet href="{url}/a.css"></head><p>{TEXT} '
                    f'<img src="{url}/a.png"><iframe src="{url}/b"></iframe><script src="{url}/c.js"></script></p></html>').encode()  # fmt: skip
        entity = f'<?xml version="1.0"?><!DOCTYPE article SYSTEM "{url}/a.dtd" [<!ENTITY x SYSTEM "{url}/b">]>'
        article = f"{entity}<article><body><p>{TEXT} &x;</p></body></article>".encode()
        names = []
        for name, data in (
            ("a.html", page),
            ("a.xml", article),
            ("a.md", f"![x]({url}/a) [y]: {url}/b\n\n{TEXT}".encode()),
        ):
            reply = client.post("/v1/documents", files={"file": (name, data)})
            names += [reply.json()["id"]] if reply.status_code == 201 else []
        assert len(names) >= 2
        settings = {"text": f"It froze [1].\n\nSources:\n[1] {url}/a", "citations": [f"{url}/a"]}
        for verb, body in (("ask", {"question": f"What says {url}/a?"}), ("audit", {"response": settings["text"]}),
                           ("audit", {"response": {"choices": [{"message": {"role": "assistant", "content": settings["text"]}}],
                                                   "citations": settings["citations"]}}),
                           ("check", {"claims": [f"{url}/a says so."]})):  # fmt: skip
            assert client.post(f"/v1/{verb}", json={"documents": names, **body}).status_code == 200
        assert client.post("/v1/ask", json={"documents": [f"{url}/a"], "question": "a"}).status_code in (404, 422)
        assert came == []


def changing(client):
    """Every route that changes something, as the description tells them."""
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method in methods:
            if method not in ("get", "head"):
                yield method.upper(), path.replace("{id}", "0" * 32).replace("{name}", "a")


def test_no_route_that_changes_something_serves_a_page_of_another_origin(client):
    routes = list(changing(client))
    assert len(routes) > 8
    for method, path in routes:
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "same-site"}):
            reply = client.request(method, path, json={}, headers=headers)
            assert reply.status_code == 403, (method, path)
            assert "a page of another origin may change nothing here" in reply.text
    assert client.service.pool.jobs == []  # no worker was asked


def test_no_other_origin_is_told_that_it_may_read(client):
    settings = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    for method, path in (("OPTIONS", "/v1/ask"), ("OPTIONS", "/v1/documents"), ("GET", "/v1/documents")):
        headers = client.request(method, path, headers=settings).headers
        assert not [name for name in headers if name.startswith("access-control-")]
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_errors_tell_nothing_of_the_inside():
    place = "/srv/citewell/library"
    for kind in STATUS:
        message = f"{place}: connection to 10.0.0.5 as admin:pw@db failed"
        error = errors.MissingExtraError(message, "x", "y") if kind is errors.MissingExtraError else kind(message)
        fault = of(error, [place])
        assert "srv" not in fault.message, kind
        assert fault.status < 500 or "10.0.0.5" not in fault.message, kind
    assert of(RuntimeError(place)).message == "an error inside the service: its log has more"


def test_a_library_that_is_damaged_while_it_serves_is_told_without_its_place(client):
    name = client.post("/v1/documents", json={"text": TEXT}).json()["id"]
    library = Path(client.service.settings.library)
    client.service.pool.desk = Desk({"library": str(library)}, None, 60.0)
    for file in library.glob("library.db*"):
        file.write_bytes(b"no database, " * 2000)
    for reply in (client.get("/v1/documents"), client.post("/v1/ask", json={"documents": [name], "question": "a"})):
        assert (reply.status_code, reply.json()["error"]["type"]) == (500, "LibraryError")
        assert str(library) not in reply.text
        assert "library.db" not in reply.text


@pytest.mark.rare
def test_keys_and_tokens_are_not_stored_logged_or_sent(tenants, monkeypatch, capsys):
    key, address = "sk-hidden-0123456789", "127.0.0.1:9/v1"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    desk = tenants.service.pool.desk
    llm = f"openai(model=m, base_url=http://{address})"
    tenants.service.pool.desk = Desk(desk.places, llm, 60.0)
    name = tenants.post("/v1/documents", json={"text": TEXT}, headers=bearer(ALICE)).json()["id"]
    settings = {"documents": [name], "question": "What was revenue in 2022?", "keep": True}
    replies = [
        tenants.post("/v1/ask", json=settings, headers=bearer(ALICE)),
        tenants.post("/v1/ask", json=settings | {"approach": "extractive"}, headers=bearer(ALICE)),
        tenants.get("/v1/documents", headers=bearer("wrong-0123456789abcdef")),
        tenants.get(f"/v1/documents?token={ALICE}", headers=bearer(ALICE)),
        tenants.get("/", headers=bearer(ALICE)),
        tenants.get("/health"),
    ]
    assert [reply.status_code for reply in replies] == [502, 200, 401, 200, 200, 200]
    log = "".join(capsys.readouterr())
    kept = b"".join(file.read_bytes() for file in Path(desk.places["library"]).rglob("*") if file.is_file()).decode(
        "latin-1"
    )
    sent = "".join(f"{reply.headers}{reply.text}" for reply in replies)
    for secret in (key, ALICE, "wrong-0123456789abcdef"):
        for place, text in (("log", log), ("library", kept), ("replies", sent)):
            assert secret not in text, place
    assert '"user": "' in log
    assert "alice" not in log.replace("alice-", "")
    assert address not in sent  # where the language model is, only the log tells


def without_times(expected):
    expected["usage"].pop("seconds", None)
    return json.dumps(expected)


def test_what_another_tenant_has_changes_no_answer_count_score_or_list(serving, tmp_path):
    requests = []
    for name in ("alone", "beside"):
        file = tmp_path / f"{name}.tokens"
        file.write_text(f"{ALICE} name=alice labels=a\n{BOB} name=bob labels=b\n")
        client = serving(token_file=file)
        client.service.pool = type(client.service.pool)(str(tmp_path / name))
        if name == "beside":
            for text in (TEXT, "The harbour froze twice in 2022, says Alice.", "Harbours freeze."):
                client.post("/v1/documents", json={"text": text}, headers=bearer(ALICE))
        response = client.post(
            "/v1/documents", json={"text": "The mine froze in 2020. The harbour is old."}, headers=bearer(BOB)
        )
        asks = [{"question": question, "library": True} for question in ("When did the harbour freeze?", "What froze?")]
        answers = [client.post("/v1/ask", json=ask, headers=bearer(BOB)).json() for ask in asks]
        checked = client.post("/v1/check", json={"claims": ["The harbour froze in January 2021."], "library": True},
                              headers=bearer(BOB)).json()  # fmt: skip
        added = client.get("/v1/documents", headers=bearer(BOB)).json()["documents"]
        requests.append(
            [response.json()["id"], *map(without_times, answers), without_times(checked), [d["id"] for d in added]]
        )
        assert "Alice" not in json.dumps(requests)
    assert requests[0] == requests[1]


def test_a_file_that_another_tenant_has_too_is_read_and_kept_as_if_it_were_new(tenants, monkeypatch):
    reads, steps = readers.read, []
    monkeypatch.setattr(keeping.readers, "read", lambda data, **how: steps.append("read") or reads(data, **how))
    from citewell.library import writing

    for verb in ("load", "dump"):
        real = getattr(writing.saved, verb)
        monkeypatch.setattr(
            writing.saved, verb, lambda *arguments, _real=real, _verb=verb: steps.append(_verb) or _real(*arguments)
        )
    done = []
    for token in (ALICE, BOB, BOB):
        steps.clear()
        reply = tenants.post("/v1/documents", files={"file": ("a.txt", TEXT.encode())}, headers=bearer(token))
        assert reply.status_code == 201
        done.append(list(steps))
    assert done[0] == done[1]  # the second of one tenant may be known
    documents = {
        (entry.id, entry.content)
        for labels in ("a", "b")
        for entry in tenants.service.pool.desk._library("library", (labels,)).entries()
    }
    assert len(documents) == 2


def test_documents_that_a_worker_holds_open_are_each_callers_own(tenants, monkeypatch):
    opened = []
    real = work.keeping.opened
    monkeypatch.setattr(
        work.keeping, "opened", lambda library, entry: opened.append(entry.labels) or real(library, entry)
    )
    for token in (ALICE, BOB, BOB):
        name = tenants.post("/v1/documents", json={"text": TEXT}, headers=bearer(token)).json()["id"]
        tenants.post("/v1/ask", json={"documents": [name], "question": "What was revenue?"}, headers=bearer(token))
    assert opened == [("a",), ("b",)]


def test_a_hostile_document_comes_back_as_text_in_json_that_no_browser_runs(client):
    hostile = "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) rose to 5."
    reply = client.post("/v1/documents", json={"text": hostile, "title": "<script>alert(2)</script>"})
    name = reply.json()["id"]
    response = client.post("/v1/ask", json={"documents": [name], "question": "What rose to 5?", "keep": True})
    for result in (reply, response, client.get("/v1/documents"), client.get("/v1/history")):
        assert result.headers["content-type"].startswith("application/json")
        assert result.headers["x-content-type-options"] == "nosniff"
    page = client.get(f"/v1/history/{response.headers['x-citewell-history']}/export?as=html").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
