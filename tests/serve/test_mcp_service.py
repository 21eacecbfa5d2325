"""The tools of the Model Context Protocol inside the service: over real HTTP, for whoever the token names."""

import base64
import http.client
import json
from urllib.parse import urlsplit

import anyio
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from pdfs import heading, make_pdf
from serve_tokens import ALICE, BOB, LINES, READER, bearer

pytestmark = pytest.mark.slow  # imports the SDK

PASSENGERS = "The ferries carried 1.75 million passengers in 2025."
QUESTION = "How many passengers did the ferries carry in 2025?"
REPORT = base64.b64encode(make_pdf([heading("The year"), PASSENGERS, "The fleet has five ships."])).decode()


def called(address, token, *calls):
    """The results of some calls of tools, each (name, arguments) or a function of the results before it."""

    async def run():
        results = []
        async with (
            create_mcp_http_client(headers=bearer(token) if token else None) as http_client,
            Client(streamable_http_client(f"{address}/mcp", http_client=http_client)) as client,
        ):
            for call in calls:
                name, arguments = call(results) if callable(call) else call
                results.append(await client.call_tool(name, arguments))
        return results

    return anyio.run(run)


def text(result):
    return "\n".join(item.text for item in result.content if item.type == "text")


@pytest.fixture
def tenants_online(online, tmp_path):
    file = tmp_path / "tokens"
    file.write_text(LINES, encoding="utf-8")
    return online(token_file=file)


def test_a_document_is_read_asked_and_shown_with_its_evidence(online):
    read, answer, page = called(
        online(),
        None,
        ("read", {"name": "report.pdf", "base64": REPORT}),
        ("ask", {"question": QUESTION}),
        lambda results: ("open_page", {"result": results[1].structured_content["result"], "evidence": 1}),
    )
    assert read.structured_content["documents"][0]["name"] == "report.pdf"
    assert f"{PASSENGERS} [1]" in text(answer)
    assert answer.structured_content["statements"][0]["label"] == "quoted"
    assert page.content[0].type == "image"
    assert f"“{PASSENGERS}”" in text(page)


def test_claims_are_checked_and_a_reply_is_audited(online):
    _, checked, audited = called(
        online(),
        None,
        ("read", {"name": "notes.txt", "text": PASSENGERS}),
        ("check", {"claims": ["The ferries carried 41 million passengers in 2025."]}),
        ("audit", {"response": f"{PASSENGERS} [1]", "documents": ["notes.txt"]}),
    )
    assert checked.structured_content["statements"][0]["label"] == "contradicted"
    assert not audited.is_error


def test_a_caller_sees_only_what_the_token_may(tenants_online):
    read, page = called(
        tenants_online,
        ALICE,
        ("read", {"name": "secret.txt", "text": PASSENGERS}),
        ("ask", {"question": QUESTION}),
    )
    assert PASSENGERS in text(page)
    name = read.structured_content["documents"][0]["id"]
    listed, asked, opened = called(
        tenants_online,
        BOB,
        ("documents", {}),
        ("ask", {"question": QUESTION, "documents": [name]}),
        ("open_page", {"result": page.structured_content["result"]}),
    )
    assert listed.structured_content["documents"] == []
    assert asked.is_error
    assert opened.is_error
    assert "no result is called" in text(opened)


def test_a_token_that_only_reads_adds_nothing(tenants_online):
    read, listed = called(tenants_online, READER, ("read", {"name": "a.txt", "text": PASSENGERS}), ("documents", {}))
    assert read.is_error
    assert "ForbiddenError: this token does not allow to write" in text(read)
    assert listed.structured_content["documents"] == []


@pytest.mark.parametrize(("headers", "status"), [({}, 401), (bearer("x" * 20), 401), (bearer(ALICE), 200)])
def test_without_a_token_nothing_is_told(tenants_online, headers, status):
    where = urlsplit(tenants_online)
    connection = http.client.HTTPConnection(where.hostname, where.port)
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", json.dumps(request), {**accepted, **headers})
    reply = connection.getresponse()
    assert reply.status == status, reply.read()
    connection.close()


def test_nothing_waits_for_messages_that_never_come(online):
    where = urlsplit(online())
    for method in ("GET", "DELETE"):
        connection = http.client.HTTPConnection(where.hostname, where.port)
        connection.request(method, "/mcp", headers={"Accept": "text/event-stream"})
        assert connection.getresponse().status == 405
        connection.close()


def test_a_foreign_page_is_refused(online):
    where = urlsplit(online())
    connection = http.client.HTTPConnection(where.hostname, where.port)
    connection.request(
        "POST", "/mcp", b"{}", {"Content-Type": "application/json", "Origin": "https://elsewhere.example"}
    )
    assert connection.getresponse().status == 403
    connection.close()
