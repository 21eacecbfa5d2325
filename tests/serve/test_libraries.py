"""Several libraries behind one service: chosen by name, and not there for whom they are not."""

import pytest
from starlette.testclient import TestClient

from citewell.errors import UsageError
from citewell.serve.app import Service
from citewell.serve.libraries import named
from citewell.serve.settings import Settings
from citewell.serve.work import Desk

ALICE, BOB = "alice-0123456789abcdef", "bob-0123456789abcdef"


@pytest.fixture
def two(tmp_path, here):
    def make(**settings):
        places = {"reports": str(tmp_path / "reports"), "letters": str(tmp_path / "letters")}
        service = Service(Settings("", tmp_path, libraries=tuple(places.items()), **settings))
        service.pool = here(places["reports"])
        service.pool.desk = Desk(places, None, 60.0)
        return TestClient(service.app, base_url="http://127.0.0.1", raise_server_exceptions=False)

    return make


def test_libraries_are_named_as_they_are_given():
    assert named(["reports.lib"]) == {"library": "reports.lib"}
    assert named(["a=/x=y", "b=postgresql://h/d?a=b"]) == {"a": "/x=y", "b": "postgresql://h/d?a=b"}
    assert named(["postgresql://h/d?a=b"]) == {"library": "postgresql://h/d?a=b"}
    for arguments in (["a=x", "a=y"], ["x", "y"], [""]):
        with pytest.raises(UsageError):
            named(arguments)


def test_a_request_names_its_library_and_the_first_one_is_meant_where_it_does_not(two):
    client = two()
    ours = client.post("/v1/documents", json={"text": "The harbour froze in 2021."}).json()["id"]
    theirs = client.post("/v1/documents?library=letters", json={"text": "The canal froze in 1996."}).json()["id"]
    assert client.get("/v1/libraries").json() == {
        "libraries": [{"name": "reports", "documents": 1}, {"name": "letters", "documents": 1}],
        "next": None,
    }
    assert [result["id"] for result in client.get("/v1/documents?library=letters").json()["documents"]] == [theirs]
    assert client.get(f"/v1/documents/{theirs}").status_code == 404
    assert client.get(f"/v1/documents/{theirs}?library=letters").status_code == 200
    for result, text in (
        ({"library": True, "question": "When did the harbour freeze?"}, "2021"),
        ({"library": "letters", "question": "When did the canal freeze?"}, "1996"),
        ({"library": "letters", "documents": [theirs], "question": "When did the canal freeze?"}, "1996"),
        ({"documents": [ours], "question": "When did the harbour freeze?"}, "2021"),
    ):
        assert text in client.post("/v1/ask", json=result).json()["text"]
    messages = [{"role": "user", "content": "When did the canal freeze?"}]
    chat = {"model": "citewell", "messages": messages, "citewell": {"library": "letters"}}
    assert "1996" in client.post("/v1/chat/completions", json=chat).json()["choices"][0]["message"]["content"]
    for path, result in (
        ("/v1/ask", {"library": "other", "question": "a"}),
        ("/v1/documents?library=other", {"text": "a"}),
    ):
        error = client.post(path, json=result)
        assert (error.status_code, error.json()["error"]["field"]) == (404, "library")


def test_documents_of_two_libraries_with_one_number_are_kept_apart(two):
    client = two()
    result = client.post("/v1/documents", json={"text": "The harbour froze in 2021."}).json()["id"]
    other = client.post("/v1/documents?library=letters", json={"text": "The canal froze in 1996."}).json()["id"]
    assert client.get(f"/v1/documents/{result}/text").json()["text"] == "The harbour froze in 2021."
    assert client.get(f"/v1/documents/{other}/text?library=letters").json()["text"] == "The canal froze in 1996."


def test_a_token_sees_its_own_libraries(two, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{ALICE}\n{BOB} libraries=letters\n", encoding="utf-8")
    client = two(token_file=tokens)
    alice, bob = ({"x-api-key": token} for token in (ALICE, BOB))
    assert [library["name"] for library in client.get("/v1/libraries", headers=alice).json()["libraries"]] == [
        "reports",
        "letters",
    ]
    assert [library["name"] for library in client.get("/v1/libraries", headers=bob).json()["libraries"]] == ["letters"]
    assert client.get("/v1/documents?library=reports", headers=bob).status_code == 404
    name = client.post("/v1/documents", json={"text": "One."}, headers=bob).json()["id"]  # its first one
    assert client.get(f"/v1/documents/{name}?library=letters", headers=alice).status_code == 200
    settings = {"library": "reports", "question": "a"}
    assert (
        client.post("/v1/ask", json=settings, headers=bob).json()["error"]["message"] == "there is no library 'reports'"
    )


def test_a_caller_carries_all_labels_or_those_that_the_request_says(two, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{ALICE} labels=finance,public\n{BOB} labels=public\n", encoding="utf-8")
    client = two(token_file=tokens)
    alice, bob = ({"x-api-key": token} for token in (ALICE, BOB))
    both = client.post("/v1/documents", json={"text": "One."}, headers=alice).json()["id"]
    shared = client.post("/v1/documents?labels=public", json={"text": "Two."}, headers=alice).json()["id"]
    bare = client.post("/v1/documents?labels=", json={"text": "Three."}, headers=alice).json()["id"]

    def visible_labels(query, headers):
        documents = client.get(f"/v1/documents{query}", headers=headers).json()["documents"]
        return {document["id"]: document["labels"] for document in documents}

    everything = {both: ["finance", "public"], shared: ["public"], bare: []}
    assert visible_labels("", alice) == everything
    assert visible_labels("?labels=public", alice) == visible_labels("", bob) == {shared: ["public"], bare: []}
    assert visible_labels("?labels=", alice) == {bare: []}
    error = client.get("/v1/documents?labels=public,finance", headers=bob)
    assert (error.status_code, error.json()["error"]["message"]) == (403, "this token has no label 'finance'")
    settings = {"documents": [both], "question": "What?"}
    assert client.post("/v1/ask?labels=public", json=settings, headers=alice).status_code == 404
    assert client.delete(f"/v1/documents/{shared}", headers=alice).status_code == 403  # it carries other labels
    assert client.delete(f"/v1/documents/{shared}?labels=public", headers=alice).status_code == 204
    assert client.get("/v1/settings", headers=alice).json()["carries"] == ["finance", "public"]


def test_who_carries_less_than_their_labels_removes_nothing_that_everybody_sees(two, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"{ALICE} labels=finance\n{BOB}\n", encoding="utf-8")
    client = two(token_file=tokens)
    alice, bob = ({"x-api-key": token} for token in (ALICE, BOB))
    shared = client.post("/v1/documents", json={"text": "Revenue rose."}, headers=bob).json()["id"]
    kept = {"documents": [shared], "claims": ["Revenue rose."], "keep": True}
    assert client.post("/v1/check", json=kept, headers=bob).status_code == 200
    for place in (f"documents/{shared}", f"files/{shared}", "history"):
        refused = client.delete(f"/v1/{place}?labels=", headers=alice)
        assert refused.status_code == 403, place
        assert "removes nothing that has none" in refused.text
    assert len(client.get("/v1/history", headers=bob).json()["entries"]) == 1
    assert client.delete(f"/v1/documents/{shared}?labels=", headers=bob).status_code == 204


def test_a_link_names_the_library_that_it_leads_to_where_there_are_several(two):
    client = two()
    client.post("/v1/documents?library=letters", json={"text": "The canal froze in 1996."})
    messages = [{"role": "user", "content": "When did the canal freeze?"}]
    chat = {"model": "citewell", "messages": messages, "citewell": {"library": "letters"}}
    message = client.post("/v1/chat/completions", json=chat).json()["choices"][0]["message"]
    assert "#library=letters&document=" in message["annotations"][0]["url_citation"]["url"]
