"""The clients of the service: the library's types come back, and its errors."""

import asyncio

import pytest

import citewell
from citewell.errors import AuthenticationError, EmptyDocumentError, InputError, RateLimitError, UnreachableError
from citewell.serve import client as clients

httpx = pytest.importorskip("httpx2")
TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022."


@pytest.fixture
def asked(client):
    """A client whose requests go to the application, without a socket."""
    ours = citewell.Client("http://127.0.0.1")
    ours._http.close()
    ours._http = client
    return ours


def test_a_document_goes_in_and_an_answer_comes_out_as_the_library_gives_it(asked):
    document = asked.add_text(TEXT, "Harbour")
    assert asked.documents() == [document]
    answer = asked.ask(document, "What was revenue in 2022?", k=1)
    assert all(TEXT[cited.start : cited.end] == cited.quote for cited in answer.citations)
    local = citewell.ask(citewell.Document.from_text(TEXT, "Harbour"), "What was revenue in 2022?", k=1)
    assert (answer.text, answer.citations, answer.statements) == (local.text, local.citations, local.statements)
    assert asked.verify(answer)["ok"] is True
    assert asked.attribute([document], "Revenue was $5.9bn in 2022.").statements[0].label == "supported"
    verdicts = asked.check(None, ["Revenue rose to $5.9bn in 2022.", "It was hot."])
    assert [verdict.label for verdict in verdicts] == ["supported", "not_supported"]
    assert asked.audit(document, "Revenue rose to $5.9bn in 2022 [1].")["counts"]["exist"] == 1
    asked.remove(document)
    assert asked.documents() == []


def test_errors_are_those_that_the_library_raises(asked):
    with pytest.raises(EmptyDocumentError, match="has no text"):
        asked.add_text("  ")
    with pytest.raises(InputError, match="there is no document 'none'"):
        asked.ask("none", "a")
    with pytest.raises(citewell.SpecError, match="a request may name"):
        asked.ask(None, "a", method="hidden-states")


def replying(*replies):
    waiting = list(replies)
    return httpx.MockTransport(lambda request: waiting.pop(0))


def test_a_busy_service_is_asked_again_when_it_says(monkeypatch):
    waited = []
    monkeypatch.setattr(clients.time, "sleep", waited.append)
    busy = httpx.Response(429, headers={"Retry-After": "2"}, json={"error": {"type": "BusyError", "message": "wait"}})
    ours = citewell.Client()
    ours._http.close()
    ours._http = httpx.Client(
        base_url="http://a", transport=replying(busy, httpx.Response(200, json={"documents": []}))
    )
    assert (ours.documents(), waited) == ([], [2.0])
    ours._http = httpx.Client(base_url="http://a", transport=replying(*[busy] * 4))
    with pytest.raises(RateLimitError, match="wait"):
        ours.documents()


def test_the_async_client_does_the_same():
    refused = httpx.Response(401, json={"error": {"type": "TokenError", "message": "a token"}})
    added = httpx.Response(201, json={"id": "a", "title": None, "pages": 3, "warnings": []})

    async def run():
        async with clients.AsyncClient("http://a", "secret") as ours:
            headers = ours._http.headers
            await ours._http.aclose()
            ours._http = httpx.AsyncClient(base_url="http://a", transport=replying(added, refused))
            kept = await ours.read(b"%PDF", "a.pdf")
            with pytest.raises(AuthenticationError, match="a token"):
                await ours.ask(kept, "a")
            return headers["authorization"], kept

    assert asyncio.run(run()) == ("Bearer secret", clients.Kept("a", None, 3))


def test_a_service_that_is_not_there_is_said():
    with citewell.Client("http://127.0.0.1:9") as ours, pytest.raises(UnreachableError, match="cannot be reached"):
        ours.documents()
    with pytest.raises(citewell.InputError, match="begins with http"):
        citewell.Client("127.0.0.1:8710")
