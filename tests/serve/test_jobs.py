"""Jobs: rows in, results out in their order, by the rules of requests, whatever happens to the service meanwhile."""

import json
import signal
import time

import pytest

from serve_process import Running

pytestmark = pytest.mark.slow
TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."
LINES = {"content-type": "application/jsonl"}


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def over(client, name):
    for _ in range(600):
        payload = client.get(f"/v1/jobs/{name}").json()
        if payload["state"] in ("done", "failed"):
            return payload
        time.sleep(0.1)
    raise AssertionError(payload)


@pytest.fixture
def running(serving):
    with serving() as client:
        yield client


@pytest.fixture
def document(running):
    return running.post("/v1/documents", json={"text": TEXT, "title": "Harbour"}).json()["id"]


def begin(client, body, kind="ask", **headers):
    return client.post("/v1/jobs", params={"kind": kind}, content=body, headers=LINES | headers)


def results(client, name):
    return [json.loads(line) for line in client.get(f"/v1/jobs/{name}/results").text.splitlines()]


def test_rows_become_results_in_their_order_and_what_is_wrong_is_said_row_by_row(running, document, tmp_path):
    settings = {"documents": [document], "question": "What was revenue in 2022?"}
    secret = tmp_path / "secret.txt"
    secret.write_text("The password is 12345.", encoding="utf-8")
    body = lines(
        {"id": "a", **settings}, {"library": True, "question": "When did the harbour freeze?"},
        {"id": "path", "documents": [str(secret)[-60:]], "question": "What is the password?"},
        {"id": "text", "documents": [{"text": "The password is 1."}], "question": "What is the password?"},
        {"id": "model", **settings, "method": "hidden-states(model=/etc)"}, {"id": "none", "documents": [document]},
        {"id": "stream", **settings, "stream": True},
    ) + b"{\n"  # fmt: skip
    begun = begin(running, body)
    assert begun.status_code == 202
    name = begun.json()["id"]
    assert begun.headers["location"] == f"/v1/jobs/{name}"
    result = over(running, name)
    assert (result["state"], result["rows"], result["done"], result["failed"]) == ("done", 8, 8, 6)
    first, second, *wrong = results(running, name)
    whole = running.post("/v1/ask", json=settings).json()
    assert (first["id"], second["id"]) == ("a", 2)
    assert first["result"]["citations"] == whole["citations"]
    assert "January 2021" in second["result"]["text"]
    errors = {row["id"]: row["error"]["message"] for row in wrong}
    assert {name: message.partition(":")[0] for name, message in errors.items()} == {
        "path": "documents", "text": "documents.0", "model": "method", "none": "question", "stream": "stream", 8: "not JSON",
    }  # fmt: skip
    assert "there is no document" in errors["path"]
    assert not [message for message in errors.values() if str(tmp_path) in message]


@pytest.mark.rare
def test_every_kind_of_row_is_the_request_of_that_kind(running, document):
    for kind, arguments in (
        ("attribute", {"answer": "Two ferries were sold."}),
        ("check", {"claims": ["Two ferries were sold."]}),
        ("audit", {"response": "Two ferries were sold [1]."}),
    ):
        name = begin(running, lines({"documents": [document], **arguments}), kind).json()["id"]
        assert over(running, name)["failed"] == 0
        whole = running.post(f"/v1/{kind}", json={"documents": [document], **arguments}).json()
        assert results(running, name)[0]["result"].keys() == whole.keys()


def test_a_key_begins_one_job_however_often_it_comes(running, document):
    body = lines({"documents": [document], "question": "When did the harbour freeze?"})
    first = begin(running, body, **{"idempotency-key": "one"}).json()
    assert begin(running, body, **{"idempotency-key": "one"}).json()["id"] == first["id"]
    other = begin(running, body + body, **{"idempotency-key": "one"})
    assert (other.status_code, other.json()["error"]["field"]) == (422, "Idempotency-Key")
    assert begin(running, body, **{"idempotency-key": "two"}).json()["id"] != first["id"]
    assert len(running.get("/v1/jobs").json()["jobs"]) == 2


def test_a_job_that_is_removed_is_ended(running, document):
    row = {"documents": [document], "question": "When did the harbour freeze?"}
    name = begin(running, lines(*[row] * 20_000)).json()["id"]
    while running.get(f"/v1/jobs/{name}").json()["state"] == "queued":
        time.sleep(0.05)
    assert running.delete(f"/v1/jobs/{name}").status_code == 204
    assert running.get(f"/v1/jobs/{name}").status_code == 404
    after = begin(running, lines(row)).json()["id"]
    assert over(running, after)["state"] == "done"  # whoever worked on the other one does so no more


def test_what_is_no_job_is_refused(serving):
    client = serving(rows=2, jobs=1)
    row = lines({"library": True, "question": "a"})
    for body, kind, headers, status in (
        (b"", "ask", {}, 422), (b"\n\n", "ask", {}, 422), (row * 3, "ask", {}, 422), (row, "delete", {}, 422),
        (row, "ask", {"content-type": "application/pdf"}, 415),
    ):  # fmt: skip
        assert begin(client, body, kind, **headers).status_code == status
    assert begin(client, row).status_code == 202
    assert begin(client, row).json()["error"]["type"] == "FullError"
    assert client.get(f"/v1/jobs/{'0' * 32}").status_code == 404
    assert client.get("/v1/jobs/..%2f..%2fetc").status_code in (404, 422)


def test_one_callers_jobs_are_not_there_for_another(serving, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{'a' * 16} labels=a\n{'b' * 16} labels=b\n{'c' * 16} labels=a scopes=read\n", encoding="utf-8")
    client = serving(token_file=tokens)
    alice, bob, reader = ({"Authorization": f"Bearer {letter * 16}"} for letter in "abc")
    body = lines({"library": True, "question": "a"})
    name = begin(client, body, **alice, **{"idempotency-key": "k"}).json()["id"]
    assert client.get(f"/v1/jobs/{name}", headers=alice).json()["state"] == "queued"
    assert client.get(f"/v1/jobs/{name}", headers=reader).status_code == 404
    assert client.get(f"/v1/jobs/{name}/results", headers=bob).status_code == 404
    assert client.get("/v1/jobs", headers=bob).json() == {"jobs": [], "next": None}
    assert client.delete(f"/v1/jobs/{name}", headers=bob).status_code == 404
    assert client.delete(f"/v1/jobs/{name}", headers=reader).status_code == 403
    assert begin(client, body, **reader).status_code == 403
    assert begin(client, body, **bob, **{"idempotency-key": "k"}).json()["id"] != name


@pytest.mark.rare
def test_a_job_goes_on_after_the_service_was_killed_and_loses_and_repeats_nothing(tmp_path):
    service = Running("--library", tmp_path / "library")
    document = service.client.post("/v1/documents", json={"text": TEXT}).json()["id"]
    rows = [{"id": n, "documents": [document], "question": f"What was revenue in {2000 + n % 30}?"} for n in range(300)]
    name = begin(service.client, lines(*rows)).json()["id"]
    while not service.client.get(f"/v1/jobs/{name}").json()["done"]:
        time.sleep(0.05)
    service.stop(signal.SIGKILL)
    service.close()
    again = Running("--library", tmp_path / "library")
    result = over(again.client, name)
    assert (result["state"], result["done"], result["failed"]) == ("done", 300, 0)
    assert [row["id"] for row in results(again.client, name)] == list(range(300))
    runs = (tmp_path / "library" / "service" / "jobs" / name / "out" / "run.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["number"] for line in runs.splitlines()] == list(range(10))
    assert again.stop() == 0
    again.close()
