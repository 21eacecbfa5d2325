"""What whoever runs the service sees of it: health, figures, traces; and requests that come twice."""

import asyncio
import http.server
import json
import threading
import types

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from citewell.library.library import Library
from citewell.serve.metrics import Busy, Metrics
from citewell.serve.replays import Replays

TOKEN, FIGURES = "0123456789abcdef", "figures-0123456789"


async def nothing_lacks(caller, ids):
    return frozenset()


def test_life_and_readiness_are_told_apart(client):
    assert client.get("/health/live").json() == {"live": True}
    assert client.get("/health/ready").json()["ready"] is True
    client.service.pool.ready = False
    assert client.get("/health/live").status_code == 200
    assert client.get("/health/ready").status_code == 503
    assert client.get("/health").json() == {
        "status": "starting",
        "live": True,
        "ready": False,
        "token": False,
        "login": False,
    }


@pytest.mark.parametrize("what", ["queue", "disk", "store"])
def test_readiness_asks_the_queue_the_disk_and_the_store(client, monkeypatch, what):
    def lost(*_):
        raise sa.exc.OperationalError("SELECT", {}, Exception("gone"))

    if what == "queue":
        client.service.pool.full = True
    elif what == "disk":
        monkeypatch.setattr("shutil.disk_usage", lambda _: types.SimpleNamespace(free=1000))
    else:
        monkeypatch.setattr("citewell.library.store.records.generation", lost)
    reply = client.get("/health/ready")
    assert (reply.status_code, reply.json()["checks"].pop(what)) == (503, False)
    assert [name for name, good in reply.json()["checks"].items() if not good] == [what]


def test_a_lost_database_is_not_the_language_models_fault(client, monkeypatch, capsys):
    name = client.post("/v1/documents", json={"text": "The harbour froze."}).json()["id"]

    def lost(*_):
        raise sa.exc.OperationalError("SELECT", {}, Exception("connection refused at secret-host"))

    monkeypatch.setattr("citewell.library.store.records.generation", lost)
    reply = client.post("/v1/ask", json={"documents": [name], "question": "When did the harbour freeze?"})
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")
    assert "library cannot be reached" in reply.json()["error"]["message"]
    assert "secret-host" not in reply.text
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]  # each line is one
    assert {line["level"] for line in lines} == {"info", "error"}
    assert all(line["time"] for line in lines)


def test_figures_are_counted_by_route_and_name_no_document(client):
    name = client.post("/v1/documents", json={"text": "The harbour froze.", "title": "Secret"}).json()["id"]
    for path in (f"/v1/documents/{name}", "/v1/documents/other", "/nothing/secret"):
        client.get(path)
    text = client.get("/metrics").text
    assert 'citewell_requests_total{method="POST",route="/v1/documents",status="201"} 1' in text
    assert 'citewell_requests_total{method="GET",route="/v1/documents/{id}",status="200"} 1' in text
    assert 'citewell_requests_total{method="GET",route="/v1/documents/{id}",status="404"} 1' in text
    assert 'citewell_requests_total{method="GET",route="other",status="404"} 1' in text
    assert "ecret" not in text
    assert name not in text


def test_durations_are_a_histogram_that_counts_what_is_below_each_bound():
    metrics = Metrics()
    for seconds in (0.01, 0.011, 400.0):
        metrics.count("GET", "/a", 200, seconds)
    lines = metrics.text(Busy(2, 5, 1), 3).splitlines()
    assert 'citewell_request_seconds_bucket{le="0.01",route="/a"} 1.0' in lines
    assert 'citewell_request_seconds_bucket{le="300.0",route="/a"} 2.0' in lines
    assert 'citewell_request_seconds_bucket{le="+Inf",route="/a"} 3.0' in lines
    assert 'citewell_request_seconds_sum{route="/a"} 400.021' in lines
    assert {
        "citewell_workers 2.0",
        "citewell_jobs 5.0",
        "citewell_jobs_waiting 3.0",
        "citewell_workers_lost_total 1.0",
        "citewell_uploads 3.0",
    } <= set(lines)


def test_figures_want_a_token_of_their_own(serving, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{TOKEN}\n{FIGURES} scopes=metrics\n", encoding="utf-8")
    client = serving(token_file=tokens)
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"x-api-key": TOKEN}).status_code == 403
    assert client.get("/metrics", headers={"x-api-key": FIGURES}).status_code == 200
    assert client.get("/v1/documents", headers={"x-api-key": FIGURES}).status_code == 403
    assert client.get("/health/ready").status_code == 200


def test_another_name_may_be_allowed(serving):
    client = serving(allowed=("reports.example",))
    assert client.get("/health", headers={"Host": "Reports.example:8710"}).status_code == 200
    assert client.get("/health", headers={"Host": "other.example"}).status_code == 421


def test_every_reply_and_line_of_the_log_has_the_id_of_its_request(client, capsys):
    reply = client.get("/v1/documents")
    assert reply.headers["x-request-id"] == reply.headers["request-id"]
    assert json.loads(capsys.readouterr().err.splitlines()[-1])["request"] == reply.headers["request-id"]


def test_a_request_that_comes_twice_with_a_key_is_done_once(client):
    name = client.post("/v1/documents", json={"text": "The harbour froze in 2021."}).json()["id"]
    settings = {"documents": [name], "question": "When did the harbour freeze?"}
    first = client.post("/v1/ask", json=settings, headers={"Idempotency-Key": "a"})
    again = client.post("/v1/ask", json=settings, headers={"Idempotency-Key": "a"})
    assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
    assert "idempotent-replayed" not in first.headers
    assert again.headers["x-request-id"] != first.headers["x-request-id"]
    assert sum(job.verb == "ask" for job in client.service.pool.jobs) == 1
    other = client.post("/v1/ask", json={**settings, "k": 1}, headers={"Idempotency-Key": "a"})
    assert (other.status_code, other.json()["error"]["field"]) == (422, "Idempotency-Key")
    assert client.post("/v1/ask", json={**settings, "k": 1}, headers={"Idempotency-Key": "b"}).status_code == 200
    streamed = {"headers": {"Idempotency-Key": "c"}, "json": {**settings, "stream": True}}
    assert client.post("/v1/ask", **streamed).content == client.post("/v1/ask", **streamed).content
    assert client.delete(f"/v1/documents/{name}").status_code == 204
    assert (
        client.post("/v1/ask", json=settings, headers={"Idempotency-Key": "a"}).status_code == 404
    )  # nothing of it is left


def test_one_callers_keys_are_not_anothers(serving, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{'a' * 16} labels=a\n{'b' * 16} labels=b\n", encoding="utf-8")
    client = serving(token_file=tokens)
    ids = []
    for letter, text in (("a", "Ours."), ("b", "Theirs.")):
        headers = {"Authorization": f"Bearer {letter * 16}", "Idempotency-Key": "k"}
        ids.append(client.post("/v1/documents", json={"text": text}, headers=headers).json()["id"])
    assert ids[0] != ids[1]


def test_a_reply_that_another_try_may_better_is_not_told_again():
    statuses = iter((500, 503, 429, 200, 201))

    async def app(scope, receive, send):
        await receive()
        await send({"type": "http.response.start", "status": next(statuses), "headers": []})
        await send({"type": "http.response.body", "body": b"x"})

    kept = Replays(nothing_lacks).before(app)

    async def called(scope, receive, send):
        scope["state"] = {"caller": "somebody"}
        await kept(scope, receive, send)

    client = TestClient(called)
    status_codes = [client.post("/", headers={"Idempotency-Key": "a"}).status_code for _ in range(6)]
    assert status_codes == [500, 503, 429, 200, 200, 200]


def test_the_second_of_two_requests_at_once_waits_for_the_first():
    began, count = asyncio.Event(), 0

    async def app(scope, receive, send):
        nonlocal count
        count += 1
        await began.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x"})

    kept = Replays(nothing_lacks).before(app)

    async def ask():
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"{}"}

        async def send(message):
            sent.append(message["type"])

        headers = [(b"idempotency-key", b"a")]
        scope = {"type": "http", "method": "POST", "path": "/", "headers": headers, "state": {"caller": 1}}
        await kept(scope, receive, send)
        return sent

    async def both():
        tasks = [asyncio.create_task(ask()) for _ in range(2)]
        await asyncio.sleep(0)
        began.set()
        return await asyncio.gather(*tasks)

    assert asyncio.run(both()) == [["http.response.start", "http.response.body"]] * 2
    assert count == 1


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.seen.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.mark.rare
@pytest.mark.slow
def test_traces_go_where_the_environment_says_without_a_word_of_a_document(tmp_path, monkeypatch):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    from serve_process import Running

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        server.seen = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        service = Running("--library", tmp_path / "library")
        name = service.client.post("/v1/documents", json={"text": "The harbour froze in 2021."}).json()["id"]
        service.client.post("/v1/ask", json={"documents": [name], "question": "When did it freeze?"})
        assert service.stop() == 0
        service.close()
        server.shutdown()
        thread.join()
    spans = b"".join(body for path, body in server.seen if path == "/v1/traces")
    assert b"POST /v1/ask" in spans
    assert b"citewell.job" in spans
    assert b"freeze" not in spans
    assert b"harbour" not in spans


def test_uploads_are_whole_until_a_byte_of_them_changes(serving, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{TOKEN} workspace=red labels=zeta,alpha\n", encoding="utf-8")
    client = serving(token_file=tokens)
    file = ("harbour.txt", b"The harbour froze in 2021.")
    assert client.post("/v1/documents", files={"file": file}, headers={"x-api-key": TOKEN}).status_code == 201
    with Library(client.service.settings.library) as library:
        assert library.verify() == []
        with library.database.writing() as connection:
            contents = sa.Table("contents", sa.MetaData(), autoload_with=connection)
            where = contents.c.kind == "file"
            connection.execute(contents.update().where(where).values(data=b"The harbour froze in 2022."))
        assert [damage.part for damage in library.verify()] == ["file"]


def test_what_a_killed_service_left_is_swept_at_the_next_start(tmp_path, monkeypatch):
    from citewell.serve import running
    from citewell.text import files

    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    killed, living, other = (tmp_path / f"citewell-serve-{name}" for name in ("killed", "living", "other"))
    for folder in (killed, living, other):
        (folder / "uploads").mkdir(parents=True)
    (killed / files.LOCK).write_text("process 1 on nowhere")
    with files.locked(living):
        running._sweep()
    assert [folder.exists() for folder in (killed, living, other)] == [False, True, True]


def test_the_folder_of_another_users_service_keeps_nobody_from_starting(tmp_path, monkeypatch):
    from citewell.serve import running

    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    (tmp_path / "citewell-serve-elses").mkdir()

    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.is_file", refused)
    running._sweep()
    assert (tmp_path / "citewell-serve-elses").exists()


def test_a_problem_is_told_as_rfc_9457_has_it_to_whoever_asks_for_it(client):
    reply = client.get("/v1/documents/0", headers={"accept": "application/problem+json"})
    problem = reply.json()
    assert reply.headers["content-type"] == "application/problem+json"
    assert (problem["status"], problem["title"], problem["detail"]) == (
        404,
        "NotFoundError",
        problem["error"]["message"],
    )
    assert set(client.get("/v1/documents/0").json()) == {"error"}


def test_the_description_names_operations_once_with_tags_and_who_may_ask(client):
    described = client.get("/openapi.json").json()
    operations = [operation for methods in described["paths"].values() for operation in methods.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert all(operation["tags"] for operation in operations)
    assert set(described["components"]["securitySchemes"]) == {"bearer", "key"}


def test_a_new_document_says_where_it_is(client):
    reply = client.post("/v1/documents", json={"text": "The harbour froze."})
    assert client.get(reply.headers["location"]).json()["id"] == reply.json()["id"]


def test_files_of_the_page_are_sent_compressed_and_kept(client):
    whole = client.get("/page/main.js", headers={"accept-encoding": "identity"})
    packed = client.get("/page/main.js", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == whole.text
    assert int(packed.headers["content-length"]) < int(whole.headers["content-length"]) / 2
    again = client.get("/page/main.js", headers={"if-none-match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
