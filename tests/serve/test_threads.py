"""Threads over real HTTP: follow-ups by `thread` and `previous_response_id`; nobody goes on with another's."""

import pytest

from serve_tokens import ALICE, BOB, bearer

httpx = pytest.importorskip("httpx2")

TEXT = "Oriel Lines runs nine ferries. Fare income was $12 million in 2019. Fare income was $15 million in 2020."
OTHER = "Tarrow Freight runs six barges. Fare income was $31 million in 2019. Fare income was $34 million in 2020."
FIRST, NEXT = "What was fare income in 2019?", "And in 2020?"


@pytest.fixture
def http(online):
    with httpx.Client(base_url=online(), timeout=60) as client:
        yield client


def kept(http, text=TEXT, **more):
    return http.post("/v1/documents", json={"text": text, "title": text[:12]}, **more).json()["id"]


def ask(http, document, question, thread=None, **more):
    body = {"documents": [document], "question": question, **({"thread": thread} if thread else {})}
    reply = http.post("/v1/ask", json=body, **more)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_a_follow_up_is_understood_within_its_thread_alone(http):
    document = kept(http)
    ask(http, document, FIRST, "fares")
    answer = ask(http, document, NEXT, "fares")
    assert answer["question"] == NEXT
    assert answer["rewritten"] == "What was fare income in 2020?"
    assert "15 million" in answer["text"]
    assert all(TEXT[each["start"] : each["end"]] == each["quote"] for each in answer["citations"])
    assert "rewritten" not in ask(http, document, NEXT, "another")
    assert "rewritten" not in ask(http, document, NEXT)


def test_a_thread_is_of_who_asked(tenants):
    alice, bob = {"headers": bearer(ALICE)}, {"headers": bearer(BOB)}
    first, second = kept(tenants, **alice), kept(tenants, OTHER, **bob)
    ask(tenants, first, FIRST, "fares", **alice)
    assert "rewritten" not in ask(tenants, second, NEXT, "fares", **bob)
    assert ask(tenants, first, NEXT, "fares", **alice)["rewritten"] == "What was fare income in 2020?"


def test_a_thread_forgets_what_a_removed_document_said(http):
    rules = "The three rules of the harbour are care for people, speed at sea, and thrift in the galley."
    document, other = kept(http, rules), kept(http)
    for name in ("rules", "again"):
        assert "thrift" in ask(http, document, "What are the rules of the harbour?", name)["text"]
    assert ask(http, document, "And the last one?", "rules")["rewritten"] == "What is thrift in the galley?"
    assert http.delete(f"/v1/documents/{document}").status_code == 204
    assert "thrift" not in str(ask(http, other, "And the last one?", "again"))


@pytest.mark.parametrize("name", ["", "../fares", "a/b", ".hidden", "a" * 65, 7])
def test_a_name_that_is_none_is_refused(http, name):
    body = {"documents": ["0123456789abcdef"], "question": FIRST, "thread": name}
    assert http.post("/v1/ask", json=body).status_code == 422


def test_a_thread_is_streamed(http):
    document = kept(http)
    ask(http, document, FIRST, "fares")
    body = {"documents": [document], "question": NEXT, "thread": "fares", "stream": True}
    assert "What was fare income in 2020?" in http.post("/v1/ask", json=body).text


def response(http, question, previous=None, document=None, **more):
    body = {"model": "citewell", "input": question, **more}
    body |= {"previous_response_id": previous} if previous else {}
    body |= {"citewell": {"documents": [document]}} if document else {}
    return http.post("/v1/responses", json=body)


def test_a_response_goes_on_from_another_about_the_same_documents(http):
    document, _ = kept(http), kept(http, OTHER)
    first = response(http, FIRST, document=document).json()
    second = response(http, NEXT, first["id"]).json()
    assert second["previous_response_id"] == first["id"]
    assert second["citewell"]["rewritten"] == "What was fare income in 2020?"
    assert {each["document_id"] for each in second["citewell"]["citations"]} == {document}
    assert "15 million" in second["output"][0]["content"][0]["text"]


def test_two_responses_may_go_on_from_one(http):
    document = kept(http)
    first = response(http, FIRST, document=document).json()
    response(http, "How many ferries are there?", first["id"])
    again = response(http, NEXT, first["id"]).json()
    assert again["citewell"]["rewritten"] == "What was fare income in 2020?"


def test_what_was_not_stored_is_not_gone_on_from(http):
    document = kept(http)
    first = response(http, FIRST, document=document, store=False).json()
    assert response(http, NEXT, first["id"]).status_code == 404
    assert response(http, NEXT, f"resp_{'0' * 24}").status_code == 404
    assert response(http, NEXT, "../../secret").status_code in (400, 422)


def test_messages_of_a_chat_are_its_thread(http):
    document = kept(http)
    messages = [
        {"role": "user", "content": FIRST},
        {"role": "assistant", "content": "Fare income was $12 million in 2019."},
        {"role": "user", "content": NEXT},
    ]
    body = {"model": "citewell", "messages": messages, "citewell": {"documents": [document]}}
    reply = http.post("/v1/chat/completions", json=body).json()
    assert reply["citewell"]["rewritten"] == "What was fare income in 2020?"
    assert "15 million" in reply["choices"][0]["message"]["content"]


def test_turns_are_taken_back_and_a_thread_is_read_again(http):
    document = kept(http)
    for question in (FIRST, "How many ferries does Oriel Lines run?"):
        ask(http, document, question, "fares")
    body = {"documents": [document], "question": NEXT, "thread": "fares", "keep": True}
    assert http.post("/v1/ask", json={**body, "drop": 1}).json()["rewritten"] == "What was fare income in 2020?"
    assert "rewritten" not in http.post("/v1/ask", json={**body, "drop": 9}).json()
    http.post("/v1/ask", json={**body, "thread": "another"})
    entries = http.get("/v1/history", params={"thread": "fares"}).json()["entries"]
    assert [(entry["title"], entry["thread"]) for entry in entries] == [(NEXT, "fares")] * 2
    assert http.get("/v1/history", params={"thread": "../x"}).status_code == 422
