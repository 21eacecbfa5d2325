"""The clients of the service: the library's types come back, and its errors."""

import asyncio
import inspect
import json
from contextlib import nullcontext

import pytest

import citewell
from citewell.errors import (
    AuthenticationError,
    BackendError,
    EmptyDocumentError,
    InputError,
    RateLimitError,
    UnreachableError,
)
from citewell.serve import client as clients

httpx = pytest.importorskip("httpx2")
TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022."


@pytest.fixture
def local_client(client):
    """A client whose requests go to the application, without a socket."""
    ours = citewell.Client("http://127.0.0.1")
    ours._http.close()
    ours._http = client
    return ours


def test_a_document_goes_in_and_an_answer_comes_out_as_the_library_gives_it(local_client):
    document = local_client.add_text(TEXT, "Harbour")
    assert local_client.documents() == [document]
    answer = local_client.ask(document, "What was revenue in 2022?", k=1)
    assert all(TEXT[cited.start : cited.end] == cited.quote for cited in answer.citations)
    local = citewell.ask(citewell.Document.from_text(TEXT, "Harbour"), "What was revenue in 2022?", k=1)
    assert (answer.text, answer.citations, answer.statements) == (local.text, local.citations, local.statements)
    assert local_client.verify(answer)["ok"] is True
    assert local_client.attribute([document], "Revenue was $5.9bn in 2022.").statements[0].label == "supported"
    verdicts = local_client.check(None, ["Revenue rose to $5.9bn in 2022.", "It was hot."])
    assert [verdict.label for verdict in verdicts] == ["supported", "not_supported"]
    assert local_client.audit(document, "Revenue rose to $5.9bn in 2022 [1].")["counts"]["exist"] == 1
    described = citewell.overview(citewell.Document.from_text(TEXT, "Harbour")).to_dict()
    assert {**local_client.overview(document), "seconds": 0} == {**described, "seconds": 0}
    local_client.remove(document)
    assert local_client.documents() == []


def test_errors_are_those_that_the_library_raises(local_client):
    with pytest.raises(EmptyDocumentError, match="has no text"):
        local_client.add_text("  ")
    with pytest.raises(InputError, match="there is no document 'none'"):
        local_client.ask("none", "a")
    with pytest.raises(citewell.SpecError, match="a request may name"):
        local_client.ask(None, "a", method="hidden-states")


def test_what_was_kept_is_listed_told_exported_corrected_and_taken_out(local_client):
    document = local_client.add_text(TEXT, "Harbour")
    answer = local_client.ask(document, "What was revenue in 2022?", keep=True)
    verdicts = local_client.check(document, ["It was hot."], keep=True)
    assert (
        local_client.audit(document, "It froze [1].", keep=True)["history"] > verdicts.history > answer.usage["history"]
    )
    audited, checked, first = local_client.history()
    assert [entry.id for entry in local_client.history("REVENUE", limit=1)] == [first.id] == [answer.usage["history"]]
    assert local_client.history(before=checked) == [first]
    result = local_client.kept(first).value
    assert (result.text, result.citations) == (answer.text, answer.citations)
    assert local_client.kept(checked).value == verdicts
    assert local_client.kept(audited).value.text == "It froze."
    assert local_client.export(first, "bibtex").startswith(b"@misc{harbour")
    built = local_client.correct(checked, 0, label="contradicted", citations=[(document, 0, 18), answer.citations[0]])
    assert [cited["quote"] for cited in built.citations] == ["The harbour froze ", answer.citations[0].quote]
    assert local_client.corrections() == local_client.corrections(checked) == [built]
    assert local_client.corrections(first) == []
    local_client.withdraw(built)
    local_client.forget(first)
    assert [entry.id for entry in local_client.history()] == [audited.id, checked.id]
    local_client.forget()
    assert local_client.history() == local_client.corrections() == []
    assert local_client.check(document, ["It was hot."]).history is None


def test_a_stream_gives_statements_and_then_the_answer(local_client):
    document = local_client.add_text(TEXT, "Harbour")
    whole = local_client.ask(document, "What was revenue in 2022?")
    *parts, answer = local_client.stream(document, "What was revenue in 2022?", keep=True)
    assert (answer.text, answer.statements) == (whole.text, whole.statements)
    assert local_client.kept(answer.usage["history"]).value.statements == whole.statements
    assert tuple(part.statement for part in parts) == whole.statements
    with pytest.raises(InputError, match="there is no document 'none'"):
        list(local_client.stream("none", "a"))


STATEMENT = (
    'event: statement\ndata: {"before": "", "statement": {"text": "A.", "start": 0, "end": 2, "label": "supported", '
    '"score": 0.9, "citations": []}, "citations": []}\n\n'
)
EMPTY = citewell.Answer("A.").to_dict()
STREAMS = {
    "whole": (f": still working\n\n{STATEMENT}event: answer\ndata: {json.dumps(EMPTY)}\n\n", None),
    "cut": (STATEMENT, "the service's stream ended before the answer"),
    "failed": (f'{STATEMENT}event: error\ndata: {{"error": {{"type": "InternalError", "message": "x"}}}}\n\n', "x"),
    "no result": (f"{STATEMENT}event: answer\ndata: {{}}\n\n", "the service did not reply with a result"),
}


@pytest.mark.parametrize("case", STREAMS)
def test_what_is_streamed_is_read_and_a_stream_that_ends_early_is_an_error(case):
    text, error = STREAMS[case]
    requests = []

    def plain():
        ours = citewell.Client("http://a")
        ours._http = httpx.Client(base_url="http://a", transport=replying(httpx.Response(200, text=text)))
        requests.extend(ours.stream("a", "b"))

    async def in_async_code():
        ours = citewell.AsyncClient("http://a")
        ours._http = httpx.AsyncClient(base_url="http://a", transport=replying(httpx.Response(200, text=text)))
        requests.extend([part async for part in ours.stream("a", "b")])

    for run in (plain, lambda: asyncio.run(in_async_code())):
        requests.clear()
        with pytest.raises(BackendError, match=error) if error else nullcontext():
            run()
        if not error:
            assert [type(part).__name__ for part in requests] == ["Partial", "Answer"]
            assert requests[0].statement.text == requests[1].text == "A."


def test_both_clients_have_the_same_methods():
    def surface(client):
        public = {name: value for name, value in vars(client).items() if not name.startswith("_")}
        return {name: inspect.signature(value).parameters for name, value in public.items()}

    assert surface(citewell.Client) == surface(citewell.AsyncClient)


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
