"""Reading in a process of its own: the same document, the same errors, and nothing that harms the process that asks."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading

import pytest

import formats
import pdfs
from citewell import read
from citewell.errors import (
    CorruptDocumentError,
    EmptyDocumentError,
    ScannedDocumentError,
    TooLargeDocumentError,
    UnsupportedFormatError,
)
from citewell.readers import Budget, isolated
from test_wrong_types import TEXT

pytestmark = pytest.mark.slow  # each reading starts an interpreter

STORY = [formats.heading("Annual report"), formats.paragraph("Revenue rose. Costs fell."), formats.table(["a", "1"])]
PDF = pdfs.make_pdf([pdfs.heading("Results"), pdfs.prose(60), pdfs.table(["Revenue", "5.9"])])


@pytest.mark.parametrize("data", [formats.docx(STORY, "Title"), PDF], ids=["docx", "pdf"])
def test_the_same_document_is_read_with_the_same_rectangles(data):
    here, there = read(data, name="a"), read(data, name="a", isolated=True)
    assert there == here
    assert there.locate(0, 40) == here.locate(0, 40)


def test_pages_so_far_are_told_as_they_are_read_and_not_too_often():
    pages = [pdfs.prose(60)] * 120
    calls = []
    document = read(pdfs.make_pdf(pages), isolated=True, progress=lambda done, total: calls.append((done, total)))
    assert calls == sorted(set(calls))
    assert {total for _, total in calls} == {len(document.pages)}
    assert 2 <= len(calls) <= 50
    assert calls[-1][0] == len(document.pages)


def test_only_pages_are_heard_of_what_a_process_says_besides(monkeypatch):
    words = ["a warning", "pages 1 4", "pages 9 4", "pages 1 0", "pages 2 4 x", "pages 1 4", "pages 4 4"]
    acting(monkeypatch, f"import sys; sys.stderr.write({chr(10).join(words) + chr(10)!r}); raise ValueError")
    calls = []
    with pytest.raises(CorruptDocumentError):
        read(b"some text", isolated=True, progress=lambda *pages: calls.append(pages))
    assert calls == [(1, 4), (4, 4)]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyDocumentError),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), UnsupportedFormatError),
        (b"%PDF-1.4\n%%EOF startxref", CorruptDocumentError),
        (pdfs.make_pdf([], pictures=[1]), ScannedDocumentError),
    ],
)
def test_errors_pass_through_as_they_are(data, error):
    messages = set()
    for alone in (False, True):
        with pytest.raises(error) as caught:
            read(data, name="b.x", isolated=alone, ocr="off")
        assert type(caught.value) is error
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_a_limit_that_is_passed_is_named_there_too():
    with pytest.raises(TooLargeDocumentError) as caught:
        read(formats.html(STORY), isolated=True, budget=Budget(elements=2))
    assert caught.value.limit == "elements"


def acting(monkeypatch, code):
    """The process that reads does this instead of reading."""
    body = f"from citewell.readers import worker\ndef done(*_):\n    {code}\nworker._done = done\nraise SystemExit(worker.main())"
    run = subprocess.run

    def instead(command, **settings):
        return run([sys.executable, "-P", "-c", body], **settings)

    monkeypatch.setattr(isolated.subprocess, "run", instead)


@pytest.mark.parametrize(
    "code", ["import os; os.kill(os.getpid(), 11)", "raise ValueError('a fault')", "import os; os._exit(0)"]
)
def test_a_crash_is_one_of_our_errors(monkeypatch, code):
    acting(monkeypatch, code)
    with pytest.raises(CorruptDocumentError, match="crash"):
        read(b"word", name="a.txt", isolated=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of resources here")
@pytest.mark.parametrize(
    ("code", "limit", "seconds"),
    [
        ("bytearray(1 << 33)", "memory_bytes", 300),  # however long a busy machine takes to start Python
        ("import time; time.sleep(60)", "seconds", 2),
        ("exec('while True: pass')", "seconds", 2),
    ],
)
def test_memory_and_time_are_limited(monkeypatch, code, limit, seconds):
    acting(monkeypatch, code)
    with pytest.raises(TooLargeDocumentError) as caught:
        read(b"word", name="a.txt", isolated=True, budget=Budget(seconds=seconds, memory_bytes=2 << 30))
    assert caught.value.limit == limit
    assert f"Budget({limit}=" in str(caught.value)


def test_no_key_reaches_the_process_and_it_writes_no_file(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-ours")
    monkeypatch.setenv("MY_DATABASE", "postgres://user:word@host")
    write = f"open({str(tmp_path / 'x')!r}, 'wb').write(b'x' * 99999)"
    acting(
        monkeypatch,
        "import os\n    from citewell import Document\n"
        f"    try: {write}\n    except OSError as error: failed = str(error)\n"
        "    return {'document': Document.from_text(repr(dict(os.environ)) + failed).to_dict()}, b''",
    )
    text = read(b"word", name="a.txt", isolated=True).text
    assert "PYTHONPATH" in text
    assert "too large" in text
    assert "secret" not in text
    assert "postgres" not in text
    assert not (tmp_path / "x").exists() or not (tmp_path / "x").stat().st_size


@pytest.mark.parametrize(
    "message", [{"document": {}}, {"error": {"kind": "os"}}, {"document": {**TEXT.to_dict(), "text": "x"}}, []]
)
def test_what_the_process_says_is_not_trusted(monkeypatch, message):
    printed = json.dumps(message).encode() + b"\nno array"
    done = subprocess.CompletedProcess([], 0, printed, b"")
    monkeypatch.setattr(isolated.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(CorruptDocumentError):
        read(b"word", name="a.txt", isolated=True)


def test_several_threads_read_at_once_while_others_read_here():
    texts = []
    jobs = [
        threading.Thread(target=lambda alone=n % 2 == 0: texts.append(read(PDF, isolated=alone).text)) for n in range(6)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert len(texts) == 6
    assert len(set(texts)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no poll here")
def test_the_process_ends_when_whoever_asked_is_gone():
    body = "import time; from citewell.readers import worker; worker._done = lambda *_: time.sleep(600); worker.main()"
    reader = subprocess.Popen([sys.executable, "-c", body], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        reader.stdin.write(json.dumps({"budget": dataclasses.asdict(Budget())}).encode() + b"\nword")
        reader.stdin.close()
        with pytest.raises(subprocess.TimeoutExpired):
            reader.wait(2)
        reader.stdout.close()  # what a killed process leaves behind: a pipe that nobody reads
        assert reader.wait(60) == 1
    finally:
        reader.kill()


@pytest.mark.rare
def test_the_command_line_reads_so_too(tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(PDF)
    command = [sys.executable, "-m", "citewell", "check", str(path), "Revenue was 5.9.", "--isolated", "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout)["verdicts"]
    path.write_bytes(b"\x00\x01\x02\x03\x04\x05\x06" * 99)
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)


def test_what_a_process_started_and_left_behind_is_not_waited_for(monkeypatch, tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    script = f"import subprocess, sys; subprocess.Popen(['sh', '-c', 'read line < {gate}'], stdout=subprocess.DEVNULL); sys.exit(1)"
    acting(monkeypatch, script)
    with pytest.raises(CorruptDocumentError):
        read(b"some text", isolated=True, progress=lambda *pages: None)
    os.close(os.open(gate, os.O_WRONLY | os.O_NONBLOCK))  # it waits there still, and ends with this
