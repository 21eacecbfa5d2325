"""`citewell ask` with a language model, end to end: over HTTP, streamed, declined, refused."""

import io
import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("openai", reason="the client of the openai protocol")

from citewell import cli
from openai_server import KEY, Reply, error, serving

pytestmark = pytest.mark.slow

TEXT = """# Northwater

Northwater carried 4.1 million passengers in 2025. Fares rose by 3 percent in spring.

The ferry Aurora was built in Turku. She is powered by batteries.

Fuel costs fell to 18 million euros. The company employs 640 people in three harbours.
"""
GOOD = "The company employs 640 people. [3] The ferry Aurora was built in Turku. [2] Fuel costs fell to 18 million euros. [3]"


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving("openai") as result:
        result.replies = [Reply(GOOD)]
        yield result


@pytest.fixture
def run(capsys, monkeypatch):
    def run(*args):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        code = cli.main(list(args))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def spec(server, **more):
    settings = "".join(f", {key}={value}" for key, value in more.items())
    return f'openai(model=toy, base_url="{server.url}"{settings})'


@pytest.mark.parametrize(
    "approach", ["post-hoc", "retrieve-then-read", "citation", "reduced-post-hoc", "reduced-citation"]
)
def test_every_approach_answers_over_http(run, report, server, approach):
    if "citation" not in approach:
        server.replies = [Reply("The company employs 640 people.")]
    code, out, err = run("ask", report, "How many people?", "--llm", spec(server), "--approach", approach, "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert any("640 people" in citation["quote"] for citation in answer["citations"])
    assert answer["usage"]["prompt"]["name"] == "question"
    assert KEY not in out


def test_an_answer_is_streamed_statement_by_statement(run, report, server):
    code, out, _ = run("ask", report, "What is said?", "--llm", spec(server), "--stream", "--no-color")
    assert code == 0
    assert out.startswith(
        "What is said?\n\nThe company employs 640 people. [1] The ferry Aurora was built in Turku. [2] Fuel"
    )
    assert out.count("The ferry Aurora was built in Turku. [2]") == 1
    assert "Evidence" in out
    assert server.requests[0][2]["stream"] is True


def test_a_refusal_is_no_answer_and_no_fault(run, report, server):
    server.replies = [Reply("The report does not mention the owner.")]
    code, out, _ = run("ask", report, "Who owns it?", "--llm", spec(server), "--stream", "--no-color")
    assert code == 0
    assert "No answer. The model declined" in out


def test_a_services_error_is_one_line(run, report, server):
    server.replies = [error(401, "Incorrect API key", code="invalid_api_key")]
    code, out, err = run("ask", report, "Who?", "--llm", spec(server, retries=0))
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert KEY not in err


def test_a_context_that_is_too_short_is_answered_by_reading_less(run, tmp_path, server):
    path = tmp_path / "long.md"
    path.write_text(
        "\n\n".join(f"Ship number {n} carries {n} lamps and one cook." for n in range(400)), encoding="utf-8"
    )
    text = "This model's maximum context length is 4096 tokens. However, your messages resulted in 9000 tokens."
    server.replies = [error(400, text, code="context_length_exceeded"), Reply("Ship number 3 carries 3 lamps. [4]")]
    code, out, err = run("ask", str(path), "What?", "--llm", spec(server), "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer["citations"][0]["quote"] == "Ship number 3 carries 3 lamps and one cook."
    assert any("shorter than max_input" in warning for warning in answer["warnings"])


def test_citations_are_left_alone_on_request(run, report, server):
    server.replies = [Reply("The company employs 640 people. [1]")]
    _, out, _ = run("ask", report, "Who?", "--llm", spec(server), "--no-verify", "--json")
    assert [citation["granularity"] for citation in json.loads(out)["citations"]] == ["paragraph"]
    assert json.loads(out)["warnings"] == []


@pytest.mark.parametrize("form", ["--stream", "--json"])
def test_a_services_own_citations_come_through(run, report, monkeypatch, form):
    pytest.importorskip("anthropic", reason="the client of the anthropic protocol")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    quote = "Fuel costs fell to 18 million euros. The company employs 640 people in three harbours."
    with serving("anthropic") as result:

        def reply(content):
            blocks = content["messages"][0]["content"][0]["source"]["content"]
            number = [block["text"] for block in blocks].index(quote)
            place = {
                "document_index": 0,
                "document_title": None,
                "file_id": None,
                "start_block_index": number,
                "end_block_index": number + 1,
            }
            citation = {"type": "content_block_location", "cited_text": quote, **place}
            return Reply(blocks=[{"type": "text", "text": "It employs 640 people.", "citations": [citation]}])

        result.replies = [reply]
        spec = f'anthropic(model=toy, base_url="{result.url}")'
        code, out, err = run("ask", report, "How many people?", "--llm", spec, "--native", form, "--no-color")
    assert (code, err) == (0, "")
    assert "The company employs 640 people in three harbours." in out
    if form == "--json":
        answer = json.loads(out)
        assert [citation["method"] for citation in answer["citations"]] == ["toy"]
        assert answer["warnings"] == []


def test_native_citations_need_an_approach_that_cites(run, report, server):
    code, _, err = run("ask", report, "Who?", "--llm", spec(server), "--native", "--approach", "post-hoc")
    assert code == 2
    assert "--native" in err


def test_a_terminal_gets_the_stream_by_itself(report, server):
    """In a terminal of its own, the first statement is there before the model has finished."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "dumb"}
    command = [sys.executable, "-m", "citewell", "ask", report, "What is said?", "--llm", spec(server)]
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.PIPE, env=environment)
    _, err = process.communicate(timeout=60)
    os.close(slave)
    result = b""
    while chunk := _read(master):
        result += chunk
    os.close(master)
    assert process.returncode == 0, err
    assert b"The company employs 640 people. [1]" in result
    assert server.requests[0][2]["stream"] is True


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""
