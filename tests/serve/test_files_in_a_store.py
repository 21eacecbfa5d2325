"""The service with the files of documents in an S3 store."""

import signal
import subprocess
import sys

import pytest

import s3_server
from citewell.library.library import Library
from citewell.library.store import objects, records
from citewell.library.store.tables import GONE
from pdfs import heading, make_pdf
from serve_process import Running

pytestmark = [pytest.mark.slow, pytest.mark.rare, *(pytest.mark.filterwarnings(line) for line in s3_server.WARNINGS)]
FOLDER = "s3://bucket/files"


@pytest.fixture
def bucket(monkeypatch):
    with s3_server.bucket(monkeypatch) as started:
        yield started


@pytest.fixture
def client(bucket, serving):
    objects.begin(FOLDER)
    return serving(files=FOLDER)


def test_a_file_is_kept_shown_and_removed(bucket, client):
    data = make_pdf([heading("Results"), "The harbour froze in 2021. Revenue rose to $5.9 million in 2025."])
    name = client.post("/v1/documents", files={"file": ("report.pdf", data)}).json()["id"]
    assert [bucket.store.cat_file(place) for place in bucket.names("bucket/files")] == [data]
    assert client.get(f"/v1/files/{name}/content").content == data
    assert client.get(f"/v1/documents/{name}/pages/1.png").content.startswith(b"\x89PNG")
    asked = {"documents": [name], "question": "What was revenue in 2025?"}
    citation, *_ = client.post("/v1/ask", json=asked).json()["citations"]
    assert citation["rects"]
    assert client.delete(f"/v1/documents/{name}").status_code == 204
    assert bucket.names("bucket/files") == []


def test_a_file_that_could_not_be_read_is_kept_and_removed_likewise(bucket, client):
    broken, whole = ("broken.pdf", b"%PDF-1.7 broken"), ("note.txt", b"The harbour froze in 2021.")
    assert client.post("/v1/documents", files={"file": broken}).status_code == 422
    assert client.post("/v1/documents", files={"file": whole}).status_code == 201
    assert sorted(map(bucket.store.cat_file, bucket.names("bucket/files"))) == sorted([broken[1], whole[1]])
    (failure,) = client.get("/v1/failures").json()["failures"]
    assert client.post(f"/v1/failures/{failure['id']}/retry").status_code == 422
    assert client.delete(f"/v1/failures/{failure['id']}").status_code == 204
    assert list(map(bucket.store.cat_file, bucket.names("bucket/files"))) == [whole[1]]


def test_a_lost_store_is_503_with_its_reason_and_no_service_is_ready_without_it(bucket, client):
    data = make_pdf(["Revenue rose to $5.9 million in 2025."])
    name = client.post("/v1/documents", files={"file": ("report.pdf", data)}).json()["id"]
    assert client.get("/health/ready").json()["checks"]["files"] is True
    bucket.lose()
    routes = (("GET", "files", "/content"), ("GET", "documents", "/pages/1.png"), ("DELETE", "documents", ""))
    for method, kind, rest in routes:
        reply = client.request(method, f"/v1/{kind}/{name}{rest}")
        assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")
        assert reply.json()["error"]["message"] == "the files of documents cannot be reached just now: try again"
    ready = client.get("/health/ready")
    assert ready.status_code == 503
    assert [check for check, good in ready.json()["checks"].items() if not good] == ["files"]
    assert client.get("/v1/documents").status_code == 200  # what needs no file goes on
    assert client.post("/v1/documents", files={"file": ("note.txt", b"The harbour froze.")}).status_code == 201
    bucket.start()
    assert client.get("/health/ready").json()["ready"] is True
    assert client.get(f"/v1/files/{name}/content").content == data
    assert client.delete(f"/v1/documents/{name}").status_code == 204
    assert list(map(bucket.store.cat_file, bucket.names("bucket/files"))) == [b"The harbour froze."]


def test_what_a_killed_service_left_in_the_store_is_swept_at_the_next_start(bucket, tmp_path):
    options = ("--library", tmp_path / "library", "--files", f"{FOLDER}/")
    service = Running(*options)
    kept = service.client.post("/v1/documents", files={"file": ("note.txt", b"The harbour froze.")}).json()["id"]
    assert service.stop(signal.SIGKILL) == -signal.SIGKILL
    service.close()
    (place,) = bucket.names("bucket/files")
    with Library(tmp_path / "library") as library, library.database.writing() as connection:
        records.keep(connection, "0" * 64, GONE, b"s3://bucket/files/half-written")  # as it stands before it is written
    bucket.store.pipe_file("bucket/files/half-written", b"The harb")
    service = Running(*options)
    assert bucket.names("bucket/files") == [place]
    assert service.client.get(f"/v1/files/{kept}/content").content == b"The harbour froze."
    assert service.stop() == 0
    service.close()


def test_a_service_does_not_start_where_it_cannot_keep_files(bucket, tmp_path):
    command = [sys.executable, "-m", "citewell", "serve", "--port", "0", "--library", str(tmp_path / "library")]
    for folder, code, message in (
        ("s3://nothing/files", 1, "s3://nothing/files/citewell cannot be written: The specified bucket does not exist"),
        ("files", 2, "files are kept at s3://BUCKET/PREFIX or gs://BUCKET/PREFIX, not at files"),
    ):
        done = subprocess.run([*command, "--files", folder], capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stdout) == (code, "")
        assert message in done.stderr
        assert "Traceback" not in done.stderr
