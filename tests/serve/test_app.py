"""The routes: what they answer, and what they say of requests that cannot be served."""

import json

import pytest

from citewell.types import Answer

TEXT = "The harbour froze in January 2021. Revenue rose to $5.9bn in 2022.\n\nTwo ferries were sold."
MALFORMED = {
    "a body that is not JSON": ("/v1/ask", b"{", "the body is not JSON", None),
    "a body that is no object": ("/v1/ask", b"[]", "Input should be a valid dictionary", None),
    "no question": ("/v1/ask", b'{"library": true}', "Field required", "question"),
    "a number as text": ("/v1/ask", b'{"library": true, "question": "a", "k": "2"}', "valid integer", "k"),
    "a truth as a score": (
        "/v1/ask", b'{"library": true, "question": "a", "abstain": true}', "abstain is a score from 0 to 1, or a promise by its name", "abstain",
    ),
    "a truth as a count": ("/v1/ask", b'{"library": true, "question": "a", "k": true}', "valid integer", "k"),
    "a truth as documents": ("/v1/ask", b'{"library": true, "question": "a", "most": true}', "valid integer", "most"),
    "no documents": ("/v1/ask", b'{"question": "a"}', "name documents by their ids", None),
    "both": ("/v1/ask", b'{"question": "a", "documents": ["a"], "library": true}', "name documents by", None),
    "a field that is not known": ("/v1/check", b'{"library": true, "claims": ["a"], "paths": 1}', "not permitted", "paths"),
    "no claim": ("/v1/check", b'{"library": true, "claims": []}', "at least 1 item", "claims"),
    "half a character": ("/v1/ask", b'{"library": true, "question": "\\ud800"}', "a unicode string", "question"),
    "a text that is none": ("/v1/documents", b'{"text": 3}', "valid string", "text"),
    "a text of spaces": ("/v1/documents", b'{"text": "  "}', "has no text", None),
    "a document that is not JSON": ("/v1/documents", b"{", "not JSON", None),
    "a saved answer that is none": ("/v1/verify", b'{"answer": {}}', "schema_version", None),
}  # fmt: skip


@pytest.fixture
def document(client):
    return client.post("/v1/documents", json={"text": TEXT, "title": "Harbour"}).json()["id"]


def test_a_text_becomes_a_document_that_is_listed_described_and_removed(client):
    added = client.post("/v1/documents", json={"text": TEXT, "title": "Harbour"})
    assert added.status_code == 201
    name = added.json()["id"]
    assert added.json() == {"id": name, "title": "Harbour", "pages": None, "warnings": []}
    assert [result["id"] for result in client.get("/v1/documents").json()["documents"]] == [name]
    described = client.get(f"/v1/documents/{name}").json()
    assert (described["characters"], described["source"]) == (len(TEXT), None)
    assert client.delete(f"/v1/documents/{name}").status_code == 204
    assert client.get(f"/v1/documents/{name}").status_code == 404
    assert client.delete(f"/v1/documents/{name}").status_code == 404


def test_the_same_text_twice_is_one_document(client, document):
    again = client.post("/v1/documents", json={"text": TEXT, "title": "Harbour"})
    assert (again.status_code, again.json()["id"]) == (201, document)
    assert len(client.get("/v1/documents").json()["documents"]) == 1


def test_an_answer_is_the_librarys_own_with_quotes_at_their_offsets(client, document):
    payload = client.post("/v1/ask", json={"documents": [document], "question": "What was revenue in 2022?"}).json()
    answer = Answer.from_dict(payload)
    assert "5.9bn" in answer.text
    assert all(TEXT[cited.start : cited.end] == cited.quote for cited in answer.citations)
    assert answer.documents[0].title == "Harbour"
    report = client.post("/v1/verify", json={"answer": payload}).json()
    assert (report["ok"], report["mismatches"]) == (True, [])
    payload["citations"][0]["quote"] = "Revenue fell."
    assert client.post("/v1/verify", json={"answer": payload}).json()["ok"] is False


def test_the_whole_library_is_asked_or_some_of_it(client, document):
    settings = {"library": True, "question": "When did the harbour freeze?", "where": "title ~ harbour"}
    assert "January 2021" in client.post("/v1/ask", json=settings).json()["text"]
    refused = client.post("/v1/ask", json=settings | {"where": "year >"})
    assert refused.json()["error"]["message"] == "where 'year >' ends where a value is expected"
    nothing = client.post("/v1/ask", json=settings | {"where": "title = x"}).json()["error"]["message"]
    assert nothing == "the library has no document where title = x"  # not the folder it is in


def test_answers_are_attributed_claims_judged_and_responses_audited(client, document):
    named = {"documents": [document]}
    answer = client.post("/v1/attribute", json={**named, "answer": "Revenue was $5.9bn in 2022."}).json()
    assert (answer["statements"][0]["label"], answer["question"]) == ("supported", None)
    verdicts = client.post("/v1/check", json={**named, "claims": ["Two ferries were sold.", "It was hot."]}).json()
    assert [verdict["label"] for verdict in verdicts["verdicts"]] == ["supported", "not_supported"]
    audit = client.post("/v1/audit", json={**named, "response": "Two ferries were sold [2]."}).json()
    assert (audit["counts"]["exist"], audit["counts"]["support"]) == (1, 1)


def test_a_stream_ends_with_an_event_that_repeats_everything(client, document):
    settings = {"documents": [document], "question": "What was revenue in 2022?"}
    whole = client.post("/v1/ask", json=settings).json()
    reply = client.post("/v1/ask", json=settings | {"stream": True})
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = [event.split("\n", 1) for event in reply.text.strip().split("\n\n")]
    kind, data = events[-1]
    last = json.loads(data.removeprefix("data: "))
    assert (kind, last["text"], last["citations"]) == ("event: answer", whole["text"], whole["citations"])
    assert [json.loads(data.removeprefix("data: "))["statement"] for _, data in events[:-1]] == whole["statements"]


def test_an_attribution_that_is_streamed_tells_each_statement(client, document):
    answer = "Revenue was $5.9bn in 2022. Two ferries were sold."
    settings = {"documents": [document], "answer": answer, "stream": True}
    events = client.post("/v1/attribute", json=settings).text.strip().split("\n\n")
    assert [event.partition("\n")[0] for event in events] == ["event: statement", "event: statement", "event: answer"]
    payloads = [json.loads(event.partition("data: ")[2]) for event in events[:-1]]
    assert "".join(payload["before"] + payload["statement"]["text"] for payload in payloads) == answer


def test_a_stream_that_fails_at_once_has_the_status_of_its_error(client):
    reply = client.post("/v1/ask", json={"documents": ["none"], "question": "a", "stream": True})
    assert (reply.status_code, reply.json()["error"]["type"]) == (404, "NotFoundError")


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_wrong_with_a_request_is_said_by_field(client, document, case):
    path, body, message, field = MALFORMED[case]
    reply = client.post(path, content=body, headers={"content-type": "application/json"})
    error = reply.json()["error"]
    assert reply.status_code == 422
    assert message in error["message"]
    assert error["field"] == field


def test_other_errors_have_the_same_form(client, document):
    for method, path, status in (
        ("GET", "/v1/nothing", 404),
        ("PUT", "/v1/ask", 405),
        ("GET", f"/v1/documents/{document}/pages/1.png", 404),
        ("GET", f"/v1/documents/{document}/pages/0.png", 422),
        ("GET", f"/v1/documents/{document}/pages/1.png?scale=nan", 422),
        ("GET", "/v1/documents/..%2f..%2fetc%2fpasswd", 404),
    ):
        reply = client.request(method, path)
        assert (reply.status_code, set(reply.json()["error"])) == (status, {"type", "message", "field"})
    unknown = client.post("/v1/documents", content=b"x", headers={"content-type": "image/svg+xml"})
    assert unknown.status_code == 415


def test_a_fault_of_ours_tells_nothing(client, document, monkeypatch, capsys):
    def fail(job, tell):
        raise RuntimeError("/home/somebody/secret.pdf")

    monkeypatch.setattr(client.service.pool.desk, "do", fail)
    reply = client.get("/v1/documents")
    assert reply.status_code == 500
    assert "secret" not in reply.text
    assert reply.headers["x-should-retry"] == "false"
    assert "secret.pdf" in capsys.readouterr().err  # whoever runs the service finds it there


@pytest.mark.parametrize(
    ("field", "spec"),
    [
        ("method", "hidden-states(model=/etc)"),
        ("method", "llm(llm=openai(base_url=http://10.0.0.1))"),
        ("method", 'retrieval(retriever="dense(model=/etc/passwd)")'),
        ("checker", "nli(model=/etc)"),
        ("checker", "judge(llm=openai)"),
        ("approach", "citation(prompt=/etc/passwd)"),
        ("approach", "reduced-citation(reduce=top(retriever=gtr))"),
    ],
)
def test_a_request_names_no_model_address_or_file(client, document, field, spec):
    reply = client.post("/v1/ask", json={"documents": [document], "question": "a", field: spec})
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field)
    assert client.service.pool.jobs[-1].verb != "ask"  # no worker was asked


def test_methods_that_need_nothing_from_elsewhere_may_be_named(client, document):
    settings = {"documents": [document], "question": "What was revenue in 2022?", "approach": "extractive", "k": 1}
    reply = client.post("/v1/ask", json=settings | {"method": "retrieval(retriever=bm25(k1=1.2), k=1)"})
    assert reply.status_code == 200
    assert "bm25(k1=1.2)" in reply.json()["method"]
    without = client.post("/v1/ask", json=settings | {"approach": "citation"}).json()["error"]
    assert (without["field"], without["message"]) == (
        "approach",
        "citation needs a language model, and there is none here",
    )


def test_what_was_fetched_before_is_not_sent_again(client, document):
    first = client.get(f"/v1/documents/{document}")
    again = client.get(f"/v1/documents/{document}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_description_names_every_route_with_examples_and_is_a_page_too(client):
    schema = client.get("/openapi.json").json()
    assert {"/v1/ask", "/v1/attribute", "/v1/check", "/v1/audit", "/v1/verify", "/v1/documents"} <= set(schema["paths"])
    assert "HTTPValidationError" not in schema["components"]["schemas"]
    page = client.get("/docs").text
    assert "POST /v1/ask" in page
    assert "<script" not in page
    assert 'href:"/docs"' in client.get("/page/main.js").text.replace(" ", "")


def test_more_documents_than_may_be_kept_are_refused(serving):
    client = serving(documents=1)
    assert client.post("/v1/documents", json={"text": "One."}).status_code == 201
    refused = client.post("/v1/documents", json={"text": "Two."})
    assert (refused.status_code, refused.json()["error"]["type"]) == (409, "FullError")


def test_a_short_text_does_not_wait_behind_files_that_are_read(client):
    for text in ("The harbour froze in 2021.", "The harbour froze in 2021. " * 4_000):
        assert client.post("/v1/documents", json={"text": text}).status_code == 201
    client.post("/v1/documents", files={"file": ("a.txt", b"The canal froze in 1996.")})
    assert [job.long for job in client.service.pool.jobs if job.verb in ("text", "file")] == [False, True, True]
