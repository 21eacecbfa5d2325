"""The service as it is run: its own process, real workers, a real socket."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from serve_process import Running, children

pytest.importorskip("fastapi")
httpx = pytest.importorskip("httpx2")
EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    service = Running("--library", tmp_path_factory.mktemp("service") / "library")
    yield service
    code = service.stop()
    service.close()
    assert code == 0


@pytest.fixture(scope="module")
def report(running):
    with (EXAMPLES / "annual-report.pdf").open("rb") as file:
        reply = running.client.post("/v1/documents", files={"file": ("../../annual-report.pdf", file)})
    assert reply.status_code == 201
    return reply.json()["id"]


def test_a_pdf_is_asked_and_its_evidence_lies_on_its_page(running, report):
    response = running.client.post("/v1/ask", json={"documents": [report], "question": "What was revenue in 2023?"})
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["value"]["text"] == "35.1"
    assert answer["documents"][0]["source"] == "annual-report.pdf"
    page, *box = answer["citations"][0]["rects"][0]
    picture = running.client.get(f"/v1/documents/{report}/pages/{page}.png", params={"scale": 2})
    assert picture.headers["content-type"] == "image/png"
    image = pytest.importorskip("PIL.Image")
    import io

    rendered = image.open(io.BytesIO(picture.content)).convert("L")
    x0, y0, x1, y1 = (round(2 * edge) for edge in box)
    assert rendered.size == (1191, 1684)
    assert rendered.crop((x0, y0, x1, y1)).getextrema()[0] < 100  # words are dark
    assert rendered.crop((10, y0, 60, y1)).getextrema()[0] > 200  # the margin beside them is not


def test_a_file_that_is_no_document_is_refused_with_its_reason(running):
    for name, data, kind, status in (
        ("a.pdf", b"%PDF-1.7 nothing", "CorruptDocumentError", 422),
        ("true", Path(sys.executable).read_bytes()[:5000], "UnsupportedFormatError", 415),
        ("a.txt", b"", "EmptyDocumentError", 422),
    ):
        reply = running.client.post("/v1/documents", files={"file": (name, data)})
        assert (reply.status_code, reply.json()["error"]["type"]) == (status, kind)


def test_many_at_once_are_all_answered(running, report):
    def ask(number):
        if number % 4 == 0:
            return running.client.post("/v1/documents", json={"text": f"Ship {number} sank."}).status_code
        settings = {"documents": [report], "question": "What was revenue in 2023?"}
        return running.client.post("/v1/ask", json=settings).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(ask, range(24)))
    assert sorted(set(statuses)) == [200, 201]
    assert statuses.count(201) == 6


def test_a_lost_worker_is_replaced_and_no_document_is_lost(running, report):
    before = running.workers()
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    while (reply := running.client.get(f"/v1/documents/{report}")).status_code != 200:
        assert reply.json()["error"]["type"] == "InternalError"
        time.sleep(0.1)
    assert reply.json()["id"] == report
    assert not before & running.workers()


@pytest.fixture
def claims(running):
    """A request that a worker is to have."""
    name = running.client.post(
        "/v1/documents", json={"text": "The ship sailed to Skelby. Nobody saw it again."}
    ).json()["id"]
    yield {"documents": [name], "claims": ["The ship sailed to Skelby."]}
    assert running.client.get(f"/v1/documents/{name}").status_code == 200  # nothing of it was lost


@contextmanager
def stopped(running):
    """The workers, none of which gets on: what one of them is given is never done, however fast it would be."""
    workers = running.workers()
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    try:
        yield workers
    finally:
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGCONT)


def replaced(running, before):
    """Wait until a worker of those before is gone."""
    while before <= running.workers():
        time.sleep(0.02)


def begun(running):
    """Wait until a job is with the workers."""
    while "\ncitewell_jobs 0" in running.client.get("/metrics").text:
        time.sleep(0.02)


def test_a_dropped_request_is_ended_in_its_worker(running, claims):
    body = json.dumps(claims).encode()
    head = f"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    address = running.client.base_url
    with stopped(running) as before:
        with socket.create_connection((address.host, address.port)) as client:
            client.sendall(f"{head}\r\n".encode() + body)
            begun(running)
        replaced(running, before)
    line = next(line for line in reversed(running.logged().splitlines()) if '"status": 499' in line)
    assert json.loads(line)["path"] == "/v1/check"


def test_a_worker_that_is_killed_in_the_middle_is_a_clear_error_for_its_request_alone(running, claims):
    with ThreadPoolExecutor(1) as pool, stopped(running) as before:
        reply = pool.submit(running.client.post, "/v1/check", json=claims)
        begun(running)
        assert running.client.get("/health").json()["ready"] is True
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        result = reply.result()
    assert (result.status_code, result.json()["error"]["type"]) == (500, "InternalError")
    assert result.headers["x-should-retry"] == "false"
    while running.client.get("/v1/documents").status_code != 200:
        time.sleep(0.1)


@pytest.mark.rare
def test_a_stopped_service_finishes_what_it_has_and_leaves_nothing_behind(tmp_path):
    service = Running("--library", tmp_path / "library")
    with (EXAMPLES / "annual-report.pdf").open("rb") as file, ThreadPoolExecutor(1) as pool:
        reply = pool.submit(service.client.post, "/v1/documents", files={"file": ("a.pdf", file)})
        while not reply.done() and "\ncitewell_jobs 0" in service.client.get("/metrics").text:
            time.sleep(0.02)
        workers = service.workers()
        assert service.stop() == 0
        assert reply.result().status_code == 201
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    lines = [json.loads(line) for line in service.logged().splitlines()]
    requests = [(line["path"], line["status"]) for line in lines if line["path"] != "/metrics"]
    assert requests == [("/v1/documents", 201)]
    service.close()


@pytest.mark.rare
def test_the_service_killed_at_any_moment_keeps_its_documents_and_leaves_no_process(tmp_path):
    service = Running("--library", tmp_path / "library")
    name = service.client.post("/v1/documents", json={"text": "The harbour froze."}).json()["id"]
    workers = service.workers()
    service.stop(signal.SIGKILL)
    service.close()
    for _ in range(100):
        if not any(Path(f"/proc/{worker}").exists() for worker in workers):
            break
        time.sleep(0.1)
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    again = Running("--library", tmp_path / "library")
    assert again.client.get(f"/v1/documents/{name}").status_code == 200
    assert again.stop() == 0
    again.close()


@pytest.mark.rare
def test_a_result_that_was_told_as_kept_is_there_after_the_service_was_killed(tmp_path):
    service = Running("--library", tmp_path / "library")
    name = service.client.post("/v1/documents", json={"text": "The harbour froze."}).json()["id"]
    settings = {"documents": [name], "claims": ["The harbour froze."], "keep": True}
    reply = service.client.post("/v1/check", json=settings)
    service.stop(signal.SIGKILL)
    service.close()
    again = Running("--library", tmp_path / "library")
    entry = again.client.get(f"/v1/history/{reply.headers['x-citewell-history']}").json()
    assert (entry["kind"], entry["result"]) == ("check", reply.json())
    assert again.stop() == 0
    again.close()


@pytest.mark.rare
def test_what_a_killed_service_began_ends_with_it(tmp_path):
    service = Running("--library", tmp_path / "library")
    with (EXAMPLES / "annual-report.pdf").open("rb") as file, ThreadPoolExecutor(1) as pool:
        reply = pool.submit(service.client.post, "/v1/documents", files={"file": ("a.pdf", file)})
        while not (readers := [reader for worker in service.workers() for reader in children(worker)]):
            time.sleep(0.01)
        os.kill(readers[0], signal.SIGSTOP)  # it would be read for ever
        began = [*service.workers(), *readers]
        service.stop(signal.SIGKILL)
        assert isinstance(reply.exception(), httpx.HTTPError)
    for _ in range(300):
        if not any(Path(f"/proc/{process}").exists() for process in began):
            break
        time.sleep(0.1)
    assert not any(Path(f"/proc/{process}").exists() for process in began)
    service.close()


@pytest.mark.rare
def test_the_tokens_are_read_again_when_told_to_unless_they_are_wrong(tmp_path):
    old, new, tokens = "first-0123456789", "second-0123456789", tmp_path / "tokens"
    tokens.write_text(f"{old} name=ann\n", encoding="utf-8")
    service = Running("--library", tmp_path / "library", "--token-file", tokens)

    def told(token):
        return service.client.get("/v1/documents", headers={"x-api-key": token}).status_code

    def reloaded(text, message):
        tokens.write_text(text, encoding="utf-8")
        service.process.send_signal(signal.SIGHUP)
        while message not in service.logged():
            time.sleep(0.02)
        return [told(token) for token in (old, new)]

    assert [told(token) for token in (old, new)] == [200, 401]
    assert reloaded(f"{new} role=king\n", "the tokens stay as they were") == [200, 401]
    assert reloaded(f"{new} name=ben\n", "the tokens were read again") == [401, 200]
    assert service.stop() == 0
    assert all(json.loads(line)["level"] for line in service.logged().splitlines())
    service.close()


def test_what_the_server_itself_complains_of_is_a_line_of_the_log_too(running):
    address = running.client.base_url
    with socket.create_connection((address.host, address.port)) as client:
        client.sendall(b"what is this\r\n\r\n")
        assert client.recv(99).startswith(b"HTTP/1.1 400")
    while not (lines := [line for line in running.logged().splitlines() if '"logger"' in line]):
        time.sleep(0.02)
    assert json.loads(lines[0])["message"] == "Invalid HTTP request received."


@pytest.mark.rare
def test_a_service_whose_processes_cannot_begin_ends_and_says_so(tmp_path):
    script = (
        "import sys\n"
        "from citewell.cli import main\n"
        "from citewell.serve import pool\n"
        "pool._PATIENCE = 0.2\n"
        "pool.Pool._new = lambda self: None\n"
        "sys.exit(main(['serve', '--port', '0', '--library', sys.argv[1]]))\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "library")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *logged, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout, last) == (1, "", "citewell: the service did not start; its log says why")
    assert any("end before they begin" in json.loads(line)["message"] for line in logged)


def test_an_address_that_others_reach_wants_tokens(tmp_path):
    command = [sys.executable, "-m", "citewell", "serve", "--host", "0.0.0.0", "--port", "0"]  # noqa: S104
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--token-file" in done.stderr


def test_a_port_that_is_taken_is_said_in_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "-m", "citewell", "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "is not available for listening" in done.stderr
